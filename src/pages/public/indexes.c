/* GET /tags, /authors, /collections: plain lists. */
#include "pages/public/indexes.h"
#include "model/viewer.h"
#include "pages/shared/card.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/portrait.h"
#include "model/post/collection.h"
#include "model/post/tag.h"
#include "pages/public/profile.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { INDEX_LIMIT = 200 };

struct tags_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct counted_link_view) tags;
	const struct pagination_view *pagination;
};

struct author_row_view {
	struct str url, name, bio, avatar_url, posts_text;
	bool verified;
};

struct authors_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct author_row_view) authors;
	const struct pagination_view *pagination;
};

struct collection_row_view {
	struct str url, name, description, owner_url, owner_name;
	bool owner_verified;
};

struct collections_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct collection_row_view) collections;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(counted_link_view, STRING(url), STRING(name), STRING(count_text))
VIEW_FIELDS(tags_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    LIST(tags, counted_link_view), OPTION(pagination, pagination_view))
VIEW_FIELDS(author_row_view, STRING(url), STRING(name), FLAG(verified), STRING(bio),
    STRING(avatar_url), STRING(posts_text))
VIEW_FIELDS(authors_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    LIST(authors, author_row_view), OPTION(pagination, pagination_view))
VIEW_FIELDS(collection_row_view, STRING(url), STRING(name), STRING(description), STRING(owner_url),
    STRING(owner_name), FLAG(owner_verified))
VIEW_FIELDS(collections_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    LIST(collections, collection_row_view), STRING(empty_text), OPTION(pagination, pagination_view))
TEMPLATE(tags_template, "tags", tags_view)
TEMPLATE(authors_template, "authors", authors_view)
TEMPLATE(collections_template, "collections", collections_view)

