/*
 * The sitemap: every public address once, however many there are: posts, posts of one day, tags,
 * authors, static pages. And nothing that is not public, or empty.
 */
#include "seeded.h"
#include "xml.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/key_post.h"
#include "model/key_ranking.h"
#include "model/people/user.h"

enum {
	DAY_MS = 86400000,
	MANY = 1100,
	MANY_DAYS = 400,
	OF_A_DAY = 1500,
	NAMES = 1300,
	STATIC = 25
};

/* The addresses of a sitemap, from their path on. */
static struct list
locations(struct seeded *s, struct str xml)
{
	struct list list = {.count = 0};
	struct str url;

	while (between(&xml, STR("<loc>"), STR("</loc>"), &url))
		list_add(
		    s->arena, &list, str_sub(unescaped(s->arena, url), SEEDED_ORIGIN.len, url.len));
	return list;
}

/* Of a list, what begins like a post. */
static struct list
posts_in(struct seeded *s, const struct list *all)
{
	struct list list = {.count = 0};

	for (size_t i = 0; i < all->count; i++)
		if (str_starts(all->strings[i], STR("/post/")))
			list_add(s->arena, &list, all->strings[i]);
	return list;
}

/* Nothing is in it twice. */
static unsigned
twice(const struct list *all)
{
	struct list sorted = *all;
	unsigned found = 0;

	list_sort(&sorted);
	for (size_t i = 1; i < sorted.count; i++)
		found += str_eq(sorted.strings[i], sorted.strings[i - 1]);
	return found;
}

/* Does it have all of these, and none of those? Both end with NULL. */
static void
has(const struct list *all, const char *const *wanted, const char *const *unwanted)
{
	for (; *wanted != NULL; wanted++)
		ok(list_has(all, str_of(*wanted)), "... has %s", *wanted);
	for (; *unwanted != NULL; unwanted++)
		ok(!list_has(all, str_of(*unwanted)), "... not %s", *unwanted);
}

static struct str
public_collection(struct seeded *s)
{
	return STR_CONCAT(s->arena, STR("/collection/"),
	    id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)DAY_MS, 111));
}

static const char *const fixed[] = {"/", "/archive", "/categories", "/tags", "/authors",
    "/collections", "/page/about", "/category/instruments", "/tag/tides", "/author/kofi",
    "/archive/2026/11", "/edition/2026-w47", NULL};
static const char *const nowhere[] = {
    "/author/pascal", "/post/appeared-elsewhere", "/archive/2027/01", "/edition/2027-w01", NULL};

/* A post that appeared elsewhere first. */
static void
put_elsewhere(struct seeded *s)
{
	struct item post = seeded_item(s, "POST#first-brent-geese", "METADATA");

	item_set(s->arena, &post, STR("PK"), value_string(STR("POST#appeared-elsewhere")));
	item_set(s->arena, &post, STR("Id"), value_string(STR("appeared-elsewhere")));
	item_set(s->arena, &post, STR("Slug"), value_string(STR("appeared-elsewhere")));
	item_set(s->arena, &post, STR("GSI3SK"),
	    value_string(STR("2026-11-18T08:00:00.000Z#appeared-elsewhere")));
	item_set(s->arena, &post, STR("Canonical"),
	    value_string(STR("https://elsewhere.example/first")));
	item_remove(&post, STR("GSI1PK"));
	item_remove(&post, STR("GSI2PK"));
	item_remove(&post, STR("GSI4PK"));
	seeded_put(s, &post, 1);
}

static void
small_sitemap(struct seeded *s)
{
	struct list all, posts, wanted = wanted_posts(s, every_post, NULL);
	struct str xml;

	put_elsewhere(s);
	xml = visit(s, STR("/sitemap.xml")).body;
	all = locations(s, xml);
	posts = posts_in(s, &all);
	ok(xml_error(xml, &(size_t){0}) == NULL, "the sitemap is well-formed");
	ok(holds(xml, STR("<urlset ")), "few posts are in one file");
	is_str(list_text(s->arena, &posts), list_text(s->arena, &wanted), "... each of them once");
	has(&all, fixed, nowhere);
	ok(list_has(&all, public_collection(s)), "... has a public collection");
	is_int(
	    (int64_t)count_of(xml, STR("/collection/")), 3, "... and of the others no private one");
	is_int(twice(&all), 0, "... nothing twice");
	is_int(visit(s, STR("/sitemap/2026-10.xml")).status, HTTP_OK, "a month is a file");
	is_int(visit(s, STR("/sitemap/2019-02.xml")).status, HTTP_NOT_FOUND,
	    "one without posts is none");
	is_int(visit(s, STR("/sitemap/2019.xml")).status, HTTP_NOT_FOUND, "... nor is such a year");
	is_int(visit(s, STR("/sitemap/2026.xml")).status, HTTP_OK, "... but one with posts");
}

