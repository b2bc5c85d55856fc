/*
 * What does not fit on one page continues on another: a long thread, many reviews, a long
 * collection, an index.
 */
#include "seeded.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/key_post.h"

enum { COMMENTS = 230, REVIEWS = 45, ENTRIES = 120, CROWD = 450, NAMES = 210, DAY_MS = 86400000 };

static struct str
comment_id(struct seeded *s, int n)
{
	return id_make(s->arena, s->clock.fixed_now - DAY_MS + n, (uint32_t)n);
}

/* Every other comment answers the one before it. */
static void
put_thread(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, COMMENTS, struct item);

	for (int i = 0; i < COMMENTS; i++) {
		struct str id = comment_id(s, i), path = id;

		if (i % 2 != 0)
			path = STR_CONCAT(s->arena, comment_id(s, i - 1), STR("."), id);
		item_set(s->arena, &items[i], STR("PK"), value_string(STR("POST#green-flash")));
		item_set(s->arena, &items[i], STR("SK"),
		    value_string(STR_CONCAT(s->arena, STR("COMMENT#"), path)));
		item_set(s->arena, &items[i], STR("Type"), value_string(STR("Comment")));
		item_set(s->arena, &items[i], STR("Id"), value_string(id));
		item_set(s->arena, &items[i], STR("Author"), value_string(STR("pascal")));
		item_set(s->arena, &items[i], STR("Status"), value_string(STR("visible")));
		item_set(s->arena, &items[i], STR("Markdown"),
		    value_string(str_fmt(s->arena, "This is comment %d.", i)));
		item_set(s->arena, &items[i], STR("CreatedAt"),
		    value_string(STR("2026-11-17T09:30:00.000Z")));
	}
	seeded_put(s, items, COMMENTS);
}

static void
long_thread(struct seeded *s)
{
	struct str url = STR("/post/green-flash"), comments, text;
	struct buf met = {.arena = s->arena}, wanted = {.arena = s->arena};
	unsigned pages = 0;

	put_thread(s);
	for (int i = 0; i < COMMENTS; i++)
		buf_fmt(&wanted, "This is comment %d.\n", i);
	for (; url.len != 0 && pages < 10; pages++) {
		struct answer page = visit(s, url);

		is_int(page.status, HTTP_OK, "a part of a long thread is there");
		is_int(holds(page.body, STR("<link rel=\"canonical\" "
					    "href=\"https://slack.example/post/green-flash\">")),
		    pages == 0, "... the first under its post's name");
		is_int(holds(page.body, STR("noindex")), pages != 0,
		    "... which is the one for search engines");
		is_int(holds(page.body, STR("<a href=\"/post/green-flash#comments\"><span aria")),
		    pages != 0, "... and the others lead back to it");
		comments = part(page.body, "<ol class=\"thread\">", "</section>");
		while (between(&comments, STR("<p>This"), STR("</p>"), &text))
			buf_fmt(&met, "This%.*s\n", STR_ARGS(text));
		text =
		    part(page.body, "<a class=\"button\" href=\"/post/green-flash?", "#comments\"");
		url = text.len == 0 ? text
				    : STR_CONCAT(s->arena, STR("/post/green-flash?"),
					  unescaped(s->arena, text));
	}
	is_int(pages, 4, "230 comments are on four pages");
	is_str(buf_str(&met), buf_str(&wanted), "... each of them once, in reading order");
	is_int(visit(s, STR("/post/green-flash?after=x")).status, HTTP_BAD_REQUEST,
	    "... and an invented way on is refused");
}

