#ifndef WEB_HTTP_SPENDING_H
#define WEB_HTTP_SPENDING_H

#include "table/table.h"

struct route;
struct log;

/*
 * Counts in memory what each route reads and writes where the store bills that, and adds it to the table
 * (model/site/units.h) every ten minutes and at the end.
 */
struct spending;

/* The table may have none to tell of; then nothing is ever added. All pointers outlive it. */
struct spending *spending_new(
    struct table *table, const struct route *routes, size_t count, const struct log *log);
/* From now on it adds by itself. */
void spending_start(struct spending *spending);
/* Adds the last. NULL is allowed. */
void spending_stop(struct spending *spending);

/* A request of this route has cost that. NULL is allowed. */
void spending_note(struct spending *spending, const struct route *route, const struct table_cost *cost);

/* Adds what was counted since the last time. */
void spending_add(struct spending *spending);

#endif
