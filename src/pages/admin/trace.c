/*
 * /admin/users/<u>/trace: what somebody has left on the site, for who moderates: what they have said, reviewed,
 * published and collected, and how much of all else; with ?list= all of one sort, a page at a time.
 * /admin/users/<u>/purge: takes it away, all or what is younger than a moment, after naming what it would do; and
 * brings it back within 30 days.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_staff.h"
#include "model/people/person_counts.h"
#include "model/people/purge.h"
#include "model/post/collection.h"
#include "model/reader/comment.h"
#include "model/reader/rating.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "table/cursor_key.h"
#include "text/url.h"

enum { SHOWN = 20, ROUNDS = 10 };
#define HOUR_MS INT64_C(3600000)

static struct str
page_of(struct request *rq, const char *what)
{
	return STR_CONCAT(rq->arena,
	    url_join(rq->arena, STR("/admin/users/"), request_param(rq, "username")), STR("/"),
	    str_of(what));
}

/* The person of the address, whom the viewer may suspend or purge; and what is read with them. */
static enum http_status
load(struct request *rq, struct read *reads, size_t count, struct user *user)
{
	struct str name = request_param(rq, "username");
	enum http_status status;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_user(rq->arena, name)};
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, reads[0].item, user);
	return may(rq->viewer, MAY_SUSPEND, thing_person(user)) ? HTTP_OK : HTTP_NOT_FOUND;
}

/* --- The trace --------------------------------------------------------------------------------------- */

/* What each part is called; those with a heading can be gone through. */
static const struct {
	const char *one, *many, *heading, *name;
	bool first; /* its newest stand on the page of all */
} parts[TRACES] = {
    [TRACE_POSTS] = {"public post", "public posts", "What they have published", "posts", true},
    [TRACE_CLOSED] = {"post for some", "posts for some", "What they have published for some", "closed", false},
    [TRACE_DRAFTS] = {"draft", "drafts", NULL, NULL, false},
    [TRACE_COMMENTS] = {"comment", "comments", "What they have said", "comments", true},
    [TRACE_HELD] = {"comment that waits", "comments that wait", "What waits", "held", true},
    [TRACE_RATINGS] = {"rating", "ratings", "What they have rated", "ratings", true},
    [TRACE_COLLECTIONS] = {"collection", "collections", "What they have collected", "collections", true},
    [TRACE_LIKES] = {"like", "likes", "What they like", "likes", false},
    [TRACE_VOTES] = {"vote", "votes", "What they have voted on", "votes", false},
    [TRACE_FLAGS] = {"flag", "flags", NULL, NULL, false},
    [TRACE_SESSIONS] = {"session", "sessions", NULL, NULL, false},
    [TRACE_PICTURES] = {"picture", "pictures", NULL, NULL, false},
};
enum { PERSON, COUNTS, PURGE, FIRST_PART, TRACE_READS = FIRST_PART + TRACES };
enum { COUNTED_MAX = 100 };

static void
trace_reads(struct request *rq, struct read *reads)
{
	struct str name = request_param(rq, "username");

	reads[COUNTS] = person_counts_read(rq->arena, name);
	reads[PURGE] = (struct read){.kind = READ_GET, .key = key_purge(rq->arena, name)};
	for (size_t i = 0; i < TRACES; i++) {
		struct query query = query_trace(rq->arena, name, (enum trace)i);

		query.limit = COUNTED_MAX;
		query.descending = true;
		reads[FIRST_PART + i] = (struct read){.kind = READ_QUERY, .query = query};
	}
}

/* "12 comments", "100 or more likes" */
static struct str
counts_text(struct request *rq, const struct read *reads, const struct user *user)
{
	struct str said = words_count(rq->arena, user->followers, "follower", "followers");

	said = STR_CONCAT(rq->arena, STR("Follows "), words_number(rq->arena, user->following),
	    STR(" · "), said);
	for (size_t i = 0; i < TRACES; i++) {
		const struct read *part = &reads[FIRST_PART + i];

		if (part->found_count != 0)
			said = STR_CONCAT(rq->arena, said, STR(" · "),
			    words_count(rq->arena, (int64_t)part->found_count, parts[i].one,
				parts[i].many),
			    part->next.len != 0 ? STR(" or more") : STR(""));
	}
	return said;
}

