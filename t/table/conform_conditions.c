/* Every operator of a condition with attributes that are present, missing and of another type. */
#include "suite.h"

#define SUBJECT                                                                            \
	"{B: binary 'ab\\xff', Bool: true, Empty: '', L: [1, 'x', [2]], M: {A: 1}, N: 5, " \
	"Null: null, PK: 'c', S: 'hello', SK: '1', Set: set('x', 'y')}"

static const struct {
	enum condition_op op;
	const char *name, *value, *high;
	bool holds;
} cases[] = {
    {COND_ALWAYS, NULL, NULL, NULL, true},

    {COND_EXISTS, "PK", NULL, NULL, true},
    {COND_EXISTS, "N", NULL, NULL, true},
    {COND_EXISTS, "Null", NULL, NULL, true},
    {COND_EXISTS, "Empty", NULL, NULL, true},
    {COND_EXISTS, "None", NULL, NULL, false},
    {COND_MISSING, "None", NULL, NULL, true},
    {COND_MISSING, "Null", NULL, NULL, false},
    {COND_MISSING, "SK", NULL, NULL, false},

    {COND_EQ, "N", "5", NULL, true},
    {COND_EQ, "N", "6", NULL, false},
    {COND_EQ, "N", "'5'", NULL, false},
    {COND_EQ, "None", "5", NULL, false},
    {COND_EQ, "S", "'hello'", NULL, true},
    {COND_EQ, "S", "'hell'", NULL, false},
    {COND_EQ, "S", "binary 'hello'", NULL, false},
    {COND_EQ, "Empty", "''", NULL, true},
    {COND_EQ, "Bool", "true", NULL, true},
    {COND_EQ, "Bool", "false", NULL, false},
    {COND_EQ, "Null", "null", NULL, true},
    {COND_EQ, "None", "null", NULL, false},
    {COND_EQ, "L", "[1, 'x', [2]]", NULL, true},
    {COND_EQ, "L", "[1, 'x', [3]]", NULL, false},
    {COND_EQ, "L", "[1, 'x']", NULL, false},
    {COND_EQ, "M", "{A: 1}", NULL, true},
    {COND_EQ, "M", "{A: 2}", NULL, false},
    {COND_EQ, "M", "{}", NULL, false},
    {COND_EQ, "Set", "set('x', 'y')", NULL, true},
    {COND_EQ, "Set", "set('x')", NULL, false},
    {COND_EQ, "Set", "['x', 'y']", NULL, false},
    {COND_EQ, "B", "binary 'ab\\xff'", NULL, true},

    {COND_NE, "N", "5", NULL, false},
    {COND_NE, "N", "6", NULL, true},
    {COND_NE, "N", "'5'", NULL, true},
    {COND_NE, "None", "5", NULL, true},
    {COND_NE, "Set", "set('x', 'y')", NULL, false},

    {COND_LT, "N", "6", NULL, true},
    {COND_LT, "N", "5", NULL, false},
    {COND_LT, "N", "10", NULL, true},
    {COND_LT, "N", "-6", NULL, false},
    {COND_LT, "N", "'6'", NULL, false},
    {COND_LT, "None", "6", NULL, false},
    {COND_LT, "S", "'help'", NULL, true},
    {COND_LT, "S", "'hello!'", NULL, true},
    {COND_LT, "S", "'hell'", NULL, false},
    {COND_LT, "S", "'h\\xc3\\xa9'", NULL, true},
    {COND_LT, "B", "binary 'ac'", NULL, true},
    {COND_LT, "B", "binary 'ab\\x01'", NULL, false},
    {COND_LE, "N", "5", NULL, true},
    {COND_LE, "N", "4", NULL, false},
    {COND_LE, "None", "4", NULL, false},
    {COND_GT, "N", "4", NULL, true},
    {COND_GT, "N", "5", NULL, false},
    {COND_GT, "N", "-9223372036854775808", NULL, true},
    {COND_GT, "None", "-1", NULL, false},
    {COND_GT, "S", "''", NULL, true},
    {COND_GT, "S", "4", NULL, false},
    {COND_GE, "N", "5", NULL, true},
    {COND_GE, "N", "6", NULL, false},
    {COND_GE, "Empty", "''", NULL, true},
    {COND_GE, "None", "''", NULL, false},

    {COND_BETWEEN, "N", "1", "9", true},
    {COND_BETWEEN, "N", "5", "5", true},
    {COND_BETWEEN, "N", "6", "9", false},
    {COND_BETWEEN, "N", "1", "4", false},
    {COND_BETWEEN, "N", "'1'", "'9'", false},
    {COND_BETWEEN, "None", "1", "9", false},
    {COND_BETWEEN, "S", "'hell'", "'help'", true},

    {COND_BEGINS, "S", "'he'", NULL, true},
    {COND_BEGINS, "S", "'hello'", NULL, true},
    {COND_BEGINS, "S", "'hello!'", NULL, false},
    {COND_BEGINS, "S", "'e'", NULL, false},
    {COND_BEGINS, "S", "binary 'he'", NULL, false},
    {COND_BEGINS, "B", "binary 'ab'", NULL, true},
    {COND_BEGINS, "B", "'ab'", NULL, false},
    {COND_BEGINS, "None", "'a'", NULL, false},

    {COND_CONTAINS, "S", "'ell'", NULL, true},
    {COND_CONTAINS, "S", "'lle'", NULL, false},
    {COND_CONTAINS, "S", "'hello'", NULL, true},
    {COND_CONTAINS, "S", "''", NULL, true},
    {COND_CONTAINS, "S", "binary 'ell'", NULL, false},
    {COND_CONTAINS, "B", "binary 'b\\xff'", NULL, true},
    {COND_CONTAINS, "B", "binary 'c'", NULL, false},
    {COND_CONTAINS, "Set", "'x'", NULL, true},
    {COND_CONTAINS, "Set", "'z'", NULL, false},
    {COND_CONTAINS, "Set", "''", NULL, false},
    {COND_CONTAINS, "L", "'x'", NULL, true},
    {COND_CONTAINS, "L", "1", NULL, true},
    {COND_CONTAINS, "L", "[2]", NULL, true},
    {COND_CONTAINS, "L", "2", NULL, false},
    {COND_CONTAINS, "M", "'A'", NULL, false},
    {COND_CONTAINS, "N", "5", NULL, false},
    {COND_CONTAINS, "None", "'x'", NULL, false},
};

