#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include "base/str.h"

/*
 * Properties of characters and texts in Unicode; the one place that uses ICU. Texts are UTF-8. One
 * that is not well-formed is returned unchanged.
 */

/* Is it part of a word: a letter, a mark that belongs to one, or a digit, of any script? */
bool unicode_is_word(uint32_t rune);

/* A combining mark. */
bool unicode_is_mark(uint32_t rune);

/* Is it invisible: a joiner, a mark of direction, a variation selector, a soft hyphen? */
bool unicode_is_ignorable(uint32_t rune);

/* The lower-case form, if that is a single character; otherwise the character. */
uint32_t unicode_small(uint32_t rune);

/*
 * The compatibility decomposition, as of a full-width letter or a ligature: how many characters in
 * `out`; 0: none.
 */
enum { UNICODE_COMPAT_MAX = 18 };
size_t unicode_compat(uint32_t rune, uint32_t out[UNICODE_COMPAT_MAX]);

/*
 * A character as search compares it: the compatibility decomposition in small letters, without the marks that letters
 * of any script can have (accents, but not the vowels of Indic scripts). й stays й, as it is a letter of its own; and
 * so do Hangul and Kana, whose parts are none. How many characters in `out`, also 0.
 */
size_t unicode_plain(uint32_t rune, uint32_t out[UNICODE_COMPAT_MAX]);

/* Is it of a script that is written without spaces between words: Han, Kana, Thai, Lao, Khmer, Burmese? */
bool unicode_is_unspaced(uint32_t rune);

/* Normalization form C. In the arena, or the text itself. */
struct str unicode_nfc(struct arena *arena, struct str text);

/* The same and case-folded. Idempotent. */
struct str unicode_fold(struct arena *arena, struct str text);

/* Is a short text (at most 256 bytes) already as unicode_fold() returns it? */
bool unicode_is_folded(struct str text);

#endif
