/* Items: values, order, size, errors, and the stored form. */
#include "lib/random_item.h"
#include "lib/tap.h"

#include "base/buf.h"
#include "table/item_names.h"

enum { ROUNDS = 2000 };

static void
attributes(struct arena *arena)
{
	static const char *const names[] = {"b", "PK", "a", "aa", "Z", "\xc3\xa9", "PK2", "P"};
	struct item item = {0}, shallow;
	struct str long_name;
	bool in_order = true, all = true;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		item_set(arena, &item, str_of(names[i]), value_number((int64_t)i));
	for (size_t i = 1; i < item.count; i++)
		in_order &= str_cmp(item.attributes[i - 1].name, item.attributes[i].name) < 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		all &= item_number(&item, str_of(names[i])) == (int64_t)i;
	ok(in_order && item.count == 8, "attributes set in any order are sorted by bytes");
	ok(all, "and each is found");

	item_set(arena, &item, STR("a"), value_string(STR("new")));
	is_str(item_string(&item, STR("a")), STR("new"), "a second value replaces the first");
	is_int((int64_t)item.count, 8, "without another attribute");

	shallow = item_shallow(arena, &item);
	ok(item_remove(&item, STR("Z")) && !item_remove(&item, STR("Z")), "an attribute goes once");
	ok(item_get(&item, STR("Z")) == NULL && item_get(&shallow, STR("Z")) != NULL,
	    "and not from a shallow copy");
	item_set(arena, &shallow, STR("more"), value_null());
	ok(item_get(&item, STR("more")) == NULL, "what a shallow copy gets is its own");

	ok(item_get(&item, STR("")) == NULL && item_get(&(struct item){0}, STR("a")) == NULL,
	    "what is not there is not found");
	for (int i = 0; i < 500; i++) {
		long_name = str_fmt(arena, "name %d", i * 7 % 500);
		item_set(arena, &item, long_name, value_number(i));
	}
	for (int i = 0; i < 500; i++)
		all &= item_number(&item, str_fmt(arena, "name %d", i * 7 % 500)) == i;
	ok(all && item.count == 507 && item_error(&item) == NULL, "many attributes do as well");
}

static void
kinds(struct arena *arena)
{
	struct value set = value_set(
	    arena, (const struct str[]){STR("b"), STR("a"), STR("b"), STR(""), STR("ab")}, 5);
	struct value list = value_strings(arena, (const struct str[]){STR("b"), STR("a")}, 2);
	struct item item = {0};
	const struct str *strings;
	size_t count;

	item_set(arena, &item, STR("set"), set);
	item_set(arena, &item, STR("list"), list);
	item_set(arena, &item, STR("n"), value_number(3));
	item_set(arena, &item, STR("yes"), value_boolean(true));
	item_set(arena, &item, STR("map"), value_map(item_shallow(arena, &item)));

	strings = item_strings(arena, &item, STR("set"), &count);
	ok(count == 4 && str_eq(strings[0], STR("")) && str_eq(strings[1], STR("a")) &&
		str_eq(strings[2], STR("ab")) && str_eq(strings[3], STR("b")),
	    "a set is sorted and holds nothing twice");
	strings = item_strings(arena, &item, STR("list"), &count);
	ok(count == 2 && str_eq(strings[0], STR("b")) && str_eq(strings[1], STR("a")),
	    "a list of strings keeps its order");
	item_strings(arena, &item, STR("n"), &count);
	is_int((int64_t)count, 0, "a number has no strings");
	ok(item_boolean(&item, STR("yes")) && !item_boolean(&item, STR("n")), "only true is true");
	is_str(item_string(&item, STR("n")), STR(""), "a number is no string");
	ok(item_number(&(struct item){0}, STR("n")) == 0, "a missing number is 0");
}

