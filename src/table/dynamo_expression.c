#include "table/dynamo_expression.h"

#include "base/arena.h"

struct expression
expression_new(struct arena *arena)
{
	return (struct expression){
	    .arena = arena, .names = {.arena = arena}, .values = {.arena = arena}};
}

void
expression_name(struct expression *e, struct buf *out, struct str name)
{
	buf_fmt(out, "#%u", e->name_count);
	buf_fmt(&e->names, "%s\"#%u\":", e->name_count > 0 ? "," : "", e->name_count);
	json_put_string(&e->names, name);
	e->name_count++;
}

void
expression_value(struct expression *e, struct buf *out, struct value value)
{
	buf_fmt(out, ":%u", e->value_count);
	buf_fmt(&e->values, "%s\":%u\":", e->value_count > 0 ? "," : "", e->value_count);
	value_to_json(&e->values, &value);
	e->value_count++;
}

void
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

/* `name op value` */
static void
comparison(struct expression *e, struct buf *out, const struct condition *c, const char *op)
{
	expression_name(e, out, c->name);
	buf_fmt(out, " %s ", op);
	expression_value(e, out, c->value);
}

/* `function(name)` or `function(name, value)` */
static void
function(struct expression *e, struct buf *out, const struct condition *c, const char *name,
    bool has_value)
{
	buf_fmt(out, "%s(", name);
	expression_name(e, out, c->name);
	if (has_value) {
		BUF_PUT(out, ", ");
		expression_value(e, out, c->value);
	}
	BUF_PUT(out, ")");
}

/* DynamoDB has no words for true and false. */
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
children(struct expression *e, struct buf *out, const struct condition *c, const char *between)
{
	/* DynamoDB refuses parentheses that are not needed. */
	if (c->count == 1) {
		expression_condition(e, out, c->children);
		return;
	}
	for (size_t i = 0; i < c->count; i++) {
		if (i > 0)
			buf_fmt(out, " %s ", between);
		BUF_PUT(out, "(");
		expression_condition(e, out, &c->children[i]);
		BUF_PUT(out, ")");
	}
	if (c->count == 0)
		constant(e, out, c->op == COND_ALL);
}

void
expression_condition(struct expression *e, struct buf *out, const struct condition *c)
{
	switch (c->op) {
	case COND_ALWAYS: constant(e, out, true); return;
	case COND_EXISTS: function(e, out, c, "attribute_exists", false); return;
	case COND_MISSING: function(e, out, c, "attribute_not_exists", false); return;
	case COND_EQ: comparison(e, out, c, "="); return;
	case COND_NE: comparison(e, out, c, "<>"); return;
	case COND_LT: comparison(e, out, c, "<"); return;
	case COND_LE: comparison(e, out, c, "<="); return;
	case COND_GT: comparison(e, out, c, ">"); return;
	case COND_GE: comparison(e, out, c, ">="); return;
	case COND_BETWEEN:
		comparison(e, out, c, "BETWEEN");
		BUF_PUT(out, " AND ");
		expression_value(e, out, c->high);
		return;
	case COND_BEGINS: function(e, out, c, "begins_with", true); return;
	case COND_CONTAINS: function(e, out, c, "contains", true); return;
	case COND_ALL: children(e, out, c, "AND"); return;
	case COND_ANY: children(e, out, c, "OR"); return;
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
	/* A check is nothing but its condition, and DynamoDB wants to see one. */
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

bool
write_is_guarded(const struct write *write)
{
	return has_condition(write) || write_has_sum(write);
}

/* The sum stays within 64 bits. What is no number fails too, as it would in the sum. */
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

void
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

/* DynamoDB's clause for each kind of change, in the order of enum change_op. */
static const char *const clauses[] = {"SET", "SET", "ADD", "REMOVE", "ADD", "DELETE"};

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

void
expression_changes(struct expression *e, struct buf *out, const struct write *write)
{
	static const char *const order[] = {"SET", "REMOVE", "ADD", "DELETE"};

	for (size_t clause = 0; clause < sizeof(order) / sizeof(order[0]); clause++) {
		bool first = true;

		for (size_t i = 0; i < write->change_count; i++) {
			const struct change *c = &write->changes[i];

			if (!str_eq(str_of(clauses[c->op]), str_of(order[clause])))
				continue;
			if (first)
				buf_fmt(out, "%s%s ", out->len > 0 ? " " : "", order[clause]);
			else
				BUF_PUT(out, ", ");
			change(e, out, c);
			first = false;
		}
	}
}
