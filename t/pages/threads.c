/*
 * Threads as they are read: three orders, page by page where there are many, the page of one comment with what it answers
 * and what is under it, its feed, and the way there from a bare id.
 */
#include "browser.h"

#include "lib/tap.h"
#include "model/key_comment.h"
#include "pages/public/thread_view.h"

#include <string.h>

#define POST "the-tide-in-forty-lines-of-c"
#define TIDE "/post/" POST
#define LONGER "first-brent-geese"
enum { LONG = 140, FEED_MANY = 310, MANY = 64, ANSWERED = 7, MINUTE = 60000, LEVELS = 12 };

/* --- What is said ------------------------------------------------------------------------------------ */

/* An id that sorts by its number. */
static struct str
id_of(struct seeded *s, unsigned n)
{
	return str_fmt(s->arena, "0000000000%04u", n);
}

static struct item
comment_item(struct seeded *s, const char *post, struct str path, const char *status, unsigned n)
{
	struct item item = {.count = 0};
	struct str id = str_sub(path, path.len - COMMENT_ID_LEN, path.len);
	struct comment c = {.id = id,
	    .post = str_of(post),
	    .author = STR("kofi"),
	    .author_name = STR("Kofi"),
	    .markdown = str_fmt(s->arena, "Word %u.", n),
	    .html = str_fmt(s->arena, "<p>Word %u.</p>\n", n),
	    .renderer = 1,
	    .status = strcmp(status, "visible") == 0 ? COMMENT_VISIBLE
		: strcmp(status, "held") == 0	     ? COMMENT_HELD
		: strcmp(status, "hidden") == 0	     ? COMMENT_HIDDEN
						     : COMMENT_DELETED,
	    .created = s->clock.fixed_now - MINUTE * (int64_t)(10000 - n)};

	c.updated = c.created;
	c.parent = comment_path_parent(path);
	if (c.parent.len != 0)
		c.parent = str_sub(c.parent, c.parent.len - COMMENT_ID_LEN, c.parent.len);
	key_set(s->arena, &item, key_comment(s->arena, c.post, path), ITEM_COMMENT);
	key_index_comment(
	    s->arena, &item, c.author, c.created, c.id, c.status == COMMENT_HELD);
	bind_write(s->arena, &comment_bindings, &c, &item);
	return item;
}

static void
put_number(struct seeded *s, struct item *item, const char *name, int64_t value)
{
	item_set(s->arena, item, str_of(name), value_number(value));
}

static struct item
tally_item(struct seeded *s, const char *post, struct str root, int64_t replies, int64_t ups)
{
	struct tally_places places =
	    key_tally_places(s->arena, str_of(post), root, comment_score(ups, 0));
	struct item item = {.count = 0};

	key_set(s->arena, &item, key_tally(s->arena, str_of(post), root), ITEM_TALLY);
	item_set(s->arena, &item, STR("GSI3PK"), value_string(places.threads));
	item_set(s->arena, &item, STR("GSI3SK"), value_string(places.place));
	item_set(s->arena, &item, STR("GSI4PK"), value_string(places.best));
	item_set(s->arena, &item, STR("GSI4SK"), value_string(places.best_place));
	item_set(s->arena, &item, STR("Post"), value_string(str_of(post)));
	put_number(s, &item, "Replies", replies);
	return item;
}

/* The comments of a post that has none but these: their number, and whether its threads have tallies. */
static void
put_stats(struct seeded *s, const char *post, int64_t comments, bool threads)
{
	struct item stats =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "POST#%s", post)), "STATS");

	put_number(s, &stats, "Comments", comments);
	item_set(s->arena, &stats, STR("Threads"), value_boolean(threads));
	seeded_put(s, &stats, 1);
}

/* The ids of the comments on a page, in their order. */
static struct list
shown(struct seeded *s, struct str page)
{
	struct list ids = {.count = 0};
	struct str id;

	while (between(&page, STR("id=\"c-"), STR("\""), &id))
		list_add(s->arena, &ids, id);
	return ids;
}

