/*
 * GET /: the front page: the newest posts, and what of others stands beside them. Later pages are plain lists.
 */
#include "base/arena.h"
#include "base/span.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/people/invitation.h"
#include "model/viewer.h"
#include "pages/public/edition.h"
#include "pages/public/front.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

enum {
	STOCK = 24, /* posts behind those of the page */
	SPARE = 2,
	COMMENTS = 12, /* of which a few are on different posts that strangers may see */
	COLLECTIONS_READ = 4,
	DAY_MS = 86400000,
};

/* What is read; in a second trip the heads of those that are discussed, of what comments are on, and of what collections have. */
enum { NEWEST, MOST_DISCUSSED, YEAR_AGO, SAID, COLLECTIONS, CHOSEN, READS };

TEMPLATE(front_template, "front", front_view)

/* --- Reading ------------------------------------------------------------------------------------------ */

/* The posts that have a place, by their ids. */
struct shown {
	struct str *ids;
	size_t count;
};

static bool
is_shown(const struct shown *shown, struct str id)
{
	for (size_t i = 0; i < shown->count; i++)
		if (str_eq(shown->ids[i], id))
			return true;
	return false;
}

/* It has a place: what the newest posts have of it is not shown a second time. */
static void
note_shown(struct front_sheet *sheet, struct shown *shown, struct str id)
{
	shown->ids[shown->count++] = id;
	for (size_t i = 0; i < sheet->count; i++)
		if (str_eq(sheet_post(sheet, i)->id, id))
			sheet->placed[i] = true;
}

/* The first of a list that have no place yet. */
static size_t
take_others(struct front_sheet *sheet, const struct posts *from, struct shown *shown, size_t limit,
    struct post *out)
{
	size_t count = 0;

	for (size_t i = 0; i < from->count && count < limit; i++) {
		if (is_shown(shown, from->posts[i].id))
			continue;
		note_shown(sheet, shown, from->posts[i].id);
		out[count++] = from->posts[i];
	}
	return count;
}

/* What is asked for beside the newest posts. */
struct asked {
	struct span year;
	struct ranking_query discussed;
	struct posts_query old;
};

/* What editors have chosen, and is not over. */
static struct read
chosen_read(struct request *rq)
{
	const struct settings *settings = rq->settings;
	struct key *keys = ARENA_ARRAY(rq->arena, settings->chosen_count, struct key);
	size_t count = 0;

	for (size_t i = 0; i < settings->chosen_count; i++)
		if (settings->chosen[i].until > rq->now)
			keys[count++] = key_post(rq->arena, settings->chosen[i].post);
	return (struct read){.kind = READ_BATCH, .batch = {keys, count}};
}

static void
take_chosen(
    struct request *rq, const struct read *chosen, struct shown *shown, struct front_sheet *sheet)
{
	for (size_t i = 0, n = 0; n < chosen->batch.count; i++) {
		struct post *post;

		if (rq->settings->chosen[i].until <= rq->now)
			continue;
		post = ARENA_NEW(rq->arena, struct post);
		if (chosen->items[n++] == NULL)
			continue;
		post_from_item(rq->arena, chosen->items[n - 1], post);
		if (!post_visible_to(post, NULL, rq->now) || post->kind == KIND_PAGE)
			continue;
		note_shown(sheet, shown, post->id);
		if (rq->settings->chosen[i].leads)
			sheet->lead = post;
		else if (sheet->pinned_count < SETTINGS_PINNED_MAX)
			sheet->pinned[sheet->pinned_count++] = *post;
	}
}