static void
sizes(struct arena *arena)
{
	struct item map = {0};

	item_set(arena, &map, STR("ab"), value_boolean(false));

	const struct {
		struct value value;
		size_t size;
		const char *what;
	} cases[] = {
	    {value_string(STR("")), 0, "an empty string"},
	    {value_string(STR("\xc3\xa9")), 2, "a letter of two bytes"},
	    {value_binary(STR("\0\0\0")), 3, "three bytes"},
	    {value_boolean(true), 1, "true"},
	    {value_null(), 1, "null"},
	    {value_number(0), 1, "0"},
	    {value_number(7), 2, "one digit"},
	    {value_number(-7), 3, "one digit and a minus"},
	    {value_number(70000), 2, "a digit and zeros"},
	    {value_number(123), 3, "three digits"},
	    {value_number(INT64_MIN), 12, "the least number"},
	    {value_number(INT64_MAX), 11, "the greatest number"},
	    {value_set(arena, (const struct str[]){STR("ab"), STR("c")}, 2), 3, "a set"},
	    {value_strings(arena, (const struct str[]){STR("ab"), STR("c")}, 2), 8, "a list"},
	    {value_strings(arena, NULL, 0), 3, "an empty list"},
	    {value_map((struct item){0}), 3, "an empty map"},
	    {value_map(map), 7, "a map"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct item item = {0};

		item_set(arena, &item, STR("name"), cases[i].value);
		is_int((int64_t)item_size(&item), (int64_t)cases[i].size + 4,
		    "the size of %s, with a name of 4", cases[i].what);
	}
}

/* A list in a list and so on, `depth` of them. */
static struct value
nested(struct arena *arena, unsigned depth)
{
	struct value value = value_strings(arena, NULL, 0);

	for (unsigned i = 1; i < depth; i++)
		value = (struct value){
		    .kind = VALUE_LIST, .list = {arena_copy(arena, &value, sizeof(value)), 1}};
	return value;
}

static void
errors(struct arena *arena)
{
	struct str swapped[] = {STR("b"), STR("a")};
	struct str twice[] = {STR("a"), STR("a")};
	const struct {
		struct value value;
		bool good;
		const char *what;
	} cases[] = {
	    {value_string(STR("a\0b")), true, "a string with NUL"},
	    {value_string(STR("a\xff")), false, "a string that is not UTF-8"},
	    {value_binary(STR("a\xff")), true, "a binary that is not UTF-8"},
	    {value_set(arena, NULL, 0), false, "an empty set"},
	    {value_set(arena, (const struct str[]){STR("")}, 1), true, "a set of nothing written"},
	    {value_set(arena, (const struct str[]){STR("\xff")}, 1), false, "a set not of UTF-8"},
	    {{.kind = VALUE_STRING_SET, .set = {swapped, 2}}, false, "a set out of order"},
	    {{.kind = VALUE_STRING_SET, .set = {twice, 2}}, false, "a set with a member twice"},
	    {value_strings(arena, (const struct str[]){STR("\xff")}, 1), false, "a bad list"},
	    {nested(arena, ITEM_DEPTH_MAX), true, "the deepest nesting"},
	    {nested(arena, ITEM_DEPTH_MAX + 1), false, "nesting one deeper"},
	};
	struct str name = {arena_alloc(arena, ITEM_NAME_MAX + 1), ITEM_NAME_MAX + 1};
	struct item item = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		item_set(arena, &item, STR("a"), cases[i].value);
		ok((item_error(&item) == NULL) == cases[i].good, "%s has %s error", cases[i].what,
		    cases[i].good ? "no" : "a");
	}
	item_set(arena, &item, STR("a"), value_null());
	item_set(arena, &item, STR("b"), value_null());
	item.attributes[1].name = STR("a");
	ok(item_error(&item) != NULL, "a name twice is an error");
	item.attributes[1].name = STR("A");
	ok(item_error(&item) != NULL, "names out of order are an error");
	item.attributes[0].name = STR("");
	ok(item_error(&item) != NULL, "an empty name is an error");
	item.attributes[0].name = STR("\xff");
	ok(item_error(&item) != NULL, "a name that is not UTF-8 is an error");
	item = (struct item){0};
	item_set(arena, &item, name, value_null());
	ok(item_error(&item) != NULL, "a name that is too long is an error");
	item.attributes[0].name.len--;
	ok(item_error(&item) == NULL, "one byte less is not");
}

/* Every kind at once, and a known name, so that the whole grammar is in it. */
static struct item
full_item(struct arena *arena)
{
	struct item item = {0}, map = {0};

	item_set(arena, &map, STR("Alt"), value_string(STR("a")));
	item_set(arena, &map, STR("unknown"), value_number(-1));
	item_set(arena, &item, STR("PK"), value_string(STR("k")));
	item_set(arena, &item, STR("n"), value_number(1000));
	item_set(arena, &item, STR("t"), value_boolean(true));
	item_set(arena, &item, STR("f"), value_boolean(false));
	item_set(arena, &item, STR("z"), value_null());
	item_set(arena, &item, STR("b"), value_binary(STR("\xff")));
	item_set(
	    arena, &item, STR("s"), value_set(arena, (const struct str[]){STR("x"), STR("y")}, 2));
	item_set(arena, &item, STR("l"), value_strings(arena, (const struct str[]){STR("x")}, 1));
	item_set(arena, &item, STR("m"), value_map(map));
	return item;
}

