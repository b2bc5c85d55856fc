#ifndef TEXT_SPELLING_H
#define TEXT_SPELLING_H

#include "table/table.h"

/*
 * The dictionary: the words that stand in what everybody may see, folded and not stemmed, for "did you mean" and to complete
 * what somebody types.
 *
 *	WORDS#<its first two letters> / <word>           each word of 3 to 40 letters
 *	SPELL#<length>#<its first k letters>* / <word>   each of 5 and more, by what an error leaves as it was: one letter that
 *	SPELL#<length>#*<its last k letters> / <word>    is wrong, missing, too many or swapped is never at both ends
 *
 * k is half of the letters without one, at most 4: few enough that an error in the middle harms neither. So a word is
 * three items, not one for each letter that may be missing, and six queries find it.
 *
 * Each item has Found, the number of a public post in which the word stands: its witness. A word is offered only after
 * its witness was found through its public key, as a hit is. So it never stands only in what was deleted or hidden a moment
 * ago, however stale the dictionary is.
 */
enum {
	WORD_LETTERS_MIN = 3,
	WORD_LETTERS_MAX = 40,
	SPELLING_LETTERS_MIN = 5,
	SPELLING_QUERIES = 6,
	SPELLING_READ_MAX = 300, /* items of each query */
	SPELLING_BEST = 4,       /* of which the first with a witness is offered */
};

/* What the dictionary says of a word. */
struct known_word {
	struct str word;
	int64_t found; /* the number of its witness */
};
struct known_word known_word_of(const struct item *item);

/* Is it a word of the dictionary: of so many letters, and no number? */
bool spelling_is_word(struct str word);

/* The keys of its items; how many. */
enum { SPELLING_KEYS = 3 };
size_t spelling_keys(struct arena *arena, struct str word, struct key out[SPELLING_KEYS]);

/* The reads that find the words near a word that is not there; how many: 0 for one that is too short or long. */
size_t spelling_reads(struct arena *arena, struct str word, struct read out[SPELLING_QUERIES]);

/* From their answers, the words that are one error away, the likeliest first; how many. */
size_t spelling_best(struct str word, const struct read *answered, size_t count,
    struct known_word out[SPELLING_BEST]);

#endif