/* A post of the seed under another id and time, in the timeline alone. */
static struct item
copy_of(struct seeded *s, const struct item *head, struct str id, int64_t published)
{
	struct item post = item_shallow(s->arena, head);
	struct str time = time_format(s->arena, published);

	for (enum table_index i = TABLE_GSI1; i <= TABLE_GSI4; i++)
		if (i != TABLE_GSI3)
			item_remove(&post, table_pk_name(i));
	item_set(s->arena, &post, STR("PK"), value_string(STR_CONCAT(s->arena, STR("POST#"), id)));
	item_set(
	    s->arena, &post, STR("GSI3SK"), value_string(STR_CONCAT(s->arena, time, STR("#"), id)));
	item_set(s->arena, &post, STR("Id"), value_string(id));
	item_set(s->arena, &post, STR("Slug"), value_string(id));
	item_set(s->arena, &post, STR("PublishedAt"), value_string(time));
	return post;
}

/*
 * More posts than a query gives: over more than a year, of which every eleventh is yet to come; at one moment of one
 * day long before; and one of 1850.
 */
static void
put_many(struct seeded *s, struct list *wanted)
{
	struct item head = seeded_item(s, "POST#first-brent-geese", "METADATA");
	struct item *items = ARENA_ARRAY(s->arena, MANY + OF_A_DAY + 1, struct item);
	size_t count = 0;

	for (int i = 0; i < MANY; i++) {
		int64_t days = i % 11 == 0 ? -1 - i % 60 : i * MANY_DAYS / MANY;
		struct str id = str_fmt(s->arena, "many-%04d", i);

		items[count++] =
		    copy_of(s, &head, id, s->clock.fixed_now - days * DAY_MS - i * (int64_t)1000);
		if (i % 11 != 0)
			list_add(s->arena, wanted, STR_CONCAT(s->arena, STR("/post/"), id));
	}
	for (int i = 0; i < OF_A_DAY; i++) {
		struct str id = str_fmt(s->arena, "imported-%04d", i);

		items[count++] = copy_of(s, &head, id, time_of_day(2024, 3, 4) + DAY_MS / 2);
		list_add(s->arena, wanted, STR_CONCAT(s->arena, STR("/post/"), id));
	}
	items[count++] =
	    copy_of(s, &head, STR("the-first-ferry"), time_of_day(1850, 5, 6) + DAY_MS / 2);
	list_add(s->arena, wanted, STR("/post/the-first-ferry"));
	seeded_put(s, items, count);
}

/* More names than a query gives, and of each kind one that no post is under any more. */
static void
put_names(struct seeded *s)
{
	struct item tag = seeded_item(s, "TAGS", "tides");
	struct item kofi = seeded_item(s, "USER#kofi", "METADATA");
	struct item page = seeded_item(s, "POST#about", "METADATA");
	struct item *items = ARENA_ARRAY(s->arena, 2 * NAMES + STATIC, struct item);
	size_t count = 0;

	for (int i = 0; i < NAMES; i++) {
		struct str name = str_fmt(s->arena, "z%d", 1000 + i);
		struct item *item = &items[count++];

		*item = item_shallow(s->arena, &tag);
		item_set(s->arena, item, STR("SK"), value_string(name));
		item_set(s->arena, item, STR("Tag"), value_string(name));
		item_set(s->arena, item, STR("Posts"), value_number(i != 7));
		item = &items[count++];
		*item = item_shallow(s->arena, &kofi);
		item_set(s->arena, item, STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("USER#"), name)));
		item_set(s->arena, item, STR("Username"), value_string(name));
		item_set(s->arena, item, STR("Posts"), value_number(i != 7));
		key_index_user(s->arena, item, name, STR("author"));
		key_index_author(s->arena, item, name);
	}
	for (int i = 0; i < STATIC; i++) {
		struct str name = str_fmt(s->arena, "static-%d", i);

		items[count] = item_shallow(s->arena, &page);
		item_set(s->arena, &items[count], STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("POST#"), name)));
		item_set(s->arena, &items[count], STR("Id"), value_string(name));
		item_set(s->arena, &items[count], STR("Slug"), value_string(name));
		item_remove(&items[count], STR("GSI1PK"));
		item_set(s->arena, &items[count++], STR("GSI3SK"), value_string(name));
	}
	seeded_put(s, items, count);
}