static void
ask(struct request *rq, struct asked *asked, struct read *reads)
{
	asked->year = span_of(SPAN_YEAR, rq->zone, rq->now);
	asked->discussed = (struct ranking_query){
	    .ranking = RANKING_DISCUSSED, .span = &asked->year, .limit = FRONT_DISCUSSED + SPARE};
	asked->old = (struct posts_query){.of = POSTS_ALL,
	    .limit = 2 * FRONT_OLD,
	    .to = time_format(rq->arena, rq->now - 365 * (int64_t)DAY_MS)};
	(void)posts_prepare_ranking(rq->arena, &asked->discussed, &reads[MOST_DISCUSSED]);
	(void)posts_prepare(rq->arena, &asked->old, rq->now, &reads[YEAR_AGO]);
	reads[SAID] = (struct read){.kind = READ_QUERY, .query = query_comments_newest()};
	reads[SAID].query.limit = COMMENTS;
	reads[COLLECTIONS] = (struct read){.kind = READ_QUERY, .query = query_front_collections()};
	reads[COLLECTIONS].query.limit = COLLECTIONS_READ;
	reads[COLLECTIONS].query.descending = true;
	reads[CHOSEN] = chosen_read(rq);
}

/* What the second trip reads, where there is any of it. */
enum { HEADS_DISCUSSED, HEADS_SAID, HEADS_COLLECTIONS, HEADS };

/* The most discussed that have no place: only their heads are read. */
static void
ask_discussed(struct request *rq, const struct ranking_query *query, struct read *ranked,
    const struct shown *shown, struct read *heads)
{
	size_t kept = 0;

	for (size_t i = 0; i < ranked->found_count && kept < query->limit; i++)
		if (!is_shown(shown, item_string(&ranked->found[i], STR("Post"))))
			ranked->found[kept++] = ranked->found[i];
	ranked->found_count = kept;
	if (!posts_heads(rq->arena, ranked, heads))
		*heads = (struct read){.kind = READ_BATCH};
}

static const struct post *
on_sheet(const struct front_sheet *sheet, struct str id)
{
	for (size_t i = 0; i < sheet->count; i++)
		if (str_eq(sheet_post(sheet, i)->id, id))
			return sheet_post(sheet, i);
	return NULL;
}

/* The newest comments on different posts, without those of people whom the viewer does not want to meet. */
static size_t
pick_said(struct request *rq, const struct front_sheet *sheet, const struct read *found,
    struct front_said *out, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, 2 * COMMENTS, struct key);
	size_t count = 0, asked = 0;

	for (size_t i = 0; i < found->found_count; i++) {
		struct comment *c = &out[count].comment;
		size_t n = 0;

		comment_from_item(rq->arena, &found->found[i], c);
		while (n < count && !str_eq(out[n].comment.post, c->post))
			n++;
		if (n != count || c->status != COMMENT_VISIBLE || viewer_blocks(rq->viewer, c->author) ||
		    viewer_mutes(rq->viewer, c->author))
			continue;
		keys[asked++] = key_comment_votes(rq->arena, c->post, c->path);
		out[count].post = on_sheet(sheet, c->post);
		if (out[count].post == NULL)
			keys[asked++] = key_post(rq->arena, c->post);
		count++;
	}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, asked}};
	return count;
}

/* Those that readers have not voted down, and whose posts strangers may see: their votes and heads say so. */
static void
take_said(struct request *rq, const struct front_said *picked, size_t count, const struct read *heads,
    struct front_others *out)
{
	for (size_t i = 0, n = 0; i < count; i++) {
		struct front_said said = picked[i];

		comment_add_votes(&said.comment, heads->items[n++]);
		if (said.post == NULL) {
			struct post *post = ARENA_NEW(rq->arena, struct post);
			const struct item *head = heads->items[n++];

			if (head == NULL)
				continue;
			post_from_item(rq->arena, head, post);
			said.post = post;
		}
		if (post_visible_to(said.post, NULL, rq->now) && !comment_voted_down(&said.comment) &&
		    out->said_count < FRONT_SAID)
			out->said[out->said_count++] = said;
	}
}

/* A collection, and the post for which it may be shown. */
struct front_collection {
	struct collection collection;
	const struct post *post; /* NULL: its head is still to be read */
};

