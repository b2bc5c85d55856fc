/*
 * GET /search: what readers look for. /search/feed.atom is in feed.c; /opensearch.xml tells browsers of it.
 * /search/suggest is how a word may go on that somebody types, for static/search.js and for browsers: a few words of
 * the dictionary, of two small trips.
 *
 * What a query means, and what it finds, is said in text/search_query.h and web/search/search.h: here it is shown. A passage is
 * plain text in parts, of which some are marked, so that the template escapes all of it.
 */
#include "pages/public/search.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/span.h"
#include "base/zone.h"
#include "model/reader/comment.h"
#include "pages/public/indexes.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/escape.h"
#include "text/url.h"
#include "web/http/asset.h"
#include "web/search/complete.h"

#include <stdlib.h>

/* A longer query is not repeated in links that choose among its results, nor kept: the page would grow with each. */
enum { YEARS_MAX = 12, NEAR_MAX = 4, REPEATED_MAX = 500, OPENSEARCH_NAME_MAX = 16 };

struct part_view {
	struct str text;
	bool marked;
};

struct hit_view {
	struct str url, title, kind, kind_label, author_name, author_url, date, date_text, language, direction, folded;
	bool author_verified;
	LIST_OF(struct part_view) parts;
};

struct facet_view {
	struct str url, name, count_text;
	bool current;
};

struct search_view {
	struct layout_view layout;
	struct str title, query, count_text, said, phrases_text, feed_url, suggestion_url, suggestion, empty_text;
	bool asked;
	LIST_OF(struct nav_link_view) sorts;
	LIST_OF(struct facet_view) kinds;
	LIST_OF(struct facet_view) years;
	LIST_OF(struct hit_view) hits;
	LIST_OF(struct link_view) near; /* when nothing is found */
	const struct pagination_view *pagination;
};

VIEW_FIELDS(part_view, STRING(text), FLAG(marked))
VIEW_FIELDS(hit_view, STRING(url), STRING(title), STRING(kind), STRING(kind_label), STRING(author_name),
    STRING(author_url), STRING(date), STRING(date_text), STRING(language), STRING(direction),
    STRING(folded), FLAG(author_verified), LIST(parts, part_view))
VIEW_FIELDS(facet_view, STRING(url), STRING(name), STRING(count_text), FLAG(current))
VIEW_FIELDS(search_view, VIEW(layout, layout_view), STRING(title), STRING(query), STRING(count_text),
    STRING(said), STRING(phrases_text), STRING(feed_url), STRING(suggestion_url), STRING(suggestion), STRING(empty_text),
    FLAG(asked), LIST(sorts, nav_link_view), LIST(kinds, facet_view), LIST(years, facet_view),
    LIST(hits, hit_view), LIST(near, link_view), OPTION(pagination, pagination_view))
TEMPLATE(search_template, "search", search_view)

/* --- Addresses ----------------------------------------------------------------------------------------- */

static struct str
url_of(struct request *rq, struct str path, struct str query, unsigned first)
{
	struct buf url = {.arena = rq->arena};

	buf_put(&url, path);
	BUF_PUT(&url, "?q=");
	url_put_query(&url, query);
	if (first != 0)
		buf_fmt(&url, "&from=%u", first);
	return buf_str(&url);
}

static struct str
search_url(struct request *rq, const struct search_query *query)
{
	return url_of(rq, STR("/search"), search_query_write(rq->arena, query, rq->zone), 0);
}

/* The hit that a page begins with: a multiple of what a page has, below the last. */
static unsigned
first_of(struct request *rq)
{
	int64_t from;

	if (!str_int(request_query(rq, "from"), &from) || from < 0 || from >= SEARCH_HITS_MAX)
		return 0;
	return (unsigned)from / SEARCH_PAGE * SEARCH_PAGE;
}

/* --- Asking -------------------------------------------------------------------------------------------- */

