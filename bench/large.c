/*
 * bench/large [POSTS]: what a page costs in a large table, beside a small one.
 *
 * Both hold the seed and posts that are ten minutes apart, a comment under each, and a person for every ten: 10,000 posts and
 * POSTS (100,000, which are 2.4 GB; 1,000,000 take more than 24 GB and an hour). They are in memory, as the tables of tests
 * are, or below TMPDIR; it does not begin where they would take more than half of what is free. The rankings, which
 * are what these pages show of what is derived, are made by a rebuild, as in an upgrade, of which the time is shown. Then each page is made without the page cache, by the two tables in turns, and the CPU time
 * of the thread is compared; shown are the medians of the rounds. Wanted: at most 1.3 times. On SQLite, in a build without
 * sanitizers:
 *
 *	script/build opt bench/large && build/opt/bench/large
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "base/log.h"
#include "derive/rebuild.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/post/tag.h"
#include "model/site/load.h"
#include "text/markdown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <time.h>

enum {
	SMALL = 10000,
	LARGE = 100000,
	APART_MS = 10 * 60 * 1000,
	AUTHORS = 50, /* as many in both: the people are its readers */
	TAGS = 40,
	A_PERSON = 10, /* for so many posts */
	ROUNDS = 15,
	VIEWS = 20,
	POST_BYTES = 25000, /* of the file, with all that is derived */
	AT_ONCE = 500,      /* posts between two times that memory is freed */
};

static const char *const categories[] = {"tides", "kitchen", "workshop", "town"};
static const char *const pages[] = {"/", "/hot", "/top/week", "/top/month", "/top/year", "/top/all",
    "/discussed/week", "/discussed/all", "/rated", "/archive/2026/11", "/category/kitchen",
    "/tag/common-3", "/post/made-100", "/author/writer7", "/author/writer7/comments", "/authors",
    "/comments", "/comments/best", "/feed.atom", "/author/writer7/feed.atom"};
enum { TABLES = 2, PAGES = sizeof(pages) / sizeof(pages[0]) };

#define TEXT "The tide turns when it turns, and not when the table says so. "
#define LONG TEXT TEXT TEXT TEXT TEXT TEXT TEXT TEXT

/* --- A table ------------------------------------------------------------------------------------------ */

struct making {
	struct seeded *s;
	struct arena *arena; /* of some posts */
	struct loader loader;
};

static void
put(struct making *m, const struct item *item)
{
	if (loader_put(&m->loader, item) != TABLE_OK)
		bail_out("an item is not written: %s", m->loader.why);
}

static struct item
new_item(struct making *m, struct key key, enum item_kind kind)
{
	struct item item = {0};

	key_set(m->arena, &item, key, kind);
	return item;
}

static void
set(struct making *m, struct item *item, const char *name, struct str value)
{
	item_set(m->arena, item, str_of(name), value_string(value));
}

/* Numbers that look random, and are the same in both tables. */
static int64_t
some(int number, int which, int64_t below)
{
	uint64_t x = ((uint64_t)number * 2654435761u + (uint64_t)which * 40503u) * 0x9e3779b97f4a7c15u;

	return (int64_t)((x >> 33) % (uint64_t)below);
}

/* Most posts are liked by few, and few by many. */
static struct post
make_post(struct making *m, int number)
{
	int64_t likes = some(number, 1, 12), now = m->s->clock.fixed_now;
	struct post post = {.id = str_fmt(m->arena, "made-%d", number),
	    .title = str_fmt(m->arena, "What the tide brought in on day %d", number),
	    .excerpt = STR(TEXT TEXT),
	    .author = str_fmt(m->arena, "writer%d", number % AUTHORS),
	    .category = str_of(categories[number % 4]),
	    .kind = number % 7 == 3 ? KIND_LINK : KIND_ARTICLE,
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .published = now - (int64_t)(number + 1) * APART_MS,
	    .words = 100,
	    .version = 1,
	    .revisions = 1,
	    .comments = 1,
	    .likes = likes == 0 ? some(number, 2, 400) : likes};

	post.slug = post.id;
	post.author_name = str_fmt(m->arena, "Writer %d", number % AUTHORS);
	post.created = post.updated = post.published;
	if (post.kind == KIND_LINK) {
		post.ratings = 3 + some(number, 3, 20);
		post.stars = post.ratings * 3 + some(number, 4, 2 * post.ratings);
		post.url = STR("https://tides.example/");
	}
	return post;
}

