#include "base/buf.h"

#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((unused)) static bool
buf_ok(const struct buf *buf)
{
	return buf->len <= buf->capacity && (buf->base != NULL || buf->capacity == 0) &&
	       (buf->arena != NULL || buf->capacity == 0);
}

void
buf_grow(struct buf *buf, size_t more)
{
	size_t want = buf->capacity != 0 ? buf->capacity * 2 : 256;

	assert(buf_ok(buf) && buf->arena != NULL);
	if (want - buf->len < more)
		want = buf->len + more;
	buf->base = arena_extend(buf->arena, buf->base, buf->len, buf->capacity, want);
	buf->capacity = want;
	assert(buf->capacity - buf->len >= more);
}

/* Without printf: it is used in every page and every log line. */
void
buf_int(struct buf *buf, int64_t number)
{
	char digits[STR_DECIMAL], *const end = digits + sizeof(digits);
	const char *begin = str_put_decimal(end, number);

	buf_put(buf, (struct str){begin, (size_t)(end - begin)});
}

void
buf_fmt(struct buf *buf, const char *format, ...)
{
	va_list args;
	size_t room = 64;
	int len;

	for (;;) {
		char *at = buf_room(buf, room);

		va_start(args, format);
		len = vsnprintf(at, room, format, args);
		va_end(args);
		if (len < 0)
			return;
		if ((size_t)len < room)
			break;
		room = (size_t)len + 1;
	}
	buf->len += (size_t)len;
}

struct str
buf_str(const struct buf *buf)
{
	assert(buf_ok(buf));
	return (struct str){buf->base, buf->len};
}
