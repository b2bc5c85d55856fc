#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include "base/str.h"

/*
 * The text's beginning in at most `most` characters: the whole of it, or as many words as fit and an
 * ellipsis; a word that is longer than that is cut. White space becomes single spaces. In the arena.
 */
struct str text_excerpt(struct arena *arena, struct str text, size_t most);

/* Its first words, with an ellipsis where others follow. */
struct str text_beginning(struct arena *arena, struct str text, size_t words);

/* How many words white space separates. */
int64_t text_words(struct str text);

#endif
