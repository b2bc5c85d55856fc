#ifndef MODEL_KEY_SPELLING_H
#define MODEL_KEY_SPELLING_H

#include "model/key.h"

/* The part of the key schema that is about the dictionary: text/spelling.h. */

/* A word among those that begin with the same two letters. */
struct key key_word(struct arena *arena, struct str word);

/* The words that begin so: two letters and more. */
struct query query_words(struct arena *arena, struct str beginning);

/* A word of so many letters among those with the same beginning or, if `end`, the same end. */
struct key key_spelling(
    struct arena *arena, struct str word, size_t length, struct str letters, bool end);
struct query query_spelling(struct arena *arena, size_t length, struct str letters, bool end);

/* The word of any of these keys. */
struct str key_word_of(struct key key);

#endif
