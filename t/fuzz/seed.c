/* Placeholders of the seed: whatever a string holds, it is replaced or refused. */
#include "fuzz.h"

#include "base/arena.h"
#include "cli/seed_text.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str text = fuzz_str(data, size), out, why = {0};

	if (seed_expand_text(arena, INT64_C(1763454600123), text, &out, &why))
		MUST(str_find(text, '@') < text.len || str_eq(out, text));
	else
		MUST(why.len != 0);
	/* What is UTF-8 stays so. */
	if (why.len == 0 && str_utf8(text))
		MUST(str_utf8(out));
	arena_free(arena);
	return 0;
}
