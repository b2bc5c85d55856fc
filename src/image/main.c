/*
 * broadsheet-image: scales a picture for the server, which decodes nothing itself.
 *
 *	broadsheet-image SECONDS FORMAT WIDTHxHEIGHT ORIENTATION SIZE...
 *
 * Reads the picture from standard input: of FORMAT (jpg, png, webp), WIDTH by HEIGHT pixels as stored,
 * to be rotated by EXIF's ORIENTATION. Writes it in each SIZE, after rotation, to the descriptors 3, 4 and
 * so on, in the same format, without any metadata.
 *
 * The exit status is one of enum image_exit in web/media/image_child.h. Whatever is wrong with the picture, also another
 * size than announced, is IMAGE_EXIT_DAMAGED; standard error is discarded.
 */
#include "image/confine.h"
#include "web/media/image_child.h"

#include <errno.h>
#include <gd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_OUT = 3, JPEG_QUALITY = 82, WEBP_QUALITY = 82, PNG_LEVEL = 7 };

struct work {
	const char *format;
	int width, height, orientation;
};

static _Noreturn void
leave(enum image_exit status)
{
	_exit((int)status);
}

/* --- Decoding --------------------------------------------------------------------------------- */

static void *
read_all(size_t *size)
{
	struct stat st;
	char *bytes;
	size_t got = 0;

	if (fstat(0, &st) != 0 || st.st_size <= 0 || st.st_size > INT32_MAX)
		leave(IMAGE_EXIT_BROKEN);
	bytes = malloc((size_t)st.st_size);
	if (bytes == NULL)
		leave(IMAGE_EXIT_BROKEN);
	while (got < (size_t)st.st_size) {
		ssize_t n = read(0, bytes + got, (size_t)st.st_size - got);

		if (n <= 0)
			leave(IMAGE_EXIT_BROKEN);
		got += (size_t)n;
	}
	*size = got;
	return bytes;
}

/* Makes the palette colour that means "transparent" transparent. */
static void
clear_transparent(gdImagePtr image)
{
	int key = gdImageGetTransparent(image);

	for (int y = 0; key >= 0 && y < image->sy; y++)
		for (int x = 0; x < image->sx; x++)
			if (image->tpixels[y][x] == key)
				image->tpixels[y][x] =
				    gdTrueColorAlpha(0, 0, 0, gdAlphaTransparent);
}

static gdImagePtr
decode(const struct work *work)
{
	size_t size;
	void *bytes = read_all(&size);
	gdImagePtr image = NULL;

	/* Errors of a JPEG that its decoder can recover from, as cameras make them, are ignored. */
	if (strcmp(work->format, "jpg") == 0)
		image = gdImageCreateFromJpegPtrEx((int)size, bytes, 1);
	else if (strcmp(work->format, "png") == 0)
		image = gdImageCreateFromPngPtr((int)size, bytes);
	else if (strcmp(work->format, "webp") == 0)
		image = gdImageCreateFromWebpPtr((int)size, bytes);
	free(bytes);
	if (image == NULL || image->sx != work->width || image->sy != work->height)
		leave(IMAGE_EXIT_DAMAGED);
	if (!gdImageTrueColor(image) && !gdImagePaletteToTrueColor(image))
		leave(IMAGE_EXIT_DAMAGED);
	clear_transparent(image);
	return image;
}

/* --- Scaling and rotating --------------------------------------------------------------------- */

static gdImagePtr
canvas(int width, int height)
{
	gdImagePtr image = gdImageCreateTrueColor(width, height);

	if (image == NULL)
		leave(IMAGE_EXIT_DAMAGED);
	gdImageAlphaBlending(image, 0);
	gdImageSaveAlpha(image, 1);
	return image;
}