enum http_status
search_ask(struct request *rq, struct str typed, unsigned first, struct search_asked *out)
{
	struct search_options options = {.query = &out->query,
	    .now = rq->now,
	    .first = first,
	    .count = SEARCH_PAGE};
	enum http_status status = publication_languages(rq, options.languages);
	struct search *search;
	struct read *reads;
	size_t count;

	*out = (struct search_asked){.results = NULL};
	if (status != HTTP_OK)
		return status;
	search_query_parse(rq->arena, typed, rq->zone, &out->query);
	if (search_query_empty(&out->query))
		return HTTP_OK;
	options.zone = rq->zone;
	options.newness = (int)rq->settings->search_newness;
	search = search_new(rq->arena, &options);
	while ((count = search_reads(search, &reads)) != 0) {
		status = page_read(rq, reads, count);
		if (status != HTTP_OK)
			return status;
		search_take(search, reads);
	}
	out->results = search_results(search);
	return HTTP_OK;
}

/* --- What was found ------------------------------------------------------------------------------------ */

/* A passage in parts, the marked ones between the others; dots where it was cut. */
static void
fill_parts(struct request *rq, const struct search_hit *hit, struct hit_view *out)
{
	struct part_view *parts = ARENA_ARRAY(rq->arena, 2 * hit->mark_count + 3, struct part_view);
	size_t count = 0, at = 0;

	if (hit->passage.len == 0)
		return;
	if (hit->cut_before)
		parts[count++] = (struct part_view){STR("… "), false};
	for (size_t i = 0; i < hit->mark_count; i++) {
		const struct search_mark *mark = &hit->marks[i];

		if (mark->from > at)
			parts[count++] = (struct part_view){str_sub(hit->passage, at, mark->from - at), false};
		parts[count++] =
		    (struct part_view){str_sub(hit->passage, mark->from, mark->to - mark->from), true};
		at = mark->to;
	}
	if (at < hit->passage.len)
		parts[count++] = (struct part_view){str_sub(hit->passage, at, hit->passage.len), false};
	if (hit->cut_after)
		parts[count++] = (struct part_view){STR(" …"), false};
	out->parts.items = parts;
	out->parts.count = count;
}

/* Lists have no pages, and no word for them. */
static struct str
kind_name(enum post_kind kind)
{
	return kind == KIND_PAGE ? STR("Page") : words_kind(kind);
}

static void
fill_comment(struct request *rq, const struct search_hit *hit, struct hit_view *out)
{
	const struct comment *c = hit->comment;

	out->url = url_join(rq->arena, STR("/comment/"), c->id);
	out->title = STR_CONCAT(rq->arena, STR("On “"), words_title(&hit->post), STR("”"));
	out->kind = STR("comment");
	out->kind_label = STR("Comment");
	out->author_name = c->author_name;
	out->author_url = author_path(rq->arena, c->author);
	out->author_verified = is_verified(rq, c->author);
	out->date = time_format(rq->arena, c->created);
	out->date_text = words_date(rq, c->created);
	out->folded = folded_for(rq, c->author, &out->author_name, &out->author_url);
}

static void
fill_post(struct request *rq, const struct post *post, struct hit_view *out)
{
	struct post_card_view card;

	card_fill(rq, post, &card);
	out->url = card.url;
	out->title = words_title(post);
	out->kind = card.kind;
	out->kind_label = kind_name(post->kind);
	out->author_name = card.author_name;
	out->author_url = card.author_url;
	out->author_verified = card.author_verified;
	out->date = card.date;
	out->date_text = card.date_text;
	out->language = card.language;
	out->direction = card.direction;
}

static void
fill_hits(struct request *rq, const struct search_results *found, struct search_view *view)
{
	struct hit_view *hits = ARENA_ARRAY(rq->arena, found->hit_count, struct hit_view);

	for (size_t i = 0; i < found->hit_count; i++) {
		hits[i] = (struct hit_view){.url = STR("")};
		if (found->hits[i].comment != NULL)
			fill_comment(rq, &found->hits[i], &hits[i]);
		else
			fill_post(rq, &found->hits[i].post, &hits[i]);
		if (hits[i].folded.len == 0)
			fill_parts(rq, &found->hits[i], &hits[i]);
	}
	view->hits.items = hits;
	view->hits.count = found->hit_count;
}

/* --- Filters ------------------------------------------------------------------------------------------- */

