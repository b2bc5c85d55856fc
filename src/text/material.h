#ifndef TEXT_MATERIAL_H
#define TEXT_MATERIAL_H

#include "base/str.h"

/*
 * The words of what somebody calls a material, as search compares words: folded, and by their stem in a language
 * (text/words.h). A number, and what is too short to say anything, is none. Which words there are does not depend on
 * the language, so the third of one is the third of another.
 */

/* All of them, in their order, in the arena; how many. */
size_t material_words(struct arena *arena, struct str language, struct str name, struct str **out);

#endif
