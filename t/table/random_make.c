/* Random operations: few keys, so that they collide; and hostile ones. */
#include "random_op.h"

#include "base/arena.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The second at which the clock of a run begins; expiry is chosen around it. */
#define BEGIN_SECONDS INT64_C(1794994200)

struct maker {
	struct arena *arena;
	uint64_t state;
};

uint64_t
chance(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

uint64_t
below(uint64_t *state, uint64_t end)
{
	return chance(state) % end;
}

static size_t
pick(struct maker *m, size_t end)
{
	return (size_t)below(&m->state, end);
}

/* True once in `n` times. */
static bool
once_in(struct maker *m, size_t n)
{
	return pick(m, n) == 0;
}

/* --- Strings -------------------------------------------------------------------------------- */

static const struct str partitions[] = {STR_INIT("p"), STR_INIT("p\0"), STR_INIT("p\0q"),
    STR_INIT("\0"), STR_INIT("\xf4\x8f\xbf\xbf"), STR_INIT("USER#ada")};

static const struct str sorts[] = {STR_INIT("\0"), STR_INIT("\0\0"), STR_INIT("\x01"),
    STR_INIT("A"), STR_INIT("a"), STR_INIT("a\0"), STR_INIT("a\0\0"), STR_INIT("a\x01"),
    STR_INIT("aa"), STR_INIT("ab"), STR_INIT("b"), STR_INIT("\x7f"), STR_INIT("\xc2\x80"),
    STR_INIT("\xef\xbf\xbf"), STR_INIT("\xf0\x90\x80\x80"), STR_INIT("\xf4\x8f\xbf\xbf"),
    STR_INIT("\xf4\x8f\xbf\xbf\xf4\x8f\xbf\xbf"), STR_INIT("POST#2026-11-18T09:30:00.123Z#one")};

static const struct str names[] = {
    STR_INIT("N"), STR_INIT("S"), STR_INIT("Set"), STR_INIT("L"), STR_INIT("M"), STR_INIT("X")};

static struct str
some_sort(struct maker *m)
{
	return once_in(m, 20) ? STR_CONCAT(m->arena, sorts[pick(m, COUNT(sorts))],
				    sorts[pick(m, COUNT(sorts))])
			      : sorts[pick(m, COUNT(sorts))];
}

static struct str
some_text(struct maker *m)
{
	static const struct str invalid[] = {
	    STR_INIT("\xff"), STR_INIT("\xed\xa0\x80"), STR_INIT("\xc0\x80")};
	char *large;
	size_t len;

	if (once_in(m, 2000))
		return invalid[pick(m, COUNT(invalid))];
	if (once_in(m, 100))
		return STR("");
	if (!once_in(m, 300))
		return some_sort(m);
	len = pick(m, 150000);
	large = arena_alloc(m->arena, len + 1);
	memset(large, 'x', len);
	return (struct str){large, len};
}

static struct key
some_key(struct maker *m)
{
	struct key key = {partitions[pick(m, COUNT(partitions))], some_sort(m)};

	if (once_in(m, 1000))
		key.sk = STR("");
	return key;
}

/* --- Values --------------------------------------------------------------------------------- */

static int64_t
some_number(struct maker *m)
{
	static const int64_t edges[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, -1, 0, 1, 10, 9, 100};

	return once_in(m, 3) ? edges[pick(m, COUNT(edges))] : (int64_t)pick(m, 20) - 5;
}

static struct value
some_set(struct maker *m)
{
	struct str members[4];
	size_t count = 1 + pick(m, 4);

	for (size_t i = 0; i < count; i++)
		members[i] = sorts[pick(m, 6)];
	if (once_in(m, 1000))
		count = 0;
	return value_set(m->arena, members, count);
}

static struct value
some_value(struct maker *m, int depth)
{
	struct value value = {.kind = VALUE_LIST};

	switch (pick(m, depth > 0 ? 9 : 7)) {
	case 0: return value_string(some_text(m));
	case 1: return value_binary(sorts[pick(m, COUNT(sorts))]);
	case 2: return value_boolean(once_in(m, 2));
	case 3: return value_null();
	case 4: return some_set(m);
	case 5:
	case 6: return value_number(some_number(m));
	case 7:
		value.list.count = pick(m, 4);
		value.list.values = ARENA_ARRAY(m->arena, value.list.count, struct value);
		for (size_t i = 0; i < value.list.count; i++)
			value.list.values[i] = some_value(m, depth - 1);
		return value;
	default:
		value = value_map((struct item){0});
		for (size_t i = pick(m, 4); i > 0; i--)
			item_set(m->arena, &value.map, sorts[pick(m, COUNT(sorts))],
			    some_value(m, depth - 1));
		return value;
	}
}

/* A value that fits the attribute, mostly: an index's key that does not is no item, so rarely there. */
static struct value
fitting(struct maker *m, struct str name)
{
	if (once_in(m, str_starts(name, STR("GSI")) ? 100 : 12))
		return some_value(m, 2);
	if (str_eq(name, STR("N")))
		return value_number(some_number(m));
	if (str_eq(name, STR("S")))
		return value_string(some_text(m));
	if (str_eq(name, STR("Set")))
		return some_set(m);
	if (str_eq(name, TABLE_EXPIRES))
		return value_number(BEGIN_SECONDS + 20 * ((int64_t)pick(m, 60) - 10));
	if (str_starts(name, STR("GSI")))
		return value_string(
		    str_ends(name, STR("PK")) ? partitions[pick(m, 3)] : some_sort(m));
	return some_value(m, 3);
}

/* An attribute that is no key of the table. */
static struct str
some_name(struct maker *m)
{
	enum table_index index = (enum table_index)(1 + pick(m, TABLE_INDEXES));

	if (once_in(m, 8))
		return TABLE_EXPIRES;
	if (once_in(m, 3))
		return once_in(m, 2) ? table_pk_name(index) : table_sk_name(index);
	return names[pick(m, COUNT(names))];
}

static struct item
some_item(struct maker *m, struct key key)
{
	struct item item = {0};

	item_set(m->arena, &item, STR("PK"), value_string(key.pk));
	item_set(m->arena, &item, STR("SK"), value_string(key.sk));
	for (size_t i = pick(m, 6); i > 0; i--) {
		struct str name = some_name(m);

		item_set(m->arena, &item, name, fitting(m, name));
	}
	for (int index = TABLE_GSI1; index <= TABLE_GSI4 && once_in(m, 2); index++) {
		struct str pk = table_pk_name((enum table_index)index);
		struct str sk = table_sk_name((enum table_index)index);

		item_set(m->arena, &item, pk, fitting(m, pk));
		item_set(m->arena, &item, sk, fitting(m, sk));
	}
	return item;
}

/* --- Writes --------------------------------------------------------------------------------- */

/* An operand that has an order, or a beginning. */
static struct value
ordered_value(struct maker *m, const struct condition *c)
{
	bool counts = str_eq(c->name, STR("N")) || str_eq(c->name, TABLE_EXPIRES);

	if (once_in(m, 50))
		return some_value(m, 1);
	if (c->op != COND_BEGINS && (counts || once_in(m, 20)))
		return counts ? fitting(m, c->name) : value_number(some_number(m));
	if (once_in(m, 20))
		return value_binary(sorts[pick(m, COUNT(sorts))]);
	return value_string(
	    str_eq(c->name, STR("PK")) ? partitions[pick(m, COUNT(partitions))] : some_sort(m));
}

static void
some_operands(struct maker *m, struct condition *c)
{
	struct value high;

	c->name = once_in(m, 4) ? STR("PK") : some_name(m);
	c->value =
	    c->op >= COND_LT && c->op <= COND_BEGINS ? ordered_value(m, c) : fitting(m, c->name);
	if (c->op != COND_BETWEEN)
		return;
	c->high = high = ordered_value(m, c);
	if (high.kind == c->value.kind && !once_in(m, 50) &&
	    (high.kind == VALUE_NUMBER ? high.number < c->value.number
				       : (high.kind == VALUE_STRING || high.kind == VALUE_BINARY) &&
					     str_cmp(high.string, c->value.string) < 0)) {
		c->high = c->value;
		c->value = high;
	}
}

static struct condition *
some_conditions(struct maker *m, size_t count, int depth)
{
	struct condition *list = ARENA_ARRAY(m->arena, count, struct condition);

	for (size_t i = 0; i < count; i++) {
		struct condition *c = &list[i];

		c->op = (enum condition_op)pick(m, (depth > 0 ? COND_NOT : COND_CONTAINS) + 1);
		if (c->op >= COND_ALL) {
			c->count = c->op == COND_NOT ? 1 : pick(m, 4);
			c->children = some_conditions(m, c->count, depth - 1);
		} else if (c->op != COND_ALWAYS) {
			some_operands(m, c);
		}
	}
	return list;
}

/* Is the attribute named among the first `count` changes? */
static bool
is_named(const struct change *list, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(list[i].name, name))
			return true;
	return false;
}

