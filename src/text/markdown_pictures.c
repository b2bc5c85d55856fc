/*
 * Pictures. One among words is an image in its line; a paragraph of nothing else is a figure where it says more than that:
 *
 *	![alt](/a.jpg "Caption")	a caption
 *	![alt](/a.jpg)⏎*Caption*		the same, which may have links; and of several pictures in one paragraph
 *	![alt](/a.jpg#wide)		wider than the text
 *	![alt](/a.jpg) ![alt](/b.jpg)	side by side
 *
 * All of it is plain CommonMark, which shows a picture everywhere.
 */
#include "base/arena.h"
#include "model/post/media.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/url.h"

#include <inttypes.h>

/* How wide an image is shown (static/style.css), or all that a narrow screen has. */
enum room { ROOM_TEXT, ROOM_WIDE, ROOM_HALF, ROOM_WIDE_HALF };

static const struct str sizes[] = {
    [ROOM_TEXT] = STR_INIT("(min-width: 640px) 612px, 100vw"),
    [ROOM_WIDE] = STR_INIT("(min-width: 900px) 864px, 100vw"),
    [ROOM_HALF] = STR_INIT("(min-width: 640px) 304px, 50vw"),
    [ROOM_WIDE_HALF] = STR_INIT("(min-width: 900px) 430px, 50vw"),
};

/* --- One image --- */

static struct str
title_of(struct writer *w, cmark_node *image)
{
	return said(w, cmark_node_get_title(image), STR("|"));
}

/* Its address without the fragment that says that it is wide, which is for us alone. */
static struct str
address_of(struct writer *w, cmark_node *image, bool *wide)
{
	const struct str mark = STR("#wide");
	struct str url = said(w, cmark_node_get_url(image), STR("|"));

	*wide = url.len > mark.len && str_ends(url, mark);
	return *wide ? str_sub(url, 0, url.len - mark.len) : url;
}

/* May it be shown as an image? */
static bool
is_shown(struct writer *w, struct str url)
{
	enum address_kind kind = address_kind(url, w->options->site);

	return w->options->trust == MARKDOWN_AUTHOR &&
	       (kind == ADDRESS_LOCAL || (kind == ADDRESS_FOREIGN && url_shows_picture(url)));
}

/* What a picture's own address says about it: its size, and the narrower ones. */
static void
put_sizes(struct writer *w, struct str url, enum room room)
{
	struct media_address address;
	struct str srcset;

	if (!media_address_read(url, w->options->site, &address))
		return;
	buf_fmt(w->out, " width=\"%" PRId64 "\" height=\"%" PRId64 "\"", address.size.width,
	    address.size.height);
	srcset = media_srcset(w->out->arena, &address);
	put_attribute(w->out, "srcset", srcset);
	if (srcset.len != 0)
		put_attribute(w->out, "sizes", sizes[room]);
}

static void
put_image(struct writer *w, cmark_node *image, enum room room, struct str title)
{
	bool wide;
	struct str url = address_of(w, image, &wide);

	BUF_PUT(w->out, "<img src=\"");
	address_put(w->out, url);
	BUF_PUT(w->out, "\" alt=\"");
	escape_html(w->out, plain(w, image));
	buf_putc(w->out, '"');
	put_attribute(w->out, "title", title);
	put_sizes(w, url, room);
	BUF_PUT(w->out, " loading=\"lazy\" decoding=\"async\">");
}

/* A link in place of an image that may not be shown. */
static void
put_image_link(struct writer *w, cmark_node *node, struct str url, struct str alt)
{
	if (w->link == NULL) {
		BUF_PUT(w->out, "<a class=\"picture\"");
		put_destination(w, node, url, ADDRESS_FOREIGN);
	}
	escape_html(w->out, alt.len != 0 ? alt : url);
	if (w->link == NULL)
		BUF_PUT(w->out, "</a>");
}

void
pictures_put_one(struct writer *w, cmark_node *image)
{
	bool wide;
	struct str url = address_of(w, image, &wide), alt = plain(w, image);

	skip(w, image);
	if (is_shown(w, url))
		put_image(w, image, ROOM_TEXT, title_of(w, image));
	else if (w->options->trust == MARKDOWN_AUTHOR &&
		 address_kind(url, w->options->site) == ADDRESS_FOREIGN)
		put_image_link(w, image, url, alt);
	else
		escape_html(w->out, alt);
}

/* --- A paragraph of them --- */

struct pictures {
	size_t count;
	bool wide, titled;
	cmark_node *caption; /* the emphasis that is the last line; or NULL */
};