/* One from each of many, newest last. */
static void
put_reviews(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, REVIEWS, struct item);

	for (int i = 0; i < REVIEWS; i++) {
		struct str who = str_fmt(s->arena, "reader_%d", i);
		struct str time = time_format(s->arena, s->clock.fixed_now - DAY_MS + i);

		item_set(s->arena, &items[i], STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("USER#"), who)));
		item_set(s->arena, &items[i], STR("SK"),
		    value_string(STR("POST#noaa-tides-and-currents#RATING")));
		item_set(s->arena, &items[i], STR("GSI2PK"),
		    value_string(STR("ABOUT#noaa-tides-and-currents")));
		item_set(s->arena, &items[i], STR("GSI2SK"),
		    value_string(STR_CONCAT(s->arena, STR("RATING#"), time, STR("#"), who)));
		item_set(s->arena, &items[i], STR("Type"), value_string(STR("Rating")));
		item_set(s->arena, &items[i], STR("Author"), value_string(who));
		item_set(
		    s->arena, &items[i], STR("Post"), value_string(STR("noaa-tides-and-currents")));
		item_set(s->arena, &items[i], STR("Stars"), value_number(4));
		item_set(s->arena, &items[i], STR("CreatedAt"), value_string(time));
	}
	seeded_put(s, items, REVIEWS);
}

static void
many_reviews(struct seeded *s)
{
	struct str address = STR("/post/noaa-tides-and-currents"), url = address, rest, id, cursor;
	size_t before = count_of(visit(s, url).body, STR("<article class=\"review\">"));
	struct list met = {.count = 0};
	unsigned pages = 0, right = 0;

	put_reviews(s);
	for (; url.len != 0 && pages < 10; pages++) {
		struct answer page = visit(s, url);

		is_int(page.status, HTTP_OK, "a part of many reviews is there");
		is_int(holds(page.body, STR("noindex")), pages != 0,
		    "... of which the first is for search engines");
		is_int(holds(page.body,
			   STR("<a href=\"/post/noaa-tides-and-currents#reviews\"><span aria")),
		    pages != 0, "... and the others lead back to it");
		rest = page.body;
		while (between(&rest, STR("<li id=\"r-"), STR("\""), &id))
			list_add(s->arena, &met, id);
		url = unescaped(s->arena,
		    part(page.body, "<a class=\"button\" href=\"/post/noaa-tides-and-currents?",
			"#reviews\""));
		if (url.len == 0)
			break;
		str_cut(url, '=', &cursor);
		url = STR_CONCAT(s->arena, address, STR("?"), url);
	}
	for (int i = 0; i < REVIEWS; i++)
		right += str_eq(met.strings[i], str_fmt(s->arena, "reader_%d", REVIEWS - 1 - i));
	is_int(right, REVIEWS, "all reviews can be reached, newest first");
	is_int((int64_t)met.count, REVIEWS + (int64_t)before, "... each once");
	is_int(visit(s, STR_CONCAT(s->arena, address, STR("?reviews=x"))).status, HTTP_BAD_REQUEST,
	    "an invented way on is refused");
	is_int(visit(s, STR_CONCAT(s->arena, address, STR("?after="), cursor)).status,
	    HTTP_BAD_REQUEST, "... and that of the reviews is none of the comments'");
}

