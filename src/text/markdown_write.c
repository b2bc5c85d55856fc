/*
 * Every tag and attribute of the HTML is spelled out in this file and in markdown_pictures.c, markdown_table.c,
 * markdown_notes.c and markdown_code.c; what comes from the source goes through escape_html() or address_put(). The
 * walk is cmark's own, not recursive.
 */
#include "base/arena.h"
#include "model/post/media.h"
#include "model/text_rule.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/url.h"

#include <inttypes.h>
#include <string.h>

/* --- Plain text ------------------------------------------------------------------------------- */

/* On one line: line ends and tabs in the text become spaces. */
static void
put_words(struct buf *out, const char *literal)
{
	struct str text = guard_undo(out->arena, str_of(literal), STR("|"));

	for (size_t i = 0; i < text.len; i++)
		buf_putc(out, text.base[i] == '\n' || text.base[i] == '\t' ? ' ' : text.base[i]);
}

static bool
is_block(cmark_node *node)
{
	cmark_node_type type = cmark_node_get_type(node);

	return type >= CMARK_NODE_FIRST_BLOCK && type <= CMARK_NODE_LAST_BLOCK;
}

void
text_put(struct buf *out, cmark_node *node)
{
	cmark_iter *iter = cmark_iter_new(node);
	cmark_event_type event;

	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *at = cmark_iter_get_node(iter);

		switch (cmark_node_get_type(at)) {
		case CMARK_NODE_TEXT:
		case CMARK_NODE_CODE:
		case CMARK_NODE_CODE_BLOCK: put_words(out, cmark_node_get_literal(at)); break;
		case CMARK_NODE_SOFTBREAK:
		case CMARK_NODE_LINEBREAK: buf_putc(out, ' '); break;
		default: break;
		}
		/* Text of different blocks is separated. */
		if (is_block(at) && out->len != 0 && out->base[out->len - 1] != ' ')
			buf_putc(out, ' ');
	}
	cmark_iter_free(iter);
	while (out->len != 0 && out->base[out->len - 1] == ' ')
		out->len--;
}

/* The character of an entity of escape_html(), and the entity's length. */
static size_t
reference(struct str text, char *c)
{
	static const struct {
		struct str text;
		char c;
	} references[] = {{STR_INIT("&amp;"), '&'}, {STR_INIT("&lt;"), '<'},
	    {STR_INIT("&gt;"), '>'}, {STR_INIT("&quot;"), '"'}, {STR_INIT("&#39;"), '\''}};

	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (str_starts(text, references[i].text)) {
			*c = references[i].c;
			return references[i].text.len;
		}
	*c = text.base[0];
	return 1;
}

struct str
markdown_plain(struct arena *arena, struct html html)
{
	struct str rest = html.text;
	struct buf out = {.arena = arena};

	while (rest.len != 0) {
		size_t len;
		char c;

		/* The number of a note is no word. */
		if (str_starts(rest, STR("<sup>"))) {
			const char *end = memmem(rest.base, rest.len, "</sup>", 6);

			if (end != NULL)
				rest = str_sub(rest, (size_t)(end - rest.base), rest.len);
		}
		if (rest.base[0] == '<') {
			/* Line ends follow blocks and lines; between cells there are none. */
			if (str_starts(rest, STR("</t")) && out.len != 0 &&
			    out.base[out.len - 1] != ' ')
				buf_putc(&out, ' ');
			str_cut(rest, '>', &rest);
			continue;
		}
		len = reference(rest, &c);
		if (c == '\n' || c == '\t')
			c = ' ';
		if (c != ' ' || (out.len != 0 && out.base[out.len - 1] != ' '))
			buf_putc(&out, c);
		rest = str_sub(rest, len, rest.len);
	}
	return str_trim(buf_str(&out));
}

/* --- Addresses of links ----------------------------------------------------------------------- */

/*
 * An address is written only if all software reads it alike. So a scheme must be one of three, and
 * what browsers silently repair (a backslash for a slash, tabs and line ends inside, white space at
 * the ends) is refused or written as %XX. That leaves no way to spell another scheme or another
 * host.
 */

static bool
is_control(struct str url)
{
	for (size_t i = 0; i < url.len;) {
		uint32_t rune = str_rune(url, &i);

		if (rune < 0x20 || (rune >= 0x7f && rune < 0xa0))
			return true;
	}
	return false;
}

/* The text before the first colon, if that comes before any slash, question mark or hash. */
static bool
has_scheme(struct str url, struct str *scheme, struct str *rest)
{
	for (size_t i = 0; i < url.len; i++) {
		char c = url.base[i];

		if (c == '/' || c == '?' || c == '#')
			return false;
		if (c == ':') {
			*scheme = str_sub(url, 0, i);
			*rest = str_sub(url, i + 1, url.len);
			return true;
		}
	}
	return false;
}

