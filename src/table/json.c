/*
 * JSON strings, both ways, and the reader of json.h: one pass over the text, without a tree. The
 * callers' own nesting is the stack; `fresh` alone says whether a comma must come, because after
 * the end of an object or array the enclosing one has at least one element.
 */
#include "table/json.h"

#include "base/arena.h"

#include <endian.h>
#include <string.h>

/* --- Plain runs of a string: characters without escapes, eight bytes at a time ---------------- */

enum { WORD = sizeof(uint64_t) };

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/*
 * Sets the high bit of each of the eight bytes that ends a plain run: a quote, a backslash, a
 * control character. Only the lowest such bit is reliable, because a byte may borrow from the one
 * above it.
 */
static inline uint64_t
word_stops(uint64_t word)
{
	uint64_t quote = word ^ EACH_BYTE('"');
	uint64_t backslash = word ^ EACH_BYTE('\\');

	return (((word - EACH_BYTE(0x20)) & ~word) | ((quote - EACH_BYTE(1)) & ~quote) |
		   ((backslash - EACH_BYTE(1)) & ~backslash)) &
	       EACH_BYTE(0x80);
}

/*
 * From `at` to the first byte that ends a plain run. Sets *high when some byte on the way may be
 * other than ASCII; false means that none is.
 */
static inline const char *
plain_run(const char *at, const char *end, bool *high)
{
	uint64_t seen = 0;

	while (end - at >= WORD) {
		uint64_t word, stops;

		memcpy(&word, at, WORD);
		word = le64toh(word);
		seen |= word;
		stops = word_stops(word);
		if (stops != 0) {
			at += __builtin_ctzll(stops) / 8;
			end = at;
			break;
		}
		at += WORD;
	}
	for (; at != end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20; at++)
		seen |= (unsigned char)*at;
	if ((seen & EACH_BYTE(0x80)) != 0)
		*high = true;
	return at;
}

/* --- Escapes --------------------------------------------------------------------------------- */

/* The characters after a backslash, and what they mean. */
static const char letters[] = "\"\\/bfnrt";
static const char meanings[] = "\"\\/\b\f\n\r\t";

/* Four hexadecimal digits, or -1. */
static int32_t
hex4(const char *at, const char *end)
{
	int32_t n = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = at[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return -1;
		n = n << 4 | digit;
	}
	return n;
}

