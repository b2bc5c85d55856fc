/* The page cache: what is valid and for how long, who renders, eviction, threads. */
#include "lib/aborts.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "table/slots.h"
#include "web/cache/cache.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <string.h>

enum { NOW = 1000000 };

static struct cache_page
page_of(struct str text, uint64_t version, int64_t made)
{
	return (struct cache_page){
	    .full = {text}, .head_len = {1}, .version = version, .made = made};
}

/* Begins and files a page; bails out when it was not to be rendered. */
static void
file(struct cache *cache, struct str key, const struct cache_page *page)
{
	struct cache_look look = {.key = key};

	/* From far in the future, so that nothing filed before is good. */
	if (cache_begin(cache, &look, UINT64_MAX, page->made) != CACHE_RENDER)
		bail_out("a page that can't be good is to be rendered");
	cache_file(cache, &look, page);
	cache_forget(&look);
}

/* Begins with a look of its own, for a caller that renders: it is then in *look. */
static enum cache_answer
begins(struct cache *cache, uint64_t version, int64_t now, struct cache_look *look)
{
	*look = (struct cache_look){.key = STR("/")};
	return cache_begin(cache, look, version, now);
}

/* The text under the key, or "-". */
static struct str
found(struct arena *arena, struct cache *cache, struct str key, uint64_t version, int64_t now)
{
	struct cache_look look = {.key = key};
	struct str text = STR("-");

	if (cache_find(cache, &look, version, now))
		text = str_dup(arena, cache_entry_page(look.entry)->full[CACHE_PLAIN]);
	cache_forget(&look);
	return text;
}

