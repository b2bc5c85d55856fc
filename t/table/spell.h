#ifndef T_TABLE_SPELL_H
#define T_TABLE_SPELL_H

#include "base/buf.h"
#include "table/table.h"

/*
 * Requests and items as readable text. What differs has different texts, so they also serve to compare
 * requests. NULL items are "nothing". An item looks like this:
 *
 *	{Count: 3, Page: [1, 'two', {Deep: null}], PK: 'a', SK: 'b\x00', Tags: set('x', 'y')}
 */
void spell_string(struct buf *out, struct str s);
void spell_value(struct buf *out, const struct value *value);
void spell_item(struct buf *out, const struct item *item);
void spell_key(struct buf *out, struct key key);
void spell_condition(struct buf *out, const struct condition *condition);
void spell_write(struct buf *out, const struct write *write);
void spell_query(struct buf *out, const struct query *query); /* without its cursor and limit */

/* Reads an item or a value in that notation, in the arena; aborts on anything else. */
struct item unspell_item(struct arena *arena, const char *text);
struct value unspell_value(struct arena *arena, const char *text);

/* "TABLE_OK" and so on. */
const char *spell_rc(enum table_rc rc);

#endif
