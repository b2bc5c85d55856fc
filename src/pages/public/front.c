/*
 * GET /: the front page. The newest posts as a sheet: a lead and its stories, beside them a narrow
 * column of notes and links, below them the rest by day. Later pages are plain lists.
 */
#include "base/arena.h"
#include "base/zone.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { STORIES = 6, BRIEFS = 4, LINKS = 3, TALKED_ABOUT = 4, OLD = 2, DAY_MS = 86400000 };

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
	const struct pagination_view *pagination;
};

VIEW_FIELDS(front_box_view, STRING(title), STRING(url), STRING(kind), LIST(posts, post_card_view))
VIEW_FIELDS(front_section_view, STRING(title), STRING(url), LIST(posts, post_card_view))
VIEW_FIELDS(front_view, VIEW(layout, layout_view), OPTION(lead, post_card_view),
    LIST(stories, post_card_view), LIST(rail, front_box_view), LIST(sections, front_section_view),
    STRING(empty_text), OPTION(pagination, pagination_view))
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

/* Some of a list that are not on the sheet already. */
static size_t
take_others(const struct posts *from, const struct posts *shown, size_t limit, struct post *out)
{
	size_t count = 0;

	for (size_t i = 0; i < from->count && count < limit; i++) {
		bool is_shown = false;

		for (size_t j = 0; j < shown->count && !is_shown; j++)
			is_shown = str_eq(shown->posts[j].id, from->posts[i].id);
		if (!is_shown)
			out[count++] = from->posts[i];
	}
	return count;
}

/* The narrow column: notes, links, discussed posts, and some of a year ago. */
static void
fill_rail(struct request *rq, const struct posts *posts, const struct posts *hot,
    const struct posts *old, bool *placed, struct front_view *view)
{
	struct front_box_view *boxes = ARENA_ARRAY(rq->arena, 4, struct front_box_view);
	struct post *taken =
	    ARENA_ARRAY(rq->arena, BRIEFS + LINKS + TALKED_ABOUT + OLD, struct post);
	size_t count, filled = 0;

	count = take_kind(posts, KIND_NOTE, placed, BRIEFS, taken);
	if (count != 0)
		fill_box(rq, &boxes[filled++], "Briefs", "", "briefs", taken, count);
	taken += BRIEFS;
	count = take_kind(posts, KIND_LINK, placed, LINKS, taken);
	if (count != 0)
		fill_box(rq, &boxes[filled++], "Elsewhere", "", "links", taken, count);
	taken += LINKS;
	count = take_others(hot, posts, TALKED_ABOUT, taken);
	if (count != 0)
		fill_box(rq, &boxes[filled++], "Talked about", "/hot", "hot", taken, count);
	taken += TALKED_ABOUT;
	count = take_others(old, posts, OLD, taken);
	if (count != 0)
		fill_box(rq, &boxes[filled++], "From the archive", "/archive", "old", taken, count);
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

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct ranking_query talked_about = {.ranking = RANKING_HOT, .limit = TALKED_ABOUT * 2};
	struct page_frame frame = {.path = STR("/")};
	struct front_view *view = ARENA_NEW(rq->arena, struct front_view);
	struct posts_query year_ago = {.of = POSTS_ALL, .limit = OLD,
	    .to = time_format(rq->arena, rq->now - 365 * (int64_t)DAY_MS)};
	struct read reads[3];
	struct posts_page page;
	struct posts posts, hot, old;
	enum http_status status;
	bool first, *placed;

	status = posts_page_prepare(rq, POSTS_ALL, STR(""), 0, &page);
	if (status != HTTP_OK)
		return status;
	reads[0] = page.read;
	talked_about.scheduled = publication_with_scheduled(rq)->scheduled_count;
	(void)posts_prepare_ranking(rq->arena, &talked_about, &reads[1]);
	(void)posts_prepare(rq->arena, &year_ago, rq->now, &reads[2]);
	status = page_read(rq, reads, page.query.cursor.len == 0 ? 3 : 1);
	if (status != HTTP_OK)
		return status;
	page.read = reads[0];
	posts_page_take(rq, &page, NULL, &posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, STR("/"));
	list_fresh(rq, rs);
	if (page.query.cursor.len != 0)
		return list_page(rq, rs,
		    &(struct list_page){.title = STR("Older posts"),
			.posts = &posts,
			.empty_text = STR("There is nothing older.")});
	posts_ranked(rq->arena, &talked_about, &reads[1], NULL, rq->now, &hot);
	posts_take(rq->arena, &year_ago, &reads[2], NULL, rq->now, &old);
	placed = ARENA_ARRAY(rq->arena, posts.count, bool);
	fill_news(rq, &posts, placed, view);
	fill_rail(rq, &posts, &hot, &old, placed, view);
	fill_sections(rq, &posts, placed, view);
	view->empty_text = STR("Nothing has been published yet.");
	view->pagination = pagination_of(rq, STR(""), posts.older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(front_template, view));
}

PAGE(front, .get = show, .query = list_parameters)
