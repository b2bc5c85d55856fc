#include "web/http/pairs.h"

#include "base/arena.h"
#include "text/url.h"

/* One name or value: decoded, limited in size, valid text. */
static enum pairs_rc
decode(struct arena *arena, struct str text, size_t size_max, struct str *out)
{
	/* Decoding reduces it to a third at most, so what is far too long is not even copied. */
	if (text.len / 3 > size_max)
		return PAIRS_TOO_LONG;
	if (!url_decode(arena, text, true, out) || !str_utf8(*out) ||
	    str_find(*out, '\0') != out->len)
		return PAIRS_MALFORMED;
	return out->len <= size_max ? PAIRS_OK : PAIRS_TOO_LONG;
}

/* The number of pieces, counting up to limit + 1. */
static size_t
count_pieces(struct str text, size_t limit)
{
	size_t count = 0;

	while (text.len != 0 && count <= limit)
		count += str_cut(text, '&', &text).len != 0;
	return count;
}

enum pairs_rc
pairs_parse(
    struct arena *arena, struct str text, const struct pairs_limits *limits, struct pairs *out)
{
	size_t count = count_pieces(text, limits->count), n = 0;
	struct pair *pairs;

	*out = (struct pairs){NULL, 0};
	if (count > limits->count)
		return PAIRS_TOO_MANY;
	pairs = ARENA_ARRAY(arena, count, struct pair);
	while (text.len != 0) {
		struct str value, piece = str_cut(text, '&', &text);
		struct str name = str_cut(piece, '=', &value);
		enum pairs_rc rc;

		if (piece.len == 0)
			continue;
		rc = decode(arena, name, limits->name_size, &pairs[n].name);
		if (rc == PAIRS_OK)
			rc = decode(arena, value, limits->value_size, &pairs[n].value);
		if (rc != PAIRS_OK)
			return rc;
		n++;
	}
	*out = (struct pairs){pairs, n};
	return PAIRS_OK;
}

static const struct pair *
find(const struct pairs *pairs, struct str name)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (str_eq(pairs->pairs[i].name, name))
			return &pairs->pairs[i];
	return NULL;
}

struct str
pairs_get(const struct pairs *pairs, struct str name)
{
	const struct pair *pair = find(pairs, name);

	return pair != NULL ? pair->value : STR("");
}

bool
pairs_has(const struct pairs *pairs, struct str name)
{
	return find(pairs, name) != NULL;
}
