/*
 * Comments of a post as a whole: whoever may edit the post turns them off, moderators close them or a thread, and pin
 * threads. Nobody writes where it is closed, whenever it was; what they typed is there.
 */
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/key.h"
#include "model/post/writing.h"
#include "model/reader/comment_write.h"

#include <string.h>

#define POST_ID "the-tide-in-forty-lines-of-c"
#define TIDE "/post/" POST_ID
#define WRITE TIDE "/comment"
#define MANAGE TIDE "/discussion"
#define PK "POST#" POST_ID

static void
pass(struct seeded *s)
{
	s->clock.fixed_now += 10 * 60000;
}

/* The first root on the page that anybody sees whose author is this one; another than `but`. */
static const char *
root_of(struct seeded *s, const char *author, const char *but)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_comments(s->arena, STR(POST_ID));
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 100;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no comments");
	for (size_t i = 0; i < count; i++)
		if (str_eq(item_string(&found[i], STR("Author")), str_of(author)) &&
		    item_string(&found[i], STR("Parent")).len == 0 &&
		    !str_eq(item_string(&found[i], STR("Id")), str_of(but)))
			return str_cstring(s->arena, item_string(&found[i], STR("Id")));
	bail_out("nothing by %s", author);
}

static enum http_status
press(struct browser *b, const char *value)
{
	get(b, MANAGE);
	return SUBMIT(b, MANAGE, "do", value);
}

static const char *
of(struct seeded *s, const char *what, const char *root)
{
	return str_cstring(s->arena, STR_CONCAT(s->arena, str_of(what), STR(":"), str_of(root)));
}

/* Types, presses the button after something else was done, and has the text back. */
static void
too_late(struct browser *b, const char *address, struct browser *other, const char *value,
    const char *says_why)
{
	pass(b->s);
	is_int(get(b, address), HTTP_OK, "somebody types");
	is_int(press(other, value), HTTP_SEE_OTHER, "... while it is closed: %s", value);
	is_int(SUBMIT(b, address, "do", "send", "text", "Half a thought."), HTTP_FORBIDDEN,
	    "... which is not sent");
	ok(says(b, says_why) && says(b, "not lost"), "... says why");
	is_str(text_of(b, "text"), STR("Half a thought."), "... and gives the text back");
	ok(!stranger_sees(b->s, TIDE, "Half a thought."), "... which nobody else sees");
}

static int64_t
by_authors(struct seeded *s)
{
	return (int64_t)count_of(
	    visit(s, STR("/moderation")).body, STR("by the author of the post"));
}

static void
off(struct seeded *s)
{
	struct browser author = browser_of(s, "kofi"), reader = newcomer(s, "swift");
	struct browser editor = browser_of(s, "tobias"), proofreader = browser_of(s, "lowri");
	int64_t before;

	get(&author, TIDE);
	ok(says(&author, "href=\"" MANAGE "\""), "an author is led to where comments are turned off");
	get(&reader, TIDE);
	ok(!says(&reader, MANAGE), "... a reader is not");
	is_int(get(&reader, MANAGE), HTTP_FORBIDDEN, "... nor let in");
	get(&author, MANAGE);
	ok(says(&author, "value=\"off\"") && !says(&author, "value=\"close\""),
	    "an author turns them off, and does not close them");
	is_int(SUBMIT(&author, MANAGE, "do", "close"), HTTP_FORBIDDEN, "... not even by hand");
	too_late(&reader, WRITE, &author, "off", "Comments are turned off here.");
	ok(stranger_sees(s, TIDE, "Comments are turned off here.") &&
		!stranger_sees(s, TIDE, "href=\"" WRITE) && stranger_sees(s, TIDE, "class=\"comment"),
	    "all read that, and what there is, with no way on");
	get(&editor, WRITE);
	ok(!says(&editor, "value=\"send\""), "nobody writes then, nor does an editor");
	ok(stranger_sees(s, "/moderation", "The comments were turned off by the author of the post"),
	    "the public log has it");
	ok(stranger_sees(s, TIDE "/feed.atom", "<subtitle>Comments are turned off here."),
	    "... and so has their feed");
	is_int(submit_form(&author, "/edit/" POST_ID, "/edit/" POST_ID,
		   (const char *const[]){"do", "save", "excerpt", "Another one.", NULL}),
	    HTTP_SEE_OTHER, "the post is saved");
	ok(stranger_sees(s, TIDE, "Comments are turned off here."), "... and they stay off");
	is_int(press(&editor, "on"), HTTP_SEE_OTHER, "an editor turns them on");
	before = by_authors(s);
	is_int(press(&proofreader, "off"), HTTP_SEE_OTHER, "so does who edits others' posts");
	is_int(by_authors(s), before, "... which the public log does not say of the author");
	is_int(press(&editor, "on"), HTTP_SEE_OTHER, "on again");
	is_int(get(&reader, WRITE), HTTP_OK, "... and one writes");
	ok(says(&reader, "value=\"send\""), "... again");
}