static void
is_shown(struct seeded *s, const char *address, const char *wanted, const char *why)
{
	struct list ids = shown(s, visit(s, str_of(address)).body);
	struct buf numbers = {.arena = s->arena};

	for (size_t i = 0; i < ids.count; i++)
		buf_fmt(&numbers, "%s%d", i > 0 ? " " : "",
		    atoi(str_cstring(s->arena, str_sub(ids.strings[i], 10, 14))));
	is_str(buf_str(&numbers), str_of(wanted), "%s", why);
}

/* --- A few ------------------------------------------------------------------------------------------- */

#define FEW "a-tide-staff-for-your-window"

static void
few(struct seeded *s)
{
	struct item items[4];
	struct str under = STR_CONCAT(s->arena, id_of(s, 2), STR("."), id_of(s, 90));

	items[0] = comment_item(s, FEW, id_of(s, 1), "visible", 1);
	items[1] = comment_item(s, FEW, id_of(s, 2), "visible", 2);
	items[2] = comment_item(s, FEW, id_of(s, 3), "visible", 3);
	items[3] = comment_item(s, FEW, under, "visible", 4);
	put_number(s, &items[0], "Ups", 1);
	put_number(s, &items[1], "Ups", 3);
	put_number(s, &items[2], "Downs", 6);
	seeded_put(s, items, 4);
	put_stats(s, FEW, 4, false);
}

static void
orders(struct seeded *s)
{
	struct str page;

	few(s);
	page = visit(s, STR("/post/" FEW)).body;
	is_int((int64_t)count_of(part(page, "id=\"comments\"", "</nav>"),
		   STR("aria-current=\"true\"")),
	    1,
	    "a thread is in one of three orders");
	is_shown(s, "/post/" FEW "?comments=oldest", "1 2 90 3", "the oldest first");
	is_shown(s, "/post/" FEW "?comments=newest", "3 2 90 1", "the newest first");
	is_shown(s, "/post/" FEW, "2 90 1 3", "the best first, with its reply under it");
	is_int(visit(s, STR("/post/" FEW "?comments=loudest")).status, HTTP_BAD_REQUEST,
	    "there is no other order");
	ok(holds(page, STR("<summary>Voted down by readers")),
	    "what readers vote down far enough is folded");
	ok(holds(page, STR("Word 3.")), "... and there to be unfolded");
	ok(holds(page, STR("<summary>1 reply</summary>")), "replies can be closed");
}

/* --- Many -------------------------------------------------------------------------------------------- */

/* So many threads that no page has all, one with more replies than are shown there. */
static void
put_many(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, 2 * MANY + ANSWERED, struct item);
	size_t count = 0;

	for (unsigned i = 1; i <= MANY; i++) {
		items[count++] = comment_item(s, FEW, id_of(s, i), "visible", i);
		items[count++] = tally_item(s, FEW, id_of(s, i), i == 9 ? ANSWERED : 0, i == 9 ? 50 : 0);
	}
	for (unsigned i = 0; i < ANSWERED; i++)
		items[count++] = comment_item(s, FEW,
		    STR_CONCAT(s->arena, id_of(s, 9), STR("."), id_of(s, 100 + i)), "visible",
		    100 + i);
	for (size_t i = 0; i < count; i += 25)
		seeded_put(s, items + i, count - i < 25 ? count - i : 25);
	put_stats(s, FEW, MANY + ANSWERED, true);
}

/* Page by page: each root once, in order, and never more than a page has. */
static void
walk(struct seeded *s, const char *begin, bool newest)
{
	struct str address = str_of(begin), more;
	unsigned seen = 0, wrong = 0;
	size_t pages = 0;

	do {
		struct answer page = visit(s, address);
		struct list ids = shown(s, page.body);

		wrong += page.status != HTTP_OK || ids.count > COMMENTS_SHOWN ||
			 page.cost.round_trips > 2;
		for (size_t i = 0; i < ids.count; i++) {
			unsigned n = (unsigned)atoi(
			    str_cstring(s->arena, str_sub(ids.strings[i], 10, 14)));

			if (n > MANY)
				continue;
			seen++;
			wrong += n != (newest ? MANY + 1 - seen : seen);
		}
		more = part(page.body, "<p><a class=\"button\" href=\"", "#comments\">More comments");
		address = unescaped(s->arena, more);
	} while (more.len != 0 && ++pages < 10);
	is_int(seen, MANY, "%s: each thread is on one of its pages", begin);
	is_int(wrong, 0, "... in order, %d comments on one at most, in two trips", COMMENTS_SHOWN);
}

