/* Posts: who may see one, and lists of them, walked both ways. */
#include "model/post/posts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "lib/store.h"
#include "lib/tap.h"
#include "model/permission.h"

static const int64_t NOW = 1795000000000;
enum { HOUR = 3600000, POSTS = 23, SCHEDULED = 3 };

/* --- One post --- */

static void
test_visible(void)
{
	static const struct viewer ann = {.user = {.username = STR_INIT("ann"),
					      .role = ROLE_AUTHOR,
					      .status = USER_ACTIVE}},
				   bob = {.user = {.username = STR_INIT("bob"),
					      .role = ROLE_AUTHOR,
					      .status = USER_ACTIVE}},
				   eve = {.user = {.username = STR_INIT("eve"),
					      .role = ROLE_EDITOR,
					      .status = USER_ACTIVE},
				       .permissions = PERMISSIONS_ALL};
	/* Who sees it: a stranger, its author, another author, an editor. */
	static const struct {
		const char *says;
		enum post_status status;
		enum visibility visibility;
		int64_t published;
		const char *seen;
		bool gone;
	} cases[] = {
	    {"published", STATUS_PUBLISHED, VISIBILITY_PUBLIC, -HOUR, "yyyy"},
	    {"published this moment", STATUS_PUBLISHED, VISIBILITY_PUBLIC, 0, "yyyy"},
	    {"scheduled", STATUS_PUBLISHED, VISIBILITY_PUBLIC, 1, "nyny"},
	    {"for followers", STATUS_PUBLISHED, VISIBILITY_FOLLOWERS, -HOUR, "nyny"},
	    {"for a group", STATUS_PUBLISHED, VISIBILITY_GROUP, -HOUR, "nyny"},
	    {"private", STATUS_PUBLISHED, VISIBILITY_PRIVATE, -HOUR, "nynn"},
	    {"a draft", STATUS_DRAFT, VISIBILITY_PUBLIC, -HOUR, "nyny"},
	    {"unpublished", STATUS_UNPUBLISHED, VISIBILITY_PUBLIC, -HOUR, "nyny"},
	    {"deleted", STATUS_DELETED, VISIBILITY_PUBLIC, -HOUR, "nnnn", true},
	    {"deleted before its time", STATUS_DELETED, VISIBILITY_PUBLIC, HOUR, "nnnn"},
	    {"deleted, and never for all", STATUS_DELETED, VISIBILITY_FOLLOWERS, -HOUR, "nnnn"},
	    {"published, without a time", STATUS_PUBLISHED, VISIBILITY_PUBLIC, -1795000000000,
		"nyny"},
	};
	const struct viewer *viewers[] = {NULL, &ann, &bob, &eve};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct post post = {.author = STR("ann"),
		    .status = cases[i].status,
		    .visibility = cases[i].visibility,
		    .published = NOW + cases[i].published};
		char seen[5] = {0};

		for (size_t k = 0; k < 4; k++)
			seen[k] = post_visible_to(&post, viewers[k], NOW) ? 'y' : 'n';
		is_str(str_of(seen), str_of(cases[i].seen), "%s: who sees it", cases[i].says);
		ok(post_gone(&post, NOW) == cases[i].gone, "... %s",
		    cases[i].gone ? "it is gone, and said to be" : "it is not said to be gone");
	}
}

/* --- Lists --- */

/* Post i, an hour older than post i + 1; the last ones are yet to come. On two shelves in turn. */
static struct item
post_item(struct arena *arena, int i)
{
	struct str id = str_fmt(arena, "p%02d", i), shelf = i % 3 == 0 ? STR("one") : STR("two");
	int64_t at = NOW + (int64_t)(i - (POSTS - SCHEDULED - 1)) * HOUR;
	struct str time = time_format(arena, at);
	struct str sort = STR_CONCAT(arena, time, STR("#"), id);
	const struct str pairs[][2] = {
	    {STR("PK"), STR_CONCAT(arena, STR("POST#"), id)},
	    {STR("SK"), STR("METADATA")},
	    {STR("GSI1PK"), STR("USER#ann")},
	    {STR("GSI1SK"), STR_CONCAT(arena, STR("POST#"), sort)},
	    {STR("GSI2PK"), STR_CONCAT(arena, STR("CATEGORY#"), shelf)},
	    {STR("GSI2SK"), sort},
	    {STR("GSI3PK"), STR("POST")},
	    {STR("GSI3SK"), sort},
	    {STR("GSI4PK"), STR("HOT")},
	    {STR("GSI4SK"), STR_CONCAT(arena, str_fmt(arena, "%012d#", i), sort)},
	    {STR("Id"), id},
	    {STR("Status"), STR("published")},
	    /* One has public keys that it should not have. */
	    {STR("Visibility"), i == 7 ? STR("followers") : STR("public")},
	    {STR("PublishedAt"), time},
	};
	struct item item = {0};

	for (size_t k = 0; k < sizeof(pairs) / sizeof(pairs[0]); k++)
		item_set(arena, &item, pairs[k][0], value_string(pairs[k][1]));
	return item;
}

static void
fill(struct arena *arena, struct table *table)
{
	struct table_call call = {.arena = arena};

	for (int i = 0; i < POSTS; i++)
		if (table_put(table, &call, post_item(arena, i)) != TABLE_OK)
			bail_out("a post could not be put");
}