static void
stored_form(struct arena *arena)
{
	/* Written out by hand from the grammar: this is what disks hold, and it must not change. */
	static const struct str wanted = STR_INIT("\x01\x09"
						  "\xbc\x01k"
						  "\x01"
						  "b\xf1\xff"
						  "\x01"
						  "f\xfe"
						  "\x01"
						  "l\xc1\x01x"
						  "\x01"
						  "m\xd2\x82\x01"
						  "a\x07unknown\x81"
						  "\x01"
						  "n\xbf\x91\x0f"
						  "\x01"
						  "s\xe1\x01x\x01y"
						  "\x01"
						  "t\xff"
						  "\x01"
						  "z\xfd");
	struct item item = full_item(arena), back;
	struct str bytes = item_encode(arena, &item);
	unsigned taken = 0;

	is_str(bytes, wanted, "the stored form is what its grammar says");
	ok(item_decode(arena, bytes, &back) && item_eq(&item, &back), "and reads back");
	for (size_t len = 0; len < bytes.len; len++) {
		/* A copy of its own, so that a byte too far is seen. */
		struct str cut = {arena_copy(arena, bytes.base, len), len};

		taken += item_decode(arena, cut, &back);
		taken += back.count != 0;
	}
	is_int(taken, 0, "none of its beginnings is taken");
}

