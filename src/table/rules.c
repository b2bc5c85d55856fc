#include "table/rules.h"

#include "base/arena.h"

#include <stdlib.h>

/* deep enough for any condition in the program, shallow enough for the stack */
enum { CONDITION_DEPTH_MAX = 16 };

static const char *
key_part(struct str part, size_t max, const char *empty, const char *long_)
{
	if (part.len == 0)
		return empty;
	if (part.len > max)
		return long_;
	return str_utf8(part) ? NULL : "a key is not UTF-8";
}

static const char *
partition_part(struct str pk)
{
	return key_part(pk, TABLE_PK_MAX, "a partition key is empty",
	    "a partition key is longer than 2,048 bytes");
}

static const char *
sort_part(struct str sk)
{
	return key_part(
	    sk, TABLE_SK_MAX, "a sort key is empty", "a sort key is longer than 1,024 bytes");
}

const char *
rules_key(struct key key)
{
	const char *error = partition_part(key.pk);

	return error != NULL ? error : sort_part(key.sk);
}

bool
item_index_key(const struct item *item, enum table_index index, struct str *pk, struct str *sk)
{
	const struct value *p = item_get(item, table_pk_name(index));
	const struct value *s = item_get(item, table_sk_name(index));

	if (p == NULL || s == NULL)
		return false;
	*pk = p->string;
	*sk = s->string;
	return true;
}

static const char *
index_keys(const struct item *item)
{
	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++) {
		const struct value *pk = item_get(item, table_pk_name((enum table_index)index));
		const struct value *sk = item_get(item, table_sk_name((enum table_index)index));
		const char *error = NULL;

		if ((pk != NULL && pk->kind != VALUE_STRING) ||
		    (sk != NULL && sk->kind != VALUE_STRING))
			return "an index key is not a string";
		if (pk != NULL)
			error = partition_part(pk->string);
		if (error == NULL && sk != NULL)
			error = sort_part(sk->string);
		if (error != NULL)
			return error;
	}
	return NULL;
}

const char *
rules_item(const struct item *item)
{
	const struct value *pk = item_get(item, table_pk_name(TABLE_PRIMARY));
	const struct value *sk = item_get(item, table_sk_name(TABLE_PRIMARY));
	const char *error;

	if (pk == NULL || sk == NULL)
		return "the item has no PK or no SK";
	if (pk->kind != VALUE_STRING || sk->kind != VALUE_STRING)
		return "PK and SK must be strings";
	error = rules_key((struct key){pk->string, sk->string});
	if (error == NULL)
		error = index_keys(item);
	if (error == NULL)
		error = item_error(item);
	if (error == NULL && item_size(item) > ITEM_SIZE_MAX)
		error = "the item is larger than 400 KB";
	return error;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = str_cmp(x->pk, y->pk);

	return order != 0 ? order : str_cmp(x->sk, y->sk);
}

/* Are the keys distinct? Sorts `keys`. */
static bool
distinct(struct key *keys, size_t count)
{
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 1; i < count; i++)
		if (compare_keys(&keys[i - 1], &keys[i]) == 0)
			return false;
	return true;
}

static const char *
rules_batch(const struct read *read)
{
	struct key sorted[TABLE_BATCH_MAX];

	if (read->batch.count < 1 || read->batch.count > TABLE_BATCH_MAX)
		return "a batch get takes 1 to 100 keys";
	for (size_t i = 0; i < read->batch.count; i++) {
		const char *error = rules_key(read->batch.keys[i]);

		if (error != NULL)
			return error;
		sorted[i] = read->batch.keys[i];
	}
	return distinct(sorted, read->batch.count) ? NULL : "a batch get names a key twice";
}

