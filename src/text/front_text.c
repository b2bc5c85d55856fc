#include "text/front_text.h"

#include "base/arena.h"

#include <string.h>

bool
front_is_end(struct str rest)
{
	return rest.len == 0 || rest.base[0] == '#';
}

/* --- Quoted ------------------------------------------------------------------------------------- */

static void
put_rune(struct buf *out, uint32_t rune)
{
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t len = rune < 0x80 ? 1 : rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
	char bytes[4];

	for (size_t i = len; i-- > 1; rune >>= 6)
		bytes[i] = (char)(0x80 | (rune & 0x3f));
	bytes[0] = (char)(first[len] | rune);
	buf_put(out, (struct str){bytes, len});
}

/* \x41, \u00e9, \U0001f409: decodes `digits` of them and moves *rest past them. */
static const char *
take_hex(struct str *rest, size_t digits, struct buf *out)
{
	uint32_t rune = 0;

	for (size_t i = 0; i < digits; i++) {
		char c = i < rest->len ? rest->base[i] : '\0';
		const char *all = "0123456789abcdef0123456789ABCDEF", *at = strchr(all, c);

		if (c == '\0' || at == NULL)
			return "an escape lacks hexadecimal digits";
		rune = rune << 4 | ((uint32_t)(at - all) & 15);
	}
	if (rune > 0x10ffff || (rune >= 0xd800 && rune <= 0xdfff))
		return "an escape is of no character";
	*rest = str_sub(*rest, digits, rest->len);
	put_rune(out, rune);
	return NULL;
}

/* Decodes what follows a backslash. */
static const char *
take_escape(struct str *rest, struct buf *out)
{
	static const char names[] = "0abtnvfre\"/\\ ", means[] = "\0\a\b\t\n\v\f\r\033\"/\\ ";
	const char *at;
	char c;

	if (rest->len == 0)
		return "a quoted text must end on its line";
	c = rest->base[0];
	*rest = str_sub(*rest, 1, rest->len);
	if (c == 'x' || c == 'u' || c == 'U')
		return take_hex(rest, c == 'x' ? 2 : c == 'u' ? 4 : 8, out);
	at = c != '\0' ? strchr(names, c) : NULL;
	if (at == NULL)
		return "there is no such escape; a backslash itself is \\\\";
	buf_putc(out, means[at - names]);
	return NULL;
}

static const char *
take_quoted(struct arena *arena, struct str *rest, char quote, struct str *out)
{
	struct buf text = {.arena = arena};

	for (*rest = str_sub(*rest, 1, rest->len); rest->len != 0;) {
		char c = rest->base[0];
		bool twice = rest->len > 1 && rest->base[1] == '\'';

		*rest = str_sub(*rest, 1, rest->len);
		if (c == quote && !(quote == '\'' && twice)) {
			*out = buf_str(&text);
			return NULL;
		}
		if (c == '\\' && quote == '"') {
			const char *why = take_escape(rest, &text);

			if (why != NULL)
				return why;
			continue;
		}
		if (c == quote)
			*rest = str_sub(*rest, 1, rest->len);
		buf_putc(&text, c);
	}
	return "a quoted text must end on its line";
}

/* --- Plain -------------------------------------------------------------------------------------- */

/* A text that begins like this means something else in YAML. */
static const char *
wrong_beginning(struct str text)
{
	bool alone = text.len == 1 || text.base[1] == ' ';

	if (text.base[0] == '{')
		return "maps in braces are not read; give each key a line";
	if (strchr("&*!%@`|>[]},", text.base[0]) != NULL ||
	    (strchr("-?:", text.base[0]) != NULL && alone))
		return "a text that begins like this must be quoted";
	return NULL;
}

static size_t
plain_length(struct str text, bool in_list)
{
	size_t len = 0;

	while (len < text.len &&
	       !(in_list && strchr(",[]{}", text.base[len]) != NULL && text.base[len] != '\0') &&
	       !(len != 0 && text.base[len] == '#' &&
		   (text.base[len - 1] == ' ' || text.base[len - 1] == '\t')))
		len++;
	return len;
}

