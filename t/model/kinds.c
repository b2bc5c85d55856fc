/* The table of kinds is complete; a missing answer is found, and so is a harmful one. */
#include "model/kinds.h"

#include "base/arena.h"
#include "lib/tap.h"

/* What is said of a copy of a kind after it was changed; "" when nothing is. */
static const char *
error_after(const struct kind *kind)
{
	const struct kind *wrong = NULL;
	const char *error = kinds_check(kind, 1, &wrong);

	return error != NULL ? error : "";
}

static void
test_answers(void)
{
	const struct kind *wrong = NULL;
	const char *error = kinds_check(item_kinds, ITEM_KINDS, &wrong);
	struct kind twice[2] = {item_kinds[ITEM_SITE], item_kinds[ITEM_SITE]};

	ok(error == NULL, "every kind has all answers%s%s", error != NULL ? ": " : "",
	    error != NULL ? error : "");
	ok(kinds_check(twice, 2, &wrong) != NULL && wrong == &twice[1],
	    "no two kinds have one Type");
	twice[1].type = STR("Other");
	twice[1].pages = PAGES_NEVER_SEE;
	ok(kinds_check(twice, 2, &wrong) != NULL,
	    "what lies in one place is seen, or not, whatever its Type");
}

/* Each answer is taken away from a kind that has it. */
static void
test_missing(void)
{
	static const struct binding unmarked[] = {{.name = STR_INIT("A"), .kind = BINDING_NAMED}};
	static const struct binding unsorted[] = {
	    BIND_NAMED(RECORDED, "B", STRING), BIND_NAMED(RECORDED, "A", STRING)};
	static const struct binding_table tables[] = {BINDINGS(unmarked), BINDINGS(unsorted)};
	struct kind kind;

#define MISSING(change, expected)         \
	kind = item_kinds[ITEM_BOOKMARK]; \
	change;                           \
	is_str(str_of(error_after(&kind)), STR(expected), expected)

	MISSING(kind.type = STR(""), "has no Type");
	MISSING(kind.places[0] = kind.places[1], "does not say where it lies");
	MISSING(kind.bindings[0] = NULL, "has no attributes");
	MISSING(kind.bindings[0] = &tables[0], "does not say where an attribute comes from");
	MISSING(kind.bindings[0] = &tables[1], "its attributes are out of order");
	MISSING(kind.counted = NULL, "does not say what counts it");
	MISSING(kind.pages = 0, "does not say whether pages see it");
	MISSING(kind.stream = 0, "does not say what it tells who reads the stream");
	MISSING(kind.load = 0, "does not say whether a load holds it to the rules of forms");
	MISSING(kind.markdown = 0, "does not say whose Markdown it has");
	MISSING(kind.told.many = NULL, "does not say what a seed tells of it");
	MISSING(kind.own = 0, "does not say how it is exported with a person's data");
	MISSING(kind.own = OWN_NOT, "is somebody's, and not in their data");
	MISSING(kind.leave = 0, "does not say what becomes of it when its person leaves");
	MISSING(kind.leave = LEAVE_TO_EXPIRE, "is somebody's, and stays when they leave");
	MISSING(kind.leave = LEAVE_DROP,
	    "is counted, and goes without counting down when its person leaves");
	MISSING(kind.counted = counted_nowhere, "counts down what counts nothing");
#undef MISSING
	kind = item_kinds[ITEM_COMMENT];
	kind.leave = LEAVE_MOVE;
	is_str(str_of(error_after(&kind)), STR("can't be moved with whom it does not lie"),
	    "what lies with a post is not moved");
	kind = item_kinds[ITEM_TAG];
	kind.own = OWN_AS_IT_IS;
	is_str(str_of(error_after(&kind)), STR("is nobody's data"), "nobody's is nobody's");
}

static void
test_keys(void)
{
	static const struct {
		const char *pk, *sk;
		enum item_kind kind; /* ITEM_KINDS: none */
		bool unseen;
	} keys[] = {
	    {"POST#tides", "METADATA", ITEM_POST, false},
	    {"POST#tides", "COMMENT#a.b", ITEM_COMMENT, false},
	    {"POST#tides", "REVISION#00000001", ITEM_REVISION, true},
	    {"POST#tides", "REVISION#1", ITEM_KINDS, false},
	    {"POST#tides", "REVISION#0000000x", ITEM_KINDS, false},
	    {"POST#tides", "AUTOSAVE#kofi", ITEM_AUTOSAVE, true},
	    {"USER#kofi", "AUTOSAVE#note#f1", ITEM_AUTOSAVE, true},
	    {"USER#kofi", "UNSAVED#tides", ITEM_UNSAVED, true},
	    {"USER#kofi", "AUTOSAVE#note", ITEM_AUTOSAVE, true},
	    {"USER#kofi", "NOTICE#a", ITEM_NOTICE, true},
	    {"USER#kofi", "METADATA", ITEM_USER, false},
	    {"USER#kofi", "POST#tides#VOTE", ITEM_VOTE, true},
	    {"USER#kofi", "POST#tides#VOTE#c1", ITEM_VOTE, true},
	    {"USER#kofi", "POST#tides#CHEER", ITEM_KINDS, false},
	    {"SESSION#h", "SESSION#h", ITEM_SESSION, true},
	    {"RATE#sign-in#a#b", "0", ITEM_RATE_LIMIT, true},
	    {"NAME#c#", "kofi", ITEM_NAME_GUARD, true},
	    {"LEASE", "seed", ITEM_LOADING, true},
	    {"LEASE", "sweep", ITEM_LEASE, true},
	    {"TIME", "KNOWN", ITEM_KNOWN_TIME, true},
	    {"FEED#kofi", "2026-11-18T09:30:00.000Z#tides", ITEM_FEED_ENTRY, true},
	    {"FEED#kofi", "yesterday#tides", ITEM_KINDS, false},
	    {"FEED#kofi", "", ITEM_KINDS, false},
	    {"POST#tides", "DUE", ITEM_DUE, true},
	    {"", "", ITEM_KINDS, false},
	    {"UNKNOWN#a", "b", ITEM_KINDS, false},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct key key = {str_of(keys[i].pk), str_of(keys[i].sk)};
		const struct kind *kind = kind_of_key(key);

		ok(kind == (keys[i].kind != ITEM_KINDS ? &item_kinds[keys[i].kind] : NULL),
		    "%s / %s is of %s", keys[i].pk, keys[i].sk,
		    keys[i].kind != ITEM_KINDS ? item_kinds[keys[i].kind].type.base : "no kind");
		ok(kind_unseen(key) == keys[i].unseen, "... and %s",
		    keys[i].unseen ? "unseen" : "seen");
	}
}

int
main(void)
{
	test_answers();
	test_missing();
	test_keys();
	return tap_done();
}
