#include "base/arena.h"
#include "model/post/media.h"
#include "model/text_rule.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/url.h"

#include <inttypes.h>
#include <string.h>

/*
 * Every tag and attribute of the HTML is spelled out in this file and in markdown_table.c; what comes
 * from the source goes through escape_html() or address_put(). The walk is cmark's own, not recursive.
 */

/* A text of cmark's; `pipe` is what an escaped pipe is there. */
static struct str
said(struct writer *w, const char *text, struct str pipe)
{
	return guard_undo(w->out->arena, str_of(text), pipe);
}

static void
put_literal(struct writer *w, cmark_node *node, struct str pipe)
{
	escape_html(w->out, said(w, cmark_node_get_literal(node), pipe));
}

static void
put_attribute(struct buf *out, const char *name, struct str value)
{
	if (value.len == 0)
		return;
	buf_fmt(out, " %s=\"", name);
	escape_html(out, value);
	buf_putc(out, '"');
}

/* What the node says, for where no marks can be. */
static struct str
plain(struct writer *w, cmark_node *node)
{
	struct buf text = {.arena = w->out->arena};

	text_put(&text, node);
	return str_trim(buf_str(&text));
}

/* Goes on behind the node, whose children were seen to. */
static void
skip(struct writer *w, cmark_node *node)
{
	cmark_iter_reset(w->iter, node, CMARK_EVENT_EXIT);
}

/* --- Inside of paragraphs --- */

/* The ids of an author's headings have a prefix that who writes a link to one need not know. */
static void
put_fragment(struct writer *w, struct str *url)
{
	struct str name = str_sub(*url, 1, url->len);

	if (w->options->trust != MARKDOWN_AUTHOR || url->base[0] != '#' || name.len == 0 ||
	    str_starts(name, w->outline->prefix))
		return;
	buf_putc(w->out, '#');
	address_put(w->out, w->outline->prefix);
	*url = name;
}

/* What follows "<a" of a link or of an image that is one. */
static void
put_destination(struct writer *w, cmark_node *node, struct str url, enum address_kind kind)
{
	BUF_PUT(w->out, " href=\"");
	put_fragment(w, &url);
	address_put(w->out, url);
	buf_putc(w->out, '"');
	put_attribute(w->out, "title", said(w, cmark_node_get_title(node), STR("|")));
	if (kind == ADDRESS_FOREIGN)
		put_attribute(w->out, "rel",
		    w->options->trust == MARKDOWN_READER ? STR("nofollow ugc noopener")
							 : STR("noopener"));
	buf_putc(w->out, '>');
}

static void
write_link(struct writer *w, cmark_node *node, bool enter)
{
	struct str url = said(w, cmark_node_get_url(node), STR("|"));
	enum address_kind kind = address_kind(url, w->options->site);

	if (!enter) {
		if (w->link != node)
			return;
		BUF_PUT(w->out, "</a>");
		w->link = NULL;
		return;
	}
	/* An address in brackets may stand inside of a link. */
	if (kind == ADDRESS_REFUSED || w->link != NULL)
		return;
	w->link = node;
	BUF_PUT(w->out, "<a");
	put_destination(w, node, url, kind);
	/* A link without words could not be seen. */
	if (cmark_node_first_child(node) == NULL)
		escape_html(w->out, url);
}

/* What a picture's own address says of it: its size, and the narrower ones. */
static void
put_sizes(struct writer *w, struct str url)
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
		BUF_PUT(w->out, " sizes=\"" MARKDOWN_IMAGE_SIZES "\"");
}

/* An image that could not be shown. */
static void
write_image_link(struct writer *w, cmark_node *node, struct str url, struct str alt)
{
	if (w->link == NULL) {
		BUF_PUT(w->out, "<a class=\"picture\"");
		put_destination(w, node, url, ADDRESS_FOREIGN);
	}
	escape_html(w->out, alt.len != 0 ? alt : url);
	if (w->link == NULL)
		BUF_PUT(w->out, "</a>");
}

