/* The checksum of answers, which has to be zlib's for every length and alignment. */
#include "lib/tap.h"

#include "table/dynamo/crc.h"

#include <stdlib.h>
#include <zlib.h>

enum { LENGTHS = 700, LARGE = 100000 };

static unsigned char bytes[LARGE + 16];

int
main(void)
{
	unsigned seed = 1, wrong = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)rand_r(&seed);
	for (size_t len = 0; len < LENGTHS; len++)
		for (size_t start = 0; start < 16; start++)
			wrong +=
			    dynamo_crc(bytes + start, len) != crc32(0, bytes + start, (uInt)len);
	is_int(wrong, 0, "every length from 0 to %d, at every alignment, has zlib's sum", LENGTHS);
	ok(dynamo_crc(bytes, LARGE) == crc32(0, bytes, LARGE), "so has a long text");
	ok(dynamo_crc("123456789", 9) == 0xcbf43926, "and the one that the catalogues give");
	bytes[LARGE / 2] ^= 1;
	ok(dynamo_crc(bytes, LARGE) == crc32(0, bytes, LARGE), "and one with another bit");
	return tap_done();
}
