/*
 * GET /post/<slug> and /page/<slug>: one post of any kind, its thread, what readers think of it, and where
 * to go on.
 *
 * A post's id is the slug that it began with, so the first round trip asks for the post under the slug
 * and for who claims the slug, together. Then there are two cases. Nearly always the post is there, and
 * the second trip asks for what depends on it: its author, its reviews, its neighbours. A renamed post is
 * found by the claim, and the second trip fetches the post itself; its author's lines are then left out
 * and its neighbours are the newest posts, so that it never takes three.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/user.h"
#include "pages/json_ld.h"
#include "pages/layout.h"
#include "pages/lists.h"
#include "pages/publication.h"
#include "pages/review.h"
#include "pages/routes.h"
#include "pages/thread.h"
#include "pages/words.h"
#include "pages/stored.h"
#include "web/url.h"

enum { COMMENTS_SHOWN = 100, REVIEWS_SHOWN = 20, MORE = 3, CONTENTS_WORDS = 600, CONTENTS_MIN = 3 };

struct contents_entry_view {
	struct str id, title;
	int64_t level;
};

struct fact_view {
	struct str name, value;
};

struct material_view {
	struct str name, amount;
};

struct tool_view {
	struct str name;
};

struct step_view {
	int64_t number;
	struct html body_html;
};

struct post_view {
	struct layout_view layout;
	struct str url, title, excerpt, kind, kind_label;
	struct breadcrumbs breadcrumbs;
	struct str author_url, author_name, author_bio, author_avatar_url;
	struct str date, date_text, updated, updated_text, reading_text, likes_text, bookmarks_text;
	struct str notice_text, edit_url;
	const struct image_view *thumbnail;
	LIST_OF(struct contents_entry_view) contents;
	struct html body_html;
	LIST_OF(struct link_view) tags;
	struct str link_url, link_host;
	const struct rating_summary_view *rating;
	struct str review_url;
	LIST_OF(struct review_view) reviews;
	LIST_OF(struct fact_view) facts;
	LIST_OF(struct material_view) materials;
	LIST_OF(struct tool_view) tools;
	LIST_OF(struct step_view) steps;
	struct str comments_text;
	LIST_OF(struct comment_view) comments;
	struct str comments_more_url, comment_url;
	struct str more_title;
	LIST_OF(struct post_card_view) more;
};

VIEW_FIELDS(contents_entry_view, STRING(id), STRING(title), NUMBER(level))
VIEW_FIELDS(fact_view, STRING(name), STRING(value))
VIEW_FIELDS(material_view, STRING(name), STRING(amount))
VIEW_FIELDS(tool_view, STRING(name))
VIEW_FIELDS(step_view, NUMBER(number), HTML(body_html))
VIEW_FIELDS(post_view, VIEW(layout, layout_view), STRING(url), STRING(title), STRING(excerpt),
    STRING(kind), STRING(kind_label), LIST(breadcrumbs, link_view), STRING(author_url),
    STRING(author_name), STRING(author_bio), STRING(author_avatar_url), STRING(date),
    STRING(date_text), STRING(updated), STRING(updated_text), STRING(reading_text),
    STRING(likes_text), STRING(bookmarks_text), STRING(notice_text), STRING(edit_url),
    OPTION(thumbnail, image_view), LIST(contents, contents_entry_view), HTML(body_html),
    LIST(tags, link_view), STRING(link_url), STRING(link_host), OPTION(rating, rating_summary_view),
    STRING(review_url), LIST(reviews, review_view), LIST(facts, fact_view),
    LIST(materials, material_view), LIST(tools, tool_view), LIST(steps, step_view),
    STRING(comments_text), LIST(comments, comment_view), STRING(comments_more_url),
    STRING(comment_url), STRING(more_title), LIST(more, post_card_view))
TEMPLATE(article_template, "article", post_view)
TEMPLATE(link_template, "link", post_view)
TEMPLATE(howto_template, "howto", post_view)
TEMPLATE(note_template, "note", post_view)
TEMPLATE(page_template, "page", post_view)

/* --- Loading ------------------------------------------------------------------------------------- */