static void
goodness(struct arena *arena)
{
	static const struct {
		uint64_t filed, asked;
		int64_t fresh_until, age;
		bool good;
		const char *what;
	} cases[] = {
	    {5, 5, 0, 0, true, "at once"},
	    {5, 5, 0, CACHE_FRESH_MS - 1, true, "until a minute has gone"},
	    {5, 5, 0, CACHE_FRESH_MS, false, "after a minute"},
	    {5, 6, 0, 0, false, "after the table has changed"},
	    {5, 4, 0, 0, false, "after the table has another version, whichever"},
	    {5, 5, NOW + 1000, 999, true, "until a scheduled post appears"},
	    {5, 5, NOW + 1000, 1000, false, "from the moment when it appears"},
	    {5, 5, NOW + CACHE_FRESH_MS * 2, CACHE_FRESH_MS, false,
		"after a minute, even if it may change only later"},
	    {5, 5, 0, -1, false, "before it was made, when the clock was set back"},
	    {0, 0, 0, CACHE_BLIND_MS - 1, true, "for a moment without a version"},
	    {0, 0, 0, CACHE_BLIND_MS, false, "after that moment"},
	    {5, 0, 0, 0, false, "when the table lost its version"},
	    {0, 5, 0, 0, false, "when the table got a version"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cache *cache = cache_new(100000);
		struct cache_page page = page_of(STR("page"), cases[i].filed, NOW);

		page.fresh_until = cases[i].fresh_until;
		file(cache, STR("/"), &page);
		is_str(found(arena, cache, STR("/"), cases[i].asked, NOW + cases[i].age),
		    cases[i].good ? STR("page") : STR("-"), "a page is %s %s",
		    cases[i].good ? "good" : "not good", cases[i].what);
		cache_free(cache);
	}
}

/*
 * Written to something that the page is made of, or to something else, in version 6; or by a writer
 * that does not say.
 */
static void
with_slots(void)
{
	static struct slots slots;
	static const struct read read = {.key = {STR_INIT("a"), STR_INIT("1")}};
	static const struct {
		const char *pk;
		bool counted, good;
		const char *what;
	} cases[] = {
	    {"b", true, true, "something else was changed"},
	    {"a", true, false, "what it was made of was changed"},
	    {"b", false, false, "nobody knows what was changed"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cache *cache = cache_new(100000);
		struct cache_page page = page_of(STR("page"), 5, NOW);
		struct cache_look look = {.key = STR("/"), .slots = &slots};
		struct attribute key[] = {{STR("PK"), value_string(str_of(cases[i].pk))},
		    {STR("SK"), value_string(STR("1"))}};

		memset(&slots, 0, sizeof(slots));
		slots.counted = 5;
		read_set_note(&page.reads, &read);
		file(cache, STR("/"), &page);
		slots_stamp(&slots, 6, NULL, &(struct item){.attributes = key, .count = 2});
		if (cases[i].counted)
			slots_count(&slots, 5);
		ok(cache_find(cache, &look, 6, NOW) == cases[i].good, "a page is %s when %s",
		    cases[i].good ? "good" : "not good", cases[i].what);
		cache_forget(&look);
		look = (struct cache_look){.key = STR("/"), .slots = &slots};
		ok(cache_find(cache, &look, 5, NOW), "... and good to who saw the table before");
		cache_forget(&look);
		cache_free(cache);
	}
}

static void
turns(struct arena *arena)
{
	struct cache *cache = cache_new(100000);
	struct cache_page page = page_of(STR("one"), 1, NOW);
	struct cache_look first, held, second, other;

	is_int(begins(cache, 1, NOW, &first), CACHE_RENDER, "the first one renders");
	cache_file(cache, &first, &page);
	cache_forget(&first);
	is_int(begins(cache, 1, NOW, &held), CACHE_HIT, "the next one gets it");
	is_int(
	    begins(cache, 2, NOW + 10, &second), CACHE_RENDER, "after a change one renders anew");
	is_int(begins(cache, 2, NOW + 10, &other), CACHE_HIT,
	    "meanwhile the others get what was good a moment ago");
	is_str(cache_entry_page(other.entry)->full[CACHE_PLAIN], STR("one"), "... the old page");
	cache_forget(&other);
	is_str(found(arena, cache, STR("/"), 2, NOW + 10), STR("-"),
	    "but whoever can't render is told nothing old");
	page = page_of(STR("two"), 2, NOW + 10);
	cache_file(cache, &second, &page);
	cache_forget(&second);
	is_str(found(arena, cache, STR("/"), 2, NOW + 11), STR("two"), "then there is the new one");
	is_str(cache_entry_page(held.entry)->full[CACHE_PLAIN], STR("one"),
	    "who holds the old one still has it");
	cache_forget(&held);
	for (int i = 0; i < 2; i++) {
		is_int(begins(cache, 3, NOW + 20, &first), CACHE_RENDER,
		    i == 0 ? "a render begins" : "and begins again after one that gave up");
		cache_give_up(cache, &first);
		cache_forget(&first);
	}
	cache_free(cache);
}

/* After a look without a hit there is no second one, unless something was filed in between. */
static void
one_look(void)
{
	struct cache *cache = cache_new(100000);
	struct cache_page one = page_of(STR("one"), 1, NOW), two = page_of(STR("two"), 2, NOW);
	struct cache_look look = {.key = STR("/")}, late = look;

	ok(!cache_find(cache, &look, 1, NOW), "nothing is found in an empty cache");
	is_int(cache_begin(cache, &look, 1, NOW), CACHE_RENDER, "who has asked renders");
	cache_file(cache, &look, &one);
	cache_forget(&look);
	is_int((int64_t)cache_figures(cache).looked_up, 1, "... after one look");
	look = late;
	ok(!cache_find(cache, &look, 2, NOW) && !cache_find(cache, &late, 2, NOW),
	    "two find the page of before");
	is_int(cache_begin(cache, &look, 2, NOW), CACHE_RENDER, "one of them renders");
	is_int((int64_t)cache_figures(cache).looked_up, 3, "... neither has looked again");
	cache_file(cache, &look, &two);
	cache_forget(&look);
	is_int(cache_begin(cache, &late, 2, NOW), CACHE_HIT,
	    "the other one comes when that is done, and looks again");
	is_str(cache_entry_page(late.entry)->full[CACHE_PLAIN], STR("two"), "... at the new page");
	is_int((int64_t)cache_figures(cache).looked_up, 4, "... once");
	cache_forget(&late);
	cache_free(cache);
}

static void
eviction(struct arena *arena)
{
	struct cache *cache = cache_new(40000);
	char *text = arena_alloc(arena, 6000);
	struct cache_page small = page_of((struct str){text, 3000}, 1, NOW),
			  large = page_of((struct str){text, 6000}, 1, NOW);
	struct cache_figures figures;

	for (int i = 0; i < 50; i++) {
		file(cache, str_fmt(arena, "/%d", i), &small);
		/* The first one is used all the time. */
		ok(!str_eq(found(arena, cache, STR("/0"), 1, NOW), STR("-")),
		    "what is used stays when %d others have come", i);
	}
	figures = cache_figures(cache);
	ok(figures.bytes <= 40000 && figures.entries >= 10 &&
		figures.entries + figures.evicted == 50,
	    "no more is kept than may be");
	is_str(found(arena, cache, STR("/1"), 1, NOW), STR("-"), "what was not used went first");
	file(cache, STR("/0"), &large);
	is_str(found(arena, cache, STR("/0"), 1, NOW), STR("-"),
	    "a page over an eighth of it is not kept, nor what it replaces");
	cache_free(cache);
}

/* --- Threads ------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 3000, KEYS = 3 };

struct shared {
	struct cache *cache;
	atomic_uint_fast64_t version;
	atomic_uint rendering[KEYS], renders, wrong;
};

/* What a page of a version says; every byte must agree. */
static struct cache_page
versioned(char text[512], int key, uint64_t version)
{
	memset(text, 'a' + (int)((version + (unsigned)key) % 26), 512);
	return page_of((struct str){text, 512}, version, NOW);
}

static bool
is_whole(const struct cache_page *page, int key)
{
	char text[512];
	struct cache_page wanted = versioned(text, key, page->version);

	return str_eq(wanted.full[CACHE_PLAIN], page->full[CACHE_PLAIN]);
}

static void *
reader(void *arg)
{
	static const struct str keys[KEYS] = {STR_INIT("/a"), STR_INIT("/b"), STR_INIT("/c")};
	struct shared *shared = arg;

	for (int i = 0; i < ROUNDS; i++) {
		int k = i % KEYS;
		uint64_t version = atomic_load(&shared->version);
		struct cache_look look = {.key = keys[k]};
		struct cache_page page;
		char text[512];

		if (i % 50 == 0)
			atomic_fetch_add(&shared->version, 1);
		switch (cache_begin(shared->cache, &look, version, NOW)) {
		case CACHE_HIT: shared->wrong += !is_whole(cache_entry_page(look.entry), k); break;
		case CACHE_RENDER:
			/* Never two at once for one page. */
			shared->wrong += atomic_fetch_add(&shared->rendering[k], 1) != 0;
			page = versioned(text, k, version);
			atomic_fetch_add(&shared->renders, 1);
			atomic_fetch_sub(&shared->rendering[k], 1);
			if (i % 7 == 0)
				cache_give_up(shared->cache, &look);
			else
				cache_file(shared->cache, &look, &page);
			break;
		case CACHE_ALONE: break;
		}
		cache_forget(&look);
	}
	return NULL;
}

static void
threads(void)
{
	struct shared shared = {.cache = cache_new(6000), .version = 1};
	pthread_t ids[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&ids[i], NULL, reader, &shared) != 0)
			bail_out("no thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	is_int(shared.wrong, 0, "threads see whole pages and render each alone");
	ok(shared.renders > 0, "something was rendered");
	cache_free(shared.cache);
}

/* A page that can't be cached must not serialise those who waited for it. */
struct waiter {
	struct cache *cache;
	enum cache_answer answer;
	struct cache_look look;
};

static void *
wait_for_page(void *arg)
{
	struct waiter *w = arg;

	w->answer = begins(w->cache, 1, NOW, &w->look);
	return NULL;
}

static void
waiting(bool kept)
{
	struct cache *cache = cache_new(100000);
	struct waiter waiters[3];
	pthread_t ids[3];
	struct cache_look look;
	struct cache_page page = page_of(STR("page"), 1, NOW);
	unsigned as_wanted = 0;

	if (begins(cache, 1, NOW, &look) != CACHE_RENDER)
		bail_out("an empty cache asks for a render");
	for (int i = 0; i < 3; i++) {
		waiters[i] = (struct waiter){.cache = cache};
		if (pthread_create(&ids[i], NULL, wait_for_page, &waiters[i]) != 0)
			bail_out("no thread");
	}
	/* Each counts as a miss before it waits, so this is when all three do. */
	while (cache_figures(cache).misses < 4)
		sched_yield();
	if (kept)
		cache_file(cache, &look, &page);
	else
		cache_give_up(cache, &look);
	cache_forget(&look);
	for (int i = 0; i < 3; i++) {
		pthread_join(ids[i], NULL);
		as_wanted += waiters[i].answer == (kept ? CACHE_HIT : CACHE_ALONE);
		cache_forget(&waiters[i].look);
	}
	is_int(as_wanted, 3, "those who wait for a page that is %s",
	    kept ? "kept get it" : "not kept go on alone");
	cache_free(cache);
}

static void
forget_a_render(void *arg)
{
	struct cache_look look;

	begins(arg, 1, NOW, &look);
	cache_forget(&look);
}

static void
file_twice(void *arg)
{
	struct cache_page page = page_of(STR("page"), 1, NOW);
	struct cache_look look;

	begins(arg, 1, NOW, &look);
	cache_file(arg, &look, &page);
	cache_file(arg, &look, &page);
}

static void
mistakes(void)
{
	struct cache *cache = cache_new(100000);

	aborts(forget_a_render, cache, false, "who was to render files the page or gives up");
	aborts(file_twice, cache, false, "... once");
	cache_free(cache);
}

int
main(void)
{
	struct arena *arena = arena_new();

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	goodness(arena);
	with_slots();
	turns(arena);
	one_look();
	eviction(arena);
	threads();
	waiting(true);
	waiting(false);
	mistakes();
	arena_free(arena);
	return tap_done();
}
