/* DynamoDB JSON: what is read, what is refused and where, what is written. */
#include "lib/random_item.h"
#include "lib/tap.h"

#include "table/json.h"

enum { ROUNDS = 2000 };

/* Each text, and how the item that it holds is written. */
static void
read_and_written(struct arena *arena)
{
	static const struct {
		struct str text, written;
		const char *what;
	} cases[] = {
	    {STR_INIT("{}"), STR_INIT("{}"), "an empty item"},
	    {STR_INIT(" \t\r\n{ \n} "), STR_INIT("{}"), "white space"},
	    {STR_INIT("{ \"b\" : { \"S\" : \"x\" } , \"a\" : { \"N\" : \"-5\" } }"),
		STR_INIT("{\"a\":{\"N\":\"-5\"},\"b\":{\"S\":\"x\"}}"), "attributes in any order"},
	    {STR_INIT("{\"a\":{\"N\":\"-0\"}}"), STR_INIT("{\"a\":{\"N\":\"0\"}}"), "minus 0"},
	    {STR_INIT("{\"a\":{\"N\":\"007\"}}"), STR_INIT("{\"a\":{\"N\":\"7\"}}"),
		"zeros before"},
	    {STR_INIT("{\"a\":{\"N\":\"-9223372036854775808\"}}"),
		STR_INIT("{\"a\":{\"N\":\"-9223372036854775808\"}}"), "the least number"},
	    {STR_INIT("{\"a\":{\"BOOL\":true},\"b\":{\"BOOL\":false},\"c\":{\"NULL\":true}}"),
		STR_INIT("{\"a\":{\"BOOL\":true},\"b\":{\"BOOL\":false},\"c\":{\"NULL\":true}}"),
		"true, false and null"},
	    {STR_INIT("{\"a\":{\"B\":\"\"},\"b\":{\"B\":\"AP8=\"},\"c\":{\"B\":\"+/+/\"}}"),
		STR_INIT("{\"a\":{\"B\":\"\"},\"b\":{\"B\":\"AP8=\"},\"c\":{\"B\":\"+/+/\"}}"),
		"binaries"},
	    {STR_INIT("{\"a\":{\"SS\":[\"b\", \"a\" ,\"\"]}}"),
		STR_INIT("{\"a\":{\"SS\":[\"\",\"a\",\"b\"]}}"), "a set in any order"},
	    {STR_INIT("{\"a\":{\"L\":[]},\"b\":{\"L\":[ {\"S\":\"\"} , {\"M\":{}} ]}}"),
		STR_INIT("{\"a\":{\"L\":[]},\"b\":{\"L\":[{\"S\":\"\"},{\"M\":{}}]}}"), "lists"},
	    {STR_INIT("{\"a\":{\"M\":{\"y\":{\"N\":\"1\"},\"x\":{\"NULL\":true}}}}"),
		STR_INIT("{\"a\":{\"M\":{\"x\":{\"NULL\":true},\"y\":{\"N\":\"1\"}}}}"), "a map"},
	    {STR_INIT("{\"a\":{\"S\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}}"),
		STR_INIT("{\"a\":{\"S\":\"\\\"\\\\/\\b\\f\\n\\r\\t\"}}"), "escapes by letter"},
	    {STR_INIT("{\"a\":{\"S\":\"x\\u0000\\u001F\\u007f\\u00e9\\u4E16\\ud83c\\uDF89y\"}}"),
		STR_INIT("{\"a\":{\"S\":\"x\\u0000\\u001f\x7fé世🎉y\"}}"), "escapes by number"},
	    {STR_INIT("{\"\\u0061\\u0000\":{\"S\":\"é\"},\"A\":{\"S\":\"\"}}"),
		STR_INIT("{\"A\":{\"S\":\"\"},\"a\\u0000\":{\"S\":\"é\"}}"),
		"names with escapes, case and NUL"},
	    {STR_INIT("{\"a\":{\"S\":\"\\ud7ff\\ue000\\uffff\"}}"),
		STR_INIT("{\"a\":{\"S\":\"\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\"}}"),
		"the neighbours of surrogates"},
	    {STR_INIT("{\"a\":{\"S\":\"\\udbff\\udfff and a long plain rest \\n\"}}"),
		STR_INIT("{\"a\":{\"S\":\"\xf4\x8f\xbf\xbf and a long plain rest \\n\"}}"),
		"the last code point"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str text = str_of(NULL);
		struct json_error error = {0};
		struct buf out = {.arena = arena};
		struct item item;

		text = (struct str){
		    arena_copy(arena, cases[i].text.base, cases[i].text.len), cases[i].text.len};
		if (!ok(item_from_json(arena, text, &item, &error), "%s: read", cases[i].what)) {
			fprintf(stderr, "#   at %zu: %s\n", error.offset, error.why);
			continue;
		}
		item_to_json(&out, &item);
		is_str(buf_str(&out), cases[i].written, "%s: written", cases[i].what);
		ok(item_error(&item) == NULL, "%s: valid", cases[i].what);
	}
}

static void
refused(struct arena *arena)
{
	static const struct {
		struct str text;
		size_t offset;
		const char *why;
	} cases[] = {
	    {STR_INIT(""), 0, "an object must be here"},
	    {STR_INIT("  "), 2, "an object must be here"},
	    {STR_INIT("[]"), 0, "an object must be here"},
	    {STR_INIT("{"), 1, "a string must be here"},
	    {STR_INIT("{} x"), 3, "there is more behind the end"},
	    {STR_INIT("{}\0"), 2, "there is more behind the end"},
	    {STR_INIT("{}{}"), 2, "there is more behind the end"},
	    {STR_INIT("\xef\xbb\xbf{}"), 0, "an object must be here"},
	    {STR_INIT("{a:{\"S\":\"\"}}"), 1, "a string must be here"},
	    {STR_INIT("{,}"), 1, "a string must be here"},
	    {STR_INIT("{\"a\"}"), 4, "a colon must be here"},
	    {STR_INIT("{\"a\":\"b\"}"), 5, "an object must be here"},
	    {STR_INIT("{\"a\":{}}"), 7, "a value has no type"},
	    {STR_INIT("{\"a\":{\"S\":\"\"},}"), 14, "a string must be here"},
	    {STR_INIT("{\"a\":{\"S\":\"\",}}"), 13, "a string must be here"},
	    {STR_INIT("{\"a\":{\"S\":\"\"}\"b\":{\"S\":\"\"}}"), 13,
		"a comma or the end must be here"},
	    {STR_INIT("{\"a\":{\"S\":\"\",\"N\":\"1\"}}"), 17, "a value has two types"},
	    {STR_INIT("{\"a\":{\"s\":\"\"}}"), 10, "there is no such type"},
	    {STR_INIT("{\"a\":{\"S\\u0000\":\"\"}}"), 16, "there is no such type"},
	    {STR_INIT("{\"a\":{\"NS\":[\"1\"]}}"), 11, "there is no such type"},
	    {STR_INIT("{\"a\":{\"BS\":[\"\"]}}"), 11, "there is no such type"},
	    {STR_INIT("{\"a\":{\"S\":1}}"), 10, "a string must be here"},
	    {STR_INIT("{\"a\":{\"S\":null}}"), 10, "a string must be here"},
	    {STR_INIT("{\"a\":{\"N\":1}}"), 10, "a string must be here"},
	    {STR_INIT("{\"a\":{\"N\":\"\"}}"), 12, "a number is not whole or not of 64 bits"},
	    {STR_INIT("{\"a\":{\"N\":\"1.0\"}}"), 15, "a number is not whole or not of 64 bits"},
	    {STR_INIT("{\"a\":{\"N\":\"1E2\"}}"), 15, "a number is not whole or not of 64 bits"},
	    {STR_INIT("{\"a\":{\"N\":\"+1\"}}"), 14, "a number is not whole or not of 64 bits"},
	    {STR_INIT("{\"a\":{\"N\":\"9223372036854775808\"}}"), 31,
		"a number is not whole or not of 64 bits"},
	    {STR_INIT("{\"a\":{\"BOOL\":\"true\"}}"), 13, "true or false must be here"},
	    {STR_INIT("{\"a\":{\"BOOL\":truE}}"), 13, "true or false must be here"},
	    {STR_INIT("{\"a\":{\"BOOL\":trueish}}"), 17, "a comma or the end must be here"},
	    {STR_INIT("{\"a\":{\"NULL\":false}}"), 18, "NULL must be true"},
	    {STR_INIT("{\"a\":{\"NULL\":null}}"), 13, "true or false must be here"},
	    {STR_INIT("{\"a\":{\"B\":\"AP8\"}}"), 15, "a binary is not base64"},
	    {STR_INIT("{\"a\":{\"B\":\"AP8=AP8=\"}}"), 20, "a binary is not base64"},
	    {STR_INIT("{\"a\":{\"B\":\"AP9=\"}}"), 16, "a binary is not base64"},
	    {STR_INIT("{\"a\":{\"B\":\"-_-_\"}}"), 16, "a binary is not base64"},
	    {STR_INIT("{\"a\":{\"B\":\"AP 8\"}}"), 16, "a binary is not base64"},
	    {STR_INIT("{\"a\":{\"SS\":[]}}"), 13, "a set is empty"},
	    {STR_INIT("{\"a\":{\"SS\":[\"a\",\"\\u0061\"]}}"), 25, "a set has a member twice"},
	    {STR_INIT("{\"a\":{\"SS\":[1]}}"), 12, "a string must be here"},
	    {STR_INIT("{\"a\":{\"SS\":\"a\"}}"), 11, "an array must be here"},
	    {STR_INIT("{\"a\":{\"L\":[{\"S\":\"\"},]}}"), 20, "an object must be here"},
	    {STR_INIT("{\"a\":{\"L\":[,{\"S\":\"\"}]}}"), 11, "an object must be here"},
	    {STR_INIT("{\"a\":{\"L\":[}}"), 11, "an object must be here"},
	    {STR_INIT("{\"a\":{\"L\":["), 11, "the text ends in an array"},
	    {STR_INIT("{\"a\":{\"L\":{}}}"), 10, "an array must be here"},
	    {STR_INIT("{\"a\":{\"M\":[]}}"), 10, "an object must be here"},
	    {STR_INIT("{\"\":{\"S\":\"\"}}"), 4, "an attribute's name is empty or too long"},
	    {STR_INIT("{\"a\":{\"S\":\"1\"},\"\\u0061\":{\"S\":\"2\"}}"), 34,
		"an attribute is there twice"},
	    {STR_INIT("{\"b\":{\"S\":\"1\"},\"a\":{\"S\":\"\"},\"b\":{\"S\":\"2\"}}"), 42,
		"an attribute is there twice"},
	    {STR_INIT("{\"a\":{\"S\":\"x"), 12, "the text ends in a string"},
	    {STR_INIT("{\"a\":{\"S\":\"x\\"), 13, "the text ends in a string"},
	    {STR_INIT("{\"a\":{\"S\":\"x\\\""), 14, "the text ends in a string"},
	    {STR_INIT("{\"a\":{\"S\":\"\\x\"}}"), 12, "there is no such escape"},
	    {STR_INIT("{\"a\":{\"S\":\"\\\0\"}}"), 12, "there is no such escape"},
	    {STR_INIT("{\"a\":{\"S\":\"\\u12\"}}"), 13, "four hexadecimal digits must be here"},
	    {STR_INIT("{\"a\":{\"S\":\"\\u12g4\"}}"), 13, "four hexadecimal digits must be here"},
	    {STR_INIT("{\"a\":{\"S\":\"\\ud800\"}}"), 17, "a surrogate stands alone"},
	    {STR_INIT("{\"a\":{\"S\":\"\\ud800\\u0041\"}}"), 17, "a surrogate stands alone"},
	    {STR_INIT("{\"a\":{\"S\":\"\\udc00\\ud800\"}}"), 13, "a surrogate stands alone"},
	    {STR_INIT("{\"a\":{\"S\":\"a\nb\"}}"), 12, "a control character must be escaped"},
	    {STR_INIT("{\"a\":{\"S\":\"a\0b\"}}"), 12, "a control character must be escaped"},
	    {STR_INIT("{\"a\":{\"S\":\"plain and \\n then \x1f\"}}"), 29,
		"a control character must be escaped"},
	    {STR_INIT("{\"a\":{\"S\":\"\xff\"}}"), 12, "a string is not UTF-8"},
	    {STR_INIT("{\"a\":{\"S\":\"\\n\xed\xa0\x80\"}}"), 16, "a string is not UTF-8"},
	    {STR_INIT("{\"a\":{\"S\":\"\xc3\\n\xa9\"}}"), 15, "a string is not UTF-8"},
	    {STR_INIT("{\"\xff\":{\"S\":\"\"}}"), 3, "a string is not UTF-8"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str text = {
		    arena_copy(arena, cases[i].text.base, cases[i].text.len), cases[i].text.len};
		struct json_error error = {99, "nothing"};
		struct item item = {.count = 99};

		if (!ok(!item_from_json(arena, text, &item, &error) && item.count == 0 &&
			    error.offset == cases[i].offset &&
			    str_eq(str_of(error.why), str_of(cases[i].why)),
			"%s, in case %zu", cases[i].why, i)) {
			tap_show("  text", text);
			fprintf(stderr, "#   got %zu: %s\n#   wanted %zu\n", error.offset,
			    error.why, cases[i].offset);
		}
	}
}

/* `{"a":{"L":[{"L":[ … ]}]}}`, `depth` lists. */
static struct str
deep(struct arena *arena, unsigned depth)
{
	struct buf out = {.arena = arena};

	BUF_PUT(&out, "{\"a\":");
	for (unsigned i = 0; i < depth; i++)
		BUF_PUT(&out, "{\"L\":[");
	for (unsigned i = 0; i < depth; i++)
		BUF_PUT(&out, "]}");
	BUF_PUT(&out, "}");
	return buf_str(&out);
}

static void
large(struct arena *arena)
{
	struct json_error error;
	struct item item;
	struct buf out = {.arena = arena};
	bool all = true;

	ok(item_from_json(arena, deep(arena, ITEM_DEPTH_MAX), &item, &error),
	    "lists nest as deep as an item may");
	ok(!item_from_json(arena, deep(arena, ITEM_DEPTH_MAX + 1), &item, &error), "and no deeper");
	ok(!item_from_json(arena, deep(arena, 200000), &item, &error),
	    "a text that nests without end does no harm");

	BUF_PUT(&out, "{");
	for (int i = 0; i < 20000; i++)
		buf_fmt(&out, "%s\"%d\":{\"N\":\"%d\"}", i != 0 ? "," : "", i * 7919 % 20000, i);
	BUF_PUT(&out, "}");
	ok(item_from_json(arena, buf_str(&out), &item, &error) && item.count == 20000,
	    "twenty thousand attributes in no order are read");
	for (int i = 0; i < 20000; i++)
		all &= item_number(&item, str_fmt(arena, "%d", i * 7919 % 20000)) == i;
	ok(all, "and each is found");
}

static void
strings(struct arena *arena)
{
	static const struct {
		struct str s, written;
	} cases[] = {
	    {{NULL, 0}, STR_INIT("\"\"")},
	    {STR_INIT("</script>&'"), STR_INIT("\"</script>&'\"")},
	    {STR_INIT("\"\\\b\f\n\r\t\0\x1f"),
		STR_INIT("\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\"")},
	    {STR_INIT("a\xff"
		      "b\xe4\xb8"),
		STR_INIT("\"a\xef\xbf\xbd"
			 "b\xef\xbf\xbd\xef\xbf\xbd\"")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = {.arena = arena};

		json_put_string(&out, cases[i].s);
		is_str(buf_str(&out), cases[i].written, "string %zu is written", i);
	}
}

/* An answer of DynamoDB, as its engine reads it. */
static void
reader(struct arena *arena)
{
	static const struct str text =
	    STR_INIT("{\"Count\":2,\"More\":[1,-2.5e+3,[{}],{\"a\":[true,null,\"\\n\"]}],"
		     "\"Items\":[{\"PK\":{\"S\":\"a\"}},{\"PK\":{\"S\":\"b\"}}],"
		     "\"LastEvaluatedKey\":{\"PK\":{\"S\":\"b\"}},"
		     "\"ConsumedCapacity\":{\"CapacityUnits\":0.5},\"Done\":false,\"None\":null}");
	struct json_reader in = json_reader(arena, text);
	struct item items[4], last = {0};
	size_t count = 0;
	int64_t counted = 0;
	bool done = true;
	struct str name, units = {0};

	json_object(&in);
	while (json_name(&in, &name)) {
		if (str_eq(name, STR("Count"))) {
			json_int(&in, &counted);
		} else if (str_eq(name, STR("Items"))) {
			json_array(&in);
			while (json_element(&in) && count < 4)
				json_item(&in, &items[count++]);
		} else if (str_eq(name, STR("LastEvaluatedKey"))) {
			json_item(&in, &last);
		} else if (str_eq(name, STR("ConsumedCapacity"))) {
			json_object(&in);
			while (json_name(&in, &name))
				json_number(&in, &units);
		} else if (str_eq(name, STR("Done"))) {
			json_boolean(&in, &done);
		} else if (str_eq(name, STR("None"))) {
			json_null(&in);
		} else {
			json_skip(&in);
		}
	}
	ok(json_end(&in), "an answer is read to its end");
	ok(counted == 2 && count == 2 && !done, "with its numbers and truths");
	is_str(item_string(&items[1], STR("PK")), STR("b"), "its items");
	is_str(item_string(&last, STR("PK")), STR("b"), "its last key");
	is_str(units, STR("0.5"), "and its cost, as it is written");
}

static void
reader_errors(struct arena *arena)
{
	static const struct {
		struct str text;
		bool good;
	} cases[] = {
	    {STR_INIT("0"), true},
	    {STR_INIT("-0"), true},
	    {STR_INIT("-0.0e-0"), true},
	    {STR_INIT("1E400"), true},
	    {STR_INIT("01"), false},
	    {STR_INIT("-"), false},
	    {STR_INIT("1."), false},
	    {STR_INIT(".5"), false},
	    {STR_INIT("1e"), false},
	    {STR_INIT("1e+-1"), false},
	    {STR_INIT("+1"), false},
	    {STR_INIT("nul"), false},
	    {STR_INIT("nulll"), false},
	    {STR_INIT("[1 2]"), false},
	    {STR_INIT("[1}"), false},
	    {STR_INIT("{\"a\":1]"), false},
	    {STR_INIT("{\"a\":}"), false},
	    {STR_INIT("[[],{},[{}]] "), true},
	    {STR_INIT("NaN"), false},
	    {STR_INIT("/**/1"), false},
	};
	struct buf brackets = {.arena = arena};
	struct json_reader in;
	struct str s;
	const char *why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		in = json_reader(arena, cases[i].text);
		json_skip(&in);
		ok(json_end(&in) == cases[i].good, "%.*s is %s", STR_ARGS(cases[i].text),
		    cases[i].good ? "JSON" : "not");
	}
	for (int i = 0; i < 100000; i++)
		buf_putc(&brackets, '[');
	in = json_reader(arena, buf_str(&brackets));
	ok(!json_skip(&in), "what nests without end is not followed");

	in = json_reader(arena, STR("[1,2]"));
	json_object(&in);
	why = in.error.why;
	ok(!json_array(&in) && !json_name(&in, &s) && !json_element(&in) && !json_string(&in, &s) &&
		!json_skip(&in) && !json_end(&in),
	    "after an error nothing more is read");
	ok(in.error.why == why && in.error.offset == 0, "and the first error stays");
}

static void
round_trips(void)
{
	struct arena *arena = arena_new();
	struct chance chance = {.state = 3};
	unsigned lost = 0, unlike = 0, taken = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct item item = random_item(arena, &chance), back;
		struct buf out = {.arena = arena}, again = {.arena = arena};
		struct json_error error;
		size_t cut;

		item_to_json(&out, &item);
		lost +=
		    !item_from_json(arena, buf_str(&out), &back, &error) || !item_eq(&back, &item);
		item_to_json(&again, &back);
		unlike += !str_eq(buf_str(&again), buf_str(&out));
		cut = chance_below(&chance, out.len);
		taken += item_from_json(
		    arena, (struct str){arena_copy(arena, out.base, cut), cut}, &back, &error);
		if (i % 50 == 49)
			arena_reset(arena);
	}
	is_int(lost, 0, "%d items made by chance come back from their text", ROUNDS);
	is_int(unlike, 0, "and are written the same again");
	is_int(taken, 0, "a cut text is refused");
	arena_free(arena);
}

int
main(void)
{
	struct arena *arena = arena_new();

	read_and_written(arena);
	refused(arena);
	large(arena);
	strings(arena);
	reader(arena);
	reader_errors(arena);
	round_trips();
	arena_free(arena);
	return tap_done();
}