/* What the page needs, as it comes from the table. */
struct loaded {
	struct post post;
	struct post_body body;
	struct post_stats stats;
	struct thread thread;
	struct str thread_more; /* cursor of the rest of the thread; empty: there is none */
	struct user author;
	bool has_author;
	const struct item *reviews;
	size_t review_count;
	struct posts more;
	bool more_by_category;
};

/* The reads of a post itself, in this order. */
enum { HEAD, BODY, STATS, COMMENTS, OWN_READS };

static void
own_reads(struct request *rq, struct str id, struct str comments_from, struct read *reads)
{
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[BODY] = (struct read){.kind = READ_GET, .key = key_post_body(rq->arena, id)};
	reads[STATS] = (struct read){.kind = READ_GET, .key = key_post_stats(rq->arena, id)};
	reads[COMMENTS] = (struct read){.kind = READ_QUERY, .query = query_comments(rq->arena, id)};
	reads[COMMENTS].query.limit = COMMENTS_SHOWN;
	reads[COMMENTS].query.cursor = comments_from;
}

/* False when the post is not there. */
static bool
take_own(struct request *rq, const struct read *reads, struct loaded *out)
{
	if (reads[HEAD].item == NULL)
		return false;
	post_from_item(rq->arena, reads[HEAD].item, &out->post);
	if (reads[BODY].item != NULL)
		post_body_from_item(rq->arena, reads[BODY].item, &out->body);
	post_stats_from_item(rq->arena, reads[STATS].item, &out->stats);
	out->thread =
	    thread_from_items(rq->arena, reads[COMMENTS].found, reads[COMMENTS].found_count);
	out->thread_more = reads[COMMENTS].next;
	return true;
}

static struct read
read_reviews(struct request *rq, struct str id)
{
	struct read read = {.kind = READ_QUERY, .query = query_ratings(rq->arena, id)};

	read.query.limit = REVIEWS_SHOWN;
	read.query.descending = true;
	return read;
}

/* Other posts, without the one that is shown. */
static void
take_more(struct request *rq, const struct posts_query *query, const struct read *read,
    struct loaded *out)
{
	struct post *others;
	struct posts posts;
	size_t count = 0;

	posts_take(rq->arena, query, read, NULL, rq->now, &posts);
	others = ARENA_ARRAY(rq->arena, MORE, struct post);
	for (size_t i = 0; i < posts.count && count < MORE; i++)
		if (!str_eq(posts.posts[i].id, out->post.id))
			others[count++] = posts.posts[i];
	out->more.posts = others;
	out->more.count = count;
}

/* The second trip of a post that was found at once. */
static enum http_status
load_around(struct request *rq, struct loaded *out)
{
	struct posts_query more = {
	    .of = POSTS_OF_CATEGORY, .name = out->post.category, .limit = MORE + 1};
	struct read reads[3];
	size_t count = 0, author, neighbours = SIZE_MAX, reviews = SIZE_MAX;
	enum http_status status;

	author = count++;
	reads[author] =
	    (struct read){.kind = READ_GET, .key = key_user(rq->arena, out->post.author)};
	out->more_by_category = out->post.category.len != 0;
	if (!out->more_by_category)
		more.of = POSTS_ALL;
	if (out->post.kind != KIND_PAGE && posts_prepare(rq->arena, &more, rq->now, &reads[count]))
		neighbours = count++;
	if (out->post.kind == KIND_LINK) {
		reviews = count++;
		reads[reviews] = read_reviews(rq, out->post.id);
	}
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (reads[author].item != NULL) {
		user_from_item(rq->arena, reads[author].item, &out->author);
		out->has_author = user_visible(&out->author) && !out->author.is_private;
	}
	if (neighbours != SIZE_MAX)
		take_more(rq, &more, &reads[neighbours], out);
	if (reviews != SIZE_MAX) {
		out->reviews = reads[reviews].found;
		out->review_count = reads[reviews].found_count;
	}
	return HTTP_OK;
}

