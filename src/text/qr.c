/*
 * How a QR code is made:
 *
 *	1. The text becomes bits: mode, length, bytes, padding. These fill the data of a version.
 *	2. They are divided into blocks. Each gets check bytes by a Reed-Solomon code over GF(256).
 *	3. All blocks are read column by column, and the bits laid out in a zigzag of two columns from the
 *	   lower right, around the fixed patterns: finders, timing, alignment, format, version.
 *	4. One of eight masks is XORed with the data: the one with the lowest penalty.
 */
#include "text/qr.h"

#include "base/arena.h"
#include "base/buf.h"

#include <string.h>

enum { VERSIONS = 10, BYTES_MAX = 346, DATA_MAX = 216, CHECK_MAX = 26, MASKS = 8 };

/*
 * The blocks of a version at level M: check bytes of each block, and how many blocks there are of
 * each length.
 */
static const struct {
	unsigned check, few, few_data, more, more_data;
	unsigned char aligned[3]; /* the centres of alignment patterns */
} versions[VERSIONS + 1] = {
    {0},
    {10, 1, 16, 0, 0, {0}},
    {16, 1, 28, 0, 0, {6, 18}},
    {26, 1, 44, 0, 0, {6, 22}},
    {18, 2, 32, 0, 0, {6, 26}},
    {24, 2, 43, 0, 0, {6, 30}},
    {16, 4, 27, 0, 0, {6, 34}},
    {18, 4, 31, 0, 0, {6, 22, 38}},
    {22, 2, 38, 2, 39, {6, 24, 42}},
    {22, 3, 36, 2, 37, {6, 26, 46}},
    {26, 4, 43, 1, 44, {6, 28, 50}},
};

struct work {
	struct qr *qr;
	int version;
	unsigned char fixed[QR_SIZE_MAX][QR_SIZE_MAX]; /* modules of patterns, not data */
	unsigned char data[DATA_MAX], bytes[BYTES_MAX];
	size_t bits, count; /* of data; of bytes */
};

/* --- Bits ------------------------------------------------------------------------------------------- */

static size_t
data_bytes(int version)
{
	return versions[version].few * versions[version].few_data +
	       versions[version].more * versions[version].more_data;
}

static unsigned
length_bits(int version)
{
	return version < 10 ? 8 : 16;
}

static void
put_bits(struct work *w, unsigned value, unsigned count)
{
	for (; count > 0; count--, w->bits++)
		w->data[w->bits / 8] |=
		    (unsigned char)((value >> (count - 1) & 1) << (7 - w->bits % 8));
}

static void
put_text(struct work *w, struct str text)
{
	enum { MODE_BYTES = 4 };
	size_t capacity = data_bytes(w->version);

	put_bits(w, MODE_BYTES, 4);
	put_bits(w, (unsigned)text.len, length_bits(w->version));
	for (size_t i = 0; i < text.len; i++)
		put_bits(w, (unsigned char)text.base[i], 8);
	/*
	 * A terminator of four zeros, for which there is always space here, and zeros to the end of
	 * the byte.
	 */
	w->bits = (w->bits + 4 + 7) / 8 * 8;
	for (unsigned pad = 0xec; w->bits < capacity * 8; pad ^= 0xec ^ 0x11)
		put_bits(w, pad, 8);
}

/* --- Error correction ------------------------------------------------------------------------- */

static unsigned char
multiply(unsigned char x, unsigned char y)
{
	unsigned product = 0;

	for (int i = 7; i >= 0; i--) {
		product = product << 1 ^ (product >> 7) * 0x11d;
		product ^= ((unsigned)y >> i & 1) * x;
	}
	return (unsigned char)product;
}

/* The remainder of the data, as a polynomial, divided by the one with roots 1, 2, 4 … */
static void
check_bytes(const unsigned char *data, size_t count, unsigned char *check, unsigned degree)
{
	unsigned char divisor[CHECK_MAX] = {0}, root = 1;

	divisor[degree - 1] = 1;
	for (unsigned i = 0; i < degree; i++, root = multiply(root, 2))
		for (unsigned j = 0; j < degree; j++) {
			divisor[j] = multiply(divisor[j], root);
			if (j + 1 < degree)
				divisor[j] ^= divisor[j + 1];
		}
	memset(check, 0, degree);
	for (size_t i = 0; i < count; i++) {
		unsigned char factor = data[i] ^ check[0];

		memmove(check, check + 1, degree - 1);
		check[degree - 1] = 0;
		for (unsigned j = 0; j < degree; j++)
			check[j] ^= multiply(divisor[j], factor);
	}
}