/* One page of a list, from one shelf or from several. */
static void
read_page(struct arena *arena, struct table *table, struct posts_query query,
    const struct str *shelves, size_t count, struct posts *out)
{
	struct table_call call = {.arena = arena};
	struct read reads[2];

	if (count != 0)
		query.name = shelves[0];
	if (!(count != 0 ? posts_prepare_partitions(arena, &query, shelves, count, NOW, reads)
			 : posts_prepare(arena, &query, NOW, reads)))
		bail_out("a list could not be prepared");
	if (table_read(table, &call, reads, count != 0 ? count : 1) != TABLE_OK)
		bail_out("a list could not be read: %s", call.why != NULL ? call.why : "");
	if (count != 0)
		posts_take_partitions(arena, &query, reads, count, NOW, out);
	else
		posts_take(arena, &query, &reads[0], NULL, NOW, out);
}

static void
name_posts(struct buf *out, const struct posts *posts)
{
	for (size_t i = 0; i < posts->count; i++)
		buf_fmt(out, "%s%.*s", out->len != 0 ? " " : "", STR_ARGS(posts->posts[i].id));
}

/* Every page to the oldest, and back: the same pages, in the same order. */
static void
test_walk(struct arena *arena, struct table *table, const char *says, struct posts_query query,
    const struct str *shelves, size_t count, const char *wanted)
{
	struct str pages[POSTS + 1];
	struct buf all = {.arena = arena};
	size_t reached = 0, back = 0;
	struct posts page;
	bool same = true;

	for (;;) {
		struct buf names = {.arena = arena};

		read_page(arena, table, query, shelves, count, &page);
		name_posts(&all, &page);
		name_posts(&names, &page);
		ok((query.cursor.len == 0) == (page.newer.len == 0), "%s, page %zu: %s newer one",
		    says, reached + 1, query.cursor.len == 0 ? "there is no" : "there is a");
		pages[reached++] = buf_str(&names);
		if (page.older.len == 0 || reached > POSTS)
			break;
		query.cursor = page.older;
	}
	is_str(buf_str(&all), str_of(wanted), "%s: all of them, newest first", says);
	query.newer = true;
	for (back = reached; page.newer.len != 0 && back > 0;) {
		struct buf names = {.arena = arena};

		query.cursor = page.newer;
		read_page(arena, table, query, shelves, count, &page);
		if (page.count == 0)
			break;
		name_posts(&names, &page);
		same = same && --back > 0 && str_eq(buf_str(&names), pages[back - 1]);
	}
	ok(same && back == 1, "%s: back again, page by page", says);
}

#define ALL_POSTS "p19 p18 p17 p16 p15 p14 p13 p12 p11 p10 p09 p08 p06 p05 p04 p03 p02 p01 p00"

static void
test_lists(struct arena *arena, struct table *table)
{
	static const struct str both[] = {STR_INIT("one"), STR_INIT("two")};

	test_walk(arena, table, "all posts, by four",
	    (struct posts_query){.of = POSTS_ALL, .limit = 4}, NULL, 0, ALL_POSTS);
	test_walk(arena, table, "all posts, by five",
	    (struct posts_query){.of = POSTS_ALL, .limit = 5}, NULL, 0, ALL_POSTS);
	test_walk(arena, table, "all posts at once",
	    (struct posts_query){.of = POSTS_ALL, .limit = 50}, NULL, 0, ALL_POSTS);
	test_walk(arena, table, "an author's",
	    (struct posts_query){.of = POSTS_OF_AUTHOR, .name = STR("ann"), .limit = 6}, NULL, 0,
	    ALL_POSTS);
	test_walk(arena, table, "a category's",
	    (struct posts_query){.of = POSTS_OF_CATEGORY, .name = STR("one"), .limit = 3}, NULL, 0,
	    "p18 p15 p12 p09 p06 p03 p00");
	test_walk(arena, table, "two categories' as one",
	    (struct posts_query){.of = POSTS_OF_CATEGORY, .limit = 4}, both, 2, ALL_POSTS);
}

static void
test_bounds(struct arena *arena, struct table *table)
{
	static const struct ranking_query hot = {.ranking = RANKING_HOT, .limit = 5};
	struct posts_query query = {.of = POSTS_ALL, .limit = 50};
	struct str hour = str_sub(time_format(arena, NOW - 2 * HOUR), 0, 13);
	struct table_call call = {.arena = arena};
	struct buf names = {.arena = arena};
	struct posts page;
	struct read read;

	query.from = query.to = hour;
	read_page(arena, table, query, NULL, 0, &page);
	name_posts(&names, &page);
	is_str(buf_str(&names), STR("p17"), "an hour's posts");
	query.from = query.to = STR("2999");
	ok(!posts_prepare(arena, &query, NOW, &read), "what is yet to come is not even asked for");
	query.from = STR("");
	read_page(arena, table, query, NULL, 0, &page);
	is_int((int64_t)page.count, POSTS - SCHEDULED - 1, "an end beyond now is now");

	if (!posts_prepare_ranking(arena, &hot, &read) ||
	    table_read(table, &call, &read, 1) != TABLE_OK)
		bail_out("a ranking could not be read");
	posts_ranked(arena, &hot, &read, NULL, NOW, &page);
	names = (struct buf){.arena = arena};
	name_posts(&names, &page);
	is_str(buf_str(&names), STR("p19 p18 p17 p16 p15"), "the best, without those to come");
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct clock clock = clock_fixed(NOW, 1);
	struct test_store store;
	struct table *table;

	test_visible();
	table = test_store_open(&store, &clock);
	fill(arena, table);
	test_lists(arena, table);
	test_bounds(arena, table);
	test_store_close(&store);
	arena_free(arena);
	return tap_done();
}
