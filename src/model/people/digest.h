#ifndef MODEL_PEOPLE_DIGEST_H
#define MODEL_PEOPLE_DIGEST_H

#include "model/plan.h"

struct zone;

/*
 * That somebody wants a letter each week of what is new: an item of theirs, which stands in an index by when the next one is due.
 * Each Monday morning the sender adds the letter (derive/letters.h) and moves the item on by a week.
 */
struct digest {
	struct str username;
	int64_t next;
};

/* The next Monday, seven in the morning of the site's clocks (NULL: UTC), after `now`. */
int64_t digest_after(const struct zone *zone, int64_t now);

struct read digest_read(struct arena *arena, struct str username);
bool digest_wanted(const struct read *answer);

/* This person wants one from then on, or none any more; twice is once. */
enum plan_rc digest_set(struct plan *plan, struct str username, bool wanted, int64_t next);

/* Those that are due, at most `limit`, in the call's arena. */
enum table_rc digest_due(struct table *table, struct table_call *call, int64_t now, uint32_t limit,
    struct digest **out, size_t *count);

/* It is done, until then. TABLE_CONDITION: somebody else has done so, or nobody wants it any more. */
enum table_rc digest_advance(
    struct table *table, struct table_call *call, const struct digest *was, int64_t next);

extern const struct binding_table digest_bindings;

#endif