/* The heads of the posts that one part is about, or all that the page of all shows, each once. */
static enum http_status
read_heads(struct request *rq, const struct read *reads, size_t part_count, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, part_count * SHOWN, struct key);
	size_t count = 0;

	for (size_t p = 0; p < part_count; p++)
		for (size_t i = 0; (part_count == 1 || parts[p].first) && i < SHOWN &&
				   i < reads[p].found_count;
		    i++) {
			struct str post = item_string(&reads[p].found[i], STR("Post"));
			struct key key = key_post(rq->arena, post);
			size_t k = 0;

			while (k < count && !str_eq(keys[k].pk, key.pk))
				k++;
			if (k == count && post.len != 0)
				keys[count++] = key;
		}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0 ? page_read(rq, heads, 1) : HTTP_OK;
}

/* The post that it is about, if the viewer may read it. */
static bool
find_post(struct request *rq, const struct read *heads, struct str id, struct post *out)
{
	for (size_t i = 0; i < heads->batch.count; i++) {
		if (heads->items[i] == NULL)
			continue;
		post_from_item(rq->arena, heads->items[i], out);
		if (str_eq(out->id, id))
			return may(rq->viewer, MAY_READ, thing_post(out, rq->now));
	}
	return false;
}

/* A post or collection itself; false: it is not the viewer's to read. */
static bool
fill_own(struct request *rq, const struct item *item, struct admin_row_view *out)
{
	struct collection collection;
	struct post post;

	if (kind_is(item, ITEM_COLLECTION)) {
		collection_from_item(rq->arena, item, &collection);
		*out = (struct admin_row_view){.name = collection.name,
		    .url = url_join(rq->arena, STR("/collection/"), collection.id)};
		return may(rq->viewer, MAY_READ, thing_collection(&collection));
	}
	post_from_item(rq->arena, item, &post);
	if (!may(rq->viewer, MAY_READ, thing_post(&post, rq->now)))
		return false;
	note_confidential(rq, &post);
	*out = (struct admin_row_view){
	    .url = post_path(rq->arena, &post), .name = words_title(&post)};
	return true;
}

static bool
fill_row(struct request *rq, const struct item *item, const struct read *heads,
    struct admin_row_view *out)
{
	struct comment comment;
	struct rating rating;
	struct post post;
	int64_t when = 0;

	if (kind_is(item, ITEM_POST) || kind_is(item, ITEM_COLLECTION))
		return fill_own(rq, item, out);
	if (!find_post(rq, heads, item_string(item, STR("Post")), &post))
		return false;
	note_confidential(rq, &post);
	*out = (struct admin_row_view){.url = post_path(rq->arena, &post),
	    .name = words_title(&post)};
	if (kind_is(item, ITEM_RATING)) {
		rating_from_item(rq->arena, item, &rating);
		out->badge = words_stars(rating.stars);
		out->text = STR_CONCAT(rq->arena, words_moment(rq, rating.created),
		    rating.note.len != 0 ? STR(": ") : STR(""), rating.note);
		return true;
	}
	if (!kind_is(item, ITEM_COMMENT)) {
		(void)time_parse(item_string(item, STR("CreatedAt")), &when);
		out->text = words_moment(rq, when);
		return true;
	}
	comment_from_item(rq->arena, item, &comment);
	out->badge = comment.status == COMMENT_HELD ? STR("waits") : STR("");
	out->text = words_moment(rq, comment.created);
	out->has_body = true;
	out->body_html = stored_comment_html(rq, &comment);
	return true;
}