/* Pinned threads stand first, also those that are far behind, with their replies; and all others are there once. */
static void
pins(struct seeded *s, const char *begin)
{
	struct item head = seeded_item(s, "POST#" FEW, "METADATA"), with;
	const struct str roots[] = {id_of(s, 9), id_of(s, 60)};
	struct str address = str_of(begin), more;
	unsigned seen = 0, pages = 0;

	with = item_shallow(s->arena, &head);
	item_set(s->arena, &with, STR("Pinned"), value_strings(s->arena, roots, 2));
	seeded_put(s, &with, 1);
	do {
		struct answer page = visit(s, address);
		struct list ids = shown(s, page.body);

		for (size_t i = 0; i < ids.count; i++)
			seen += atoi(str_cstring(s->arena, str_sub(ids.strings[i], 10, 14))) <= MANY;
		if (pages == 0) {
			is_str(ids.strings[0], roots[0], "a pinned thread stands first");
			ok(holds(page.body, STR(">5 more replies</a>")), "... with its replies");
			is_str(ids.strings[3], roots[1], "... then the other");
			is_str(ids.strings[4], id_of(s, MANY), "... then the newest");
			is_int(page.cost.round_trips, 2, "... in two trips");
			is_int((int64_t)count_of(page.body, STR("class=\"comment depth-0\"")),
			    ROOTS_SHOWN, "... no more than on any page");
		}
		more = part(page.body, "<p><a class=\"button\" href=\"", "#comments\">More comments");
		address = unescaped(s->arena, more);
	} while (more.len != 0 && ++pages < 10);
	is_int(seen, MANY, "each thread is on one of the pages");
	seeded_put(s, &head, 1);
}

static void
many(struct seeded *s)
{
	struct answer page;

	put_many(s);
	walk(s, "/post/" FEW "?comments=newest", true);
	walk(s, "/post/" FEW "?comments=oldest", false);
	page = visit(s, STR("/post/" FEW));
	is_int((int64_t)count_of(page.body, STR("class=\"comment depth-0\"")), ROOTS_SHOWN,
	    "a page has some of the threads");
	is_str(shown(s, page.body).strings[0], id_of(s, 9), "... the best first");
	ok(holds(page.body, STR("<summary>7 replies</summary>")) &&
		holds(page.body, STR(">5 more replies</a>")),
	    "... with its first replies, and how many there are");
	is_int(visit(s, STR("/post/" FEW "?threads=nonsense")).status, HTTP_BAD_REQUEST,
	    "a cursor that is none");
	pins(s, "/post/" FEW "?comments=newest");
	put_stats(s, FEW, MANY + ANSWERED, false);
	page = visit(s, STR("/post/" FEW));
	is_int((int64_t)shown(s, page.body).count, COMMENTS_SHOWN,
	    "where not all threads have tallies yet, a page begins with the first");
	ok(holds(page.body, STR(">More comments<")), "... and leads on");
}

/* --- One --------------------------------------------------------------------------------------------- */

static struct str
path_to(struct seeded *s, unsigned first, unsigned level)
{
	struct str path = id_of(s, first);

	for (unsigned i = 1; i < level; i++)
		path = STR_CONCAT(s->arena, path, STR("."), id_of(s, first + i));
	return path;
}

static struct answer
visit_thread(struct seeded *s, const char *post, struct str path, const char *rest)
{
	return visit(s, str_fmt(s->arena, "/post/%s/thread/%.*s%s", post, STR_ARGS(path), rest));
}