/* "http:" must be followed by a host, without a user name that could be mistaken for one. */
static bool
has_host(struct str rest)
{
	size_t i = 2;

	if (!str_starts(rest, STR("//")))
		return false;
	for (; i < rest.len; i++) {
		char c = rest.base[i];

		if (c == '@' || c == '\\' || c == ' ' || c == '%')
			return false;
		if (c == '/' || c == '?' || c == '#')
			break;
	}
	return i > 2 && rest.base[2] != ':';
}

/* Is the address on this site: its origin, followed by nothing, a slash, a query or a fragment? */
static bool
is_site(struct str url, struct str site)
{
	return site.len != 0 && str_eq_nocase(str_sub(url, 0, site.len), site) &&
	       (url.len == site.len || url.base[site.len] == '/' || url.base[site.len] == '?' ||
		   url.base[site.len] == '#');
}

enum address_kind
address_kind(struct str url, struct str site)
{
	struct str scheme, rest;

	if (url.len == 0 || url.base[0] == ' ' || url.base[url.len - 1] == ' ' || is_control(url))
		return ADDRESS_REFUSED;
	if (has_scheme(url, &scheme, &rest)) {
		if (str_eq_nocase(scheme, STR("mailto")))
			return rest.len != 0 ? ADDRESS_MAIL : ADDRESS_REFUSED;
		if (!str_eq_nocase(scheme, STR("https")) && !str_eq_nocase(scheme, STR("http")))
			return ADDRESS_REFUSED;
		if (!has_host(rest))
			return ADDRESS_REFUSED;
		return is_site(url, site) ? ADDRESS_LOCAL : ADDRESS_FOREIGN;
	}
	/* Two slashes or backslashes begin an address on another host. */
	if (url.len >= 2 && (url.base[0] == '/' || url.base[0] == '\\') &&
	    (url.base[1] == '/' || url.base[1] == '\\'))
		return ADDRESS_REFUSED;
	return ADDRESS_LOCAL;
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Characters allowed by RFC 3986, without the brackets, which only an IPv6 host needs. */
static bool
may_stand(struct str url, size_t i)
{
	static const char marks[] = "-._~:/?#@!$&'()*+,;=";
	char c = url.base[i];

	if (c == '%')
		return url.len - i > 2 && is_hex(url.base[i + 1]) && is_hex(url.base[i + 2]);
	for (const char *mark = marks; *mark != '\0'; mark++)
		if (c == *mark)
			return true;
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void
address_put(struct buf *out, struct str url)
{
	for (size_t i = 0; i < url.len; i++) {
		if (may_stand(url, i))
			escape_html(out, str_sub(url, i, 1));
		else
			buf_fmt(out, "%%%02X", (unsigned char)url.base[i]);
	}
}

/* --- The tree as HTML ------------------------------------------------------------------------- */

struct str
said(struct writer *w, const char *text, struct str pipe)
{
	return guard_undo(w->out->arena, str_of(text), pipe);
}

static void
put_literal(struct writer *w, cmark_node *node, struct str pipe)
{
	escape_html(w->out, said(w, cmark_node_get_literal(node), pipe));
}

void
put_attribute(struct buf *out, const char *name, struct str value)
{
	if (value.len == 0)
		return;
	buf_fmt(out, " %s=\"", name);
	escape_html(out, value);
	buf_putc(out, '"');
}

struct str
plain(struct writer *w, cmark_node *node)
{
	struct buf text = {.arena = w->out->arena};

	text_put(&text, node);
	return str_trim(buf_str(&text));
}

void
skip(struct writer *w, cmark_node *node)
{
	cmark_iter_reset(w->iter, node, CMARK_EVENT_EXIT);
}

/* --- Inside of paragraphs --- */

/* The ids of an author's headings have a prefix, which authors of links need not know. */
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

void
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
	/* A bare address may be inside of a link. */
	if (kind == ADDRESS_REFUSED || w->link != NULL)
		return;
	w->link = node;
	BUF_PUT(w->out, "<a");
	put_destination(w, node, url, kind);
	/* A link without text would be invisible. */
	if (cmark_node_first_child(node) == NULL)
		escape_html(w->out, url);
}

/* Raw HTML is shown as typed, except line breaks, and comments, which are left out. */
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
	case CMARK_NODE_TEXT: names_put(w, said(w, cmark_node_get_literal(node), STR("|"))); break;
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
			pictures_put_one(w, node);
		break;
	case CMARK_NODE_CUSTOM_INLINE:
		if (extension_of(node) == EXTENSION_DELETED)
			write_mark(w, enter, STR("<del>"), STR("</del>"));
		else if (enter)
			notes_put_reference(w, extension_note(node));
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

/* A card says where it leads: the host, and the rest of the address. Nobody is asked for more. */
static bool
write_card(struct writer *w, cmark_node *node)
{
	cmark_node *link = cmark_node_first_child(node);
	struct str url = said(w, cmark_node_get_url(link), STR("|")), rest, host;
	enum address_kind kind = address_kind(url, w->options->site);

	if (kind == ADDRESS_REFUSED)
		return false;
	host = str_sub(url, str_find(url, '/') + 2, url.len);
	host = str_cut(host, '/', &rest);
	BUF_PUT(w->out, "<p class=\"link-card\"><a");
	put_destination(w, link, url, kind);
	BUF_PUT(w->out, "<b>");
	escape_html(w->out, str_starts(host, STR("www.")) ? str_sub(host, 4, host.len) : host);
	BUF_PUT(w->out, "</b>");
	if (rest.len != 0) {
		BUF_PUT(w->out, " /");
		escape_html(w->out, rest);
	}
	BUF_PUT(w->out, "</a></p>\n");
	skip(w, node);
	return true;
}

static void
write_paragraph(struct writer *w, cmark_node *node, bool enter)
{
	if (enter && extension_of(node) == EXTENSION_CARD && write_card(w, node))
		return;
	if (enter && markdown_table(w, node)) {
		skip(w, node);
		return;
	}
	if (is_tight(node)) {
		if (!enter && cmark_node_next(node) != NULL)
			buf_putc(w->out, '\n');
		return;
	}
	if (!enter || !pictures_put(w, node))
		buf_put(w->out, enter ? STR("<p>") : STR("</p>\n"));
}

/* A heading without text would exist only for screen readers. */
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

/* The first word after the fence, if it can be the name of a language. */
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

	/* On a narrow screen it scrolls, so it must be focusable and have a name. */
	BUF_PUT(w->out, "<pre role=\"group\" tabindex=\"0\" aria-label=\"Code\"><code");
	if (name.len != 0)
		buf_fmt(w->out, " class=\"language-%.*s\"", STR_ARGS(name));
	buf_putc(w->out, '>');
	code_put(w, name, said(w, cmark_node_get_literal(node), STR("\\|")));
	BUF_PUT(w->out, "</code></pre>\n");
}