/* The filter of that sort, which is taken away; NULL: there was none. */
static bool
without(struct search_query *query, enum search_by by)
{
	size_t kept = 0;

	for (size_t i = 0; i < query->filter_count; i++)
		if (query->filters[i].by != by || query->filters[i].without)
			query->filters[kept++] = query->filters[i];
	if (kept == query->filter_count)
		return false;
	query->filter_count = kept;
	return true;
}

static struct str
facet_count(struct request *rq, const struct search_results *found, int64_t count)
{
	return STR_CONCAT(rq->arena, words_number(rq->arena, count), found->at_least ? STR("+") : STR(""));
}

static bool
chosen(const struct search_query *query, struct str kind)
{
	for (size_t i = 0; i < query->filter_count; i++)
		if (query->filters[i].by == SEARCH_BY_KIND && !query->filters[i].without &&
		    str_eq(query->filters[i].value, kind))
			return true;
	return false;
}

/* "All kinds", if one was chosen; else each that there is. */
static void
fill_kinds(struct request *rq, const struct search_asked *asked, struct search_view *view)
{
	const struct search_results *found = asked->results;
	struct facet_view *facets = ARENA_ARRAY(rq->arena, found->kind_count + 1, struct facet_view);
	struct search_query all = asked->query;
	size_t count = 0;

	if (asked->query.in == SEARCH_IN_COMMENTS)
		return;
	if (without(&all, SEARCH_BY_KIND))
		facets[count++] = (struct facet_view){search_url(rq, &all), STR("All kinds"), STR(""), false};
	for (size_t i = 0; i < found->kind_count; i++) {
		struct search_query one = all;
		int kind = post_kind_of(found->kinds[i].value);

		if (kind < 0 || one.filter_count == SEARCH_FILTERS_MAX)
			continue;
		one.filters[one.filter_count++] =
		    (struct search_filter){SEARCH_BY_KIND, false, found->kinds[i].value};
		facets[count++] = (struct facet_view){search_url(rq, &one), kind_name((enum post_kind)kind),
		    facet_count(rq, found, found->kinds[i].count),
		    chosen(&asked->query, found->kinds[i].value)};
	}
	view->kinds.items = facets;
	view->kinds.count = count > 1 ? count : 0;
}

static void
fill_years(struct request *rq, const struct search_asked *asked, struct search_view *view)
{
	const struct search_results *found = asked->results;
	struct facet_view *facets = ARENA_ARRAY(rq->arena, YEARS_MAX + 1, struct facet_view);
	bool chosen = asked->query.after != INT64_MIN || asked->query.before != INT64_MAX;
	size_t count = 0;

	if (chosen) {
		struct search_query any = asked->query;

		any.after = INT64_MIN;
		any.before = INT64_MAX;
		facets[count++] = (struct facet_view){search_url(rq, &any), STR("Any time"), STR(""), false};
	}
	for (size_t i = 0; i < found->year_count && count <= YEARS_MAX; i++) {
		struct search_query one = asked->query;
		struct span span;

		if (!span_parse(found->years[i].value, &span))
			continue;
		one.after = span_begin(rq->zone, span);
		one.before = span_end(rq->zone, span);
		facets[count++] = (struct facet_view){search_url(rq, &one), found->years[i].value,
		    facet_count(rq, found, found->years[i].count),
		    one.after == asked->query.after && one.before == asked->query.before};
	}
	view->years.items = facets;
	view->years.count = count > 1 ? count : 0;
}

static void
fill_sorts(struct request *rq, const struct search_query *query, struct search_view *view)
{
	struct nav_link_view *sorts = ARENA_ARRAY(rq->arena, 2, struct nav_link_view);

	for (size_t i = 0; i < 2; i++) {
		struct search_query one = *query;

		one.sort = i == 0 ? SEARCH_BEST : SEARCH_NEWEST;
		sorts[i] = (struct nav_link_view){search_url(rq, &one),
		    i == 0 ? STR("Best first") : STR("Newest first"), query->sort == one.sort};
	}
	view->sorts.items = sorts;
	view->sorts.count = 2;
}

/* --- Nothing ------------------------------------------------------------------------------------------- */