static void
deep(struct seeded *s)
{
	struct item items[LEVELS];
	struct answer page;

	for (unsigned i = 0; i < LEVELS; i++)
		items[i] = comment_item(s, POST, path_to(s, 500, i + 1), "visible", 500 + i);
	seeded_put(s, items, LEVELS);
	page = visit(s, STR(TIDE));
	ok(holds(page.body, STR("Word 507.")) && !holds(page.body, STR("Word 508.")),
	    "under a post eight levels of a thread are shown");
	ok(holds(page.body, STR(">Continue this thread: 4 more replies</a>")), "... it goes on");
	page = visit_thread(s, POST, path_to(s, 500, 9), "");
	is_int(page.status, HTTP_OK, "on a page of its own");
	ok(holds(page.body, STR("Word 508.")) && holds(page.body, STR("Word 511.")),
	    "... with what is under it");
	ok(holds(page.body, STR("Word 500.")) && holds(page.body, STR("Word 507.")),
	    "... and what it answers");
	ok(page.cost.round_trips <= 2, "... in two trips at most");
	page = visit_thread(s, POST, path_to(s, 500, 9), "/feed.atom");
	is_int(page.status, HTTP_OK, "a thread has a feed");
	is_int((int64_t)count_of(page.body, STR("<entry>")), 4, "... of it and its replies");
	ok(holds(part(page.body, "<entry>", "</entry>"), STR("Word 511.")), "... the newest first");
	page = visit(s, STR(TIDE "/feed.atom"));
	is_int(page.status, HTTP_OK, "the whole thread of a post has one, too");
	is_int((int64_t)count_of(page.body, STR("<entry>")), 20, "... of the newest comments");
	ok(holds(page.body, STR("Word 511.")), "... at any depth");
	ok(holds(visit(s, STR(TIDE)).body, STR(TIDE "/feed.atom\"")), "... which its page names");
	page = visit(s, str_fmt(s->arena, "/comment/%.*s", STR_ARGS(id_of(s, 508))));
	is_int(page.status, HTTP_SEE_OTHER, "a bare id leads there");
	is_str(header(&page, "Location"),
	    str_fmt(s->arena, TIDE "/thread/%.*s#c-%.*s", STR_ARGS(path_to(s, 500, 9)),
		STR_ARGS(id_of(s, 508))),
	    "... to where it stands");
}

/*
 * Of more than a feed reads it has the last: under one reply, after which there is nothing that is not under it. What
 * they answer is not among what is read, and hides them if it waits.
 */
static void
long_feed(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, FEED_MANY, struct item), held;
	struct str root = id_of(s, 5000), reply = path_to(s, 5000, 2);
	struct answer page;

	items[0] = comment_item(s, LONGER, root, "visible", 5000);
	items[1] = comment_item(s, LONGER, reply, "visible", 5001);
	for (unsigned i = 2; i < FEED_MANY; i++)
		items[i] = comment_item(s, LONGER,
		    STR_CONCAT(s->arena, reply, STR("."), id_of(s, 5000 + i)), "visible", 5000 + i);
	for (size_t i = 0; i < FEED_MANY; i += 25)
		seeded_put(s, items + i, FEED_MANY - i < 25 ? FEED_MANY - i : 25);
	for (int i = 0; i < 2; i++) {
		page = i == 0 ? visit_thread(s, LONGER, root, "/feed.atom")
			      : visit(s, STR("/post/" LONGER "/feed.atom"));
		is_int((int64_t)count_of(page.body, STR("<entry>")), 20,
		    i == 0 ? "the feed of a long thread" : "... and that of its post");
		ok(holds(part(page.body, "<entry>", "</entry>"), STR("Word 5309.")),
		    "... has the newest first");
		ok(page.cost.round_trips <= 2, "... in two trips at most");
	}
	held = comment_item(s, LONGER, reply, "held", 5001);
	seeded_put(s, &held, 1);
	page = visit_thread(s, LONGER, root, "/feed.atom");
	ok(!holds(page.body, STR("Word 5309.")) && holds(page.body, STR("Word 5000.")),
	    "... none of those under what waits");
	ok(!holds(visit(s, STR("/post/" LONGER "/feed.atom")).body, STR("Word 5309.")),
	    "... in neither");
}

