#include "text/escape.h"

#include "base/arena.h"

#include <endian.h>
#include <string.h>

/*
 * Most text has nothing to escape, so it is copied sixteen bytes at a time and checked while doing
 * so; the compiler makes vector instructions of this where the machine has them.
 */
enum { STRIDE = 16 };
typedef unsigned char lanes __attribute__((vector_size(STRIDE)));

/* The entities of the special bytes. */
static const struct str references[] = {
    ['&'] = STR_INIT("&amp;"),
    ['<'] = STR_INIT("&lt;"),
    ['>'] = STR_INIT("&gt;"),
    ['"'] = STR_INIT("&quot;"),
    ['\''] = STR_INIT("&#39;"),
};

/* Which bytes are special, in two halves. */
static inline void
find_special(lanes bytes, uint64_t halves[2])
{
	/* Without bit 1, < and > are the same; without bit 0, & and ' are. */
	lanes hit =
	    (lanes)((bytes & 0xfd) == '<') | (lanes)((bytes & 0xfe) == '&') | (lanes)(bytes == '"');

	memcpy(halves, &hit, sizeof(hit));
}

/* How many of the first `count` bytes are before the first special one. */
static inline size_t
plain_prefix(lanes bytes, size_t count)
{
	uint64_t halves[2];

	find_special(bytes, halves);
	if (halves[0] != 0)
		return (size_t)__builtin_ctzll(le64toh(halves[0])) / 8;
	if (halves[1] != 0)
		return 8 + (size_t)__builtin_ctzll(le64toh(halves[1])) / 8;
	return count;
}

/* Up to STRIDE bytes as lanes, padded with 0, which is not special. */
static inline lanes
load(const char *from, size_t count)
{
	lanes bytes = {0};

	if (count == STRIDE)
		memcpy(&bytes, from, STRIDE);
	else
		memcpy(&bytes, from, count);
	return bytes;
}

/*
 * Copies a text without special bytes, of `half` to twice as many bytes, as two blocks from its
 * ends, which may overlap.
 */
static inline bool
copy_short(struct buf *out, struct str text, size_t half)
{
	char *to = buf_room(out, text.len);
	const char *last = text.base + text.len - half;
	lanes bytes = {0};
	uint64_t special[2];

	memcpy(&bytes, text.base, half);
	memcpy((char *)&bytes + half, last, half);
	find_special(bytes, special);
	if ((special[0] | special[1]) != 0)
		return false;
	memcpy(to, text.base, half);
	memcpy(to + text.len - half, last, half);
	out->len += text.len;
	return true;
}

/* Copies a text that is short, as most are, and has nothing to escape; false for any other. */
static inline bool
copy_if_short(struct buf *out, struct str text)
{
	if (text.len > STRIDE || text.len < 2)
		return false;
	if (text.len >= 8)
		return copy_short(out, text, 8);
	return text.len >= 4 ? copy_short(out, text, 4) : copy_short(out, text, 2);
}

static void
escape_any(struct buf *out, struct str text)
{
	const char *from = text.base;
	size_t left = text.len;
	char *to = buf_room(out, left + STRIDE);

	while (left != 0) {
		size_t count = left < STRIDE ? left : STRIDE, plain;
		lanes bytes = load(from, count);

		plain = plain_prefix(bytes, count);
		/* All lanes are written, even when fewer count: the buffer has space for them. */
		memcpy(to, &bytes, STRIDE);
		from += plain;
		left -= plain;
		to += plain;
		out->len += plain;
		if (plain < count) {
			buf_put(out, references[(unsigned char)*from++]);
			to = buf_room(out, --left + STRIDE);
		}
	}
}

void
escape_html(struct buf *out, struct str text)
{
	if (!copy_if_short(out, text))
		escape_any(out, text);
}

struct html
escape_json(struct arena *arena, struct str json)
{
	struct buf out = {.arena = arena};

	while (json.len != 0) {
		size_t plain = str_find(json, '<');

		buf_put(&out, str_sub(json, 0, plain));
		if (plain != json.len)
			BUF_PUT(&out, "\\u003c");
		json = str_sub(json, plain + 1, json.len);
	}
	/* Trusted: everything that could open or close a tag is escaped. */
	return html_trusted(buf_str(&out));
}
