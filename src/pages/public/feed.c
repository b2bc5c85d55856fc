/*
 * The Atom feeds, with the posts' full text: of the site, an author, a category, a tag, a collection; and of a search,
 * with their excerpts. The first round trip reads the list, the second the texts; the lists of a tag and a collection
 * only name their posts, so their texts are read together with the heads.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/person_counts.h"
#include "model/post/media.h"
#include "model/post/post.h"
#include "model/post/post_read.h"
#include "model/post/tag.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/public/collection.h"
#include "pages/public/profile.h"
#include "pages/public/search.h"
#include "pages/public/thread.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/escape.h"
#include "text/url.h"
#include "text/xml.h"
#include "web/http/asset.h"
#include "web/http/response.h"
#include "web/http/route.h"

#include <stdlib.h>

enum { ENTRIES = 20, THREAD_READ = 300, ABOUT_MAX = 2 };

/* The contents of a feed of any kind. */
struct feed {
	struct str title, subtitle;
	struct str path;  /* the feed's own address */
	struct str about; /* of the page to which the feed belongs */
	const struct post *posts;
	size_t count;
	struct item *const *bodies; /* one for each post; NULL where there is none */
	int64_t changed;            /* when its list changed other than by new posts; 0: never */
};

/* --- Writing XML ------------------------------------------------------------------------------- */

static void
element(struct buf *out, const char *name, struct str text)
{
	if (text.len == 0)
		return;
	buf_fmt(out, "<%s>", name);
	xml_text(out, text);
	buf_fmt(out, "</%s>\n", name);
}

static void
link_to(struct buf *out, const char *rel, const char *type, struct str url)
{
	buf_fmt(out, "<link rel=\"%s\" type=\"%s\" href=\"", rel, type);
	xml_text(out, url);
	BUF_PUT(out, "\"/>\n");
}

/* --- A feed as Atom (RFC 4287) ----------------------------------------------------------------- */

static void
put_howto(
    struct request *rq, struct buf *html, const struct post *post, const struct post_body *body)
{
	struct str facts = facts_text(rq->arena, post);

	if (facts.len != 0) {
		BUF_PUT(html, "<p>");
		escape_html(html, facts);
		BUF_PUT(html, "</p>");
	}
	if (body->tools.count != 0) {
		BUF_PUT(html, "<h2>Tools</h2><ul>");
		for (size_t i = 0; i < body->tools.count; i++) {
			BUF_PUT(html, "<li>");
			escape_html(html, body->tools.strings[i]);
			BUF_PUT(html, "</li>");
		}
		BUF_PUT(html, "</ul>");
	}
	if (body->material_count != 0) {
		BUF_PUT(html, "<h2>Materials</h2><ul>");
		for (size_t i = 0; i < body->material_count; i++) {
			BUF_PUT(html, "<li>");
			escape_html(html, body->materials[i].name);
			buf_putc(html, ' ');
			escape_html(html, body->materials[i].amount);
			BUF_PUT(html, "</li>");
		}
		BUF_PUT(html, "</ul>");
	}
	if (body->step_count == 0)
		return;
	BUF_PUT(html, "<h2>Steps</h2><ol>");
	for (size_t i = 0; i < body->step_count; i++) {
		BUF_PUT(html, "<li>");
		buf_put(html, stored_html(rq, MARKDOWN_AUTHOR, body->steps[i].markdown,
				  body->steps[i].html, body->renderer)
				  .text);
		BUF_PUT(html, "</li>");
	}
	BUF_PUT(html, "</ol>");
}

/* The text as on the post's page; less while a save has not reached the lists. */
static struct str
full_text(struct request *rq, const struct post *post, const struct item *item)
{
	struct buf html = {.arena = rq->arena};
	struct post_body body;

	if (item == NULL || post_torn(post->revisions, item))
		return post->excerpt;
	post_body_from_item(rq->arena, item, &body);
	if (post->kind == KIND_LINK) {
		BUF_PUT(&html, "<p><a href=\"");
		escape_html(&html, post->url);
		BUF_PUT(&html, "\">");
		escape_html(&html, post->url);
		BUF_PUT(&html, "</a></p>");
	}
	buf_put(&html, stored_body_html(rq, &body).text);
	if (post->kind == KIND_HOWTO)
		put_howto(rq, &html, post, &body);
	return buf_str(&html);
}

/* A permanent id, even when the post's slug changes: RFC 4151, in which a host has no port. */
static struct str
tag_uri(struct request *rq, int64_t created, struct str name)
{
	struct str port, host = str_cut(words_host(rq->site->origin), ':', &port);

	return str_fmt(rq->arena, "tag:%.*s,%.*s:%.*s", STR_ARGS(host),
	    STR_ARGS(str_sub(time_format(rq->arena, created), 0, 10)), STR_ARGS(name));
}

