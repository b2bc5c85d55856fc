/*
 * QR codes, decoded: the patterns that a camera looks for, the format with its check bits, and the
 * data as a reader gets it, unmasked, from the zigzag and the blocks, whose check bytes must be
 * right. One code is kept as it was when other programs had read it.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "text/qr.h"

static const struct {
	unsigned check, few, few_data, more;
} blocks_of[] = {{0}, {10, 1, 16, 0}, {16, 1, 28, 0}, {26, 1, 44, 0}, {18, 2, 32, 0},
    {24, 2, 43, 0}, {16, 4, 27, 0}, {18, 4, 31, 0}, {22, 2, 38, 2}, {22, 3, 36, 2}, {26, 4, 43, 1}};

static bool
in_square(int x, int y, int cx, int cy, int radius)
{
	return abs(x - cx) <= radius && abs(y - cy) <= radius;
}

/* Is it one of the fixed patterns? */
static bool
is_fixed(const struct qr *qr, int x, int y)
{
	int size = qr->size, version = (size - 17) / 4, last = size - 7;
	int middle = version >= 7 ? (6 + last) / 2 : 6;

	if (x == 6 || y == 6 || (x < 9 && y < 9) || (x < 9 && y >= size - 8) ||
	    (x >= size - 8 && y < 9))
		return true;
	if (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11)))
		return true;
	if (version == 1)
		return false;
	for (int i = 0; i < 9; i++) {
		static const int lines = 3;
		int cx = i / lines == 0 ? 6 : i / lines == 1 ? middle : last;
		int cy = i % lines == 0 ? 6 : i % lines == 1 ? middle : last;
		bool corner =
		    (cx == 6 && cy == 6) || (cx == 6 && cy == last) || (cx == last && cy == 6);

		if (!corner && in_square(x, y, cx, cy, 2))
			return true;
	}
	return false;
}

static bool
masked(unsigned mask, int i, int j)
{
	switch (mask) {
	case 0: return (i + j) % 2 == 0;
	case 1: return i % 2 == 0;
	case 2: return j % 3 == 0;
	case 3: return (i + j) % 3 == 0;
	case 4: return (i / 2 + j / 3) % 2 == 0;
	case 5: return (i * j) % 2 + (i * j) % 3 == 0;
	case 6: return ((i * j) % 2 + (i * j) % 3) % 2 == 0;
	default: return ((i + j) % 2 + (i * j) % 3) % 2 == 0;
	}
}

