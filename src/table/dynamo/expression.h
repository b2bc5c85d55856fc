#ifndef TABLE_DYNAMO_EXPRESSION_H
#define TABLE_DYNAMO_EXPRESSION_H

#include "table/json.h"
#include "table/table.h"

/*
 * DynamoDB's expressions: text in which names and values stand as placeholders (`#0 = :0`), and two
 * maps that say what the placeholders mean.
 */
struct expression {
	struct arena *arena;
	struct buf names, values;
	unsigned name_count, value_count;
};

struct expression expression_new(struct arena *arena);

/* Writes a placeholder that stands for this name, or this value. */
void expression_name(struct expression *e, struct buf *out, struct str name);
void expression_value(struct expression *e, struct buf *out, struct value value);

/* Writes a condition. */
void expression_condition(struct expression *e, struct buf *out, const struct condition *condition);

/*
 * Writes the condition of a write and, with it, that no CHANGE_ADD leaves 64 bits: DynamoDB's own
 * numbers have 38 digits. Nothing when there is nothing to check.
 */
void expression_guarded(struct expression *e, struct buf *out, const struct write *write);

/* Writes the changes of an update. */
void expression_changes(struct expression *e, struct buf *out, const struct write *write);

/* Writes `,"ExpressionAttributeNames":{…},"ExpressionAttributeValues":{…}`, each if it has any. */
void expression_finish(const struct expression *e, struct buf *out);

/* Is there a CHANGE_ADD in the write? */
bool write_has_sum(const struct write *write);

#endif
