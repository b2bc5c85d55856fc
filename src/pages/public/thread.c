/*
 * GET /post/<slug>/thread/<path>: one comment, its ancestors and its descendants; and GET
 * /comment/<id>, which redirects there.
 *
 * The ancestors are prefixes of the path, so they are read by their keys next to the one query of
 * the descendants, all in the first trip, by the slug, which mostly is the post's id; for a renamed
 * post in the second. A missing thread, and a hidden one, take as long.
 */
#include "pages/public/thread.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/permission.h"
#include "model/reader/comment_write.h"
#include "model/reader/read_mark.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/public/comment.h"
#include "pages/public/thread_view.h"
#include "pages/public/watch.h"
#include "pages/routes.h"
#include "pages/shared/followed.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

struct thread_page_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str title, post_url, all_url, feed_url;
	LIST_OF(struct comment_view) ancestors;
	LIST_OF(struct thread_view) threads;
	const struct vote_form_view *vote_form, *discussion_form;
	const struct watch_view *watch;
	struct str comments_more_url, comments_first_url;
};

VIEW_FIELDS(thread_page_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    STRING(title), STRING(post_url), STRING(all_url), STRING(feed_url),
    LIST(ancestors, comment_view), LIST(threads, thread_view),
    OPTION(vote_form, vote_form_view), OPTION(discussion_form, vote_form_view),
    OPTION(watch, watch_view), STRING(comments_more_url), STRING(comments_first_url))
TEMPLATE(thread_page_template, "thread", thread_page_view)

/* --- Loading ----------------------------------------------------------------------------------------- */

enum { HEAD, CLAIM, UNDER, ABOVE, REACTIONS_OF, READS };

/*
 * Of what was read from the end, in reading order: the items, and before them what the first one answers, from `top` down,
 * which may hide it and is read for that unless all was read. `top` is empty for a whole post.
 */
static enum http_status
put_in_order(struct request *rq, struct str id, struct str top, struct read *under)
{
	size_t count = under->found_count, above = 0, from = 0;
	struct item *items = ARENA_ARRAY(rq->arena, COMMENT_LEVELS + count, struct item);
	struct key *keys = ARENA_ARRAY(rq->arena, COMMENT_LEVELS, struct key);
	struct read chain = {.kind = READ_BATCH};
	enum http_status status;
	struct str at = STR("");

	while (from < count && kind_is(&under->found[count - 1 - from], ITEM_COMMENT_VOTES))
		from++;
	if (under->next.len != 0 && from < count)
		at = key_comment_path(item_key(&under->found[count - 1 - from]).sk);
	for (at = comment_path_parent(at); at.len != 0 && at.len >= top.len;
	     at = comment_path_parent(at))
		keys[above++] = key_comment(rq->arena, id, at);
	chain.batch.keys = keys;
	chain.batch.count = above;
	status = above != 0 ? page_read(rq, &chain, 1) : HTTP_OK;
	if (status != HTTP_OK)
		return status;
	under->found_count = 0;
	for (size_t i = above; i-- > 0;)
		if (chain.items[i] != NULL)
			items[under->found_count++] = *chain.items[i];
	for (size_t i = count; i-- > 0;)
		items[under->found_count++] = under->found[i];
	under->found = items;
	under->next = STR("");
	return HTTP_OK;
}

/* Reads it by the post's id; unneeded reads are empty. */
static enum http_status
read_thread(struct request *rq, struct str id, struct str path, enum thread_part part,
    uint32_t limit, struct read reads[READS])
{
	struct key *keys = ARENA_ARRAY(rq->arena, 2 * COMMENT_LEVELS, struct key);
	size_t above = comment_level(path) - 1, count;
	enum http_status status;
	struct str at = path;

	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[CLAIM] =
	    (struct read){.kind = READ_GET, .key = key_slug(rq->arena, request_param(rq, "slug"))};
	reads[UNDER] =
	    (struct read){.kind = READ_QUERY, .query = query_thread(rq->arena, id, path)};
	comments_limit(&reads[UNDER], limit);
	if (part == THREAD_LAST) {
		reads[UNDER].query.limit = limit;
		reads[UNDER].query.descending = true;
	}
	if (!list_cursor_of(rq, "after", &reads[UNDER].query.cursor))
		return HTTP_BAD_REQUEST;
	for (size_t i = above; i-- > 0;) {
		at = comment_path_parent(at);
		keys[2 * i] = key_comment(rq->arena, id, at);
		keys[2 * i + 1] = key_comment_votes(rq->arena, id, at);
	}
	reads[ABOVE] = (struct read){.kind = READ_BATCH, .batch = {keys, 2 * above}};
	count = above != 0 ? ABOVE + 1 : ABOVE;
	reads[REACTIONS_OF] = (struct read){.kind = READ_QUERY};
	if (rq->viewer == NULL)
		return page_read(rq, reads, count);
	reads[count] = (struct read){.kind = READ_QUERY,
	    .query = query_reactions(rq->arena, rq->viewer->user.username, id)};
	reads[count].query.limit = TABLE_QUERY_MAX;
	status = page_read(rq, reads, count + 1);
	reads[REACTIONS_OF] = reads[count];
	if (above == 0)
		reads[ABOVE] = (struct read){.kind = READ_BATCH};
	return status;
}

