#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include "base/str.h"

/*
 * The words of a text, as search compares them: folded, without accents, and by their stem.
 *
 * - A word is a run of letters, marks and digits. An apostrophe parts words, and a single letter beside it is none ("l'eau" is "eau",
 *   "don't" is "don"). A single letter with signs is a word of its own: "c++", "c#". "d3.js" is two words side by side.
 * - Each character is decomposed (NFKD), in small letters, without accents: unicode_plain(). What has no decomposition but
 *   looks like a letter of ASCII with a stroke is that letter: ø ł đ ı; æ œ þ ß are two letters.
 * - Scripts without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) are pairs of characters, each of which overlaps the next.
 * - What was folded is stemmed by Snowball, in the language of the text. Words that were typed without their accents have the same
 *   stem.
 *
 * No word is left out for being common: what is common is found out by counting (web/search/search.c). Bytes that are no
 * UTF-8 part words. A word has at most WORDS_MAX bytes; of a longer one the rest is left out.
 */
enum { WORDS_MAX = 64 };

struct word {
	struct str term;   /* folded and stemmed */
	struct str folded; /* not stemmed: for dictionaries */
	uint32_t from, to; /* its bytes in the text */
	uint32_t place;    /* among the words of the text, from 0 */
	bool pair;         /* of a script without spaces */
};

/* Reads texts of one language; of one thread. */
struct words;

/*
 * The language is a tag: "de", "pt-BR". One that has no stemmer, or none, leaves words as they are folded. Its memory is freed by
 * words_free(), for which NULL is allowed.
 */
struct words *words_new(struct str language);
void words_free(struct words *words);

/* Has this language a stemmer? If so its name as the index keeps it: "de" of "de-AT"; else empty. */
struct str words_language(struct str language);

/* Begins a text; it must stay until its last word. */
void words_begin(struct words *words, struct str text);
/* Its next word; false: there is none. What it has is valid until the next call. */
bool words_next(struct words *words, struct word *out);

/* All words, in the arena. */
struct word *words_list(struct words *words, struct arena *arena, struct str text, size_t *count);

#endif
