#ifndef MODEL_KEY_STAFF_H
#define MODEL_KEY_STAFF_H

#include "model/key.h"

/* The part of the key schema for measures of the staff, and appeals against them. */

/* A person's appeal against a measure: `about` is a suspension or a comment. */
struct key key_appeal(struct arena *arena, struct str username, struct str about);
void key_index_appeal(struct arena *arena, struct item *item, struct str username, int64_t created);
/* Appeals that have not been settled, by time. */
struct query query_appeals(void);

/* What a route has cost in a day or a month (model/site/units.h), and all of these. */
struct key key_units(struct arena *arena, struct str period, struct str route);
struct query query_units(struct arena *arena, struct str period);

/* A range of addresses from which nobody writes, and all of them. */
struct key key_address_block(struct str range);
struct query query_address_blocks(void);

/* What the staff have purged of somebody, and each item that went; those for which there is something to do by now. */
struct key key_purge(struct arena *arena, struct str username);
struct key key_purged(struct arena *arena, struct str username, struct key was);
void key_index_purge(struct arena *arena, struct item *item, struct str username, int64_t next);
struct query query_purged(struct arena *arena, struct str username);
struct query query_purges_due(struct arena *arena, int64_t now);

/* The parts of what somebody has left, newest last. */
enum trace {
	TRACE_POSTS,
	TRACE_CLOSED,
	TRACE_DRAFTS,
	TRACE_COMMENTS,
	TRACE_HELD,
	TRACE_RATINGS,
	TRACE_COLLECTIONS,
	TRACE_LIKES,
	TRACE_VOTES,
	TRACE_FLAGS,
	TRACE_SESSIONS,
	TRACE_PICTURES,
	TRACES
};
struct query query_trace(struct arena *arena, struct str username, enum trace part);

#endif
