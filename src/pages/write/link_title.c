#include "pages/write/link_title.h"

#include "base/arena.h"
#include "base/buf.h"
#include "model/text_rule.h"
#include "web/form/form_text.h"

#include <stdlib.h>
#include <string.h>

enum { TITLE_SUGGESTED = 120, REFERENCE_MAX = 10 };

/* Entities that occur in titles; others stay as they are. */
static const struct {
	struct str name, text;
} references[] = {
    {STR_INIT("amp"), STR_INIT("&")},
    {STR_INIT("apos"), STR_INIT("'")},
    {STR_INIT("gt"), STR_INIT(">")},
    {STR_INIT("hellip"), STR_INIT("…")},
    {STR_INIT("laquo"), STR_INIT("«")},
    {STR_INIT("ldquo"), STR_INIT("“")},
    {STR_INIT("lsquo"), STR_INIT("‘")},
    {STR_INIT("lt"), STR_INIT("<")},
    {STR_INIT("mdash"), STR_INIT("—")},
    {STR_INIT("middot"), STR_INIT("·")},
    {STR_INIT("nbsp"), STR_INIT(" ")},
    {STR_INIT("ndash"), STR_INIT("–")},
    {STR_INIT("quot"), STR_INIT("\"")},
    {STR_INIT("raquo"), STR_INIT("»")},
    {STR_INIT("rdquo"), STR_INIT("”")},
    {STR_INIT("rsquo"), STR_INIT("’")},
};

/* The character of "#8217" or "#x2019"; false for an invalid or invisible one. */
static bool
put_number(struct buf *out, struct str number)
{
	bool hex = number.len > 1 && (number.base[1] | 0x20) == 'x';
	char digits[REFERENCE_MAX + 1] = {0}, letter[4], *end;
	struct str text = {letter, 0};
	unsigned long c;

	memcpy(digits, number.base + 1 + hex, number.len - 1 - hex);
	c = strtoul(digits, &end, hex ? 16 : 10);
	if (digits[0] < '0' || *end != '\0' || c < 0x20 || c > 0x10ffff)
		return false;
	if (c >= 0x10000)
		letter[text.len++] = (char)(0xf0 | (c >> 18));
	if (c >= 0x800)
		letter[text.len++] =
		    (char)(c >= 0x10000 ? 0x80 | ((c >> 12) & 0x3f) : 0xe0 | (c >> 12));
	if (c >= 0x80)
		letter[text.len++] =
		    (char)(c >= 0x800 ? 0x80 | ((c >> 6) & 0x3f) : 0xc0 | (c >> 6));
	letter[text.len++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
	if (!str_utf8(text))
		return false;
	buf_put(out, text);
	return true;
}

static bool
put_reference(struct buf *out, struct str name)
{
	if (name.len > 1 && name.len <= REFERENCE_MAX && name.base[0] == '#')
		return put_number(out, name);
	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++)
		if (str_eq(references[i].name, name)) {
			buf_put(out, references[i].text);
			return true;
		}
	return false;
}

static struct str
without_references(struct arena *arena, struct str text)
{
	struct buf out = {.arena = arena};

	while (text.len != 0) {
		struct str rest, behind, name;
		bool mark = str_find(text, '&') < text.len;

		buf_put(&out, str_cut(text, '&', &rest));
		name = str_cut(rest, ';', &behind);
		text = rest;
		if (mark && name.len < rest.len && put_reference(&out, name))
			text = behind;
		else if (mark)
			buf_putc(&out, '&');
	}
	return buf_str(&out);
}

/* The content of its <title>; false when it has none. */
static bool
title_of_html(struct arena *arena, struct str source, struct str *title)
{
	struct str lower = str_lower(arena, source);
	const char *begin = lower.len != 0 ? memmem(lower.base, lower.len, "<title", 6) : NULL;
	const char *end;
	size_t open, close = source.len;

	if (begin == NULL)
		return false;
	open = (size_t)(begin - lower.base);
	open += str_find(str_sub(source, open, source.len), '>') + 1;
	if (open < source.len) {
		end = memmem(lower.base + open, lower.len - open, "</title", 7);
		close = end != NULL ? (size_t)(end - lower.base) : source.len;
	}
	*title = str_sub(source, open, close > open ? close - open : 0);
	return true;
}

struct str
link_title(struct arena *arena, struct str source)
{
	struct str rest, line = str_trim(str_cut(source, '\n', &rest));

	if (title_of_html(arena, source, &line))
		line = without_references(arena, str_trim(line));
	else if (str_starts(line, STR("<")))
		return STR("");
	/* A title that is broken into lines becomes one line. */
	line = str_trim(str_cut(str_trim(line), '\n', &rest));
	/* However long a pasted line is: a character has four bytes at most. */
	line = str_sub(line, 0, 4 * (size_t)TITLE_SUGGESTED);
	while (text_length(line) > TITLE_SUGGESTED)
		line = str_sub(line, 0, line.len - 1);
	/* Not within a character. */
	while (!str_utf8(line))
		line = str_sub(line, 0, line.len - 1);
	return str_find(line, '\t') == line.len && !text_has_control(line) && !text_turns(line)
		   ? line
		   : STR("");
}
