#ifndef T_TABLE_RANDOM_ENGINES_H
#define T_TABLE_RANDOM_ENGINES_H

#include "conformance.h"

/* The engines that a program compares; the first one is the reference. */
struct random_engines {
	struct harness harnesses[4];
	size_t count;
	bool timeless; /* leave out the passing of time and the sweep: one of them has its own */
};

/* Each program has its own; may end it, skipped. */
struct random_engines random_engines(void);

#endif
