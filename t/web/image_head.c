/*
 * Headers of pictures: sizes, orientation, and files that are no pictures, truncated or
 * inconsistent.
 */
#include "web/media/image_head.h"

#include "lib/picture.h"

#define SOI "\xff\xd8"
#define FRAME "\xff\xc2\0\x0b\x08\x01\x02\x03\x04\x01\x01\x11\0" /* 772 by 258 */
#define SCAN "\xff\xda\0\x08\x01\x01\0\0\x3f\0"
#define DATA "\x12\xff\0\x34\xff\xd0\x56"
#define END "\xff\xd9"
/* Length, name, a TIFF of one directory with one entry, which is the orientation. */
#define EXIF(n)          \
	"\xff\xe1\0\x22" \
	"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" n "\0\0\0\0\0\0\0"
#define EXIF_BIG         \
	"\xff\xe1\0\x22" \
	"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
#define RIFF(size) "RIFF" size "\0\0\0WEBP"
#define LOSSY "VP8 \x0a\0\0\0\x10\0\0\x9d\x01\x2a\x04\x03\x02\x01" /* 772 by 258 */
#define LOSSLESS "VP8L\x05\0\0\0\x2f\x03\x43\x40\0\0"              /* 772 by 258 */
#define CANVAS(flags) "VP8X\x0a\0\0\0" flags "\0\0\0\x03\x03\0\x01\x01\0"

struct sample {
	const char *says;
	struct str bytes;
	enum image_verdict verdict;
	int orientation;
};
#define SAMPLE(says, bytes, ...)                   \
	{                                          \
		says, STR_INIT(bytes), __VA_ARGS__ \
	}

