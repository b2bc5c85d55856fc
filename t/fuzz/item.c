/* The stored form: what is read is written again byte for byte. */
#include "fuzz.h"

#include "base/arena.h"
#include "table/item.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str bytes = fuzz_str(data, size);
	struct item item, copy;

	if (item_decode(arena, bytes, &item)) {
		const char *error = item_error(&item);

		MUST(str_eq(item_encode(arena, &item), bytes));
		copy = item_copy(arena, &item);
		MUST(item_eq(&copy, &item));
		/* Strings are not looked at when they are read; all else is. */
		MUST(error == NULL || str_ends(str_of(error), STR("is not UTF-8")));
		for (size_t i = 0; i < item.count; i++)
			MUST(item_get(&item, item.attributes[i].name) == &item.attributes[i].value);
	} else {
		MUST(item.count == 0);
	}
	arena_free(arena);
	return 0;
}
