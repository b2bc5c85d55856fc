/*
 * What becomes of pictures, valid, broken and hostile: their sizes, their orientation, and that
 * nothing but their pixels is left.
 */
#include "lib/picture.h"
#include "media_place.h"

#include "web/media/image_head.h"

#include <gd.h>

/* --- Pictures ----------------------------------------------------------------------------------------- */

enum colour { RED = 0xff0000, GREEN = 0x00ff00, BLUE = 0x0000ff, WHITE = 0xffffff };

/* Four fields: red, green above; blue, white below. */
static gdImagePtr
fields(int width, int height)
{
	gdImagePtr image = gdImageCreateTrueColor(width, height);

	gdImageFilledRectangle(image, 0, 0, width / 2, height / 2, RED);
	gdImageFilledRectangle(image, width / 2, 0, width, height / 2, GREEN);
	gdImageFilledRectangle(image, 0, height / 2, width / 2, height, BLUE);
	gdImageFilledRectangle(image, width / 2, height / 2, width, height, WHITE);
	return image;
}

static struct str
encoded(struct place *p, gdImagePtr image, enum media_format format)
{
	int size = 0;
	void *bytes = format == MEDIA_JPEG  ? gdImageJpegPtr(image, &size, 90)
		      : format == MEDIA_PNG ? gdImagePngPtr(image, &size)
					    : gdImageWebpPtr(image, &size);
	struct str copy = {arena_copy(p->arena, bytes, (size_t)size), (size_t)size};

	gdFree(bytes);
	gdImageDestroy(image);
	return copy;
}

/* A JPEG with EXIF after its first two bytes. */
static struct str
with_exif(struct place *p, struct str jpeg, int orientation)
{
	char exif[] = "\xff\xe1\0\x32"
		      "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06"
		      "\0\0\0\0\0\0\0"
		      "GPS 12.34 N 5.6 E";

	exif[28] = (char)orientation;
	return STR_CONCAT(p->arena, str_sub(jpeg, 0, 2), ((struct str){exif, 0x32 + 2}),
	    str_sub(jpeg, 2, jpeg.len));
}

static gdImagePtr
decoded(struct str bytes, enum media_format format)
{
	void *base = (void *)(uintptr_t)bytes.base;
	int size = (int)bytes.len;

	return format == MEDIA_JPEG  ? gdImageCreateFromJpegPtr(size, base)
	       : format == MEDIA_PNG ? gdImageCreateFromPngPtr(size, base)
				     : gdImageCreateFromWebpPtr(size, base);
}

/* The field in the corner of a picture, by what is nearest to it. */
static char
colour_at(gdImagePtr image, int x, int y)
{
	int c = gdImageGetTrueColorPixel(image, x, y);
	bool red = gdTrueColorGetRed(c) > 127, green = gdTrueColorGetGreen(c) > 127,
	     blue = gdTrueColorGetBlue(c) > 127;

	return red && green && blue ? 'W' : red ? 'R' : green ? 'G' : blue ? 'B' : '?';
}

static struct str
corners(struct place *p, struct str bytes, enum media_format format)
{
	gdImagePtr image = decoded(bytes, format);
	struct str said;
	int w, h;

	if (image == NULL)
		return STR("none");
	w = gdImageSX(image);
	h = gdImageSY(image);
	said = str_fmt(p->arena, "%c%c%c%c %dx%d", colour_at(image, w / 8, h / 8),
	    colour_at(image, w - w / 8, h / 8), colour_at(image, w / 8, h - h / 8),
	    colour_at(image, w - w / 8, h - h / 8), w, h);
	gdImageDestroy(image);
	return said;
}

/* --- Good ones ---------------------------------------------------------------------------------------- */