enum http_status
thread_readable(struct request *rq, bool there, const struct post *post)
{
	if (there && post_gone(post, rq->now))
		return HTTP_GONE;
	return followed_check(rq, MAY_READ, there ? post : NULL, NULL);
}

/* False: there is nothing to show, as when an ancestor is held and not the viewer's to read. */
static bool
take_thread(struct request *rq, const struct read reads[READS], struct thread_found *out)
{
	size_t above = reads[ABOVE].batch.count, count = 0;
	struct comment *ancestors = ARENA_ARRAY(rq->arena, above, struct comment);

	for (size_t i = 0; i < above; i += 2) {
		if (reads[ABOVE].items[i] == NULL)
			continue;
		comment_from_item(rq->arena, reads[ABOVE].items[i], &ancestors[count]);
		if (ancestors[count].status == COMMENT_HELD &&
		    !may(rq->viewer, MAY_READ, thing_comment(&ancestors[count])))
			return false;
		comment_withhold(&ancestors[count], rq->viewer);
		comment_add_votes(&ancestors[count++], reads[ABOVE].items[i + 1]);
	}
	out->ancestors = ancestors;
	out->ancestor_count = count;
	out->thread =
	    thread_from_items(rq->arena, reads[UNDER].found, reads[UNDER].found_count, rq->viewer);
	out->more = reads[UNDER].next;
	reactions_take(rq->arena, &reads[REACTIONS_OF], &out->mine);
	return out->thread.count != 0;
}

enum http_status
thread_load(struct request *rq, struct response *rs, enum thread_part part, uint32_t limit,
    const char *rest, struct thread_found *out)
{
	struct str slug = request_param(rq, "slug"), path = request_param(rq, "path"), id;
	struct read reads[READS];
	enum http_status status;
	bool there;

	if (!slug_valid(slug) || !comment_path_valid(path))
		return HTTP_NOT_FOUND;
	status = read_thread(rq, slug, path, part, limit, reads);
	if (status != HTTP_OK)
		return status;
	id = reads[CLAIM].item != NULL ? item_string(reads[CLAIM].item, STR("Post")) : slug;
	if (!str_eq(id, slug))
		status = read_thread(rq, id, path, part, limit, reads);
	if (status != HTTP_OK)
		return status;
	there = reads[CLAIM].item != NULL && reads[HEAD].item != NULL;
	if (there)
		post_from_item(rq->arena, reads[HEAD].item, &out->post);
	there = there && out->post.kind != KIND_PAGE;
	status = thread_readable(rq, there, &out->post);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, &out->post);
	if (part == THREAD_LAST)
		status = put_in_order(rq, id, path, &reads[UNDER]);
	else
		comments_cut(rq->arena, &reads[UNDER], limit);
	if (status != HTTP_OK)
		return status;
	if (!take_thread(rq, reads, out))
		return HTTP_NOT_FOUND;
	if (!str_eq(out->post.slug, slug))
		return redirect(rs, HTTP_MOVED,
		    STR_CONCAT(rq->arena, thread_path(rq, &out->post, path), str_of(rest)));
	return HTTP_OK;
}

/* --- The whole thread -------------------------------------------------------------------------------- */

static enum http_status
read_all(struct request *rq, struct str id, uint32_t limit, struct read reads[ABOVE])
{
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[CLAIM] =
	    (struct read){.kind = READ_GET, .key = key_slug(rq->arena, request_param(rq, "slug"))};
	reads[UNDER] = (struct read){.kind = READ_QUERY, .query = query_comments(rq->arena, id)};
	reads[UNDER].query.limit = limit;
	reads[UNDER].query.descending = true;
	return page_read(rq, reads, ABOVE);
}

enum http_status
thread_load_all(struct request *rq, struct response *rs, uint32_t limit, const char *rest,
    struct thread_found *out)
{
	struct str slug = request_param(rq, "slug"), id;
	struct read reads[ABOVE];
	enum http_status status;
	bool there;

	if (!slug_valid(slug))
		return HTTP_NOT_FOUND;
	status = read_all(rq, slug, limit, reads);
	if (status != HTTP_OK)
		return status;
	id = reads[CLAIM].item != NULL ? item_string(reads[CLAIM].item, STR("Post")) : slug;
	if (!str_eq(id, slug))
		status = read_all(rq, id, limit, reads);
	if (status != HTTP_OK)
		return status;
	there = reads[CLAIM].item != NULL && reads[HEAD].item != NULL;
	if (there)
		post_from_item(rq->arena, reads[HEAD].item, &out->post);
	there = there && out->post.kind != KIND_PAGE;
	status = thread_readable(rq, there, &out->post);
	if (status != HTTP_OK)
		return status;
	note_confidential(rq, &out->post);
	status = put_in_order(rq, id, STR(""), &reads[UNDER]);
	if (status != HTTP_OK)
		return status;
	out->thread = thread_from_items(rq->arena, reads[UNDER].found, reads[UNDER].found_count,
	    rq->viewer);
	if (!str_eq(out->post.slug, slug))
		return redirect(rs, HTTP_MOVED,
		    STR_CONCAT(rq->arena, post_path(rq->arena, &out->post), str_of(rest)));
	return HTTP_OK;
}