static void
show_part(struct request *rq, const struct read *read, size_t part, const struct read *heads,
    struct admin_view *view)
{
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, SHOWN, struct admin_row_view);
	struct str next = read->next;
	struct admin_panel_view *panel;
	size_t count = 0;

	for (size_t i = 0; i < read->found_count && i < SHOWN; i++)
		count += fill_row(rq, &read->found[i], heads, &rows[count]);
	if (read->found_count > SHOWN)
		next = cursor_key_write(rq->arena, &read->query, &read->found[SHOWN - 1]);
	if (count == 0 && next.len == 0)
		return;
	panel = admin_panel(view, parts[part].name, parts[part].heading);
	panel->rows.items = rows;
	panel->rows.count = count;
	panel->pagination = pagination_of_list(rq, parts[part].name, parts[part].heading, next);
}

/* "/admin/users/pascal/trace?list=likes": a part by itself, in the pages of it. */
static enum http_status
show_one(struct request *rq, struct response *rs, struct str name)
{
	struct admin_view *view = admin_page(rq, "/admin/comments", STR("Trace"));
	struct read reads[2], heads;
	enum http_status status;
	struct user user;
	size_t part = 0;

	while (part < TRACES &&
	       (parts[part].name == NULL || !str_eq(name, str_of(parts[part].name))))
		part++;
	if (part == TRACES || !username_valid(request_param(rq, "username")))
		return HTTP_NOT_FOUND;
	reads[1] = (struct read){.kind = READ_QUERY,
	    .query = query_trace(rq->arena, request_param(rq, "username"), (enum trace)part)};
	reads[1].query.limit = SHOWN;
	reads[1].query.descending = true;
	if (!list_cursor_of(rq, "after", &reads[1].query.cursor))
		return HTTP_BAD_REQUEST;
	status = load(rq, reads, 2, &user);
	if (status == HTTP_OK)
		status = read_heads(rq, &reads[1], 1, &heads);
	if (status != HTTP_OK)
		return status;
	view->title = STR_CONCAT(rq->arena, STR("Trace of "), user.display_name);
	admin_trail(rq, view, page_of(rq, "trace"), view->title);
	show_part(rq, &reads[1], part, &heads, view);
	return admin_respond(rq, rs, view);
}

static enum http_status
show_trace(struct request *rq, struct response *rs)
{
	static const enum trace order[] = {
	    TRACE_HELD, TRACE_COMMENTS, TRACE_RATINGS, TRACE_POSTS, TRACE_COLLECTIONS};
	struct admin_view *view = admin_page(rq, "/admin/comments", STR("Trace"));
	struct str only = request_query(rq, "list");
	struct read reads[TRACE_READS], heads;
	struct admin_panel_view *panel;
	enum http_status status;
	struct user user;

	if (only.len != 0)
		return show_one(rq, rs, only);
	trace_reads(rq, reads);
	status = load(rq, reads, TRACE_READS, &user);
	if (status == HTTP_OK)
		status = read_heads(rq, &reads[FIRST_PART], TRACES, &heads);
	if (status != HTTP_OK)
		return status;
	person_counts_add(reads[COUNTS].item, &user);
	view->title = STR_CONCAT(rq->arena, STR("Trace of "), user.display_name);
	view->intro = counts_text(rq, reads, &user);
	panel = admin_panel(view, "measures", NULL);
	panel->text = STR_CONCAT(rq->arena, user.username, STR(" · here since "),
	    words_date(rq, user.created),
	    user.status == USER_DISABLED ? STR(" · disabled") : STR(""));
	admin_way(rq, panel, page_of(rq, "suspend"), "Suspend");
	admin_way(rq, panel, page_of(rq, "purge"),
	    reads[PURGE].item != NULL ? "Purged: look or restore" : "Purge");
	for (size_t i = 0; i < TRACES; i++)
		if (parts[i].heading != NULL && !parts[i].first &&
		    reads[FIRST_PART + i].found_count != 0)
			admin_way(rq, panel,
			    STR_CONCAT(rq->arena, rq->path, STR("?list="), str_of(parts[i].name)),
			    parts[i].heading);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		show_part(rq, &reads[FIRST_PART + order[i]], order[i], &heads, view);
	return admin_respond(rq, rs, view);
}

/* --- The purge --------------------------------------------------------------------------------------- */

