#include "model/text_rule.h"

#include "base/buf.h"
#include "model/slug.h"

#include <string.h>

/* --- Characters ------------------------------------------------------------------------------------- */

static bool
is_control(uint32_t rune)
{
	return (rune < 0x20 && rune != '\t' && rune != '\n') || (rune >= 0x7f && rune < 0xa0);
}

static bool
is_turning(uint32_t rune)
{
	return (rune >= 0x202a && rune <= 0x202e) || (rune >= 0x2066 && rune <= 0x2069);
}

/*
 * Are these eight bytes all from space to tilde? Each of the three terms sets the highest bit of a
 * byte that is not.
 */
static bool
are_plain(const char *bytes)
{
	const uint64_t high = UINT64_C(0x8080808080808080), spaces = UINT64_C(0x2020202020202020),
		       ones = UINT64_C(0x0101010101010101);
	uint64_t eight;

	memcpy(&eight, bytes, sizeof(eight));
	return ((eight | (eight - spaces) | (eight + ones)) & high) == 0;
}

/* Every text that is read is checked here, so plain text is skipped eight bytes at a time. */
static bool
has(struct str text, bool (*what)(uint32_t rune))
{
	for (size_t i = 0; i < text.len;) {
		unsigned char c = (unsigned char)text.base[i];

		if (text.len - i >= 8 && are_plain(text.base + i))
			i += 8;
		/* The characters looked for begin with few of the bytes beyond ASCII. */
		else if ((c >= 0x20 && c < 0x7f) || (c >= 0x80 && c != 0xc2 && c != 0xe2))
			i++;
		else if (what(str_rune(text, &i)))
			return true;
	}
	return false;
}

bool
text_has_control(struct str text)
{
	return has(text, is_control);
}

bool
text_turns(struct str text)
{
	return has(text, is_turning);
}

static bool
breaks_line(uint32_t rune)
{
	return rune == '\t' || rune == '\n' || is_control(rune) || is_turning(rune);
}

/* --- Addresses -------------------------------------------------------------------------------------- */

/* http:// or https://, a host, and nothing that needs escaping in HTML or a header. */
static bool
is_link(struct str text)
{
	size_t start = str_starts(text, STR("https://"))  ? 8
		       : str_starts(text, STR("http://")) ? 7
							  : 0;
	size_t end = start;

	if (start == 0)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.base[i];

		if (c <= 0x20 || c == 0x7f || strchr("\"<>\\^`{|}", (char)c) != NULL)
			return false;
	}
	while (end < text.len && strchr("/?#", text.base[end]) == NULL)
		end++;
	text = str_sub(text, start, end - start);
	/* A user before the host makes an address look like another one. */
	return text.len != 0 && text.base[0] != ':' && text.base[0] != '.' &&
	       str_find(text, '@') == text.len;
}

bool
url_is_local(struct str address)
{
	if (address.len == 0 || address.base[0] != '/' ||
	    (address.len > 1 && address.base[1] == '/'))
		return false;
	for (size_t i = 0; i < address.len; i++) {
		unsigned char c = (unsigned char)address.base[i];

		/* Browsers read a backslash as a slash, and drop tabs and line ends. */
		if (c <= 0x20 || c >= 0x7f || c == '\\')
			return false;
	}
	return true;
}

bool
url_shows_picture(struct str address)
{
	static const struct str secure = STR_INIT("https://");

	return str_eq_nocase(str_sub(address, 0, secure.len), secure);
}

/* --- The rules -------------------------------------------------------------------------------------- */

static bool
is_line(struct str text)
{
	return !has(text, breaks_line);
}

static bool
is_lines(struct str text)
{
	return !text_has_control(text);
}

static bool
is_address(struct str text)
{
	return is_link(text) && is_line(text);
}

static bool
is_picture(struct str text)
{
	return url_is_local(text) || (url_shows_picture(text) && is_address(text));
}

static bool
is_amount(struct str text)
{
	struct str part, whole = str_cut(text, '.', &part);
	int64_t number;

	return whole.len >= 1 && whole.len <= 9 && part.len <= 2 && whole.base[0] != '-' &&
	       str_int(whole, &number) && (part.len != 0) == (whole.len < text.len) &&
	       (part.len == 0 || (part.base[0] != '-' && str_int(part, &number)));
}

static bool
is_currency(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.base[i] < 'A' || text.base[i] > 'Z')
			return false;
	return text.len == 3;
}

static bool
is_colour(struct str text)
{
	bool good = text.len == 7 && text.base[0] == '#';

	for (size_t i = 1; good && i < text.len; i++)
		good = (text.base[i] >= '0' && text.base[i] <= '9') ||
		       (text.base[i] >= 'a' && text.base[i] <= 'f');
	return good;
}

static const struct {
	bool (*keeps)(struct str text);
	const char *wants;
	bool (*breaks)(uint32_t
		rune); /* which characters are not displayed; NULL: the text is not displayed at all */
} rules[TEXT_RULES] = {
    [TEXT_LINE] = {is_line, "one line of text without control characters", breaks_line},
    [TEXT_LINES] = {is_lines, "text without control characters", is_control},
    [TEXT_LINK] = {is_address, "an address that begins with https:// or http://", NULL},
    [TEXT_PICTURE] = {is_picture, "an address that begins with https://, or a path on this site",
	NULL},
    [TEXT_AMOUNT] = {is_amount, "an amount, such as 12 or 12.50", breaks_line},
    [TEXT_CURRENCY] = {is_currency, "a currency's three letters, such as EUR", breaks_line},
    [TEXT_COLOUR] = {is_colour, "a colour, such as #1f4e79", NULL},
    [TEXT_SLUG] = {slug_valid, "letters, digits and hyphens: 100 at most, and 200 bytes",
	breaks_line},
};

bool
text_keeps(enum text_rule rule, struct str text)
{
	return rule == TEXT_ANY || text.len == 0 || (str_utf8(text) && rules[rule].keeps(text));
}

const char *
text_wants(enum text_rule rule)
{
	return rules[rule].wants;
}

struct str
text_shown(struct arena *arena, enum text_rule rule, struct str text)
{
	struct buf out = {.arena = arena};

	if (rule == TEXT_ANY || (rules[rule].breaks == NULL && text_keeps(rule, text)))
		return text;
	if (rules[rule].breaks == NULL)
		return STR("");
	if (!has(text, rules[rule].breaks))
		return text;
	for (size_t i = 0; i < text.len;) {
		size_t from = i;
		uint32_t rune = str_rune(text, &i);

		if (!rules[rule].breaks(rune))
			buf_put(&out, str_sub(text, from, i - from));
		else if (rune == '\t' || rune == '\n')
			buf_putc(&out, ' ');
	}
	return buf_str(&out);
}
