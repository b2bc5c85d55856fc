#include "memory_rules.h"

#include "base/arena.h"

static bool same(const struct value *a, const struct value *b);

static bool
same_attributes(const struct item *a, const struct item *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!str_eq(a->attributes[i].name, b->attributes[i].name) ||
		    !same(&a->attributes[i].value, &b->attributes[i].value))
			return false;
	return true;
}

static bool
same_list(const struct value *a, const struct value *b)
{
	if (a->list.count != b->list.count)
		return false;
	for (size_t i = 0; i < a->list.count; i++)
		if (!same(&a->list.values[i], &b->list.values[i]))
			return false;
	return true;
}

static bool
same_set(const struct value *a, const struct value *b)
{
	if (a->set.count != b->set.count)
		return false;
	for (size_t i = 0; i < a->set.count; i++)
		if (!str_eq(a->set.members[i], b->set.members[i]))
			return false;
	return true;
}

static bool
same(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_STRING:
	case VALUE_BINARY: return str_eq(a->string, b->string);
	case VALUE_NUMBER: return a->number == b->number;
	case VALUE_BOOLEAN: return a->boolean == b->boolean;
	case VALUE_NULL: return true;
	case VALUE_LIST: return same_list(a, b);
	case VALUE_MAP: return same_attributes(&a->map, &b->map);
	case VALUE_STRING_SET: return same_set(a, b);
	}
	return false;
}

/* Can the two be ordered? If so, *order is below, equal to or above 0. */
static bool
ordered(const struct value *a, const struct value *b, int *order)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == VALUE_NUMBER)
		*order = (a->number > b->number) - (a->number < b->number);
	else if (a->kind == VALUE_STRING || a->kind == VALUE_BINARY)
		*order = str_cmp(a->string, b->string);
	else
		return false;
	return true;
}

static bool
holds_string(struct str text, struct str part)
{
	for (size_t i = 0; i + part.len <= text.len; i++)
		if (str_eq(str_sub(text, i, part.len), part))
			return true;
	return part.len == 0;
}

static bool
contains(const struct value *value, const struct value *part)
{
	if (value->kind == part->kind &&
	    (value->kind == VALUE_STRING || value->kind == VALUE_BINARY))
		return holds_string(value->string, part->string);
	if (value->kind == VALUE_STRING_SET && part->kind == VALUE_STRING)
		for (size_t i = 0; i < value->set.count; i++)
			if (str_eq(value->set.members[i], part->string))
				return true;
	if (value->kind == VALUE_LIST)
		for (size_t i = 0; i < value->list.count; i++)
			if (same(&value->list.values[i], part))
				return true;
	return false;
}

static bool
begins(const struct value *value, const struct value *prefix)
{
	return value->kind == prefix->kind &&
	       (value->kind == VALUE_STRING || value->kind == VALUE_BINARY) &&
	       str_starts(value->string, prefix->string);
}

/* A condition that looks at one attribute, which is there. */
static bool
value_holds(const struct condition *condition, const struct value *value)
{
	bool comparable;
	int order = 0, order_high = 0;

	comparable = ordered(value, &condition->value, &order);
	switch (condition->op) {
	case COND_EXISTS: return true;
	case COND_EQ: return same(value, &condition->value);
	case COND_NE: return !same(value, &condition->value);
	case COND_LT: return comparable && order < 0;
	case COND_LE: return comparable && order <= 0;
	case COND_GT: return comparable && order > 0;
	case COND_GE: return comparable && order >= 0;
	case COND_BETWEEN:
		return comparable && ordered(value, &condition->high, &order_high) && order >= 0 &&
		       order_high <= 0;
	case COND_BEGINS: return begins(value, &condition->value);
	case COND_CONTAINS: return contains(value, &condition->value);
	default: return false;
	}
}

static const struct value *
attribute(const struct item *item, struct str name)
{
	for (size_t i = 0; item != NULL && i < item->count; i++)
		if (str_eq(item->attributes[i].name, name))
			return &item->attributes[i].value;
	return NULL;
}

bool
rule_holds(const struct condition *condition, const struct item *item)
{
	const struct value *value;
	size_t holding = 0;

	if (condition == NULL || condition->op == COND_ALWAYS)
		return true;
	for (size_t i = 0; i < condition->count; i++)
		holding += rule_holds(&condition->children[i], item);
	if (condition->op == COND_ALL)
		return holding == condition->count;
	if (condition->op == COND_ANY)
		return holding > 0;
	if (condition->op == COND_NOT)
		return holding == 0;
	value = attribute(item, condition->name);
	if (value == NULL)
		return condition->op == COND_MISSING || condition->op == COND_NE;
	return value_holds(condition, value);
}

/* --- Updates -------------------------------------------------------------------------------- */

static bool
has_member(const struct value *set, struct str member)
{
	for (size_t i = 0; i < set->set.count; i++)
		if (str_eq(set->set.members[i], member))
			return true;
	return false;
}