/* The fifteen bits around the upper left finder, the first one highest. */
static unsigned
format_of(const struct qr *qr)
{
	static const int at[15][2] = {{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {7, 8},
	    {8, 8}, {8, 7}, {8, 5}, {8, 4}, {8, 3}, {8, 2}, {8, 1}, {8, 0}};
	unsigned bits = 0;

	for (int i = 0; i < 15; i++)
		bits = bits << 1 | qr->dark[at[i][1]][at[i][0]];
	return bits ^ 0x5412;
}

/* The bytes in the order of the zigzag. */
static size_t
lift(const struct qr *qr, unsigned mask, unsigned char *out)
{
	size_t bits = 0;
	int x = qr->size - 1, step = -1, y = qr->size - 1;

	memset(out, 0, 400);
	for (; x > 0; x -= 2, step = -step, y += step) {
		if (x == 6)
			x--;
		for (; y >= 0 && y < qr->size; y += step)
			for (int dx = 0; dx < 2; dx++) {
				if (is_fixed(qr, x - dx, y))
					continue;
				if (qr->dark[y][x - dx] ^ masked(mask, y, x - dx))
					out[bits / 8] |= (unsigned char)(0x80 >> bits % 8);
				bits++;
			}
	}
	return bits / 8;
}

static unsigned char
times(unsigned char a, unsigned char b)
{
	unsigned r = 0, x = a;

	for (; b != 0; b >>= 1, x = x << 1 ^ (x & 0x80 ? 0x11d : 0))
		r ^= b & 1 ? x : 0;
	return (unsigned char)r;
}

/* Is the block without an error: is it 0 at each root? */
static bool
is_whole(const unsigned char *block, size_t count, unsigned check)
{
	unsigned char root = 1;

	for (unsigned i = 0; i < check; i++, root = times(root, 2)) {
		unsigned char sum = 0;

		for (size_t n = 0; n < count; n++)
			sum = (unsigned char)(times(sum, root) ^ block[n]);
		if (sum != 0)
			return false;
	}
	return true;
}

/* The data bytes of all blocks one after another; false when a check byte is off. */
static bool
deal(const unsigned char *bytes, int version, unsigned char *data)
{
	unsigned few = blocks_of[version].few, all = few + blocks_of[version].more;
	unsigned shorter = blocks_of[version].few_data, check = blocks_of[version].check;
	size_t count = 0;

	for (unsigned b = 0; b < all; b++) {
		unsigned char block[80];
		unsigned length = shorter + (b >= few), n = 0;

		for (; n < shorter; n++)
			block[n] = bytes[n * all + b];
		if (b >= few)
			block[n++] = bytes[shorter * all + b - few];
		for (unsigned i = 0; i < check; i++)
			block[n++] = bytes[shorter * all + blocks_of[version].more + i * all + b];
		if (!is_whole(block, n, check))
			return false;
		memcpy(data + count, block, length);
		count += length;
	}
	return true;
}

static void
reads_back(size_t length, struct arena *arena)
{
	unsigned char bytes[400], data[400];
	char *text = arena_alloc(arena, length + 1);
	struct qr qr;
	int version;
	unsigned format;
	size_t bits, at;
	bool same = true;

	for (size_t i = 0; i < length; i++)
		text[i] = (char)(i * 37 + length);
	if (!ok(qr_make((struct str){text, length}, &qr), "%zu bytes fit", length))
		return;
	version = (qr.size - 17) / 4;
	format = format_of(&qr);
	ok(format >> 13 == 0, "... level M, version %d", version);
	lift(&qr, format >> 10 & 7, bytes);
	ok(deal(bytes, version, data), "... the check bytes fit");
	bits = version < 10 ? 8 : 16;
	ok(data[0] >> 4 == 4, "... the mode is bytes");
	for (at = 0; at < length; at++) {
		size_t bit = 4 + bits + 8 * at;
		unsigned char c = (unsigned char)(data[bit / 8] << 4 | data[bit / 8 + 1] >> 4);

		same = same && c == (unsigned char)text[at];
	}
	ok(same, "... and they are read back");
}

int
main(void)
{
	static const size_t lengths[] = {0, 1, 14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213};
	static const char *const kept[] = {
	    "####### #     #######",
	    "#     # ##    #     #",
	    "# ### # #     # ### #",
	    "# ### #  ##   # ### #",
	    "# ### # # ### # ### #",
	    "#     #   #   #     #",
	    "####### # # # #######",
	    "          #          ",
	    "#  ####### # #  # ###",
	    " # #     # ## #  #   ",
	    "### #### # ####  ####",
	    "# ##   #  # ## #  ###",
	    "#### ###   ##   ## ##",
	    "        #   # ##  # #",
	    "####### ## # #  ###  ",
	    "#     # #    ## #### ",
	    "# ### # # #    # #   ",
	    "# ### # #  ###   ##  ",
	    "# ### #   ### ###  ##",
	    "#     #  ##   #######",
	    "####### #   # ##     ",
	};
	struct arena *arena = arena_new();
	struct qr qr;
	char *text = arena_alloc(arena, 214);
	bool same = true;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		reads_back(lengths[i], arena);
	ok(!qr_make((struct str){text, 214}, &qr), "214 bytes are too many");
	qr_make(STR("Slack Water"), &qr);
	is_int(qr.size, 21, "a short text makes a small code");
	for (int y = 0; y < qr.size; y++)
		for (int x = 0; x < qr.size; x++)
			same = same && qr.dark[y][x] == (kept[y][x] == '#');
	ok(same, "... the one that cameras have read");
	qr = (struct qr){.size = 2, .dark = {{1, 1}, {0, 1}}};
	is_str(qr_path(arena, &qr), STR("M4 4h2v1h-2zM5 5h1v1h-1z"), "a path goes around its runs");
	arena_free(arena);
	return tap_done();
}
