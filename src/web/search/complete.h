#ifndef WEB_SEARCH_COMPLETE_H
#define WEB_SEARCH_COMPLETE_H

#include "table/table.h"

/*
 * How the word goes on that somebody types: words of the dictionary (text/spelling.h), each of which stands in a post that
 * everybody may read at this moment. Two round trips, whose reads are few whatever is typed: complete_read(), and then
 * complete_witnesses() of its answer.
 */
enum { COMPLETE_MAX = 10 };

/* The beginning of the last word of what was typed, as the dictionary has it; empty: it is none, or too short or long. */
struct str complete_beginning(struct arena *arena, struct str typed);

struct read complete_read(struct arena *arena, struct str beginning);
size_t complete_witnesses(
    struct arena *arena, const struct read *words, struct read out[COMPLETE_MAX]);

/* The words, in alphabetical order; how many. */
size_t complete_take(struct arena *arena, const struct read *words, const struct read *witnesses,
    int64_t now, struct str out[COMPLETE_MAX]);

#endif