static void
put_post(struct making *m, const struct post *post, struct str tag)
{
	struct post_stats stats = {.likes = post->likes, .comments = 1};
	struct item head = new_item(m, key_post(m->arena, post->id), ITEM_POST);
	struct item body = new_item(m, key_post_body(m->arena, post->id), ITEM_BODY);
	struct item numbers = new_item(m, key_post_stats(m->arena, post->id), ITEM_STATS);
	struct item claim = new_item(m, key_slug(m->arena, post->slug), ITEM_SLUG_CLAIM);
	struct item tagged = new_item(m, key_post_tag(m->arena, post->id, tag), ITEM_POST_TAG);

	post_to_item(m->arena, post, &head);
	key_index_post(m->arena, &head, post);
	set(m, &body, "Markdown", STR(LONG));
	set(m, &body, "HTML", STR("<p>" LONG "</p>\n"));
	item_set(m->arena, &body, STR("Renderer"), value_number(MARKDOWN_RENDERER));
	item_set(m->arena, &body, STR("Revision"), value_number(1));
	post_stats_to_item(m->arena, &stats, &numbers);
	item_set(m->arena, &numbers, STR("Shards"), value_boolean(true));
	item_set(m->arena, &numbers, STR("Threads"), value_boolean(true));
	set(m, &numbers, "Post", post->id);
	key_index_stats(m->arena, &numbers, post, &stats);
	set(m, &claim, "Post", post->id);
	set(m, &tagged, "Tag", tag);
	set(m, &tagged, "Post", post->id);
	set(m, &tagged, "PublishedAt", time_format(m->arena, post->published));
	key_index_post_tag(m->arena, &tagged, post, tag);
	put(m, &head);
	put(m, &body);
	put(m, &numbers);
	put(m, &claim);
	put(m, &tagged);
}

/* By one of the writers, so that their lists are long. */
static void
put_comment(struct making *m, const struct post *post, int number)
{
	int64_t at = post->published + 60 * 1000;
	struct str id = id_make(m->arena, at, (uint32_t)number & 0x3fffff);
	struct str by = str_fmt(m->arena, "writer%d", (number + 1) % AUTHORS);
	struct item item = new_item(m, key_comment(m->arena, post->id, id), ITEM_COMMENT);
	struct item tally = new_item(m, key_tally(m->arena, post->id, id), ITEM_TALLY);
	struct tally_places places = key_tally_places(m->arena, post->id, id, 378447);

	set(m, &item, "Id", id);
	set(m, &item, "Post", post->id);
	set(m, &item, "PostTitle", post->title);
	set(m, &item, "Author", by);
	set(m, &item, "AuthorName", str_fmt(m->arena, "Writer %d", (number + 1) % AUTHORS));
	set(m, &item, "Markdown", STR(TEXT TEXT));
	set(m, &item, "HTML", STR("<p>" TEXT TEXT "</p>\n"));
	item_set(m->arena, &item, STR("Renderer"), value_number(MARKDOWN_RENDERER));
	set(m, &item, "Status", STR("visible"));
	set(m, &item, "CreatedAt", time_format(m->arena, at));
	key_index_comment(m->arena, &item, by, at, id, false);
	set(m, &tally, "Post", post->id);
	set(m, &tally, "LastAt", time_format(m->arena, at));
	item_set(m->arena, &tally, STR("Replies"), value_number(0));
	item_set(m->arena, &tally, table_pk_name(TABLE_GSI3), value_string(places.threads));
	item_set(m->arena, &tally, table_sk_name(TABLE_GSI3), value_string(places.place));
	item_set(m->arena, &tally, table_pk_name(TABLE_GSI4), value_string(places.best));
	item_set(m->arena, &tally, table_sk_name(TABLE_GSI4), value_string(places.best_place));
	put(m, &item);
	put(m, &tally);
}

static void
put_person(struct making *m, int number)
{
	bool writes = number < AUTHORS;
	struct str name = str_fmt(m->arena, writes ? "writer%d" : "reader%d", number);
	struct item item = new_item(m, key_user(m->arena, name), ITEM_USER);

	set(m, &item, "Username", name);
	set(m, &item, "DisplayName", str_fmt(m->arena, writes ? "Writer %d" : "Reader %d", number));
	set(m, &item, "Role", writes ? STR("author") : STR("reader"));
	set(m, &item, "Status", STR("active"));
	set(m, &item, "CreatedAt", time_format(m->arena, m->s->clock.fixed_now));
	item_set(m->arena, &item, STR("Era"), value_number(1));
	item_set(m->arena, &item, STR("Posts"), value_number(writes ? 100 : 0));
	key_index_user(m->arena, &item, name, writes ? STR("author") : STR("reader"));
	if (writes)
		key_index_author(m->arena, &item, name);
	put(m, &item);
}

/* A full disk, and more so full memory, is in the way of everybody else. */
static void
need_room(struct seeded *s, int posts)
{
	struct statvfs fs;

	if (statvfs(s->store.folder, &fs) == 0 &&
	    (uint64_t)posts * POST_BYTES < (uint64_t)fs.f_bavail * fs.f_frsize / 2)
		return;
	test_store_close(&s->store);
	bail_out("there is no room for %d posts; set TMPDIR to a folder that has some", posts);
}

