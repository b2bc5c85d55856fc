/*
 * GET /: the front page. The newest posts as a sheet: a lead and its stories, beside them a narrow
 * column of notes and links, below them the rest by day. What the column has beside these, from rankings and the archive, is
 * not on the sheet already. Later pages are plain lists.
 */
#include "base/arena.h"
#include "base/span.h"
#include "base/zone.h"
#include "model/people/invitation.h"
#include "pages/public/edition.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { STORIES = 6, BRIEFS = 4, LINKS = 3, POPULAR = 3, DISCUSSED = 3, OLD = 2 };
enum { RANKED = 8 /* of which some are on the sheet already */, SPARE = 2, DAY_MS = 86400000 };

/* What is read; the heads of those that are discussed in a second trip. */
enum { NEWEST, MOST_POPULAR, MOST_DISCUSSED, YEAR_AGO, READS };

/* What is shown beside the newest posts, each once. */
struct others {
	struct post popular[POPULAR], discussed[DISCUSSED], old[OLD];
	size_t popular_count, discussed_count, old_count;
};

struct front_box_view {
	struct str title, url, kind;
	LIST_OF(struct post_card_view) posts;
};

struct front_section_view {
	struct str title, url;
	LIST_OF(struct post_card_view) posts;
};

struct front_view {
	struct layout_view layout;
	const struct post_card_view *lead;
	LIST_OF(struct post_card_view) stories;
	LIST_OF(struct front_box_view) rail;
	LIST_OF(struct front_section_view) sections;
	struct str empty_text;
	LIST_OF(struct link_view) empty_ways;
	struct str edition_url; /* of the week of the newest post; empty: there is none */
	const struct pagination_view *pagination;
};

VIEW_FIELDS(front_box_view, STRING(title), STRING(url), STRING(kind), LIST(posts, post_card_view))
VIEW_FIELDS(front_section_view, STRING(title), STRING(url), LIST(posts, post_card_view))
VIEW_FIELDS(front_view, VIEW(layout, layout_view), OPTION(lead, post_card_view),
    LIST(stories, post_card_view), LIST(rail, front_box_view), LIST(sections, front_section_view),
    STRING(empty_text), LIST(empty_ways, link_view), STRING(edition_url), OPTION(pagination, pagination_view))
TEMPLATE(front_template, "front", front_view)

/* Takes up to `limit` posts of a kind, in their order, marking them as placed. */
static size_t
take_kind(
    const struct posts *posts, enum post_kind kind, bool *placed, size_t limit, struct post *out)
{
	size_t count = 0;

	for (size_t i = 0; i < posts->count && count < limit; i++) {
		if (placed[i] || posts->posts[i].kind != kind)
			continue;
		placed[i] = true;
		out[count++] = posts->posts[i];
	}
	return count;
}

static void
fill_box(struct request *rq, struct front_box_view *box, const char *title, const char *url,
    const char *kind, const struct post *posts, size_t count)
{
	box->title = str_of(title);
	box->url = str_of(url);
	box->kind = str_of(kind);
	box->posts.items = cards_of(rq, posts, count);
	box->posts.count = count;
}

/* The narrow column: notes, links, and what is not new. */
static void
fill_rail(struct request *rq, const struct posts *posts, const struct others *others, bool *placed,
    struct front_view *view)
{
	struct front_box_view *boxes = ARENA_ARRAY(rq->arena, 5, struct front_box_view);
	struct post *taken = ARENA_ARRAY(rq->arena, BRIEFS + LINKS, struct post);
	size_t count, filled = 0;

	count = take_kind(posts, KIND_NOTE, placed, BRIEFS, taken);
	if (count != 0)
		fill_box(rq, &boxes[filled++], "Briefs", "", "briefs", taken, count);
	taken += BRIEFS;
	count = take_kind(posts, KIND_LINK, placed, LINKS, taken);
	if (count != 0)
		fill_box(rq, &boxes[filled++], "Elsewhere", "", "links", taken, count);
	if (others->popular_count != 0)
		fill_box(rq, &boxes[filled++], "Popular now", "/hot", "hot", others->popular,
		    others->popular_count);
	if (others->discussed_count != 0)
		fill_box(rq, &boxes[filled++], "Most discussed", "/discussed/year", "discussed",
		    others->discussed, others->discussed_count);
	if (others->old_count != 0)
		fill_box(rq, &boxes[filled++], "From the archive", "/archive", "old", others->old,
		    others->old_count);
	view->rail.items = boxes;
	view->rail.count = filled;
}