static bool
is_break(cmark_node *node)
{
	return node != NULL && (cmark_node_get_type(node) == CMARK_NODE_SOFTBREAK ||
				   cmark_node_get_type(node) == CMARK_NODE_LINEBREAK);
}

static bool
is_blank(cmark_node *node)
{
	return cmark_node_get_type(node) == CMARK_NODE_TEXT &&
	       str_trim(str_of(cmark_node_get_literal(node))).len == 0;
}

/* What a paragraph of pictures has. False: it has something else, or the node is none. */
static bool
read_pictures(struct writer *w, cmark_node *paragraph, struct pictures *out)
{
	cmark_node *node;

	*out = (struct pictures){.count = 0};
	if (paragraph == NULL || cmark_node_get_type(paragraph) != CMARK_NODE_PARAGRAPH)
		return false;
	for (node = cmark_node_first_child(paragraph); node != NULL; node = cmark_node_next(node)) {
		bool wide;

		if (cmark_node_get_type(node) == CMARK_NODE_IMAGE) {
			if (!is_shown(w, address_of(w, node, &wide)))
				return false;
			out->count++;
			out->wide = out->wide || wide;
			out->titled = out->titled || title_of(w, node).len != 0;
		} else if (cmark_node_get_type(node) == CMARK_NODE_EMPH && out->count != 0 &&
			   is_break(cmark_node_previous(node)) && cmark_node_next(node) == NULL) {
			out->caption = node;
		} else if (!is_break(node) && !is_blank(node)) {
			return false;
		}
	}
	return out->count != 0;
}

/* One of them; of an odd number the first one has the whole width. */
static void
put_one_of(struct writer *w, cmark_node *image, const struct pictures *all, bool first)
{
	enum room whole = all->wide ? ROOM_WIDE : ROOM_TEXT,
		  half = all->wide ? ROOM_WIDE_HALF : ROOM_HALF;
	struct str title = title_of(w, image);
	bool captioned = title.len != 0 && (all->count > 1 || all->caption == NULL);

	if (captioned && all->count > 1)
		BUF_PUT(w->out, "<figure>\n");
	put_image(
	    w, image, first && all->count % 2 == 1 ? whole : half, captioned ? STR("") : title);
	buf_putc(w->out, '\n');
	if (captioned) {
		BUF_PUT(w->out, "<figcaption>");
		escape_html(w->out, title);
		BUF_PUT(w->out, "</figcaption>\n");
	}
	if (captioned && all->count > 1)
		BUF_PUT(w->out, "</figure>\n");
}

static void
put_caption(struct writer *w, cmark_node *caption)
{
	cmark_node *node = cmark_node_first_child(caption);

	BUF_PUT(w->out, "<figcaption>");
	for (; node != NULL; node = cmark_node_next(node))
		markdown_write(w, node);
	BUF_PUT(w->out, "</figcaption>\n");
}

/* The last of the paragraphs that are one with the first; all that they have is added up. */
static cmark_node *
last_of(struct writer *w, cmark_node *first, struct pictures *all)
{
	cmark_node *last = first, *next = cmark_node_next(first);
	struct pictures more;

	while (w->options->gallery && all->caption == NULL && read_pictures(w, next, &more)) {
		all->count += more.count;
		all->wide = all->wide || more.wide;
		all->caption = more.caption;
		last = next;
		next = cmark_node_next(next);
	}
	return last;
}

bool
pictures_put(struct writer *w, cmark_node *paragraph)
{
	struct pictures all;
	cmark_node *last, *node;
	bool first = true;

	if (!read_pictures(w, paragraph, &all))
		return false;
	last = last_of(w, paragraph, &all);
	if (all.count == 1 && !all.wide && !all.titled && all.caption == NULL)
		return false;
	BUF_PUT(w->out, "<figure");
	put_attribute(w->out, "class",
	    all.count == 1 ? (all.wide ? STR("wide") : STR(""))
			   : (all.wide ? STR("pictures wide") : STR("pictures")));
	BUF_PUT(w->out, ">\n");
	for (;; paragraph = cmark_node_next(paragraph)) {
		node = cmark_node_first_child(paragraph);
		for (; node != NULL; node = cmark_node_next(node))
			if (cmark_node_get_type(node) == CMARK_NODE_IMAGE) {
				put_one_of(w, node, &all, first);
				first = false;
			}
		if (paragraph == last)
			break;
	}
	if (all.caption != NULL)
		put_caption(w, all.caption);
	BUF_PUT(w->out, "</figure>\n");
	skip(w, last);
	return true;
}