static gdImagePtr
resized(gdImagePtr from, int width, int height)
{
	gdImagePtr to = canvas(width, height);

	if (from->sx == width && from->sy == height)
		gdImageCopy(to, from, 0, 0, 0, 0, width, height);
	else
		gdImageCopyResampled(to, from, 0, 0, 0, 0, width, height, from->sx, from->sy);
	return to;
}

/* From 5 on, rows and columns are exchanged; the others are rotated by 180° or mirrored. */
static gdImagePtr
turned(gdImagePtr from, int orientation)
{
	static const struct {
		bool right_to_left, bottom_up;
	} stored[] = {[1] = {false, false},
	    [2] = {true, false},
	    [3] = {true, true},
	    [4] = {false, true},
	    [5] = {false, false},
	    [6] = {false, true},
	    [7] = {true, true},
	    [8] = {true, false}};
	bool across = orientation >= 5;
	gdImagePtr to = across ? canvas(from->sy, from->sx) : canvas(from->sx, from->sy);

	for (int y = 0; y < to->sy; y++)
		for (int x = 0; x < to->sx; x++) {
			int column = across ? y : x, row = across ? x : y;

			if (stored[orientation].right_to_left)
				column = from->sx - 1 - column;
			if (stored[orientation].bottom_up)
				row = from->sy - 1 - row;
			to->tpixels[y][x] = from->tpixels[row][column];
		}
	return to;
}

/* --- Encoding --------------------------------------------------------------------------------- */

static void
write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);

		if (n <= 0)
			leave(errno == ENOSPC || errno == EDQUOT || errno == EFBIG
				  ? IMAGE_EXIT_FULL
				  : IMAGE_EXIT_BROKEN);
		bytes += n;
		size -= (size_t)n;
	}
}

static void
encode(gdImagePtr image, const char *format, int fd)
{
	void *bytes;
	int size = 0;

	if (strcmp(format, "jpg") == 0) {
		gdImageInterlace(image, 1);
		bytes = gdImageJpegPtr(image, &size, JPEG_QUALITY);
	} else if (strcmp(format, "png") == 0) {
		bytes = gdImagePngPtrEx(image, &size, PNG_LEVEL);
	} else {
		bytes = gdImageWebpPtrEx(image, &size, WEBP_QUALITY);
	}
	if (bytes == NULL || size <= 0)
		leave(IMAGE_EXIT_DAMAGED);
	write_all(fd, bytes, (size_t)size);
	gdFree(bytes);
}

/* Each size is scaled from the one before, so the largest should come first. Frees *image. */
static void
make(gdImagePtr *image, const struct work *work, const char *wanted, int fd)
{
	gdImagePtr smaller, upright;
	int width, height, across = work->orientation >= 5;

	if (sscanf(wanted, "%dx%d", &width, &height) != 2 || width < 1 || height < 1)
		leave(IMAGE_EXIT_BROKEN);
	smaller = resized(*image, across ? height : width, across ? width : height);
	gdImageDestroy(*image);
	upright = turned(smaller, work->orientation);
	encode(upright, work->format, fd);
	gdImageDestroy(upright);
	*image = smaller;
}

/* Discards messages of gd. */
static void
say_nothing(int priority, const char *format, va_list args)
{
	(void)priority;
	(void)format;
	(void)args;
}

int
main(int argc, char **argv)
{
	struct work work;
	gdImagePtr image;
	int seconds;

	if (argc < 6 || (seconds = atoi(argv[1])) < 1 ||
	    sscanf(argv[3], "%dx%d", &work.width, &work.height) != 2)
		leave(IMAGE_EXIT_BROKEN);
	work.format = argv[2];
	work.orientation = atoi(argv[4]);
	gdSetErrorMethod(say_nothing);
	if (work.orientation < 1 || work.orientation > 8 || !confine((unsigned)seconds))
		leave(IMAGE_EXIT_BROKEN);
	image = decode(&work);
	for (int i = 5; i < argc; i++)
		make(&image, &work, argv[i], FIRST_OUT + i - 5);
	leave(IMAGE_EXIT_DONE);
}
