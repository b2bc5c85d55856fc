#include "web/media/image_head.h"

#include <string.h>

/*
 * JPEG: FF D8, then segments: FF, a marker, and with most markers a length of two bytes, which counts
 *	itself, and as many bytes less two. SOFn has the size, APP1 may have EXIF, SOS begins a scan of the
 *	picture, in which FF is followed by 0 or a restart marker; EOI (FF D9) ends it. Each scan goes over all
 *	of the picture, and may do so in a few dozen bytes.
 * PNG: eight bytes, then chunks: a length of four bytes, a name of four, the content, a checksum of four.
 *	IHDR comes first and has the size, acTL announces an animation, IEND ends it. zTXt and iTXt hold
 *	compressed text, which may expand to a thousand times its size.
 * WebP: "RIFF", a length, "WEBP", then chunks: a name of four bytes, a length of four, the content, padded
 *	to an even length. The first one is VP8 or VP8L, and has the size, or VP8X, which has the size, says
 *	whether it is animated, and is followed by others.
 * EXIF, in all three: a TIFF file whose first directory may have an entry 0112, the orientation.
 */

enum {
	SCANS_MAX = 64, /* encoders write ten, seldom a few more */
	TEXTS_MAX = 32, /* compressed ones; cameras and editors write one or two */
};

static unsigned
byte(struct str s, size_t at)
{
	return at < s.len ? (unsigned char)s.base[at] : 0;
}

static uint32_t
big(struct str s, size_t at, size_t size)
{
	uint32_t n = 0;

	for (size_t i = 0; i < size; i++)
		n = n << 8 | byte(s, at + i);
	return n;
}

static uint32_t
little(struct str s, size_t at, size_t size)
{
	uint32_t n = 0;

	for (size_t i = size; i > 0; i--)
		n = n << 8 | byte(s, at + i - 1);
	return n;
}

/* --- EXIF --------------------------------------------------------------------------------------------- */

static uint32_t
tiff(struct str s, size_t at, size_t size)
{
	return byte(s, 0) == 'I' ? little(s, at, size) : big(s, at, size);
}

/* Invalid EXIF, or EXIF without an orientation, changes nothing. */
static void
read_exif(struct str exif, int *orientation)
{
	enum { ENTRY = 12, ORIENTATION = 0x0112, SHORT = 3 };
	size_t directory, count;

	if (str_starts(exif, STR("Exif\0\0")))
		exif = str_sub(exif, 6, exif.len);
	if (!str_starts(exif, STR("II*\0")) && !str_starts(exif, STR("MM\0*")))
		return;
	directory = tiff(exif, 4, 4);
	if (directory > exif.len)
		return;
	count = tiff(exif, directory, 2);
	for (size_t i = 0; i < count && directory + 2 + (i + 1) * ENTRY <= exif.len; i++) {
		size_t entry = directory + 2 + i * ENTRY;
		uint32_t value = tiff(exif, entry + 8, 2);

		if (tiff(exif, entry, 2) == ORIENTATION && tiff(exif, entry + 2, 2) == SHORT &&
		    value >= 1 && value <= 8)
			*orientation = (int)value;
	}
}

/* --- JPEG --------------------------------------------------------------------------------------------- */

enum {
	SOF0 = 0xc0,
	DHT = 0xc4,
	JPG = 0xc8,
	DAC = 0xcc,
	SOF15 = 0xcf,
	RST0 = 0xd0,
	EOI = 0xd9,
	SOS = 0xda,
	APP1 = 0xe1,
	TEM = 0x01
};

static bool
is_frame(unsigned marker)
{
	return marker >= SOF0 && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC;
}

/*
 * Reads what follows the header of the first scan: data, further scans, the end. After the data a
 * decoder continues as here, so that it finds no scan that is not counted: it ignores markers below
 * SOF0, and all others have a length.
 */
static enum image_verdict
read_scans(struct str s, size_t at)
{
	size_t scans = 1;

	while (at < s.len) {
		const char *next = memchr(s.base + at, 0xff, s.len - at);
		unsigned marker;

		if (next == NULL)
			break;
		at = (size_t)(next - s.base);
		while (byte(s, at) == 0xff)
			at++;
		marker = byte(s, at++);
		if (marker == EOI)
			return scans <= SCANS_MAX ? IMAGE_GOOD : IMAGE_LABORIOUS;
		if (marker < SOF0 || (marker >= RST0 && marker < EOI))
			continue;
		scans += marker == SOS;
		at += big(s, at, 2);
	}
	return IMAGE_DAMAGED;
}

static enum image_verdict
read_jpeg(struct str s, struct image_head *out)
{
	size_t at = 2;

	for (;;) {
		struct str segment;
		unsigned marker;
		size_t size;

		if (byte(s, at) != 0xff)
			return IMAGE_DAMAGED;
		while (byte(s, at) == 0xff)
			at++;
		marker = byte(s, at++);
		if (marker == TEM)
			continue;
		size = big(s, at, 2);
		if (marker == 0 || (marker >= RST0 && marker <= EOI) || size < 2 || at > s.len ||
		    size > s.len - at)
			return IMAGE_DAMAGED;
		segment = str_sub(s, at + 2, size - 2);
		at += size;
		if (is_frame(marker) && out->stored.width == 0) {
			/* Bits of a sample, height, width. */
			if (byte(segment, 0) != 8)
				return IMAGE_DAMAGED;
			out->stored = (struct media_size){big(segment, 3, 2), big(segment, 1, 2)};
		} else if (marker == APP1) {
			read_exif(segment, &out->orientation);
		} else if (marker == SOS) {
			/* Whatever follows the end is ignored: it is not kept. */
			return out->stored.width != 0 ? read_scans(s, at) : IMAGE_DAMAGED;
		}
	}
}