/* The second trip of a renamed post: the post itself, and what can be asked for without knowing it. */
static enum http_status
load_renamed(struct request *rq, struct str id, struct str comments_from, struct loaded *out)
{
	struct posts_query newest = {.of = POSTS_ALL, .limit = MORE + 1};
	struct read reads[OWN_READS + 2];
	size_t count = OWN_READS, neighbours = SIZE_MAX;
	enum http_status status;

	own_reads(rq, id, comments_from, reads);
	reads[count++] = read_reviews(rq, id);
	if (posts_prepare(rq->arena, &newest, rq->now, &reads[count]))
		neighbours = count++;
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (!take_own(rq, reads, out))
		return HTTP_NOT_FOUND;
	out->reviews = reads[OWN_READS].found;
	out->review_count = out->post.kind == KIND_LINK ? reads[OWN_READS].found_count : 0;
	if (neighbours != SIZE_MAX)
		take_more(rq, &newest, &reads[neighbours], out);
	return HTTP_OK;
}

/* May it be shown, here? A draft is 404, not 403: guessing slugs tells a stranger nothing. */
static enum http_status
check(
    struct request *rq, struct response *rs, struct str slug, bool as_page, const struct post *post)
{
	if (post_gone(post, rq->now))
		return HTTP_GONE;
	if (!post_visible_to(post, rq->viewer, rq->now))
		return HTTP_NOT_FOUND;
	if (!str_eq(post->slug, slug) || (post->kind == KIND_PAGE) != as_page)
		return redirect(rs, HTTP_MOVED, post_path(rq->arena, post));
	return HTTP_OK;
}

/* Loads and checks; HTTP_OK only for a post that is to be shown at this address. */
static enum http_status
load(struct request *rq, struct response *rs, bool as_page, struct loaded *out)
{
	struct str slug = request_param(rq, "slug"), from, id;
	struct read reads[OWN_READS + 1];
	enum http_status status;
	bool newer;

	if (!slug_valid(slug))
		return HTTP_NOT_FOUND;
	if (!list_cursor(rq, &from, &newer) || newer)
		return HTTP_BAD_REQUEST;
	own_reads(rq, slug, from, reads);
	reads[OWN_READS] = (struct read){.kind = READ_GET, .key = key_slug(rq->arena, slug)};
	status = page_read(rq, reads, OWN_READS + 1);
	if (status != HTTP_OK)
		return status;
	if (reads[OWN_READS].item == NULL)
		return HTTP_NOT_FOUND;
	id = item_string(reads[OWN_READS].item, STR("Post"));
	if (!str_eq(id, slug)) {
		status = load_renamed(rq, id, from, out);
		return status == HTTP_OK ? check(rq, rs, slug, as_page, &out->post) : status;
	}
	if (!take_own(rq, reads, out))
		return HTTP_NOT_FOUND;
	status = check(rq, rs, slug, as_page, &out->post);
	return status == HTTP_OK ? load_around(rq, out) : status;
}

/* --- Shaping ------------------------------------------------------------------------------------- */

static struct breadcrumbs
trail_to(struct request *rq, const struct post *post)
{
	struct breadcrumbs trail = trail_home(rq);
	const struct category *line[8];
	size_t count = 0;
	const struct category *c = post->category.len != 0
				       ? category_find(&rq->publication->categories, post->category)
				       : NULL;

	for (; c != NULL && count < sizeof(line) / sizeof(line[0]); c = c->parent)
		line[count++] = c;
	while (count-- > 0)
		breadcrumb(rq, &trail, url_join(rq->arena, STR("/category/"), line[count]->slug),
		    line[count]->name);
	return trail;
}

static void
fill_contents(struct request *rq, const struct loaded *l, struct post_view *view)
{
	struct contents_entry_view *entries;

	if (l->post.words < CONTENTS_WORDS || l->body.contents_count < CONTENTS_MIN)
		return;
	entries = ARENA_ARRAY(rq->arena, l->body.contents_count, struct contents_entry_view);
	for (size_t i = 0; i < l->body.contents_count; i++)
		entries[i] = (struct contents_entry_view){
		    l->body.contents[i].id, l->body.contents[i].title, l->body.contents[i].level};
	view->contents.items = entries;
	view->contents.count = l->body.contents_count;
}

