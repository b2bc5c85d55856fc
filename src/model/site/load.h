#ifndef MODEL_SITE_LOAD_H
#define MODEL_SITE_LOAD_H

#include "table/table.h"

/*
 * Loads many items into the table, a hundred in each transaction, and removes those that are not
 * among them. All of it retries transient failures (table/retry.h).
 */

/* --- Which keys there are ---------------------------------------------------------------------- */

/*
 * A set of keys that stays small for a table of any size: 24 bytes a key, as a hash. `{0}` is an empty
 * one; key_set_free() ends it.
 */
struct key_set {
	struct key_mark *marks;
	size_t count, capacity;
};

/* Adds a key; `place` says where it came from. */
void key_set_add(struct key_set *set, struct key key, uint64_t place);

/* To be called after the last key and before the two below. False: a key was there twice, at two places. */
bool key_set_seal(struct key_set *set, uint64_t places[2]);
bool key_set_has(const struct key_set *set, struct key key);
void key_set_free(struct key_set *set);

/* --- Writing ------------------------------------------------------------------------------------ */

struct loader {
	struct table *table;
	struct arena *scratch; /* the loader's own */
	struct write writes[TABLE_BATCH_MAX];
	size_t count, bytes; /* of what waits */
	uint64_t written;    /* items */
	const char *why;     /* after a failure; in the scratch arena or static */
};

/* loader_end() frees it. */
void loader_begin(struct loader *loader, struct table *table);
void loader_end(struct loader *loader);

/*
 * Takes an item, which must stay until it has been written: `count` is 0 when nothing waits any more.
 * No two items may have the same key.
 */
enum table_rc loader_put(struct loader *loader, const struct item *item);

/*
 * An interrupted load leaves the table incomplete. So an item marks a load in progress, written
 * before the first item and removed after the last.
 */
enum load { LOAD_SEED, LOAD_IMPORT };
enum { LOADS = LOAD_IMPORT + 1 };

struct load_mark {
	bool there;
	int64_t now;   /* when it began, and from when a seed's times count */
	bool replaces; /* at its end it removes all else */
};

enum table_rc load_marks(
    struct table *table, struct table_call *call, struct load_mark marks[LOADS]);
enum table_rc loader_mark(struct loader *loader, enum load load, struct load_mark mark);
/* With `all`, also the marks of earlier interrupted loads. */
enum table_rc loader_unmark(struct loader *loader, enum load load, bool all);

/*
 * A warning for the operator about loads that were interrupted, or are in progress; NULL: none. In
 * the call's arena.
 */
enum table_rc load_warning(struct table *table, struct table_call *call, const char **warning);

/* Writes what waits. */
enum table_rc loader_flush(struct loader *loader);

/*
 * Removes every item whose key is not in the set, *removed of them; the site's secret stays. What
 * others write meanwhile may go or stay.
 */
enum table_rc loader_remove_others(
    struct loader *loader, const struct key_set *keep, uint64_t *removed);

/* --- Reading all of it ---------------------------------------------------------------------------- */

/*
 * A walk through the whole table, page by page, of any size. A consistent snapshot, if the engine
 * supports it.
 */
struct walk {
	struct table *table;
	struct table_call call; /* `why` after a failure */
	struct arena *arenas[2];
	unsigned turn;
	struct walk_page page; /* until the next walk_next() */
	bool begun;
};

/* walk_end() ends it. */
void walk_begin(struct walk *walk, struct table *table);
void walk_end(struct walk *walk);

/* Reads the next page. *more is false when there is none. */
enum table_rc walk_next(struct walk *walk, bool *more);

/* Does the table hold anything but the site's secret, leases and marks of loads? */
enum table_rc table_has_content(struct table *table, struct table_call *call, bool *has);

#endif
