#ifndef MODEL_SITE_WORK_H
#define MODEL_SITE_WORK_H

#include "model/bind.h"
#include "model/site/outbox.h"
#include "table/table.h"

/*
 * What the stream worker (derive/stream_worker.h) keeps of its own:
 *
 *	WORK / STATE                   how far the stream of changes has been handled
 *	WORK / DERIVED#<name>          of which version a derivation is, and when it was last made anew
 *	WORK / REBUILD                 that derivations are being made anew, and how far that is
 *	PARKED / <name>#<subject>      what could not be derived
 *	WORK / MAIL                    what the sender of letters keeps (model/site/outbox.h)
 *
 * All of it is read in one round trip.
 */
enum { WORK_PARKED_MAX = 500 /* that are shown */ };

/* How far the stream has been handled. */
struct work_state {
	struct str position; /* in the stream; empty: nowhere yet */
	int64_t handled;     /* records so far */
	int64_t written;     /* derived items written so far */
	int64_t letters_from; /* of what came before it no letter is sent; 0: of all */
	int64_t record_at;   /* when the last of these records was written; milliseconds */
	int64_t stored_at;   /* when this was */
	int64_t recent, recent_from, recent_micros; /* work_count()'s: of the last minute, about */
};

/* A derivation, as it was last made anew as a whole. */
struct work_derived {
	struct str name;
	int64_t version;
	int64_t rebuilt_at, items, differences;
};

/* What failed too often to be tried on: skipped until somebody asks for another try. */
struct work_parked {
	struct str derivation, subject, why;
	int64_t created;
};

/* Derivations that are made anew, an item of the table after another. */
struct work_rebuild {
	struct strings_value names; /* of the derivations */
	struct str cursor;          /* of the walk: where to go on; empty: at its start */
	int64_t begun, items, differences;
};

struct work {
	struct work_state state;
	struct work_derived *derived;
	size_t derived_count;
	struct work_parked *parked;
	size_t parked_count;
	bool parked_more; /* than these */
	struct work_rebuild rebuild;
	bool rebuilding;
	bool led; /* some process has the lease */
	struct sender_state sender; /* of letters */
	bool sends; /* some process has the lease of that */
};

/* Counts records that were handled in so many microseconds. */
void work_count(struct work_state *s, int64_t now, int64_t records, int64_t micros);

/* Throughput: how many records there were in the last minute, and how many a second it handles while it works. */
struct work_pace {
	int64_t a_minute, a_second;
};
struct work_pace work_pace(const struct work_state *s, int64_t now);

/* The lease of whoever works. */
#define WORK_LEASE STR("stream")

/* The reads of all of it, and what they found, in the arena. */
enum { WORK_READS = 4 };
void work_reads(struct read reads[WORK_READS]);
void work_take(
    struct arena *arena, const struct read reads[WORK_READS], int64_t now, struct work *out);

/* From the item, or none (NULL). */
void work_state_from_item(struct arena *arena, const struct item *item, struct work_state *out);

/* When the last of the records was written that have been handled; 0: nobody has worked yet. */
enum table_rc work_handled_to(struct table *table, struct table_call *call, int64_t *time);

/* Both, in the call's arena. */
enum table_rc work_load(struct table *table, struct table_call *call, struct work *out);

/*
 * Stores how far the stream has been handled, if that is still where `was` says. TABLE_CONDITION: another worker has
 * stored it meanwhile.
 */
enum table_rc work_store(struct table *table, struct table_call *call, const struct work_state *was,
    const struct work_state *is);

/*
 * A table that takes over from another one, with all that waits there: it sends the letters that the other would have sent.
 * `guard` goes with the write.
 */
enum table_rc work_take_over(struct table *table, struct table_call *call, struct table *from,
    const struct write *guard);
/* Its worker begins as if there never was one: everything is derived anew, and letters are of what happens from then on. */
enum table_rc work_forget(struct table *table, struct table_call *call);

enum table_rc work_park(struct table *table, struct table_call *call, const struct work_parked *parked);
enum table_rc work_unpark(struct table *table, struct table_call *call, const struct work_parked *parked);

/*
 * Stores a rebuild, if it is still where `was` says; NULL: if none is under way. An `is` of NULL: it is done.
 * TABLE_CONDITION: somebody else was there.
 */
enum table_rc work_store_rebuild(struct table *table, struct table_call *call,
    const struct work_rebuild *was, const struct work_rebuild *is);

/* Notes that a derivation has been made anew. */
enum table_rc work_note_derived(
    struct table *table, struct table_call *call, const struct work_derived *derived);

/* The row of a derivation; NULL: it never was made as a whole. */
const struct work_derived *work_find_derived(const struct work *work, struct str name);

extern const struct binding_table work_state_bindings, work_derived_bindings, work_parked_bindings,
    work_rebuild_bindings;

#endif
