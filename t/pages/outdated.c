/*
 * Cached pages and writes: after each kind of write every page is what it would be if it were made
 * anew; those that show it change at once, and those that don't are still from the cache. The same
 * with many concurrent writers and readers.
 */
#include "writer.h"

#include "lib/tap.h"

#include "pages/shared/publication.h"
#include "web/cache/cache.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define POST "/post/bread-for-a-wet-week"
#define OTHER "/post/iho-charts"

/* A page of each kind, and some that have little to do with that post. */
static const char *const pages[] = {"/", POST, OTHER, "/post/green-flash", "/page/colophon",
    "/authors", "/author/noor", "/author/kofi", "/author/noor/feed.atom", "/categories",
    "/category/kitchen", "/category/tides", "/category/kitchen/feed.atom", "/tags", "/tag/bread",
    "/tag/bread/feed.atom", "/archive", "/archive/2026", "/archive/2026/11", "/archive/2026/11/17",
    "/collections", "COLLECTION", "/feed.atom", "/sitemap.xml", "/robots.txt"};
enum { PAGES = sizeof(pages) / sizeof(pages[0]) };

/* COLLECTION is replaced by the address of the first public collection. */
static struct str
address_of(struct seeded *s, const char *page)
{
	for (size_t i = 0; i < s->seed.count; i++) {
		const struct item *item = &s->seed.items[i];

		if (strcmp(page, "COLLECTION") == 0 &&
		    str_eq(item_string(item, STR("Name")), STR("Start here")))
			return STR_CONCAT(
			    s->arena, STR("/collection/"), item_string(item, STR("Id")));
	}
	return str_of(page);
}

/* The page as a process would make it that has just started and keeps nothing. */
static struct str
anew(struct seeded *s, struct str address)
{
	struct cache *cache = s->site.cache;
	void *publications = s->site.page_data;
	struct answer answer;

	s->site.cache = NULL;
	s->site.page_data = publications_new();
	answer = visit(s, address);
	publications_free(s->site.page_data);
	s->site.page_data = publications;
	s->site.cache = cache;
	return answer.body;
}

static void
put_with(struct seeded *s, const char *pk, const char *sk, const char *name, const char *value)
{
	struct item item = seeded_item(s, pk, sk);

	item_set(s->arena, &item, str_of(name), value_string(str_of(value)));
	seeded_put(s, &item, 1);
}

/* --- One write after another -------------------------------------------------------------------------- */

static void
edit(struct seeded *s)
{
	put_with(s, "POST#bread-for-a-wet-week", "METADATA", "Title", "Loaves anew");
}

static void
edit_text(struct seeded *s)
{
	put_with(s, "POST#bread-for-a-wet-week", "BODY", "HTML", "<p>Another crumb.</p>");
}

static void
publish(struct seeded *s)
{
	struct browser tobias = browser_of(s, "tobias");

	get(&tobias, "/write/note");
	is_int(SUBMIT(&tobias, "/write/note", "markdown", "A note in the evening", "slug",
		   "evening", "do", "publish"),
	    HTTP_SEE_OTHER, "a note is published");
}

static void
schedule(struct seeded *s)
{
	struct item head = seeded_item(s, "POST#soup-for-nine", "METADATA");
	struct str later = STR("2026-12-24T18:00:00.000Z");

	item_set(s->arena, &head, STR("PublishedAt"), value_string(later));
	item_set(s->arena, &head, STR("GSI3SK"),
	    value_string(STR_CONCAT(s->arena, later, STR("#soup-for-nine"))));
	item_set(s->arena, &head, STR("GSI2SK"),
	    value_string(STR_CONCAT(s->arena, later, STR("#soup-for-nine"))));
	item_set(s->arena, &head, STR("GSI1SK"),
	    value_string(STR_CONCAT(s->arena, STR("POST#"), later, STR("#soup-for-nine"))));
	seeded_put(s, &head, 1);
}

