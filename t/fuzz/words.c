/* Words of any bytes, in each language: in their order and places, within the text, folded once and for all, with a stem. */
#include "fuzz.h"

#include "base/arena.h"
#include "text/words.h"

static const char *const languages[] = {
    "", "en", "de", "es", "ru", "ar", "fi", "tr", "hi", "pt-BR"};
enum { LANGUAGES = sizeof(languages) / sizeof(languages[0]) };

/* What is folded is its own folded form, of one word; pairs and words with signs are left out. */
static void
check_folded(struct words *plain, struct arena *arena, const struct word *word)
{
	size_t count;
	struct word *list = words_list(plain, arena, word->folded, &count);

	if (word->pair || count != 1)
		return;
	MUST(str_eq(list[0].folded, word->folded));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const char *language = languages[size == 0 ? 0 : data[0] % LANGUAGES];
	struct words *words = words_new(str_of(language)), *plain = words_new(STR(""));
	struct str text = fuzz_str(data, size);
	uint32_t end = 0, place = 0;
	size_t count = 0, listed;
	struct word word;

	(void)words_list(words, arena, text, &listed);
	for (words_begin(words, text); words_next(words, &word); count++) {
		MUST(word.from < word.to && word.to <= text.len);
		MUST(word.from >= end || word.pair);
		MUST(count == 0 || word.place > place);
		MUST(word.folded.len != 0 && word.folded.len <= WORDS_MAX && str_utf8(word.folded));
		MUST(word.term.len != 0 && str_utf8(word.term));
		check_folded(plain, arena, &word);
		end = word.to;
		place = word.place;
	}
	MUST(count == listed);
	words_free(words);
	words_free(plain);
	arena_free(arena);
	return 0;
}
