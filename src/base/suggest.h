#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include "base/str.h"

/*
 * The edit distance of two words: letters to insert, delete, replace, or swap with their neighbour;
 * SIZE_MAX for long ones.
 */
size_t str_distance(struct str a, struct str b);

/*
 * For "did you mean …?": call suggest_word() for each known word; it keeps the one nearest to what
 * was typed. Begin with `{.typed = …}`; `nearest` is NULL if none is near.
 */
struct suggestion {
	struct str typed;
	const char *nearest;
	size_t distance;
};

void suggest_word(struct suggestion *suggestion, const char *known);

#endif
