#include "table/dynamo/request.h"

#include "base/arena.h"
#include "table/dynamo/expression.h"

static void
put_typed(struct buf *out, struct str name, struct str value)
{
	json_put_string(out, name);
	BUF_PUT(out, ":{\"S\":");
	json_put_string(out, value);
	BUF_PUT(out, "}");
}

void
dynamo_request_put_key(struct buf *out, struct key key)
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
	dynamo_request_put_key(&out, read->key);
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
		dynamo_request_put_key(&out, read->batch.keys[i]);
		BUF_PUT(&out, "}");
		first = false;
	}
	BUF_PUT(&out, "]");
	put_consistent(&out, read->consistent);
	BUF_PUT(&out, "}}");
	return finish(&out);
}

/* The part of a key condition that is about the sort key. */
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
	dynamo_request_put_key(out, start->key);
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
		dynamo_request_put_key(&out, *start);
		BUF_PUT(&out, "}");
	}
	return finish(&out);
}

/* --- Writes ---------------------------------------------------------------------------------- */

/* The write from its table's name to its expressions, without closing it. */
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
		dynamo_request_put_key(out, write->key);
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