struct purge_form {
	int64_t hours;
	struct str name;
};
static const struct choice spans[] = {
    {STR_INIT("hour"), "The last hour", 1},
    {STR_INIT("day"), "The last day", 24},
    {STR_INIT("week"), "The last week", 168},
    {STR_INIT("all"), "All that there is", 0},
    {STR_INIT(""), NULL, 0},
};
static const struct field purge_fields[] = {
    {FIELD_CHOICE(struct purge_form, hours), .label = "What goes", .required = true,
	.missing = "What is to go?", .choices = spans},
    {FIELD_LINE(struct purge_form, name), .label = "Their username", .required = true, .max = 30,
	.missing = "Type the username of the person, so that it is nobody else.",
	.hint = "So that it is nobody else by mistake."},
};
static const struct form purge_form =
    FORM("purge", struct purge_form, purge_fields, .button = "Disable and purge");

enum { P_PURGE = 1, P_OWN, P_ACTIVITY, P_READS };

static void
purge_reads(struct request *rq, struct read *reads)
{
	struct str name = request_param(rq, "username");

	reads[P_PURGE] = (struct read){.kind = READ_GET, .key = key_purge(rq->arena, name)};
	reads[P_OWN] = (struct read){.kind = READ_QUERY, .query = query_following(rq->arena, name)};
	reads[P_ACTIVITY] =
	    (struct read){.kind = READ_QUERY, .query = query_activity(rq->arena, name)};
	reads[P_OWN].query.limit = reads[P_ACTIVITY].query.limit = TABLE_QUERY_MAX;
	reads[P_ACTIVITY].query.descending = true;
}

/* What a purge takes of each kind. */
static const struct {
	enum item_kind kind;
	const char *one, *many;
} takes[] = {
    {ITEM_POST, "post", "posts"},
    {ITEM_COMMENT, "comment", "comments"},
    {ITEM_RATING, "rating", "ratings"},
    {ITEM_COLLECTION, "public collection", "public collections"},
    {ITEM_LIKE, "like", "likes"},
    {ITEM_VOTE, "vote", "votes"},
    {ITEM_BOOKMARK, "bookmark", "bookmarks"},
    {ITEM_FOLLOW, "person whom they follow", "people whom they follow"},
    {ITEM_FLAG, "flag", "flags"},
};
enum { TAKES = sizeof(takes) / sizeof(takes[0]) };

/* How many of each kind would go: "3 comments, 12 likes". */
static struct str
would_go(struct request *rq, const struct read *reads, int64_t since)
{
	int64_t counts[ITEM_KINDS] = {0};
	struct str said = STR("");

	for (size_t r = P_OWN; r <= P_ACTIVITY; r++)
		for (size_t i = 0; i < reads[r].found_count; i++) {
			const struct item *item = &reads[r].found[i];

			/* A follower of theirs stands in their activity, and is another's. */
			if ((r == P_OWN || !kind_is(item, ITEM_FOLLOW)) &&
			    purge_takes(item, since))
				counts[kind_of(item) - item_kinds]++;
		}
	for (size_t i = 0; i < TAKES; i++)
		if (counts[takes[i].kind] != 0)
			said = STR_CONCAT(rq->arena, said, said.len != 0 ? STR(", ") : STR(""),
			    words_count(rq->arena, counts[takes[i].kind], takes[i].one,
				takes[i].many));
	if (said.len == 0)
		return STR("Nothing");
	return reads[P_ACTIVITY].next.len != 0 ? STR_CONCAT(rq->arena, said, STR(", and more"))
					       : said;
}

static void
show_dry_run(struct request *rq, const struct read *reads, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "dry-run", "What would go");
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, 4, struct admin_row_view);

	for (size_t i = 0; i < 4; i++) {
		int64_t since =
		    spans[i].value != 0 ? rq->now - spans[i].value * HOUR_MS : (int64_t)0;

		rows[i] = (struct admin_row_view){
		    .name = str_of(spans[i].label), .text = would_go(rq, reads, since)};
	}
	panel->rows.items = rows;
	panel->rows.count = 4;
}

