/*
 * GET /hot, /top, /discussed, /rated, /disputed: the rankings of posts. /top/<span> and /discussed/<span> are those of what was
 * published in a span: `day`, `week`, `month` or `year`, the present one, `all`, or a name such as 2026-11-19, 2026-w47, 2026-11,
 * 2026.
 *
 * The first trip reads the ranking, and the nearest posts before and after the span; the second the heads of its posts, which
 * decide what is shown. The items of HOT are the heads.
 */
#include "base/arena.h"
#include "base/zone.h"
#include "pages/public/json_ld.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

#include <string.h>

enum { SHOWN = 20 };

struct ranked_view {
	struct post_card_view card;
	struct str score_text;
};

struct rankings_view {
	struct layout_view layout;
	struct str title, description;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct nav_link_view) rankings;
	LIST_OF(struct nav_link_view) spans;
	LIST_OF(struct ranked_view) posts;
	const struct pagination_view *pagination;
	const struct beside_view *beside;
};

VIEW_FIELDS(ranked_view, VIEW(card, post_card_view), STRING(score_text))
VIEW_FIELDS(rankings_view, VIEW(layout, layout_view), STRING(title), STRING(description),
    LIST(breadcrumbs, link_view), LIST(rankings, nav_link_view), LIST(spans, nav_link_view),
    LIST(posts, ranked_view), OPTION(pagination, pagination_view), OPTION(beside, beside_view))
TEMPLATE(rankings_template, "rankings", rankings_view)

/* What people are told of each. */
static const struct {
	const char *path, *name, *title, *description;
} told[RANKINGS] = {
    [RANKING_HOT] = {"/hot", "Popular now", "Popular now",
	"What readers like, rate, keep and discuss, new posts before old ones."},
    [RANKING_TOP] = {"/top", "Top", "Top posts", "By how many readers like them or vote for them."},
    [RANKING_DISCUSSED] = {"/discussed", "Most discussed", "Most discussed posts",
	"By the number of their comments."},
    [RANKING_RATED] = {"/rated", "Best rated", "Best rated",
	"By the mean of their stars, from three ratings on."},
    [RANKING_DISPUTED] = {"/disputed", "Disputed", "Disputed",
	"With about as many votes for them as against, from five votes on."},
};

/* The present spans, by their addresses. */
static const struct {
	struct str word;
	const char *name, *text;
} spans[SPAN_LENGTHS + 1] = {
    [SPAN_DAY] = {STR_INIT("day"), "Today", "today"},
    [SPAN_WEEK] = {STR_INIT("week"), "This week", "this week"},
    [SPAN_MONTH] = {STR_INIT("month"), "This month", "this month"},
    [SPAN_YEAR] = {STR_INIT("year"), "This year", "this year"},
    [SPAN_LENGTHS] = {STR_INIT("all"), "All time", "all time"},
};

/* What an address asks for. */
struct asked {
	enum ranking ranking;
	struct span span;
	bool whole;   /* of all times: no span */
	bool present; /* the address has a word of the table above */
	struct str path;
};

/* --- The address ------------------------------------------------------------------------------------- */

static struct str
path_of(struct request *rq, enum ranking ranking, struct str span)
{
	return url_join(
	    rq->arena, STR_CONCAT(rq->arena, str_of(told[ranking].path), STR("/")), span);
}

/* False: there is no such span, or not yet. */
static bool
parse(struct request *rq, enum ranking ranking, struct asked *out)
{
	struct str text = request_param(rq, "span");

	*out = (struct asked){
	    .ranking = ranking, .whole = true, .present = true, .path = str_of(told[ranking].path)};
	if (!ranking_has_span(ranking, SPAN_WEEK))
		return true;
	if (text.len == 0)
		text = spans[SPAN_WEEK].word;
	out->path = path_of(rq, ranking, text);
	for (enum span_length length = 0; length <= SPAN_LENGTHS; length++) {
		if (!str_eq(text, spans[length].word))
			continue;
		out->whole = length == SPAN_LENGTHS;
		out->span = span_of(out->whole ? SPAN_DAY : length, rq->zone, rq->now);
		return out->whole || ranking_has_span(ranking, length);
	}
	out->whole = out->present = false;
	return span_parse(text, &out->span) && ranking_has_span(ranking, out->span.length) &&
	       span_begin(rq->zone, out->span) <= rq->now;
}

