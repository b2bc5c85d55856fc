/*
 * GET /admin/posts: everybody's posts by state. Posts that are or will be public are in one index;
 * others only in the activity of their author, so that no list can show them by mistake: they are
 * found by the author's name. Of a private post only its existence, author, date and length are
 * shown, and none while words are looked for; POST takes it down, by a ticket that does not reveal its name.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/writing.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/write.h"
#include "text/url.h"
#include "web/form/ticket.h"

enum { POSTS = 50, TICKET_MS = 86400000 };

#define PRIVATE "private post"

/* Actions on a private post by staff who may not read it: the button's name, and the question. */
static const struct deed {
	struct str name;
	const char *label, *done, *message;
	enum plan_rc (*act)(
	    struct plan *plan, const struct written *old, int64_t version, struct post *post);
} deeds[] = {
    {STR_INIT("unpublish"), "Unpublish", "unpublished",
	"It stays its authors’, who find it among what is unpublished and can publish it again. ",
	writing_unpublish},
    {STR_INIT("delete"), "Delete", "deleted",
	"For 30 days its authors can have it back from their desk; then its text is gone. ",
	writing_delete},
};
enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

static const struct state {
	const char *name, *label, *badge;
	enum desk desk;
	bool of_all; /* also listed without an author's name */
	bool oldest_first;
} states[] = {
    {"published", "Published", "", DESK_PUBLISHED, true, false},
    {"scheduled", "Scheduled", "scheduled", DESK_SCHEDULED, true, true},
    {"pages", "Pages", "", DESK_PAGES, true, false},
    {"drafts", "Drafts", "draft", DESK_DRAFTS, false, false},
    {"closed", "For some", "for some", DESK_CLOSED, false, false},
    {"closed-scheduled", "For some, scheduled", "scheduled", DESK_CLOSED_SCHEDULED, false, true},
    {"unpublished", "Unpublished", "unpublished", DESK_UNPUBLISHED, false, false},
    {"deleted", "Deleted, can be restored", "deleted", DESK_DELETED, false, false},
};
enum { STATES = sizeof(states) / sizeof(states[0]) };

static const struct state *
state_asked(struct request *rq)
{
	struct str asked = request_query(rq, "state");

	for (size_t i = 0; i < STATES; i++)
		if (str_eq(asked, str_of(states[i].name)))
			return &states[i];
	return &states[0];
}

static struct str
author_asked(struct request *rq)
{
	return str_lower(rq->arena, str_trim(request_query(rq, "author")));
}

static const struct admin_search_view *
search_of(struct request *rq, const struct state *state)
{
	struct admin_search_view *search = ARENA_NEW(rq->arena, struct admin_search_view);
	struct option_view *options = ARENA_ARRAY(rq->arena, STATES, struct option_view);

	for (size_t i = 0; i < STATES; i++)
		options[i] = (struct option_view){
		    str_of(states[i].name), str_of(states[i].label), &states[i] == state};
	*search = (struct admin_search_view){.action_url = STR("/admin/posts"),
	    .label = STR("Author"),
	    .name = STR("author"),
	    .value = request_query(rq, "author"),
	    .hint = STR("A username. What nobody else can see is found by its author only."),
	    .filter_label = STR("Words in titles, excerpts and tags"),
	    .filter = filter_of(rq).typed,
	    .select_label = STR("State"),
	    .select_name = STR("state"),
	    .options = {options, STATES}};
	return search;
}

/* Prepares the read of the requested list. False: there is nothing to read. */
static bool
prepare(struct request *rq, const struct state *state, struct str author, struct read *read)
{
	*read = (struct read){.kind = READ_QUERY};
	if (author.len != 0) {
		if (!username_valid(author))
			return false;
		read->query = query_desk(rq->arena, author, state->desk, rq->now);
	} else if (state->desk == DESK_PUBLISHED) {
		const struct posts_query all = {.of = POSTS_ALL, .limit = POSTS};

		if (!posts_prepare(rq->arena, &all, rq->now, read))
			return false;
	} else if (state->desk == DESK_SCHEDULED) {
		read->query = query_scheduled(rq->arena, rq->now);
	} else if (state->desk == DESK_PAGES) {
		read->query = query_pages();
	} else {
		return false;
	}
	read->query.limit = POSTS;
	read->query.descending = !state->oldest_first;
	return true;
}

/*
 * "Note · Kofi · 312 words · Published 18 November 2026": all that the staff see of a private post.
 */
static struct str
private_facts(struct request *rq, const struct post *post)
{
	const struct str at = STR(" · ");
	int64_t time;

	return STR_CONCAT(rq->arena, words_kind(post->kind), at, post->author_name, at,
	    words_count(rq->arena, post->words, "word", "words"), at, words_when(rq, post, &time));
}

static bool
private_row(struct request *rq, const struct state *state, const struct post *post,
    struct admin_row_view *row)
{
	struct str ticket =
	    ticket_make(rq, PRIVATE, rq->viewer->user.username, post->id, TICKET_MS);

	*row = (struct admin_row_view){.name = STR("A private post"),
	    .badge = str_of(state->badge),
	    .text = private_facts(rq, post)};
	for (size_t i = 0; i < DEEDS; i++)
		if (i != 0 || post->status == STATUS_PUBLISHED)
			admin_button(
			    rq, row, str_cstring(rq->arena, deeds[i].name), ticket, deeds[i].label);
	return true;
}