/* Reads a page of an index, from the request's cursor on. */
static enum http_status
read_index(struct request *rq, struct query query, struct read *read)
{
	bool newer;

	*read = (struct read){.kind = READ_QUERY, .query = query};
	read->query.limit = INDEX_LIMIT;
	if (!list_cursor(rq, &read->query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	return page_read(rq, read, 1);
}

/* What they have in common: title, breadcrumbs, pagination. */
static void
frame_index(struct request *rq, struct str title, const struct read *read,
    struct layout_view *layout, struct breadcrumbs *trail, const struct pagination_view **more)
{
	const struct page_frame frame = {.title = title, .path = rq->path};

	*trail = trail_home(rq);
	*more = pagination_onward(rq, read->next);
	layout_fill(rq, &frame, layout);
}

static enum http_status
show_tags(struct request *rq, struct response *rs)
{
	struct tags_view *view = ARENA_NEW(rq->arena, struct tags_view);
	struct counted_link_view *tags;
	struct read read;
	enum http_status status = read_index(rq, query_tags(), &read);
	size_t count = 0;

	if (status != HTTP_OK)
		return status;
	tags = ARENA_ARRAY(rq->arena, read.found_count, struct counted_link_view);
	for (size_t i = 0; i < read.found_count; i++) {
		struct tag tag;

		tag_from_item(rq->arena, &read.found[i], &tag);
		tag.posts -= scheduled_with(rq, tag.name);
		if (tag.posts <= 0)
			continue;
		tags[count++] = (struct counted_link_view){
		    .url = url_join(rq->arena, STR("/tag/"), tag.name),
		    .name = tag.name,
		    .count_text = words_count(rq->arena, tag.posts, "post", "posts"),
		};
	}
	view->tags.items = tags;
	view->tags.count = count;
	list_fresh(rq, rs);
	frame_index(rq, STR("Tags"), &read, &view->layout, &view->breadcrumbs, &view->pagination);
	return respond(rq, rs, TEMPLATE_WITH(tags_template, view));
}

bool
tags_counted_prepare(
    struct request *rq, const struct tag_count *tags, size_t count, struct read *read)
{
	struct key *keys = ARENA_ARRAY(rq->arena, count, struct key);

	for (size_t i = 0; i < count; i++)
		keys[i] = key_tag(tags[i].tag);
	*read = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0;
}

bool
tag_counted_shown(struct request *rq, const struct read *read, size_t i)
{
	struct tag tag;

	if (read->items == NULL || read->items[i] == NULL)
		return false;
	tag_from_item(rq->arena, read->items[i], &tag);
	return tag.posts > scheduled_with(rq, tag.name);
}

static enum http_status
show_authors(struct request *rq, struct response *rs)
{
	struct authors_view *view = ARENA_NEW(rq->arena, struct authors_view);
	struct author_row_view *authors;
	struct read read;
	enum http_status status = read_index(rq, query_authors(), &read);
	struct user *users;
	size_t all, count = 0;

	if (status == HTTP_OK)
		status = profiles_counted(rq, &read, 1, &users, &all);
	if (status != HTTP_OK)
		return status;
	authors = ARENA_ARRAY(rq->arena, all, struct author_row_view);
	for (size_t i = 0; i < all; i++) {
		struct user user = users[i];

		user.posts -= scheduled_by(rq, user.username);
		/*
		 * The index also has people who are disabled, or whose posts are not public any
		 * more.
		 */
		if (user.status != USER_ACTIVE || !user_visible(&user) || user.posts <= 0 ||
		    viewer_blocks(rq->viewer, user.username))
			continue;
		if (!may_show_profile(rq, &user, false))
			user_hide(&user);
		user_withhold(&user);
		authors[count++] = (struct author_row_view){
		    .url = url_join(rq->arena, STR("/author/"), user.username),
		    .name = user.display_name,
		    .verified = is_verified(rq, user.username),
		    .bio = user.bio,
		    .avatar_url = portrait_of(rq->arena, rq->site->origin, &user),
		    .posts_text = words_count(rq->arena, user.posts, "post", "posts"),
		};
	}
	view->authors.items = authors;
	view->authors.count = count;
	list_fresh(rq, rs);
	frame_index(
	    rq, STR("Authors"), &read, &view->layout, &view->breadcrumbs, &view->pagination);
	return respond(rq, rs, TEMPLATE_WITH(authors_template, view));
}

static enum http_status
show_collections(struct request *rq, struct response *rs)
{
	struct collections_view *view = ARENA_NEW(rq->arena, struct collections_view);
	struct query newest_first = query_collections();
	struct collection_row_view *rows;
	enum http_status status;
	struct read read;
	size_t count = 0;

	newest_first.descending = true;
	status = read_index(rq, newest_first, &read);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct collection_row_view);
	for (size_t i = 0; i < read.found_count; i++) {
		struct collection c;

		collection_from_item(rq->arena, &read.found[i], &c);
		if (!collection_visible_to(&c, NULL))
			continue;
		rows[count] = (struct collection_row_view){
		    .url = url_join(rq->arena, STR("/collection/"), c.id),
		    .name = c.name,
		    .description = markdown_plain(rq->arena,
			stored_html(rq, MARKDOWN_READER, c.description, c.html, c.renderer)),
		    .owner_url = author_path(rq->arena, c.owner),
		    .owner_name = c.owner_name,
		    .owner_verified = is_verified(rq, c.owner),
		};
		unname(rq, c.owner, &rows[count].owner_name, &rows[count].owner_url);
		count++;
	}
	view->collections.items = rows;
	view->collections.count = count;
	view->empty_text = STR("Nobody has made a collection yet. Whoever is signed in makes one with the link below a post.");
	frame_index(
	    rq, STR("Collections"), &read, &view->layout, &view->breadcrumbs, &view->pagination);
	return respond(rq, rs, TEMPLATE_WITH(collections_template, view));
}

PAGE(tags, .get = show_tags, .query = list_parameters)
PAGE(authors, .get = show_authors, .query = list_parameters)
PAGE(collections, .get = show_collections, .query = list_parameters)
