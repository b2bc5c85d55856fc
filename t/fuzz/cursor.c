/* Cursors: any bytes come back; any text that opens is what sealing its content gives. */
#include "fuzz.h"

#include "base/arena.h"
#include "web/http/cursor.h"

#include <sodium.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned char key[CURSOR_KEY_BYTES] = "a key of thirty-two bytes, 01234";
	struct arena *arena = arena_new();
	struct str input = fuzz_str(data, size), out, text;

	if (sodium_init() < 0)
		abort();
	if (cursor_open(arena, key, STR("list"), input, &out))
		MUST(str_eq(cursor_seal(arena, key, STR("list"), out), input));
	text = cursor_seal(arena, key, STR("list"), input);
	if (text.len <= CURSOR_SEALED_MAX) {
		MUST(cursor_open(arena, key, STR("list"), text, &out) && str_eq(out, input));
		MUST(text.len == 0 || !cursor_open(arena, key, STR("other"), text, &out));
	}
	/* The last byte of the input says which character of the text is changed. */
	if (size != 0 && text.len <= CURSOR_SEALED_MAX) {
		char *copy = arena_copy(arena, text.base, text.len);
		size_t at = data[size - 1] % text.len;

		copy[at] = copy[at] == 'A' ? 'B' : 'A';
		MUST(!cursor_open(arena, key, STR("list"), (struct str){copy, text.len}, &out));
	}
	arena_free(arena);
	return 0;
}
