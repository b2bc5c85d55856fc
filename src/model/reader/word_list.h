#ifndef MODEL_READER_WORD_LIST_H
#define MODEL_READER_WORD_LIST_H

#include "model/site/moderation.h"

/*
 * The lists of words, links and domains of the settings: what has one of them waits for an editor, and nobody is told why.
 * Each has an entry a line. A word, or several, is found where it stands by itself, whatever its letters' case; of a
 * domain all below it; of a link any part of an address.
 */

/* What of the lists is in a text: "the word “casino”, the domain x.example"; empty: nothing. In the arena. */
struct str word_list_found(struct arena *arena, const struct moderation *m, struct str text);

#endif
