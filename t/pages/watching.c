/*
 * Following what is no person: the comments on a post, a thread, a tag, a category. Each has a button on its page that says how
 * it is to be; all are on a page of one's own; and what one may not see can't be followed.
 */
#include "signing.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/reader/watch.h"
#include "model/site/rate.h"

#define TIDE "the-tide-in-forty-lines-of-c" /* by kofi */
#define POST "/post/" TIDE

static bool
is_watched(struct seeded *s, const char *username, struct watch_target target)
{
	struct table_call call = {.arena = s->arena};
	struct read read = watch_read(s->arena, str_of(username), &target);

	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("a read fails");
	return read.item != NULL;
}

/* The id of the first thread of the post. */
static const char *
first_root(struct browser *b)
{
	struct table_call call = {.arena = b->s->arena};
	struct query query = query_threads(b->s->arena, STR(TIDE), THREAD_OLDEST);
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 1;
	if (table_query(b->s->table, &call, &query, &found, &count, &next) != TABLE_OK || count == 0)
		bail_out("the post has no thread");
	return str_cstring(b->s->arena, key_tally_root(item_key(&found[0]).sk));
}

static const char *
joined(struct seeded *s, const char *begin, const char *end)
{
	return str_cstring(s->arena, STR_CONCAT(s->arena, str_of(begin), str_of(end)));
}

/* Follows it by the button of its page, and no more by the same. */
static void
follows(struct seeded *s, struct watch_target target, const char *page, const char *address)
{
	struct browser lowri = browser_of(s, "lowri");
	const char *what = watch_name(target.what);

	ok(holds(visit(s, str_of(page)).body,
	       STR_CONCAT(s->arena, STR("href=\""), str_of(address), STR("\""))),
	    "a stranger has a link to follow a %s", what);
	get(&lowri, page);
	is_int(SUBMIT(&lowri, address, "do", "follow"), HTTP_SEE_OTHER, "whoever is signed in a button");
	ok(holds(leads_to(&lowri), str_of(page)), "... that leads back");
	ok(is_watched(s, "lowri", target), "... and does it");
	get(&lowri, page);
	ok(says(&lowri, "value=\"unfollow\""), "the page says so");
	is_int(SUBMIT(&lowri, address, "do", "follow"), HTTP_SEE_OTHER, "to say it twice is to say it");
	get(&lowri, "/account/watching");
	ok(says(&lowri, STR_CONCAT(s->arena, str_of(what), STR("/"), target.name, STR("/"), target.post)
			    .base),
	    "it is on one’s own page");
	get(&lowri, page);
	is_int(SUBMIT(&lowri, address, "do", "unfollow"), HTTP_SEE_OTHER, "the button undoes it");
	ok(!is_watched(s, "lowri", target), "... wholly");
	get(&lowri, page);
	is_int(SUBMIT(&lowri, address, "do", "unfollow"), HTTP_SEE_OTHER, "... also twice");
	get(&lowri, page);
	is_int(SUBMIT(&lowri, address, "do", "toggle"), HTTP_BAD_REQUEST,
	    "no other wish is understood");
}

/* After signing in: the link of a stranger asks. */
static void
asks(struct seeded *s)
{
	struct browser stranger = browser(s, "192.0.2.7"), lowri = browser_of(s, "lowri");

	get(&stranger, "/follow/tag/boats");
	ok(stranger.last.status == HTTP_SEE_OTHER && holds(leads_to(&stranger), STR("/login")),
	    "a stranger is asked to sign in");
	get(&lowri, "/follow/tag/boats");
	ok(says(&lowri, "Follow this tag") && says(&lowri, "new posts"), "... and then asked");
	SUBMIT(&lowri, "/follow/tag/boats", "x", "y");
	ok(is_watched(s, "lowri", (struct watch_target){WATCH_TAG, .name = STR("boats")}),
	    "... whether they still want it");
	get(&lowri, "/follow/tag/boats");
	is_str(leads_to(&lowri), STR("/tag/boats"), "... once");
}

static void
lists(struct seeded *s, const char *root)
{
	struct browser lowri = browser_of(s, "lowri"), noor = browser_of(s, "noor");
	struct watch_target thread = {WATCH_THREAD, str_of(root), STR(TIDE)};

	get(&lowri, POST);
	SUBMIT(&lowri, "/follow/post/" TIDE, "do", "follow");
	get(&lowri, joined(s, POST "/thread/", root));
	SUBMIT(&lowri, joined(s, "/follow/thread/", root), "do", "follow");
	get(&lowri, "/category/tides");
	SUBMIT(&lowri, "/follow/category/tides", "do", "follow");
	get(&lowri, "/account/watching");
	ok(says(&lowri, "href=\"" POST "#comments\"") && says(&lowri, "href=\"/category/tides\"") &&
		says(&lowri, joined(s, "href=\"/comment/", root)) && says(&lowri, "href=\"/tag/boats\""),
	    "what somebody follows is on one page");
	ok(says(&lowri, "The tide in forty lines of C") && says(&lowri, "Thread,") &&
		says(&lowri, "Category,"),
	    "... with its names");
	get(&noor, "/account/watching");
	ok(says(&noor, "Nothing yet."), "... of their own alone");

	get(&lowri, "/account/watching");
	is_int(SUBMIT(&lowri, "/account/watching", "undo",
		   joined(s, joined(s, "thread/", root), "/" TIDE)),
	    HTTP_SEE_OTHER, "each can be undone there");
	is_str(leads_to(&lowri), STR("/account/watching?done=unwatched"), "... which it says");
	ok(!is_watched(s, "lowri", thread), "... and it is");
	get(&lowri, "/account/watching");
	is_int(SUBMIT(&lowri, "/account/watching", "undo", "thread/x"), HTTP_BAD_REQUEST,
	    "(what is nothing is not understood)");
	get(&lowri, "/account/watching");
	SUBMIT(&lowri, "/account/watching", "undo", "post//" TIDE);
	ok(!is_watched(s, "lowri", (struct watch_target){WATCH_POST, .post = STR(TIDE)}), "... a post");
}

