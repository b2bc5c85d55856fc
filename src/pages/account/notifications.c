/*
 * GET /account/notifications: what others did that concerns somebody, the newest first; POST: all of it was read, or one.
 * What they may not see any more, and what is of people whom they have muted, is left out.
 *
 * GET /account/notifications/count: how many are unread, for the script of their other pages.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_notification.h"
#include "model/people/notification.h"
#include "model/reader/comment.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/markdown.h"
#include "text/text.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { SHOWN = 20, NAMED = 3, EXCERPT = 200 };

struct notification_view {
	LIST_OF(struct byline_other_view) who;
	struct str more, says, url, title, tail, excerpt, why;
	struct str date, date_text, read_value, read_label;
};

struct notifications_view {
	struct layout_view layout;
	struct str title, notice, action_url, token, all_value, empty_text;
	LIST_OF(struct notification_view) notes;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(notification_view, LIST(who, byline_other_view), STRING(more), STRING(says), STRING(url),
    STRING(title), STRING(tail), STRING(excerpt), STRING(why), STRING(date), STRING(date_text),
    STRING(read_value), STRING(read_label))
VIEW_FIELDS(notifications_view, VIEW(layout, layout_view), STRING(title), STRING(notice),
    STRING(action_url), STRING(token), STRING(all_value), STRING(empty_text),
    LIST(notes, notification_view), OPTION(pagination, pagination_view))
TEMPLATE(notifications_template, "notifications", notifications_view)

/* --- What is read ------------------------------------------------------------------------------------- */

/* One to be shown, with who stands behind it and isn't muted. */
struct told {
	struct notification note;
	struct strings_value who;
};

/* What they are about, in one batch each. */
struct about {
	struct read heads, comments, people;
};

static size_t
place_of(const struct key *keys, size_t count, struct key key)
{
	size_t i = 0;

	while (i < count && !(str_eq(keys[i].pk, key.pk) && str_eq(keys[i].sk, key.sk)))
		i++;
	return i;
}

static void
want(struct read *batch, struct key *keys, struct key key)
{
	if (place_of(keys, batch->batch.count, key) == batch->batch.count)
		keys[batch->batch.count++] = key;
}

static const struct item *
item_of(const struct read *batch, struct key key)
{
	size_t at = place_of(batch->batch.keys, batch->batch.count, key);

	return at < batch->batch.count ? batch->items[at] : NULL;
}

static enum http_status
read_about(struct request *rq, const struct told *told, size_t count, struct about *about)
{
	struct key *heads = ARENA_ARRAY(rq->arena, count, struct key);
	struct key *comments = ARENA_ARRAY(rq->arena, count, struct key);
	struct key *people = ARENA_ARRAY(rq->arena, count * NAMED, struct key);
	struct read *all[] = {&about->heads, &about->comments, &about->people}, reads[3];
	size_t sent = 0;
	enum http_status status;

	about->heads = (struct read){.kind = READ_BATCH, .batch = {heads, 0}};
	about->comments = (struct read){.kind = READ_BATCH, .batch = {comments, 0}};
	about->people = (struct read){.kind = READ_BATCH, .batch = {people, 0}};
	for (size_t i = 0; i < count; i++) {
		const struct notification *note = &told[i].note;

		if (note->post.len != 0)
			want(&about->heads, heads, key_post(rq->arena, note->post));
		if (note->comment.len != 0)
			want(&about->comments, comments,
			    key_comment(rq->arena, note->post, note->comment));
		for (size_t n = 0; n < told[i].who.count && n < NAMED; n++)
			want(&about->people, people, key_user(rq->arena, told[i].who.strings[n]));
	}
	for (size_t i = 0; i < 3; i++)
		if (all[i]->batch.count != 0)
			reads[sent++] = *all[i];
	status = sent != 0 ? page_read(rq, reads, sent) : HTTP_OK;
	for (size_t i = 0, n = 0; i < 3; i++)
		if (all[i]->batch.count != 0)
			*all[i] = reads[n++];
	return status;
}

/* --- What is said ------------------------------------------------------------------------------------- */

