#include "base/str.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct str
str_of(const char *cstring)
{
	return (struct str){cstring, cstring != NULL ? strlen(cstring) : 0};
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool
str_eq_nocase(struct str a, struct str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (lower(a.base[i]) != lower(b.base[i]))
			return false;
	return true;
}

int
str_cmp(struct str a, struct str b)
{
	size_t shared = a.len < b.len ? a.len : b.len;
	int order = shared != 0 ? memcmp(a.base, b.base, shared) : 0;

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool
str_ends(struct str s, struct str suffix)
{
	return s.len >= suffix.len && str_eq(str_sub(s, s.len - suffix.len, suffix.len), suffix);
}

size_t
str_find(struct str s, char c)
{
	const char *at = s.len != 0 ? memchr(s.base, c, s.len) : NULL;

	return at != NULL ? (size_t)(at - s.base) : s.len;
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str
str_trim(struct str s)
{
	while (s.len != 0 && is_space(s.base[0])) {
		s.base++;
		s.len--;
	}
	while (s.len != 0 && is_space(s.base[s.len - 1]))
		s.len--;
	return s;
}

struct str
str_cut(struct str s, char c, struct str *rest)
{
	size_t at = str_find(s, c);

	*rest = str_sub(s, at + 1, s.len);
	return str_sub(s, 0, at);
}

char *
str_cstring(struct arena *arena, struct str s)
{
	char *copy = arena_room(arena, s.len + 1);

	if (s.len != 0)
		memcpy(copy, s.base, s.len);
	copy[s.len] = '\0';
	return copy;
}

struct str
str_dup(struct arena *arena, struct str s)
{
	return (struct str){str_cstring(arena, s), s.len};
}

struct str
str_fmt(struct arena *arena, const char *format, ...)
{
	char near[256];
	va_list args;
	char *text;
	int len;

	/* Most texts are short: they are formatted here once, and copied. */
	va_start(args, format);
	len = vsnprintf(near, sizeof(near), format, args);
	va_end(args);
	if (len < 0)
		return (struct str){"", 0};
	if ((size_t)len < sizeof(near))
		return (struct str){arena_copy(arena, near, (size_t)len + 1), (size_t)len};
	text = arena_alloc(arena, (size_t)len + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)len + 1, format, args);
	va_end(args);
	return (struct str){text, (size_t)len};
}

struct str
str_join(struct arena *arena, const struct str *parts, size_t count, struct str between)
{
	size_t len = 0;
	char *text, *end;

	for (size_t i = 0; i < count; i++)
		len += parts[i].len + (i != 0 ? between.len : 0);
	text = end = arena_room(arena, len + 1);
	for (size_t i = 0; i < count; i++) {
		if (i != 0 && between.len != 0)
			end = (char *)memcpy(end, between.base, between.len) + between.len;
		if (parts[i].len != 0)
			end = (char *)memcpy(end, parts[i].base, parts[i].len) + parts[i].len;
	}
	*end = '\0';
	return (struct str){text, len};
}

struct str
str_lower(struct arena *arena, struct str s)
{
	char *text = str_cstring(arena, s);

	for (size_t i = 0; i < s.len; i++)
		text[i] = lower(text[i]);
	return (struct str){text, s.len};
}

char *
str_put_decimal(char *end, int64_t number)
{
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do
		*--end = (char)('0' + left % 10);
	while ((left /= 10) != 0);
	if (number < 0)
		*--end = '-';
	return end;
}

bool
str_int(struct str s, int64_t *out)
{
	bool negative = s.len != 0 && s.base[0] == '-';
	size_t i = negative ? 1 : 0;
	int64_t value = 0;

	if (i == s.len)
		return false;
	/* Counts downwards, because the least number has no positive twin. */
	for (; i < s.len; i++) {
		if (s.base[i] < '0' || s.base[i] > '9')
			return false;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_sub_overflow(value, s.base[i] - '0', &value))
			return false;
	}
	if (!negative && value == INT64_MIN)
		return false;
	*out = negative ? value : -value;
	return true;
}

/*
 * The length of the well-formed sequence at `p`, of `left` bytes, and its code point; 0 when it is
 * not one. The range of the second byte excludes overlong forms and surrogates (Unicode, table
 * 3-7).
 */
static size_t
sequence(const unsigned char *p, size_t left, uint32_t *rune)
{
	unsigned char first = p[0], low = 0x80, high = 0xbf;
	size_t len;

	if (first < 0x80) {
		*rune = first;
		return 1;
	}
	if (first >= 0xc2 && first <= 0xdf) {
		len = 2;
		*rune = first & 0x1fU;
	} else if (first >= 0xe0 && first <= 0xef) {
		len = 3;
		*rune = first & 0x0fU;
		low = first == 0xe0 ? 0xa0 : 0x80;
		high = first == 0xed ? 0x9f : 0xbf;
	} else if (first >= 0xf0 && first <= 0xf4) {
		len = 4;
		*rune = first & 0x07U;
		low = first == 0xf0 ? 0x90 : 0x80;
		high = first == 0xf4 ? 0x8f : 0xbf;
	} else {
		return 0;
	}
	if (left < len || p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0U) != 0x80)
			return 0;
		*rune = *rune << 6 | (p[i] & 0x3fU);
	}
	return len;
}

bool
str_utf8(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.base;
	size_t i = 0;

	while (i < s.len) {
		uint32_t rune;
		uint64_t eight;
		size_t len;

		if (s.len - i >= sizeof(eight)) {
			memcpy(&eight, p + i, sizeof(eight));
			if ((eight & 0x8080808080808080U) == 0) {
				i += sizeof(eight);
				continue;
			}
		}
		len = sequence(p + i, s.len - i, &rune);
		if (len == 0)
			return false;
		i += len;
	}
	return true;
}

struct str
str_shortened(struct str s, size_t bytes)
{
	size_t len = s.len < bytes ? s.len : bytes;

	while (len > 0 && len < s.len && ((unsigned char)s.base[len] & 0xc0) == 0x80)
		len--;
	return (struct str){s.base, len};
}

uint32_t
str_rune(struct str s, size_t *offset)
{
	uint32_t rune;
	size_t len;

	if (*offset >= s.len)
		return 0xfffd;
	len = sequence((const unsigned char *)s.base + *offset, s.len - *offset, &rune);
	*offset += len != 0 ? len : 1;
	return len != 0 ? rune : 0xfffd;
}

struct str
str_of_rune(char bytes[4], uint32_t rune)
{
	static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t len = rune < 0x80 ? 1 : rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;

	for (size_t i = len - 1; i > 0; i--, rune >>= 6)
		bytes[i] = (char)(0x80 | (rune & 0x3f));
	bytes[0] = (char)(leads[len] | rune);
	return (struct str){bytes, len};
}