static void
refused(struct arena *arena)
{
	static const struct {
		struct str bytes;
		const char *what;
	} cases[] = {
	    {STR_INIT(""), "nothing"},
	    {STR_INIT("\x01"), "a version alone"},
	    {STR_INIT("\x00\x00"), "version 0"},
	    {STR_INIT("\x02\x00"), "a version to come"},
	    {STR_INIT("\x01\x00\x00"), "a byte behind the end"},
	    {STR_INIT("\x01\x80\x00"), "a count longer than need be"},
	    {STR_INIT("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "a count of 64 bits"},
	    {STR_INIT("\x01\x81\x80\x80\x80\x80\x80\x80\x80\x80\x02"), "a count of 65 bits"},
	    {STR_INIT("\x01\x01\x00\xfd"), "an empty name"},
	    {STR_INIT("\x01\x02\x01"
		      "b\xfd\x01"
		      "a\xfd"),
		"names out of order"},
	    {STR_INIT("\x01\x02\x01"
		      "a\xfd\x01"
		      "a\xfd"),
		"a name twice"},
	    {STR_INIT("\x01\x02\x81\xfd\x80\xfd"), "codes out of order"},
	    {STR_INIT("\x01\x02\x80\xfd\x80\xfd"), "a code twice"},
	    {STR_INIT("\x01\x02\x01"
		      "a\xfd\x80\xfd"),
		"a code behind a greater name"},
	    {STR_INIT("\x01\x02\x80\xfd\x01"
		      "A\xfd"),
		"a name behind a greater code"},
	    {STR_INIT("\x01\x01\x02PK\xfd"), "a name spelled out that has a code"},
	    {STR_INIT("\x01\x01\xff\xfd"), "a code without a name"},
	    {STR_INIT("\x01\x01\x80\xfc"), "an unknown kind"},
	    {STR_INIT("\x01\x01\x80\x02x"), "a string longer than the text"},
	    {STR_INIT("\x01\x01\x80\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x"),
		"a string of 2^64 bytes"},
	    {STR_INIT("\x01\x01\x80\x7f\x80\x00"), "a length longer than need be"},
	    {STR_INIT("\x01\x01\x80\xbf\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		"a number over 64 bits"},
	    {STR_INIT("\x01\x01\x80\xe1\x01"
		      "b\x01"
		      "a"),
		"a set out of order"},
	    {STR_INIT("\x01\x01\x80\xe1\x01"
		      "a\x01"
		      "a"),
		"a member twice"},
	    {STR_INIT("\x01\x01\x80\xef\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "a huge set"},
	    {STR_INIT("\x01\x01\x80\xcf\xff\xff\xff\xff\x0f\xfd"), "a huge list"},
	    {STR_INIT("\x01\x01\x80\xdf\xff\xff\xff\xff\x0f\xfd"), "a huge map"},
	};
	struct item item;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str bytes = {
		    arena_copy(arena, cases[i].bytes.base, cases[i].bytes.len), cases[i].bytes.len};

		ok(!item_decode(arena, bytes, &item) && item.count == 0, "%s is refused",
		    cases[i].what);
	}
}

static void
depth(struct arena *arena)
{
	for (unsigned extra = 0; extra < 2; extra++) {
		struct buf bytes = {.arena = arena};
		struct item item;

		BUF_PUT(&bytes, "\x01\x01\x80");
		for (unsigned i = 1; i < ITEM_DEPTH_MAX + extra; i++)
			BUF_PUT(&bytes, "\xc1");
		BUF_PUT(&bytes, "\xc0");
		ok(item_decode(arena, buf_str(&bytes), &item) == (extra == 0),
		    "%d lists in each other are %s", (int)(ITEM_DEPTH_MAX + extra),
		    extra == 0 ? "read" : "refused");
	}
}

static void
dictionary(void)
{
	bool in_order = true, found = true;

	for (size_t i = 0; i < ITEM_NAMES; i++) {
		in_order &= i == 0 || str_cmp(item_names[i - 1], item_names[i]) < 0;
		found &= item_name_code(item_names[i]) == i;
	}
	ok(in_order, "the dictionary of names is in order");
	ok(found, "and every name in it is found");
	ok(item_name_code(STR("PL")) == ITEM_NAMES && item_name_code(STR("")) == ITEM_NAMES,
	    "and no other");
}

static void
round_trips(void)
{
	struct arena *arena = arena_new();
	struct chance chance = {.state = 1};
	unsigned invalid = 0, lost = 0, unlike = 0, shared = 0, same = 0;
	struct str last = {0};

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct item item = random_item(arena, &chance), copy, back;
		struct str bytes;

		invalid += item_error(&item) != NULL;
		copy = item_copy(arena, &item);
		unlike += !item_eq(&copy, &item);
		bytes = item_encode(arena, &item);
		lost += !item_decode(arena, bytes, &back) || !item_eq(&back, &item);
		lost += !str_eq(item_encode(arena, &back), bytes);
		for (size_t j = 0; j < item.count; j++)
			shared += copy.attributes[j].name.base == item.attributes[j].name.base;
		same += str_eq(bytes, last) && bytes.len > 8;
		if (i % 50 == 49) {
			arena_reset(arena);
			last = (struct str){0};
		} else {
			last = bytes;
		}
	}
	is_int(invalid, 0, "%d items made by chance are valid", ROUNDS);
	is_int(unlike, 0, "each equals its copy");
	is_int(shared, 0, "which shares nothing with it");
	is_int(lost, 0, "each comes back from its stored form, and is stored the same again");
	is_int(same, 0, "no two of them are the same");
	arena_free(arena);
}

/* One wrong byte anywhere must never give an item that is stored in other bytes. */
static void
wrong_bytes(void)
{
	struct arena *arena = arena_new();
	struct chance chance = {.state = 2};
	unsigned wrong = 0, refusals = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct item item = random_item(arena, &chance);
		struct str bytes = item_encode(arena, &item);
		char *copy = arena_copy(arena, bytes.base, bytes.len);

		copy[chance_below(&chance, bytes.len)] = (char)chance_bits(&chance);
		bytes.base = copy;
		if (item_decode(arena, bytes, &item))
			wrong += !str_eq(item_encode(arena, &item), bytes);
		else
			refusals++;
		if (i % 50 == 49)
			arena_reset(arena);
	}
	is_int(wrong, 0, "what is read with a wrong byte in it has no other stored form");
	ok(refusals > ROUNDS / 10, "and much of it is refused");
	arena_free(arena);
}

int
main(void)
{
	struct arena *arena = arena_new();

	attributes(arena);
	kinds(arena);
	sizes(arena);
	errors(arena);
	dictionary();
	stored_form(arena);
	refused(arena);
	depth(arena);
	round_trips();
	wrong_bytes();
	arena_free(arena);
	return tap_done();
}