static void
closed(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), reader = browser_of(s, "swift");
	struct item head = seeded_item(s, PK, "METADATA"), after;

	too_late(&reader, WRITE, &editor, "close", "The comments here are closed.");
	after = seeded_item(s, PK, "METADATA");
	is_int(item_number(&after, STR("Version")), item_number(&head, STR("Version")),
	    "whoever edits the post meanwhile is not disturbed");
	ok(stranger_sees(s, TIDE, "The comments here are closed."), "all read that");
	get(&editor, TIDE);
	ok(says(&editor, "href=\"" WRITE "\""), "moderators still write");
	get(&editor, WRITE);
	s->clock.fixed_now += 4000;
	is_int(SUBMIT(&editor, WRITE, "do", "send", "text", "A word of the editors."),
	    HTTP_SEE_OTHER, "... and do");
	is_int(press(&editor, "close"), HTTP_SEE_OTHER, "closed twice is closed");
	is_int(press(&editor, "reopen"), HTTP_SEE_OTHER, "they are reopened");
	ok(!stranger_sees(s, TIDE, "are closed"), "... for all");
	ok(stranger_sees(s, "/moderation", "The comments were closed") &&
		stranger_sees(s, "/moderation", "The comments were reopened"),
	    "the public log has both");
}

static void
thread_closed(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), reader = browser_of(s, "swift");
	const char *root = root_of(s, "pascal", ""), *close = of(s, "close", root);
	const char *reply = text_in(s, WRITE "?to=%s", root);
	struct str deep;

	get(&editor, TIDE);
	ok(says(&editor, text_in(s, "value=\"close:%s\"", root)), "a root has the buttons");
	get(&reader, TIDE);
	ok(!says(&reader, "value=\"close:"), "... for moderators");
	is_int(SUBMIT(&editor, MANAGE, "do", "close:nonsense"), HTTP_BAD_REQUEST,
	    "a button that there is not");
	is_int(press(&editor, "close:00000000000000"), HTTP_NOT_FOUND, "nor such a thread");
	too_late(&reader, reply, &editor, close, "This thread is closed.");
	deep = part(visit(s, STR(TIDE)).body, "id=\"comments\"", "</section>");
	ok(holds(deep, STR("<span class=\"badge\">Closed</span>")), "all see that it is closed");
	ok(!holds(deep, str_of(reply)) &&
		!holds(deep, STR_CONCAT(s->arena, str_of(reply), STR("."))),
	    "... and no way to reply to it, or to what is under it");
	is_int(get(&reader, text_in(s, WRITE "?to=%s", root_of(s, "ingrid", ""))), HTTP_OK,
	    "another thread");
	ok(says(&reader, "value=\"send\""), "... is open");
	is_int(get(&editor, reply), HTTP_OK, "moderators reply");
	s->clock.fixed_now += 600000;
	is_int(SUBMIT(&editor, reply, "do", "send", "text", "Enough of that."), HTTP_SEE_OTHER,
	    "... still");
	get(&editor, MANAGE);
	ok(says(&editor, "The thread of Pascal") && says(&editor, ", closed"),
	    "closed threads are listed");
	get(&editor, TIDE);
	is_int(SUBMIT(&editor, MANAGE, "do", of(s, "reopen", root)), HTTP_SEE_OTHER, "reopened");
	ok(str_starts(header(&editor.last, "Location"), STR(TIDE "#c-")), "... one is back there");
	ok(stranger_sees(s, TIDE, reply), "... and it takes replies");
	ok(stranger_sees(s, "/moderation", "A thread was closed"), "the public log has it");
}

/* The transaction guards, not only the form before it. */
static void
guarded(struct seeded *s)
{
	const char *root = root_of(s, "pascal", "");
	struct table_call call = {.arena = s->arena};
	struct item head = seeded_item(s, PK, "METADATA"), shut;
	struct post post;
	struct comment to = {.path = str_of(root)};
	struct new_comment comment = {.post = &post, .markdown = STR("x"), .html = STR("x")};
	struct plan plan = {.table = s->table,
	    .call = &call,
	    .clock = &s->clock,
	    .now = s->clock.fixed_now,
	    .by = STR("lowri"),
	    .by_name = STR("Lowri")};
	struct str roots = str_of(root);

	post_from_item(s->arena, &head, &post);
	shut = item_shallow(s->arena, &head);
	item_set(s->arena, &shut, STR("CommentsOff"), value_boolean(true));
	seeded_put(s, &shut, 1);
	comment.moderates = true;
	is_int(comment_create(&plan, &comment), PLAN_NOT_THERE, "off: nothing is written");
	ok(plan.found != NULL && item_boolean(plan.found, STR("CommentsOff")), "... and one knows why");
	shut = item_shallow(s->arena, &head);
	item_set(s->arena, &shut, STR("CommentsClosed"), value_boolean(true));
	seeded_put(s, &shut, 1);
	comment.moderates = false;
	is_int(comment_create(&plan, &comment), PLAN_NOT_THERE, "closed: neither");
	shut = item_shallow(s->arena, &head);
	item_set(s->arena, &shut, STR("ClosedThreads"), value_strings(s->arena, &roots, 1));
	seeded_put(s, &shut, 1);
	comment.to = &to;
	is_int(comment_create(&plan, &comment), PLAN_NOT_THERE, "a closed thread: nothing in it");
	comment.to = NULL;
	is_int(comment_create(&plan, &comment), PLAN_DONE, "... but beside it");
	seeded_put(s, &head, 1);
	table_release(s->table, &call);
}

