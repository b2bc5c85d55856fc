/*
 * The Atom feeds, with the posts' full text: of the site, an author, a category, a tag. The first trip reads
 * the list, the second the texts; a tag's list only names its posts, so their texts come with their heads.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/user.h"
#include "model/post/tag.h"
#include "model/slug.h"
#include "pages/public/feed_xml.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "text/url.h"
#include "web/http/route.h"

enum { ENTRIES = 20 };

/* The second trip: the texts of the posts. */
static enum http_status
read_bodies(struct request *rq, const struct posts *posts, struct feed *feed)
{
	struct key *keys = ARENA_ARRAY(rq->arena, posts->count, struct key);
	struct read read = {.kind = READ_BATCH, .batch = {keys, posts->count}};
	enum http_status status;

	feed->posts = posts->posts;
	feed->count = posts->count;
	if (posts->count == 0)
		return HTTP_OK;
	for (size_t i = 0; i < posts->count; i++)
		keys[i] = key_post_body(rq->arena, posts->posts[i].id);
	status = page_read(rq, &read, 1);
	feed->bodies = read.items;
	return status;
}

/* --- The four kinds ------------------------------------------------------------------------------- */

static struct str
titled(struct request *rq, struct str title)
{
	return STR_CONCAT(rq->arena, rq->settings->name, STR(": "), title);
}

/* The posts of a list, and with them an item that the feed is about; NULL in *about when it is not there. */
static enum http_status
read_list(struct request *rq, enum posts_of of, struct str name, const struct key *key,
    struct item **about, struct posts *posts)
{
	struct posts_query query = {.of = of, .name = name, .limit = ENTRIES};
	struct read reads[2];
	size_t count = 0;
	enum http_status status;

	if (!posts_prepare(rq->arena, &query, rq->now, &reads[count++]))
		return HTTP_NOT_FOUND;
	if (key != NULL)
		reads[count++] = (struct read){.kind = READ_GET, .key = *key};
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (key != NULL)
		*about = reads[1].item;
	posts_take(rq->arena, &query, &reads[0], NULL, rq->now, posts);
	return HTTP_OK;
}

static enum http_status
feed_of_site(struct request *rq, struct response *rs)
{
	struct feed feed = {.path = STR("/feed.atom"), .about = STR("/")};
	struct posts posts;
	enum http_status status = read_list(rq, POSTS_ALL, STR(""), NULL, NULL, &posts);

	if (status == HTTP_OK)
		status = read_bodies(rq, &posts, &feed);
	if (status != HTTP_OK)
		return status;
	feed.title = rq->settings->name;
	feed.subtitle = rq->settings->description;
	return feed_put(rq, rs, &feed);
}

static enum http_status
feed_of_author(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "username");
	struct key key = key_user(rq->arena, name);
	struct feed feed = {.path = rq->path};
	struct item *item = NULL;
	struct posts posts;
	struct user user;
	enum http_status status;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	status = read_list(rq, POSTS_OF_AUTHOR, name, &key, &item, &posts);
	if (status != HTTP_OK)
		return status;
	if (item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, item, &user);
	user.posts -= scheduled_by(rq, name);
	if (!user_visible(&user))
		return HTTP_NOT_FOUND;
	status = read_bodies(rq, &posts, &feed);
	if (status != HTTP_OK)
		return status;
	feed.about = url_join(rq->arena, STR("/author/"), name);
	feed.title = titled(rq, user.display_name);
	feed.subtitle = may(NULL, MAY_SEE_PROFILE, thing_person(&user)) ? user.bio : STR("");
	return feed_put(rq, rs, &feed);
}