/* At most *count changes, and almost never two of one attribute. */
static struct change *
some_changes(struct maker *m, size_t *count)
{
	struct change *list = ARENA_ARRAY(m->arena, *count, struct change);
	size_t made = 0;

	for (size_t i = 0; i < *count; i++) {
		struct change *c = &list[made];

		c->op = (enum change_op)pick(m, CHANGE_SET_DELETE + 1);
		c->name = some_name(m);
		if (!once_in(m, 10) && c->op == CHANGE_ADD)
			c->name = STR("N");
		if (!once_in(m, 10) && c->op >= CHANGE_SET_ADD)
			c->name = STR("Set");
		if (once_in(m, 300))
			c->name = STR("SK");
		c->value = fitting(m, c->name);
		if (c->op == CHANGE_ADD && !once_in(m, 20))
			c->value = value_number(some_number(m));
		if (c->op >= CHANGE_SET_ADD && !once_in(m, 20))
			c->value = some_set(m);
		if (made == 0 || !is_named(list, made, c->name) || once_in(m, 50))
			made++;
	}
	*count = made;
	return list;
}

static struct write
some_write(struct maker *m, bool alone)
{
	struct key key = some_key(m);
	struct write write = {.kind = (enum write_kind)pick(m, alone ? 3 : 4), .key = key};

	if (write.kind == WRITE_DELETE && once_in(m, 2))
		write.kind = WRITE_PUT;
	if (write.kind == WRITE_PUT)
		write.item = some_item(m, key);
	if (write.kind == WRITE_UPDATE) {
		write.change_count = 1 + pick(m, 3);
		write.changes = some_changes(m, &write.change_count);
	}
	if (write.kind == WRITE_CHECK || once_in(m, alone ? 3 : 6))
		write.condition = some_conditions(m, 1, 2);
	if (alone && once_in(m, 3))
		write.returns = RETURN_OLD;
	if (alone && write.kind == WRITE_UPDATE && once_in(m, 3))
		write.returns = RETURN_NEW;
	return write;
}

