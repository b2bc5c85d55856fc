#ifndef WEB_STOPWATCH_H
#define WEB_STOPWATCH_H

#include <stdint.h>
#include <time.h>

/* Microseconds that never go back, for saying what something cost. Nothing decides by them. */
static inline int64_t
stopwatch(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

#endif