static struct str
entry_id(struct request *rq, const struct post *post)
{
	return tag_uri(rq, post->created, url_join(rq->arena, STR(""), post->id));
}

static void
author(struct request *rq, struct buf *out, struct str name, struct str username)
{
	struct str path = author_path(rq->arena, username);

	BUF_PUT(out, "<author>\n");
	element(out, "name", name);
	if (path.len != 0)
		element(out, "uri", absolute(rq, path));
	BUF_PUT(out, "</author>\n");
}

/* Its picture, if it is one of this site, whose type is known. */
static void
put_picture(struct request *rq, struct buf *out, const struct post *post)
{
	struct media_address address;

	if (media_address_read(post->thumbnail.url, STR(""), &address))
		link_to(out, "enclosure", media_type(address.format), absolute(rq, post->thumbnail.url));
}

static void
put_entry(struct request *rq, struct buf *out, const struct post *post, const struct item *body)
{
	int64_t updated = post->updated > post->published ? post->updated : post->published;
	struct str address = absolute(rq, post_path(rq->arena, post));

	BUF_PUT(out, "<entry");
	if (post->language.len != 0) {
		BUF_PUT(out, " xml:lang=\"");
		xml_text(out, post->language);
		BUF_PUT(out, "\"");
	}
	BUF_PUT(out, ">\n");
	element(out, "id", entry_id(rq, post));
	element(out, "title", words_title(post));
	link_to(out, "alternate", "text/html", address);
	if (post->kind == KIND_LINK)
		link_to(out, "related", "text/html", post->url);
	put_picture(rq, out, post);
	element(out, "published", time_format(rq->arena, post->published));
	element(out, "updated", time_format(rq->arena, updated));
	author(rq, out, post->author_name, post->author);
	for (size_t i = 0; i < post->other_count; i++)
		author(rq, out, post->others[i].name, post->others[i].username);
	for (size_t i = 0; i < post->tags.count; i++) {
		BUF_PUT(out, "<category term=\"");
		xml_text(out, post->tags.strings[i]);
		BUF_PUT(out, "\"/>\n");
	}
	element(out, "summary", post->excerpt);
	BUF_PUT(out, "<content type=\"html\" xml:base=\"");
	xml_text(out, address);
	BUF_PUT(out, "\">");
	xml_text(out, full_text(rq, post, body));
	BUF_PUT(out, "</content>\n</entry>\n");
}

/*
 * The beginning of a feed; BUF_PUT(out, "</feed>
 * ") ends it.
 */