/* A block of HTML: comments are left out, the rest is shown as typed. */
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
write_item(struct writer *w, cmark_node *node, bool enter)
{
	enum extension_kind kind = extension_of(node);

	if (!enter)
		BUF_PUT(w->out, "</li>\n");
	else if (kind == EXTENSION_NONE)
		BUF_PUT(w->out, "<li>");
	else
		buf_fmt(w->out,
		    "<li class=\"task\"><span role=\"img\" aria-label=\"%s\">%s</span> ",
		    kind == EXTENSION_DONE ? "Done" : "To do",
		    kind == EXTENSION_DONE ? "\xe2\x98\x91" : "\xe2\x98\x90");
}

static void
write_quote(struct writer *w, cmark_node *node, bool enter)
{
	static const char *const remarks[] = {
	    [EXTENSION_NOTE] = "Note",
	    [EXTENSION_TIP] = "Tip",
	    [EXTENSION_IMPORTANT] = "Important",
	    [EXTENSION_WARNING] = "Warning",
	    [EXTENSION_CAUTION] = "Caution",
	};
	enum extension_kind kind = extension_of(node);

	if (!enter)
		buf_put(w->out, kind > EXTENSION_PULL ? STR("</div>\n") : STR("</blockquote>\n"));
	else if (kind == EXTENSION_NONE)
		BUF_PUT(w->out, "<blockquote>\n");
	else if (kind == EXTENSION_PULL)
		BUF_PUT(w->out, "<blockquote class=\"pull\">\n");
	else
		buf_fmt(
		    w->out, "<div class=\"callout\">\n<p class=\"label\">%s</p>\n", remarks[kind]);
}

/* A list of definitions, and what is in it. */
static void
write_definitions(struct writer *w, cmark_node *node, bool enter)
{
	switch (extension_of(node)) {
	case EXTENSION_DEFINITIONS: buf_put(w->out, enter ? STR("<dl>\n") : STR("</dl>\n")); break;
	case EXTENSION_TERM: buf_put(w->out, enter ? STR("<dt>") : STR("</dt>\n")); break;
	case EXTENSION_MEANING: buf_put(w->out, enter ? STR("<dd>") : STR("</dd>\n")); break;
	default: break;
	}
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
	case CMARK_NODE_ITEM: write_item(w, node, enter); break;
	case CMARK_NODE_BLOCK_QUOTE: write_quote(w, node, enter); break;
	case CMARK_NODE_CUSTOM_BLOCK: write_definitions(w, node, enter); break;
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

		/* The notes of a block stand behind it. */
		if (enter && cmark_node_get_type(cmark_node_parent(node)) == CMARK_NODE_DOCUMENT)
			notes_put_waiting(w);
		if (type >= CMARK_NODE_FIRST_BLOCK && type <= CMARK_NODE_LAST_BLOCK)
			write_block(w, node, enter);
		else
			write_inline(w, node, enter);
	}
	cmark_iter_free(w->iter);
	w->iter = outer;
}
