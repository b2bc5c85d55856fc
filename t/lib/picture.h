#ifndef T_PICTURE_H
#define T_PICTURE_H

#include "tap.h"

#include "base/arena.h"
#include "base/buf.h"

#include <zlib.h>

/* Pictures made for tests, of any size and with anything in them. */

static inline void
picture_big(struct buf *out, uint32_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		buf_putc(out, (char)(n >> shift));
}

/* One chunk of a PNG. */
static inline void
picture_chunk(struct buf *out, const char *name, struct str content)
{
	uLong sum;

	picture_big(out, (uint32_t)content.len);
	buf_put(out, str_of(name));
	buf_put(out, content);
	sum = crc32(crc32(0, NULL, 0), (const Bytef *)name, 4);
	if (content.len != 0)
		sum = crc32(sum, (const Bytef *)content.base, (uInt)content.len);
	picture_big(out, (uint32_t)sum);
}

static inline void
picture_png_head(struct buf *out, uint32_t width, uint32_t height)
{
	struct buf head = {.arena = out->arena};

	buf_put(out, STR("\x89PNG\r\n\x1a\n"));
	picture_big(&head, width);
	picture_big(&head, height);
	/* Eight bits of grey. */
	buf_put(&head, STR("\x08\0\0\0\0"));
	picture_chunk(out, "IHDR", buf_str(&head));
}

/* The rows of a picture that is `shade` all over, compressed. */
static inline struct str
picture_rows(struct arena *arena, uint32_t width, uint32_t height, char shade)
{
	size_t row = (size_t)width + 1;
	uLongf size = compressBound(row * height);
	char *raw = malloc(row * height), *packed = arena_alloc(arena, size);

	if (raw == NULL)
		bail_out("no memory for a picture");
	memset(raw, shade, row * height);
	for (uint32_t y = 0; y < height; y++)
		raw[y * row] = 0;
	compress2((Bytef *)packed, &size, (const Bytef *)raw, row * height, 6);
	free(raw);
	return (struct str){packed, size};
}

/* A whole PNG, with a chunk of somebody's words in it. */
static inline struct str
picture_png(struct arena *arena, uint32_t width, uint32_t height, char shade)
{
	struct buf out = {.arena = arena};

	picture_png_head(&out, width, height);
	picture_chunk(&out, "tEXt", STR("Comment\0where I live"));
	picture_chunk(&out, "IDAT", picture_rows(arena, width, height, shade));
	picture_chunk(&out, "IEND", STR(""));
	return buf_str(&out);
}

#endif
