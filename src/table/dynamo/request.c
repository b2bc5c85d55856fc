#include "table/dynamo/request.h"

#include "base/arena.h"
#include "table/json.h"

/* --- Expressions ------------------------------------------------------------------------------ */

/*
 * DynamoDB's expressions: text in which names and values are placeholders (`#0 = :0`), and two maps
 * of what the placeholders mean.
 */
struct expression {
	struct arena *arena;
	struct buf names, values;
	unsigned name_count, value_count;
};

static struct expression
expression_new(struct arena *arena)
{
	return (struct expression){
	    .arena = arena, .names = {.arena = arena}, .values = {.arena = arena}};
}

/* A placeholder of a name or a value: `#0`, `:0`. */
static void
put_mark(struct buf *out, char sigil, unsigned number)
{
	buf_putc(out, sigil);
	buf_int(out, number);
}

/* Writes the placeholder into the expression, and begins its entry in the map. */
static void
mark(struct buf *out, struct buf *meanings, char sigil, unsigned number)
{
	put_mark(out, sigil, number);
	buf_put(meanings, number > 0 ? STR(",\"") : STR("\""));
	put_mark(meanings, sigil, number);
	BUF_PUT(meanings, "\":");
}

/* Writes a placeholder for this name, or this value. */
static void
expression_name(struct expression *e, struct buf *out, struct str name)
{
	mark(out, &e->names, '#', e->name_count++);
	json_put_string(&e->names, name);
}

static void
expression_value(struct expression *e, struct buf *out, struct value value)
{
	mark(out, &e->values, ':', e->value_count++);
	value_to_json(&e->values, &value);
}

/* Writes `,"ExpressionAttributeNames":{…},"ExpressionAttributeValues":{…}`, each if it has any. */
static void
expression_finish(const struct expression *e, struct buf *out)
{
	if (e->name_count > 0) {
		BUF_PUT(out, ",\"ExpressionAttributeNames\":{");
		buf_put(out, buf_str(&e->names));
		BUF_PUT(out, "}");
	}
	if (e->value_count > 0) {
		BUF_PUT(out, ",\"ExpressionAttributeValues\":{");
		buf_put(out, buf_str(&e->values));
		BUF_PUT(out, "}");
	}
}

/* --- Conditions ------------------------------------------------------------------------------ */

static void expression_condition(
    struct expression *e, struct buf *out, const struct condition *condition);

/* `name op value` */
static void
comparison(struct expression *e, struct buf *out, const struct condition *c, struct str op)
{
	expression_name(e, out, c->name);
	buf_put(out, op);
	expression_value(e, out, c->value);
}

/* `function(name)` or `function(name, value)` */
static void
function(struct expression *e, struct buf *out, const struct condition *c, struct str name,
    bool has_value)
{
	buf_put(out, name);
	BUF_PUT(out, "(");
	expression_name(e, out, c->name);
	if (has_value) {
		BUF_PUT(out, ", ");
		expression_value(e, out, c->value);
	}
	BUF_PUT(out, ")");
}

/* DynamoDB has no literals for true and false. */
static void
constant(struct expression *e, struct buf *out, bool truth)
{
	BUF_PUT(out, "attribute_exists(");
	expression_name(e, out, table_pk_name(TABLE_PRIMARY));
	buf_put(
	    out, truth ? STR(") OR attribute_not_exists(") : STR(") AND attribute_not_exists("));
	expression_name(e, out, table_pk_name(TABLE_PRIMARY));
	BUF_PUT(out, ")");
}

static void
children(struct expression *e, struct buf *out, const struct condition *c, struct str between)
{
	/* DynamoDB refuses redundant parentheses. */
	if (c->count == 1) {
		expression_condition(e, out, c->children);
		return;
	}
	for (size_t i = 0; i < c->count; i++) {
		if (i > 0)
			buf_put(out, between);
		BUF_PUT(out, "(");
		expression_condition(e, out, &c->children[i]);
		BUF_PUT(out, ")");
	}
	if (c->count == 0)
		constant(e, out, c->op == COND_ALL);
}