static void
fill_tags(struct request *rq, const struct post *post, struct post_view *view)
{
	struct link_view *tags = ARENA_ARRAY(rq->arena, post->tags.count, struct link_view);

	for (size_t i = 0; i < post->tags.count; i++)
		tags[i] =
		    (struct link_view){url_join(rq->arena, STR("/tag/"), post->tags.strings[i]),
			post->tags.strings[i]};
	view->tags.items = tags;
	view->tags.count = post->tags.count;
}

static void
fill_link(struct request *rq, const struct loaded *l, struct post_view *view)
{
	view->link_url = l->post.url;
	view->link_host = words_host(l->post.url);
	view->rating = rating_summary(rq, &l->stats);
	view->reviews.items = review_views(rq, l->reviews, l->review_count);
	view->reviews.count = l->review_count;
}

static void
fill_facts(struct request *rq, const struct post *post, struct post_view *view)
{
	const struct fact_view all[] = {
	    {STR("Difficulty"), words_difficulty(post->difficulty)},
	    {STR("Time"), words_duration(rq->arena, post->minutes)},
	    {STR("Cost"), words_money(rq->arena, post->cost, post->currency)},
	};
	struct fact_view *facts = ARENA_ARRAY(rq->arena, 3, struct fact_view);
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].value.len != 0)
			facts[count++] = all[i];
	view->facts.items = facts;
	view->facts.count = count;
}

static void
fill_howto(struct request *rq, const struct loaded *l, struct post_view *view)
{
	const struct post_body *b = &l->body;
	struct material_view *materials =
	    ARENA_ARRAY(rq->arena, b->material_count, struct material_view);
	struct tool_view *tools = ARENA_ARRAY(rq->arena, b->tools.count, struct tool_view);
	struct step_view *steps = ARENA_ARRAY(rq->arena, b->step_count, struct step_view);

	for (size_t i = 0; i < b->material_count; i++)
		materials[i] = (struct material_view){b->materials[i].name, b->materials[i].amount};
	for (size_t i = 0; i < b->tools.count; i++)
		tools[i] = (struct tool_view){b->tools.strings[i]};
	for (size_t i = 0; i < b->step_count; i++)
		steps[i] = (struct step_view){
		    (int64_t)i + 1, stored_html(rq, MARKDOWN_AUTHOR, b->steps[i].markdown,
					b->steps[i].html, b->renderer)};
	fill_facts(rq, &l->post, view);
	view->materials.items = materials;
	view->materials.count = b->material_count;
	view->tools.items = tools;
	view->tools.count = b->tools.count;
	view->steps.items = steps;
	view->steps.count = b->step_count;
}

static void
fill_byline(struct request *rq, const struct loaded *l, struct post_view *view)
{
	const struct post *post = &l->post;

	view->author_url = url_join(rq->arena, STR("/author/"), post->author);
	view->author_name = post->author_name;
	if (l->has_author) {
		view->author_bio = l->author.bio;
		view->author_avatar_url = l->author.avatar_url;
	}
	view->date = time_format(rq->arena, post->published);
	view->date_text = words_date(rq->arena, post->published);
	/* A slip corrected on the same day is not news. */
	if (post->updated / 86400000 > post->published / 86400000) {
		view->updated = time_format(rq->arena, post->updated);
		view->updated_text = words_date(rq->arena, post->updated);
	}
	if (post->kind == KIND_ARTICLE)
		view->reading_text = words_reading(rq->arena, post->words);
	view->likes_text = words_some(
	    rq->arena, l->stats.likes + l->stats.loves + l->stats.laughs, "like", "likes");
	view->bookmarks_text = words_some(rq->arena, l->stats.bookmarks, "bookmark", "bookmarks");
}

static void
fill_thread(struct request *rq, const struct loaded *l, struct post_view *view)
{
	view->comments_text =
	    l->post.comments != 0 || l->thread.count == 0
		? words_count(rq->arena, l->post.comments, "comment", "comments")
		: words_some(rq->arena, (int64_t)l->thread.count, "comment", "comments");
	if (l->thread.count == 0 && l->post.comments == 0)
		view->comments_text = STR("No comments yet");
	view->comments.items = thread_views(rq, &l->post, &l->thread);
	view->comments.count = l->thread.count;
	view->comments_more_url = older_url(rq, l->thread_more);
	if (view->comments_more_url.len != 0)
		view->comments_more_url =
		    STR_CONCAT(rq->arena, view->comments_more_url, STR("#comments"));
}

