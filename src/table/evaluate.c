#include "table/evaluate.h"

#include "base/arena.h"
#include "table/rules.h"

#include <string.h>

/* --- Conditions ----------------------------------------------------------------------------- */

/* Compares two values of the same type: below, at or above 0. */
static int
order(const struct value *a, const struct value *b)
{
	if (a->kind == VALUE_NUMBER)
		return (a->number > b->number) - (a->number < b->number);
	return str_cmp(a->string, b->string);
}

static bool
ordered(const struct value *a, const struct value *b)
{
	return a->kind == b->kind &&
	       (a->kind == VALUE_STRING || a->kind == VALUE_NUMBER || a->kind == VALUE_BINARY);
}

static bool
contains(const struct value *whole, const struct value *part)
{
	switch (whole->kind) {
	case VALUE_STRING:
	case VALUE_BINARY:
		if (part->kind != whole->kind)
			return false;
		return part->string.len == 0 ||
		       (whole->string.len != 0 && memmem(whole->string.base, whole->string.len,
						      part->string.base, part->string.len) != NULL);
	case VALUE_STRING_SET:
		for (size_t i = 0; i < whole->set.count; i++)
			if (part->kind == VALUE_STRING &&
			    str_eq(whole->set.members[i], part->string))
				return true;
		return false;
	case VALUE_LIST:
		for (size_t i = 0; i < whole->list.count; i++)
			if (value_eq(&whole->list.values[i], part))
				return true;
		return false;
	case VALUE_NUMBER:
	case VALUE_BOOLEAN:
	case VALUE_NULL:
	case VALUE_MAP: return false;
	}
	return false;
}

static bool
leaf_holds(const struct condition *c, const struct value *v)
{
	switch (c->op) {
	case COND_EXISTS: return v != NULL;
	case COND_MISSING: return v == NULL;
	case COND_EQ: return v != NULL && value_eq(v, &c->value);
	case COND_NE: return v == NULL || !value_eq(v, &c->value);
	case COND_LT: return v != NULL && ordered(v, &c->value) && order(v, &c->value) < 0;
	case COND_LE: return v != NULL && ordered(v, &c->value) && order(v, &c->value) <= 0;
	case COND_GT: return v != NULL && ordered(v, &c->value) && order(v, &c->value) > 0;
	case COND_GE: return v != NULL && ordered(v, &c->value) && order(v, &c->value) >= 0;
	case COND_BETWEEN:
		return v != NULL && ordered(v, &c->value) && order(v, &c->value) >= 0 &&
		       order(v, &c->high) <= 0;
	case COND_BEGINS:
		return v != NULL && v->kind == c->value.kind &&
		       str_starts(v->string, c->value.string);
	case COND_CONTAINS: return v != NULL && contains(v, &c->value);
	case COND_ALWAYS:
	case COND_ALL:
	case COND_ANY:
	case COND_NOT: break;
	}
	return true;
}

bool
condition_holds(const struct condition *condition, const struct item *item)
{
	if (condition == NULL)
		return true;
	switch (condition->op) {
	case COND_ALL:
		for (size_t i = 0; i < condition->count; i++)
			if (!condition_holds(&condition->children[i], item))
				return false;
		return true;
	case COND_ANY:
		for (size_t i = 0; i < condition->count; i++)
			if (condition_holds(&condition->children[i], item))
				return true;
		return false;
	case COND_NOT: return !condition_holds(condition->children, item);
	default:
		return leaf_holds(condition, item != NULL ? item_get(item, condition->name) : NULL);
	}
}

/* --- Changes -------------------------------------------------------------------------------- */

static const char *
add_number(struct arena *arena, struct item *item, const struct change *change)
{
	const struct value *old = item_get(item, change->name);
	int64_t sum = change->value.number;

	if (old != NULL && old->kind != VALUE_NUMBER)
		return "a number is added to what is none";
	if (old != NULL && __builtin_add_overflow(old->number, sum, &sum))
		return "a number grows beyond 64 bits";
	item_set(arena, item, change->name, value_number(sum));
	return NULL;
}

static const char *
add_members(struct arena *arena, struct item *item, const struct change *change)
{
	const struct value *old = item_get(item, change->name);
	size_t had = 0;
	struct str *all;

	if (old != NULL && old->kind != VALUE_STRING_SET)
		return "members are added to what is no set";
	if (old != NULL)
		had = old->set.count;
	all = ARENA_ARRAY(arena, had + change->value.set.count, struct str);
	if (had != 0)
		memcpy(all, old->set.members, had * sizeof(*all));
	memcpy(all + had, change->value.set.members, change->value.set.count * sizeof(*all));
	item_set(arena, item, change->name, value_set(arena, all, had + change->value.set.count));
	return NULL;
}

static const char *
delete_members(struct arena *arena, struct item *item, const struct change *change)
{
	const struct value *old = item_get(item, change->name);
	size_t kept = 0;
	struct str *left;

	if (old == NULL)
		return NULL;
	if (old->kind != VALUE_STRING_SET)
		return "members are deleted from what is no set";
	left = ARENA_ARRAY(arena, old->set.count, struct str);
	for (size_t i = 0; i < old->set.count; i++) {
		bool goes = false;

		for (size_t j = 0; j < change->value.set.count && !goes; j++)
			goes = str_eq(old->set.members[i], change->value.set.members[j]);
		if (!goes)
			left[kept++] = old->set.members[i];
	}
	if (kept == 0)
		item_remove(item, change->name);
	else
		item_set(arena, item, change->name, value_set(arena, left, kept));
	return NULL;
}

static const char *
apply_change(struct arena *arena, struct item *item, const struct change *change)
{
	switch (change->op) {
	case CHANGE_SET: item_set(arena, item, change->name, change->value); return NULL;
	case CHANGE_SET_IF_ABSENT:
		if (item_get(item, change->name) == NULL)
			item_set(arena, item, change->name, change->value);
		return NULL;
	case CHANGE_REMOVE: item_remove(item, change->name); return NULL;
	case CHANGE_ADD: return add_number(arena, item, change);
	case CHANGE_SET_ADD: return add_members(arena, item, change);
	case CHANGE_SET_DELETE: return delete_members(arena, item, change);
	}
	return NULL;
}

static const char *
apply_update(
    struct arena *arena, const struct write *write, const struct item *old, struct item *new)
{
	if (old != NULL) {
		*new = item_shallow(arena, old);
	} else {
		item_set(arena, new, table_pk_name(TABLE_PRIMARY), value_string(write->key.pk));
		item_set(arena, new, table_sk_name(TABLE_PRIMARY), value_string(write->key.sk));
	}
	for (size_t i = 0; i < write->change_count; i++) {
		const char *error = apply_change(arena, new, &write->changes[i]);

		if (error != NULL)
			return error;
	}
	return rules_item(new);
}

const char *
write_apply(
    struct arena *arena, const struct write *write, const struct item *old, struct item **new)
{
	*new = NULL;
	switch (write->kind) {
	case WRITE_DELETE:
	case WRITE_CHECK: return NULL;
	case WRITE_PUT:
		*new = ARENA_NEW(arena, struct item);
		**new = write->item;
		return NULL;
	case WRITE_UPDATE:
		*new = ARENA_NEW(arena, struct item);
		return apply_update(arena, write, old, *new);
	}
	return NULL;
}
