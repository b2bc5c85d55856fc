#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include "base/str.h"

/*
 * How many letters to add, drop or change, or to swap with their neighbour, to make one word of the
 * other; SIZE_MAX for long ones.
 */
size_t str_distance(struct str a, struct str b);

/*
 * For "did you mean …?": while going through the words that are known, suggest_word() keeps the one
 * that is nearest to what was typed. Begin with `{.typed = …}`; `nearest` is NULL while none is near.
 */
struct suggestion {
	struct str typed;
	const char *nearest;
	size_t distance;
};

void suggest_word(struct suggestion *suggestion, const char *known);

#endif