/* --- PNG ---------------------------------------------------------------------------------------------- */

static enum image_verdict
read_png(struct str s, struct image_head *out)
{
	enum { SIGNATURE = 8, FRAME = 12, HEADER = 13 };
	size_t texts = 0;

	for (size_t at = SIGNATURE; s.len - at >= FRAME;) {
		size_t size = big(s, at, 4);
		struct str name = str_sub(s, at + 4, 4), content;

		if (size > s.len - at - FRAME)
			return IMAGE_DAMAGED;
		content = str_sub(s, at + 8, size);
		if (at == SIGNATURE) {
			if (!str_eq(name, STR("IHDR")) || size != HEADER)
				return IMAGE_DAMAGED;
			out->stored = (struct media_size){big(content, 0, 4), big(content, 4, 4)};
		} else if (str_eq(name, STR("acTL"))) {
			return IMAGE_ANIMATED;
		} else if (str_eq(name, STR("eXIf"))) {
			read_exif(content, &out->orientation);
		} else if (str_eq(name, STR("zTXt")) || str_eq(name, STR("iTXt"))) {
			texts++;
		} else if (str_eq(name, STR("IEND"))) {
			return texts <= TEXTS_MAX ? IMAGE_GOOD : IMAGE_LABORIOUS;
		}
		at += FRAME + size;
	}
	return IMAGE_DAMAGED;
}

/* --- WebP --------------------------------------------------------------------------------------------- */

/* The size in the head of a chunk; false when it has none. */
static bool
webp_size(struct str name, struct str content, struct media_size *out)
{
	uint32_t bits = little(content, 1, 4);

	if (str_eq(name, STR("VP8 "))) {
		/* A key frame has 0 as its lowest bit. */
		*out = (struct media_size){
		    little(content, 6, 2) & 0x3fff, little(content, 8, 2) & 0x3fff};
		return content.len >= 10 && (byte(content, 0) & 1) == 0 &&
		       str_eq(str_sub(content, 3, 3), STR("\x9d\x01\x2a"));
	}
	if (str_eq(name, STR("VP8L"))) {
		*out = (struct media_size){(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
		return content.len >= 5 && byte(content, 0) == 0x2f;
	}
	*out = (struct media_size){little(content, 4, 3) + 1, little(content, 7, 3) + 1};
	return str_eq(name, STR("VP8X")) && content.len >= 10;
}

static enum image_verdict
read_webp(struct str s, struct image_head *out)
{
	enum { HEAD = 12, FRAME = 8, ANIMATION = 2 };
	size_t whole = (size_t)little(s, 4, 4) + 8;
	bool picture = false;

	if (whole > s.len)
		return IMAGE_DAMAGED;
	s = str_sub(s, 0, whole);
	for (size_t at = HEAD; s.len - at >= FRAME;) {
		struct str name = str_sub(s, at, 4), content;
		size_t size = little(s, at + 4, 4);

		if (size > s.len - at - FRAME)
			return IMAGE_DAMAGED;
		content = str_sub(s, at + FRAME, size);
		if (at == HEAD && !webp_size(name, content, &out->stored))
			return IMAGE_DAMAGED;
		if (str_eq(name, STR("VP8X")) && (byte(content, 0) & ANIMATION) != 0)
			return IMAGE_ANIMATED;
		if (str_eq(name, STR("EXIF")))
			read_exif(content, &out->orientation);
		picture |= str_eq(name, STR("VP8 ")) || str_eq(name, STR("VP8L"));
		at += FRAME + size;
		/* The padding of the last one may be missing. */
		at += size % 2 != 0 && at < s.len;
	}
	return picture ? IMAGE_GOOD : IMAGE_DAMAGED;
}

/* --- All three ---------------------------------------------------------------------------------------- */

static enum image_verdict
read_kind(struct str bytes, struct image_head *out)
{
	if (bytes.len == 0)
		return IMAGE_EMPTY;
	if (str_starts(bytes, STR("\xff\xd8\xff"))) {
		out->format = MEDIA_JPEG;
		return read_jpeg(bytes, out);
	}
	if (str_starts(bytes, STR("\x89PNG\r\n\x1a\n"))) {
		out->format = MEDIA_PNG;
		return read_png(bytes, out);
	}
	if (str_starts(bytes, STR("RIFF")) && str_eq(str_sub(bytes, 8, 4), STR("WEBP"))) {
		out->format = MEDIA_WEBP;
		return read_webp(bytes, out);
	}
	return IMAGE_OTHER;
}

enum image_verdict
image_head_read(struct str bytes, struct image_head *out)
{
	enum image_verdict verdict;
	const struct media_size *size = &out->stored;

	*out = (struct image_head){.orientation = 1};
	verdict = read_kind(bytes, out);
	if (verdict != IMAGE_GOOD)
		return verdict;
	if (size->width == 0 || size->height == 0)
		return IMAGE_DAMAGED;
	if (size->width > MEDIA_SIDE_MAX || size->height > MEDIA_SIDE_MAX ||
	    size->width * size->height > MEDIA_PIXELS_MAX)
		return IMAGE_LARGE;
	return IMAGE_GOOD;
}

struct media_size
image_head_seen(const struct image_head *head)
{
	if (head->orientation < 5)
		return head->stored;
	return (struct media_size){head->stored.height, head->stored.width};
}