static const struct sample samples[] = {
    SAMPLE("nothing", "", IMAGE_EMPTY),
    SAMPLE("a word", "hello", IMAGE_OTHER),
    SAMPLE("HTML", "<!doctype html><script>alert(1)</script>", IMAGE_OTHER),
    SAMPLE("SVG", "<svg xmlns='http://www.w3.org/2000/svg'/>", IMAGE_OTHER),
    SAMPLE("a GIF", "GIF89a\x01\0\x01\0", IMAGE_OTHER),
    SAMPLE("an AVIF",
	"\0\0\0\x1c"
	"ftypavif",
	IMAGE_OTHER),
    SAMPLE("another RIFF", "RIFF\x04\0\0\0WAVE", IMAGE_OTHER),
    SAMPLE("a JPEG", SOI FRAME SCAN DATA END, IMAGE_GOOD, 1),
    SAMPLE("with something behind it", SOI FRAME SCAN DATA END "PK\x03\x04", IMAGE_GOOD, 1),
    SAMPLE("with fill bytes between", SOI "\xff\xff" FRAME SCAN DATA END, IMAGE_GOOD, 1),
    SAMPLE("turned", SOI EXIF("\x06") FRAME SCAN DATA END, IMAGE_GOOD, 6),
    SAMPLE("turned, the other way of writing it", SOI EXIF_BIG FRAME SCAN DATA END, IMAGE_GOOD, 6),
    SAMPLE("an orientation that there is not", SOI EXIF("\x09") FRAME SCAN DATA END, IMAGE_GOOD, 1),
    SAMPLE("a directory out of reach",
	SOI "\xff\xe1\0\x10"
	    "Exif\0\0II*\0\xff\xff\xff\xff" FRAME SCAN DATA END,
	IMAGE_GOOD, 1),
    SAMPLE("a directory cut off",
	SOI "\xff\xe1\0\x14"
	    "Exif\0\0II*\0\x08\0\0\0\xff\xff\x12\x01" FRAME SCAN DATA END,
	IMAGE_GOOD, 1),
    SAMPLE("without an end", SOI FRAME SCAN DATA, IMAGE_DAMAGED),
    SAMPLE("without a picture", SOI FRAME END, IMAGE_DAMAGED),
    SAMPLE("without a size", SOI SCAN DATA END, IMAGE_DAMAGED),
    SAMPLE("of no height", SOI "\xff\xc0\0\x0b\x08\0\0\x03\x04\x01\x01\x11\0" SCAN DATA END,
	IMAGE_DAMAGED),
    SAMPLE("of twelve bits", SOI "\xff\xc1\0\x0b\x0c\x01\x02\x03\x04\x01\x01\x11\0" SCAN DATA END,
	IMAGE_DAMAGED),
    SAMPLE("a segment longer than the file",
	SOI "\xff\xe0\xff\xff"
	    "JFIF",
	IMAGE_DAMAGED),
    SAMPLE("a segment shorter than its length", SOI "\xff\xe0\0\x01" FRAME SCAN DATA END,
	IMAGE_DAMAGED),
    SAMPLE("only its beginning", SOI "\xff", IMAGE_DAMAGED),
    SAMPLE("an end in a thumbnail does not count",
	SOI "\xff\xe1\0\x06\xff\xd8\xff\xd9" FRAME SCAN DATA, IMAGE_DAMAGED),
    SAMPLE("a large one", SOI "\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0" SCAN DATA END,
	IMAGE_LARGE),
    SAMPLE("a WebP", RIFF("\x16") LOSSY, IMAGE_GOOD, 1),
    SAMPLE("without loss", RIFF("\x12") LOSSLESS "\0", IMAGE_GOOD, 1),
    SAMPLE("on a canvas", RIFF("\x28") CANVAS("\0") LOSSY, IMAGE_GOOD, 1),
    SAMPLE("turned",
	RIFF("\x4a") CANVAS("\x08") LOSSY
	"EXIF\x1a\0\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0\0\0\0\0",
	IMAGE_GOOD, 8),
    SAMPLE("that moves", RIFF("\x28") CANVAS("\x02") LOSSY, IMAGE_ANIMATED),
    SAMPLE("without a picture", RIFF("\x16") CANVAS("\0"), IMAGE_DAMAGED),
    SAMPLE("cut off", RIFF("\x17") LOSSY, IMAGE_DAMAGED),
    SAMPLE("a chunk longer than the file",
	RIFF("\x16") "VP8 \x0b\0\0\0\x10\0\0\x9d\x01\x2a\x04\x03\x02\x01", IMAGE_DAMAGED),
    SAMPLE("not begun by a key frame",
	RIFF("\x16") "VP8 \x0a\0\0\0\x11\0\0\x9d\x01\x2a\x04\x03\x02\x01", IMAGE_DAMAGED),
    SAMPLE("of another kind", RIFF("\x0c") "ABCD\0\0\0\0", IMAGE_DAMAGED),
    SAMPLE("only its head", RIFF("\x04"), IMAGE_DAMAGED),
    SAMPLE("only a PNG's signature", "\x89PNG\r\n\x1a\n", IMAGE_DAMAGED),
};

struct dimensions {
	uint32_t width, height;
	enum image_verdict verdict;
};

static void
png(struct arena *arena)
{
	static const struct dimensions table[] = {{1, 1, IMAGE_GOOD}, {16000, 3125, IMAGE_GOOD},
	    {16000, 3126, IMAGE_LARGE}, {16001, 1, IMAGE_LARGE}, {1, 16001, IMAGE_LARGE},
	    {50000, 50000, IMAGE_LARGE}, {0xffffffff, 0xffffffff, IMAGE_LARGE},
	    {0, 1, IMAGE_DAMAGED}, {1, 0, IMAGE_DAMAGED}};
	struct image_head head;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct buf out = {.arena = arena};

		picture_png_head(&out, table[i].width, table[i].height);
		picture_chunk(&out, "IDAT", STR("anything"));
		is_int(image_head_read(buf_str(&out), &head), IMAGE_DAMAGED,
		    "a PNG of %u by %u without an end", table[i].width, table[i].height);
		picture_chunk(&out, "IEND", STR(""));
		is_int(image_head_read(buf_str(&out), &head), table[i].verdict, "... and with one");
	}
}