static void
feed_begin(struct request *rq, struct response *rs, const struct feed *feed, int64_t updated)
{
	struct buf *out = &rs->body;

	rs->content_type = STR("application/atom+xml; charset=utf-8");
	list_fresh(rq, rs);
	BUF_PUT(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		     "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"");
	xml_text(out, rq->settings->language);
	BUF_PUT(out, "\">\n");
	element(out, "id", absolute(rq, feed->path));
	element(out, "title", feed->title);
	element(out, "subtitle", feed->subtitle);
	link_to(out, "self", "application/atom+xml", absolute(rq, feed->path));
	link_to(out, "alternate", "text/html", absolute(rq, feed->about));
	element(out, "updated", time_format(rq->arena, updated));
	element(out, "icon", absolute(rq, asset_url(rq->site->assets, STR("icon.png"))));
	BUF_PUT(out, "<generator>Broadsheet</generator>\n");
}

/* Writes the response, whose time is that of the newest change. Always HTTP_OK. */
static enum http_status
feed_put(struct request *rq, struct response *rs, const struct feed *feed)
{
	struct buf *out = &rs->body;
	int64_t updated =
	    feed->changed > rq->settings->created ? feed->changed : rq->settings->created;

	for (size_t i = 0; i < feed->count; i++) {
		const struct post *post = &feed->posts[i];

		updated = post->published > updated ? post->published : updated;
		updated = post->updated > updated ? post->updated : updated;
	}
	feed_begin(rq, rs, feed, updated);
	for (size_t i = 0; i < feed->count; i++)
		put_entry(rq, out, &feed->posts[i], feed->bodies[i]);
	BUF_PUT(out, "</feed>\n");
	return HTTP_OK;
}

/* --- Of a thread ------------------------------------------------------------------------------- */

static void
put_comment(struct request *rq, struct buf *out, const struct post *post, const struct comment *c)
{
	struct str address = absolute(rq, comment_permalink(rq, post, c->path));

	BUF_PUT(out, "<entry>\n");
	element(out, "id", tag_uri(rq, c->created, STR_CONCAT(rq->arena, STR("comment/"), c->id)));
	element(out, "title",
	    STR_CONCAT(rq->arena, c->author_name,
		c->staff ? STR(", for the staff, on “") : STR(" on “"), words_title(post),
		STR("”")));
	link_to(out, "alternate", "text/html", address);
	element(out, "published", time_format(rq->arena, c->created));
	element(out, "updated",
	    time_format(rq->arena, c->updated > c->created ? c->updated : c->created));
	author(rq, out, c->author_name, c->author);
	BUF_PUT(out, "<content type=\"html\" xml:base=\"");
	xml_text(out, address);
	BUF_PUT(out, "\">");
	xml_text(out, stored_comment_html(rq, c).text);
	BUF_PUT(out, "</content>\n</entry>\n");
}

static int
later_first(const void *a, const void *b)
{
	const struct comment *const *left = a, *const *right = b;

	if ((*left)->created != (*right)->created)
		return (*left)->created < (*right)->created ? 1 : -1;
	return str_cmp((*right)->id, (*left)->id);
}

/* The newest comments that everybody sees, even if the reader sees more; *count is how many. */
static const struct comment **
newest_of(struct request *rq, const struct thread *thread, size_t *count)
{
	const struct comment **newest =
	    ARENA_ARRAY(rq->arena, thread->count, const struct comment *);

	*count = 0;
	for (size_t i = 0; i < thread->count; i++)
		if (thread->comments[i].status == COMMENT_VISIBLE &&
		    !viewer_blocks(rq->viewer, thread->comments[i].author))
			newest[(*count)++] = &thread->comments[i];
	qsort(newest, *count, sizeof(*newest), later_first);
	*count = *count < ENTRIES ? *count : ENTRIES;
	return newest;
}

static enum http_status
put_thread(
    struct request *rq, struct response *rs, const struct thread_found *found, struct str about)
{
	struct feed feed = {.path = rq->path, .about = about};
	const char *shut = discussion_says(rq, &found->post, request_param(rq, "path"));
	const struct comment **newest;
	int64_t updated = 0;
	size_t count;

	if (shut != NULL)
		feed.subtitle = str_of(shut);
	newest = newest_of(rq, &found->thread, &count);
	feed.title =
	    STR_CONCAT(rq->arena, STR("Comments on “"), words_title(&found->post), STR("”"));
	for (size_t i = 0; i < count; i++)
		updated = newest[i]->updated > updated ? newest[i]->updated : updated;
	feed_begin(rq, rs, &feed, updated > 0 ? updated : found->post.published);
	for (size_t i = 0; i < count; i++)
		put_comment(rq, &rs->body, &found->post, newest[i]);
	BUF_PUT(&rs->body, "</feed>\n");
	return HTTP_OK;
}

static enum http_status
show_thread_feed(struct request *rq, struct response *rs)
{
	struct thread_found *found = ARENA_NEW(rq->arena, struct thread_found);
	enum http_status status =
	    thread_load(rq, rs, THREAD_LAST, THREAD_READ, "/feed.atom", found);

	if (status != HTTP_OK)
		return status;
	return put_thread(rq, rs, found, thread_path(rq, &found->post, request_param(rq, "path")));
}

static enum http_status
show_post_feed(struct request *rq, struct response *rs)
{
	struct thread_found *found = ARENA_NEW(rq->arena, struct thread_found);
	enum http_status status = thread_load_all(rq, rs, THREAD_READ, "/feed.atom", found);

	if (status != HTTP_OK)
		return status;
	return put_thread(rq, rs, found, post_path(rq->arena, &found->post));
}

PAGE(post_feed, .get = show_post_feed)
PAGE(thread_feed, .get = show_thread_feed)

/* --- The kinds of feeds ----------------------------------------------------------------------- */

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

static struct str
titled(struct request *rq, struct str title)
{
	return STR_CONCAT(rq->arena, rq->settings->name, STR(": "), title);
}

/* Reads the posts of a list, and with them the items that the feed is about. */
static enum http_status
read_list(struct request *rq, enum posts_of of, struct str name, struct read *about,
    size_t about_count, struct posts *posts)
{
	struct posts_query query = {.of = of, .name = name, .limit = ENTRIES};
	struct read reads[1 + ABOUT_MAX];
	size_t count = 0;
	enum http_status status;

	if (!posts_prepare(rq->arena, &query, rq->now, &reads[count++]))
		return HTTP_NOT_FOUND;
	for (size_t i = 0; i < about_count; i++)
		reads[count++] = about[i];
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < about_count; i++)
		about[i] = reads[1 + i];
	posts_take(rq->arena, &query, &reads[0], NULL, rq->now, posts);
	return HTTP_OK;
}

