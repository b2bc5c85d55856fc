#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <assert.h>
#include <stdbool.h>

/*
 * assert() is in every build, so it costs no more than the line that it stands beside. assert_whole() is for what looks
 * at a structure from end to end: with --enable-checks only, which --enable-sanitizers brings along.
 */
#ifdef ENABLE_CHECKS
#define assert_whole(holds) assert(holds)
#else
#define assert_whole(holds) ((void)(true || (holds)))
#endif

#endif
