#ifndef TABLE_COPY_H
#define TABLE_COPY_H

#include "table/table.h"

/*
 * Copies a table into another one, of any engines, and computes a digest by which to compare them.
 * They are read completely, page by page; items that are written to the source during the copy may
 * be in it or not.
 */

/* Called after every page. A copy that ends here can be resumed with the cursor. */
typedef void copy_progress(void *context, uint64_t items, struct str cursor);

struct copy {
	struct table *from, *to;
	struct str cursor;       /* empty: from the start; else of an earlier copy's progress */
	copy_progress *progress; /* or NULL */
	void *context;
	const bool *stop; /* looked at between pages; NULL: never */
	bool (*skip)(struct key key); /* of no concern to the other table; NULL: all are */
	bool past_fence;              /* of `to` */
	const struct write *guard;    /* a check that goes with each write; NULL: none */
};

/*
 * Puts every item of `from` into `to`, replacing items of the same key; *items counts them.
 * Transient failures are retried (table/retry.h). TABLE_DEADLINE when it was stopped. On any
 * failure *why, in the arena, is a sentence, and the last progress says where to resume.
 */
enum table_rc table_copy(
    const struct copy *copy, struct arena *arena, uint64_t *items, struct str *why);

/*
 * The count and digest of a table's items but of those to skip (NULL: none): independent of the order in which an engine
 * returns them.
 */
struct table_sum {
	uint64_t items;
	uint64_t bytes; /* by item_size() */
	unsigned char digest[32];
};

/* Reads the whole table. Fails as table_copy() does. */
enum table_rc table_sum(struct table *table, bool (*skip)(struct key key), copy_progress *progress, void *context,
    struct arena *arena, struct table_sum *out, struct str *why);

bool table_sum_eq(const struct table_sum *a, const struct table_sum *b);

/* The digest as 64 hexadecimal digits. */
struct str table_sum_text(struct arena *arena, const struct table_sum *sum);

#endif
