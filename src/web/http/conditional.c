#include "web/http/conditional.h"

#include "base/arena.h"
#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

static uint64_t
fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * A fast hash of its own, four lanes of 16 bytes at a time: an ETag need not be secure, only differ
 * when the page does. Somebody who constructed a collision would only show readers an old page of
 * their own.
 */
enum { LANES = 4, STRIDE = LANES * 16 };

static const uint64_t salt[LANES] = {
    0x9e3779b97f4a7c15U, 0xd1b54a32d192ed03U, 0x8cb92ba72f3d8dd7U, 0xaef17502108ef2d9U};

static inline void
mix(uint64_t lanes[LANES], const char *bytes)
{
	uint64_t words[2 * LANES];

	memcpy(words, bytes, STRIDE);
#pragma GCC unroll 4
	for (size_t i = 0; i < LANES; i++)
		lanes[i] = fold(words[2 * i] ^ salt[i], words[2 * i + 1] ^ lanes[i]);
}

static uint64_t
hash_of(struct str content)
{
	uint64_t lanes[LANES] = {content.len, salt[1], salt[2], salt[3]};
	char last[STRIDE] = {0};
	size_t at = 0;

	for (; content.len - at >= STRIDE; at += STRIDE)
		mix(lanes, content.base + at);
	if (content.len > at)
		memcpy(last, content.base + at, content.len - at);
	mix(lanes, last);
	return fold(lanes[0] ^ lanes[1] ^ salt[0], lanes[2] ^ lanes[3] ^ salt[1]);
}

/*
 * Where the token is next, or the content's end: Horspool's search. A token is long and random, so most bytes of a page are
 * skipped, which memmem() does not do.
 */
static size_t
find_token(struct str content, struct str token, const size_t skip[256])
{
	size_t last = token.len - 1;

	for (size_t at = 0; at + last < content.len;) {
		unsigned char c = (unsigned char)content.base[at + last];

		if (c == (unsigned char)token.base[last] &&
		    memcmp(content.base + at, token.base, last) == 0)
			return at;
		at += skip[c];
	}
	return content.len;
}

/* Hashes what is before each occurrence of the token, and after the last. */
static uint64_t
hash_without(struct str content, struct str token, uint64_t hash)
{
	size_t skip[256], at;

	if (token.len == 0)
		return fold(hash_of(content), ~hash);
	for (size_t c = 0; c < 256; c++)
		skip[c] = token.len;
	for (size_t i = 0; i + 1 < token.len; i++)
		skip[(unsigned char)token.base[i]] = token.len - 1 - i;
	while ((at = find_token(content, token, skip)) != content.len) {
		hash = fold(hash_of(str_sub(content, 0, at)), ~hash);
		content = str_sub(content, at + token.len, content.len);
	}
	return fold(hash_of(content), ~hash);
}

struct str
etag_make(struct arena *arena, struct str content, struct str token, struct str besides)
{
	static const char hex[] = "0123456789abcdef";
	uint64_t hash = hash_without(content, token, hash_of(besides));
	char *etag = arena_copy(arena, "W/\"................\"", 20);

	for (int i = 18; i >= 3; i--, hash >>= 4)
		etag[i] = hex[hash & 15];
	return token.len != 0 ? (struct str){etag, 20} : (struct str){etag + 2, 18};
}

/*
 * The next ETag of a list, with its quotes but without W/; false at the end or when it is
 * malformed.
 */
static bool
next_etag(struct str *list, struct str *etag)
{
	size_t end;

	while (list->len != 0 &&
	       (list->base[0] == ' ' || list->base[0] == '\t' || list->base[0] == ','))
		*list = str_sub(*list, 1, list->len);
	if (str_starts(*list, STR("W/")))
		*list = str_sub(*list, 2, list->len);
	if (list->len < 2 || list->base[0] != '"')
		return false;
	end = 1 + str_find(str_sub(*list, 1, list->len), '"');
	if (end == list->len)
		return false;
	*etag = str_sub(*list, 0, end + 1);
	*list = str_sub(*list, end + 1, list->len);
	return true;
}

bool
etag_matches(struct str if_none_match, struct str etag)
{
	struct str one;

	if (str_eq(str_trim(if_none_match), STR("*")))
		return true;
	if (str_starts(etag, STR("W/")))
		etag = str_sub(etag, 2, etag.len);
	while (next_etag(&if_none_match, &one))
		if (str_eq(one, etag))
			return true;
	return false;
}

static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
static const char *const months[] = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static void
put_two(char *at, int number)
{
	at[0] = (char)('0' + number / 10 % 10);
	at[1] = (char)('0' + number % 10);
}

struct str
http_date(struct arena *arena, int64_t ms)
{
	char *text = arena_copy(arena, "Sun, 00 Jan 0000 00:00:00 GMT", 29);
	struct date d = time_date(ms);

	memcpy(text, days[d.weekday], 3);
	put_two(text + 5, d.day);
	memcpy(text + 8, months[d.month - 1], 3);
	put_two(text + 12, d.year / 100);
	put_two(text + 14, d.year % 100);
	put_two(text + 17, d.hour);
	put_two(text + 20, d.minute);
	put_two(text + 23, d.second);
	return (struct str){text, 29};
}

static bool
number(struct str text, size_t at, size_t digits, int64_t *out)
{
	struct str s = str_sub(text, at, digits);

	return s.len == digits && s.base[0] != '-' && str_int(s, out);
}

bool
http_date_parse(struct str text, int64_t *ms)
{
	int64_t day, year, hour, minute, second, value;

	/* "Sun, 06 Nov 1994 08:49:37 GMT" */
	if (text.len != 29 || !number(text, 5, 2, &day) || !number(text, 12, 4, &year) ||
	    !number(text, 17, 2, &hour) || !number(text, 20, 2, &minute) ||
	    !number(text, 23, 2, &second) || hour > 23 || minute > 59 || second > 60)
		return false;
	for (int month = 0; month < 12; month++) {
		char form[] = "...,_.._..._...._..:..:.._GMT";

		if (!str_eq(str_sub(text, 8, 3), str_of(months[month])))
			continue;
		value = time_of_day((int)year, month + 1, (int)day);
		for (size_t i = 0; i < sizeof(form) - 1; i++)
			if (form[i] != '.' && text.base[i] != (form[i] == '_' ? ' ' : form[i]))
				return false;
		/* The day of the week is ignored; a 31st of a shorter month is invalid. */
		if (time_date(value).day != day)
			return false;
		*ms = value + ((hour * 60 + minute) * 60 + second) * 1000;
		return true;
	}
	return false;
}

bool
is_not_modified(
    struct str if_none_match, struct str if_modified_since, struct str etag, int64_t last_modified)
{
	int64_t since;

	if (if_none_match.len != 0)
		return etag.len != 0 && etag_matches(if_none_match, etag);
	if (if_modified_since.len == 0 || last_modified == 0)
		return false;
	/* A header has no milliseconds. */
	return http_date_parse(if_modified_since, &since) && last_modified / 1000 == since / 1000;
}