/* The heading for a post of that time: "Earlier this week", or the month. */
static struct str
section_of(struct request *rq, int64_t time, struct str *url)
{
	struct date d = zone_date(rq->zone, time);

	*url = str_fmt(rq->arena, "/archive/%04d/%02d", d.year, d.month);
	if (rq->now - time < 7 * (int64_t)DAY_MS) {
		*url = STR("");
		return STR("Earlier this week");
	}
	return words_month(rq->arena, d.year, d.month);
}

static void
fill_sections(
    struct request *rq, const struct posts *posts, const bool *placed, struct front_view *view)
{
	struct front_section_view *sections =
	    ARENA_ARRAY(rq->arena, posts->count, struct front_section_view);
	struct post_card_view *cards = ARENA_ARRAY(rq->arena, posts->count, struct post_card_view);
	size_t filled = 0, count = 0;

	for (size_t i = 0; i < posts->count; i++) {
		struct str url, title;

		if (placed[i])
			continue;
		title = section_of(rq, posts->posts[i].published, &url);
		if (count == 0 || !str_eq(sections[count - 1].title, title)) {
			sections[count] = (struct front_section_view){.title = title, .url = url};
			sections[count++].posts.items = &cards[filled];
		}
		card_fill(rq, &posts->posts[i], &cards[filled++]);
		sections[count - 1].posts.count++;
	}
	view->sections.items = sections;
	view->sections.count = count;
}

/* The lead is the newest article or howto; the next ones are its stories. */
static void
fill_news(struct request *rq, const struct posts *posts, bool *placed, struct front_view *view)
{
	struct post_card_view *cards = ARENA_ARRAY(rq->arena, STORIES + 1, struct post_card_view);
	size_t count = 0;

	for (size_t i = 0; i < posts->count && count < STORIES + 1; i++) {
		enum post_kind kind = posts->posts[i].kind;

		if (kind == KIND_NOTE || kind == KIND_LINK)
			continue;
		placed[i] = true;
		card_fill(rq, &posts->posts[i], &cards[count++]);
	}
	view->lead = count != 0 ? cards : NULL;
	view->stories.items = cards + 1;
	view->stories.count = count > 1 ? count - 1 : 0;
}

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

/* The first of a list that have no place yet. */
static size_t
take_others(const struct posts *from, struct shown *shown, size_t limit, struct post *out)
{
	size_t count = 0;

	for (size_t i = 0; i < from->count && count < limit; i++) {
		if (is_shown(shown, from->posts[i].id))
			continue;
		shown->ids[shown->count++] = from->posts[i].id;
		out[count++] = from->posts[i];
	}
	return count;
}

/* What is asked for beside the newest posts. */
struct asked {
	struct span year;
	struct ranking_query popular, discussed;
	struct posts_query old;
};

static void
ask(struct request *rq, struct asked *asked, struct read *reads)
{
	asked->year = span_of(SPAN_YEAR, rq->zone, rq->now);
	asked->popular = (struct ranking_query){.ranking = RANKING_HOT,
	    .limit = RANKED,
	    .scheduled = publication_with_scheduled(rq)->scheduled_count};
	asked->discussed = (struct ranking_query){
	    .ranking = RANKING_DISCUSSED, .span = &asked->year, .limit = DISCUSSED + SPARE};
	asked->old = (struct posts_query){.of = POSTS_ALL,
	    .limit = 2 * OLD,
	    .to = time_format(rq->arena, rq->now - 365 * (int64_t)DAY_MS)};
	(void)posts_prepare_ranking(rq->arena, &asked->popular, &reads[MOST_POPULAR]);
	(void)posts_prepare_ranking(rq->arena, &asked->discussed, &reads[MOST_DISCUSSED]);
	(void)posts_prepare(rq->arena, &asked->old, rq->now, &reads[YEAR_AGO]);
}