static void
comment(struct seeded *s)
{
	for (size_t i = 0; i < s->seed.count; i++) {
		struct item item = item_shallow(s->arena, &s->seed.items[i]);

		if (!str_eq(item_string(&item, STR("Type")), STR("Comment")) ||
		    !str_eq(item_string(&item, STR("Post")), STR("bread-for-a-wet-week")))
			continue;
		item_set(s->arena, &item, STR("SK"), value_string(STR("COMMENT#zzzzzzzzzzzzzz")));
		item_set(s->arena, &item, STR("Id"), value_string(STR("zzzzzzzzzzzzzz")));
		item_set(
		    s->arena, &item, STR("GSI2PK"), value_string(STR("COMMENT#zzzzzzzzzzzzzz")));
		item_set(s->arena, &item, STR("GSI1SK"),
		    value_string(STR("COMMENT#2026-11-18T09:29:00.000Z#zzzzzzzzzzzzzz")));
		item_set(s->arena, &item, STR("GSI3SK"),
		    value_string(STR("2026-11-18T09:29:00.000Z#zzzzzzzzzzzzzz")));
		item_set(
		    s->arena, &item, STR("HTML"), value_string(STR("<p>Mine rose twice.</p>")));
		seeded_put(s, &item, 1);
		return;
	}
	bail_out("no comment in the seed");
}

static void
rename_category(struct seeded *s)
{
	put_with(s, "CATEGORY#kitchen", "METADATA", "Name", "The Larder");
}

static void
rename_site(struct seeded *s)
{
	put_with(s, "SITE", "SETTINGS", "Name", "High Water");
}

static void
rename_author(struct seeded *s)
{
	put_with(s, "USER#noor", "METADATA", "DisplayName", "Noor of the Mill");
}

static void
picture(struct seeded *s)
{
	struct item head = seeded_item(s, "POST#bread-for-a-wet-week", "METADATA"),
		    map = {.count = 0};

	item_set(s->arena, &map, STR("URL"), value_string(STR("https://slack.example/crust.jpg")));
	item_set(s->arena, &map, STR("Alt"), value_string(STR("A crust")));
	item_set(s->arena, &head, STR("Thumbnail"), (struct value){.kind = VALUE_MAP, .map = map});
	seeded_put(s, &head, 1);
}

static void
rename_collection(struct seeded *s)
{
	struct str id = str_sub(address_of(s, "COLLECTION"), strlen("/collection/"), 100);

	put_with(s, str_cstring(s->arena, STR_CONCAT(s->arena, STR("COLLECTION#"), id)), "METADATA",
	    "Name", "Begin anywhere");
}

static void
rename_page(struct seeded *s)
{
	put_with(s, "POST#colophon", "METADATA", "Title", "Of ink and paper");
}

/* What readers do that no stranger's page shows. */
static void
react(struct seeded *s)
{
	static const struct str types[] = {
	    STR_INIT("Like"), STR_INIT("Vote"), STR_INIT("Bookmark"), STR_INIT("Follow")};

	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		for (size_t i = 0; i < s->seed.count; i++) {
			struct item item = item_shallow(s->arena, &s->seed.items[i]);

			if (!str_eq(item_string(&item, STR("Type")), types[t]))
				continue;
			item_set(s->arena, &item, STR("CreatedAt"),
			    value_string(STR("2026-11-18T09:00:00.000Z")));
			seeded_put(s, &item, 1);
			break;
		}
	}
}

