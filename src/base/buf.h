#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/str.h"

struct arena;

/*
 * Bytes that grow at their end, in an arena: `{.arena = arena}` is an empty one. What was read
 * through `base` before an append may have moved.
 */
struct buf {
	struct arena *arena;
	char *base;
	size_t len;
	size_t capacity;
};

/* What buf_room() does when there is no room. */
void buf_grow(struct buf *buf, size_t more);

/* Makes room for `more` bytes behind the end and returns where they begin; the caller adds to len. */
static inline char *
buf_room(struct buf *buf, size_t more)
{
	if (buf->capacity - buf->len < more || buf->base == NULL)
		buf_grow(buf, more);
	return buf->base + buf->len;
}

static inline void
buf_put(struct buf *buf, struct str s)
{
	if (s.len == 0)
		return;
	memcpy(buf_room(buf, s.len), s.base, s.len);
	buf->len += s.len;
}

static inline void
buf_putc(struct buf *buf, char c)
{
	*buf_room(buf, 1) = c;
	buf->len++;
}

void buf_int(struct buf *buf, int64_t number); /* in decimal */
void buf_fmt(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What it holds now; valid until the next append. */
struct str buf_str(const struct buf *buf);

#define BUF_PUT(buf, literal) buf_put((buf), STR(literal))

#endif