/* By one and by several; what is said behind the title of what it is about. */
static const struct {
	const char *one, *several, *tail;
} sentences[NOTE_WHATS] = {
    [NOTE_REPLY] = {"answered you under", "answered you under", ""},
    [NOTE_MENTION] = {"mentioned you in", "mentioned you in", ""},
    [NOTE_COMMENT] = {"commented on", "commented on", ""},
    [NOTE_THREAD] = {"wrote in a discussion that you follow, under",
	"wrote in a discussion that you follow, under", ""},
    [NOTE_FOLLOWER] = {"follows you", "follow you", ""},
    [NOTE_REQUEST] = {"asks to follow you:", "ask to follow you:", ""},
    [NOTE_APPROVED] = {"lets you follow them", "let you follow them", ""},
    [NOTE_POST] = {"published", "published", ""},
    [NOTE_TAG] = {"published", "published", "with a tag that you follow"},
    [NOTE_CATEGORY] = {"published", "published", "in a category that you follow"},
    [NOTE_COAUTHOR] = {"asks to name you as an author of", "ask to name you as an author of", ""},
};

static const char *const things[] = {[MODERATED_COMMENT] = "Your comment under",
    [MODERATED_POST] = "Your post",
    [MODERATED_NOTE] = "Your note on",
    [MODERATED_PROFILE] = "Your profile",
    [MODERATED_COLLECTION] = "A collection of yours",
    [MODERATED_PERSON] = "The staff have read your answer to your suspension"};

static const struct {
	struct str deed;
	const char *says;
} deeds[] = {
    {STR_INIT("approved"), "is there for everybody"},
    {STR_INIT("released"), "is there for everybody"},
    {STR_INIT("restored"), "is there for everybody again"},
    {STR_INIT("hidden"), "was hidden"},
    {STR_INIT("held back"), "waits until an editor decides"},
    {STR_INIT("kept hidden"), "stays hidden"},
    {STR_INIT("deleted"), "was deleted"},
};

static const char *
deed_of(struct str deed)
{
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (str_eq(deeds[i].deed, deed))
			return deeds[i].says;
	return "";
}

/* "Pascal, Noor and 3 others" */
static void
fill_who(struct request *rq, const struct told *told, const struct about *about,
    struct notification_view *out)
{
	size_t count = told->who.count, named = count <= NAMED ? count : NAMED - 1;
	struct byline_other_view *who = ARENA_ARRAY(rq->arena, NAMED, struct byline_other_view);

	for (size_t i = 0; i < named; i++) {
		struct str username = told->who.strings[i];
		const struct item *item = item_of(&about->people, key_user(rq->arena, username));
		struct user user = {.display_name = username};

		if (item != NULL)
			user_from_item(rq->arena, item, &user);
		who[i] = (struct byline_other_view){
		    .joint = i == 0 ? STR("") : i + 1 == count ? STR(" and ") : STR(", "),
		    .name = user.display_name,
		    .url = item != NULL && user_visible(&user) ? author_path(rq->arena, username)
								: STR(""),
		    .verified = is_verified(rq, username)};
	}
	if (count > named)
		out->more = str_fmt(rq->arena, " and %zu%s others", count - named,
		    told->note.full ? " or more" : "");
	out->who.items = who;
	out->who.count = named;
}

static void
fill_decision(const struct notification *note, struct notification_view *out)
{
	bool known = note->thing < sizeof(things) / sizeof(things[0]) && things[note->thing] != NULL;

	out->says = str_of(known ? things[note->thing] : "Something of yours");
	out->tail = str_of(deed_of(note->deed));
	if (note->thing != MODERATED_COMMENT && note->thing != MODERATED_PERSON) {
		out->url = STR("/account/restricted");
		if (out->title.len == 0)
			out->title = STR("(see it)");
	}
	out->why = str_starts(out->tail, STR("is there")) ? STR("") : note->why;
}

