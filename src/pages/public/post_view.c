#include "pages/public/post_view.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"
#include "model/people/portrait.h"
#include "model/permission.h"
#include "model/post/media.h"
#include "model/post/post.h"
#include "model/reader/read_mark.h"
#include "model/site/settings.h"
#include "model/viewer.h"
#include "pages/public/comment.h"
#include "pages/public/flag.h"
#include "pages/public/json_ld.h"
#include "pages/public/reaction.h"
#include "pages/public/review.h"
#include "pages/shared/card.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "pages/write/revision_parts.h"
#include "text/url.h"
#include "text/view.h"
#include "web/http/dispatch.h"

#include <string.h>

enum { CONTENTS_WORDS = 600, CONTENTS_MIN = 3, DAY_MS = 86400000 };

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

struct series_view {
	struct str url, name, text;
	struct link_view before, after;
};

VIEW_FIELDS(series_view, STRING(url), STRING(name), STRING(text), VIEW(before, link_view), VIEW(after, link_view))
VIEW_FIELDS(contents_entry_view, STRING(id), STRING(title), NUMBER(level))
VIEW_FIELDS(fact_view, STRING(name), STRING(value))
VIEW_FIELDS(material_view, STRING(name), STRING(amount))
VIEW_FIELDS(tool_view, STRING(name))
VIEW_FIELDS(step_view, NUMBER(number), HTML(body_html))
/* Any attribute of a head that is a single text is found without being listed here. */
static bool
find_text(struct str name, struct view_field *out)
{
	const struct post_field *field = post_field(name);
	const struct binding *binding = field != NULL ? post_field_binding(field) : NULL;

	if (binding == NULL || binding->kind != BINDING_STRING || post_field_in_body(field))
		return false;
	*out = (struct view_field){field->key, VIEW_STRING, binding->offset, NULL};
	return true;
}
static const struct view_type post_type = {"post", sizeof(struct post), NULL, 0, find_text};

VIEW_FIELDS(post_view, VIEW(layout, layout_view), VIEW(post, post), STRING(url), STRING(language),
    STRING(direction), STRING(title), STRING(excerpt), STRING(kind), STRING(kind_label),
    LIST(breadcrumbs, link_view), STRING(author_url), STRING(author_name), FLAG(author_verified),
    LIST(others, byline_other_view), STRING(author_bio), STRING(author_avatar_url), STRING(date),
    STRING(date_text), STRING(updated), STRING(updated_text), STRING(reading_text),
    STRING(likes_text), STRING(bookmarks_text), STRING(react_token),
    OPTION(react, reactions_view), STRING(shares_text),
    STRING(share_url), OPTION(quoted, post_card_view), STRING(collect_url), STRING(flag_url), LIST(collections, link_view),
    OPTION(series, series_view),
    STRING(notice_text), STRING(edit_url), STRING(front_url), STRING(figures_url), OPTION(thumbnail, image_view),
    LIST(contents, contents_entry_view), HTML(body_html), LIST(tags, link_view), STRING(link_url),
    STRING(link_host), OPTION(rating, rating_summary_view), STRING(review_url),
    STRING(my_stars_text), STRING(reviews_url),
    LIST(reviews, review_view), STRING(reviews_more_url), STRING(reviews_first_url),
    LIST(facts, fact_view), FLAG(needs), LIST(materials, material_view), LIST(tools, tool_view),
    LIST(steps, step_view), STRING(comments_text), LIST(orders, nav_link_view),
    LIST(threads, thread_view), STRING(new_text), OPTION(vote_form, vote_form_view),
    OPTION(discussion_form, vote_form_view), OPTION(watch, watch_view), LIST(pinned, link_view), STRING(shut_text),
    STRING(manage_url), STRING(comments_more_url), STRING(comments_first_url), STRING(comment_url), STRING(more_title),
    LIST(more, post_card_view))

/* --- The post ---------------------------------------------------------------------------------- */

static const struct category *
category_of(struct request *rq, const struct post *post)
{
	return post->category.len != 0
		   ? category_find(&publication_of(rq)->categories, post->category)
		   : NULL;
}