static void
hidden(struct seeded *s)
{
	struct item items[7];
	struct browser author = browser_of(s, "kofi"), editor = browser_of(s, "tobias");
	const char *address = str_cstring(
	    s->arena, str_fmt(s->arena, TIDE "/thread/%.*s", STR_ARGS(id_of(s, 600))));
	struct answer page;

	items[0] = comment_item(s, POST, id_of(s, 600), "held", 600);
	items[1] = comment_item(s, POST, id_of(s, 601), "deleted", 601);
	items[2] = comment_item(s, "we-are-giving-up-paper", id_of(s, 602), "visible", 602);
	items[3] = comment_item(s, POST, id_of(s, 610), "hidden", 610);
	items[4] = comment_item(s, POST,
	    STR_CONCAT(s->arena, id_of(s, 610), STR("."), id_of(s, 611)), "visible", 611);
	items[5] = comment_item(s, POST, id_of(s, 620), "held", 620);
	items[6] = comment_item(s, POST,
	    STR_CONCAT(s->arena, id_of(s, 620), STR("."), id_of(s, 621)), "visible", 621);
	seeded_put(s, items, 7);
	page = visit_thread(s, POST, STR_CONCAT(s->arena, id_of(s, 610), STR("."), id_of(s, 611)), "");
	ok(page.status == HTTP_OK && !holds(page.body, STR("Word 610.")),
	    "what is hidden is not told by the page of a reply to it");
	page = visit_thread(s, POST, STR_CONCAT(s->arena, id_of(s, 620), STR("."), id_of(s, 621)), "");
	is_int(page.status, HTTP_NOT_FOUND, "under what waits there is nothing");
	is_int(visit(s, str_of(address)).status, HTTP_NOT_FOUND, "what waits is nobody's to see");
	is_int(get(&author, address), HTTP_OK, "... but its author's");
	is_int(get(&editor, address), HTTP_OK, "... and who moderates");
	ok(says(&editor, "Word 600.") && says(&editor, "Waiting for an editor"), "... with the mark");
	get(&editor, TIDE);
	ok(says(&editor, "Word 600.") && says(&editor, "Word 621."),
	    "... also under its post, with what is under it");
	is_int(get(&editor, "/comment/00000000000600"), HTTP_SEE_OTHER, "... and by its id");
	is_str(leads_to(&editor), STR_CONCAT(s->arena, str_of(address), STR("#c-00000000000600")),
	    "... where it stands");
	get(&editor, "/comment/00000000000610");
	is_str(leads_to(&editor), STR(TIDE "/comment/decide?at=00000000000610"),
	    "what is hidden they find where it is decided on");
	is_int(visit(s, str_of(address)).status, HTTP_NOT_FOUND, "a stranger has none of that");
	ok(!holds(visit(s, STR(TIDE)).body, STR("Word 600.")) &&
		!holds(visit(s, STR(TIDE)).body, STR("Word 621.")),
	    "... on no page");
	is_int(visit(s, STR("/comment/00000000000600")).status, HTTP_NOT_FOUND,
	    "... and by its id no more than by its path");
	is_int(visit_thread(s, POST, id_of(s, 601), "").status, HTTP_NOT_FOUND,
	    "what is deleted and not answered is not there");
	is_int(visit_thread(s, "no-such-post", id_of(s, 1), "").status, HTTP_NOT_FOUND,
	    "under no post there is nothing");
	is_int(visit(s, STR("/comment/00000000000999")).status, HTTP_NOT_FOUND, "nor by no id");
	is_int(visit_thread(s, POST, STR("nonsense"), "").status, HTTP_NOT_FOUND, "a bad path");
}

#define MOON "/post/a-clock-that-runs-on-the-moon"

/* Its first page begins with the newest: what is pinned and further behind is a link. */
static void
pinned_behind(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, MANY, struct item);
	struct item head = seeded_item(s, "POST#a-clock-for-the-tide", "METADATA");
	const struct str roots[] = {id_of(s, 701), id_of(s, 700 + MANY)};
	struct str page;

	for (unsigned i = 0; i < MANY; i++)
		items[i] = comment_item(s, "a-clock-for-the-tide", id_of(s, 701 + i), "visible", 701 + i);
	for (size_t i = 0; i < MANY; i += 25)
		seeded_put(s, items + i, MANY - i < 25 ? MANY - i : 25);
	item_set(s->arena, &head, STR("Pinned"), value_strings(s->arena, roots, 2));
	seeded_put(s, &head, 1);
	page = visit(s, STR(MOON)).body;
	is_str(shown(s, page).strings[0], roots[1], "what is pinned stands first there, too");
	is_int((int64_t)count_of(page, STR(">A pinned thread</a>")), 1,
	    "... or has a link, where it is far behind");
	ok(holds(page, STR_CONCAT(s->arena, STR("/thread/"), roots[0], STR("#c-"))), "... to it");
}