/* Where it leads: to what is to be done, or to what was said. */
static void
fill_way(struct request *rq, const struct notification *note, struct notification_view *out)
{
	struct str newest = STR("");

	if (note->of.count != 0)
		newest = str_cut(note->of.strings[note->of.count - 1], '#', &(struct str){NULL, 0});
	switch (note->what) {
	case NOTE_REPLY:
	case NOTE_COMMENT:
	case NOTE_THREAD: out->url = url_join(rq->arena, STR("/comment/"), newest); break;
	case NOTE_MENTION:
		if (note->comment.len != 0)
			out->url = url_join(rq->arena, STR("/comment/"), newest);
		break;
	case NOTE_COAUTHOR: out->url = STR("/desk/requests"); break;
	case NOTE_REQUEST:
		out->url = STR("/account/followers");
		out->title = STR("answer them");
		break;
	default: break;
	}
}

/* What was decided on something of theirs they are told, whatever has become of where it was. */
static bool
fill_gone(const struct notification *note, struct notification_view *out)
{
	if (note->thing == MODERATED_COMMENT)
		out->title = STR("a post that can’t be seen any more");
	return note->what == NOTE_DECISION;
}

/* False: they may not see it (any more). *open: nothing else is to be asked. */
static bool
fill_post(struct request *rq, const struct notification *note, const struct about *about, bool *open,
    struct notification_view *out)
{
	const struct item *head;
	struct post post;

	*open = false;
	if (note->post.len == 0)
		return true;
	head = item_of(&about->heads, key_post(rq->arena, note->post));
	if (head == NULL)
		return fill_gone(note, out);
	post_from_item(rq->arena, head, &post);
	/* Whether they still follow its author is asked on its own page. */
	if (!post_visible_to_followers(&post, rq->viewer, rq->now) &&
	    !(note->what == NOTE_COAUTHOR && post_asks(&post, rq->viewer->user.username)))
		return fill_gone(note, out);
	note_confidential(rq, &post);
	*open = post_visible_to(&post, rq->viewer, rq->now);
	out->title = *open || note->what == NOTE_COAUTHOR ? words_title(&post)
							  : STR("a post for followers");
	out->url = post_path(rq->arena, &post);
	return true;
}

/* The same of a comment; what it says stays untold where the post's own page asks whether they still follow. */
static bool
fill_comment(struct request *rq, const struct notification *note, const struct about *about,
    bool post_is_open, struct notification_view *out)
{
	const struct item *item;
	struct comment comment;

	if (note->comment.len == 0)
		return true;
	item = item_of(&about->comments, key_comment(rq->arena, note->post, note->comment));
	if (item == NULL)
		return false;
	comment_from_item(rq->arena, item, &comment);
	if (comment.status != COMMENT_VISIBLE)
		return false;
	if (post_is_open)
		out->excerpt = text_excerpt(rq->arena,
		    markdown_plain(rq->arena, stored_comment_html(rq, &comment)), EXCERPT);
	return true;
}

/* False: they are no moderator (any more). */
static bool
fill_queue(struct request *rq, const struct notification *note, struct notification_view *out)
{
	out->says = note->count == 1 ? STR("Something waits for the moderators:")
				     : str_fmt(rq->arena, "%lld things wait for the moderators:",
					   (long long)note->count);
	out->url = STR("/admin/comments");
	out->title = STR("the queue");
	return may(rq->viewer, MAY_MODERATE, NO_THING);
}

static bool
fill(struct request *rq, const struct told *told, const struct about *about,
    struct notification_view *out)
{
	const struct notification *note = &told->note;
	bool several = told->who.count > 1, open;

	*out = (struct notification_view){.date = time_format(rq->arena, note->at),
	    .date_text = words_moment(rq, note->at)};
	if (!fill_post(rq, note, about, &open, out) || !fill_comment(rq, note, about, open, out))
		return false;
	if (note->what == NOTE_QUEUE && !fill_queue(rq, note, out))
		return false;
	if (note->what == NOTE_DECISION) {
		fill_decision(note, out);
	} else if (note->what != NOTE_QUEUE) {
		fill_who(rq, told, about, out);
		out->says = str_of(several ? sentences[note->what].several : sentences[note->what].one);
		out->tail = str_of(sentences[note->what].tail);
	}
	fill_way(rq, note, out);
	if (note_is_unread(note, rq->viewer->messages.seen)) {
		out->read_value = STR_CONCAT(rq->arena, out->date, STR("/"), note->place);
		out->read_label = words_moment(rq, note->at);
	}
	return true;
}