/* Writes a condition. */
static void
expression_condition(struct expression *e, struct buf *out, const struct condition *c)
{
	switch (c->op) {
	case COND_ALWAYS: constant(e, out, true); return;
	case COND_EXISTS: function(e, out, c, STR("attribute_exists"), false); return;
	case COND_MISSING: function(e, out, c, STR("attribute_not_exists"), false); return;
	case COND_EQ: comparison(e, out, c, STR(" = ")); return;
	case COND_NE: comparison(e, out, c, STR(" <> ")); return;
	case COND_LT: comparison(e, out, c, STR(" < ")); return;
	case COND_LE: comparison(e, out, c, STR(" <= ")); return;
	case COND_GT: comparison(e, out, c, STR(" > ")); return;
	case COND_GE: comparison(e, out, c, STR(" >= ")); return;
	case COND_BETWEEN:
		comparison(e, out, c, STR(" BETWEEN "));
		BUF_PUT(out, " AND ");
		expression_value(e, out, c->high);
		return;
	case COND_BEGINS: function(e, out, c, STR("begins_with"), true); return;
	case COND_CONTAINS: function(e, out, c, STR("contains"), true); return;
	case COND_ALL: children(e, out, c, STR(" AND ")); return;
	case COND_ANY: children(e, out, c, STR(" OR ")); return;
	case COND_NOT:
		BUF_PUT(out, "NOT (");
		expression_condition(e, out, c->children);
		BUF_PUT(out, ")");
		return;
	}
}

static bool
has_condition(const struct write *write)
{
	/* A check consists of its condition, and DynamoDB requires one. */
	return write->condition != NULL &&
	       (write->condition->op != COND_ALWAYS || write->kind == WRITE_CHECK);
}

bool
write_has_sum(const struct write *write)
{
	for (size_t i = 0; write->kind == WRITE_UPDATE && i < write->change_count; i++) {
		if (write->changes[i].op == CHANGE_ADD)
			return true;
	}
	return false;
}

/*
 * The sum stays within 64 bits. A value that is not a number fails as well, as it would in the sum.
 */
static void
sum_guard(struct expression *e, struct buf *out, const struct change *change)
{
	int64_t add = change->value.number;
	struct condition parts[] = {
	    {.op = COND_MISSING, .name = change->name},
	    {.op = add >= 0 ? COND_LE : COND_GE,
		.name = change->name,
		.value = value_number(add >= 0 ? INT64_MAX - add : INT64_MIN - add)},
	};

	expression_condition(
	    e, out, &(struct condition){.op = COND_ANY, .children = parts, .count = 2});
}

/*
 * Writes the condition of a write and, with it, that no CHANGE_ADD overflows 64 bits: DynamoDB's
 * own numbers have 38 digits. Nothing when there is nothing to check.
 */
static void
expression_guarded(struct expression *e, struct buf *out, const struct write *write)
{
	bool own = has_condition(write), sums = write_has_sum(write), first = !own;

	if (own) {
		buf_put(out, sums ? STR("(") : STR(""));
		expression_condition(e, out, write->condition);
		buf_put(out, sums ? STR(")") : STR(""));
	}
	for (size_t i = 0; sums && i < write->change_count; i++) {
		if (write->changes[i].op != CHANGE_ADD)
			continue;
		buf_put(out, first ? STR("(") : STR(" AND ("));
		sum_guard(e, out, &write->changes[i]);
		BUF_PUT(out, ")");
		first = false;
	}
}

/* --- Changes --------------------------------------------------------------------------------- */

enum clause { SET, REMOVE, ADD, DELETE };

/* DynamoDB's clause for each kind of change, in the order of enum change_op. */
static const enum clause clauses[] = {SET, SET, ADD, REMOVE, ADD, DELETE};

static void
change(struct expression *e, struct buf *out, const struct change *c)
{
	expression_name(e, out, c->name);
	switch (c->op) {
	case CHANGE_SET:
		BUF_PUT(out, " = ");
		expression_value(e, out, c->value);
		return;
	case CHANGE_SET_IF_ABSENT:
		BUF_PUT(out, " = if_not_exists(");
		expression_name(e, out, c->name);
		BUF_PUT(out, ", ");
		expression_value(e, out, c->value);
		BUF_PUT(out, ")");
		return;
	case CHANGE_REMOVE: return;
	case CHANGE_ADD:
	case CHANGE_SET_ADD:
	case CHANGE_SET_DELETE:
		BUF_PUT(out, " ");
		expression_value(e, out, c->value);
		return;
	}
}

/* Writes the changes of an update. */
static void
expression_changes(struct expression *e, struct buf *out, const struct write *write)
{
	static const struct str words[] = {[SET] = STR_INIT("SET "),
	    [REMOVE] = STR_INIT("REMOVE "),
	    [ADD] = STR_INIT("ADD "),
	    [DELETE] = STR_INIT("DELETE ")};

	for (enum clause clause = SET; clause <= DELETE; clause++) {
		bool first = true;

		for (size_t i = 0; i < write->change_count; i++) {
			const struct change *c = &write->changes[i];

			if (clauses[c->op] != clause)
				continue;
			if (!first)
				BUF_PUT(out, ", ");
			else if (out->len > 0)
				BUF_PUT(out, " ");
			if (first)
				buf_put(out, words[clause]);
			change(e, out, c);
			first = false;
		}
	}
}

