#ifndef MODEL_SITE_UNITS_H
#define MODEL_SITE_UNITS_H

#include "table/table.h"

/*
 * What the site has read and written where the store bills that, by route, in a day and in a month of UTC, as the service
 * answered it:
 *
 *	UNITS#<yyyy-mm-dd> / <route>   Reads, Writes, Requests, ExpiresAt
 *	UNITS#<yyyy-mm> / <route>      the same
 */
struct units {
	struct str what;    /* a route, or UNITS_REST */
	int64_t read_halves; /* a read unit is two of these */
	int64_t writes, requests;
};

/* What no request caused: the worker, the sweeper, letters, figures, and this count itself. */
#define UNITS_REST STR("-")

/* Adds so many to what was counted by now. */
enum table_rc units_add(
    struct table *table, struct table_call *call, const struct units *units, size_t count, int64_t now);

/* The reads of today and of this month, and what one of these found: in all, and by route, the dearest first. */
enum { UNITS_TODAY, UNITS_MONTH, UNITS_READS };
void units_reads(struct arena *arena, int64_t now, struct read reads[UNITS_READS]);
struct units *units_take(struct arena *arena, const struct read *read, struct units *all);

#endif
