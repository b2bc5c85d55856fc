#include "web/escape.h"

#include <string.h>

/*
 * Most text has nothing to escape, so it is copied sixteen bytes at a time, and looked at on the way;
 * the compiler makes vector instructions of this where the machine has them.
 */
enum { STRIDE = 16, REFERENCE_MAX = 6 };
typedef unsigned char lanes __attribute__((vector_size(STRIDE)));

static const struct str references[256] = {
    ['&'] = STR_INIT("&amp;"),
    ['<'] = STR_INIT("&lt;"),
    ['>'] = STR_INIT("&gt;"),
    ['"'] = STR_INIT("&quot;"),
    ['\''] = STR_INIT("&#39;"),
};

static inline bool
all_plain(lanes bytes)
{
	/* Clearing bit 1 makes one of < and >, clearing bit 0 one of & and '. */
	lanes hit =
	    (lanes)((bytes & 0xfd) == '<') | (lanes)((bytes & 0xfe) == '&') | (lanes)(bytes == '"');
	uint64_t halves[2];

	memcpy(halves, &hit, sizeof(halves));
	return (halves[0] | halves[1]) == 0;
}

void
escape_html(struct buf *out, struct str text)
{
	const char *from = text.base;
	size_t left = text.len;
	char *to = buf_room(out, left + REFERENCE_MAX);

	for (;;) {
		struct str reference;

		for (; left >= STRIDE; from += STRIDE, to += STRIDE, left -= STRIDE) {
			lanes bytes;

			memcpy(&bytes, from, STRIDE);
			if (!all_plain(bytes))
				break;
			memcpy(to, &bytes, STRIDE);
		}
		while (left != 0 && references[(unsigned char)*from].len == 0) {
			*to++ = *from++;
			left--;
		}
		out->len = (size_t)(to - out->base);
		if (left == 0)
			return;
		reference = references[(unsigned char)*from++];
		left--;
		to = buf_room(out, left + 2 * REFERENCE_MAX);
		memcpy(to, reference.base, reference.len);
		to += reference.len;
	}
}
