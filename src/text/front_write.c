/* The writer of front_matter.h. */
#include "text/front_matter.h"

#include "base/arena.h"
#include "text/front_text.h"

static void
put_spaces(struct buf *out, size_t count)
{
	while (count-- > 0)
		buf_putc(out, ' ');
}

static void
put_quoted(struct buf *out, struct str text)
{
	buf_putc(out, '"');
	for (size_t at = 0; at < text.len;) {
		size_t from = at;
		uint32_t rune = str_rune(text, &at);

		if (rune == '\n')
			BUF_PUT(out, "\\n");
		else if (rune == '\t')
			BUF_PUT(out, "\\t");
		else if (rune == '"' || rune == '\\')
			buf_fmt(out, "\\%c", (char)rune);
		else if (rune < 0x20 || (rune >= 0x7f && rune < 0xa0))
			buf_fmt(out, "\\x%02x", rune);
		else if (rune == 0x2028 || rune == 0x2029 || rune == 0xfeff)
			buf_fmt(out, "\\u%04x", rune);
		else
			buf_put(out, str_sub(text, from, at - from));
	}
	buf_putc(out, '"');
}

/* Writes the text on this line, or as a block with this indentation. */
static void
put_text(struct buf *out, size_t indent, struct str text)
{
	if (front_is_plain(text, false)) {
		buf_put(out, text);
	} else if (front_is_block(text)) {
		bool ends = str_ends(text, STR("\n"));

		buf_put(out, ends ? STR("|") : STR("|-"));
		for (struct str rest = text; rest.len != 0;) {
			struct str line = str_cut(rest, '\n', &rest);

			buf_putc(out, '\n');
			if (line.len != 0)
				put_spaces(out, indent);
			buf_put(out, line);
		}
	} else {
		put_quoted(out, text);
	}
	buf_putc(out, '\n');
}

void
front_begin(struct buf *out)
{
	BUF_PUT(out, "---\n");
}

void
front_put_text(struct buf *out, size_t indent, struct str key, struct str text)
{
	put_spaces(out, indent);
	buf_put(out, key);
	BUF_PUT(out, ": ");
	put_text(out, indent + 2, text);
}

void
front_put_first(struct buf *out, size_t indent, struct str key, struct str text)
{
	put_spaces(out, indent);
	BUF_PUT(out, "- ");
	buf_put(out, key);
	BUF_PUT(out, ": ");
	put_text(out, indent + 4, text);
}

void
front_put_texts(struct buf *out, struct str key, const struct str *texts, size_t count)
{
	buf_put(out, key);
	BUF_PUT(out, ": [");
	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			BUF_PUT(out, ", ");
		if (front_is_plain(texts[i], true))
			buf_put(out, texts[i]);
		else
			put_quoted(out, texts[i]);
	}
	BUF_PUT(out, "]\n");
}

void
front_put_key(struct buf *out, struct str key)
{
	buf_put(out, key);
	BUF_PUT(out, ":\n");
}

void
front_put_item(struct buf *out, size_t indent, struct str text)
{
	put_spaces(out, indent);
	BUF_PUT(out, "- ");
	put_text(out, indent + 2, text);
}

bool
front_text_fits(struct str text)
{
	return str_find(text, '\r') == text.len;
}

void
front_end(struct buf *out, struct str text)
{
	BUF_PUT(out, "---\n");
	if (text.len == 0)
		return;
	buf_putc(out, '\n');
	buf_put(out, text);
	buf_putc(out, '\n');
}