static void
fill_more(struct request *rq, const struct loaded *l, struct post_view *view)
{
	const struct category *c =
	    l->more_by_category ? category_find(&rq->publication->categories, l->post.category)
				: NULL;

	view->more_title =
	    c != NULL ? STR_CONCAT(rq->arena, STR("More in "), c->name) : STR("Newest");
	view->more.items = cards_of(rq, l->more.posts, l->more.count);
	view->more.count = l->more.count;
}

static void
fill_frame(struct request *rq, const struct loaded *l, const struct breadcrumbs *trail,
    struct post_view *view)
{
	const struct post *post = &l->post;
	struct page_frame frame = {
	    .title = post->title.len != 0 ? post->title : post->excerpt,
	    .description = post->excerpt,
	    .path = view->url,
	    .section = post->category,
	    .og_type = "article",
	    .noindex = request_query(rq, "after").len != 0,
	};

	if (post->kind != KIND_PAGE)
		frame.json_ld = json_ld_post(rq, post, &l->body, trail);
	layout_fill(rq, &frame, &view->layout);
	if (post->thumbnail.url.len != 0) {
		view->layout.og_image_url = str_starts(post->thumbnail.url, STR("/"))
						? absolute(rq, post->thumbnail.url)
						: post->thumbnail.url;
		view->layout.og_image_alt = post->thumbnail.alt;
	}
}

static void
fill(struct request *rq, const struct loaded *l, struct post_view *view)
{
	const struct post *post = &l->post;
	struct breadcrumbs trail = trail_to(rq, post);

	view->url = post_path(rq->arena, post);
	view->title = post->title;
	view->excerpt = post->kind == KIND_NOTE ? STR("") : post->excerpt;
	view->kind = str_of(post_kind_name(post->kind));
	view->kind_label = words_kind(post->kind);
	view->breadcrumbs = trail;
	view->thumbnail = image_of(rq->arena, &post->thumbnail);
	view->body_html =
	    stored_html(rq, MARKDOWN_AUTHOR, l->body.markdown, l->body.html, l->body.renderer);
	fill_byline(rq, l, view);
	fill_contents(rq, l, view);
	fill_tags(rq, post, view);
	if (post->kind == KIND_LINK)
		fill_link(rq, l, view);
	if (post->kind == KIND_HOWTO)
		fill_howto(rq, l, view);
	fill_thread(rq, l, view);
	fill_more(rq, l, view);
	fill_frame(rq, l, &trail, view);
}

/* When the page last changed: with the post, or with the newest comment on it. */
static int64_t
changed(const struct loaded *l)
{
	int64_t last = l->post.updated > l->post.published ? l->post.updated : l->post.published;

	for (size_t i = 0; i < l->thread.count; i++) {
		const struct comment *c = &l->thread.comments[i];
		int64_t at = c->updated > c->created ? c->updated : c->created;

		last = at > last ? at : last;
	}
	return last;
}

static enum http_status
show(struct request *rq, struct response *rs, bool as_page)
{
	struct loaded *l = ARENA_NEW(rq->arena, struct loaded);
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);
	enum http_status status = load(rq, rs, as_page, l);

	if (status != HTTP_OK)
		return status;
	fill(rq, l, view);
	rs->last_modified = changed(l);
	list_fresh(rq, rs);
	switch (l->post.kind) {
	case KIND_LINK: return respond(rq, rs, TEMPLATE_WITH(link_template, view));
	case KIND_HOWTO: return respond(rq, rs, TEMPLATE_WITH(howto_template, view));
	case KIND_NOTE: return respond(rq, rs, TEMPLATE_WITH(note_template, view));
	case KIND_PAGE: return respond(rq, rs, TEMPLATE_WITH(page_template, view));
	case KIND_ARTICLE: break;
	}
	return respond(rq, rs, TEMPLATE_WITH(article_template, view));
}

enum http_status
page_post(struct request *rq, struct response *rs)
{
	return show(rq, rs, false);
}

enum http_status
page_static(struct request *rq, struct response *rs)
{
	return show(rq, rs, true);
}
