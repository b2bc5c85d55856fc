#include "spell.h"

#include <ctype.h>
#include <inttypes.h>

/* Long runs of one byte are shortened to their length, for keys of 2,048 bytes. */
enum { RUN_MIN = 24 };

static size_t
run_at(struct str s, size_t at)
{
	size_t end = at;

	while (end < s.len && s.base[end] == s.base[at])
		end++;
	return end - at;
}

void
spell_string(struct buf *out, struct str s)
{
	buf_putc(out, '\'');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.base[i];
		size_t run = run_at(s, i);

		if (c < 0x20 || c >= 0x7f || c == '\'' || c == '\\')
			buf_fmt(out, "\\x%02x", c);
		else
			buf_putc(out, (char)c);
		if (run >= RUN_MIN) {
			buf_fmt(out, "\\*%zu.", run);
			i += run - 1;
		}
	}
	buf_putc(out, '\'');
}

/* A name of letters and digits is written as it is. */
static void
spell_name(struct buf *out, struct str name)
{
	bool plain = name.len != 0;

	for (size_t i = 0; i < name.len; i++)
		plain = plain && isalnum((unsigned char)name.base[i]);
	if (plain)
		buf_put(out, name);
	else
		spell_string(out, name);
}

static void
spell_attributes(struct buf *out, const struct item *item)
{
	buf_putc(out, '{');
	for (size_t i = 0; i < item->count; i++) {
		if (i != 0)
			BUF_PUT(out, ", ");
		spell_name(out, item->attributes[i].name);
		BUF_PUT(out, ": ");
		spell_value(out, &item->attributes[i].value);
	}
	buf_putc(out, '}');
}

void
spell_value(struct buf *out, const struct value *value)
{
	switch (value->kind) {
	case VALUE_STRING: spell_string(out, value->string); break;
	case VALUE_NUMBER: buf_fmt(out, "%" PRId64, value->number); break;
	case VALUE_BOOLEAN: buf_put(out, value->boolean ? STR("true") : STR("false")); break;
	case VALUE_NULL: BUF_PUT(out, "null"); break;
	case VALUE_BINARY:
		BUF_PUT(out, "binary ");
		spell_string(out, value->string);
		break;
	case VALUE_LIST:
		buf_putc(out, '[');
		for (size_t i = 0; i < value->list.count; i++) {
			if (i != 0)
				BUF_PUT(out, ", ");
			spell_value(out, &value->list.values[i]);
		}
		buf_putc(out, ']');
		break;
	case VALUE_MAP: spell_attributes(out, &value->map); break;
	case VALUE_STRING_SET:
		BUF_PUT(out, "set(");
		for (size_t i = 0; i < value->set.count; i++) {
			if (i != 0)
				BUF_PUT(out, ", ");
			spell_string(out, value->set.members[i]);
		}
		buf_putc(out, ')');
		break;
	}
}

void
spell_item(struct buf *out, const struct item *item)
{
	if (item == NULL)
		BUF_PUT(out, "nothing");
	else
		spell_attributes(out, item);
}

void
spell_key(struct buf *out, struct key key)
{
	spell_string(out, key.pk);
	BUF_PUT(out, " / ");
	spell_string(out, key.sk);
}

void
spell_condition(struct buf *out, const struct condition *condition)
{
	static const char *const ops[] = {[COND_ALWAYS] = "always",
	    [COND_EXISTS] = "exists",
	    [COND_MISSING] = "missing",
	    [COND_EQ] = "=",
	    [COND_NE] = "<>",
	    [COND_LT] = "<",
	    [COND_LE] = "<=",
	    [COND_GT] = ">",
	    [COND_GE] = ">=",
	    [COND_BETWEEN] = "between",
	    [COND_BEGINS] = "begins",
	    [COND_CONTAINS] = "contains",
	    [COND_ALL] = "all",
	    [COND_ANY] = "any",
	    [COND_NOT] = "not"};
	bool compares = condition->op >= COND_EQ && condition->op <= COND_CONTAINS;

	buf_fmt(out, "%s(", ops[condition->op]);
	if (compares || condition->op == COND_EXISTS || condition->op == COND_MISSING)
		spell_name(out, condition->name);
	if (compares) {
		BUF_PUT(out, ", ");
		spell_value(out, &condition->value);
	}
	if (condition->op == COND_BETWEEN) {
		BUF_PUT(out, ", ");
		spell_value(out, &condition->high);
	}
	for (size_t i = 0; i < condition->count; i++) {
		if (i != 0)
			BUF_PUT(out, ", ");
		spell_condition(out, &condition->children[i]);
	}
	buf_putc(out, ')');
}

