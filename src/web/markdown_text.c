#include "base/arena.h"
#include "web/markdown_inside.h"

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