/* A delete with a returned item shows whether the condition held; the item is put back. */
static bool
holds(struct suite *s, const struct condition *condition)
{
	struct write write = delete_of("c", "1", condition);
	enum table_rc rc;

	put(s, SUBJECT);
	rc = do_write(s, &write);
	if (rc != TABLE_OK && rc != TABLE_CONDITION)
		is_rc(rc, TABLE_OK, "a condition: %s", s->call.why != NULL ? s->call.why : "?");
	return rc == TABLE_OK;
}

static void
groups(struct suite *s)
{
	struct condition yes = *condition_of(s, COND_EQ, "N", "5");
	struct condition no = *condition_of(s, COND_EQ, "N", "6");
	struct condition mixed[] = {no, yes}, good[] = {yes, yes}, bad[] = {no, no};
	const struct {
		enum condition_op op;
		const struct condition *children;
		size_t count;
		bool holds;
		const char *sentence;
	} table[] = {
	    {COND_ALL, good, 2, true, "all of two that hold"},
	    {COND_ALL, mixed, 2, false, "not all, where one does not"},
	    {COND_ALL, NULL, 0, true, "all of none"},
	    {COND_ANY, mixed, 2, true, "any, where one holds"},
	    {COND_ANY, bad, 2, false, "not any, where none does"},
	    {COND_ANY, NULL, 0, false, "not any of none"},
	    {COND_NOT, &no, 1, true, "not what does not hold"},
	    {COND_NOT, &yes, 1, false, "not what holds"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct condition group = {
		    .op = table[i].op, .children = table[i].children, .count = table[i].count};
		struct condition twice = {.op = COND_NOT, .children = &group, .count = 1};

		check(holds(s, &group) == table[i].holds, "%s", table[i].sentence);
		check(holds(s, &twice) == !table[i].holds, "and the contrary of it");
	}
	yes = (struct condition){.op = COND_NOT, .children = good, .count = 2};
	put(s, SUBJECT);
	is_rc(
	    do_write(s,
		&(struct write){.kind = WRITE_DELETE, .key = key_of("c", "1"), .condition = &yes}),
	    TABLE_INVALID, "NOT has one child");
}

static void
on_nothing(struct suite *s)
{
	static const struct {
		enum condition_op op;
		const char *name, *value;
		enum table_rc rc;
	} table[] = {
	    {COND_EXISTS, "PK", NULL, TABLE_CONDITION},
	    {COND_MISSING, "PK", NULL, TABLE_OK},
	    {COND_EQ, "PK", "'c'", TABLE_CONDITION},
	    {COND_NE, "N", "1", TABLE_OK},
	    {COND_LT, "N", "1", TABLE_CONDITION},
	    {COND_CONTAINS, "S", "''", TABLE_CONDITION},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct write write = delete_of(
		    "c", "nobody", condition_of(s, table[i].op, table[i].name, table[i].value));

		is_rc(do_write(s, &write), table[i].rc, "on no item: %s",
		    table[i].value != NULL ? table[i].value : table[i].name);
	}
}

/* What compares a thing that has no order is a mistake of the caller, whatever the item. */
static void
unfit(struct suite *s)
{
	static const struct {
		enum condition_op op;
		const char *name, *value, *high;
	} table[] = {
	    {COND_LT, "Bool", "true", NULL},
	    {COND_GE, "L", "[1]", NULL},
	    {COND_GT, "Set", "set('x')", NULL},
	    {COND_BEGINS, "N", "5", NULL},
	    {COND_BETWEEN, "N", "9", "1"},
	    {COND_BETWEEN, "S", "'b'", "'a'"},
	    {COND_BETWEEN, "N", "1", "'9'"},
	    {COND_BETWEEN, "Bool", "false", "true"},
	    {COND_EQ, "S", "'\\xff'", NULL},
	    {COND_EQ, "Set", "set()", NULL},
	};

	put(s, SUBJECT);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct condition condition =
		    *condition_of(s, table[i].op, table[i].name, table[i].value);
		struct write write = delete_of("c", "1", &condition);
		struct buf text = {.arena = s->arena};

		if (table[i].high != NULL)
			condition.high = value_of(s, table[i].high);
		spell_condition(&text, &condition);
		is_rc(do_write(s, &write), TABLE_INVALID, "%.*s is refused",
		    STR_ARGS(buf_str(&text)));
	}
	check(strcmp(saw(s, "c", "1"), "nothing") != 0, "and the item is still there");
}

void
conform_conditions(struct suite *s)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct condition condition =
		    *condition_of(s, cases[i].op, cases[i].name, cases[i].value);
		struct buf text = {.arena = s->arena};

		if (cases[i].high != NULL)
			condition.high = value_of(s, cases[i].high);
		spell_condition(&text, &condition);
		check(holds(s, &condition) == cases[i].holds, "%.*s is %s",
		    STR_ARGS(buf_str(&text)), cases[i].holds ? "true" : "false");
	}
	check(holds(s, NULL), "no condition holds always");
	groups(s);
	on_nothing(s);
	unfit(s);
}