/* The newest collections that may be shown, without those of people whom the viewer does not want to meet. */
static size_t
pick_collections(struct request *rq, const struct front_sheet *sheet, const struct read *found,
    struct front_collection *out, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, COLLECTIONS_READ, struct key);
	size_t count = 0, asked = 0;

	for (size_t i = 0; i < found->found_count; i++) {
		struct collection *c = &out[count].collection;
		size_t n = 0;

		collection_from_item(rq->arena, &found->found[i], c);
		while (n < count && !str_eq(out[n].collection.front_post, c->front_post))
			n++;
		if (n != count || !collection_visible_to(c, NULL) || c->front_post.len == 0 ||
		    viewer_blocks(rq->viewer, c->owner) || viewer_mutes(rq->viewer, c->owner))
			continue;
		out[count].post = on_sheet(sheet, c->front_post);
		if (out[count++].post == NULL)
			keys[asked++] = key_post(rq->arena, c->front_post);
	}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, asked}};
	return count;
}

/* The first whose post strangers may see. */
static void
take_collection(struct request *rq, const struct front_collection *picked, size_t count,
    const struct read *heads, struct front_others *out)
{
	for (size_t i = 0, n = 0; i < count && out->collection == NULL; i++) {
		const struct item *head = picked[i].post == NULL ? heads->items[n++] : NULL;
		struct post post;

		if (head != NULL)
			post_from_item(rq->arena, head, &post);
		if (picked[i].post != NULL || (head != NULL && post_visible_to(&post, NULL, rq->now)))
			out->collection = &picked[i].collection;
	}
}

/* The second trip. */
static enum http_status
read_heads(struct request *rq, struct read heads[HEADS])
{
	struct read asked[HEADS];
	enum http_status status;
	size_t count = 0;

	for (size_t i = 0; i < HEADS; i++)
		if (heads[i].batch.count != 0)
			asked[count++] = heads[i];
	status = count != 0 ? page_read(rq, asked, count) : HTTP_OK;
	for (size_t i = 0, n = 0; status == HTTP_OK && i < HEADS; i++)
		if (heads[i].batch.count != 0)
			heads[i] = asked[n++];
	return status;
}

static enum http_status
find_others(struct request *rq, const struct asked *asked, struct read *reads, struct front_sheet *sheet)
{
	struct shown shown = {
	    .ids = ARENA_ARRAY(rq->arena,
		sheet->fresh + SETTINGS_CHOSEN_MAX + FRONT_DISCUSSED + FRONT_OLD, struct str)};
	struct front_said *said = ARENA_ARRAY(rq->arena, COMMENTS, struct front_said);
	struct front_others *out = &sheet->others;
	struct front_collection *collections =
	    ARENA_ARRAY(rq->arena, COLLECTIONS_READ, struct front_collection);
	struct read heads[HEADS];
	struct posts posts = {.count = 0};
	enum http_status status;
	size_t said_count, collection_count;

	for (size_t i = 0; i < sheet->fresh; i++)
		shown.ids[shown.count++] = sheet->newest.posts[i].id;
	take_chosen(rq, &reads[CHOSEN], &shown, sheet);
	ask_discussed(rq, &asked->discussed, &reads[MOST_DISCUSSED], &shown, &heads[HEADS_DISCUSSED]);
	said_count = pick_said(rq, sheet, &reads[SAID], said, &heads[HEADS_SAID]);
	collection_count =
	    pick_collections(rq, sheet, &reads[COLLECTIONS], collections, &heads[HEADS_COLLECTIONS]);
	status = read_heads(rq, heads);
	if (status != HTTP_OK)
		return status;
	posts_ranked(rq->arena, &asked->discussed, &reads[MOST_DISCUSSED], &heads[HEADS_DISCUSSED],
	    rq->now, &posts);
	out->discussed_count = take_others(sheet, &posts, &shown, FRONT_DISCUSSED, out->discussed);
	posts_take(rq->arena, &asked->old, &reads[YEAR_AGO], NULL, rq->now, &posts);
	out->old_count = take_others(sheet, &posts, &shown, FRONT_OLD, out->old);
	take_said(rq, said, said_count, &heads[HEADS_SAID], out);
	take_collection(rq, collections, collection_count, &heads[HEADS_COLLECTIONS], out);
	return HTTP_OK;
}