/* What is near: the same without its filters, words that begin so, and in comments. */
static void
fill_near(struct request *rq, const struct search_query *query, struct search_view *view)
{
	struct link_view *near = ARENA_ARRAY(rq->arena, NEAR_MAX, struct link_view);
	struct search_query wider = *query;
	size_t count = 0;

	wider.filter_count = wider.phrase_count = wider.without_count = 0;
	wider.stars_low = 0;
	wider.stars_high = 500;
	wider.after = INT64_MIN;
	wider.before = INT64_MAX;
	wider.in = SEARCH_IN_POSTS;
	if (!search_query_empty(&wider) &&
	    !str_eq(search_url(rq, &wider), search_url(rq, query)))
		near[count++] = (struct link_view){search_url(rq, &wider), STR("These words alone, anywhere")};
	if (query->in != SEARCH_IN_COMMENTS) {
		wider.in = SEARCH_IN_COMMENTS;
		if (!search_query_empty(&wider))
			near[count++] = (struct link_view){search_url(rq, &wider), STR("These words in comments")};
	}
	near[count++] = (struct link_view){STR("/tags"), STR("All tags")};
	near[count++] = (struct link_view){STR("/archive"), STR("The archive")};
	view->near.items = near;
	view->near.count = count;
}

/* --- The page ------------------------------------------------------------------------------------------ */

static struct str
count_text(struct request *rq, const struct search_asked *asked)
{
	bool comments = asked->query.in == SEARCH_IN_COMMENTS;
	struct str count = words_count(rq->arena, asked->results->total, comments ? "comment" : "post",
	    comments ? "comments" : "posts");

	return asked->results->at_least ? STR_CONCAT(rq->arena, STR("At least "), count) : count;
}

static void
fill_pagination(
    struct request *rq, const struct search_asked *asked, unsigned first, struct search_view *view)
{
	struct pagination_view *pages = ARENA_NEW(rq->arena, struct pagination_view);
	struct str query = search_query_write(rq->arena, &asked->query, rq->zone);
	unsigned next = asked->results->next;

	if (first == 0 && next == 0)
		return;
	*pages = (struct pagination_view){.newer_text = STR("The hits before"), .older_text = STR("More hits")};
	if (first != 0)
		pages->newer_url = url_of(rq, STR("/search"), query, first - SEARCH_PAGE);
	if (next != 0 && next < SEARCH_HITS_MAX)
		pages->older_url = url_of(rq, STR("/search"), query, next);
	view->pagination = pages;
}

static void
fill_found(struct request *rq, const struct search_asked *asked, unsigned first, struct search_view *view)
{
	view->said = search_query_said(rq->arena, &asked->query, rq->zone);
	if (asked->results == NULL) {
		view->empty_text = STR("There is no word in this to look for.");
		fill_near(rq, &asked->query, view);
		return;
	}
	if (asked->results->meant != NULL) {
		view->suggestion = search_query_write(rq->arena, asked->results->meant, rq->zone);
		view->suggestion_url = url_of(rq, STR("/search"), view->suggestion, 0);
	}
	if (asked->results->without_phrases)
		view->phrases_text = STR("Nothing has these words side by side: this is what has them at all.");
	fill_hits(rq, asked->results, view);
	if (view->query.len <= REPEATED_MAX) {
		fill_kinds(rq, asked, view);
		fill_years(rq, asked, view);
	}
	if (view->hits.count == 0) {
		view->empty_text = STR("Nothing was found.");
		fill_near(rq, &asked->query, view);
		return;
	}
	view->count_text = count_text(rq, asked);
	fill_pagination(rq, asked, first, view);
	if (view->query.len > REPEATED_MAX)
		return;
	fill_sorts(rq, &asked->query, view);
	if (asked->query.in != SEARCH_IN_COMMENTS)
		view->feed_url = url_of(rq, STR("/search/feed.atom"),
		    search_query_write(rq->arena, &asked->query, rq->zone), 0);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct search_view *view = ARENA_NEW(rq->arena, struct search_view);
	struct str typed = str_trim(request_query(rq, "q"));
	struct page_frame frame = {.title = STR("Search"), .path = STR("/search"), .noindex = typed.len != 0};
	struct search_asked asked;
	unsigned first = first_of(rq);
	enum http_status status = search_ask(rq, typed, first, &asked);

	if (status != HTTP_OK)
		return status;
	view->asked = typed.len != 0;
	view->query = typed;
	if (view->asked) {
		fill_found(rq, &asked, first, view);
		frame.title = STR_CONCAT(rq->arena, STR("Search: "), str_shortened(typed, 100));
		frame.feed_path = view->feed_url;
		frame.feed_title = frame.title;
	}
	view->title = STR("Search");
	list_fresh(rq, rs);
	/* There is no end of them, and each is asked for once. */
	if (typed.len > REPEATED_MAX)
		rs->policy = CACHE_PRIVATE;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(search_template, view));
}

