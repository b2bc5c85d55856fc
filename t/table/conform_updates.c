/* Every change of an update, on attributes that are present, missing and of another type. */
#include "suite.h"

#define SUBJECT "{B: binary 'b', L: [1], M: {}, N: 5, S: 's', Set: set('b', 'd'), T: null}"

static const struct {
	enum change_op op;
	const char *name, *value;
	const char *after; /* the attribute afterwards; NULL: missing; "": refused */
} cases[] = {
    {CHANGE_SET, "N", "6", "6"},
    {CHANGE_SET, "N", "'six'", "'six'"},
    {CHANGE_SET, "New", "[1, {A: null}]", "[1, {A: null}]"},
    {CHANGE_SET, "New", "''", "''"},
    {CHANGE_SET, "New", "set()", ""},
    {CHANGE_SET, "New", "'\\xff'", ""},
    {CHANGE_SET_IF_ABSENT, "N", "6", "5"},
    {CHANGE_SET_IF_ABSENT, "T", "6", "null"},
    {CHANGE_SET_IF_ABSENT, "New", "6", "6"},

    {CHANGE_ADD, "N", "3", "8"},
    {CHANGE_ADD, "N", "-8", "-3"},
    {CHANGE_ADD, "N", "0", "5"},
    {CHANGE_ADD, "New", "3", "3"},
    {CHANGE_ADD, "New", "0", "0"},
    {CHANGE_ADD, "N", "9223372036854775802", "9223372036854775807"},
    {CHANGE_ADD, "N", "9223372036854775803", ""},
    {CHANGE_ADD, "S", "1", ""},
    {CHANGE_ADD, "T", "1", ""},
    {CHANGE_ADD, "L", "1", ""},
    {CHANGE_ADD, "Set", "1", ""},
    {CHANGE_ADD, "N", "'1'", ""},
    {CHANGE_ADD, "Set", "set('x')", ""},

    {CHANGE_REMOVE, "N", NULL, NULL},
    {CHANGE_REMOVE, "New", NULL, NULL},

    {CHANGE_SET_ADD, "Set", "set('c')", "set('b', 'c', 'd')"},
    {CHANGE_SET_ADD, "Set", "set('a', 'e')", "set('a', 'b', 'd', 'e')"},
    {CHANGE_SET_ADD, "Set", "set('b')", "set('b', 'd')"},
    {CHANGE_SET_ADD, "Set", "set('')", "set('', 'b', 'd')"},
    {CHANGE_SET_ADD, "New", "set('a')", "set('a')"},
    {CHANGE_SET_ADD, "N", "set('a')", ""},
    {CHANGE_SET_ADD, "L", "set('a')", ""},
    {CHANGE_SET_ADD, "Set", "'a'", ""},
    {CHANGE_SET_ADD, "Set", "['a']", ""},
    {CHANGE_SET_ADD, "New", "set()", ""},

    {CHANGE_SET_DELETE, "Set", "set('b')", "set('d')"},
    {CHANGE_SET_DELETE, "Set", "set('a', 'd')", "set('b')"},
    {CHANGE_SET_DELETE, "Set", "set('a')", "set('b', 'd')"},
    {CHANGE_SET_DELETE, "Set", "set('b', 'd')", NULL},
    {CHANGE_SET_DELETE, "New", "set('a')", NULL},
    {CHANGE_SET_DELETE, "S", "set('a')", ""},
    {CHANGE_SET_DELETE, "Set", "'b'", ""},
};

static void
each_change(struct suite *s)
{
	struct item subject = unspell_item(s->arena, SUBJECT);

	item_set(s->arena, &subject, STR("PK"), value_string(STR("u")));
	item_set(s->arena, &subject, STR("SK"), value_string(STR("1")));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct change change = change_of(s, cases[i].op, cases[i].name, cases[i].value);
		struct write write = update_of("u", "1", &change, 1);
		struct item wanted = item_shallow(s->arena, &subject);
		struct buf text = {.arena = s->arena};
		enum table_rc rc = TABLE_OK;

		if (cases[i].after == NULL)
			item_remove(&wanted, change.name);
		else if (cases[i].after[0] == '\0')
			rc = TABLE_INVALID;
		else
			item_set(s->arena, &wanted, change.name, value_of(s, cases[i].after));
		try_put(s, subject);
		spell_write(&text, &write);
		is_rc(do_write(s, &write), rc, "%.*s", STR_ARGS(buf_str(&text)));
		is_text(saw(s, "u", "1"), text_of(s, &wanted), "leaves just that behind");
	}
}