/* "this week", "the week of 16 November 2026" */
static struct str
name_of(struct request *rq, struct span span)
{
	int64_t begin = span_begin(rq->zone, span);
	struct date d = time_date(span.first);

	switch (span.length) {
	case SPAN_WEEK: return STR_CONCAT(rq->arena, STR("the week of "), words_date(rq, begin));
	case SPAN_MONTH: return words_month(rq->arena, d.year, d.month);
	case SPAN_YEAR: return str_fmt(rq->arena, "%d", d.year);
	case SPAN_DAY:
	case SPAN_LENGTHS: break;
	}
	return words_date(rq, begin);
}

static struct str
title_of(struct request *rq, const struct asked *asked)
{
	struct str title = str_of(told[asked->ranking].title), name;

	if (!ranking_has_span(asked->ranking, SPAN_WEEK))
		return title;
	if (asked->present)
		name = str_of(spans[asked->whole ? SPAN_LENGTHS : asked->span.length].text);
	else
		name = name_of(rq, asked->span);
	return STR_CONCAT(rq->arena, title, STR(" of "), name);
}

/* --- Reading ------------------------------------------------------------------------------------------ */

enum { RANKED, EARLIER, LATER, READS };
static const struct posts_query nearest = {.of = POSTS_ALL, .limit = 1};

/* The nearest posts outside of the span; of the present one nothing is later. */
static size_t
prepare_beside(struct request *rq, const struct asked *asked, struct read *reads)
{
	struct posts_query earlier = nearest, later = nearest;
	struct read read;

	if (asked->whole)
		return EARLIER;
	earlier.to = time_format(rq->arena, span_begin(rq->zone, asked->span) - 1);
	later.from = time_format(rq->arena, span_end(rq->zone, asked->span));
	later.newer = true;
	(void)posts_prepare(rq->arena, &earlier, rq->now, &reads[EARLIER]);
	if (!posts_prepare(rq->arena, &later, rq->now, &read))
		return LATER;
	reads[LATER] = read;
	return READS;
}

/* To the span of such a post; empty when there was none. */
static struct link_view
link_to(struct request *rq, const struct asked *asked, const struct read *read)
{
	struct posts posts;
	struct span span;

	posts_take(rq->arena, &nearest, read, NULL, rq->now, &posts);
	if (posts.count == 0)
		return (struct link_view){STR(""), STR("")};
	span = span_of(asked->span.length, rq->zone, posts.posts[0].published);
	return (struct link_view){path_of(rq, asked->ranking, span_text(rq->arena, span)),
	    words_capital(rq->arena, name_of(rq, span))};
}

/* The rest, when there are more scheduled posts than the publication counts. */
static enum http_status
read_on(struct request *rq, struct read *ranked)
{
	struct read more = {.kind = READ_QUERY, .query = ranked->query};
	struct item *all;
	enum http_status status;

	more.query.limit = TABLE_QUERY_MAX;
	more.query.cursor = ranked->next;
	status = page_read(rq, &more, 1);
	if (status != HTTP_OK)
		return status;
	all = ARENA_ARRAY(rq->arena, ranked->found_count + more.found_count, struct item);
	memcpy(all, ranked->found, ranked->found_count * sizeof(*all));
	if (more.found_count != 0)
		memcpy(all + ranked->found_count, more.found, more.found_count * sizeof(*all));
	ranked->found = all;
	ranked->found_count += more.found_count;
	ranked->next = more.next;
	return HTTP_OK;
}

static enum http_status
read_posts(struct request *rq, const struct asked *asked, struct posts *out,
    const struct beside_view **beside)
{
	struct ranking_query query = {
	    .ranking = asked->ranking, .span = asked->whole ? NULL : &asked->span, .limit = SHOWN};
	struct beside_view *view = ARENA_NEW(rq->arena, struct beside_view);
	struct read reads[READS] = {{0}}, heads = {0};
	bool named = asked->ranking != RANKING_HOT;
	enum http_status status;

	if (!named)
		query.scheduled = publication_with_scheduled(rq)->scheduled_count;
	if (!list_cursor_of(rq, "after", &query.cursor))
		return HTTP_BAD_REQUEST;
	if (!posts_prepare_ranking(rq->arena, &query, &reads[RANKED]))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, prepare_beside(rq, asked, reads));
	if (status == HTTP_OK && named)
		status = list_heads(rq, &reads[RANKED], &heads);
	if (status != HTTP_OK)
		return status;
	posts_ranked(rq->arena, &query, &reads[RANKED], named ? &heads : NULL, rq->now, out);
	if (!named && out->count < SHOWN && reads[RANKED].next.len != 0) {
		status = read_on(rq, &reads[RANKED]);
		posts_ranked(rq->arena, &query, &reads[RANKED], NULL, rq->now, out);
	}
	if (!asked->whole) {
		view->earlier = link_to(rq, asked, &reads[EARLIER]);
		view->later = link_to(rq, asked, &reads[LATER]);
		*beside = view->earlier.url.len + view->later.url.len != 0 ? view : NULL;
	}
	return status;
}

