#ifndef MODEL_SITE_FORMAT_H
#define MODEL_SITE_FORMAT_H

#include "table/table.h"

/*
 * Of which form the items of the table are: what docs/table.md says has changed, and who knows only the old form would
 * count wrongly. So an item of the table says it,
 *
 *	SITE / FORMAT        Carried, Cursor, Format
 *
 * and whoever opens a table of a later format than it knows refuses (server/store.c). A program that writes notes its own
 * format first; what older ones have left is carried over by `broadsheet table upgrade` (model/site/upgrade.h).
 *
 *	1    all of a post's numbers in its Stats, those of people, categories and tags in their own items
 *	2    counters in items of their own; threads have tallies
 */
enum { FORMAT_NOW = 2 };

struct format {
	int64_t format;    /* a program has to know it to open the table; 1: of a table without the item */
	int64_t carried;   /* all items have this form */
	struct str cursor; /* where the upgrade goes on; empty: from the start */
	bool has_content;  /* of a table without the item, in format_begin(): it is not a new one */
};

enum table_rc format_get(struct table *table, struct table_call *call, struct format *out);

/*
 * Who is about to write notes the present format, and in a table without content that nothing is to be carried over.
 * *out is what it then is.
 */
enum table_rc format_begin(struct table *table, struct table_call *call, struct format *out);

/* How far the upgrade is. */
enum table_rc format_keep_cursor(struct table *table, struct table_call *call, struct str cursor);
/* All items are of the present form; or some of an older one have been imported. */
enum table_rc format_set_carried(struct table *table, struct table_call *call, bool carried);

#endif
