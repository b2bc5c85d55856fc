#ifndef BASE_TICKER_H
#define BASE_TICKER_H

struct log;
struct ticker;

/*
 * Calls `tick` from a thread of its own, after so many milliseconds each time. NULL, and it is logged, without a thread.
 * `what` says of it what would be done. All pointers outlive it.
 */
struct ticker *ticker_start(
    int every_ms, void (*tick)(void *context), void *context, const struct log *log, const char *what);

/* Waits for a tick that is under way. NULL is allowed. */
void ticker_stop(struct ticker *ticker);

#endif
