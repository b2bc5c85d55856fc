/*
 * A program of the build: reads words, one a line, and writes common_hashes (model/people/common.h)
 * as a C file. The output does not depend on the order of the words.
 */
#include "model/people/common.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 1 << 20, WORD_MIN = 3 };

static int
order(const void *a, const void *b)
{
	const uint64_t *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

int
main(void)
{
	uint64_t *hashes = calloc(WORDS_MAX, sizeof(*hashes));
	size_t count = 0, written = 0;
	char line[256];

	if (hashes == NULL)
		return 1;
	while (count < WORDS_MAX && fgets(line, sizeof(line), stdin) != NULL) {
		struct str word = {line, strcspn(line, "\n")};

		if (word.len >= WORD_MIN)
			hashes[count++] = common_hash(word);
	}
	qsort(hashes, count, sizeof(*hashes), order);
	printf("#include \"model/people/common.h\"\n\nconst uint64_t common_hashes[] = {\n");
	for (size_t i = 0; i < count; i++)
		if (i == 0 || hashes[i] != hashes[i - 1]) {
			printf("0x%" PRIx64 "U,\n", hashes[i]);
			written++;
		}
	/* An array can't be empty. */
	printf("UINT64_MAX};\nconst size_t common_count = %zu;\n", written);
	free(hashes);
	return ferror(stdin) || fflush(stdout) != 0 || ferror(stdout);
}