static void
show_state(struct request *rq, struct response *rs, const struct purge *purge,
    struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "state", "Purged");
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);
	bool again = purge->state == PURGE_REMOVING || purge->state == PURGE_RESTORING;

	*row = (struct admin_row_view){
	    .name = words_count(rq->arena, purge->removed, "item", "items"),
	    .badge = purge->state == PURGE_REMOVING	? STR("at work")
		     : purge->state == PURGE_RESTORING ? STR("coming back")
						       : STR(""),
	    .text = STR_CONCAT(rq->arena, STR("By "), purge->by, STR(", "),
		words_moment(rq, purge->created), STR(". It can be restored until "),
		words_date(
		    rq, purge->created + (int64_t)PURGE_KEPT_SECONDS * 1000))};
	if (again)
		admin_button(rq, row, "do", STR("on"), "Go on");
	if (purge->state != PURGE_RESTORING)
		admin_button(rq, row, "do", STR("restore"), "Restore all");
	admin_buttons_lead(rq, rs, panel, rq->path);
	panel->rows.items = row;
	panel->rows.count = 1;
}

static enum http_status
show_purge(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/comments", STR("Purge"));
	struct read reads[P_READS];
	struct purge purge;
	enum http_status status;
	struct user user;

	purge_reads(rq, reads);
	status = load(rq, reads, P_READS, &user);
	if (status != HTTP_OK)
		return status;
	purge_from_item(rq->arena, reads[P_PURGE].item, &purge);
	view->title = STR_CONCAT(rq->arena, STR("Purge "), user.display_name);
	view->intro =
	    STR("Shuts them out, and hides and uncounts what they have left: comments, reactions, "
		"ratings, follows, flags, public collections, posts. For 30 days all of it can be "
		"restored; then it is erased, and of whom all went, the account.");
	if (purge.state != PURGE_NONE)
		show_state(rq, rs, &purge, view);
	if (purge.state == PURGE_NONE) {
		show_dry_run(rq, reads, view);
		admin_form(rq, rs, admin_panel(view, "purge-panel", NULL),
		    form_shown(rq, &purge_form), rq->path);
	}
	return admin_respond(rq, rs, view);
}

/* As much as a request does; the sweeper does the rest. */
static enum plan_rc
work(struct plan *plan, struct str username)
{
	enum plan_rc rc = PLAN_DONE;
	bool done = false;

	for (int i = 0; i < ROUNDS && rc == PLAN_DONE && !done; i++)
		rc = purge_round(plan, username, &done);
	/* Somebody else is at it, too. */
	return rc == PLAN_CHANGED ? PLAN_DONE : rc;
}

/* The buttons have no fields. */
static enum http_status
show_or_act(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str wish = input_of(rq, "do");
	struct read reads[1];
	struct user user;
	enum http_status status;
	enum plan_rc rc = PLAN_DONE;
	bool back = str_eq(wish, STR("restore"));

	if (wish.len == 0)
		return show_purge(rq, rs);
	if (!back && !str_eq(wish, STR("on")))
		return HTTP_BAD_REQUEST;
	status = load(rq, reads, 1, &user);
	if (status != HTTP_OK)
		return status;
	if (back)
		rc = purge_restore(&plan, user.username);
	if (rc == PLAN_DONE)
		rc = work(&plan, user.username);
	return plan_answer(rq, rs, &plan, rc, rq->path, back ? "restored" : "worked");
}

static enum http_status
purge(struct request *rq, struct response *rs)
{
	const struct purge_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	struct read reads[1];
	struct user user;
	enum http_status status = load(rq, reads, 1, &user);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!str_eq(str_lower(rq->arena, in->name), user.username)) {
		form_refuse(rq->form, "name", "That is not the name of this person.");
		return show_purge(rq, rs);
	}
	rc = purge_begin(&plan, &user, in->hours != 0 ? rq->now - in->hours * HOUR_MS : 0);
	if (rc == PLAN_DONE)
		rc = work(&plan, user.username);
	return plan_answer(rq, rs, &plan, rc, rq->path, "purged");
}

PAGE(admin_user_trace, .get = show_trace, .query = QUERY("after", "list"))
PAGE(admin_user_purge, .get = show_purge, .post = purge, .refused = show_or_act,
    .form = &purge_form, .query = QUERY("done"))
