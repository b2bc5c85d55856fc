#include "web/http/query.h"

#include "base/arena.h"
#include "text/url.h"

#include <assert.h>

static bool
is_text(struct str value)
{
	for (size_t i = 0; i < value.len; i++)
		if ((unsigned char)value.base[i] < 0x20 || value.base[i] == 0x7f)
			return false;
	return str_utf8(value);
}

/* The index of a name as sent among the known ones; `count` when it is unknown. */
static size_t
which(struct arena *arena, struct str sent, const struct str *names, size_t count)
{
	struct str name;
	size_t i = 0;

	/* Ours are short; an escaped byte takes three. */
	if (sent.len > 100 || !url_decode(arena, sent, true, &name))
		return count;
	while (i < count && !str_eq(names[i], name))
		i++;
	return i;
}

/* Controls become spaces, and bytes that are no text U+FFFD; what is too long is cut. */
static struct str
mended(struct arena *arena, struct str value)
{
	struct buf out = {.arena = arena};

	for (size_t at = 0; at < value.len && out.len < QUERY_VALUE_MAX - 4;) {
		uint32_t rune = str_rune(value, &at);
		char bytes[4];

		buf_put(&out, str_of_rune(bytes, rune < 0x20 || rune == 0x7f ? ' ' : rune));
	}
	return buf_str(&out);
}

/* False: it is refused. */
static bool
read_value(struct arena *arena, struct str sent, bool typed, struct str *out)
{
	bool decoded = url_decode(arena, sent, true, out);

	if (decoded && is_text(*out) && out->len <= QUERY_VALUE_MAX)
		return true;
	if (typed)
		*out = mended(arena, decoded ? *out : sent);
	return typed;
}

bool
query_read(struct arena *arena, struct str sent, const char *const *known, bool typed,
    struct pairs *out)
{
	struct str names[QUERY_KNOWN_MAX], values[QUERY_KNOWN_MAX] = {0};
	size_t count = 0;

	*out = (struct pairs){NULL, 0};
	if (known == NULL || sent.len == 0)
		return true;
	for (; known[count] != NULL; count++) {
		assert(count < QUERY_KNOWN_MAX);
		names[count] = str_of(known[count]);
	}
	while (sent.len != 0) {
		struct str value, piece = str_cut(sent, '&', &sent);
		size_t i = which(arena, str_cut(piece, '=', &value), names, count);

		if (i == count || values[i].len != 0 || value.len == 0)
			continue;
		if (!read_value(arena, value, typed, &values[i]))
			return false;
	}
	out->pairs = ARENA_ARRAY(arena, count, struct pair);
	for (size_t i = 0; i < count; i++)
		if (values[i].len != 0)
			out->pairs[out->count++] = (struct pair){names[i], values[i]};
	return true;
}

void
query_put(struct buf *out, const struct pairs *query)
{
	for (size_t i = 0; i < query->count; i++) {
		buf_putc(out, i == 0 ? '?' : '&');
		url_put_query(out, query->pairs[i].name);
		buf_putc(out, '=');
		url_put_query(out, query->pairs[i].value);
	}
}
