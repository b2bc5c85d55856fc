/*
 * GET /admin/posts: everybody's posts by their state. What is public, or will be, stands in one index for all;
 * what is not stands among the doings of its author alone, so that no list can show it by mistake: it is found
 * by its author's name.
 */
#include "base/arena.h"
#include "model/key_post.h"
#include "pages/admin.h"
#include "pages/card.h"
#include "pages/desk.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "pages/words.h"
#include "web/url.h"

enum { POSTS = 50 };

const char *const admin_posts_parameters[] = {"after", "author", "state", NULL};

static const struct state {
	const char *name, *label, *badge;
	enum desk desk;
	bool of_all; /* found without an author's name, too */
	bool oldest_first;
} states[] = {
    {"published", "Published", "", DESK_PUBLISHED, true, false},
    {"scheduled", "Scheduled", "scheduled", DESK_SCHEDULED, true, true},
    {"pages", "Pages", "", DESK_PAGES, true, false},
    {"drafts", "Drafts", "draft", DESK_DRAFTS, false, false},
    {"closed", "For some", "for some", DESK_CLOSED, false, false},
    {"closed-scheduled", "For some, scheduled", "scheduled", DESK_CLOSED_SCHEDULED, false, true},
    {"unpublished", "Unpublished", "unpublished", DESK_UNPUBLISHED, false, false},
    {"deleted", "Deleted, and can be had back", "deleted", DESK_DELETED, false, false},
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
	    .select_label = STR("State"),
	    .select_name = STR("state"),
	    .options = {options, STATES}};
	return search;
}

/* The list that is asked for. False: there is nothing to read. */
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

/* A post as a row; false when this one is not for them to see, as a page's draft. */
static bool
row_of(struct request *rq, const struct state *state, const struct item *item,
    struct admin_row_view *row)
{
	const struct str at = STR(" · ");
	struct str edit;
	struct post post;
	struct thing thing;
	int64_t time;

	post_from_item(rq->arena, item, &post);
	thing = thing_post(&post, rq->now);
	edit = url_join(rq->arena, STR("/edit/"), post.id);
	*row = (struct admin_row_view){
	    .url = may(rq->viewer, MAY_EDIT, thing) ? edit : post_path(rq->arena, &post),
	    .name = desk_title(&post),
	    .badge = str_of(state->badge),
	    .text = STR_CONCAT(rq->arena, words_kind(post.kind), at, post.author_name, at,
		desk_when(rq, &post, &time)),
	};
	if (post.status != STATUS_DELETED)
		return may(rq->viewer, MAY_READ, thing);
	row->url = STR("");
	admin_button(rq, row, "undelete", STR("1"), "Have it back")->own_url =
	    STR_CONCAT(rq->arena, edit, STR("/undelete"));
	return may(rq->viewer, MAY_RESTORE, thing);
}

enum http_status
page_admin_posts(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/posts", STR("Posts"));
	struct admin_panel_view *panel = admin_panel(view, "posts", NULL);
	const struct state *state = state_asked(rq);
	struct str author = author_asked(rq);
	struct admin_row_view *rows;
	struct read read;
	enum http_status status;
	size_t count = 0;
	bool newer, any = prepare(rq, state, author, &read);

	if (!list_cursor(rq, &read.query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, &read, any);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct admin_row_view);
	for (size_t i = 0; i < read.found_count; i++)
		count += row_of(rq, state, &read.found[i], &rows[count]);
	panel->search = search_of(rq, state);
	panel->rows.items = rows;
	panel->rows.count = count;
	panel->empty_text = author.len == 0 && !state->of_all
				? STR("Whose? These are found by their author.")
				: STR("There is none.");
	panel->pagination = pagination_of(rq, STR(""), read.next);
	if (state->desk == DESK_PAGES && may(rq->viewer, MAY_WRITE_PAGES, NO_THING))
		admin_way(rq, panel, STR("/write/page"), "Write a page");
	if (state->desk == DESK_DELETED)
		admin_buttons_lead(rq, rs, panel, STR("/admin/posts"));
	return admin_respond(rq, rs, view);
}
