#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/str.h"

struct arena;

/*
 * A byte buffer that grows at its end, in an arena: `{.arena = arena}` is an empty one. An append
 * may move the bytes, so that pointers into `base` become invalid.
 */
struct buf {
	struct arena *arena;
	char *base;
	size_t len;
	size_t capacity;
};

/* What buf_room() does when the buffer is full. */
void buf_grow(struct buf *buf, size_t more);

/* Reserves `more` bytes at the end and returns a pointer to them; the caller adds to len. */
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

/* Its content; valid until the next append. */
struct str buf_str(const struct buf *buf);

#define BUF_PUT(buf, literal) buf_put((buf), STR(literal))

#endif