static void
fill_contents(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	struct contents_entry_view *entries;

	if (l->post.kind == KIND_HOWTO || l->post.words < CONTENTS_WORDS ||
	    l->body.contents_count < CONTENTS_MIN)
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

/* Links to the rest of a list within the page, and from a later part back to its beginning. */
static void
fill_ways(struct request *rq, const char *parameter, struct str next, const char *anchor,
    struct str *more_url, struct str *first_url)
{
	if (next.len != 0)
		*more_url = STR_CONCAT(rq->arena, cursor_url(rq, parameter, next), str_of(anchor));
	if (request_query(rq, parameter).len != 0)
		*first_url = STR_CONCAT(rq->arena, rq->path, str_of(anchor));
}

static void
fill_link(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	struct thing thing = thing_followed(thing_post(&l->post, rq->now), l->followed);

	view->link_url = l->post.url;
	view->link_host = words_host(l->post.url);
	view->rating = rating_summary(rq, &l->stats);
	view->reviews.items = review_views(rq, l->reviews, l->review_count, thing);
	view->reviews.count = l->review_count;
	if (view->rating != NULL || l->review_count != 0)
		view->reviews_url = reviews_url(rq, &l->post);
	if (rating_is_offered(rq, thing))
		view->review_url = rating_url(rq, &l->post);
	if (l->mine.stars != 0)
		view->my_stars_text = words_count(rq->arena, l->mine.stars, "star", "stars");
	fill_ways(rq, "reviews", l->reviews_more, "#reviews", &view->reviews_more_url,
	    &view->reviews_first_url);
}

/* Facts in the head that only howtos have. */
static void
fill_facts(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	struct fact_view *facts = ARENA_ARRAY(rq->arena, post_field_count, struct fact_view);
	size_t count = 0;

	for (size_t i = 0; i < post_field_count; i++) {
		const struct post_field *field = &post_fields[i];
		struct revision_part fact;

		if (!post_field_only_of(field, KIND_HOWTO) || post_field_in_body(field) ||
		    field->with != NULL)
			continue;
		fact = revision_part(rq->arena, field, &l->post, &l->body);
		if (fact.text.len != 0)
			facts[count++] = (struct fact_view){fact.label, fact.text};
	}
	view->facts.items = facts;
	view->facts.count = count;
}

static struct html
anchored(struct request *rq, const struct post_shown *l, struct html html)
{
	return l->anchors.len != 0 ? markdown_anchored(rq->arena, html, l->anchors) : html;
}

static void
fill_howto(struct request *rq, const struct post_shown *l, struct post_view *view)
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
		    (int64_t)i + 1, anchored(rq, l, stored_html(rq, MARKDOWN_AUTHOR, b->steps[i].markdown,
							b->steps[i].html, b->renderer))};
	fill_facts(rq, l, view);
	view->materials.items = materials;
	view->materials.count = b->material_count;
	view->tools.items = tools;
	view->tools.count = b->tools.count;
	view->needs = b->material_count != 0 || b->tools.count != 0;
	view->steps.items = steps;
	view->steps.count = b->step_count;
}

static void
fill_byline(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct post *post = &l->post;

	view->author_url = author_path(rq->arena, post->author);
	view->author_name = post->author_name;
	view->author_verified = is_verified(rq, post->author);
	view->others.items = byline_others(rq, post, false);
	view->others.count = post->other_count;
	if (l->has_author) {
		view->author_bio = l->author.bio;
		view->author_avatar_url = portrait_of(rq->arena, rq->site->origin, &l->author);
	}
	view->date = time_format(rq->arena, post->published);
	view->date_text = words_date(rq, post->published);
	/* A correction on the same day is not shown as an update. */
	if (zone_local(rq->zone, post->updated) / DAY_MS >
	    zone_local(rq->zone, post->published) / DAY_MS) {
		view->updated = time_format(rq->arena, post->updated);
		view->updated_text = words_date(rq, post->updated);
	}
	if (post->kind == KIND_ARTICLE)
		view->reading_text = words_reading(rq->arena, post->words);
	view->likes_text = words_some(
	    rq->arena, l->stats.likes + l->stats.loves + l->stats.laughs, "like", "likes");
	if (may(rq->viewer, MAY_SEE_MARKS, thing_post(post, rq->now)))
		view->bookmarks_text =
		    words_some(rq->arena, l->stats.bookmarks, "bookmark", "bookmarks");
}

