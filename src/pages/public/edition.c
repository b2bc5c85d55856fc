/*
 * GET /edition/<year>-w<week>: what was published in a week, of ISO 8601 and the site's zone, on one sheet: whole texts in
 * columns, to be read here or printed.
 *
 * The first trip reads the week's posts, and one post before and after it for the links to its neighbours; the second the
 * texts, of as many posts and words as texts_chosen() says. What has no room for its text is listed with its excerpt.
 */
#include "pages/public/edition.h"

#include "base/arena.h"
#include "base/zone.h"
#include "model/post/category.h"
#include "model/post/ranking.h"
#include "pages/public/json_ld.h"
#include "pages/public/post_view.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/texts.h"
#include "pages/shared/words.h"
#include "web/http/asset.h"

#include <string.h>

enum { POSTS_READ = 100, WORDS_MAX = 30000, WORDS_A_MINUTE = 230, DAYS = 7, DAY_MS = 24 * 60 * 60 * 1000 };

/* A post on the sheet. */
struct edition_story_view {
	struct str anchor, section;
	struct post_view story;
};

struct edition_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str sheet_style_url, title, days_text, posts_text, reading_text, book_url, empty_text;
	const struct edition_story_view *lead;
	LIST_OF(struct edition_story_view) stories, briefs, links;
	LIST_OF(struct post_card_view) rest;
	struct str archive_url; /* where the posts are that are not even listed */
	const struct beside_view *beside;
};

VIEW_FIELDS(edition_story_view, STRING(anchor), STRING(section), VIEW(story, post_view))
VIEW_FIELDS(edition_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view), STRING(sheet_style_url),
    STRING(title), STRING(days_text), STRING(posts_text), STRING(reading_text), STRING(book_url),
    STRING(empty_text),
    OPTION(lead, edition_story_view), LIST(stories, edition_story_view), LIST(briefs, edition_story_view),
    LIST(links, edition_story_view), LIST(rest, post_card_view), STRING(archive_url),
    OPTION(beside, beside_view))
TEMPLATE(edition_template, "edition", edition_view)

/* --- The week ------------------------------------------------------------------------------------- */

static struct str
path_of(struct arena *arena, struct span week)
{
	return STR_CONCAT(arena, STR("/edition/"), span_text(arena, week));
}

struct str
edition_path(struct request *rq, int64_t time)
{
	return path_of(rq->arena, span_of(SPAN_WEEK, rq->zone, time));
}

/* "Week 7" of "2026-w07". */
static struct str
name_of(struct request *rq, struct span week)
{
	struct str number;
	int64_t n = 0;

	str_cut(span_text(rq->arena, week), 'w', &number);
	(void)str_int(number, &n);
	return STR_CONCAT(rq->arena, STR("Week "), words_number(rq->arena, n));
}

struct str
edition_name(struct request *rq, int64_t time)
{
	return name_of(rq, span_of(SPAN_WEEK, rq->zone, time));
}

struct str
week_days(struct request *rq, struct span week)
{
	struct date from = time_date(week.first), to = time_date(week.first + (DAYS - 1) * (int64_t)DAY_MS);
	const char *month = words_month_name(from.month), *last = words_month_name(to.month);

	if (from.year != to.year)
		return str_fmt(rq->arena, "%d %s %d – %d %s %d", from.day, month, from.year, to.day, last, to.year);
	return from.month != to.month
		   ? str_fmt(rq->arena, "%d %s – %d %s %d", from.day, month, to.day, last, to.year)
		   : str_fmt(rq->arena, "%d–%d %s %d", from.day, to.day, last, to.year);
}

static enum http_status
no_week(struct response *rs, const char *why)
{
	rs->error_text = why;
	return HTTP_NOT_FOUND;
}