/* A post that comes from a file says nothing of its comments: what is off stays off. */
static void
imported(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct item head = seeded_item(s, PK, "METADATA"), off = item_shallow(s->arena, &head);
	const struct str root = str_of(root_of(s, "pascal", ""));
	struct plan plan = {
	    .table = s->table, .call = &call, .clock = &s->clock, .now = s->clock.fixed_now};
	struct written old;
	struct draft draft;
	bool there;

	item_set(s->arena, &off, STR("CommentsOff"), value_boolean(true));
	item_set(s->arena, &off, STR("CommentsClosed"), value_boolean(true));
	item_set(s->arena, &off, STR("ClosedThreads"), value_strings(s->arena, &root, 1));
	item_set(s->arena, &off, STR("Pinned"), value_strings(s->arena, &root, 1));
	seeded_put(s, &off, 1);
	if (written_get(&plan, STR(POST_ID), &old, &there) != TABLE_OK || !there)
		bail_out("no post");
	draft = (struct draft){.post = old.post, .body = old.body};
	draft.post.comments_off = draft.post.comments_closed = false;
	draft.post.closed_threads.count = draft.post.pinned.count = 0;
	is_int(writing_save(&plan, &old, &draft), PLAN_DONE, "a post is imported over one that is there");
	off = seeded_item(s, PK, "METADATA");
	ok(item_boolean(&off, STR("CommentsOff")) && item_boolean(&off, STR("CommentsClosed")) &&
		item_get(&off, STR("ClosedThreads")) != NULL && item_get(&off, STR("Pinned")) != NULL,
	    "... and its comments are as they were");
	item_remove(&off, STR("CommentsOff"));
	item_remove(&off, STR("CommentsClosed"));
	item_remove(&off, STR("ClosedThreads"));
	item_remove(&off, STR("Pinned"));
	seeded_put(s, &off, 1);
	table_release(s->table, &call);
}

static void
pinned(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias");
	const char *first = root_of(s, "marta", ""), *second = root_of(s, "ingrid", "");
	static const char *const orders[] = {TIDE, TIDE "?comments=oldest", TIDE "?comments=newest"};

	is_int(press(&editor, of(s, "pin", second)), HTTP_SEE_OTHER, "a thread is pinned");
	is_int(press(&editor, of(s, "pin", first)), HTTP_SEE_OTHER, "... and another");
	for (size_t i = 0; i < 3; i++) {
		struct str page = visit(s, str_of(orders[i])).body;
		struct str found = part(page, "class=\"thread\">\n<li>\n<div class=\"comment depth-0\" id=\"c-", "\"");

		is_str(found, str_of(first), "%s: it stands first", orders[i]);
		is_int((int64_t)count_of(page, STR_CONCAT(s->arena, STR("id=\"c-"), str_of(second))),
		    1, "... once");
		is_int((int64_t)count_of(page, STR("<span class=\"badge\">Pinned</span>")), 2,
		    "... as pinned");
	}
	is_int(press(&editor, of(s, "pin", root_of(s, "pascal", ""))), HTTP_SEE_OTHER, "a third");
	is_int(press(&editor, of(s, "pin", root_of(s, "tobias", ""))), HTTP_CONFLICT,
	    "... and no more");
	ok(says(&editor, "Unpin one first"), "... says what to do");
	is_int(press(&editor, of(s, "unpin", first)), HTTP_SEE_OTHER, "it is unpinned");
	ok(!holds(part(visit(s, STR(TIDE)).body, text_in(s, "id=\"c-%s\"", first), "</article>"),
	       STR(">Pinned<")),
	    "... and no longer marked");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	off(&s);
	closed(&s);
	thread_closed(&s);
	guarded(&s);
	imported(&s);
	pinned(&s);
	browsers_close(&s);
	return tap_done();
}