/* --- The page ----------------------------------------------------------------------------------------- */

/* Those that are told, as far as their item says. */
static struct told *
told_of(struct request *rq, const struct read *list, const struct item *settings, size_t *count)
{
	struct told *all = ARENA_ARRAY(rq->arena, list->found_count, struct told);
	const struct hidden *hidden = &rq->viewer->hidden;
	struct note_settings wants;

	note_settings_from_item(settings, &wants);
	*count = 0;
	for (size_t i = 0; i < list->found_count; i++) {
		struct told *one = &all[*count];

		note_from_item(rq->arena, &list->found[i], &one->note);
		one->who = note_actors(rq->arena, &one->note, hidden);
		*count += note_is_told(rq->arena, &one->note, &wants, hidden);
	}
	return all;
}

/* What is unread but not shown any more can be marked as read, too: it may still be counted. */
static void
fill_frame(struct request *rq, struct response *rs, const struct read *list,
    struct notifications_view *view)
{
	struct page_frame frame = {.title = STR("Notifications"), .noindex = true};
	struct notification newest;

	view->title = frame.title;
	view->notice = str_of(done_says(rq));
	view->action_url = STR("/account/notifications");
	view->token = csrf_token(rq, rs);
	if (list->found_count != 0 && list->query.cursor.len == 0 && rq->viewer->messages.unread != 0) {
		note_from_item(rq->arena, &list->found[0], &newest);
		view->all_value = time_format(rq->arena, newest.at);
	}
	view->empty_text =
	    list->found_count != 0
		? STR("What you were told of here can’t be seen any more, or you have muted it.")
		: STR("Nothing yet. You are told here who answers you, names you, follows you or "
		      "comments on what you have published.");
	view->pagination = pagination_onward(rq, list->next);
	layout_fill(rq, &frame, &view->layout);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct notifications_view *view = ARENA_NEW(rq->arena, struct notifications_view);
	struct str username = rq->viewer->user.username;
	struct read reads[] = {{.kind = READ_QUERY, .query = query_notes_of(rq->arena, username)},
	    note_settings_read(rq->arena, username)};
	struct notification_view *notes;
	struct about about;
	struct told *told;
	size_t count;
	enum http_status status;

	reads[0].query.limit = SHOWN;
	reads[0].query.descending = true;
	if (!list_cursor_of(rq, "after", &reads[0].query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	told = told_of(rq, &reads[0], reads[1].item, &count);
	status = read_about(rq, told, count, &about);
	if (status != HTTP_OK)
		return status;
	notes = ARENA_ARRAY(rq->arena, count, struct notification_view);
	for (size_t i = 0; i < count; i++)
		view->notes.count += fill(rq, &told[i], &about, &notes[view->notes.count]);
	view->notes.items = notes;
	fill_frame(rq, rs, &reads[0], view);
	return respond(rq, rs, TEMPLATE_WITH(notifications_template, view));
}

/* "<t>" of the newest that is shown, or "<t>/<place>" of one: what came behind it stays unread. */
static enum http_status
mark(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct messages *messages = &rq->viewer->messages;
	struct str all = input_of(rq, "all"), place;
	int64_t until;
	enum plan_rc rc;

	if (!time_parse(str_cut(all.len != 0 ? all : input_of(rq, "read"), '/', &place), &until) ||
	    (all.len == 0 && !key_is_note_place(place)))
		return HTTP_BAD_REQUEST;
	rc = all.len != 0 ? note_read_all(&plan, messages, until)
			  : note_read_one(&plan, messages, place, until);
	return plan_answer(rq, rs, &plan, rc, rq->path, "read");
}

PAGE(notifications, .get = show, .post = mark, .query = QUERY("after", "done"))

static enum http_status
count(struct request *rq, struct response *rs)
{
	rs->content_type = STR("application/json");
	rs->policy = CACHE_NEVER;
	buf_fmt(&rs->body, "{\"unread\":%lld}\n", (long long)rq->viewer->messages.unread);
	return HTTP_OK;
}

PAGE(notifications_count, .get = count)