static char *
put_rune(char *to, int32_t rune)
{
	if (rune < 0x80) {
		*to++ = (char)rune;
	} else if (rune < 0x800) {
		*to++ = (char)(0xc0 | rune >> 6);
		*to++ = (char)(0x80 | (rune & 0x3f));
	} else {
		if (rune < 0x10000) {
			*to++ = (char)(0xe0 | rune >> 12);
		} else {
			*to++ = (char)(0xf0 | rune >> 18);
			*to++ = (char)(0x80 | (rune >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (rune >> 6 & 0x3f));
		*to++ = (char)(0x80 | (rune & 0x3f));
	}
	return to;
}

/* The code point after `\u`, of one escape or of the two of a surrogate pair. */
static bool
escaped_rune(struct json_reader *in, int32_t *rune)
{
	int32_t low;

	*rune = hex4(in->at, in->end);
	if (*rune < 0)
		return json_fail(in, "four hexadecimal digits must be here");
	if (*rune >= 0xdc00 && *rune < 0xe000)
		return json_fail(in, "a surrogate stands alone");
	in->at += 4;
	if (*rune < 0xd800 || *rune >= 0xe000)
		return true;
	low = in->end - in->at >= 6 && in->at[0] == '\\' && in->at[1] == 'u'
		  ? hex4(in->at + 2, in->end)
		  : -1;
	if (low < 0xdc00 || low >= 0xe000)
		return json_fail(in, "a surrogate stands alone");
	in->at += 6;
	*rune = 0x10000 + ((*rune - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

/*
 * Decodes the escape at `at` into *to, which is advanced; the result is never longer than the
 * escape.
 */
static bool
unescape(struct json_reader *in, char **to)
{
	const char *letter;
	int32_t rune;

	in->at++;
	if (in->at == in->end)
		return json_fail(in, "the text ends in a string");
	if (*in->at == 'u') {
		in->at++;
		if (!escaped_rune(in, &rune))
			return false;
		*to = put_rune(*to, rune);
		return true;
	}
	letter = memchr(letters, *in->at, sizeof(letters) - 1);
	if (letter == NULL)
		return json_fail(in, "there is no such escape");
	*(*to)++ = meanings[letter - letters];
	in->at++;
	return true;
}

/* --- Reading --------------------------------------------------------------------------------- */

/* Reads the rest of a string: its first escape is here, its plain start before it. */
static bool
escaped_string(struct json_reader *in, const char *start, bool *high, struct str *out)
{
	const char *close = in->at;
	char *base, *to;

	/* It does not become longer than in the text, up to the closing quote. */
	while (in->end - close > 1 && *close == '\\')
		close = plain_run(close + 2, in->end, high);
	base = to = arena_alloc(in->arena, (size_t)(close - start));
	for (const char *from = start;; from = in->at) {
		in->at = plain_run(in->at, in->end, high);
		to = (char *)memcpy(to, from, (size_t)(in->at - from)) + (in->at - from);
		if (in->at == in->end || *in->at != '\\')
			break;
		if (!unescape(in, &to))
			return false;
	}
	*out = (struct str){base, (size_t)(to - base)};
	return true;
}

bool
json_string(struct json_reader *in, struct str *out)
{
	const char *start;
	bool high = false;

	*out = (struct str){NULL, 0};
	if (json_peek(in) != JSON_STRING)
		return json_fail(in, "a string must be here");
	start = ++in->at;
	in->at = plain_run(in->at, in->end, &high);
	*out = (struct str){start, (size_t)(in->at - start)};
	if (in->at != in->end && *in->at == '\\' && !escaped_string(in, start, &high, out))
		return false;
	if (in->at == in->end)
		return json_fail(in, "the text ends in a string");
	if (*in->at != '"')
		return json_fail(in, "a control character must be escaped");
	if (high && !str_utf8(*out))
		return json_fail(in, "a string is not UTF-8");
	in->at++;
	return true;
}

bool
json_plain_value(struct json_reader *in, struct str *out)
{
	static const char open[] = {'{', '"', 'S', '"', ':', '"'};
	const char *start = in->at + sizeof(open), *close;
	bool high = false;

	if ((size_t)(in->end - in->at) < sizeof(open) || memcmp(in->at, open, sizeof(open)) != 0)
		return false;
	close = plain_run(start, in->end, &high);
	if (in->end - close < 2 || close[0] != '"' || close[1] != '}')
		return false;
	*out = (struct str){start, (size_t)(close - start)};
	if (high && !str_utf8(*out))
		return false;
	in->at = close + 2;
	in->fresh = false;
	return true;
}

/* --- Writing --------------------------------------------------------------------------------- */

/* Writes the escape of a byte. */
static void
put_escape(struct buf *out, char c)
{
	const char *meaning = memchr(meanings, c, sizeof(meanings) - 1);

	/* A solidus may be escaped, but need not, so it never comes here. */
	if (meaning != NULL) {
		buf_putc(out, '\\');
		buf_putc(out, letters[meaning - meanings]);
	} else {
		buf_fmt(out, "\\u%04x", (unsigned)c);
	}
}

/* A copy with U+FFFD for every byte that is not part of UTF-8. */
static struct str
repaired(struct arena *arena, struct str s)
{
	struct buf out = {.arena = arena};
	size_t at = 0;

	while (at < s.len) {
		size_t start = at;

		if (str_rune(s, &at) != 0xfffd)
			buf_put(&out, str_sub(s, start, at - start));
		else
			BUF_PUT(&out, "\xef\xbf\xbd");
	}
	return buf_str(&out);
}

/* The string must not be empty. */
static void
put_escaped(struct buf *out, struct str s)
{
	const char *at = s.base, *end = s.base + s.len;
	bool high;

	for (;;) {
		const char *run = at;

		at = plain_run(at, end, &high);
		buf_put(out, (struct str){run, (size_t)(at - run)});
		if (at == end)
			return;
		put_escape(out, *at++);
	}
}

void
json_put_string(struct buf *out, struct str s)
{
	bool high = false;

	buf_putc(out, '"');
	if (s.len == 0 || (plain_run(s.base, s.base + s.len, &high) == s.base + s.len && !high))
		buf_put(out, s);
	else
		put_escaped(out, str_utf8(s) ? s : repaired(out->arena, s));
	buf_putc(out, '"');
}

/* --- The reader ------------------------------------------------------------------------------- */

struct json_reader
json_reader(struct arena *arena, struct str text)
{
	return (struct json_reader){
	    .arena = arena,
	    .text = text,
	    .at = text.base,
	    .end = text.len != 0 ? text.base + text.len : text.base,
	};
}

bool
json_fail(struct json_reader *in, const char *why)
{
	if (in->error.why == NULL) {
		in->error.why = why;
		in->error.offset = in->text.len - (size_t)(in->end - in->at);
	}
	/* With nothing left to read, everything that follows fails. */
	in->at = in->end;
	return false;
}

/* The next byte that is not white space, or -1 at the end. */
static int
next(struct json_reader *in)
{
	while (in->at != in->end) {
		char c = *in->at;

		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return (unsigned char)c;
		in->at++;
	}
	return -1;
}

/* Skips this byte; an error if another one comes next. */
static bool
take(struct json_reader *in, char c, const char *why)
{
	if (next(in) != c)
		return json_fail(in, why);
	in->at++;
	return true;
}

enum json_kind
json_peek(struct json_reader *in)
{
	int c = next(in);

	switch (c) {
	case '{': return JSON_OBJECT;
	case '[': return JSON_ARRAY;
	case '"': return JSON_STRING;
	case 't':
	case 'f': return JSON_BOOLEAN;
	case 'n': return JSON_NULL;
	default: return c == '-' || (c >= '0' && c <= '9') ? JSON_NUMBER : JSON_NOTHING;
	}
}

bool
json_end(struct json_reader *in)
{
	if (in->error.why != NULL)
		return false;
	return next(in) == -1 || json_fail(in, "there is more behind the end");
}

/* --- Objects and arrays ---------------------------------------------------------------------- */

bool
json_object(struct json_reader *in)
{
	in->fresh = true;
	return take(in, '{', "an object must be here");
}

bool
json_array(struct json_reader *in)
{
	in->fresh = true;
	return take(in, '[', "an array must be here");
}

/* Is there another element before `close`? Skips the comma, or `close`. */
static bool
more(struct json_reader *in, char close)
{
	bool fresh = in->fresh;
	int c = next(in);

	in->fresh = false;
	if (c == close) {
		in->at++;
		return false;
	}
	return fresh || take(in, ',', "a comma or the end must be here");
}

bool
json_name(struct json_reader *in, struct str *name)
{
	return more(in, '}') && json_string(in, name) && take(in, ':', "a colon must be here");
}

bool
json_element(struct json_reader *in)
{
	/* After a comma an element must follow; reading it fails at a bracket. */
	return more(in, ']') && (next(in) != -1 || json_fail(in, "the text ends in an array"));
}

/* --- Other scalars --------------------------------------------------------------------------- */

static size_t
digits(struct json_reader *in)
{
	const char *start = in->at;

	while (in->at != in->end && *in->at >= '0' && *in->at <= '9')
		in->at++;
	return (size_t)(in->at - start);
}

/* Skips this byte if it is here. */
static bool
optional(struct json_reader *in, char c)
{
	if (in->at == in->end || *in->at != c)
		return false;
	in->at++;
	return true;
}

bool
json_number(struct json_reader *in, struct str *out)
{
	const char *start;
	bool good;

	*out = (struct str){NULL, 0};
	next(in);
	start = in->at;
	optional(in, '-');
	good = optional(in, '0') || digits(in) != 0;
	if (good && optional(in, '.'))
		good = digits(in) != 0;
	if (good && (optional(in, 'e') || optional(in, 'E'))) {
		if (!optional(in, '-'))
			optional(in, '+');
		good = digits(in) != 0;
	}
	if (!good)
		return json_fail(in, "a number must be here");
	*out = (struct str){start, (size_t)(in->at - start)};
	return true;
}

bool
json_int(struct json_reader *in, int64_t *out)
{
	struct str number;

	*out = 0;
	return json_number(in, &number) &&
	       (str_int(number, out) || json_fail(in, "a number is not whole or not of 64 bits"));
}

static bool
word(struct json_reader *in, struct str text)
{
	next(in);
	if (!str_starts((struct str){in->at, (size_t)(in->end - in->at)}, text))
		return false;
	in->at += text.len;
	return true;
}

bool
json_boolean(struct json_reader *in, bool *out)
{
	*out = word(in, STR("true"));
	return *out || word(in, STR("false")) || json_fail(in, "true or false must be here");
}

bool
json_null(struct json_reader *in)
{
	return word(in, STR("null")) || json_fail(in, "null must be here");
}

/* --- Skipping -------------------------------------------------------------------------------- */

static bool
skip(struct json_reader *in, unsigned depth)
{
	struct str ignored;
	bool flag;

	switch (json_peek(in)) {
	case JSON_STRING: return json_string(in, &ignored);
	case JSON_NUMBER: return json_number(in, &ignored);
	case JSON_BOOLEAN: return json_boolean(in, &flag);
	case JSON_NULL: return json_null(in);
	case JSON_NOTHING: return json_fail(in, "a value must be here");
	case JSON_OBJECT:
	case JSON_ARRAY: break;
	}
	if (depth == JSON_SKIP_DEPTH)
		return json_fail(in, "objects and arrays are nested too deep");
	if (json_peek(in) == JSON_OBJECT) {
		json_object(in);
		while (json_name(in, &ignored))
			skip(in, depth + 1);
	} else {
		json_array(in);
		while (json_element(in))
			skip(in, depth + 1);
	}
	return in->error.why == NULL;
}

bool
json_skip(struct json_reader *in)
{
	return skip(in, 0);
}
