#ifndef TEXT_DIFF_H
#define TEXT_DIFF_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * The difference of two texts, line by line, and of lines that were changed word by word.
 *
 * A text of n line ends has n + 1 lines; joined by line ends they are the text again. So the lines that
 * stay or go are exactly the old text, and those that stay or come the new one.
 *
 * Whatever the texts are, it is made in bounded time and memory: lines behind the first DIFF_LINES are
 * taken as one, words of what is larger than DIFF_WORDS are not compared, and where there is very much
 * that differs, more than need be may be called changed.
 */
enum { DIFF_LINES = 20000, DIFF_WORDS = 50000 };

enum diff_mark { DIFF_STAYS, DIFF_GOES, DIFF_COMES };

/* A part of a line: joined they are the line. */
struct diff_piece {
	struct str text;
	bool changed;
};

struct diff_line {
	enum diff_mark mark;
	uint32_t old_number, new_number; /* from 1; 0 where it is not in that text */
	struct str text;                 /* without its end; a slice of one of the two texts */
	/* Of a line that goes or comes, and is not changed as a whole; else none. */
	const struct diff_piece *pieces;
	size_t piece_count;
};

struct diff {
	const struct diff_line *lines; /* of a change, first all that goes, then what comes */
	size_t count;
	size_t going, coming; /* how many of them */
};

/* Lines point into the texts; all else is in the arena. The texts may hold any bytes. */
void diff_texts(struct arena *arena, struct str old, struct str new, struct diff *out);

/* --- Beneath it: sequences of numbers --------------------------------------------------------- */

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
