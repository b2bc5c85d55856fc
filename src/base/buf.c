#include "base/buf.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *
buf_room(struct buf *buf, size_t more)
{
	if (buf->capacity - buf->len < more || buf->base == NULL) {
		size_t want = buf->capacity != 0 ? buf->capacity * 2 : 256;

		if (want - buf->len < more)
			want = buf->len + more;
		buf->base = arena_extend(buf->arena, buf->base, buf->capacity, want);
		buf->capacity = want;
	}
	return buf->base + buf->len;
}

void
buf_put(struct buf *buf, struct str s)
{
	if (s.len == 0)
		return;
	memcpy(buf_room(buf, s.len), s.base, s.len);
	buf->len += s.len;
}

void
buf_putc(struct buf *buf, char c)
{
	*buf_room(buf, 1) = c;
	buf->len++;
}

/* By hand: it is in every page and in every line of the log. */
void
buf_int(struct buf *buf, int64_t number)
{
	char digits[sizeof("-9223372036854775808")];
	size_t at = sizeof(digits);
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (number < 0)
		digits[--at] = '-';
	buf_put(buf, (struct str){digits + at, sizeof(digits) - at});
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
	return (struct str){buf->base, buf->len};
}