static const char *
rules_query(const struct query *query)
{
	const char *error = partition_part(query->partition);

	if (error != NULL)
		return error;
	if (query->index > TABLE_GSI4)
		return "there is no such index";
	if (query->consistent && query->index != TABLE_PRIMARY)
		return "an index can't be read consistently";
	if (query->limit < 1 || query->limit > TABLE_QUERY_MAX)
		return "a query's limit is 1 to 1,000";
	switch (query->op) {
	case SORT_ANY: return NULL;
	case SORT_BEGINS: return query->low.len == 0 ? NULL : sort_part(query->low);
	case SORT_EQ:
	case SORT_LT:
	case SORT_LE:
	case SORT_GT:
	case SORT_GE: return sort_part(query->low);
	case SORT_BETWEEN:
		error = sort_part(query->low);
		if (error == NULL)
			error = sort_part(query->high);
		if (error == NULL && str_cmp(query->low, query->high) > 0)
			error = "the lower end lies above the upper end";
		return error;
	}
	return "there is no such operator";
}

const char *
rules_read(const struct read *read)
{
	switch (read->kind) {
	case READ_GET: return rules_key(read->key);
	case READ_BATCH: return rules_batch(read);
	case READ_QUERY: return rules_query(&read->query);
	}
	return "there is no such read";
}

/* A value in a condition or a change must be as valid as in an item. */
static const char *
operand(const struct value *value)
{
	struct attribute attribute = {STR_INIT("operand"), *value};
	struct item item = {.attributes = &attribute, .count = 1};

	return item_error(&item);
}

static bool
ordered_kind(const struct value *value)
{
	return value->kind == VALUE_STRING || value->kind == VALUE_NUMBER ||
	       value->kind == VALUE_BINARY;
}

static const char *
rules_between(const struct condition *c)
{
	const char *error = operand(&c->high);
	bool backwards;

	if (error != NULL)
		return error;
	if (!ordered_kind(&c->value) || c->high.kind != c->value.kind)
		return "the two ends are not of one kind that has an order";
	backwards = c->value.kind == VALUE_NUMBER ? c->value.number > c->high.number
						  : str_cmp(c->value.string, c->high.string) > 0;
	return backwards ? "the lower end lies above the upper end" : NULL;
}

static const char *
rules_condition(const struct condition *c, unsigned depth)
{
	const char *error = NULL;

	if (depth > CONDITION_DEPTH_MAX)
		return "a condition is nested too deep";
	switch (c->op) {
	case COND_ALWAYS: return NULL;
	case COND_ALL:
	case COND_ANY:
	case COND_NOT:
		if (c->op == COND_NOT && c->count != 1)
			return "a negation has one child";
		for (size_t i = 0; i < c->count && error == NULL; i++)
			error = rules_condition(&c->children[i], depth + 1);
		return error;
	default: break;
	}
	if (c->name.len == 0)
		return "a condition names no attribute";
	if (c->op == COND_EXISTS || c->op == COND_MISSING)
		return NULL;
	error = operand(&c->value);
	if (error != NULL)
		return error;
	switch (c->op) {
	case COND_LT:
	case COND_LE:
	case COND_GT:
	case COND_GE: return ordered_kind(&c->value) ? NULL : "the operand's kind has no order";
	case COND_BETWEEN: return rules_between(c);
	case COND_BEGINS:
		return c->value.kind == VALUE_STRING || c->value.kind == VALUE_BINARY
			   ? NULL
			   : "only a string or a binary begins with something";
	case COND_EQ:
	case COND_NE:
	case COND_CONTAINS: return NULL;
	default: return "there is no such condition";
	}
}

/* An index key can only be set as a whole, to a valid key, or removed. */
static const char *
rules_index_change(const struct change *change, bool sort)
{
	switch (change->op) {
	case CHANGE_REMOVE: return NULL;
	case CHANGE_SET:
	case CHANGE_SET_IF_ABSENT:
		if (change->value.kind != VALUE_STRING)
			break;
		return sort ? sort_part(change->value.string)
			    : partition_part(change->value.string);
	case CHANGE_ADD:
	case CHANGE_SET_ADD:
	case CHANGE_SET_DELETE: break;
	}
	return "an index key is not a string";
}

