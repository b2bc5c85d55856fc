#ifndef BENCH_VIRTUAL_H
#define BENCH_VIRTUAL_H

#include <stdint.h>

struct clock;

/*
 * Virtual time: many threads of which one runs at a time, until it sleeps; then time goes on to when the next one wakes. So
 * a minute of a thousand clients takes as long as their work does on one core, and each run of a program is the same
 * again. A thread must not wait for another in any other way.
 */
struct virtual_time;

/* Moves this fixed clock along. */
struct virtual_time *virtual_new(struct clock *clock);
void virtual_free(struct virtual_time *v);

/* Microseconds since the beginning. */
int64_t virtual_now(const struct virtual_time *v);

/* A thread that begins at that time. */
void virtual_start(struct virtual_time *v, int64_t at, void (*run)(void *data), void *data);

/* Runs all threads until none is left. */
void virtual_run(struct virtual_time *v);

/* Of the thread that runs: sleeps so many microseconds. Outside of virtual_run() nothing happens. */
void virtual_sleep(struct virtual_time *v, int64_t micros);

#endif