/* --- While one types ------------------------------------------------------------------------------------ */

/* In the form of OpenSearch: ["tid",["tide","tides"]]. The words have letters, marks and digits only. */
static enum http_status
suggest(struct request *rq, struct response *rs)
{
	struct str beginning = complete_beginning(rq->arena, str_sub(request_query(rq, "q"), 0, 200));
	struct read words = {.kind = READ_QUERY}, witnesses[COMPLETE_MAX];
	struct str known[COMPLETE_MAX];
	enum http_status status = HTTP_OK;
	size_t count = 0;

	if (beginning.len != 0) {
		words = complete_read(rq->arena, beginning);
		status = page_read(rq, &words, 1);
		if (status == HTTP_OK)
			status = page_read(
			    rq, witnesses, complete_witnesses(rq->arena, &words, witnesses));
		if (status != HTTP_OK)
			return status;
		count = complete_take(rq->arena, &words, witnesses, rq->now, known);
	}
	rs->content_type = STR("application/json");
	rs->unread = true;
	list_fresh(rq, rs);
	buf_fmt(&rs->body, "[\"%.*s\",[", STR_ARGS(beginning));
	for (size_t i = 0; i < count; i++)
		buf_fmt(&rs->body, "%s\"%.*s\"", i == 0 ? "" : ",", STR_ARGS(known[i]));
	BUF_PUT(&rs->body, "]]\n");
	return HTTP_OK;
}

/* --- For browsers --------------------------------------------------------------------------------------- */

/* It has 16 characters at most; what a browser calls the engine is more than the beginning of a word. */
static struct str
opensearch_name(struct str name)
{
	size_t at = 0, space = 0, runes = 0;

	for (; at < name.len && runes < OPENSEARCH_NAME_MAX; runes++) {
		if (name.base[at] == ' ')
			space = at;
		(void)str_rune(name, &at);
	}
	if (at < name.len && space != 0 && name.base[at] != ' ')
		at = space;
	return str_sub(name, 0, at);
}

static enum http_status
show_opensearch(struct request *rq, struct response *rs)
{
	enum http_status status = page_read(rq, NULL, 0);
	struct buf *out = &rs->body;

	if (status != HTTP_OK)
		return status;
	rs->content_type = STR("application/opensearchdescription+xml; charset=utf-8");
	BUF_PUT(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		     "<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n<ShortName>");
	escape_html(out, opensearch_name(rq->settings->name));
	BUF_PUT(out, "</ShortName>\n<Description>");
	escape_html(out, rq->settings->description.len != 0 ? rq->settings->description : rq->settings->name);
	BUF_PUT(out, "</Description>\n<InputEncoding>UTF-8</InputEncoding>\n<Image width=\"180\" height=\"180\" type=\"image/png\">");
	escape_html(out, absolute(rq, asset_url(rq->site->assets, STR("icon.png"))));
	BUF_PUT(out, "</Image>\n<Url type=\"text/html\" template=\"");
	escape_html(out, absolute(rq, STR("/search?q={searchTerms}")));
	BUF_PUT(out, "\"/>\n<Url type=\"application/atom+xml\" template=\"");
	escape_html(out, absolute(rq, STR("/search/feed.atom?q={searchTerms}")));
	BUF_PUT(out, "\"/>\n<Url type=\"application/x-suggestions+json\" template=\"");
	escape_html(out, absolute(rq, STR("/search/suggest?q={searchTerms}")));
	BUF_PUT(out, "\"/>\n</OpenSearchDescription>\n");
	return HTTP_OK;
}

PAGE(search, .get = show, .typed = true, .query = QUERY("q", "from"))
PAGE(search_suggest, .get = suggest, .typed = true, .query = QUERY("q"))
PAGE(opensearch, .get = show_opensearch)
