#ifndef TEXT_QR_H
#define TEXT_QR_H

#include "base/str.h"

struct arena;

/*
 * A QR code (ISO/IEC 18004): text as a square of dark and light modules that a camera reads. Bytes, at error
 * correction level M, in the smallest of the versions 1 to 10 that holds them: 213 bytes at most.
 */
enum { QR_BYTES_MAX = 213, QR_SIZE_MAX = 57, QR_QUIET = 4 };

struct qr {
	int size;                                     /* modules on each side */
	unsigned char dark[QR_SIZE_MAX][QR_SIZE_MAX]; /* [y][x]: 1 or 0 */
};

/* False when the text is too long. */
bool qr_make(struct str text, struct qr *out);

/*
 * The dark modules as the data of an SVG path, a unit each, with a margin of QR_QUIET units: its view box is
 * size + 2 × QR_QUIET wide and high.
 */
struct str qr_path(struct arena *arena, const struct qr *qr);

#endif