static void
several_changes(struct suite *s)
{
	struct change n = change_of(s, CHANGE_ADD, "N", "1");
	struct change t = change_of(s, CHANGE_SET, "T", "'t'");
	struct change set = change_of(s, CHANGE_SET_ADD, "Set", "set('a', 'b')");
	struct change gone = change_of(s, CHANGE_REMOVE, "Old", NULL);
	struct change bad = change_of(s, CHANGE_ADD, "S", "1");

	is_rc(try_update(s, "v", "1", CHANGES(n, t, set)), TABLE_OK, "an update of nothing");
	is_text(saw(s, "v", "1"), "{N: 1, PK: 'v', SK: '1', Set: set('a', 'b'), T: 't'}",
	    "makes the item with its keys");
	put(s, "{PK: 'v', SK: '1', N: -1, Old: 1, S: 's'}");
	is_rc(try_update(s, "v", "1", CHANGES(gone, n, t)), TABLE_OK, "several changes at once");
	is_text(saw(s, "v", "1"), "{N: 0, PK: 'v', S: 's', SK: '1', T: 't'}", "are all made");
	is_rc(try_update(s, "v", "1", CHANGES(n, bad)), TABLE_INVALID, "where one does not fit");
	is_text(saw(s, "v", "1"), "{N: 0, PK: 'v', S: 's', SK: '1', T: 't'}", "none is made");
	is_rc(try_update(s, "v", "1", CHANGES(n, t, n)), TABLE_INVALID,
	    "an attribute named twice is refused");
	is_rc(try_update(s, "v", "2", CHANGES(set)), TABLE_OK, "a set is made of nothing");
	is_text(saw(s, "v", "2"), "{PK: 'v', SK: '2', Set: set('a', 'b')}", "with its members");
	is_rc(try_update(s, "v", "3", CHANGES(gone)), TABLE_OK, "a removal from nothing");
	is_text(saw(s, "v", "3"), "{PK: 'v', SK: '3'}", "makes an item of its keys alone");
	set.op = CHANGE_SET_DELETE;
	is_rc(try_update(s, "v", "4", CHANGES(set)), TABLE_OK, "so do members taken from nothing");
	is_text(saw(s, "v", "4"), "{PK: 'v', SK: '4'}", "which makes no set");
	is_rc(try_update(s, "v", "5", NULL, 0), TABLE_OK, "and so does an update without changes");
	is_text(saw(s, "v", "5"), "{PK: 'v', SK: '5'}", "like DynamoDB's");
}

static void
keys_stay(struct suite *s)
{
	static const char *const names[] = {"PK", "SK"};
	static const struct {
		enum change_op op;
		const char *value;
	} changes[] = {{CHANGE_SET, "'k'"}, {CHANGE_SET_IF_ABSENT, "'k'"}, {CHANGE_ADD, "1"},
	    {CHANGE_REMOVE, NULL}, {CHANGE_SET_ADD, "set('k')"}, {CHANGE_SET_DELETE, "set('k')"}};

	put(s, "{PK: 'k', SK: 'k'}");
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		for (size_t n = 0; n < 2; n++) {
			struct change change =
			    change_of(s, changes[i].op, names[n], changes[i].value);

			is_rc(try_update(s, "k", "k", CHANGES(change)), TABLE_INVALID,
			    "change %zu of %s is refused", i, names[n]);
		}
	}
	is_text(saw(s, "k", "k"), "{PK: 'k', SK: 'k'}", "the keys stay as they are");
}

static void
conditional(struct suite *s)
{
	struct change n = change_of(s, CHANGE_ADD, "N", "1");
	struct change bad = change_of(s, CHANGE_ADD, "S", "1");
	struct write write = update_of("w", "1", &n, 1);

	write.condition = condition_of(s, COND_LT, "N", "1");
	is_rc(do_write(s, &write), TABLE_CONDITION, "an update whose condition is false");
	is_text(saw(s, "w", "1"), "nothing", "makes nothing");
	put(s, "{PK: 'w', SK: '1', N: 0, S: 's'}");
	is_rc(do_write(s, &write), TABLE_OK, "the condition sees the item");
	is_rc(do_write(s, &write), TABLE_CONDITION, "as it is before the update");
	is_text(text_of(s, write.failed), "{N: 1, PK: 'w', S: 's', SK: '1'}", "and so does failed");
	write.changes = &bad;
	is_rc(do_write(s, &write), TABLE_CONDITION, "a false condition comes before a bad change");
}

void
conform_updates(struct suite *s)
{
	each_change(s);
	several_changes(s);
	keys_stay(s);
	conditional(s);
}