/* --- Showing ------------------------------------------------------------------------------------------ */

/* What a card does not say already. */
static struct str
score_text(struct request *rq, enum ranking ranking, const struct post *post)
{
	if (ranking != RANKING_TOP && ranking != RANKING_DISPUTED)
		return STR("");
	if (post->downs == 0)
		return post->likes != 0 ? words_some(rq->arena, post->likes, "like", "likes")
					: words_some(rq->arena, post->ups, "vote", "votes");
	return STR_CONCAT(rq->arena, words_number(rq->arena, post->ups), STR(" for, "),
	    words_number(rq->arena, post->downs), STR(" against"));
}

/* The other rankings, and the present spans of this one. */
static void
fill_links(struct request *rq, const struct asked *asked, struct rankings_view *view)
{
	struct nav_link_view *rankings = ARENA_ARRAY(rq->arena, RANKINGS, struct nav_link_view);
	struct nav_link_view *present = ARENA_ARRAY(rq->arena, SPAN_LENGTHS + 1, struct nav_link_view);

	for (enum ranking r = 0; r < RANKINGS; r++)
		rankings[view->rankings.count++] = (struct nav_link_view){
		    str_of(told[r].path), str_of(told[r].name), r == asked->ranking};
	view->rankings.items = rankings;
	for (enum span_length length = 0; length <= SPAN_LENGTHS; length++) {
		struct str path = path_of(rq, asked->ranking, spans[length].word);

		if (ranking_has_span(asked->ranking, length == SPAN_LENGTHS ? SPAN_WEEK : length))
			present[view->spans.count++] = (struct nav_link_view){
			    path, str_of(spans[length].name), str_eq(path, asked->path)};
	}
	view->spans.items = present;
}

static enum http_status
show(struct request *rq, struct response *rs, enum ranking ranking)
{
	struct rankings_view *view = ARENA_NEW(rq->arena, struct rankings_view);
	struct ranked_view *ranked;
	struct page_frame frame = {0};
	struct asked asked;
	struct posts posts;
	/* The settings say in which zone the days are. */
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (!parse(rq, ranking, &asked))
		return HTTP_NOT_FOUND;
	status = read_posts(rq, &asked, &posts, &view->beside);
	if (status != HTTP_OK)
		return status;
	ranked = ARENA_ARRAY(rq->arena, posts.count, struct ranked_view);
	for (size_t i = 0; i < posts.count; i++) {
		card_fill(rq, &posts.posts[i], &ranked[i].card);
		ranked[i].score_text = score_text(rq, ranking, &posts.posts[i]);
	}
	view->posts.items = ranked;
	view->posts.count = posts.count;
	view->title = frame.title = title_of(rq, &asked);
	view->description = frame.description = str_of(told[ranking].description);
	frame.path = asked.path;
	frame.noindex = posts.count == 0;
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/archive"), STR("Archive"));
	frame.json_ld = json_ld_breadcrumbs(rq, &view->breadcrumbs, frame.title, frame.path);
	fill_links(rq, &asked, view);
	view->pagination = pagination_onward(rq, posts.older);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(rankings_template, view));
}

static enum http_status
show_hot(struct request *rq, struct response *rs)
{
	return show(rq, rs, RANKING_HOT);
}

static enum http_status
show_top(struct request *rq, struct response *rs)
{
	return show(rq, rs, RANKING_TOP);
}

static enum http_status
show_discussed(struct request *rq, struct response *rs)
{
	return show(rq, rs, RANKING_DISCUSSED);
}

static enum http_status
show_rated(struct request *rq, struct response *rs)
{
	return show(rq, rs, RANKING_RATED);
}

static enum http_status
show_disputed(struct request *rq, struct response *rs)
{
	return show(rq, rs, RANKING_DISPUTED);
}

PAGE(hot, .get = show_hot, .query = QUERY("after"))
PAGE(top, .get = show_top, .query = QUERY("after"))
PAGE(discussed, .get = show_discussed, .query = QUERY("after"))
PAGE(rated, .get = show_rated, .query = QUERY("after"))
PAGE(disputed, .get = show_disputed, .query = QUERY("after"))