/* The most discussed that have no place: only their heads are read. */
static enum http_status
read_discussed(struct request *rq, const struct ranking_query *query, struct read *ranked,
    const struct shown *shown, struct posts *out)
{
	size_t kept = 0;
	struct read heads;
	enum http_status status;

	for (size_t i = 0; i < ranked->found_count && kept < query->limit; i++)
		if (!is_shown(shown, item_string(&ranked->found[i], STR("Post"))))
			ranked->found[kept++] = ranked->found[i];
	ranked->found_count = kept;
	status = list_heads(rq, ranked, &heads);
	if (status == HTTP_OK)
		posts_ranked(rq->arena, query, ranked, &heads, rq->now, out);
	return status;
}

static enum http_status
find_others(struct request *rq, const struct asked *asked, struct read *reads,
    const struct posts *newest, struct others *out)
{
	struct shown shown = {
	    .ids = ARENA_ARRAY(rq->arena, newest->count + POPULAR + DISCUSSED + OLD, struct str)};
	struct posts posts;
	enum http_status status;

	for (size_t i = 0; i < newest->count; i++)
		shown.ids[shown.count++] = newest->posts[i].id;
	posts_ranked(rq->arena, &asked->popular, &reads[MOST_POPULAR], NULL, rq->now, &posts);
	out->popular_count = take_others(&posts, &shown, POPULAR, out->popular);
	status = read_discussed(rq, &asked->discussed, &reads[MOST_DISCUSSED], &shown, &posts);
	if (status != HTTP_OK)
		return status;
	out->discussed_count = take_others(&posts, &shown, DISCUSSED, out->discussed);
	posts_take(rq->arena, &asked->old, &reads[YEAR_AGO], NULL, rq->now, &posts);
	out->old_count = take_others(&posts, &shown, OLD, out->old);
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
show_sheet(struct request *rq, struct response *rs, const struct posts *posts, const struct others *others)
{
	struct page_frame frame = {.path = STR("/")};
	struct front_view *view = ARENA_NEW(rq->arena, struct front_view);
	bool *placed = ARENA_ARRAY(rq->arena, posts->count, bool);
	enum http_status status;

	view->empty_text = STR("Nothing has been published yet.");
	status = posts->count == 0 ? fill_empty(rq, view) : HTTP_OK;
	if (status != HTTP_OK)
		return status;
	if (posts->count != 0)
		view->edition_url = edition_path(rq, posts->posts[0].published);
	fill_news(rq, posts, placed, view);
	fill_rail(rq, posts, others, placed, view);
	fill_sections(rq, posts, placed, view);
	view->pagination = pagination_of(rq, STR(""), posts->older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(front_template, view));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct read reads[READS];
	struct others *others = ARENA_NEW(rq->arena, struct others);
	struct posts_page page;
	struct asked asked;
	struct posts posts;
	enum http_status status;
	bool first;

	status = posts_page_prepare(rq, POSTS_ALL, STR(""), 0, &page);
	if (status != HTTP_OK)
		return status;
	reads[NEWEST] = page.read;
	ask(rq, &asked, reads);
	status = page_read(rq, reads, page.query.cursor.len == 0 ? READS : NEWEST + 1);
	if (status != HTTP_OK)
		return status;
	page.read = reads[NEWEST];
	posts_page_take(rq, &page, NULL, &posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, STR("/"));
	list_fresh(rq, rs);
	if (page.query.cursor.len != 0)
		return list_page(rq, rs,
		    &(struct list_page){.title = STR("Older posts"),
			.posts = &posts,
			.empty_text = STR("There is nothing older.")});
	status = find_others(rq, &asked, reads, &posts, others);
	return status == HTTP_OK ? show_sheet(rq, rs, &posts, others) : status;
}

PAGE(front, .get = show, .query = list_parameters)