/* Do collections take it? Of a post for followers, who reads it may collect it; who else may see it there, its head says. */
static bool
is_collected(struct request *rq, const struct post_shown *l)
{
	const struct post *post = &l->post;

	return post->kind != KIND_PAGE &&
	       (post_visible_to(post, NULL, rq->now) ||
		   (post->visibility == VISIBILITY_FOLLOWERS && post->status == STATUS_PUBLISHED &&
		       post->published <= rq->now));
}

static void
fill_collections(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	struct link_view *links = ARENA_ARRAY(rq->arena, l->collection_count, struct link_view);

	for (size_t i = 0; i < l->collection_count; i++)
		links[i] = (struct link_view){
		    url_join(rq->arena, STR("/collection/"), l->collections[i].id),
		    l->collections[i].name};
	view->collections.items = links;
	view->collections.count = l->collection_count;
	if (l->post.kind != KIND_PAGE && l->post.status == STATUS_PUBLISHED)
		view->flag_url = flag_url(rq,
		    &(struct flag_target){.what = FLAG_POST, .post = l->post.id},
		    may(rq->viewer, MAY_FLAG, thing_post(&l->post, rq->now)));
	if (rq->viewer != NULL && is_collected(rq, l))
		view->collect_url = url_join(rq->arena, STR("/collect/"), l->post.id);
	if (may(rq->viewer, MAY_WRITE, NO_THING) && l->post.kind != KIND_PAGE &&
	    post_visible_to(&l->post, NULL, rq->now))
		view->share_url =
		    STR_CONCAT(rq->arena, STR("/write/note?quotes="), url_join(rq->arena, STR(""), l->post.id));
}

/* A part beside it. Of a renamed post's nothing but the id is known: then it is called by its number. */
static struct link_view
link_to_part(struct request *rq, const struct post_shown *l, struct str id, const struct post *post,
    int64_t part)
{
	if (id.len == 0 || (l->series.id.len != 0 && post->id.len == 0))
		return (struct link_view){STR(""), STR("")};
	if (post->id.len != 0)
		return (struct link_view){post_path(rq->arena, post), words_title(post)};
	return (struct link_view){url_join(rq->arena, STR("/post/"), id),
	    STR_CONCAT(rq->arena, STR("Part "), words_number(rq->arena, part))};
}

/* As the heads say that were read; of a renamed post as its item says. */
static void
fill_series(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct series_part *part = &l->part;
	struct series_view *series = ARENA_NEW(rq->arena, struct series_view);
	bool renamed = !str_eq(l->post.slug, l->post.id);

	if (part->part == 0 || (l->series.id.len == 0 && !renamed))
		return;
	series->url = url_join(rq->arena, STR("/collection/"), part->collection);
	series->name = renamed ? STR("a series") : l->series.name;
	series->text = STR_CONCAT(rq->arena, STR("Part "), words_number(rq->arena, part->part),
	    STR(" of "), words_number(rq->arena, part->parts));
	series->before = link_to_part(rq, l, part->before, &l->part_before, part->part - 1);
	series->after = link_to_part(rq, l, part->after, &l->part_after, part->part + 1);
	view->series = series;
}

/* If all are here they are counted: the post's own number may be some seconds old. */
static int64_t
comments_of(struct request *rq, const struct post_shown *l)
{
	int64_t count = 0;

	if (l->by_roots || l->thread_more.len != 0 || request_query(rq, "after").len != 0)
		return l->stats.comments;
	for (size_t i = 0; i < l->thread.count; i++)
		count += l->thread.comments[i].status == COMMENT_VISIBLE;
	return count > 0 ? count : (int64_t)l->thread.count;
}

static struct str
comments_text(struct request *rq, const struct post_shown *l)
{
	int64_t count = comments_of(rq, l);

	return count > 0 ? words_count(rq->arena, count, "comment", "comments")
			 : STR("No comments yet");
}

/* Threads that are pinned, and not on this first page, or too long for a page: links to them. */
static void
fill_pinned(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct strings_value *pinned = &l->post.pinned;
	struct link_view *links = ARENA_ARRAY(rq->arena, pinned->count + 1, struct link_view);

	if (l->long_thread.len != 0)
		links[view->pinned.count++] = (struct link_view){
		    comment_permalink(rq, &l->post, l->long_thread), STR("A long thread")};
	for (size_t i = 0; i < pinned->count && request_query(rq, "after").len == 0; i++) {
		size_t c = 0;

		while (c < l->thread.count &&
		       !str_eq(l->thread.comments[c].path, pinned->strings[i]))
			c++;
		if (c == l->thread.count)
			links[view->pinned.count++] = (struct link_view){
			    comment_permalink(rq, &l->post, pinned->strings[i]),
			    STR("A pinned thread")};
	}
	view->pinned.items = links;
}