/* What is gone stays on the list, without its title, and can be taken off it. */
static void
outlives(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal");
	struct item head = seeded_item(s, "POST#" TIDE, "METADATA"), hidden;

	get(&pascal, POST);
	SUBMIT(&pascal, "/follow/post/" TIDE, "do", "follow");
	hidden = item_shallow(s->arena, &head);
	item_set(s->arena, &hidden, STR("Status"), value_string(STR("unpublished")));
	seeded_put(s, &hidden, 1);
	get(&pascal, "/account/watching");
	ok(says(&pascal, "A post that you can’t see any more") && !says(&pascal, "The tide in forty"),
	    "what one may not see any more has no title");
	is_int(SUBMIT(&pascal, "/account/watching", "undo", "post//" TIDE), HTTP_SEE_OTHER,
	    "... and can be undone");
	ok(!is_watched(s, "pascal", (struct watch_target){WATCH_POST, .post = STR(TIDE)}), "... all the same");
	seeded_put(s, &head, 1);
}

static void
refuses(struct seeded *s, const char *root)
{
	struct browser lowri = browser_of(s, "lowri"), kofi = browser_of(s, "kofi");
	struct item comment = seeded_item(s, "POST#" TIDE, joined(s, "COMMENT#", root));
	struct item held = item_shallow(s->arena, &comment);
	static const char *const none[] = {"/follow/post/the-longest-low-water",
	    "/follow/post/no-such-post", "/follow/tag/no-such-tag", "/follow/category/no-such-one",
	    "/follow/thread/00000000000000", "/follow/thread/x", "/follow/person/kofi",
	    "/follow/tag/--"};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		is_int(get(&lowri, none[i]), HTTP_NOT_FOUND, "%s: there is nothing to follow", none[i]);
	item_set(s->arena, &held, STR("Status"), value_string(STR("held")));
	seeded_put(s, &held, 1);
	is_int(get(&lowri, joined(s, "/follow/thread/", root)), HTTP_NOT_FOUND,
	    "nor is a comment that waits");
	seeded_put(s, &comment, 1);
	get(&kofi, POST);
	ok(!says(&kofi, "/follow/post/"), "of one’s own post one is told anyway");
}

/* As many a day as one who is trusted may follow, people or not. */
static void
is_limited(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	int64_t day = s->clock.fixed_now / 1000 / RATE_DAY_SECONDS;
	struct item rate = {.count = 0};

	key_set(s->arena, &rate, key_rate(s->arena, STR("follow"), STR("noor"), day), ITEM_RATE_LIMIT);
	item_set(s->arena, &rate, STR("Count"), value_number(499));
	item_set(s->arena, &rate, TABLE_EXPIRES, value_number((day + 1) * RATE_DAY_SECONDS));
	seeded_put(s, &rate, 1);
	get(&b, "/tag/boats");
	is_int(SUBMIT(&b, "/follow/tag/boats", "do", "follow"), HTTP_SEE_OTHER, "so many in a day");
	get(&b, "/tag/tides");
	is_int(SUBMIT(&b, "/follow/tag/tides", "do", "follow"), HTTP_TOO_MANY, "... and no more");
	ok(says(&b, "as much as anybody can do in a day"), "... which it says");
	get(&b, "/tag/boats");
	is_int(SUBMIT(&b, "/follow/tag/boats", "do", "unfollow"), HTTP_SEE_OTHER,
	    "... but whatever was followed can be undone");
}

static void
follows_what_was_merged(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");
	struct item item = seeded_item(s, "CATEGORY#rigging", "METADATA");
	struct item merged = item_shallow(s->arena, &item);

	item_set(s->arena, &merged, STR("MergedInto"), value_string(STR("tides")));
	item_set(s->arena, &merged, STR("GSI3SK"), value_string(STR("~rigging")));
	seeded_put(s, &merged, 1);
	seeded_restart(s, 0);
	is_int(get(&lowri, "/follow/category/rigging"), HTTP_OK, "a category that was merged");
	ok(says(&lowri, "Tides") || says(&lowri, "tides"), "... is followed as what it is now");
	seeded_put(s, &item, 1);
	seeded_restart(s, 0);
}

int
main(void)
{
	struct seeded s;
	struct browser lowri;
	const char *root;

	browsers_open(&s);
	lowri = browser_of(&s, "lowri");
	root = first_root(&lowri);
	follows(&s, (struct watch_target){WATCH_POST, .post = STR(TIDE)}, POST, "/follow/post/" TIDE);
	follows(&s, (struct watch_target){WATCH_THREAD, str_of(root), STR(TIDE)},
	    joined(&s, POST "/thread/", root), joined(&s, "/follow/thread/", root));
	follows(&s, (struct watch_target){WATCH_TAG, .name = STR("boats")}, "/tag/boats",
	    "/follow/tag/boats");
	follows(&s, (struct watch_target){WATCH_CATEGORY, .name = STR("tides")}, "/category/tides",
	    "/follow/category/tides");
	asks(&s);
	lists(&s, root);
	outlives(&s);
	refuses(&s, root);
	is_limited(&s);
	follows_what_was_merged(&s);
	browsers_close(&s);
	return tap_done();
}
