#ifndef WEB_MEDIA_DRAWING_H
#define WEB_MEDIA_DRAWING_H

#include "base/buf.h"
#include "model/post/media.h"

/*
 * Drawings (SVG), which are taken as the site's nameplate alone. One is never kept as it came: it is read by a parser of the part
 * of XML that drawings need, and written anew from elements and attributes that are on a list, each with values of one form.
 * Nothing else comes through: no script, no handler, no style, no address but of a part of the drawing itself, no entity.
 */
enum drawing_verdict {
	DRAWING_GOOD,
	DRAWING_LARGE,    /* over DRAWING_BYTES_MAX, or too many elements, or too deep in each other */
	DRAWING_BARE,     /* nothing is left to be seen, or nobody knows how large, or its colours are in a style sheet */
	DRAWING_ENTITIES, /* its DOCTYPE declares something */
	DRAWING_DAMAGED,  /* it is no XML */
};

enum {
	DRAWING_BYTES_MAX = 256 * 1024, /* of what is sent, and of what is written */
	DRAWING_ELEMENTS_MAX = 5000, /* with what is drawn again, each time */
	DRAWING_COPIES_MAX = 1000,   /* that draw something again: uses, clip paths, masks */
	DRAWING_COPIES_DEEP = 8,     /* what is drawn again may draw something again, and so on */
	DRAWING_DEPTH_MAX = 64,
};

/* Does it say that it is one? By its bytes, whatever its name is. */
bool drawing_is(struct str bytes);

/* *out has it and *size its pixels when it is DRAWING_GOOD. Linear in the bytes, but for looking up at most 1,000 names. */
enum drawing_verdict drawing_clean(struct str bytes, struct buf *out, struct media_size *size);

#endif