enum http_status
week_read(struct request *rq, struct response *rs, struct week *out)
{
	struct posts_query week, earlier, later;
	struct read reads[3];
	enum http_status status;
	int64_t begin, end;
	bool ends;

	if (!span_parse(request_param(rq, "week"), &out->span) || out->span.length != SPAN_WEEK)
		return no_week(rs, "An edition is a week, written as in 2026-w07: a year has 52 of them, or 53.");
	status = page_read(rq, NULL, 0);
	if (status != HTTP_OK)
		return status;
	begin = span_begin(rq->zone, out->span);
	end = span_end(rq->zone, out->span);
	week = (struct posts_query){.of = POSTS_ALL,
	    .limit = POSTS_READ,
	    .from = time_format(rq->arena, begin),
	    .to = time_format(rq->arena, end - 1)};
	earlier = (struct posts_query){.of = POSTS_ALL, .limit = 1, .to = time_format(rq->arena, begin - 1)};
	later = (struct posts_query){.of = POSTS_ALL, .limit = 1, .newer = true, .from = time_format(rq->arena, end)};
	if (begin > rq->now || !posts_prepare(rq->arena, &week, rq->now, &reads[0]))
		return no_week(rs, "That week is yet to come.");
	(void)posts_prepare(rq->arena, &earlier, rq->now, &reads[1]);
	ends = !posts_prepare(rq->arena, &later, rq->now, &reads[2]);
	status = page_read(rq, reads, ends ? 2 : 3);
	if (status != HTTP_OK)
		return status;
	posts_take(rq->arena, &week, &reads[0], NULL, rq->now, &out->posts);
	posts_take(rq->arena, &earlier, &reads[1], NULL, rq->now, &out->earlier);
	out->later = (struct posts){.count = 0};
	if (!ends)
		posts_take(rq->arena, &later, &reads[2], NULL, rq->now, &out->later);
	list_fresh(rq, rs);
	return HTTP_OK;
}

/* --- The texts ------------------------------------------------------------------------------------ */

size_t
texts_chosen(const struct posts *posts, struct str ids[TEXTS_MAX])
{
	size_t count = 0;
	int64_t words = 0;

	for (size_t i = 0; i < posts->count && count < TEXTS_MAX; i++) {
		if (words + posts->posts[i].words > WORDS_MAX)
			continue;
		words += posts->posts[i].words;
		ids[count++] = posts->posts[i].id;
	}
	return count;
}

/* --- The sheet ------------------------------------------------------------------------------------ */

/* What leads is a text with a picture and an excerpt, if there is one, and the one that readers like best. */
static bool
leads(const struct post *a, const struct post *b)
{
	bool whole_a = a->excerpt.len != 0 && post_has_picture(a);
	bool whole_b = b->excerpt.len != 0 && post_has_picture(b);

	if ((a->kind == KIND_ARTICLE) != (b->kind == KIND_ARTICLE))
		return a->kind == KIND_ARTICLE;
	if (whole_a != whole_b)
		return whole_a;
	return ranking_score(RANKING_TOP, a) > ranking_score(RANKING_TOP, b);
}

static bool
is_story(const struct whole_post *post)
{
	return post->post.kind != KIND_NOTE && post->post.kind != KIND_LINK;
}

/* Its anchors are its own: other texts on the sheet may have the same. */
static void
fill_story(struct request *rq, const struct whole_post *whole, size_t n, struct edition_story_view *out)
{
	struct post_shown *shown = ARENA_NEW(rq->arena, struct post_shown);
	const struct category *category =
	    category_find(&publication_of(rq)->categories, whole->post.category);

	out->anchor = str_fmt(rq->arena, "p%zu", n + 1);
	out->section = category != NULL ? category->name : STR("");
	shown->post = whole->post;
	shown->body = whole->body;
	shown->anchors = STR_CONCAT(rq->arena, out->anchor, STR("-"));
	post_view_fill(rq, shown, &out->story);
	(void)unname(rq, whole->post.author, &out->story.author_name, &out->story.author_url);
	out->story.others.items = byline_others(rq, &whole->post, true);
}

void
edition_sort(struct arena *arena, struct whole_post *posts, size_t count)
{
	static const enum post_kind short_ones[] = {KIND_NOTE, KIND_LINK};
	struct whole_post *sorted = ARENA_ARRAY(arena, count, struct whole_post);
	size_t lead = count, n = 0;

	for (size_t i = 0; i < count; i++)
		if (is_story(&posts[i]) && (lead == count || leads(&posts[i].post, &posts[lead].post)))
			lead = i;
	if (lead < count)
		sorted[n++] = posts[lead];
	for (size_t i = 0; i < count; i++)
		if (i != lead && is_story(&posts[i]))
			sorted[n++] = posts[i];
	for (size_t k = 0; k < sizeof(short_ones) / sizeof(short_ones[0]); k++)
		for (size_t i = 0; i < count; i++)
			if (posts[i].post.kind == short_ones[k])
				sorted[n++] = posts[i];
	memcpy(posts, sorted, count * sizeof(posts[0]));
}

