/* Structs bound to items: every type, present and missing, valid and invalid, both ways. */
#include "model/bind.h"

#include "base/arena.h"
#include "lib/aborts.h"
#include "lib/tap.h"

enum colour { COLOUR_NONE, COLOUR_RED, COLOUR_BLUE };

struct part {
	struct str name;
	int64_t weight;
};

struct thing {
	struct str name;
	int64_t count, made;
	bool lit;
	struct strings_value tags;
	enum colour colour;
	struct part base;
	const struct part *parts;
	size_t part_count;
};

static const char *const colours[] = {"none", "red", "blue", NULL};
static const struct binding part_bindings[] = {
    BIND_TEXT(WRITTEN, "Name", struct part, name, TEXT_LINE),
    BIND_NUMBER(RECORDED, "Weight", struct part, weight),
};
static const struct binding_table part_table = BINDINGS(part_bindings);
static const struct binding thing_bindings[] = {
    BIND_MAP(WRITTEN, "Base", struct thing, base, &part_table),
    BIND_CHOICE(WRITTEN, "Colour", struct thing, colour, colours),
    BIND_NUMBER(WRITTEN, "Count", struct thing, count),
    BIND_BOOLEAN(WRITTEN, "Lit", struct thing, lit),
    BIND_TIME(WRITTEN, "MadeAt", struct thing, made),
    BIND_STRING(WRITTEN, "Name", struct thing, name),
    BIND_MAPS(WRITTEN, "Parts", struct thing, parts, part_count, &part_table),
    BIND_STRINGS(WRITTEN, "Tags", struct thing, tags),
};
static const struct binding_table table = BINDINGS(thing_bindings);

static void
test_round_trip(struct arena *arena)
{
	static const struct str tags[] = {STR_INIT("b"), STR_INIT("a")};
	static const struct part parts[] = {{STR_INIT("shade"), 2}, {STR_INIT("bulb"), 1}};
	struct thing in = {STR("Lamp"), -3, 1000, true, {tags, 2}, COLOUR_BLUE, {STR("foot"), 9},
			 parts, 2},
		     out = {.count = 0};
	struct item item = {0};

	/* Unknown attributes are ignored: before, between and after the known ones. */
	item_set(arena, &item, STR("A"), value_number(1));
	item_set(arena, &item, STR("Lit "), value_number(1));
	item_set(arena, &item, STR("Z"), value_number(1));
	bind_write(arena, &table, &in, &item);
	ok(item_error(&item) == NULL && item.count == 11, "everything is written");
	is_str(item_string(&item, STR("MadeAt")), STR("1970-01-01T00:00:01.000Z"),
	    "... a time as RFC 3339");
	is_str(item_string(&item, STR("Colour")), STR("blue"), "... a choice by its name");
	bind_read(arena, &table, &item, &out);
	is_str(out.name, in.name, "... and read: a string");
	is_int(out.count, in.count, "... a number");
	is_int(out.made, in.made, "... a time");
	ok(out.lit, "... a boolean");
	ok(out.tags.count == 2 && str_eq(out.tags.strings[0], tags[0]),
	    "... strings in their order");
	is_int(out.colour, COLOUR_BLUE, "... a choice");
	ok(str_eq(out.base.name, STR("foot")) && out.base.weight == 9, "... a map");
	ok(out.part_count == 2 && str_eq(out.parts[1].name, STR("bulb")) &&
		out.parts[0].weight == 2,
	    "... maps in their order");
	in = (struct thing){.name = STR("Lamp")};
	bind_rewrite(arena, &table, &in, &item);
	is_int((int64_t)item.count, 7,
	    "written once more, what is empty now is gone, and what the struct does not know "
	    "there");
}

/* What a list or a map has in it is held to the rules of its own bindings. */
static void
test_violation(struct arena *arena)
{
	static const struct part parts[] = {{STR_INIT("shade"), 2}, {STR_INIT("two\nlines"), 1}};
	struct thing good = {.parts = parts, .part_count = 1},
		     bad = {.parts = parts, .part_count = 2}, base = {.base = parts[1]};
	struct item item = {0};
	struct str name = STR("");

	bind_write(arena, &table, &good, &item);
	ok(bind_violation(&table, &item, &name) == NULL, "nothing in it breaks a rule");
	bind_write(arena, &table, &bad, &item);
	ok(bind_violation(&table, &item, &name) != NULL && str_eq(name, STR("Name")),
	    "the second map of a list does");
	item = (struct item){0};
	bind_write(arena, &table, &base, &item);
	ok(bind_violation(&table, &item, &name) != NULL, "so does a map by itself");
}

static void
test_empty(struct arena *arena)
{
	struct thing in = {.count = 0}, out = {.count = 0};
	struct item item = {0};

	bind_write(arena, &table, &in, &item);
	is_int((int64_t)item.count, 3,
	    "of an empty struct, the number, the choice and the map are written");
	item = (struct item){0};
	bind_read(arena, &table, &item, &out);
	ok(memcmp(&in, &out, sizeof(in)) == 0, "an empty item leaves the struct empty");
}

static void
test_wrong(struct arena *arena)
{
	static const char *const names[] = {
	    "Base", "Parts", "Colour", "Count", "Lit", "MadeAt", "Name", "Tags"};
	static const struct str set[] = {STR_INIT("a"), STR_INIT("b")};
	struct value mixed[] = {value_string(STR("a")), value_number(1), value_string(STR("b"))};
	struct thing empty = {.count = 0}, out = {.count = 0};
	struct item item = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		item_set(arena, &item, str_of(names[i]), value_null());
	bind_read(arena, &table, &item, &out);
	ok(memcmp(&empty, &out, sizeof(out)) == 0, "values of other kinds leave it empty");
	item_set(arena, &item, STR("Colour"), value_string(STR("green")));
	item_set(arena, &item, STR("MadeAt"), value_string(STR("yesterday")));
	bind_read(arena, &table, &item, &out);
	ok(out.colour == COLOUR_NONE && out.made == 0, "so do words that mean nothing");
	item_set(arena, &item, STR("Tags"), value_set(arena, set, 2));
	bind_read(arena, &table, &item, &out);
	is_int((int64_t)out.tags.count, 2, "strings may be a set");
	item_set(arena, &item, STR("Tags"),
	    (struct value){.kind = VALUE_LIST, .list = {.values = mixed, .count = 3}});
	bind_read(arena, &table, &item, &out);
	ok(out.tags.count == 2 && str_eq(out.tags.strings[1], STR("b")),
	    "... or a list, of which only strings count");
}

static void
read_by(void *arg)
{
	struct item item = {0};
	struct thing out = {.count = 0};

	bind_read(NULL, arg, &item, &out);
}

/* What would be passed over in silence. */
static void
test_order(void)
{
	static const struct binding out_of_order[] = {
	    BIND_STRING(WRITTEN, "Name", struct thing, name),
	    BIND_NUMBER(WRITTEN, "Count", struct thing, count),
	};
	static const struct binding twice[] = {
	    BIND_NUMBER(WRITTEN, "Count", struct thing, count),
	    BIND_NUMBER(WRITTEN, "Count", struct thing, made),
	};
	struct binding_table tables[] = {BINDINGS(out_of_order), BINDINGS(twice)};

	aborts(read_by, &tables[0], true, "bindings stand in the order of their attributes");
	aborts(read_by, &tables[1], true, "... each attribute once");
}

int
main(void)
{
	struct arena *arena = arena_new();

	test_round_trip(arena);
	test_empty(arena);
	test_violation(arena);
	test_wrong(arena);
	test_order();
	arena_free(arena);
	return tap_done();
}