static const struct occasion {
	void (*make)(struct seeded *s);
	const char *text;     /* what pages then contain */
	const char *shows[9]; /* which of them, among others */
	const char *kept[9];  /* which are from the cache */
	const char *what;
} changes[] = {
    {edit, "Loaves anew",
	{"/", POST, "/author/noor", "/author/noor/feed.atom", "/category/kitchen",
	    "/category/kitchen/feed.atom", "/archive/2026/11", "/feed.atom"},
	{OTHER, "/post/green-flash", "/page/colophon", "/collections", "/robots.txt"},
	"a post that is edited"},
    {edit_text, "Another crumb.", {POST},
	{"/", OTHER, "/author/noor", "/tag/bread", "/archive", "COLLECTION", "/sitemap.xml"},
	"a text that is edited"},
    {publish, "A note in the evening", {"/author/tobias"}, {"/robots.txt"},
	"a note that is published"},
    {schedule, "soup", {NULL}, {OTHER, "/post/green-flash", "/page/colophon"},
	"a post that is to come later"},
    {comment, "Mine rose twice.", {"/", POST},
	{OTHER, "/author/noor", "/category/kitchen", "/tag/bread", "/archive", "/feed.atom",
	    "COLLECTION"},
	"a comment"},
    {rename_category, "The Larder", {"/", POST, OTHER, "/categories", "/category/kitchen"},
	{"/robots.txt"}, "a category that is renamed"},
    {rename_site, "High Water",
	{"/", POST, OTHER, "/categories", "/author/kofi", "/feed.atom", "/archive", "COLLECTION"},
	{NULL}, "the site's name"},
    {rename_author, "Noor of the Mill", {"/author/noor", "/authors"},
	{"/", OTHER, "/post/green-flash", "/author/kofi", "/category/tides", "/tag/bread",
	    "/feed.atom", "COLLECTION"},
	"an author's name"},
    {picture, "crust.jpg", {POST, "/category/kitchen"}, {OTHER, "/post/green-flash"}, "a picture"},
    {rename_collection, "Begin anywhere", {"/collections", "COLLECTION", POST},
	{OTHER, "/author/kofi", "/feed.atom", "/archive"}, "a collection's name"},
    {rename_page, "Of ink and paper", {"/", POST, OTHER, "/page/colophon"}, {NULL},
	"the title of a page that all link to"},
    {react, "", {NULL},
	{"/", POST, OTHER, "/author/noor", "/author/kofi", "/tag/bread", "/archive", "COLLECTION"},
	"likes, votes, bookmarks and follows"},
};

static bool
among(const char *const *list, const char *page)
{
	for (size_t i = 0; i < 9 && list[i] != NULL; i++)
		if (strcmp(list[i], page) == 0)
			return true;
	return false;
}

static void
after(struct seeded *s, const struct occasion *change)
{
	size_t wrong = 0, kept = 0;

	/* So that a write of before, with the whole table as it may be, is over. */
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < PAGES; i++)
			visit(s, address_of(s, pages[i]));
	change->make(s);
	for (size_t i = 0; i < PAGES; i++) {
		struct answer answer = visit(s, address_of(s, pages[i]));

		kept += answer.cached;
		if (!str_eq(answer.body, anew(s, address_of(s, pages[i])))) {
			fprintf(stderr, "# %s is not what it would be anew\n", pages[i]);
			wrong++;
		}
		if (among(change->shows, pages[i]))
			ok(!answer.cached && holds(answer.body, str_of(change->text)),
			    "%s: %s shows it", change->what, pages[i]);
		/* On DynamoDB it is not known what these replace, so every page is made anew. */
		if (among(change->kept, pages[i]) && s->store.name[0] == '\0')
			ok(answer.cached, "%s: %s is from the cache", change->what, pages[i]);
	}
	is_int((int64_t)wrong, 0, "%s: all pages are as if made anew, %zu of %d from the cache",
	    change->what, kept, PAGES);
}

/* --- Many at once ---------------------------------------------------------------------------------------- */

/*
 * Each writer numbers the title of a post of its own and publishes which number has been
 * acknowledged; each reader has pages of its own, so that nobody gets a page of a moment ago while
 * somebody else makes it.
 */
enum { STORMERS = 3, WRITES = 60 };

static const char *const storm_posts[STORMERS] = {
    "bread-for-a-wet-week", "green-flash", "whip-a-ropes-end"};
static const char *const storm_lists[STORMERS] = {"/feed.atom", "/archive/2026", "/sitemap.xml"};

struct storm {
	struct seeded *s;
	atomic_int acknowledged[STORMERS];
	atomic_uint rounds[STORMERS]; /* of each reader */
	atomic_uint writing, old, views, cached;
};

