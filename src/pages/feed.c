/*
 * The Atom feeds, with the posts' full text: of the site, an author, a category, a tag. The first trip reads
 * the list, the second the texts; a tag's list only names its posts, so their texts come with their heads.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/post_read.h"
#include "model/tag.h"
#include "model/user.h"
#include "pages/card.h"
#include "pages/layout.h"
#include "pages/lists.h"
#include "pages/publication.h"
#include "pages/routes.h"
#include "pages/stored.h"
#include "pages/words.h"
#include "web/escape.h"
#include "web/url.h"

enum { ENTRIES = 20 };

/* --- Writing XML ---------------------------------------------------------------------------------- */

/* The bytes here that XML 1.0 can't hold, not even as references: most controls, U+FFFE and U+FFFF. */
static size_t
forbidden(struct str rest)
{
	unsigned char c = (unsigned char)rest.base[0];

	if (c < 0x20)
		return c != '\t' && c != '\n' && c != '\r';
	return str_starts(rest, STR("\xef\xbf\xbe")) || str_starts(rest, STR("\xef\xbf\xbf")) ? 3
											      : 0;
}

static void
put_text(struct buf *out, struct str text)
{
	size_t from = 0, skipped;

	for (size_t i = 0; i < text.len; i += skipped != 0 ? skipped : 1) {
		skipped = forbidden(str_sub(text, i, text.len));
		if (skipped != 0) {
			escape_html(out, str_sub(text, from, i - from));
			from = i + skipped;
		}
	}
	escape_html(out, str_sub(text, from, text.len));
}

static void
element(struct buf *out, const char *name, struct str text)
{
	if (text.len == 0)
		return;
	buf_fmt(out, "<%s>", name);
	put_text(out, text);
	buf_fmt(out, "</%s>\n", name);
}

static void
link_to(struct buf *out, const char *rel, const char *type, struct str url)
{
	buf_fmt(out, "<link rel=\"%s\" type=\"%s\" href=\"", rel, type);
	put_text(out, url);
	BUF_PUT(out, "\"/>\n");
}

/* --- A feed ---------------------------------------------------------------------------------------- */

struct feed {
	struct str title, subtitle;
	struct str path;  /* the feed's own address */
	struct str about; /* of the page that it is the feed of */
	const struct post *posts;
	size_t count;
	struct item *const *bodies; /* one for each post; NULL where there is none */
};

static void
put_howto(struct request *rq, struct buf *html, const struct post_body *body)
{
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

/* Everything that the post's own page shows as its text; less while a save is on its way to the lists. */
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
	buf_put(
	    &html, stored_html(rq, MARKDOWN_AUTHOR, body.markdown, body.html, body.renderer).text);
	if (post->kind == KIND_HOWTO)
		put_howto(rq, &html, &body);
	return buf_str(&html);
}