/* --- The page ---------------------------------------------------------------------------------------- */

static void
fill_ancestors(struct request *rq, const struct comment_context *context,
    const struct thread_found *found, struct thread_page_view *view)
{
	struct comment_view *views =
	    ARENA_ARRAY(rq->arena, found->ancestor_count, struct comment_view);

	for (size_t i = 0; i < found->ancestor_count; i++)
		comment_view_fill(rq, context, &found->ancestors[i],
		    i > 0 ? &found->ancestors[i - 1] : NULL, &views[i]);
	view->ancestors.items = views;
	view->ancestors.count = found->ancestor_count;
}

/* The title of the page: by the comment's author. */
static struct str
title_of(struct request *rq, const struct thread_found *found)
{
	const struct comment *first = &found->thread.comments[0];
	bool unnamed = first->status == COMMENT_DELETED || viewer_blocks(rq->viewer, first->author);

	return STR_CONCAT(rq->arena,
	    unnamed ? STR("A thread")
		    : STR_CONCAT(rq->arena, STR("A comment by "), first->author_name),
	    STR(" on “"), words_title(&found->post), STR("”"));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct thread_page_view *view = ARENA_NEW(rq->arena, struct thread_page_view);
	struct thread_found *found = ARENA_NEW(rq->arena, struct thread_found);
	enum http_status status = thread_load(rq, rs, THREAD_FIRST, COMMENTS_SHOWN, "", found);
	struct page_frame frame = {.noindex = true};
	struct str root = comment_path_root(request_param(rq, "path"));
	struct comment_context context;
	size_t count;

	if (status != HTTP_OK)
		return status;
	view->post_url = post_path(rq->arena, &found->post);
	view->all_url = STR_CONCAT(rq->arena, view->post_url, STR("#comments"));
	view->feed_url = STR_CONCAT(rq->arena, rq->path, STR("/feed.atom"));
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, view->post_url, words_title(&found->post));
	view->title = title_of(rq, found);
	context = (struct comment_context){&found->post, &found->mine,
	    read_mark_since(found->mine.read_mark, rq->now),
	    may(rq->viewer, MAY_CLOSE, thing_post(&found->post, rq->now))};
	view->discussion_form = discussion_form(rq, rs, &found->post);
	fill_ancestors(rq, &context, found, view);
	view->threads.items = thread_views(rq, &context, &found->thread, &count);
	view->vote_form = vote_form(
	    rq, &found->post, rq->viewer != NULL ? csrf_token(rq, rs) : STR(""));
	view->threads.count = count;
	view->watch = watch_view_of_post(
	    rq, rs, &found->post, root, reactions_watch(&found->mine, root));
	if (found->more.len != 0)
		view->comments_more_url = older_url(rq, found->more);
	if (request_query(rq, "after").len != 0)
		view->comments_first_url = rq->path;
	frame.title = view->title;
	frame.language = found->post.language;
	frame.feed_path = view->feed_url;
	frame.feed_title = view->title;
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(thread_page_template, view));
}

PAGE(thread, .get = show, .query = QUERY("after"))

/* --- By the comment's id ---------------------------------------------------------------------- */

/* A missing comment takes as long as a hidden one. */
static enum http_status
lead(struct request *rq, struct response *rs)
{
	struct str id = request_param(rq, "id"), post_id = id;
	struct read place = {.kind = READ_QUERY}, head = {.kind = READ_GET};
	struct comment comment = {.status = COMMENT_HELD};
	struct post post;
	enum http_status status;
	bool there;

	if (!comment_id_valid(id))
		return HTTP_NOT_FOUND;
	place.query = query_comment_by_id(rq->arena, id);
	status = page_read(rq, &place, 1);
	if (status != HTTP_OK)
		return status;
	if (place.found_count != 0) {
		comment_from_item(rq->arena, &place.found[0], &comment);
		post_id = comment.post;
	}
	head.key = key_post(rq->arena, post_id);
	status = page_read(rq, &head, 1);
	if (status != HTTP_OK)
		return status;
	there = head.item != NULL && (comment.status == COMMENT_DELETED ||
					 may(rq->viewer, MAY_READ, thing_comment(&comment)));
	if (there)
		post_from_item(rq->arena, head.item, &post);
	status = thread_readable(rq, there, &post);
	if (status != HTTP_OK)
		return status;
	/* In its thread nobody but its author sees it. */
	if (comment.status == COMMENT_HIDDEN && may(rq->viewer, MAY_RESTORE, thing_comment(&comment)))
		return redirect(
		    rs, HTTP_SEE_OTHER, comment_decide_url(rq, post.id, comment.path));
	return redirect(rs, HTTP_SEE_OTHER, comment_permalink(rq, &post, comment.path));
}

PAGE(comment_by_id, .get = lead)