static void
write_image(struct writer *w, cmark_node *node)
{
	const struct markdown_options *options = w->options;
	struct str url = said(w, cmark_node_get_url(node), STR("|")), alt = plain(w, node);
	enum address_kind kind = address_kind(url, options->site);

	skip(w, node);
	if (options->trust == MARKDOWN_READER || kind == ADDRESS_REFUSED || kind == ADDRESS_MAIL) {
		escape_html(w->out, alt);
		return;
	}
	if (kind == ADDRESS_FOREIGN && !url_shows_picture(url)) {
		write_image_link(w, node, url, alt);
		return;
	}
	BUF_PUT(w->out, "<img src=\"");
	address_put(w->out, url);
	BUF_PUT(w->out, "\" alt=\"");
	escape_html(w->out, alt);
	buf_putc(w->out, '"');
	put_attribute(w->out, "title", said(w, cmark_node_get_title(node), STR("|")));
	put_sizes(w, url);
	BUF_PUT(w->out, " loading=\"lazy\" decoding=\"async\">");
}

/* Raw HTML is shown as it was typed, but for line breaks, and comments, which are for nobody. */
static void
write_html(struct writer *w, struct str html)
{
	static const struct str breaks[] = {
	    STR_INIT("<br>"), STR_INIT("<br/>"), STR_INIT("<br />"), STR_INIT("<BR>")};

	for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++)
		if (str_eq(html, breaks[i])) {
			BUF_PUT(w->out, "<br>\n");
			return;
		}
	if (!str_starts(html, STR("<!--")))
		escape_html(w->out, html);
}

static void
write_mark(struct writer *w, bool enter, struct str open, struct str close)
{
	if (enter ? w->depth++ < DEPTH_MAX : --w->depth < DEPTH_MAX)
		buf_put(w->out, enter ? open : close);
}

static void
write_inline(struct writer *w, cmark_node *node, bool enter)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT: put_literal(w, node, STR("|")); break;
	case CMARK_NODE_SOFTBREAK: buf_putc(w->out, '\n'); break;
	case CMARK_NODE_LINEBREAK: BUF_PUT(w->out, "<br>\n"); break;
	case CMARK_NODE_CODE:
		BUF_PUT(w->out, "<code>");
		put_literal(w, node, w->cell ? STR("|") : STR("\\|"));
		BUF_PUT(w->out, "</code>");
		break;
	case CMARK_NODE_HTML_INLINE:
		write_html(w, said(w, cmark_node_get_literal(node), STR("\\|")));
		break;
	case CMARK_NODE_EMPH: write_mark(w, enter, STR("<em>"), STR("</em>")); break;
	case CMARK_NODE_STRONG: write_mark(w, enter, STR("<strong>"), STR("</strong>")); break;
	case CMARK_NODE_LINK: write_link(w, node, enter); break;
	case CMARK_NODE_IMAGE:
		if (enter)
			write_image(w, node);
		break;
	default: break;
	}
}

/* --- Blocks --- */

static bool
is_tight(cmark_node *paragraph)
{
	cmark_node *list = cmark_node_parent(cmark_node_parent(paragraph));

	return list != NULL && cmark_node_get_type(list) == CMARK_NODE_LIST &&
	       cmark_node_get_list_tight(list);
}

static void
write_paragraph(struct writer *w, cmark_node *node, bool enter)
{
	if (enter && markdown_table(w, node)) {
		skip(w, node);
		return;
	}
	if (is_tight(node)) {
		if (!enter && cmark_node_next(node) != NULL)
			buf_putc(w->out, '\n');
		return;
	}
	buf_put(w->out, enter ? STR("<p>") : STR("</p>\n"));
}

/* A heading without words would be one that only a screen reader meets. */
static bool
is_heading(struct writer *w, struct str title)
{
	return w->options->trust == MARKDOWN_AUTHOR && title.len != 0;
}

static void
open_heading(struct writer *w, cmark_node *node)
{
	struct str title = plain(w, node);
	struct heading heading;

	w->heading = 0;
	if (cmark_node_first_child(node) == NULL) {
		skip(w, node);
		return;
	}
	if (!is_heading(w, title)) {
		BUF_PUT(w->out, "<p><strong>");
		return;
	}
	heading = outline_add(w->outline, cmark_node_get_heading_level(node), title);
	w->heading = (int)heading.level;
	buf_fmt(w->out, "<h%d", w->heading);
	put_attribute(w->out, "id", heading.id);
	buf_putc(w->out, '>');
	if (heading.id.len != 0 &&
	    cmark_node_get_type(cmark_node_parent(node)) == CMARK_NODE_DOCUMENT)
		outline_list(w->outline, heading);
}

