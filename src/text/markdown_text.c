#include "base/arena.h"
#include "text/markdown_private.h"

/* One line: line ends and tabs in the text are spaces. */
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
		/* What stands in two blocks is two words. */
		if (is_block(at) && out->len != 0 && out->base[out->len - 1] != ' ')
			buf_putc(out, ' ');
	}
	cmark_iter_free(iter);
	while (out->len != 0 && out->base[out->len - 1] == ' ')
		out->len--;
}

/* The character that a reference of escape_html() stands for, and its length. */
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

		if (rest.base[0] == '<') {
			/* Line ends stand where blocks and lines end; between cells there are none. */
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