/* Every file of the index, into one list. */
static void
read_files(struct seeded *s, const struct list *files, struct list *all)
{
	unsigned wrong = 0, slow = 0;
	size_t at;

	for (size_t i = 0; i < files->count; i++) {
		struct answer file = visit(s, files->strings[i]);
		struct list found = locations(s, file.body);

		wrong +=
		    file.status != HTTP_OK || xml_error(file.body, &at) != NULL || found.count == 0;
		/* there are more authors with one letter than one query returns, and each has a number */
		slow += file.cost.round_trips >
			(str_ends(files->strings[i], STR("/authors.xml")) ? 3u : 2u);
		for (size_t j = 0; j < found.count; j++)
			list_add(s->arena, all, found.strings[j]);
	}
	is_int(wrong, 0, "every file of it is well-formed XML, and none is empty");
	is_int(slow, 0, "... and takes two trips at most");
}

/* Weeks as the worker counts them: one whose posts are all withdrawn, too. */
static void
put_weeks(struct seeded *s)
{
	static const struct {
		const char *week;
		int64_t posts;
	} weeks[] = {{"2026-w47", 900}, {"2024-w09", 1}, {"2026-w46", 0}};

	for (size_t i = 0; i < sizeof(weeks) / sizeof(weeks[0]); i++) {
		struct item item = {0};

		key_set(s->arena, &item, key_week(str_of(weeks[i].week)), ITEM_WEEK);
		item_set(s->arena, &item, STR("Posts"), value_number(weeks[i].posts));
		seeded_put(s, &item, 1);
	}
}

static void
large_sitemap(struct seeded *s)
{
	static const char *const more[] = {"/tag/z1000", "/tag/z2299", "/author/z1000",
	    "/author/z2299", "/page/static-0", "/page/static-24", "/archive/2024/03",
	    "/archive/1850", "/edition/2024-w09", NULL};
	static const char *const empty[] = {"/tag/z1007", "/author/z1007", "/archive/2024/04",
	    "/archive/1851", "/archive/1850/05", "/edition/2026-w46", NULL};
	struct list files, all = {.count = 0}, posts, wanted = wanted_posts(s, every_post, NULL);
	struct answer index;

	put_many(s, &wanted);
	put_names(s);
	put_weeks(s);
	visit(s, STR("/"));
	index = visit(s, STR("/sitemap.xml"));
	ok(xml_error(index.body, &(size_t){0}) == NULL, "the sitemap of many posts is well-formed");
	ok(holds(index.body, STR("<sitemapindex ")), "... is an index");
	is_int(index.cost.round_trips, 2, "... made in two trips");
	files = locations(s, index.body);
	has(&files,
	    (const char *const[]){"/sitemap/fixed.xml", "/sitemap/2026-11.xml",
		"/sitemap/2025-10.xml", "/sitemap/2024-03.xml", "/sitemap/1850.xml", NULL},
	    (const char *const[]){"/sitemap/2026-12.xml", "/sitemap/2024-04.xml",
		"/sitemap/2024-02.xml", "/sitemap/1851.xml", NULL});
	read_files(s, &files, &all);
	is_int(twice(&all), 0, "... no address is in two of them, or in one twice");
	posts = posts_in(s, &all);
	list_sort(&posts);
	list_sort(&wanted);
	is_str(list_text(s->arena, &posts), list_text(s->arena, &wanted),
	    "... and all of them together have every public post once, and none that is yet to "
	    "come");
	has(&all, fixed, nowhere);
	has(&all, more, empty);
	is_int(visit(s, STR("/sitemap/2024-04.xml")).status, HTTP_NOT_FOUND,
	    "a month without posts is no file");
}

/* The archive, with a post of 1850: each period leads to the next that has posts. */
static void
archive(struct seeded *s)
{
	struct str page;

	page = visit(s, STR("/archive/1850")).body;
	ok(holds(page, STR("/post/the-first-ferry")), "a year has its posts");
	is_str(part(page, "<a class=\"later\" href=\"", "\""), STR("/archive/2024"),
	    "... and leads to the next one that has any");
	is_str(part(page, "<a class=\"earlier\" href=\"", "\""), STR(""),
	    "... of which none is earlier");
	page = visit(s, STR("/archive/2024/03")).body;
	is_str(part(page, "<a class=\"earlier\" href=\"", "\""), STR("/archive/1850/05"),
	    "a month leads to the one before");
	ok(str_starts(part(page, "<a class=\"later\" href=\"", "\""), STR("/archive/2025/")),
	    "... and to the one behind");
	page = visit(s, STR("/archive/2024/03/04")).body;
	is_str(part(page, "<a class=\"earlier\" href=\"", "\""), STR("/archive/1850/05/06"),
	    "so does a day");
	page = visit(s, STR("/archive/2020/07")).body;
	is_str(part(page, "<a class=\"later\" href=\"", "\""), STR("/archive/2024/03"),
	    "... and what has none itself");
	ok(!holds(visit(s, STR("/archive/2026/11")).body, STR("class=\"later\"")),
	    "nobody is led into the future");
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	small_sitemap(&s);
	large_sitemap(&s);
	archive(&s);
	seeded_close(&s);
	return tap_done();
}