/* A collection whose first and last posts exist, and those in between do not. */
static void
long_collection(struct seeded *s)
{
	struct str id = id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)DAY_MS, 111), url;
	struct item *items = ARENA_ARRAY(s->arena, ENTRIES, struct item);
	struct list met = {.count = 0};
	unsigned pages = 0;

	for (int i = 0; i < ENTRIES; i++) {
		struct str post =
		    i == ENTRIES - 1 ? STR("green-flash") : str_fmt(s->arena, "gone-%d", i);

		item_set(s->arena, &items[i], STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("COLLECTION#"), id)));
		item_set(s->arena, &items[i], STR("SK"),
		    value_string(str_fmt(s->arena, "POST#%04d#%.*s", i + 100, STR_ARGS(post))));
		item_set(s->arena, &items[i], STR("Type"), value_string(STR("CollectionPost")));
		item_set(s->arena, &items[i], STR("Post"), value_string(post));
		item_set(s->arena, &items[i], STR("Note"), value_string(STR("a note about it")));
	}
	seeded_put(s, items, ENTRIES);
	url = STR_CONCAT(s->arena, STR("/collection/"), id);
	for (; url.len != 0 && pages < 10; pages++) {
		struct answer page = visit(s, url);
		struct list posts = listed(s->arena, page.body);

		is_int((int64_t)count_of(page.body, STR("a note about it")), pages == 2,
		    "a note is shown with its post, or not at all");
		for (size_t i = 0; i < posts.count; i++)
			list_add(s->arena, &met, posts.strings[i]);
		url = unescaped(s->arena, part(page.body, "<a class=\"older\" href=\"", "\""));
	}
	is_int(pages, 3, "a long collection goes on behind a link");
	is_int((int64_t)met.count, 7, "... with all posts that there are");
	is_str(met.strings[met.count - 1], STR("/post/green-flash"), "... to the last");
}

/* --- Indexes --------------------------------------------------------------------------------------- */

/* An item of the seed under another name. */
static struct item
renamed(struct seeded *s, const struct item *item, const char *kind, const char *attribute,
    struct str name)
{
	struct item out = item_shallow(s->arena, item);

	item_set(s->arena, &out, STR("PK"),
	    value_string(STR_CONCAT(s->arena, str_of(kind), STR("#"), name)));
	item_set(s->arena, &out, str_of(attribute), value_string(name));
	return out;
}

/* Readers whose names sort before all others. */
static void
crowd_of_readers(struct seeded *s)
{
	struct item pascal = seeded_item(s, "USER#pascal", "METADATA");
	struct item *items = ARENA_ARRAY(s->arena, CROWD, struct item);
	struct str page;

	for (int i = 0; i < CROWD; i++) {
		struct str name = str_fmt(s->arena, "aa_%d", 1000 + i);

		items[i] = renamed(s, &pascal, "USER", "Username", name);
		key_index_user(s->arena, &items[i], name, STR("reader"));
	}
	seeded_put(s, items, CROWD);
	page = visit(s, STR("/authors")).body;
	ok(holds(page, STR("href=\"/author/kofi\"")) && holds(page, STR("href=\"/author/tobias\"")),
	    "however many read, the first page of authors has those who write");
	ok(!holds(page, STR("class=\"older\"")) && !holds(page, STR("/author/aa_")),
	    "... and no others");
}

static void
put_names(struct seeded *s)
{
	struct item tag = seeded_item(s, "TAGS", "tides");
	struct item kofi = seeded_item(s, "USER#kofi", "METADATA");
	struct str id = id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)DAY_MS, 111);
	struct item collection = seeded_item(
	    s, str_cstring(s->arena, STR_CONCAT(s->arena, STR("COLLECTION#"), id)), "METADATA");
	struct item *items = ARENA_ARRAY(s->arena, 3 * NAMES, struct item);

	for (int i = 0; i < NAMES; i++) {
		struct str name = str_fmt(s->arena, "zz%d", 1000 + i);
		struct item *three = &items[3 * i];

		three[0] = item_shallow(s->arena, &tag);
		item_set(s->arena, &three[0], STR("SK"), value_string(name));
		item_set(s->arena, &three[0], STR("Tag"), value_string(name));
		three[1] = renamed(s, &kofi, "USER", "Username", name);
		key_index_user(s->arena, &three[1], name, STR("author"));
		item_set(s->arena, &three[1], STR("Posts"), value_number(1)); /* as in an older table */
		key_index_author(s->arena, &three[1], name);
		three[2] = renamed(s, &collection, "COLLECTION", "Id", name);
		item_remove(&three[2], STR("GSI1PK"));
		item_remove(&three[2], STR("GSI1SK"));
		item_set(s->arena, &three[2], STR("GSI3SK"),
		    value_string(STR_CONCAT(s->arena, STR("2020-01-01T00:00:00.000Z#"), name)));
	}
	seeded_put(s, items, 3 * NAMES);
}