/* Divides the data into blocks and interleaves them, byte by byte, then their check bytes. */
static void
interleave(struct work *w)
{
	unsigned degree = versions[w->version].check, few = versions[w->version].few;
	unsigned blocks = few + versions[w->version].more;
	unsigned shorter = versions[w->version].few_data;
	unsigned char check[5][CHECK_MAX];
	const unsigned char *block[5], *at = w->data;
	unsigned length[5];

	for (unsigned b = 0; b < blocks; b++) {
		block[b] = at;
		length[b] = b < few ? shorter : versions[w->version].more_data;
		check_bytes(at, length[b], check[b], degree);
		at += length[b];
	}
	for (unsigned i = 0; i <= shorter; i++)
		for (unsigned b = 0; b < blocks; b++)
			if (i < length[b])
				w->bytes[w->count++] = block[b][i];
	for (unsigned i = 0; i < degree; i++)
		for (unsigned b = 0; b < blocks; b++)
			w->bytes[w->count++] = check[b][i];
}

/* --- Patterns --------------------------------------------------------------------------------------- */

static void
set(struct work *w, int x, int y, bool dark)
{
	w->qr->dark[y][x] = dark;
	w->fixed[y][x] = 1;
}

/* A square of concentric rings, clipped at the edge. */
static void
put_square(struct work *w, int cx, int cy, int radius, unsigned light_rings)
{
	for (int y = -radius; y <= radius; y++)
		for (int x = -radius; x <= radius; x++) {
			int ring = (x < 0 ? -x : x) > (y < 0 ? -y : y) ? (x < 0 ? -x : x)
								       : (y < 0 ? -y : y);

			if (cx + x >= 0 && cx + x < w->qr->size && cy + y >= 0 &&
			    cy + y < w->qr->size)
				set(w, cx + x, cy + y, (light_rings >> ring & 1) == 0);
		}
}

/*
 * Level M and the mask, with ten bits of error correction, twice; and the module that is always
 * dark.
 */
static void
put_format(struct work *w, unsigned mask)
{
	unsigned rest = mask, bits;
	int size = w->qr->size;

	for (int i = 0; i < 10; i++)
		rest = rest << 1 ^ (rest >> 9) * 0x537;
	bits = (mask << 10 | rest) ^ 0x5412;
	for (int i = 0; i < 15; i++) {
		bool dark = bits >> i & 1;

		if (i < 6)
			set(w, 8, i, dark);
		else if (i < 8)
			set(w, 8, i + 1, dark);
		else
			set(w, i == 8 ? 7 : 14 - i, 8, dark);
		if (i < 8)
			set(w, size - 1 - i, 8, dark);
		else
			set(w, 8, size - 15 + i, dark);
	}
	set(w, 8, size - 8, true);
}

/* From version 7 on the version is in two corners, with twelve bits of error correction. */
static void
put_version(struct work *w)
{
	unsigned rest = (unsigned)w->version, bits;

	if (w->version < 7)
		return;
	for (int i = 0; i < 12; i++)
		rest = rest << 1 ^ (rest >> 11) * 0x1f25;
	bits = (unsigned)w->version << 12 | rest;
	for (int i = 0; i < 18; i++) {
		int near = i / 3, far = w->qr->size - 11 + i % 3;

		set(w, far, near, bits >> i & 1);
		set(w, near, far, bits >> i & 1);
	}
}

static void
put_patterns(struct work *w)
{
	const unsigned char *aligned = versions[w->version].aligned;
	int size = w->qr->size, last = aligned[2] != 0 ? 2 : 1;

	for (int i = 0; i < size; i++) {
		set(w, 6, i, i % 2 == 0);
		set(w, i, 6, i % 2 == 0);
	}
	put_square(w, 3, 3, 4, 1u << 2 | 1u << 4);
	put_square(w, size - 4, 3, 4, 1u << 2 | 1u << 4);
	put_square(w, 3, size - 4, 4, 1u << 2 | 1u << 4);
	for (int i = 0; aligned[0] != 0 && i <= last; i++)
		for (int j = 0; j <= last; j++)
			if (!(i == 0 && j == 0) && !(i == 0 && j == last) && !(i == last && j == 0))
				put_square(w, aligned[i], aligned[j], 2, 1u << 1);
	put_format(w, 0);
	put_version(w);
}