/* Whether one can comment, and if not, why. */
static void
fill_discussion(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	struct thing thing = thing_post(&l->post, rq->now);
	const char *shut = discussion_says(rq, &l->post, STR(""));

	if (may(rq->viewer, MAY_TURN_COMMENTS, thing) || may(rq->viewer, MAY_CLOSE, thing))
		view->manage_url = discussion_path(rq->arena, &l->post);
	if (thread_open(rq, &l->post))
		view->comment_url = comment_write_url(rq, &l->post, STR(""));
	else if (l->post.kind != KIND_PAGE && l->post.status == STATUS_PUBLISHED)
		view->shut_text = str_of(shut != NULL ? shut : "No comments can be written here now.");
	if (!l->by_roots && l->thread_more.len != 0)
		fill_pinned(rq, l, view);
}

static void
fill_thread(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	struct comment_context context = {&l->post, &l->mine, 0,
	    may(rq->viewer, MAY_CLOSE, thing_post(&l->post, rq->now))};
	size_t count;

	if (rq->viewer != NULL)
		context.since = read_mark_since(l->mine.read_mark, rq->now);
	view->comments_text = comments_text(rq, l);
	view->threads.items = thread_views(rq, &context, &l->thread, &count);
	view->threads.count = count;
	if (thread_new(rq, &context, &l->thread) != 0)
		view->new_text = STR_CONCAT(rq->arena,
		    words_number(rq->arena, (int64_t)thread_new(rq, &context, &l->thread)),
		    STR(" new since your last visit"));
	if (l->by_roots || count > 1) {
		view->orders.items = thread_order_links(rq, &l->post, l->order);
		view->orders.count = THREAD_ORDERS;
	}
	fill_discussion(rq, l, view);
	fill_ways(rq, l->by_roots ? "threads" : "after", l->thread_more, "#comments",
	    &view->comments_more_url, &view->comments_first_url);
}

static void
fill_more(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct category *c = l->more_by_category ? category_of(rq, &l->post) : NULL;

	view->more_title =
	    c != NULL ? STR_CONCAT(rq->arena, STR("More in "), c->name) : STR("Newest");
	view->more.items = cards_of(rq, l->more.posts, l->more.count);
	view->more.count = l->more.count;
}

static const struct article_view *
article_view(struct request *rq, const struct post *post)
{
	struct article_view *view = ARENA_NEW(rq->arena, struct article_view);
	struct str *authors = ARENA_ARRAY(rq->arena, post->other_count + 1, struct str);
	const struct category *category = category_of(rq, post);

	view->published = time_format(rq->arena, post->published);
	if (post->updated > post->published)
		view->modified = time_format(rq->arena, post->updated);
	if (category != NULL)
		view->section = category->name;
	for (size_t i = 0; i <= post->other_count; i++) {
		struct str path =
		    author_path(rq->arena, i == 0 ? post->author : post->others[i - 1].username);

		if (path.len != 0)
			authors[view->authors.count++] = absolute(rq, path);
	}
	view->authors.items = authors;
	view->tags.items = post->tags.strings;
	view->tags.count = post->tags.count;
	return view;
}

void
post_view_frame(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct post *post = &l->post;
	struct post_body shown = l->body;
	struct page_frame frame = {
	    .title = words_title(post),
	    .description = post->excerpt,
	    .path = view->url,
	    .section = post->category,
	    .og_type = "article",
	    .article = article_view(rq, post),
	    .language = post->language,
	};

	frame.picture = post->thumbnail.url;
	frame.picture_alt = post->thumbnail.alt;
	shown.html = view->body_html.text;
	if (frame.picture.len == 0)
		frame.picture = media_first(&shown);
	if (post->kind != KIND_PAGE) {
		frame.feed_path = STR_CONCAT(rq->arena, view->url, STR("/feed.atom"));
		frame.feed_title =
		    STR_CONCAT(rq->arena, STR("Comments on “"), words_title(post), STR("”"));
	}
	/* Machines that read it are strangers. */
	if (post->kind != KIND_PAGE && rq->viewer == NULL)
		frame.json_ld = json_ld_post(rq, post, frame.picture, &l->body, &view->breadcrumbs);
	layout_fill(rq, &frame, &view->layout);
	/* It was first published elsewhere, which is what search engines should show. */
	if (post->canonical.len != 0 && view->layout.canonical_url.len != 0)
		view->layout.canonical_url = post->canonical;
}

