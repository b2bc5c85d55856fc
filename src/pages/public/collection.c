/* GET /collection/<id>: a collection's posts in its owner's order, with the owner's notes. */
#include "pages/public/collection.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/permission.h"
#include "model/post/collection_write.h"
#include "pages/public/flag.h"
#include "pages/public/json_ld.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/followed.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { ENTRIES_SHOWN = 50 };

struct collection_entry_view {
	struct str note;
	struct post_card_view post;
};

struct collection_view {
	struct layout_view layout;
	struct str name, edit_url, flag_url, book_url;
	struct html description_html;
	bool private, series, owner_verified;
	struct str restricted; /* why others do not see it: empty, if they do, or it is private */
	struct str owner_url, owner_name, posts_text, updated, updated_text;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct collection_entry_view) entries;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(collection_entry_view, STRING(note), VIEW(post, post_card_view))
VIEW_FIELDS(collection_view, VIEW(layout, layout_view), STRING(name), STRING(edit_url), STRING(flag_url), STRING(book_url),
    HTML(description_html), FLAG(private), FLAG(series), STRING(restricted), STRING(owner_url), STRING(owner_name),
    FLAG(owner_verified), STRING(posts_text), STRING(updated), STRING(updated_text),
    LIST(breadcrumbs, link_view), LIST(entries, collection_entry_view), STRING(empty_text),
    OPTION(pagination, pagination_view))
TEMPLATE(collection_template, "collection", collection_view)

/* Only entries whose post the viewer may see; even a note would reveal another. */
static void
fill_entries(struct request *rq, const struct read *entries, const struct read *heads,
    const struct read *follows, struct collection_view *view)
{
	struct collection_entry_view *out =
	    ARENA_ARRAY(rq->arena, entries->found_count, struct collection_entry_view);
	size_t count = 0;

	for (size_t i = 0; i < entries->found_count; i++) {
		struct collected entry;
		struct post post;

		if (heads->items[i] == NULL)
			continue;
		collected_from_item(rq->arena, &entries->found[i], &entry);
		post_from_item(rq->arena, heads->items[i], &post);
		if (!followed_may_read(rq, &post, follows))
			continue;
		out[count].note = entry.note;
		card_fill(rq, &post, &out[count++].post);
	}
	view->entries.items = out;
	view->entries.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs, const struct collection *c,
    const struct read *entries, const struct read *heads, const struct read *follows)
{
	struct collection_view *view = ARENA_NEW(rq->arena, struct collection_view);
	struct breadcrumbs trail = trail_home(rq);
	struct html description =
	    stored_html(rq, MARKDOWN_READER, c->description, c->html, c->renderer);
	struct page_frame frame = {.title = c->name,
	    .description = markdown_plain(rq->arena, description),
	    .path = rq->path,
	    .noindex = !c->is_public};

	if (c->is_public) {
		frame.feed_path = STR_CONCAT(rq->arena, rq->path, STR("/feed.atom"));
		frame.feed_title = c->name;
	}
	rq->confidential = !c->is_public;
	if (entries->found_count != 0)
		fill_entries(rq, entries, heads, follows, view);
	breadcrumb(rq, &trail, STR("/collections"), STR("Collections"));
	frame.json_ld = json_ld_breadcrumbs(rq, &trail, c->name, rq->path);
	view->name = c->name;
	view->description_html = description;
	if (may(rq->viewer, MAY_EDIT, thing_collection(c)))
		view->edit_url = STR_CONCAT(rq->arena, rq->path, STR("/edit"));
	if (c->is_public && view->entries.count != 0)
		view->book_url = STR_CONCAT(rq->arena, rq->path, STR("/book.epub"));
	if (c->is_public)
		view->flag_url = flag_url(rq,
		    &(struct flag_target){.what = FLAG_COLLECTION, .collection = c->id},
		    may(rq->viewer, MAY_FLAG, thing_collection(c)));
	view->private = !c->is_public && c->restricted == RESTRICTED_NOT;
	view->restricted = c->restricted == RESTRICTED_HELD     ? STR("Waiting for an editor")
			   : c->restricted == RESTRICTED_HIDDEN ? STR("Hidden by the editors")
								: STR("");
	view->series = c->series;
	view->owner_url = author_path(rq->arena, c->owner);
	view->owner_name = c->owner_name;
	view->owner_verified = is_verified(rq, c->owner);
	/* The collection's counter includes posts that not everybody may see. */
	if (entries->next.len == 0 && entries->query.cursor.len == 0)
		view->posts_text =
		    words_count(rq->arena, (int64_t)view->entries.count, "post", "posts");
	view->updated = time_format(rq->arena, c->updated);
	view->updated_text = words_date(rq, c->updated);
	view->breadcrumbs = trail;
	view->empty_text = STR("There is nothing in it yet.");
	view->pagination = pagination_onward(rq, entries->next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(collection_template, view));
}

/* Reads it with its posts, as `posts` asks for them: the cursor and the limit. */
static enum http_status
read_for(struct request *rq, const struct viewer *viewer, struct collection *out, struct read *posts)
{
	struct str id = request_param(rq, "id");
	struct query asked = posts->query;
	struct read reads[2];
	enum http_status status;

	if (!collection_id_valid(id))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_collection(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_collection(rq->arena, id)};
	reads[1].query.limit = asked.limit;
	reads[1].query.cursor = asked.cursor;
	reads[1].query.descending = asked.descending;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	collection_from_item(rq->arena, reads[0].item, out);
	*posts = reads[1];
	return collection_visible_to(out, viewer) ? HTTP_OK : HTTP_NOT_FOUND;
}

enum http_status
collection_read_public(
    struct request *rq, uint32_t limit, bool last, struct collection *out, struct read *posts)
{
	*posts = (struct read){.query = {.limit = limit, .descending = last}};
	return read_for(rq, NULL, out, posts);
}

static enum http_status
load(struct request *rq, struct response *rs)
{
	struct read posts = {.query = {.limit = ENTRIES_SHOWN}}, heads, follows;
	struct collection c;
	enum http_status status;
	bool newer;

	if (!list_cursor(rq, &posts.query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = read_for(rq, rq->viewer, &c, &posts);
	if (status == HTTP_OK)
		status = followed_heads(rq, &posts, &heads, &follows);
	if (status != HTTP_OK)
		return status;
	list_fresh(rq, rs);
	return show(rq, rs, &c, &posts, &heads, &follows);
}

PAGE(collection, .get = load, .query = list_parameters)
