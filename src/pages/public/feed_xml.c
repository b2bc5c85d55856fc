/* A feed as Atom (RFC 4287), with the posts' full text. */
#include "pages/public/feed_xml.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/post/post_read.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/escape.h"
#include "text/url.h"
#include "web/http/asset.h"

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
	    STR_ARGS(str_sub(time_format(rq->arena, post->created), 0, 10)),
	    STR_ARGS(url_join(rq->arena, STR(""), post->id)));
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

	BUF_PUT(out, "<entry");
	if (post->language.len != 0) {
		BUF_PUT(out, " xml:lang=\"");
		put_text(out, post->language);
		BUF_PUT(out, "\"");
	}
	BUF_PUT(out, ">\n");
	element(out, "id", entry_id(rq, post));
	element(out, "title", words_title(post));
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

enum http_status
feed_put(struct request *rq, struct response *rs, const struct feed *feed)
{
	struct buf *out = &rs->body;
	int64_t updated = rq->settings->created;

	for (size_t i = 0; i < feed->count; i++) {
		const struct post *post = &feed->posts[i];

		updated = post->published > updated ? post->published : updated;
		updated = post->updated > updated ? post->updated : updated;
	}
	rs->content_type = STR("application/atom+xml; charset=utf-8");
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
	element(out, "icon", absolute(rq, asset_url(rq->site->assets, STR("icon.png"))));
	BUF_PUT(out, "<generator>Broadsheet</generator>\n");
	for (size_t i = 0; i < feed->count; i++)
		put_entry(rq, out, &feed->posts[i], feed->bodies[i]);
	BUF_PUT(out, "</feed>\n");
	return HTTP_OK;
}
