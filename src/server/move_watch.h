#ifndef SERVER_MOVE_WATCH_H
#define SERVER_MOVE_WATCH_H

#include "table/table.h"

struct log;
struct move_watch;

/*
 * Looks each second whether the table has been handed over to another store (model/site/move.h), and then calls `moved`: again
 * after a while, if that did not end this process. Both pointers outlive it. NULL, and it is logged, without a thread.
 */
struct move_watch *move_watch_start(
    struct table *table, const struct log *log, void (*moved)(const struct log *log, struct str other));

/* NULL is allowed. */
void move_watch_stop(struct move_watch *watch);

#endif