static const char *
rules_change(const struct change *change)
{
	if (change->name.len == 0)
		return "a change names no attribute";
	if (str_eq(change->name, table_pk_name(TABLE_PRIMARY)) ||
	    str_eq(change->name, table_sk_name(TABLE_PRIMARY)))
		return "an update can't change PK or SK";
	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++) {
		if (str_eq(change->name, table_pk_name((enum table_index)index)))
			return rules_index_change(change, false);
		if (str_eq(change->name, table_sk_name((enum table_index)index)))
			return rules_index_change(change, true);
	}
	switch (change->op) {
	case CHANGE_REMOVE: return NULL;
	case CHANGE_SET:
	case CHANGE_SET_IF_ABSENT: return operand(&change->value);
	case CHANGE_ADD:
		return change->value.kind == VALUE_NUMBER ? NULL : "only a number can be added";
	case CHANGE_SET_ADD:
	case CHANGE_SET_DELETE:
		return change->value.kind == VALUE_STRING_SET ? operand(&change->value)
							      : "a set's members come as a set";
	}
	return "there is no such change";
}

static const char *
rules_changes(const struct write *write)
{
	for (size_t i = 0; i < write->change_count; i++) {
		const char *error = rules_change(&write->changes[i]);

		if (error != NULL)
			return error;
		for (size_t j = 0; j < i; j++)
			if (str_eq(write->changes[i].name, write->changes[j].name))
				return "an update names an attribute twice";
	}
	return NULL;
}

const char *
rules_write(const struct write *write, bool in_transaction)
{
	const char *error = write->condition != NULL ? rules_condition(write->condition, 0) : NULL;

	if (error != NULL)
		return error;
	if (in_transaction && write->returns != RETURN_NONE)
		return "a transaction returns no items";
	if (write->returns == RETURN_NEW && write->kind != WRITE_UPDATE)
		return "only an update returns the new item";
	switch (write->kind) {
	case WRITE_PUT: return rules_item(&write->item);
	case WRITE_DELETE: return rules_key(write->key);
	case WRITE_UPDATE:
		error = rules_key(write->key);
		return error != NULL ? error : rules_changes(write);
	case WRITE_CHECK:
		if (!in_transaction)
			return "a check stands in a transaction only";
		return write->condition != NULL ? rules_key(write->key)
						: "a check needs a condition";
	}
	return "there is no such write";
}

struct key
write_key(const struct write *write)
{
	return write->kind == WRITE_PUT ? item_key(&write->item) : write->key;
}

/* What a write counts towards the 4 MB of a transaction. */
static size_t
payload(const struct write *write)
{
	size_t bytes = 0;

	if (write->kind == WRITE_PUT)
		return item_size(&write->item);
	for (size_t i = 0; write->kind == WRITE_UPDATE && i < write->change_count; i++) {
		const struct change *change = &write->changes[i];
		struct attribute attribute = {change->name, change->value};
		struct item item = {.attributes = &attribute, .count = 1};

		/* A removed attribute has no value, so only its name counts. */
		bytes += change->op == CHANGE_REMOVE ? change->name.len : item_size(&item);
	}
	return write->key.pk.len + write->key.sk.len + bytes;
}

const char *
rules_transaction(struct arena *scratch, const struct write *writes, size_t count, struct str token)
{
	struct key *keys;
	size_t bytes = 0;

	if (count < 1 || count > TABLE_BATCH_MAX)
		return "a transaction has 1 to 100 actions";
	if (token.len > TABLE_TOKEN_MAX || !str_utf8(token))
		return "a token is at most 36 bytes of UTF-8";
	keys = ARENA_ARRAY(scratch, count, struct key);
	for (size_t i = 0; i < count; i++) {
		const char *error = rules_write(&writes[i], true);

		if (error != NULL)
			return error;
		keys[i] = write_key(&writes[i]);
		bytes += payload(&writes[i]);
	}
	if (bytes > TABLE_TRANSACT_BYTES)
		return "a transaction is larger than 4 MB";
	return distinct(keys, count) ? NULL : "two actions are on one item";
}

bool
item_expired(const struct item *item, int64_t now_ms)
{
	const struct value *expires = item_get(item, TABLE_EXPIRES);

	return expires != NULL && expires->kind == VALUE_NUMBER && expires->number <= now_ms / 1000;
}
