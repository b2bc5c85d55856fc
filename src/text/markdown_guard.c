#include "base/arena.h"
#include "text/markdown_private.h"

#include <string.h>

/*
 * Prepares a source for cmark, so that none can take long.
 *
 * cmark's time grows with the square of the length in few cases only. In one, containers (quotes and
 * lists) are nested as deeply as the source is long: every line examines all of them. In another, a
 * paragraph opens images without end and every link in it looks back at them. Both are limited here by a
 * mark, a character that no text has, before whatever exceeds the limit, which then is no container and no
 * image, but text. The writer leaves the marks out wherever they end up, also in a code block where none
 * was needed. So the guard can be simple and mark too much.
 *
 * Depth. Each container around a line's text takes at least one column of that line, a list two.
 * So a container whose marker is left of column COLUMNS_MAX is in fewer others than that; one further to
 * the right gets a mark. Blank and lazy lines open nothing.
 *
 * Images. A blank line ends every paragraph, so what one can hold is counted between blank lines.
 *
 * A second mark replaces an escaped pipe: after cmark has read the paragraph of a table, it could not
 * be told from one that separates two cells. What else is escaped and means something to us and nothing to cmark has the
 * first mark behind it. So has the label of a note, whose colon cmark would take for that of a reference.
 */
enum { COLUMNS_MAX = 64, TAB = 4, IMAGES_MAX = 500 };

#define MARK_STOP STR(GUARD_STOP) /* U+FDD0 and U+FDD1 are noncharacters, for internal use */
#define MARK_PIPE STR("\xef\xb7\x91")
#define REPLACEMENT "\xef\xbf\xbd"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct guard {
	struct buf out;
	struct str source;
	size_t at;     /* in the source */
	size_t column; /* in its line */
	int images;    /* opened since the last blank line */
};

static char
peek(const struct guard *g, size_t ahead)
{
	return g->at + ahead < g->source.len ? g->source.base[g->at + ahead] : '\n';
}

static bool
is_end(char c)
{
	return c == '\n' || c == '\r';
}

static void
copy(struct guard *g, size_t count)
{
	struct str part = str_sub(g->source, g->at, count);

	buf_put(&g->out, part);
	g->at += part.len;
	g->column += part.len;
}

static void
skip_blanks(struct guard *g)
{
	while (peek(g, 0) == ' ' || peek(g, 0) == '\t') {
		size_t column = g->column;

		column += peek(g, 0) == ' ' ? 1 : TAB - column % TAB;
		copy(g, 1);
		g->column = column;
	}
}

/* Is the rest of the line a thematic break: three or more of one character, and blanks? */
static bool
at_rule(const struct guard *g)
{
	char mark = peek(g, 0);
	size_t count = 0;

	if (mark != '-' && mark != '*')
		return false;
	for (size_t i = 0; !is_end(peek(g, i)); i++) {
		if (peek(g, i) == mark)
			count++;
		else if (peek(g, i) != ' ' && peek(g, i) != '\t')
			return false;
	}
	return count >= 3;
}

/* The length of the container's marker here, or 0. */
static size_t
marker(const struct guard *g)
{
	size_t len = 0;
	char c = peek(g, 0), behind;

	if (c == '>')
		return 1;
	if (c == '-' || c == '+' || c == '*') {
		len = 1;
	} else {
		while (len < 9 && peek(g, len) >= '0' && peek(g, len) <= '9')
			len++;
		if (len == 0 || (peek(g, len) != '.' && peek(g, len) != ')'))
			return 0;
		len++;
	}
	behind = peek(g, len);
	return behind == ' ' || behind == '\t' || is_end(behind) ? len : 0;
}

/* Skips the container markers at the start of the line; false when only blanks follow. */
static bool
guard_containers(struct guard *g)
{
	bool any = false;
	size_t len;

	g->column = 0;
	for (;;) {
		skip_blanks(g);
		len = marker(g);
		if (len == 0 || at_rule(g))
			return any || !is_end(peek(g, 0));
		if (g->column >= COLUMNS_MAX) {
			buf_put(&g->out, MARK_STOP);
			return true;
		}
		copy(g, len);
		any = true;
	}
}

/* The text after them, to the line's end. */
static void
guard_text(struct guard *g)
{
	while (g->at < g->source.len && !is_end(peek(g, 0))) {
		struct str rest = str_sub(g->source, g->at, g->source.len);
		char c = peek(g, 0), next = peek(g, 1);
		size_t note;

		if (c == '\\' && next == '|') {
			buf_put(&g->out, MARK_PIPE);
			g->at += 2;
		} else if (c == '\\' && !is_end(next)) {
			copy(g, 2);
			if (memchr("\"'-.~", next, 5) != NULL)
				buf_put(&g->out, MARK_STOP);
		} else if (c == '[' && next == '^' &&
			   (note = notes_definition(g->source, g->at)) != 0) {
			copy(g, note);
			buf_put(&g->out, MARK_STOP);
		} else if (c == '!' && next == '[') {
			copy(g, 1);
			if (++g->images > IMAGES_MAX)
				buf_put(&g->out, MARK_STOP);
		} else if (str_starts(rest, MARK_STOP) || str_starts(rest, MARK_PIPE)) {
			BUF_PUT(&g->out, REPLACEMENT);
			g->at += MARK_STOP.len;
		} else {
			copy(g, 1);
		}
	}
}

struct str
guard_source(struct arena *arena, struct str source)
{
	struct guard g = {.out = {.arena = arena}, .source = source};

	buf_room(&g.out, source.len + 1);
	/* cmark skips it, and it must not hide the containers after it. */
	if (str_starts(source, STR(BYTE_ORDER_MARK)))
		g.at = sizeof(BYTE_ORDER_MARK) - 1;
	while (g.at < source.len) {
		if (!guard_containers(&g))
			g.images = 0;
		guard_text(&g);
		copy(&g, 1);
	}
	return buf_str(&g.out);
}

/* The length of what begins at `i` and must be replaced, and its replacement. */
static size_t
unwanted(struct str text, size_t i, struct str pipe, struct str *instead)
{
	struct str three = str_sub(text, i, MARK_STOP.len);
	unsigned char c = (unsigned char)text.base[i];

	*instead = STR(REPLACEMENT);
	if (c < ' ')
		return c != '\n' && c != '\t' ? 1 : 0;
	if (c != 0xef)
		return 0;
	if (str_eq(three, MARK_STOP))
		*instead = STR("");
	else if (str_eq(three, MARK_PIPE))
		*instead = pipe;
	else if (!str_eq(three, STR("\xef\xbf\xbe")) && !str_eq(three, STR("\xef\xbf\xbf")))
		return 0;
	return three.len;
}

struct str
guard_undo(struct arena *arena, struct str text, struct str pipe)
{
	struct buf out = {.arena = arena};
	size_t from = 0, i = 0;

	while (i < text.len) {
		struct str instead;
		size_t len = unwanted(text, i, pipe, &instead);

		if (len == 0) {
			i++;
			continue;
		}
		buf_put(&out, str_sub(text, from, i - from));
		buf_put(&out, instead);
		from = i += len;
	}
	if (from == 0)
		return text;
	buf_put(&out, str_sub(text, from, text.len));
	return buf_str(&out);
}