/* Never changes, even when the post's slug does: RFC 4151, in which a host has no port. */
static struct str
entry_id(struct request *rq, const struct post *post)
{
	struct str port, host = str_cut(words_host(rq->site->origin), ':', &port);

	return str_fmt(rq->arena, "tag:%.*s,%.*s:%.*s", STR_ARGS(host),
	    STR_ARGS(str_sub(time_format(rq->arena, post->created), 0, 10)), STR_ARGS(post->id));
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

static void
put_entry(struct request *rq, struct buf *out, const struct post *post, const struct item *body)
{
	int64_t updated = post->updated > post->published ? post->updated : post->published;
	struct str address = absolute(rq, post_path(rq->arena, post));

	BUF_PUT(out, "<entry>\n");
	element(out, "id", entry_id(rq, post));
	element(out, "title", post->title.len != 0 ? post->title : post->excerpt);
	link_to(out, "alternate", "text/html", address);
	if (post->kind == KIND_LINK)
		link_to(out, "related", "text/html", post->url);
	element(out, "published", time_format(rq->arena, post->published));
	element(out, "updated", time_format(rq->arena, updated));
	author(rq, out, post->author_name, post->author);
	for (size_t i = 0; i < post->other_count; i++)
		author(rq, out, post->others[i].name, post->others[i].username);
	for (size_t i = 0; i < post->tags.count; i++) {
		BUF_PUT(out, "<category term=\"");
		put_text(out, post->tags.strings[i]);
		BUF_PUT(out, "\"/>\n");
	}
	element(out, "summary", post->excerpt);
	BUF_PUT(out, "<content type=\"html\" xml:base=\"");
	put_text(out, address);
	BUF_PUT(out, "\">");
	put_text(out, full_text(rq, post, body));
	BUF_PUT(out, "</content>\n</entry>\n");
}

static enum http_status
put_feed(struct request *rq, struct response *rs, const struct feed *feed)
{
	struct buf *out = &rs->body;
	int64_t updated = rq->settings->created;

	for (size_t i = 0; i < feed->count; i++) {
		const struct post *post = &feed->posts[i];

		updated = post->published > updated ? post->published : updated;
		updated = post->updated > updated ? post->updated : updated;
	}
	rs->content_type = STR("application/atom+xml; charset=utf-8");
	rs->last_modified = updated;
	list_fresh(rq, rs);
	BUF_PUT(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		     "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"");
	put_text(out, rq->settings->language);
	BUF_PUT(out, "\">\n");
	element(out, "id", absolute(rq, feed->path));
	element(out, "title", feed->title);
	element(out, "subtitle", feed->subtitle);
	link_to(out, "self", "application/atom+xml", absolute(rq, feed->path));
	link_to(out, "alternate", "text/html", absolute(rq, feed->about));
	element(out, "updated", time_format(rq->arena, updated));
	BUF_PUT(out, "<generator>Broadsheet</generator>\n");
	for (size_t i = 0; i < feed->count; i++)
		put_entry(rq, out, &feed->posts[i], feed->bodies[i]);
	BUF_PUT(out, "</feed>\n");
	return HTTP_OK;
}

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

enum http_status
page_feed(struct request *rq, struct response *rs)
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
	return put_feed(rq, rs, &feed);
}

enum http_status
page_author_feed(struct request *rq, struct response *rs)
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
	if (!user_visible(&user))
		return HTTP_NOT_FOUND;
	status = read_bodies(rq, &posts, &feed);
	if (status != HTTP_OK)
		return status;
	feed.about = url_join(rq->arena, STR("/author/"), name);
	feed.title = titled(rq, user.display_name);
	feed.subtitle = may(NULL, MAY_SEE_PROFILE, thing_person(&user)) ? user.bio : STR("");
	return put_feed(rq, rs, &feed);
}

enum http_status
page_category_feed(struct request *rq, struct response *rs)
{
	/* As on the category's page, the tree says what to read. */
	enum http_status status = page_read(rq, NULL, 0);
	struct posts_query query = {
	    .of = POSTS_OF_CATEGORY, .name = request_param(rq, "slug"), .limit = ENTRIES};
	struct str slugs[CATEGORY_SHELVES];
	struct read reads[CATEGORY_SHELVES];
	struct feed feed = {.path = rq->path};
	const struct category *c;
	struct posts posts;
	size_t count;

	if (status != HTTP_OK)
		return status;
	c = category_find(&rq->publication->categories, query.name);
	if (c == NULL)
		return HTTP_NOT_FOUND;
	if (!str_eq(c->slug, query.name)) /* was merged into it */
		return redirect(rs, HTTP_MOVED,
		    STR_CONCAT(rq->arena, url_join(rq->arena, STR("/category/"), c->slug),
			STR("/feed.atom")));
	count = category_shelves(c, slugs);
	if (!posts_prepare_shelves(rq->arena, &query, slugs, count, rq->now, reads))
		return HTTP_NOT_FOUND;
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	posts_take_shelves(rq->arena, &query, reads, count, rq->now, &posts);
	status = read_bodies(rq, &posts, &feed);
	if (status != HTTP_OK)
		return status;
	feed.about = url_join(rq->arena, STR("/category/"), c->slug);
	feed.title = titled(rq, c->name);
	feed.subtitle = c->description;
	return put_feed(rq, rs, &feed);
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

enum http_status
page_tag_feed(struct request *rq, struct response *rs)
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
	return put_feed(rq, rs, &feed);
}

/* The addresses that people and programs guess. */
enum http_status
page_feed_alias(struct request *rq, struct response *rs)
{
	(void)rq;
	return redirect(rs, HTTP_MOVED, STR("/feed.atom"));
}