/* An index that is not in the order of time: on, and back to where it begins. */
static void
long_index(struct seeded *s, const char *address, const char *begin)
{
	struct answer page = visit(s, str_of(address));
	struct str more = part(page.body, "<a class=\"older\" href=\"", "\"");
	size_t all = count_of(page.body, STR_CONCAT(s->arena, str_of(begin), STR("zz")));

	ok(holds(page.body, STR("rel=\"canonical\"")) && holds(page.body, STR(">More <span")) &&
		!holds(page.body, STR("Back to")),
	    "%s is long, and goes on", address);
	page = visit(s, unescaped(s->arena, more));
	is_int(page.status, HTTP_OK, "... behind a link");
	ok(holds(page.body, STR("content=\"noindex\"")) &&
		!holds(page.body, STR("rel=\"canonical\"")),
	    "... which is not for search engines");
	is_str(part(page.body, "<a class=\"newer\" href=\"", "\""), str_of(address),
	    "... and leads back to the beginning");
	ok(holds(page.body, STR("Back to the beginning")), "... by that name");
	all += count_of(page.body, STR_CONCAT(s->arena, str_of(begin), STR("zz")));
	is_int((int64_t)all, NAMES, "... with all there are, each once");
}

/* A page without anybody to show is not the end of the list. */
static void
empty_page(struct seeded *s)
{
	struct item kofi = seeded_item(s, "USER#kofi", "METADATA");
	struct item *items = ARENA_ARRAY(s->arena, NAMES, struct item);
	struct str page;

	for (int i = 0; i < NAMES; i++) {
		struct str name = str_fmt(s->arena, "aa_%d", 1000 + i);

		items[i] = renamed(s, &kofi, "USER", "Username", name);
		key_index_user(s->arena, &items[i], name, STR("author"));
		key_index_author(s->arena, &items[i], name);
	}
	seeded_put(s, items, NAMES);
	page = visit(s, STR("/authors")).body;
	ok(!holds(page, STR("Nobody writes")) && holds(page, STR("class=\"older\"")),
	    "nobody is said to write nothing while there is another page");
}

/* Private collections are between public ones, and take no place of theirs. */
static void
private_collections(struct seeded *s)
{
	struct str id = id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)DAY_MS, 111);
	struct item start = seeded_item(
	    s, str_cstring(s->arena, STR_CONCAT(s->arena, STR("COLLECTION#"), id)), "METADATA");
	struct item items[40];
	struct str page;

	for (int i = 0; i < 40; i++) {
		struct str name = str_fmt(s->arena, "own%d", 10 + i);

		items[i] = renamed(s, &start, "COLLECTION", "Id", name);
		item_set(s->arena, &items[i], STR("Visibility"), value_string(STR("private")));
		item_set(s->arena, &items[i], STR("GSI1SK"),
		    value_string(
			STR_CONCAT(s->arena, STR("COLLECTION#2999-01-01T00:00:00.000Z#"), name)));
		item_remove(&items[i], STR("GSI3PK"));
		item_remove(&items[i], STR("GSI3SK"));
	}
	seeded_put(s, items, 40);
	page = visit(s, STR("/author/tobias/collections")).body;
	ok(holds(page, STR("Start here")) && !holds(page, STR("/collection/own")),
	    "an author's public collections are shown behind any number of newer private ones");
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	long_thread(&s);
	many_reviews(&s);
	long_collection(&s);
	private_collections(&s);
	crowd_of_readers(&s);
	put_names(&s);
	long_index(&s, "/tags", "href=\"/tag/");
	long_index(&s, "/authors", "href=\"/author/");
	long_index(&s, "/collections", "href=\"/collection/");
	empty_page(&s);
	seeded_close(&s);
	return tap_done();
}
