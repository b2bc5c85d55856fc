#ifndef WEB_MEDIA_IMAGE_HEAD_H
#define WEB_MEDIA_IMAGE_HEAD_H

#include "model/post/media.h"

/*
 * What a file that somebody sent says of itself, read from its bytes alone: is it one of the three kinds
 * of pictures that are taken, how large, and which way up? Its name and claimed type mean nothing. Nothing
 * is decoded here; what would be too large to decode is known before anything tries.
 */
enum image_verdict {
	IMAGE_GOOD,
	IMAGE_EMPTY,
	IMAGE_OTHER,     /* no JPEG, PNG or WebP */
	IMAGE_ANIMATED,  /* more than one frame */
	IMAGE_LARGE,     /* a side over MEDIA_SIDE_MAX, or over MEDIA_PIXELS_MAX in all */
	IMAGE_LABORIOUS, /* few bytes that are long work: scans over scans, packed text */
	IMAGE_DAMAGED,   /* one of them that is cut off, or whose head makes no sense */
};

struct image_head {
	enum media_format format;
	struct media_size stored; /* as its rows lie in the file */
	int orientation; /* EXIF's, 1 to 8: from 5 on, rows are columns; 1 when it says nothing */
};

/* *out is filled when it is IMAGE_GOOD, and its size when it is IMAGE_LARGE. Linear in the bytes. */
enum image_verdict image_head_read(struct str bytes, struct image_head *out);

/* The size in which it is seen. */
struct media_size image_head_seen(const struct image_head *head);

#endif