/* What of `a` is not in `b`. */
static struct value
set_without(struct arena *arena, const struct value *a, const struct value *b)
{
	struct value out = {.kind = VALUE_STRING_SET};

	out.set.members = ARENA_ARRAY(arena, a->set.count, struct str);
	for (size_t i = 0; i < a->set.count; i++)
		if (!has_member(b, a->set.members[i]))
			out.set.members[out.set.count++] = a->set.members[i];
	return out;
}

static struct value
set_with(struct arena *arena, const struct value *a, const struct value *b)
{
	struct value more = set_without(arena, b, a);
	struct value out = {.kind = VALUE_STRING_SET};
	size_t count = a->set.count + more.set.count;

	out.set.members = ARENA_ARRAY(arena, count, struct str);
	for (size_t i = 0, j = 0; out.set.count < count;) {
		bool first =
		    j == more.set.count ||
		    (i < a->set.count && str_cmp(a->set.members[i], more.set.members[j]) < 0);

		out.set.members[out.set.count++] =
		    first ? a->set.members[i++] : more.set.members[j++];
	}
	return out;
}

static const char *
change_item(struct arena *arena, struct item *item, const struct change *change)
{
	const struct value *was = attribute(item, change->name);
	struct value next = change->value;

	switch (change->op) {
	case CHANGE_SET: break;
	case CHANGE_SET_IF_ABSENT:
		if (was != NULL)
			return NULL;
		break;
	case CHANGE_ADD:
		if (was != NULL && was->kind != VALUE_NUMBER)
			return "ADD to what is no number";
		if (was != NULL &&
		    __builtin_add_overflow(was->number, change->value.number, &next.number))
			return "ADD overflows";
		break;
	case CHANGE_REMOVE: item_remove(item, change->name); return NULL;
	case CHANGE_SET_ADD:
		if (was != NULL && was->kind != VALUE_STRING_SET)
			return "SET_ADD to what is no set";
		if (was != NULL)
			next = set_with(arena, was, &change->value);
		break;
	case CHANGE_SET_DELETE:
		if (was == NULL)
			return NULL;
		if (was->kind != VALUE_STRING_SET)
			return "SET_DELETE from what is no set";
		next = set_without(arena, was, &change->value);
		if (next.set.count == 0) {
			item_remove(item, change->name);
			return NULL;
		}
		break;
	}
	item_set(arena, item, change->name, next);
	return NULL;
}

/* Whatever is called like a key of an index must be fit to be one. */
static const char *
index_error(const struct item *item)
{
	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++) {
		const struct value *pk = attribute(item, table_pk_name((enum table_index)index));
		const struct value *sk = attribute(item, table_sk_name((enum table_index)index));

		if (pk != NULL && (pk->kind != VALUE_STRING || pk->string.len < 1 ||
				      pk->string.len > TABLE_PK_MAX))
			return "an index's partition key is unfit";
		if (sk != NULL && (sk->kind != VALUE_STRING || sk->string.len < 1 ||
				      sk->string.len > TABLE_SK_MAX))
			return "an index's sort key is unfit";
	}
	return NULL;
}

enum table_rc
rule_update(struct arena *arena, const struct item *old, const struct write *write,
    struct item *out, const char **why)
{
	*out = (struct item){0};
	*why = NULL;
	for (size_t i = 0; old != NULL && i < old->count; i++)
		item_set(arena, out, old->attributes[i].name, old->attributes[i].value);
	item_set(arena, out, STR("PK"), value_string(write->key.pk));
	item_set(arena, out, STR("SK"), value_string(write->key.sk));
	for (size_t i = 0; *why == NULL && i < write->change_count; i++)
		*why = change_item(arena, out, &write->changes[i]);
	if (*why == NULL)
		*why = item_error(out);
	if (*why == NULL && item_size(out) > ITEM_SIZE_MAX)
		*why = "the item is too large";
	if (*why == NULL)
		*why = index_error(out);
	return *why == NULL ? TABLE_OK : TABLE_INVALID;
}

/* --- Readers -------------------------------------------------------------------------------- */

bool
rule_expired(const struct item *item, int64_t now)
{
	const struct value *at = attribute(item, TABLE_EXPIRES);

	return at != NULL && at->kind == VALUE_NUMBER && at->number <= now / 1000;
}

bool
rule_matches(const struct query *query, struct str sort)
{
	int low = str_cmp(sort, query->low);

	switch (query->op) {
	case SORT_ANY: return true;
	case SORT_EQ: return low == 0;
	case SORT_LT: return low < 0;
	case SORT_LE: return low <= 0;
	case SORT_GT: return low > 0;
	case SORT_GE: return low >= 0;
	case SORT_BETWEEN: return low >= 0 && str_cmp(sort, query->high) <= 0;
	case SORT_BEGINS: return str_starts(sort, query->low);
	}
	return false;
}

bool
rule_in_index(
    const struct item *item, enum table_index index, struct str *partition, struct str *sort)
{
	const struct value *pk = attribute(item, table_pk_name(index));
	const struct value *sk = attribute(item, table_sk_name(index));

	if (pk == NULL || sk == NULL)
		return false;
	*partition = pk->string;
	*sort = sk->string;
	return true;
}
