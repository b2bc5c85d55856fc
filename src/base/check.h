#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * assert() is in every build, so it must not cost more than the code next to it. assert_whole() is
 * for checks that walk through a whole structure: with --enable-checks only, which
 * --enable-sanitizers implies.
 */
#ifdef ENABLE_CHECKS
#define assert_whole(holds) assert(holds)
#else
#define assert_whole(holds) ((void)(true || (holds)))
#endif

/* The offset of a struct's member, after the compiler has seen that something holds of it. */
#define OFFSET_IF(type, member, holds, otherwise)     \
	(offsetof(type, member) + 0 * sizeof(struct { \
		_Static_assert((holds), otherwise);   \
		char unused;                          \
	}))
#define OFFSET_OF(type, member, wanted)                                            \
	OFFSET_IF(type, member,                                                    \
	    __builtin_types_compatible_p(__typeof__(((type *)0)->member), wanted), \
	    "the member is of another type")

#endif