/* Is one of the transaction's writes on the item? */
static bool
is_written(const struct op *op, struct key key)
{
	for (size_t i = 0; i < op->write_count; i++)
		if (str_eq(op->writes[i].key.pk, key.pk) && str_eq(op->writes[i].key.sk, key.sk))
			return true;
	return false;
}

/* With a token its actions come of a few numbers, so that some are the same again and some are not. */
static void
some_transaction(struct maker *m, struct op *op)
{
	op->kind = OP_TRANSACT;
	if (once_in(m, 5)) {
		m->state = 7000 + pick(m, 24);
		op->token = str_fmt(m->arena, "token %zu", pick(m, 6));
	}
	for (size_t i = 1 + pick(m, OP_WRITES); i > 0; i--) {
		op->writes[op->write_count] = some_write(m, false);
		if (!is_written(op, op->writes[op->write_count].key) || once_in(m, 50))
			op->write_count++;
	}
}

/* --- Reads ---------------------------------------------------------------------------------- */

static void
some_reads(struct maker *m, struct op *op)
{
	op->kind = OP_READ;
	op->read_count = 1 + pick(m, OP_READS);
	for (size_t i = 0; i < op->read_count; i++) {
		struct read *read = &op->reads[i];
		size_t count = 1 + pick(m, 6);
		struct key *keys = ARENA_ARRAY(m->arena, count, struct key);

		read->consistent = true;
		if (once_in(m, 2)) {
			read->kind = READ_GET;
			read->key = some_key(m);
			continue;
		}
		read->kind = READ_BATCH;
		for (size_t k = 0; k < count; k++)
			keys[k] = some_key(m);
		read->batch.keys = keys;
		read->batch.count = count;
	}
}

static void
some_query(struct maker *m, struct op *op)
{
	struct query query = {.op = (enum sort_op)pick(m, SORT_BEGINS + 1),
	    .low = some_sort(m),
	    .high = some_sort(m),
	    .limit = (uint32_t)(1 + pick(m, 6)),
	    .descending = once_in(m, 2)};

	op->kind = OP_QUERY;
	if (once_in(m, 2))
		query.index = (enum table_index)(1 + pick(m, TABLE_INDEXES));
	query.partition = partitions[pick(m, query.index != TABLE_PRIMARY ? 3 : COUNT(partitions))];
	query.consistent = query.index == TABLE_PRIMARY;
	if (once_in(m, 2))
		query.op = SORT_ANY;
	if (query.op == SORT_BETWEEN && str_cmp(query.low, query.high) > 0 && !once_in(m, 20)) {
		struct str low = query.high;

		query.high = query.low;
		query.low = low;
	}
	op->reads[0] = (struct read){.kind = READ_QUERY, .query = query};
	op->read_count = 1;
	/* Ties in an index have no order, so only the table's own pages are the same after a write. */
	if (query.index == TABLE_PRIMARY && once_in(m, 3)) {
		op->writes[0] = some_write(m, true);
		op->write_count = 1;
	}
}

void
op_make(struct arena *arena, uint64_t number, struct op *op)
{
	struct maker m = {arena, number};
	size_t kind = pick(&m, 1000);

	*op = (struct op){.kind = OP_LOOK, .limit = (uint32_t)(1 + pick(&m, 50))};
	if (kind < 500) {
		op->kind = OP_WRITE;
		op->writes[0] = some_write(&m, true);
		op->write_count = 1;
	} else if (kind < 620) {
		some_transaction(&m, op);
	} else if (kind < 740) {
		some_reads(&m, op);
	} else if (kind < 960) {
		some_query(&m, op);
	} else if (kind < 965) {
		op->kind = OP_SWEEP;
	} else if (kind < 998) {
		op->kind = OP_PASS;
		op->pass =
		    once_in(&m, 2) ? 10000 : (int64_t)pick(&m, once_in(&m, 10) ? 400000 : 5000);
	}
}
