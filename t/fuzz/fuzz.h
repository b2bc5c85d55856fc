#ifndef T_FUZZ_H
#define T_FUZZ_H

#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * A fuzzer is one file with this function, which gets arbitrary bytes: the code that it calls must
 * not crash, and MUST() checks its invariants. It returns 0. The bytes end where their allocation
 * does, so that a read too far is seen; their name goes to `fuzzers` in Makefile.am.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

static inline struct str
fuzz_str(const uint8_t *data, size_t size)
{
	return (struct str){(const char *)data, size};
}

#endif
