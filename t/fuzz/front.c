/* Front matter: whatever a file is, every text that is read from it can be written and read again. */
#include "fuzz.h"

#include "base/arena.h"
#include "text/front_matter.h"

/* Writes all texts of a value, in both forms of a list; *count of them. */
static void
put_texts(struct buf *out, const struct front_value *value, unsigned depth, size_t *count)
{
	MUST(depth <= FRONT_DEPTH + 1);
	if (value->kind == FRONT_TEXT) {
		front_put_item(out, 0, value->text);
		BUF_PUT(out, "-\n");
		front_put_text(out, 2, STR("key"), value->text);
		++*count;
	}
	for (size_t i = 0; i < value->count; i++)
		put_texts(out, &value->entries[i].value, depth + 1, count);
}

/* Are they the texts of the list, twice each, from *at on? */
static void
check_texts(const struct front_value *list, const struct front_value *value, size_t *at)
{
	if (value->kind == FRONT_TEXT) {
		const struct front_value *map = &list->entries[*at + 1].value;

		MUST(str_eq(list->entries[*at].value.text, value->text));
		MUST(map->kind == FRONT_MAP && map->count == 1);
		MUST(str_eq(map->entries[0].value.text, value->text));
		*at += 2;
	}
	for (size_t i = 0; i < value->count; i++)
		check_texts(list, &value->entries[i].value, at);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct buf out = {.arena = arena};
	struct front_fault fault = {.line = 0};
	struct front_matter first, second;
	size_t count = 0, at = 0;

	if (front_matter_read(arena, fuzz_str(data, size), &first, &fault)) {
		front_begin(&out);
		front_put_key(&out, STR("texts"));
		put_texts(&out, &first.map, 0, &count);
		front_end(&out, front_text_fits(first.text) ? first.text : STR(""));
		MUST(front_matter_read(arena, buf_str(&out), &second, &fault));
		MUST(second.map.count == 1);
		MUST(second.map.entries[0].value.count == 2 * count);
		check_texts(&second.map.entries[0].value, &first.map, &at);
		MUST(str_eq(second.text, first.text) || !front_text_fits(first.text));
	} else {
		MUST(fault.line != 0 && fault.why.len != 0);
	}
	arena_free(arena);
	return 0;
}
