/* DynamoDB JSON: what is read can be stored, written, and read again as the same item. */
#include "fuzz.h"

#include "base/arena.h"
#include "table/json.h"

static void
check(struct arena *arena, const struct item *item)
{
	struct buf text = {.arena = arena}, again = {.arena = arena};
	struct json_error error;
	struct item back;

	MUST(item_error(item) == NULL);
	item_to_json(&text, item);
	MUST(item_from_json(arena, buf_str(&text), &back, &error));
	MUST(item_eq(&back, item));
	item_to_json(&again, &back);
	MUST(str_eq(buf_str(&again), buf_str(&text)));
	MUST(item_decode(arena, item_encode(arena, item), &back) && item_eq(&back, item));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str text = fuzz_str(data, size);
	struct json_reader reader = json_reader(arena, text);
	struct buf string = {.arena = arena};
	struct json_error error;
	struct item item;
	struct str back;
	bool good = item_from_json(arena, text, &item, &error);

	if (good)
		check(arena, &item);
	else
		MUST(item.count == 0 && error.offset <= size && error.why != NULL);

	/* What is an item is JSON; what is JSON need not be an item. */
	json_skip(&reader);
	MUST(json_end(&reader) || !good);

	json_put_string(&string, text);
	reader = json_reader(arena, buf_str(&string));
	MUST(json_string(&reader, &back) && json_end(&reader));
	MUST(str_utf8(back) && (!str_utf8(text) || str_eq(back, text)));
	arena_free(arena);
	return 0;
}