static enum http_status
feed_of_site(struct request *rq, struct response *rs)
{
	struct feed feed = {.path = STR("/feed.atom"), .about = STR("/")};
	struct posts posts;
	enum http_status status = read_list(rq, POSTS_ALL, STR(""), NULL, 0, &posts);

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
	struct read about[ABOUT_MAX] = {
	    {.kind = READ_GET, .key = key_user(rq->arena, name)},
	    person_counts_read(rq->arena, name),
	};
	struct feed feed = {.path = rq->path};
	struct posts posts;
	struct user user;
	enum http_status status;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	status = read_list(rq, POSTS_OF_AUTHOR, name, about, ABOUT_MAX, &posts);
	if (status == HTTP_OK)
		status = profile_take_public(rq, about, &user);
	if (status == HTTP_OK)
		status = read_bodies(rq, &posts, &feed);
	if (status != HTTP_OK)
		return status;
	feed.about = url_join(rq->arena, STR("/author/"), name);
	feed.title = titled(rq, user.display_name);
	feed.subtitle = user.bio;
	return feed_put(rq, rs, &feed);
}

static enum http_status
feed_of_category(struct request *rq, struct response *rs)
{
	struct feed feed = {.path = rq->path};
	struct category_list list;
	enum http_status status = category_list(rq, ENTRIES, NULL, &list);

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

/* Reads heads and texts in one batch: the list's items name the posts. */
static enum http_status
read_named(struct request *rq, struct read *list, struct feed *feed)
{
	struct key *keys = ARENA_ARRAY(rq->arena, list->found_count * 2, struct key);
	struct read reads[2] = {{.kind = READ_BATCH}, {.kind = READ_BATCH}};
	struct post *posts = ARENA_ARRAY(rq->arena, list->found_count, struct post);
	struct item **bodies = ARENA_ARRAY(rq->arena, list->found_count, struct item *);
	enum http_status status;
	size_t count;

	posts_once(list);
	count = list->found_count;
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
	reads[0] = (struct read){.kind = READ_GET, .key = key_tag(name)};
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
	/* As on its page: a tag is not visible before its first post. */
	if (feed.count == 0)
		return HTTP_NOT_FOUND;
	feed.about = url_join(rq->arena, STR("/tag/"), name);
	feed.title = titled(rq, name);
	return feed_put(rq, rs, &feed);
}

/* The last posts in its owner's order: new ones are added at the end. */
static enum http_status
feed_of_collection(struct request *rq, struct response *rs)
{
	struct feed feed = {.path = rq->path};
	struct collection c;
	struct read list;
	enum http_status status = collection_read_public(rq, ENTRIES, true, &c, &list);

	if (status == HTTP_OK)
		status = read_named(rq, &list, &feed);
	if (status != HTTP_OK)
		return status;
	feed.about = url_join(rq->arena, STR("/collection/"), c.id);
	feed.title = titled(rq, c.name);
	feed.subtitle = markdown_plain(
	    rq->arena, stored_html(rq, MARKDOWN_READER, c.description, c.html, c.renderer));
	feed.changed = c.updated;
	return feed_put(rq, rs, &feed);
}

/* What is found, in the order that the search asks for; of each what lists say of it, as its text would take another trip. */
static enum http_status
feed_of_search(struct request *rq, struct response *rs)
{
	struct str typed = str_trim(request_query(rq, "q")), said;
	struct feed feed = {.about = url_join(rq->arena, STR("/search?q="), typed)};
	struct search_asked asked;
	struct post *posts;
	enum http_status status = search_ask(rq, typed, 0, &asked);

	if (status != HTTP_OK)
		return status;
	if (asked.results == NULL || asked.query.in == SEARCH_IN_COMMENTS)
		return HTTP_NOT_FOUND;
	feed.path = rq->address;
	feed.count = asked.results->hit_count;
	posts = ARENA_ARRAY(rq->arena, feed.count, struct post);
	feed.bodies = ARENA_ARRAY(rq->arena, feed.count, struct item *);
	for (size_t i = 0; i < feed.count; i++)
		posts[i] = asked.results->hits[i].post;
	feed.posts = posts;
	said = search_query_said(rq->arena, &asked.query, rq->zone);
	feed.title = titled(rq, typed);
	feed.subtitle = said;
	return feed_put(rq, rs, &feed);
}

/*
 * Addresses that people and programs guess. Those of the site's feed have routes of their own;
 * after an author, a category or a tag they redirect as well.
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
PAGE(search_feed, .get = feed_of_search, .typed = true, .query = QUERY("q"))
PAGE(collection_feed, .get = feed_of_collection)
PAGE(feed_alias, .get = lead_to_feed)