/* --- Requests --------------------------------------------------------------------------------- */

static void
put_typed(struct buf *out, struct str name, struct str value)
{
	json_put_string(out, name);
	BUF_PUT(out, ":{\"S\":");
	json_put_string(out, value);
	BUF_PUT(out, "}");
}

/* `"PK":{"S":"…"},"SK":{"S":"…"}`. */
static void
put_key(struct buf *out, struct key key)
{
	put_typed(out, table_pk_name(TABLE_PRIMARY), key.pk);
	BUF_PUT(out, ",");
	put_typed(out, table_sk_name(TABLE_PRIMARY), key.sk);
}

/* `{"TableName":"…"`, to be closed by finish(). */
static void
begin(struct buf *out, struct str table)
{
	BUF_PUT(out, "{\"TableName\":");
	json_put_string(out, table);
}

static struct str
finish(struct buf *out)
{
	BUF_PUT(out, ",\"ReturnConsumedCapacity\":\"TOTAL\"}");
	return buf_str(out);
}

static void
put_consistent(struct buf *out, bool consistent)
{
	if (consistent)
		BUF_PUT(out, ",\"ConsistentRead\":true");
}

/* --- Reads ----------------------------------------------------------------------------------- */

struct str
dynamo_request_get(struct arena *arena, struct str table, const struct read *read)
{
	struct buf out = {.arena = arena};

	begin(&out, table);
	BUF_PUT(&out, ",\"Key\":{");
	put_key(&out, read->key);
	BUF_PUT(&out, "}");
	put_consistent(&out, read->consistent);
	return finish(&out);
}

struct str
dynamo_request_batch(
    struct arena *arena, struct str table, const struct read *read, const bool *wanted)
{
	struct buf out = {.arena = arena};
	bool first = true;

	BUF_PUT(&out, "{\"RequestItems\":{");
	json_put_string(&out, table);
	BUF_PUT(&out, ":{\"Keys\":[");
	for (size_t i = 0; i < read->batch.count; i++) {
		if (!wanted[i])
			continue;
		buf_put(&out, first ? STR("{") : STR(",{"));
		put_key(&out, read->batch.keys[i]);
		BUF_PUT(&out, "}");
		first = false;
	}
	BUF_PUT(&out, "]");
	put_consistent(&out, read->consistent);
	BUF_PUT(&out, "}}");
	return finish(&out);
}

/* The part of a key condition for the sort key. */
static void
put_range(struct expression *e, struct buf *out, const struct query *query)
{
	static const enum condition_op ops[] = {
	    [SORT_EQ] = COND_EQ,
	    [SORT_LT] = COND_LT,
	    [SORT_LE] = COND_LE,
	    [SORT_GT] = COND_GT,
	    [SORT_GE] = COND_GE,
	    [SORT_BETWEEN] = COND_BETWEEN,
	    [SORT_BEGINS] = COND_BEGINS,
	};

	if (query->op == SORT_ANY || (query->op == SORT_BEGINS && query->low.len == 0))
		return;
	BUF_PUT(out, " AND ");
	expression_condition(e, out,
	    &(struct condition){
		.op = ops[query->op],
		.name = table_sk_name(query->index),
		.value = value_string(query->low),
		.high = value_string(query->high),
	    });
}

static void
put_start(struct buf *out, const struct query *query, const struct cursor_key *start)
{
	BUF_PUT(out, ",\"ExclusiveStartKey\":{");
	put_key(out, start->key);
	if (query->index != TABLE_PRIMARY) {
		BUF_PUT(out, ",");
		put_typed(out, table_pk_name(query->index), query->partition);
		BUF_PUT(out, ",");
		put_typed(out, table_sk_name(query->index), start->place);
	}
	BUF_PUT(out, "}");
}

struct str
dynamo_request_query(struct arena *arena, struct str table, const struct query *query,
    uint32_t limit, const struct cursor_key *start)
{
	struct buf out = {.arena = arena}, condition = {.arena = arena};
	struct expression e = expression_new(arena);

	expression_name(&e, &condition, table_pk_name(query->index));
	BUF_PUT(&condition, " = ");
	expression_value(&e, &condition, value_string(query->partition));
	put_range(&e, &condition, query);
	begin(&out, table);
	if (query->index != TABLE_PRIMARY) {
		BUF_PUT(&out, ",\"IndexName\":\"GSI");
		buf_int(&out, query->index);
		BUF_PUT(&out, "\"");
	}
	buf_put(&out, STR(",\"KeyConditionExpression\":"));
	json_put_string(&out, buf_str(&condition));
	expression_finish(&e, &out);
	BUF_PUT(&out, ",\"Limit\":");
	buf_int(&out, limit);
	if (query->descending)
		BUF_PUT(&out, ",\"ScanIndexForward\":false");
	put_consistent(&out, query->consistent);
	if (start != NULL)
		put_start(&out, query, start);
	return finish(&out);
}