/* Up and down in pairs of columns from the right, skipping the timing column. */
static void
put_data(struct work *w)
{
	int size = w->qr->size;
	size_t bit = 0;

	for (int right = size - 1; right > 0; right -= right == 8 ? 3 : 2)
		for (int i = 0; i < size; i++)
			for (int x = right; x > right - 2; x--) {
				bool up = ((right + 1) & 2) == 0;
				int y = up ? size - 1 - i : i;

				if (w->fixed[y][x] || bit >= w->count * 8)
					continue;
				w->qr->dark[y][x] = w->bytes[bit / 8] >> (7 - bit % 8) & 1;
				bit++;
			}
}

/* --- Masks ------------------------------------------------------------------------------------------ */

static bool
masked(unsigned mask, int x, int y)
{
	switch (mask) {
	case 0: return (x + y) % 2 == 0;
	case 1: return y % 2 == 0;
	case 2: return x % 3 == 0;
	case 3: return (x + y) % 3 == 0;
	case 4: return (x / 3 + y / 2) % 2 == 0;
	case 5: return x * y % 2 + x * y % 3 == 0;
	case 6: return (x * y % 2 + x * y % 3) % 2 == 0;
	default: return ((x + y) % 2 + x * y % 3) % 2 == 0;
	}
}

/* XORs the mask with the data; a second time removes it. */
static void
put_mask(struct work *w, unsigned mask)
{
	for (int y = 0; y < w->qr->size; y++)
		for (int x = 0; x < w->qr->size; x++)
			if (!w->fixed[y][x])
				w->qr->dark[y][x] ^= masked(mask, x, y);
	put_format(w, mask);
}

/* The penalty of a line: runs of one colour, and what looks like a finder. */
static int
line_penalty(const unsigned char *line, int size)
{
	unsigned window = 0;
	int penalty = 0, run = 0;

	for (int i = 0; i < size; i++) {
		run = i > 0 && line[i] == line[i - 1] ? run + 1 : 1;
		penalty += run == 5 ? 3 : run > 5 ? 1 : 0;
		window = (window << 1 | line[i]) & 0x7ff;
		/* Dark modules 1 1 3 1 1 with four light ones before or after. */
		if (i >= 10 && (window == 0x5d || window == 0x5d0))
			penalty += 40;
	}
	return penalty;
}

static int
penalty_of(const struct qr *qr)
{
	unsigned char column[QR_SIZE_MAX];
	int penalty = 0, dark = 0, all = qr->size * qr->size;

	for (int y = 0; y < qr->size; y++) {
		penalty += line_penalty(qr->dark[y], qr->size);
		for (int x = 0; x < qr->size; x++) {
			column[x] = qr->dark[x][y];
			dark += qr->dark[y][x];
			if (x > 0 && y > 0 && qr->dark[y][x] == qr->dark[y - 1][x] &&
			    qr->dark[y][x] == qr->dark[y][x - 1] &&
			    qr->dark[y][x] == qr->dark[y - 1][x - 1])
				penalty += 3;
		}
		penalty += line_penalty(column, qr->size);
	}
	/* Ten for each five percent of deviation from one half. */
	return penalty +
	       (dark * 20 > all * 10 ? dark * 20 - all * 10 : all * 10 - dark * 20) / all * 10;
}

static void
put_best_mask(struct work *w)
{
	unsigned best = 0;
	int least = 0;

	for (unsigned mask = 0; mask < MASKS; mask++) {
		int penalty;

		put_mask(w, mask);
		penalty = penalty_of(w->qr);
		put_mask(w, mask);
		if (mask == 0 || penalty < least) {
			best = mask;
			least = penalty;
		}
	}
	put_mask(w, best);
}

/* --- The whole -------------------------------------------------------------------------------------- */

bool
qr_make(struct str text, struct qr *out)
{
	struct work w = {.qr = out, .version = 1};

	while (w.version <= VERSIONS &&
	       (4 + length_bits(w.version)) + 8 * text.len + 4 > data_bytes(w.version) * 8)
		w.version++;
	if (w.version > VERSIONS)
		return false;
	memset(out, 0, sizeof(*out));
	out->size = 17 + 4 * w.version;
	put_text(&w, text);
	interleave(&w);
	put_patterns(&w);
	put_data(&w);
	put_best_mask(&w);
	return true;
}

struct str
qr_path(struct arena *arena, const struct qr *qr)
{
	struct buf out = {.arena = arena};

	for (int y = 0; y < qr->size; y++)
		for (int x = 0, run; x < qr->size; x += run) {
			run = 1;
			if (!qr->dark[y][x])
				continue;
			while (x + run < qr->size && qr->dark[y][x + run])
				run++;
			buf_fmt(&out, "M%d %dh%dv1h-%dz", x + QR_QUIET, y + QR_QUIET, run, run);
		}
	return buf_str(&out);
}