/* Chunks of a PNG between its head and its end. */
static void
png_chunks(struct arena *arena)
{
	static const struct {
		const char *name;
		struct str content;
		enum image_verdict verdict;
		int orientation;
	} table[] = {
	    {"eXIf", STR_INIT("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0"),
		IMAGE_GOOD, 3},
	    {"eXIf", STR_INIT("II*\0"), IMAGE_GOOD, 1},
	    {"acTL", STR_INIT("\0\0\0\x02\0\0\0\0"), IMAGE_ANIMATED, 1},
	    {"zTXt", STR_INIT("whatever"), IMAGE_GOOD, 1},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct buf out = {.arena = arena};
		struct image_head head;

		picture_png_head(&out, 2, 3);
		picture_chunk(&out, table[i].name, table[i].content);
		picture_chunk(&out, "IEND", STR(""));
		is_int(image_head_read(buf_str(&out), &head), table[i].verdict, "a PNG with %s",
		    table[i].name);
		is_int(head.orientation, table[i].orientation, "... and which way up it is");
	}
}

/* A JPEG of that many scans, with `between` before each but the first. */
static struct str
jpeg(struct arena *arena, size_t scans, struct str between)
{
	struct buf out = {.arena = arena};

	buf_put(&out, STR(SOI FRAME));
	for (size_t i = 0; i < scans; i++) {
		if (i != 0)
			buf_put(&out, between);
		buf_put(&out, STR(SCAN DATA));
	}
	buf_put(&out, STR(END SCAN SCAN SCAN));
	return buf_str(&out);
}

/* Small files that would be long work for a decoder. */
static void
laborious(struct arena *arena)
{
	static const struct {
		const char *says;
		struct str between;
	} table[] = {
	    {"one behind the other", STR_INIT("")},
	    {"with fill bytes between", STR_INIT("\xff\xff\xff")},
	    {"with tables between", STR_INIT("\xff\xc4\0\x04\xff\xda")},
	    {"behind what only looks like the head of a segment", STR_INIT("\xff\x02")},
	    {"behind what no decoder minds", STR_INIT("rubbish")},
	};
	struct image_head head;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		is_int(image_head_read(jpeg(arena, 64, table[i].between), &head), IMAGE_GOOD,
		    "a JPEG of 64 scans, %s", table[i].says);
		is_int(image_head_read(jpeg(arena, 65, table[i].between), &head), IMAGE_LABORIOUS,
		    "... and of 65");
	}
	for (size_t texts = 32; texts <= 33; texts++) {
		struct buf out = {.arena = arena};

		picture_png_head(&out, 2, 3);
		for (size_t i = 0; i < texts; i++)
			picture_chunk(&out, i % 2 != 0 ? "zTXt" : "iTXt", STR("whatever"));
		picture_chunk(&out, "IEND", STR(""));
		is_int(image_head_read(buf_str(&out), &head),
		    texts == 32 ? IMAGE_GOOD : IMAGE_LABORIOUS, "a PNG with %zu packed texts",
		    texts);
	}
}

int
main(void)
{
	struct arena *arena = arena_new();
	struct image_head head;

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *s = &samples[i];
		struct media_size seen;

		is_int(image_head_read(s->bytes, &head), s->verdict, "%s", s->says);
		if (s->verdict != IMAGE_GOOD)
			continue;
		seen = image_head_seen(&head);
		ok(head.stored.width == 772 && head.stored.height == 258, "... has its size");
		is_int(head.orientation, s->orientation, "... and says which way up it is");
		ok(s->orientation < 5 ? seen.width == 772 : seen.width == 258,
		    "... as which it is seen");
	}
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		for (size_t cut = 0; cut < samples[i].bytes.len; cut++) {
			/* A copy of its own, so that a read too far is seen. */
			char *copy = malloc(cut + 1);

			memcpy(copy, samples[i].bytes.base, cut);
			copy = realloc(copy, cut != 0 ? cut : 1);
			image_head_read((struct str){copy, cut}, &head);
			free(copy);
		}
	ok(true, "cut off anywhere, nothing is read behind the end");
	png(arena);
	png_chunks(arena);
	laborious(arena);
	arena_free(arena);
	return tap_done();
}