/* For whom a published post is that not everybody sees. */
static struct str
for_whom(struct request *rq, const struct post *post)
{
	switch (post->visibility) {
	case VISIBILITY_FOLLOWERS: return STR("For followers only.");
	case VISIBILITY_GROUP:
		return STR_CONCAT(rq->arena, STR("For the members of the group “"),
		    viewer_group_title(rq->viewer, post->group), STR("” only."));
	case VISIBILITY_PRIVATE: return STR("Private: only its authors see it.");
	case VISIBILITY_PUBLIC: break;
	}
	return STR("");
}

/* A notice for its authors and the staff about a post that not everybody sees. */
static struct str
notice_of(struct request *rq, const struct post *post)
{
	switch (post->status) {
	case STATUS_DRAFT: return STR("A draft. Only you, your co-authors and the editors see it.");
	case STATUS_UNPUBLISHED:
		return post_is_private(post)
			   ? STR("Unpublished. Only its authors see it.")
			   : STR("Unpublished. Only its authors and the editors see it.");
	case STATUS_DELETED: return STR("Deleted.");
	case STATUS_PUBLISHED: break;
	}
	if (post->published > rq->now)
		return STR_CONCAT(rq->arena, STR("It appears on "),
		    words_moment(rq, post->published), STR(". "), for_whom(rq, post));
	return for_whom(rq, post);
}

/* What a note quotes, if the reader may see it: whether they follow its author is known where that is the note's, too. */
static void
fill_quoted(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct post *quoted = &l->quoted;
	bool followed = l->followed && str_eq(quoted->author, l->post.author);
	struct post_card_view *card;

	if (quoted->id.len == 0 || !str_eq(quoted->id, l->post.quotes) ||
	    !may(rq->viewer, MAY_READ, thing_followed(thing_post(quoted, rq->now), followed)))
		return;
	card = ARENA_NEW(rq->arena, struct post_card_view);
	card_fill(rq, quoted, card);
	view->quoted = card;
}

void
post_view_fill(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct post *post = &l->post;

	note_confidential(rq, post);
	view->post = *post;
	view->url = post_path(rq->arena, post);
	post_language(rq, post, &view->language, &view->direction);
	view->title = post->title;
	view->excerpt = post->kind == KIND_NOTE ? STR("") : post->excerpt;
	view->kind = str_of(post_kind_name(post->kind));
	view->kind_label = words_kind(post->kind);
	view->breadcrumbs = trail_home(rq);
	breadcrumb_category(rq, &view->breadcrumbs, category_of(rq, post));
	view->thumbnail = image_of(rq->arena, &post->thumbnail);
	view->body_html = anchored(rq, l, stored_body_html(rq, &l->body));
	fill_byline(rq, l, view);
	fill_contents(rq, l, view);
	fill_tags(rq, post, view);
	fill_quoted(rq, l, view);
	view->shares_text =
	    words_some(rq->arena, l->stats.shares, "note quotes it", "notes quote it");
	if (post->kind == KIND_LINK)
		fill_link(rq, l, view);
	if (post->kind == KIND_HOWTO)
		fill_howto(rq, l, view);
}

void
post_view_fill_page(struct request *rq, const struct post_shown *l, struct post_view *view)
{
	const struct post *post = &l->post;

	post_view_fill(rq, l, view);
	view->notice_text = notice_of(rq, post);
	if (may(rq->viewer, MAY_EDIT, thing_post(post, rq->now))) {
		view->edit_url = url_join(rq->arena, STR("/edit/"), post->id);
		view->figures_url = url_join(rq->arena, STR("/figures/"), post->id);
	}
	if (post_is_public(post) && post->kind != KIND_PAGE && may(rq->viewer, MAY_ARRANGE, NO_THING))
		view->front_url = STR_CONCAT(rq->arena, STR("/admin/front?post="), post->slug);
	fill_collections(rq, l, view);
	fill_series(rq, l, view);
	view->react = reactions_view(rq, l);
	fill_thread(rq, l, view);
	fill_more(rq, l, view);
	post_view_frame(rq, l, view);
}
