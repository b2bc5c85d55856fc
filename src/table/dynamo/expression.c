#include "table/dynamo/expression.h"

#include "base/arena.h"

struct expression
expression_new(struct arena *arena)
{
	return (struct expression){
	    .arena = arena, .names = {.arena = arena}, .values = {.arena = arena}};
}

/* What stands for a name or a value: `#0`, `:0`. */
static void
put_mark(struct buf *out, char sigil, unsigned number)
{
	buf_putc(out, sigil);
	buf_int(out, number);
}

/* The mark in an expression, and the beginning of its place among what the marks stand for. */
static void
mark(struct buf *out, struct buf *meanings, char sigil, unsigned number)
{
	put_mark(out, sigil, number);
	buf_put(meanings, number > 0 ? STR(",\"") : STR("\""));
	put_mark(meanings, sigil, number);
	BUF_PUT(meanings, "\":");
}

void
expression_name(struct expression *e, struct buf *out, struct str name)
{
	mark(out, &e->names, '#', e->name_count++);
	json_put_string(&e->names, name);
}

void
expression_value(struct expression *e, struct buf *out, struct value value)
{
	mark(out, &e->values, ':', e->value_count++);
	value_to_json(&e->values, &value);
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
children(struct expression *e, struct buf *out, const struct condition *c, struct str between)
{
	/* DynamoDB refuses parentheses that are not needed. */
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

void
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

void
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