/* All of its pages: how many comments they have, each once and the newest first but for the one that is pinned. */
static size_t
newest_first(struct seeded *s, unsigned *pages)
{
	struct str address = STR(MOON), last = STR("~");
	size_t count = 0, wrong = 0;

	for (*pages = 0; address.len != 0; ++*pages) {
		struct answer page = visit(s, address);
		struct list ids = shown(s, page.body);
		struct str after = part(page.body, MOON "?after=", "#comments");

		wrong += page.cost.round_trips > 2 || page.status != HTTP_OK || *pages > 20;
		for (size_t i = *pages == 0; i < ids.count; i++) {
			/* The seed's have replies. */
			if (!str_starts(ids.strings[i], STR("0000000")))
				continue;
			wrong += str_cmp(ids.strings[i], last) >= 0;
			last = ids.strings[i];
		}
		count += ids.count;
		address = after.len != 0 && wrong == 0
			      ? STR_CONCAT(s->arena, STR(MOON "?after="), after)
			      : STR("");
	}
	is_int((int64_t)wrong, 0, "the pages of a renamed post go from the newest to the oldest");
	return count;
}

static void
renamed_many(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, LONG, struct item);
	const struct str root = STR("zzzzzzzzzzzzz0");
	struct list oldest;
	struct str page;
	unsigned pages, after;
	size_t all = newest_first(s, &pages);

	ok(all > MANY && pages > 1, "%zu comments on %u pages", all, pages);
	oldest = shown(s, visit(s, STR(MOON "?comments=oldest")).body);
	ok(list_has(&oldest, id_of(s, 700)) && !list_has(&oldest, id_of(s, 699 + MANY)),
	    "the oldest are first where they are asked for");
	for (unsigned i = 0; i < LONG; i++)
		items[i] = comment_item(s, "a-clock-for-the-tide",
		    i == 0 ? root : STR_CONCAT(s->arena, root, STR("."), id_of(s, 2000 + i)),
		    "visible", 2000 + i);
	for (size_t i = 0; i < LONG; i += 25)
		seeded_put(s, items + i, LONG - i < 25 ? LONG - i : 25);
	page = visit(s, STR(MOON)).body;
	ok(holds(page, STR(">A long thread</a>")) &&
		holds(page, STR_CONCAT(s->arena, STR("/thread/"), root, STR("#c-"))),
	    "a thread that is longer than a page has a link");
	page = visit(s, STR_CONCAT(s->arena, STR(MOON "?after="),
			    part(page, MOON "?after=", "#comments")))
		   .body;
	after = (unsigned)shown(s, page).count;
	ok(after != 0 && holds(page, STR_CONCAT(s->arena, STR("id=\"c-"), id_of(s, 700 + MANY))),
	    "... and behind it are the others");
}

static void
renamed(struct seeded *s)
{
	struct item item = comment_item(s, "a-clock-for-the-tide", id_of(s, 700), "visible", 700);
	struct answer page;

	seeded_put(s, &item, 1);
	page = visit_thread(s, "a-clock-for-the-tide", id_of(s, 700), "");
	is_int(page.status, HTTP_MOVED, "under a post's old address it leads to the new one");
	is_str(header(&page, "Location"),
	    STR("/post/a-clock-that-runs-on-the-moon/thread/00000000000700"), "... the same path");
	page = visit_thread(s, "a-clock-that-runs-on-the-moon", id_of(s, 700), "");
	is_int(page.status, HTTP_OK, "... where it is");
	is_int(page.cost.round_trips, 2, "... in two trips");
	pinned_behind(s);
	renamed_many(s);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	orders(&s);
	many(&s);
	deep(&s);
	long_feed(&s);
	hidden(&s);
	renamed(&s);
	browsers_close(&s);
	return tap_done();
}
