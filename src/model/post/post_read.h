#ifndef MODEL_POST_POST_READ_H
#define MODEL_POST_POST_READ_H

#include "table/table.h"

/*
 * A post is three items: its head, its body and its numbers. A distributed table reads each at a
 * different moment, so that a save may come in between: the text of one save with the head of
 * another, which might say that everybody may read what is private by now. So head and body both
 * say to which save they belong.
 */
enum { POST_HEAD, POST_STATS, POST_BODY, POST_READS };

/* The reads of a post by its id, which a page can hand over with others. */
void post_reads(struct arena *arena, struct str id, bool consistent, struct read reads[POST_READS]);

/* Is the text, which may be NULL, of another save than the head that counts so many? */
bool post_torn(int64_t revisions, const struct item *body);

/*
 * What was read again, consistently, until head and text belong together. TABLE_CONFLICT when they don't after
 * a few times, or how the table failed.
 */
enum table_rc post_mend(
    struct table *table, struct table_call *call, struct read reads[POST_READS]);

#endif