static void
close_heading(struct writer *w)
{
	if (w->heading == 0)
		BUF_PUT(w->out, "</strong></p>\n");
	else
		buf_fmt(w->out, "</h%d>\n", w->heading);
}

/* The first word behind the fence, when it can be the name of a language. */
static struct str
language(struct arena *arena, struct str info)
{
	struct str rest, name = str_lower(arena, str_cut(info, ' ', &rest));

	for (size_t i = 0; i < name.len; i++) {
		char c = name.base[i];

		if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '+' && c != '-')
			return STR("");
	}
	return name.len <= LANGUAGE_MAX ? name : STR("");
}

static void
write_code(struct writer *w, cmark_node *node)
{
	struct str name =
	    language(w->out->arena, said(w, cmark_node_get_fence_info(node), STR("|")));

	BUF_PUT(w->out, "<pre><code");
	if (name.len != 0)
		buf_fmt(w->out, " class=\"language-%.*s\"", STR_ARGS(name));
	buf_putc(w->out, '>');
	put_literal(w, node, STR("\\|"));
	BUF_PUT(w->out, "</code></pre>\n");
}

/* A block of HTML: what is a comment is left out, the rest shown as it was typed. */
static void
write_html_block(struct writer *w, struct str html)
{
	if (str_starts(str_trim(html), STR("<!--"))) {
		const char *end = html.len != 0 ? memmem(html.base, html.len, "-->", 3) : NULL;

		html =
		    end == NULL ? STR("") : str_sub(html, (size_t)(end - html.base) + 3, html.len);
	}
	html = str_trim(html);
	if (html.len == 0)
		return;
	BUF_PUT(w->out, "<p>");
	escape_html(w->out, html);
	BUF_PUT(w->out, "</p>\n");
}

static void
write_list(struct writer *w, cmark_node *node, bool enter)
{
	bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
	int start = cmark_node_get_list_start(node);

	if (!enter)
		buf_put(w->out, ordered ? STR("</ol>\n") : STR("</ul>\n"));
	else if (!ordered)
		BUF_PUT(w->out, "<ul>\n");
	else if (start == 1)
		BUF_PUT(w->out, "<ol>\n");
	else
		buf_fmt(w->out, "<ol start=\"%d\">\n", start);
}

static void
write_block(struct writer *w, cmark_node *node, bool enter)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_PARAGRAPH: write_paragraph(w, node, enter); break;
	case CMARK_NODE_HEADING:
		if (enter)
			open_heading(w, node);
		else
			close_heading(w);
		break;
	case CMARK_NODE_LIST: write_list(w, node, enter); break;
	case CMARK_NODE_ITEM: buf_put(w->out, enter ? STR("<li>") : STR("</li>\n")); break;
	case CMARK_NODE_BLOCK_QUOTE:
		buf_put(w->out, enter ? STR("<blockquote>\n") : STR("</blockquote>\n"));
		break;
	case CMARK_NODE_CODE_BLOCK: write_code(w, node); break;
	case CMARK_NODE_HTML_BLOCK:
		write_html_block(w, said(w, cmark_node_get_literal(node), STR("\\|")));
		break;
	case CMARK_NODE_THEMATIC_BREAK: BUF_PUT(w->out, "<hr>\n"); break;
	default: break;
	}
}

void
markdown_write(struct writer *w, cmark_node *root)
{
	cmark_iter *outer = w->iter;
	cmark_event_type event;

	w->iter = cmark_iter_new(root);
	while ((event = cmark_iter_next(w->iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(w->iter);
		cmark_node_type type = cmark_node_get_type(node);
		bool enter = event == CMARK_EVENT_ENTER;

		if (type >= CMARK_NODE_FIRST_BLOCK && type <= CMARK_NODE_LAST_BLOCK)
			write_block(w, node, enter);
		else
			write_inline(w, node, enter);
	}
	cmark_iter_free(w->iter);
	w->iter = outer;
}
