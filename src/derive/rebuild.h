#ifndef DERIVE_REBUILD_H
#define DERIVE_REBUILD_H

#include "derive/derivation.h"
#include "model/site/work.h"

enum { REBUILD_SEEN = 1 << 14 };

/*
 * Derivations made anew from all facts: a walk over the whole table, in which each item leads to its subject, as its
 * changes do. It writes only what differs, beside whoever else writes, and may stop between any two steps: what is
 * in `state` is all that it takes to go on.
 */
struct rebuild {
	struct derive *derive;
	struct work_rebuild state; /* in memory of the caller's */
	struct arena *arena;       /* of a step; what state.cursor points into is replaced by each */
	/* Hashes of subjects that were derived lately: neighbours in the walk mostly have the same one. */
	uint64_t seen[REBUILD_SEEN];
	/*
	 * Subjects that are derived together (struct derivation_bulk), and whether they are being written. NULL: there
	 * are none.
	 */
	void *bulk;
	const struct derivation *bulk_of;
	bool writing, walked; /* walked: all items were seen */
	/* Where the table says it is, while there are any: a copy. */
	struct arena *kept;
	struct work_rebuild stored;
	/* Told of each subject that differed; NULL: nobody is. */
	void (*tell)(void *context, const struct derivation *derivation, struct str subject, struct str first);
	void *context;
};

/* All derivations, to be made anew from the start. In the arena. */
struct work_rebuild rebuild_all(struct arena *arena, int64_t now);
/* The same, but for one that others see to; empty: none. */
struct work_rebuild rebuild_all_but(struct arena *arena, struct str without, int64_t now);

/*
 * The next items, or some of what was gathered from them; *done: these were the last. After a failure state.cursor is
 * where the step began, and call->why says of which subject it was.
 */
enum table_rc rebuild_step(struct rebuild *rebuild, bool *done);

/* Forgets what it has gathered and not written: for going on from another state, and at the end. */
void rebuild_drop(struct rebuild *rebuild);

/* The same, with `state` kept in the table before and behind it. TABLE_CONDITION: another process was there. */
enum table_rc rebuild_step_kept(struct rebuild *rebuild, bool *done);

#endif