struct str
dynamo_request_scan(struct arena *arena, struct str table, uint32_t limit, const struct key *start)
{
	struct buf out = {.arena = arena};

	begin(&out, table);
	BUF_PUT(&out, ",\"Limit\":");
	buf_int(&out, limit);
	put_consistent(&out, true);
	if (start != NULL) {
		BUF_PUT(&out, ",\"ExclusiveStartKey\":{");
		put_key(&out, *start);
		BUF_PUT(&out, "}");
	}
	return finish(&out);
}

/* --- Writes ---------------------------------------------------------------------------------- */

/* Writes the write from its table's name to its expressions, without closing it. */
static void
put_write(struct buf *out, struct str table, const struct write *write)
{
	struct buf condition = {.arena = out->arena}, changes = {.arena = out->arena};
	struct expression e = expression_new(out->arena);

	begin(out, table);
	if (write->kind == WRITE_PUT) {
		BUF_PUT(out, ",\"Item\":");
		item_to_json(out, &write->item);
	} else {
		BUF_PUT(out, ",\"Key\":{");
		put_key(out, write->key);
		BUF_PUT(out, "}");
	}
	if (write->kind == WRITE_UPDATE)
		expression_changes(&e, &changes, write);
	expression_guarded(&e, &condition, write);
	if (changes.len > 0) {
		BUF_PUT(out, ",\"UpdateExpression\":");
		json_put_string(out, buf_str(&changes));
	}
	if (condition.len > 0) {
		BUF_PUT(out, ",\"ConditionExpression\":");
		json_put_string(out, buf_str(&condition));
		BUF_PUT(out, ",\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"");
	}
	expression_finish(&e, out);
}

struct str
dynamo_request_write(
    struct arena *arena, struct str table, const struct write *write, const char **operation)
{
	static const char *const operations[] = {
	    [WRITE_PUT] = "PutItem", [WRITE_UPDATE] = "UpdateItem", [WRITE_DELETE] = "DeleteItem"};
	struct buf out = {.arena = arena};

	*operation = operations[write->kind];
	put_write(&out, table, write);
	if (write->returns != RETURN_NONE)
		buf_put(&out, write->returns == RETURN_OLD ? STR(",\"ReturnValues\":\"ALL_OLD\"")
							   : STR(",\"ReturnValues\":\"ALL_NEW\""));
	return finish(&out);
}

struct str
dynamo_request_write_batch(
    struct arena *arena, struct str table, const struct write *writes, size_t count)
{
	struct buf out = {.arena = arena};

	BUF_PUT(&out, "{\"RequestItems\":{");
	json_put_string(&out, table);
	BUF_PUT(&out, ":[");
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			BUF_PUT(&out, ",");
		if (writes[i].kind == WRITE_PUT) {
			BUF_PUT(&out, "{\"PutRequest\":{\"Item\":");
			item_to_json(&out, &writes[i].item);
		} else {
			BUF_PUT(&out, "{\"DeleteRequest\":{\"Key\":{");
			put_key(&out, writes[i].key);
			BUF_PUT(&out, "}");
		}
		BUF_PUT(&out, "}}");
	}
	BUF_PUT(&out, "]}");
	return finish(&out);
}

struct str
dynamo_request_unwritten(struct arena *arena, struct str unwritten)
{
	struct buf out = {.arena = arena};

	BUF_PUT(&out, "{\"RequestItems\":");
	buf_put(&out, unwritten);
	return finish(&out);
}

struct str
dynamo_request_transact(struct arena *arena, struct str table, const struct write *writes,
    size_t count, struct str token)
{
	static const struct str actions[] = {[WRITE_PUT] = STR_INIT("{\"Put\":"),
	    [WRITE_UPDATE] = STR_INIT("{\"Update\":"),
	    [WRITE_DELETE] = STR_INIT("{\"Delete\":"),
	    [WRITE_CHECK] = STR_INIT("{\"ConditionCheck\":")};
	struct buf out = {.arena = arena};

	BUF_PUT(&out, "{\"TransactItems\":[");
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			BUF_PUT(&out, ",");
		buf_put(&out, actions[writes[i].kind]);
		put_write(&out, table, &writes[i]);
		BUF_PUT(&out, "}}");
	}
	BUF_PUT(&out, "],\"ClientRequestToken\":");
	json_put_string(&out, token);
	return finish(&out);
}