/* Posts as edition_sort() leaves them. */
static void
fill_stories(struct request *rq, const struct whole_post *posts, size_t count, struct edition_view *view)
{
	struct edition_story_view *stories = ARENA_ARRAY(rq->arena, count, struct edition_story_view);

	for (size_t i = 0; i < count; i++) {
		fill_story(rq, &posts[i], i, &stories[i]);
		if (posts[i].post.kind == KIND_NOTE)
			view->briefs.count++;
		else if (posts[i].post.kind == KIND_LINK)
			view->links.count++;
		else if (i == 0)
			view->lead = stories;
		else
			view->stories.count++;
	}
	view->stories.items = stories + (view->lead != NULL);
	view->briefs.items = view->stories.items + view->stories.count;
	view->links.items = view->briefs.items + view->briefs.count;
}

/* Posts of the week without their texts: there was no room, or they are not to be seen any more. */
static void
fill_rest(struct request *rq, const struct posts *posts, const struct str *ids, size_t id_count,
    struct edition_view *view)
{
	struct post_card_view *cards = ARENA_ARRAY(rq->arena, posts->count, struct post_card_view);
	struct date month;

	for (size_t i = 0, chosen = 0; i < posts->count; i++) {
		if (chosen < id_count && str_eq(posts->posts[i].id, ids[chosen]))
			chosen++;
		else
			card_fill(rq, &posts->posts[i], &cards[view->rest.count++]);
	}
	view->rest.items = cards;
	if (posts->older.len == 0)
		return;
	month = zone_date(rq->zone, posts->posts[posts->count - 1].published);
	view->archive_url = str_fmt(rq->arena, "/archive/%04d/%02d", month.year, month.month);
}

static struct link_view
link_to(struct request *rq, const struct posts *posts)
{
	if (posts->count == 0)
		return (struct link_view){STR(""), STR("")};
	return (struct link_view){edition_path(rq, posts->posts[0].published),
	    edition_name(rq, posts->posts[0].published)};
}

static void
fill_head(struct request *rq, const struct week *week, const struct whole_post *posts, size_t count,
    struct edition_view *view)
{
	struct beside_view *beside = ARENA_NEW(rq->arena, struct beside_view);
	int64_t words = 0;

	for (size_t i = 0; i < count; i++)
		words += posts[i].post.words;
	view->title = name_of(rq, week->span);
	view->days_text = week_days(rq, week->span);
	if (week->posts.older.len == 0)
		view->posts_text =
		    words_some(rq->arena, (int64_t)(count + view->rest.count), "post", "posts");
	if (words >= WORDS_A_MINUTE)
		view->reading_text = STR_CONCAT(
		    rq->arena, words_duration(rq->arena, words / WORDS_A_MINUTE), STR(" to read"));
	if (count != 0)
		view->book_url = STR_CONCAT(rq->arena, rq->path, STR("/book.epub"));
	view->empty_text = rq->now < span_end(rq->zone, week->span)
			       ? STR("Nothing has been published this week yet.")
			       : STR("Nothing was published in this week.");
	*beside = (struct beside_view){link_to(rq, &week->earlier), link_to(rq, &week->later)};
	if (week->earlier.count != 0 || week->later.count != 0)
		view->beside = beside;
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/archive"), STR("Archive"));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct edition_view *view = ARENA_NEW(rq->arena, struct edition_view);
	struct page_frame frame = {.path = rq->path};
	struct str ids[TEXTS_MAX];
	struct whole_post *posts;
	struct week week;
	size_t id_count, count;
	enum http_status status = week_read(rq, rs, &week);

	if (status != HTTP_OK)
		return status;
	id_count = texts_chosen(&week.posts, ids);
	status = texts_read(rq, ids, id_count, &posts, &count);
	if (status != HTTP_OK)
		return status;
	edition_sort(rq->arena, posts, count);
	fill_stories(rq, posts, count, view);
	fill_rest(rq, &week.posts, ids, id_count, view);
	fill_head(rq, &week, posts, count, view);
	view->sheet_style_url = asset_url(rq->site->assets, STR("edition.css"));
	frame.title = STR_CONCAT(rq->arena, view->title, STR(", "), view->days_text);
	frame.description = STR_CONCAT(rq->arena, STR("What "), rq->settings->name,
	    STR(" published on "), view->days_text, STR(", on one sheet."));
	frame.noindex = week.posts.count == 0;
	if (view->lead != NULL && view->lead->story.thumbnail != NULL)
		frame.picture = view->lead->story.thumbnail->src;
	frame.json_ld = json_ld_breadcrumbs(rq, &view->breadcrumbs, view->title, rq->path);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(edition_template, view));
}

PAGE(edition, .get = show)