static enum http_status
feed_of_category(struct request *rq, struct response *rs)
{
	struct feed feed = {.path = rq->path};
	struct category_list list;
	enum http_status status = category_list(rq, ENTRIES, &list);

	if (status != HTTP_OK)
		return status;
	feed.about = url_join(rq->arena, STR("/category/"), list.category->slug);
	if (!str_eq(list.category->slug, request_param(rq, "slug"))) /* was merged into it */
		return redirect(
		    rs, HTTP_MOVED, STR_CONCAT(rq->arena, feed.about, STR("/feed.atom")));
	status = read_bodies(rq, &list.posts, &feed);
	if (status != HTTP_OK)
		return status;
	feed.title = titled(rq, list.category->name);
	feed.subtitle = list.category->description;
	return feed_put(rq, rs, &feed);
}

/* Heads and texts in one batch: the list's items name the posts. */
static enum http_status
read_named(struct request *rq, const struct read *list, struct feed *feed)
{
	struct key *keys = ARENA_ARRAY(rq->arena, list->found_count * 2, struct key);
	struct read reads[2] = {{.kind = READ_BATCH}, {.kind = READ_BATCH}};
	struct post *posts = ARENA_ARRAY(rq->arena, list->found_count, struct post);
	struct item **bodies = ARENA_ARRAY(rq->arena, list->found_count, struct item *);
	size_t count = list->found_count;
	enum http_status status;

	if (count == 0)
		return HTTP_OK;
	for (size_t i = 0; i < count; i++) {
		struct str id = item_string(&list->found[i], STR("Post"));

		keys[i] = key_post(rq->arena, id);
		keys[count + i] = key_post_body(rq->arena, id);
	}
	reads[0].batch.keys = keys;
	reads[1].batch.keys = keys + count;
	reads[0].batch.count = reads[1].batch.count = count;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < count; i++) {
		if (reads[0].items[i] == NULL)
			continue;
		post_from_item(rq->arena, reads[0].items[i], &posts[feed->count]);
		if (post_visible_to(&posts[feed->count], NULL, rq->now))
			bodies[feed->count++] = reads[1].items[i];
	}
	feed->posts = posts;
	feed->bodies = bodies;
	return HTTP_OK;
}

static enum http_status
feed_of_tag(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "tag");
	struct posts_query query = {.of = POSTS_OF_TAG, .name = name, .limit = ENTRIES};
	struct feed feed = {.path = rq->path, .title = name};
	struct read reads[2];
	enum http_status status;

	if (!slug_valid(name))
		return HTTP_NOT_FOUND;
	reads[0] = (struct read){.kind = READ_GET, .key = key_tag(rq->arena, name)};
	if (!posts_prepare(rq->arena, &query, rq->now, &reads[1]))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	status = read_named(rq, &reads[1], &feed);
	if (status != HTTP_OK)
		return status;
	/* As its page: no tag is early. */
	if (feed.count == 0)
		return HTTP_NOT_FOUND;
	feed.about = url_join(rq->arena, STR("/tag/"), name);
	feed.title = titled(rq, name);
	return feed_put(rq, rs, &feed);
}

/*
 * The addresses that people and programs guess. Those of the site's feed have routes of their own; behind an author, a
 * category or a tag whatever is one of them is an alias there, too.
 */
static enum http_status
lead_to_feed(struct request *rq, struct response *rs)
{
	const struct site *site = rq->site;
	struct str name = request_param(rq, "feed");
	struct buf to = {.arena = rq->arena};
	struct route_match of_site;

	if (name.len != 0) {
		of_site = route_find(rq->arena, site->routes, site->route_count, METHOD_GET,
		    STR_CONCAT(rq->arena, STR("/"), name));
		if (of_site.route == NULL || of_site.route->page != &page_feed_alias)
			return HTTP_NOT_FOUND;
		url_put_path(&to, str_sub(rq->path, 0, rq->path.len - name.len - 1));
	}
	BUF_PUT(&to, "/feed.atom");
	return redirect(rs, HTTP_MOVED, buf_str(&to));
}

PAGE(feed, .get = feed_of_site)
PAGE(author_feed, .get = feed_of_author)
PAGE(category_feed, .get = feed_of_category)
PAGE(tag_feed, .get = feed_of_tag)
PAGE(feed_alias, .get = lead_to_feed)