/* --- The page ----------------------------------------------------------------------------------------- */

/* Nothing is published: what whoever reads this can do about it. A site without an admin says how one is made. */
static enum http_status
fill_empty(struct request *rq, struct front_view *view)
{
	static const struct link_view to_write = {STR_INIT("/write"), STR_INIT("Write the first post")},
				      to_begin = {STR_INIT("/admin"), STR_INIT("Set up the site")},
				      to_sign_in = {STR_INIT("/login"), STR_INIT("Sign in")};
	struct link_view *ways = ARENA_ARRAY(rq->arena, 2, struct link_view);
	struct read admin = first_admin_read(rq->arena);
	enum http_status status = rq->viewer == NULL ? page_read(rq, &admin, 1) : HTTP_OK;

	if (status != HTTP_OK)
		return status;
	if (rq->viewer == NULL && admin.found_count == 0)
		view->empty_text =
		    STR("This site has no admin yet. Whoever runs it finds the link that makes one where "
			"“broadsheet serve” was started: on the terminal, or in the file that its log "
			"names. “broadsheet user create --admin” makes one as well.");
	else if (rq->viewer == NULL)
		ways[view->empty_ways.count++] = to_sign_in;
	if (may(rq->viewer, MAY_MANAGE, NO_THING))
		ways[view->empty_ways.count++] = to_begin;
	if (may(rq->viewer, MAY_WRITE, NO_THING))
		ways[view->empty_ways.count++] = to_write;
	view->empty_ways.items = ways;
	return HTTP_OK;
}

static enum http_status
show_sheet(struct request *rq, struct response *rs, struct front_sheet *sheet)
{
	struct page_frame frame = {.path = STR("/")};
	struct front_view *view = ARENA_NEW(rq->arena, struct front_view);
	enum http_status status;

	view->empty_text = STR("Nothing has been published yet.");
	status = sheet->count == 0 ? fill_empty(rq, view) : HTTP_OK;
	if (status != HTTP_OK)
		return status;
	if (sheet->count != 0)
		view->edition_url = edition_path(rq, sheet->newest.posts[0].published);
	front_sheet_fill(rq, sheet, view);
	view->pagination = pagination_of(rq, STR(""), sheet->newest.older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(front_template, view));
}

static enum http_status
show_first(struct request *rq, struct response *rs, struct posts_page *page)
{
	struct front_sheet *sheet = ARENA_NEW(rq->arena, struct front_sheet);
	uint32_t limit = page->query.limit;
	struct read reads[READS];
	struct asked asked;
	enum http_status status;

	ask(rq, &asked, reads);
	page->read.query.limit = limit + STOCK;
	reads[NEWEST] = page->read;
	status = page_read(rq, reads, reads[CHOSEN].batch.count != 0 ? READS : CHOSEN);
	if (status != HTTP_OK)
		return status;
	list_fresh(rq, rs);
	posts_take_parts(rq->arena, &page->query, &reads[NEWEST], rq->now, &sheet->newest, &sheet->stock);
	sheet->fresh = sheet->newest.count;
	sheet->count = sheet->fresh + sheet->stock.count;
	sheet->placed = ARENA_ARRAY(rq->arena, sheet->count, bool);
	status = find_others(rq, &asked, reads, sheet);
	return status == HTTP_OK ? show_sheet(rq, rs, sheet) : status;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct posts_page page;
	struct posts posts;
	enum http_status status;
	bool first;

	status = posts_page_prepare(rq, POSTS_ALL, STR(""), 0, &page);
	if (status != HTTP_OK)
		return status;
	if (page.query.cursor.len == 0)
		return show_first(rq, rs, &page);
	status = page_read(rq, &page.read, 1);
	if (status != HTTP_OK)
		return status;
	posts_page_take(rq, &page, NULL, &posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, STR("/"));
	list_fresh(rq, rs);
	return list_page(rq, rs,
	    &(struct list_page){.title = STR("Older posts"),
		.posts = &posts,
		.empty_text = STR("There is nothing older.")});
}

PAGE(front, .get = show, .query = list_parameters)
