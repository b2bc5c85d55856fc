#include "web/search/complete.h"

#include "base/arena.h"
#include "model/key_spelling.h"
#include "text/spelling.h"
#include "web/search/search_private.h"

enum { BEGINNING_LEAST = 2, BEGINNING_MOST = 40 };

struct str
complete_beginning(struct arena *arena, struct str typed)
{
	struct words *words = words_new(STR(""));
	struct str last = STR("");
	struct word word;
	size_t letters = 0;

	/* An end of a text that is no word, as a space is, is no beginning of one. */
	for (words_begin(words, typed); words_next(words, &word);)
		last = word.to == typed.len ? str_dup(arena, word.folded) : STR("");
	words_free(words);
	for (size_t at = 0; at < last.len; letters++)
		(void)str_rune(last, &at);
	return letters >= BEGINNING_LEAST && letters <= BEGINNING_MOST ? last : STR("");
}

struct read
complete_read(struct arena *arena, struct str beginning)
{
	struct read read = {.kind = READ_QUERY, .query = query_words(arena, beginning)};

	read.query.limit = COMPLETE_MAX;
	return read;
}

size_t
complete_witnesses(struct arena *arena, const struct read *words, struct read out[COMPLETE_MAX])
{
	for (size_t i = 0; i < words->found_count; i++) {
		struct known_word known = known_word_of(&words->found[i]);

		out[i] = correction_witness(arena, &known);
	}
	return words->found_count;
}

size_t
complete_take(struct arena *arena, const struct read *words, const struct read *witnesses, int64_t now,
    struct str out[COMPLETE_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < words->found_count; i++) {
		struct known_word known = known_word_of(&words->found[i]);

		if (correction_witnessed(arena, &known, &witnesses[i], now))
			out[count++] = known.word;
	}
	return count;
}
