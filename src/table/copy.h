#ifndef TABLE_COPY_H
#define TABLE_COPY_H

#include "table/table.h"

/*
 * All of a table into another, whatever engines hold them, and a sum by which to tell that both hold the
 * same. They are read as a whole, page after page; what is written to the source meanwhile may be in the
 * copy or not.
 */

/* Told after every page. The cursor is where a copy that ends here can go on. */
typedef void copy_progress(void *context, uint64_t items, struct str cursor);

struct copy {
	struct table *from, *to;
	struct str cursor;       /* empty: from the start; else of an earlier copy's progress */
	copy_progress *progress; /* or NULL */
	void *context;
	const bool *stop; /* looked at between pages; NULL: never */
};

/*
 * Puts every item of `from` into `to`, over what is there under its key; *items of them. Trouble
 * that passes is waited out (table/patience.h). TABLE_DEADLINE when it was stopped. On any failure *why, in the arena,
 * is a sentence, and the last progress tells where to go on.
 */
enum table_rc table_copy(
    const struct copy *copy, struct arena *arena, uint64_t *items, struct str *why);

/* What a table holds, in numbers: independent of the order in which an engine gives its items. */
struct table_sum {
	uint64_t items;
	uint64_t bytes; /* by item_size() */
	unsigned char digest[32];
};

/* Reads the whole table. Fails as table_copy() does. */
enum table_rc table_sum(struct table *table, copy_progress *progress, void *context,
    struct arena *arena, struct table_sum *out, struct str *why);

bool table_sum_eq(const struct table_sum *a, const struct table_sum *b);

/* The digest as 64 hexadecimal digits. */
struct str table_sum_text(struct arena *arena, const struct table_sum *sum);

#endif