static void
good(struct place *p)
{
	static const struct {
		enum media_format format;
		const char *name;
	} table[] = {{MEDIA_JPEG, "JPEG"}, {MEDIA_PNG, "PNG"}, {MEDIA_WEBP, "WebP"}};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		enum media_format format = table[i].format;
		struct media media, again;
		struct media_size sizes[MEDIA_SIZES_MAX];
		size_t count;

		clear(p);
		is_int(add(p, encoded(p, fields(2000, 1001), format), &media), MEDIA_DONE,
		    "a %s is taken", table[i].name);
		ok(media.width == 1600 && media.height == 801 && media.format == format,
		    "... and never larger than need be");
		count = media_sizes((struct media_size){media.width, media.height}, media.format, sizes);
		is_int((int64_t)files(p), (int64_t)count, "... in three files, and nothing else");
		for (size_t n = 0; n < count; n++)
			is_str(corners(p, content(p, &media, sizes[n]), format),
			    str_fmt(
				p->arena, "RGBW %dx%d", (int)sizes[n].width, (int)sizes[n].height),
			    "... of its size, which everybody may read");
		is_int(add(p, encoded(p, fields(2000, 1001), format), &again), MEDIA_DONE,
		    "... the same one again");
		is_str(again.hash, media.hash, "... is the same picture");
		is_int((int64_t)files(p), (int64_t)count, "... and no more files");
		is_int(add_as(p, "kofi", "b.jpg", encoded(p, fields(2000, 1001), format), &again),
		    MEDIA_DONE, "... from somebody else");
		ok(!str_eq(again.hash, media.hash), "... it is another one");
		is_int((int64_t)files(p), (int64_t)count * 2, "... with files of its own");
	}
}

static void
upright(struct place *p)
{
	/* How the four fields are seen, turned by each of EXIF's orientations. */
	static const char *const table[] = {"RGBW 600x400", "GRWB 600x400", "WBGR 600x400",
	    "BWRG 600x400", "RBGW 400x600", "BRWG 400x600", "WGBR 400x600", "GWRB 400x600"};

	for (int i = 0; i < 8; i++) {
		struct str sent = with_exif(p, encoded(p, fields(600, 400), MEDIA_JPEG), i + 1),
			   kept;
		struct media media;

		is_int(
		    add(p, sent, &media), MEDIA_DONE, "a photograph that lies as EXIF's %d", i + 1);
		kept = content(p, &media, (struct media_size){media.width, media.height});
		is_str(corners(p, kept, MEDIA_JPEG), str_of(table[i]), "... stands upright");
		ok(memmem(sent.base, sent.len, "GPS", 3) != NULL &&
			memmem(kept.base, kept.len, "GPS", 3) == NULL &&
			memmem(kept.base, kept.len, "Exif", 4) == NULL,
		    "... and does not say where it was taken");
	}
}

static void
transparent(struct place *p)
{
	static const enum media_format formats[] = {MEDIA_PNG, MEDIA_WEBP};

	for (size_t i = 0; i < 2; i++) {
		gdImagePtr image = gdImageCreateTrueColor(1000, 600);
		struct media media;

		gdImageAlphaBlending(image, 0);
		gdImageSaveAlpha(image, 1);
		gdImageFilledRectangle(image, 0, 0, 1000, 600, gdTrueColorAlpha(0, 0, 0, 127));
		gdImageFilledRectangle(image, 500, 0, 1000, 600, RED);
		is_int(add(p, encoded(p, image, formats[i]), &media), MEDIA_DONE,
		    "a picture that one can see through");
		image = decoded(content(p, &media, (struct media_size){480, 288}), formats[i]);
		ok(image != NULL &&
			gdTrueColorGetAlpha(gdImageGetTrueColorPixel(image, 9, 9)) > 120 &&
			gdTrueColorGetAlpha(gdImageGetTrueColorPixel(image, 400, 9)) < 7,
		    "... stays one");
		if (image != NULL)
			gdImageDestroy(image);
	}
}

static struct str
png_of(struct place *p, uint32_t width, uint32_t height, struct str rows)
{
	struct buf out = {.arena = p->arena};

	picture_png_head(&out, width, height);
	picture_chunk(&out, "IDAT", rows);
	picture_chunk(&out, "IEND", STR(""));
	return buf_str(&out);
}

