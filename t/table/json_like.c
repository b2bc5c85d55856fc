/* Items of a list, each read by the pattern of the one before: the same as each by itself, or refused like it. */
#include "lib/random_item.h"
#include "lib/tap.h"

#include "table/json.h"

enum { ROUNDS = 500, ITEMS_MAX = 6 };

static struct str
text_of(struct arena *arena, const struct item *item)
{
	struct buf out = {.arena = arena};

	item_to_json(&out, item);
	return buf_str(&out);
}

/* Both ways to read a list of such items; they must agree. */
static bool
agree(struct arena *arena, const struct str *texts, size_t count)
{
	struct buf all = {.arena = arena};
	struct json_pattern pattern = {.count = 0};
	struct json_reader in;
	bool good = true;

	BUF_PUT(&all, "[");
	for (size_t i = 0; i < count; i++) {
		buf_put(&all, i > 0 ? STR(",") : STR(""));
		buf_put(&all, texts[i]);
	}
	BUF_PUT(&all, "]");
	in = json_reader(arena, buf_str(&all));
	json_array(&in);
	for (size_t i = 0; i < count && good; i++) {
		struct item alone, like;
		struct json_error error;
		bool fine = item_from_json(arena, texts[i], &alone, &error);

		json_element(&in);
		good = json_item_like(&in, &pattern, &like) == fine && item_error(&like) == NULL &&
		       str_eq(text_of(arena, &like), text_of(arena, &alone));
		if (!fine)
			return good && in.error.why != NULL;
	}
	json_element(&in);
	return good && json_end(&in);
}

static void
by_hand(struct arena *arena)
{
	static const struct {
		struct str texts[3];
		const char *what;
	} cases[] = {
	    {{STR_INIT("{\"b\":{\"S\":\"x\"},\"a\":{\"N\":\"1\"}}"),
		 STR_INIT("{\"b\":{\"S\":\"\"},\"a\":{\"N\":\"2\"}}"),
		 STR_INIT("{\"b\":{\"S\":\"é\\n\"},\"a\":{\"S\":\"{\"}}")},
		"the same names in the same order"},
	    {{STR_INIT("{\"b\":{\"S\":\"x\"},\"a\":{\"N\":\"1\"}}"),
		 STR_INIT("{\"a\":{\"N\":\"2\"},\"b\":{\"S\":\"\"}}"),
		 STR_INIT("{\"b\":{\"S\":\"\"},\"a\":{\"N\":\"2\"}}")},
		"another order"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"},\"b\":{\"N\":\"1\"}}"),
		 STR_INIT("{\"a\":{\"S\":\"y\"}}"),
		 STR_INIT("{\"a\":{\"S\":\"z\"},\"b\":{\"N\":\"1\"},\"c\":{\"N\":\"1\"}}")},
		"less names, and more"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"}}"), STR_INIT(" { \"a\" :\t{ \"S\" : \"y\" } } "),
		 STR_INIT("{\"a\": {\"S\":\"z\"}}")},
		"white space"},
	    {{STR_INIT("{\"a\\\"b\":{\"S\":\"x\"}}"), STR_INIT("{\"a\\\"b\":{\"S\":\"y\"}}"),
		 STR_INIT("{\"a\\u0022b\":{\"S\":\"z\"}}")},
		"a name with an escape"},
	    {{STR_INIT("{}"), STR_INIT("{}"), STR_INIT("{\"a\":{\"S\":\"x\"}}")},
		"items without any"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"}}"),
		 STR_INIT("{\"a\":{\"S\":\"y\"},\"a\":{\"S\":\"\"}}"), STR_INIT("{}")},
		"a name that is there twice"},
	    {{STR_INIT("{\"a\\\"b\":{\"S\":\"x\"}}"), STR_INIT("{\"a\"b\":{\"S\":\"y\"}}"),
		 STR_INIT("{}")},
		"a name that lacks its escape"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"}}"), STR_INIT("{\"a\":{\"S\":\"\x01\"}}"),
		 STR_INIT("{}")},
		"a control character"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"}}"), STR_INIT("{\"a\":{\"S\":\"\xff\xff\"}}"),
		 STR_INIT("{}")},
		"what is not UTF-8"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"}}"), STR_INIT("{\"a\":{\"N\":\"1.5\"}}"),
		 STR_INIT("{}")},
		"a number that is not whole"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"},\"b\":{\"S\":\"x\"}}"),
		 STR_INIT("{\"a\":{\"S\":\"x\"}\"b\":{\"S\":\"x\"}}"), STR_INIT("{}")},
		"a comma that is missing"},
	    {{STR_INIT("{\"a\":{\"S\":\"x\"}}"), STR_INIT("{\"a\":{\"S\":\"x\""), STR_INIT("")},
		"an end too soon"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok(agree(arena, cases[i].texts, 3), "%s", cases[i].what);
}

/* The item before, or a new one; now and then with a value changed or a name more. */
static struct item
next_item(struct arena *arena, struct chance *chance, const struct item *before)
{
	struct item item =
	    chance_below(chance, 4) == 0 ? random_item(arena, chance) : item_shallow(arena, before);

	if (item.count > 0 && chance_below(chance, 2) == 0)
		item.attributes[chance_below(chance, item.count)].value =
		    value_string(random_string(arena, chance, 8));
	if (chance_below(chance, 4) == 0)
		item_set(arena, &item, STR("More"), value_number(1));
	return item;
}

static void
by_chance(struct arena *arena)
{
	struct chance chance = {.state = 11};
	unsigned wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct str texts[ITEMS_MAX];
		struct item item = random_item(arena, &chance);

		for (size_t i = 0; i < ITEMS_MAX; i++) {
			texts[i] = text_of(arena, &item);
			item = next_item(arena, &chance, &item);
		}
		wrong += !agree(arena, texts, ITEMS_MAX);
		arena_reset(arena);
	}
	is_int(wrong, 0, "lists made by chance");
}

int
main(void)
{
	struct arena *arena = arena_new();

	by_hand(arena);
	by_chance(arena);
	arena_free(arena);
	return tap_done();
}