/* A post as a row; false when the viewer may not see it, such as the draft of a page. */
static bool
row_of(struct request *rq, const struct state *state, const struct filter *filter,
    const struct item *item, struct admin_row_view *row)
{
	const struct str at = STR(" · ");
	struct str edit;
	struct post post;
	struct thing thing;
	int64_t time;

	post_from_item(rq->arena, item, &post);
	thing = thing_post(&post, rq->now);
	/* What it says they do not learn by asking for words, either. */
	if (may(rq->viewer, MAY_TAKE_DOWN, thing))
		return filter->count == 0 && private_row(rq, state, &post, row);
	if (!filter_passes(rq, filter, &post))
		return false;
	edit = url_join(rq->arena, STR("/edit/"), post.id);
	*row = (struct admin_row_view){
	    .url = may(rq->viewer, MAY_EDIT, thing) ? edit : post_path(rq->arena, &post),
	    .name = words_title(&post),
	    .badge = str_of(state->badge),
	    .text = STR_CONCAT(rq->arena, words_kind(post.kind), at, post.author_name, at,
		words_when(rq, &post, &time)),
	};
	if (post.status != STATUS_DELETED)
		return may(rq->viewer, MAY_READ, thing);
	row->url = STR("");
	admin_button(rq, row, "undelete", STR("1"), "Restore")->own_url =
	    STR_CONCAT(rq->arena, edit, STR("/undelete"));
	return may(rq->viewer, MAY_RESTORE, thing);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/posts", STR("Posts"));
	struct admin_panel_view *panel = admin_panel(view, "posts", NULL);
	const struct state *state = state_asked(rq);
	const struct filter filter = filter_of(rq);
	struct str author = author_asked(rq);
	struct admin_row_view *rows;
	struct read read;
	enum http_status status;
	size_t count = 0;
	bool newer, any = prepare(rq, state, author, &read);

	if (!list_cursor(rq, &read.query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	if (filter.count != 0)
		read.query.limit = FILTER_READ;
	status = page_read(rq, &read, any);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct admin_row_view);
	for (size_t i = 0; i < read.found_count; i++)
		count += row_of(rq, state, &filter, &read.found[i], &rows[count]);
	panel->search = search_of(rq, state);
	panel->rows.items = rows;
	panel->rows.count = count;
	panel->empty_text = author.len == 0 && !state->of_all
				? STR("Whose? These are found by their author.")
			    : read.next.len != 0 ? STR("Not among these: there are more, further down.")
						 : STR("There is none.");
	panel->pagination = pagination_of(rq, STR(""), read.next);
	if (state->desk == DESK_PAGES && may(rq->viewer, MAY_WRITE_PAGES, NO_THING))
		admin_way(rq, panel, STR("/write/page"), "Write a page");
	admin_buttons_lead(rq, rs, panel, STR("/admin/posts"));
	return admin_respond(rq, rs, view);
}

/* --- Taking a private post down ---------------------------------------------------------------------- */

/* The post of a ticket. HTTP_OK: the viewer may take it down. */
static enum http_status
find_private(struct request *rq, struct str ticket, struct written *out)
{
	struct read reads[POST_READS];
	enum http_status status;
	struct str id;

	if (!ticket_open(rq, PRIVATE, rq->viewer->user.username, ticket, &id))
		return HTTP_BAD_REQUEST;
	post_reads(rq->arena, id, true, reads);
	status = page_read_post(rq, reads, POST_READS);
	if (status != HTTP_OK)
		return status;
	if (!written_take(rq->arena, reads, out) ||
	    !may(rq->viewer, MAY_TAKE_DOWN, thing_post(&out->post, rq->now)))
		return HTTP_NOT_FOUND;
	return HTTP_OK;
}

static enum http_status
ask(struct request *rq, struct response *rs, const struct deed *deed, const struct post *post,
    struct str ticket)
{
	const struct confirmation confirmation = {
	    .title = STR_CONCAT(rq->arena, str_of(deed->label), STR(" a private post of "),
		post->author_name, STR("?")),
	    .message = STR_CONCAT(rq->arena, private_facts(rq, post), STR(". "),
		str_of(deed->message), STR("The log says who did this.")),
	    .action_url = STR("/admin/posts"),
	    .cancel_url = STR("/admin/posts"),
	    .button = deed->label,
	    .destroys = true,
	    .name = deed->name,
	    .value = ticket,
	    .sure = true};

	return confirm(rq, rs, &confirmation);
}

static enum http_status
act_on_post(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	const struct deed *deed = deeds;
	struct written old;
	struct post post;
	enum http_status status;
	enum plan_rc rc;
	struct str ticket;

	while (deed != deeds + DEEDS && input_of(rq, str_cstring(rq->arena, deed->name)).len == 0)
		deed++;
	if (deed == deeds + DEEDS)
		return HTTP_BAD_REQUEST;
	ticket = input_of(rq, str_cstring(rq->arena, deed->name));
	status = find_private(rq, ticket, &old);
	if (status != HTTP_OK)
		return status;
	if (!confirmed(rq))
		return ask(rq, rs, deed, &old.post, ticket);
	rc = deed->act(&plan, &old, old.post.version, &post);
	return plan_answer(rq, rs, &plan, rc, STR("/admin/posts"), deed->done);
}

PAGE(admin_posts, .get = show, .post = act_on_post,
    .query = QUERY("after", "author", "done", "q", "state"))