static void
hostile(struct place *p)
{
	struct arena *arena = p->arena;
	struct str jpeg = encoded(p, fields(300, 200), MEDIA_JPEG);
	struct str webp = encoded(p, fields(300, 200), MEDIA_WEBP);
	struct str png = picture_png(arena, 300, 200, 9), words, bomb;
	struct buf many = {.arena = arena};
	char *big = arena_alloc(arena, FILE_MAX + 1);

	refused(p, "nothing at all", STR(""), MEDIA_EMPTY);
	refused(
	    p, "a page for a picture", STR("<html><script>alert(1)</script>"), MEDIA_OTHER_TYPE);
	refused(p, "a page that pretends to be a picture",
	    STR("\xff\xd8\xff<html><script>alert(1)</script>"), MEDIA_DAMAGED);
	refused(p, "a drawing in SVG", STR("<svg onload='alert(1)'/>"), MEDIA_DRAWING);
	refused(p, "half a JPEG", str_sub(jpeg, 0, jpeg.len / 2), MEDIA_DAMAGED);
	refused(p, "half a WebP", str_sub(webp, 0, webp.len / 2), MEDIA_DAMAGED);
	refused(p, "half a PNG", str_sub(png, 0, png.len / 2), MEDIA_DAMAGED);
	refused(p, "a PNG with rows of noise", png_of(p, 300, 200, STR("noise")), MEDIA_DAMAGED);
	refused(p, "a PNG with too few rows", png_of(p, 300, 200, picture_rows(arena, 300, 100, 1)),
	    MEDIA_DAMAGED);
	refused(p, "a bomb of 50,000 by 50,000 pixels",
	    png_of(p, 50000, 50000, picture_rows(arena, 100, 100, 1)), MEDIA_TOO_MANY_PIXELS);
	bomb = png_of(p, 16000, 3125, picture_rows(arena, 16000, 3125, 1));
	ok(bomb.len < 100000, "fifty million pixels in %zu bytes", bomb.len);
	refused(p, "... are as much as is taken", bomb, MEDIA_DONE);
	refused(p, "a file that is too large", (struct str){big, FILE_MAX + 1}, MEDIA_TOO_LARGE);

	words = STR_CONCAT(arena, jpeg, STR("PK\x03\x04<script>alert(1)</script>"));
	refused(p, "a JPEG that is an archive and a page as well", words, MEDIA_DONE);
	words = STR_CONCAT(arena, str_sub(jpeg, 0, 2),
	    STR("\xff\xfe\0\x1b<script>alert(1)</script>"), str_sub(jpeg, 2, jpeg.len));
	refused(p, "a JPEG with a page in its comment", words, MEDIA_DONE);

	picture_png_head(&many, 10, 10);
	for (int i = 0; i < 20000; i++)
		picture_chunk(&many, "tEXt", STR("Comment\0and another one, and another one"));
	picture_chunk(&many, "IDAT", picture_rows(arena, 10, 10, 1));
	picture_chunk(&many, "IEND", STR(""));
	refused(p, "a PNG with a megabyte of comments", buf_str(&many), MEDIA_DONE);
}

static void
nothing_but_pixels(struct place *p)
{
	struct str jpeg = encoded(p, fields(300, 200), MEDIA_JPEG), kept;
	struct str sent = STR_CONCAT(p->arena, str_sub(jpeg, 0, 2),
	    STR("\xff\xfe\0\x1b<script>alert(1)</script>"), str_sub(jpeg, 2, jpeg.len),
	    STR("<script>alert(2)</script>"));
	struct str png = picture_png(p->arena, 300, 200, 3);
	struct media media;

	add(p, sent, &media);
	kept = content(p, &media, (struct media_size){300, 200});
	ok(kept.len != 0 && memmem(kept.base, kept.len, "script", 6) == NULL,
	    "of a JPEG, nothing but the pixels is kept");
	add(p, png, &media);
	kept = content(p, &media, (struct media_size){300, 200});
	ok(kept.len != 0 && memmem(png.base, png.len, "where I live", 12) != NULL &&
		memmem(kept.base, kept.len, "where I live", 12) == NULL,
	    "... nor of a PNG");
}

int
main(void)
{
	struct place p;

	place_open(&p);
	good(&p);
	upright(&p);
	transparent(&p);
	hostile(&p);
	nothing_but_pixels(&p);
	place_close(&p);
	return tap_done();
}