const char *
front_text_take(struct arena *arena, struct str *rest, bool in_list, struct str *out)
{
	const char *why;
	size_t len;

	if (rest->base[0] == '"' || rest->base[0] == '\'') {
		why = take_quoted(arena, rest, rest->base[0], out);
		if (why == NULL && rest->len != 0 && rest->base[0] == '#')
			why = "something stands behind the quoted text";
	} else {
		why = rest->base[0] != '\0' ? wrong_beginning(*rest) : NULL;
		len = plain_length(*rest, in_list);
		*out = str_trim(str_sub(*rest, 0, len));
		*rest = str_sub(*rest, len, rest->len);
		if (str_eq(*out, STR("~")) || str_eq(*out, STR("null")))
			*out = STR("");
	}
	*rest = str_trim(*rest);
	return why;
}

/* --- Which form a text can have ------------------------------------------------------------------- */

/* Visible characters, tabs, and line ends where `lines` allows them. */
static bool
is_visible(struct str text, bool lines)
{
	for (size_t at = 0; at < text.len;) {
		uint32_t rune = str_rune(text, &at);

		if (rune == '\n' ? !lines : rune < 0x20 && rune != '\t')
			return false;
		if ((rune >= 0x7f && rune < 0xa0) || rune == 0x2028 || rune == 0x2029 ||
		    rune == 0xfeff)
			return false;
	}
	return true;
}

bool
front_is_plain(struct str text, bool in_list)
{
	/* Words that YAML does not read as text. */
	static const char *const words[] = {
	    "true", "false", "yes", "no", "on", "off", "null", "y", "n", NULL};
	char first = text.len != 0 ? text.base[0] : '\0';

	if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '/' ||
		(first & 0x80) != 0) ||
	    !is_visible(text, false) || str_trim(text).len != text.len)
		return false;
	for (size_t i = 0; words[i] != NULL; i++)
		if (str_eq_nocase(text, str_of(words[i])))
			return false;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.base[i], next = i + 1 < text.len ? text.base[i + 1] : ' ';

		if (c == '\t' || (c == ':' && next == ' ') || (next == '#' && c == ' ') ||
		    strchr("\"\\{}[]<>|`", c) != NULL || (in_list && c == ','))
			return false;
	}
	return true;
}

bool
front_is_block(struct str text)
{
	return text.len > 1 && memchr(text.base, '\n', text.len) != NULL &&
	       strchr(" \t\n", text.base[0]) == NULL && !str_ends(text, STR("\n\n")) &&
	       is_visible(text, true);
}

/* --- Blocks --------------------------------------------------------------------------------------- */

const char *
front_block_begin(struct front_block *block, struct str header)
{
	struct str rest = str_sub(header, 1, header.len);

	block->out = (struct buf){.arena = block->arena};
	block->folded = header.base[0] == '>';
	if (rest.len != 0 && (rest.base[0] == '-' || rest.base[0] == '+')) {
		block->chomp = rest.base[0];
		rest = str_sub(rest, 1, rest.len);
	}
	if (rest.len == 0 || (rest.base[0] == ' ' && front_is_end(str_trim(rest))))
		return NULL;
	return "behind | or > only - or + can stand";
}

void
front_block_line(struct front_block *block, struct str line)
{
	struct str text = str_sub(line, block->indent, line.len);
	bool spaced = text.len != 0 && (text.base[0] == ' ' || text.base[0] == '\t');

	if (block->indent == 0 || text.len == 0) {
		block->ends++;
		return;
	}
	/* One line end between folded lines is a space; of several, one is removed. */
	if (block->folded && block->out.len != 0 && !spaced && !block->spaced) {
		if (block->ends-- == 1)
			buf_putc(&block->out, ' ');
	}
	for (; block->ends != 0; block->ends--)
		buf_putc(&block->out, '\n');
	buf_put(&block->out, text);
	block->ends = 1;
	block->spaced = spaced;
}

struct str
front_block_end(struct front_block *block)
{
	size_t ends = block->chomp == '-' ? 0 : block->chomp == '+' ? block->ends : 1;

	if (block->out.len == 0 && block->chomp != '+')
		ends = 0;
	while (ends-- > 0)
		buf_putc(&block->out, '\n');
	return buf_str(&block->out);
}