struct stormer {
	struct storm *storm;
	unsigned number;
};

static void *
storm_writer(void *arg)
{
	struct stormer *self = arg;
	struct storm *storm = self->storm;
	struct arena *arena = arena_new();
	struct key key = {str_fmt(arena, "POST#%s", storm_posts[self->number]), STR("METADATA")};

	for (int n = 1; n <= WRITES; n++) {
		unsigned rounds = storm->rounds[self->number];
		struct table_call call = {.arena = arena};
		struct change change = {
		    .name = STR("Title"), .value = value_string(str_fmt(arena, "Number %d.", n))};
		struct write write = {
		    .kind = WRITE_UPDATE, .key = key, .changes = &change, .change_count = 1};

		if (table_write(storm->s->table, &call, &write) != TABLE_OK)
			bail_out("a write failed");
		storm->acknowledged[self->number] = n;
		/* Some of its views come between two writes, others beneath those of the others. */
		while (storm->rounds[self->number] == rounds)
			sched_yield();
	}
	storm->writing--;
	arena_free(arena);
	return NULL;
}

/* The number that the page says, or -1. */
static int
number_in(struct str body)
{
	struct str number = part(body, "Number ", ".");
	int64_t n;

	return str_int(number, &n) ? (int)n : -1;
}

static void
storm_view(struct stormer *self, struct arena *arena, struct str address, int least)
{
	struct storm *storm = self->storm;
	struct request_input in = {.method = STR("GET"),
	    .uri = address,
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .content_length = -1};
	struct response rs;

	site_respond(&storm->s->site, &in, arena, &rs);
	storm->views++;
	storm->cached += rs.cached;
	if (rs.status != HTTP_OK)
		bail_out("%.*s: status %d", STR_ARGS(address), rs.status);
	if (least > 0 && number_in(str_sub(rs.bytes, rs.head_len, rs.bytes.len)) < least)
		storm->old++;
	response_release(&rs);
}

static void *
storm_reader(void *arg)
{
	struct stormer *self = arg;
	struct arena *arena = arena_new();
	struct str post = str_fmt(self->storm->s->arena, "/post/%s", storm_posts[self->number]);

	while (self->storm->writing != 0) {
		storm_view(self, arena, post, self->storm->acknowledged[self->number]);
		storm_view(self, arena, str_of(storm_lists[self->number]), 0);
		self->storm->rounds[self->number]++;
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
storm(struct seeded *s)
{
	struct storm storm = {.s = s, .writing = STORMERS};
	struct stormer stormers[STORMERS];
	pthread_t ids[2 * STORMERS];
	size_t wrong = 0;

	for (unsigned i = 0; i < 2 * STORMERS; i++) {
		stormers[i % STORMERS] = (struct stormer){&storm, i % STORMERS};
		if (pthread_create(&ids[i], NULL, i < STORMERS ? storm_reader : storm_writer,
			&stormers[i % STORMERS]) != 0)
			bail_out("no thread");
	}
	for (unsigned i = 0; i < 2 * STORMERS; i++)
		pthread_join(ids[i], NULL);
	is_int((int64_t)cache_figures(s->site.cache).stale, 0,
	    "nobody was given what was good a moment ago");
	is_int(storm.old, 0, "no page was older than a write acknowledged before it was asked for");
	ok(storm.cached > 0 && storm.views - storm.cached > WRITES,
	    "of %u views, %u were from the cache", storm.views, storm.cached);
	for (unsigned i = 0; i < STORMERS; i++) {
		struct str post = str_fmt(s->arena, "/post/%s", storm_posts[i]);
		struct str list = str_of(storm_lists[i]);

		wrong += !str_eq(visit(s, post).body, anew(s, post));
		wrong += !str_eq(visit(s, list).body, anew(s, list));
	}
	is_int((int64_t)wrong, 0, "after it, all pages are as if made anew");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	seeded_restart(&s, 1 << 23);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		after(&s, &changes[i]);
	seeded_restart(&s, 1 << 23);
	storm(&s);
	browsers_close(&s);
	return tap_done();
}
