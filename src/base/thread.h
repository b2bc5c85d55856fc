#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/*
 * Starts a thread with all signals blocked: they are for the threads that wait for them. 0, or an
 * error number.
 */
int thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* The time in so many milliseconds, for pthread_cond_clockwait() with CLOCK_MONOTONIC. */
struct timespec thread_deadline(int64_t ms);

#endif
