#ifndef MODEL_SITE_MOVE_H
#define MODEL_SITE_MOVE_H

#include "model/bind.h"
#include "table/table.h"

/*
 * Moving a table to another store while the site goes on (`broadsheet copy --follow`). An item of each table says what it is
 * in that, and is its fence (struct table), so that while it is there nobody writes but who moves it:
 *
 *	MOVE / STATE                   copy: of the table `Other`, which goes on there; nobody else writes here
 *	                               closing: the last changes pass; for a minute at most, lest a copy that dies keeps it so
 *	                               moved: the site lives in `Other` now
 *	MOVE#<n> / MARK#<holder>       written behind the last changes. Each lies in a partition of its own, so that they come
 *	                               through all shards of the stream: when all have come, so has everything before them
 *
 * Whoever copies names itself in the copy, and all that it writes there is on the condition that it still is the one: so a
 * process that was stopped for long, or is one too many, does no harm.
 *
 * At any time at most one of the two tables takes writes: `closing` becomes `moved` only while it is sure to be closed, and
 * only then is the copy opened.
 */
#define MOVE_COPY STR("copy")
#define MOVE_CLOSING STR("closing")
#define MOVE_MOVED STR("moved")

enum {
	MOVE_MARKS = 256,        /* more than enough to meet each of a few dozen shards */
	MOVE_CLOSED_MS = 60000,  /* how long a table is closed at most */
	MOVE_MARGIN_MS = 20000,  /* by which clocks may differ */
};

struct move {
	struct str state; /* one of those; empty: none, it is a table as any other */
	struct str other; /* the other store */
	struct str holder; /* which process copies or closes */
	bool complete;     /* copy: all items were copied, and what changes follows */
	struct str cursor; /* copy: where the copying goes on before that */
	struct str position; /* copy: in the other's stream; all before it has followed */
	int64_t updated;
};

extern const struct binding_table move_bindings;

/* Both, in the call's arena. */
enum table_rc move_get(struct table *table, struct table_call *call, struct move *out);

/* Of the copy: how far it is. `first`: it is one from now on, of this holder; else TABLE_CONDITION when it is not any more. */
enum table_rc move_keep(struct table *copy, struct table_call *call, const struct move *move, bool first);
/* That it still is, as a check that goes with writes; in the arena. */
struct write move_guard(struct arena *arena, struct str holder);
/* The copy takes writes, if it still is this holder's. An empty one: whatever the table is. */
enum table_rc move_release(struct table *table, struct table_call *call, struct str holder);

/* Of the source: nobody writes. TABLE_CONDITION: it is being closed for another store, or it has moved. */
enum table_rc move_close(struct table *from, struct table_call *call, struct str other, struct str holder);
/* It takes writes again, if it was this holder who closed it. */
enum table_rc move_open(struct table *from, struct table_call *call, struct str holder);
/* It has moved, if it is still closed by this holder, and for a while yet. TABLE_CONDITION: it is not. */
enum table_rc move_finish(struct table *from, struct table_call *call, struct str other, struct str holder);

/* Puts the marks of this holder, which expire. */
enum table_rc move_mark(struct table *from, struct table_call *call, struct str holder);

/* Does an item belong to this table alone, so that no copy has it: its leases, its worker's state, and the above? */
bool move_skips(struct key key);

#endif
