#ifndef SERVER_SWEEPER_H
#define SERVER_SWEEPER_H

struct log;
struct media_store;
struct table;

/*
 * A thread that removes expired items, if the table does not do so by itself, and the items and
 * pictures of people who have left (model/people/leaving.h), and folds what readers did to posts
 * and comments into the numbers that everybody sees (model/post/count.h), every ten seconds or as
 * often as the engine says; after the start and once a day it also adds what an older table lacks:
 * guards of names, and tallies of threads. Readers do not depend on it: to them an expired item is absent at once. Of several
 * processes with one table one works: the one that holds the lease (model/site/lease.h). While the
 * clock is not trusted it does nothing and logs that (model/site/last_known_time.h).
 */
struct sweeper;

/*
 * Starts it; `media` may be NULL. It sweeps for the first time after `first_ms`, then every `every_ms`. NULL
 * when no thread can be had, which it has logged. The table, the store and the log must outlive it.
 */
struct sweeper *sweeper_start(struct table *table, struct media_store *media, const struct log *log,
    int first_ms, int every_ms);

/* Ends it, after what it is at. NULL is allowed. */
void sweeper_stop(struct sweeper *sweeper);

#endif
