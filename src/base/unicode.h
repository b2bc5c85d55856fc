#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include "base/str.h"

/*
 * What Unicode says of characters and texts; the one place that asks ICU. Texts are UTF-8. One that is not
 * well-formed comes back as it is.
 */

/* Is it part of a word: a letter, a mark that belongs to one, or a digit, of any script? */
bool unicode_is_word(uint32_t rune);

/* A mark that stands with the letter before it. */
bool unicode_is_mark(uint32_t rune);

/* Has it nothing to see: joiners, marks of direction, variation selectors, soft hyphens? */
bool unicode_is_ignorable(uint32_t rune);

/* The small letter of a capital one, where that is a single character; else the character. */
uint32_t unicode_small(uint32_t rune);

/* What a character is a mere form of, such as a full-width letter or a ligature: how many in `out`; 0: of none. */
enum { UNICODE_COMPAT_MAX = 18 };
size_t unicode_compat(uint32_t rune, uint32_t out[UNICODE_COMPAT_MAX]);

/* Normalization form C: of the ways to write the same characters, the one. In the arena, or the text itself. */
struct str unicode_nfc(struct arena *arena, struct str text);

/* The same without a difference between capitals and small letters. Doing it twice changes nothing. */
struct str unicode_fold(struct arena *arena, struct str text);

/* Is a short text (256 bytes at most) what unicode_fold() makes of it? */
bool unicode_is_folded(struct str text);

#endif