static void
spell_change(struct buf *out, const struct change *change)
{
	static const char *const ops[] = {[CHANGE_SET] = "set",
	    [CHANGE_SET_IF_ABSENT] = "set if absent",
	    [CHANGE_ADD] = "add",
	    [CHANGE_REMOVE] = "remove",
	    [CHANGE_SET_ADD] = "set-add",
	    [CHANGE_SET_DELETE] = "set-delete"};

	buf_fmt(out, "; %s ", ops[change->op]);
	spell_name(out, change->name);
	if (change->op != CHANGE_REMOVE) {
		buf_putc(out, ' ');
		spell_value(out, &change->value);
	}
}

void
spell_write(struct buf *out, const struct write *write)
{
	static const char *const kinds[] = {[WRITE_PUT] = "put ",
	    [WRITE_UPDATE] = "update ",
	    [WRITE_DELETE] = "delete ",
	    [WRITE_CHECK] = "check "};
	static const char *const returns[] = {
	    [RETURN_NONE] = "", [RETURN_OLD] = " returning old", [RETURN_NEW] = " returning new"};

	buf_put(out, str_of(kinds[write->kind]));
	if (write->kind == WRITE_PUT)
		spell_item(out, &write->item);
	else
		spell_key(out, write->key);
	for (size_t i = 0; write->kind == WRITE_UPDATE && i < write->change_count; i++)
		spell_change(out, &write->changes[i]);
	if (write->condition != NULL) {
		BUF_PUT(out, " if ");
		spell_condition(out, write->condition);
	}
	buf_put(out, str_of(returns[write->returns]));
}

void
spell_query(struct buf *out, const struct query *query)
{
	static const char *const ops[] = {[SORT_ANY] = "any",
	    [SORT_EQ] = "=",
	    [SORT_LT] = "<",
	    [SORT_LE] = "<=",
	    [SORT_GT] = ">",
	    [SORT_GE] = ">=",
	    [SORT_BETWEEN] = "between",
	    [SORT_BEGINS] = "begins"};

	buf_fmt(out, "query %d ", (int)query->index);
	spell_string(out, query->partition);
	buf_fmt(out, " sort %s ", ops[query->op]);
	if (query->op != SORT_ANY)
		spell_string(out, query->low);
	if (query->op == SORT_BETWEEN) {
		BUF_PUT(out, " and ");
		spell_string(out, query->high);
	}
	buf_put(out, query->descending ? STR(" descending") : STR(" ascending"));
}

const char *
spell_rc(enum table_rc rc)
{
	static const char *const names[] = {[TABLE_OK] = "TABLE_OK",
	    [TABLE_CONDITION] = "TABLE_CONDITION",
	    [TABLE_CANCELLED] = "TABLE_CANCELLED",
	    [TABLE_CONFLICT] = "TABLE_CONFLICT",
	    [TABLE_INVALID] = "TABLE_INVALID",
	    [TABLE_BAD_CURSOR] = "TABLE_BAD_CURSOR",
	    [TABLE_TOKEN_USED] = "TABLE_TOKEN_USED",
	    [TABLE_TRIMMED] = "TABLE_TRIMMED",
	    [TABLE_DEADLINE] = "TABLE_DEADLINE",
	    [TABLE_THROTTLED] = "TABLE_THROTTLED",
	    [TABLE_FULL] = "TABLE_FULL",
	    [TABLE_UNAVAILABLE] = "TABLE_UNAVAILABLE",
	    [TABLE_CORRUPT] = "TABLE_CORRUPT"};

	return (size_t)rc < sizeof(names) / sizeof(names[0]) ? names[rc] : "an unknown answer";
}
