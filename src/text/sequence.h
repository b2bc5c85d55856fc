#ifndef TEXT_SEQUENCE_H
#define TEXT_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * What has to go from one sequence, and what has to come, to make another one of it. Elements are
 * numbers: the same number, the same element.
 */
struct sequence {
	const uint32_t *elements;
	size_t count;  /* under 2^30 */
	bool *changed; /* one for each: taken out of the old one, put into the new one */
};

/*
 * Sets `changed` of both, which must be false. What is left unchanged is the same in both, in order.
 *
 * It is as much as there can be while the two differ in no more than about 2 * `most` elements; where they
 * differ in more it may be less, but the time stays within (both counts) * `most`, and memory within 16
 * bytes an element.
 */
void sequence_compare(
    struct arena *arena, struct sequence *old, struct sequence *new, uint32_t most);

#endif