static void
fill(struct seeded *s, int posts)
{
	struct making m = {.s = s, .arena = arena_new()};
	int64_t begun = clock_micros();

	loader_begin(&m.loader, s->table);
	for (int i = 0; i < TAGS; i++) {
		struct str tag = str_fmt(m.arena, "common-%d", i);
		struct item item = new_item(&m, key_tag(tag), ITEM_TAG);

		set(&m, &item, "Tag", tag);
		item_set(m.arena, &item, STR("Posts"), value_number(100));
		put(&m, &item);
	}
	for (int i = 0; i < posts; i++) {
		struct post post = make_post(&m, i);

		put_post(&m, &post, str_fmt(m.arena, "common-%d", i % TAGS));
		put_comment(&m, &post, i);
		if (i < AUTHORS || i % A_PERSON == 0)
			put_person(&m, i < AUTHORS ? i : AUTHORS + i);
		if ((i + 1) % AT_ONCE != 0 && i + 1 != posts)
			continue;
		if (loader_flush(&m.loader) != TABLE_OK)
			bail_out("items are not written: %s", m.loader.why);
		arena_reset(m.arena);
	}
	loader_end(&m.loader);
	arena_free(m.arena);
	printf("%d posts: put in %.0f s\n", posts, (double)(clock_micros() - begun) / 1e6);
}

static void
derive(struct seeded *s)
{
	struct arena *arena = arena_new(), *page = arena_new();
	struct table_call call = {.arena = arena};
	struct derive derive = {
	    .table = s->table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};
	struct rebuild *r = arena_alloc(s->arena, sizeof(*r));
	static const struct str names[] = {STR_INIT("rankings")};
	int64_t begun = clock_micros();
	bool done = false;

	*r = (struct rebuild){
	    .derive = &derive, .arena = page, .state = {.names = {names, 1}, .begun = 1}};
	while (!done)
		if (rebuild_step(r, &done) != TABLE_OK)
			bail_out("a rebuild fails: %s", call.why != NULL ? call.why : "");
	printf("... %" PRId64 " items gone through, %" PRId64 " derived in %.0f s\n", r->state.items,
	    r->state.differences, (double)(clock_micros() - begun) / 1e6);
	arena_free(page);
	arena_free(arena);
}

/* --- Pages -------------------------------------------------------------------------------------------- */

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Microseconds for one page. */
static double
measure(struct seeded *s, const char *address, int views)
{
	struct request_input in = {.method = STR("GET"),
	    .uri = str_of(address),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .content_length = -1};
	struct arena *arena = arena_new();
	double begin = cpu(), took;

	for (int i = 0; i < views; i++) {
		struct response rs;

		arena_reset(arena);
		site_respond(&s->site, &in, arena, &rs);
		if (rs.status != HTTP_OK)
			bail_out("%s is %d", address, (int)rs.status);
		response_release(&rs);
	}
	took = cpu() - begin;
	arena_free(arena);
	return took / views;
}

static int
compare(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void
compare_pages(struct seeded tables[TABLES])
{
	double took[TABLES][ROUNDS], worst = 0;

	printf("%-28s %8s %8s\n", "page", "small", "large");
	for (size_t p = 0; p < PAGES; p++) {
		double ratio;

		for (int r = -1; r < ROUNDS; r++)
			for (int t = 0; t < TABLES; t++)
				took[t][r < 0 ? 0 : r] = measure(&tables[t], pages[p], VIEWS);
		for (int t = 0; t < TABLES; t++)
			qsort(took[t], ROUNDS, sizeof(double), compare);
		ratio = took[1][ROUNDS / 2] / took[0][ROUNDS / 2];
		worst = ratio > worst ? ratio : worst;
		printf("%-28s %5.0f µs %5.0f µs  %.2f times\n", pages[p], took[0][ROUNDS / 2],
		    took[1][ROUNDS / 2], ratio);
	}
	printf("the worst: %.2f times\n", worst);
}

int
main(int argc, char **argv)
{
	static struct seeded tables[TABLES];
	const int posts[TABLES] = {SMALL, argc > 1 ? atoi(argv[1]) : LARGE};

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int t = 0; t < TABLES; t++) {
		seeded_open(&tables[t]);
		if (t == 0)
			need_room(&tables[0], posts[0] + posts[1]);
		fill(&tables[t], posts[t]);
		derive(&tables[t]);
		seeded_restart(&tables[t], 0);
	}
	compare_pages(tables);
	for (int t = 0; t < TABLES; t++)
		test_store_close(&tables[t].store);
	return 0;
}
