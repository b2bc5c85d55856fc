#ifndef TABLE_DYNAMO_DYNAMO_PRIVATE_H
#define TABLE_DYNAMO_DYNAMO_PRIVATE_H

#include "table/dynamo/config.h"
#include "table/dynamo/breaker.h"
#include "table/dynamo/http.h"
#include "table/dynamo/response.h"
#include "table/table.h"

#include <stdatomic.h>

struct dynamo_gather;
struct shard_iterators;

/* The engine, as its files share it. */
struct dynamo {
	struct table table;
	struct dynamo_config config; /* its slices live in `arena` */
	struct arena *arena; /* of things that last as long as the engine; not touched later */
	struct dynamo_http *http;
	struct str stream;                 /* the name of the table's stream */
	struct shard_iterators *iterators; /* of the stream */
	struct dynamo_gather *gather;      /* gather.c's */
	struct dynamo_breaker breaker;
	struct dynamo_version *version;    /* version.c's */
	_Atomic int64_t open_until;  /* fence.c's */
	uint64_t chance[2];          /* write.c's: what its tokens begin with, */
	atomic_uint_fast64_t tokens; /* and how many there were */
};

/* --- Conversations: call.c -------------------------------------------------------------------- */

/* What follows a good answer. */
enum turn {
	TURN_END,   /* the conversation is over; `rc` says how */
	TURN_NEXT,  /* ask `body`, which is new */
	TURN_LATER, /* send `body` after a delay: the answer brought nothing new */
};

/*
 * A conversation: a request, its attempts, and the requests that follow from its answers. Several
 * run at once, in one waiting thread.
 */
struct talk {
	enum dynamo_service service;
	const char *operation; /* "GetItem" */
	struct str body;
	bool writes; /* while an answer is missing, the table may have been changed */
	bool once;   /* without an answer it must not be retried: it might be done twice */

	/* Hears an answer with status 200. */
	enum turn (*hear)(struct talk *talk, struct str answer);
	/* Is told the last refusal, and may change `rc`. NULL: the refusal's own rc. */
	void (*refused)(struct talk *talk, const struct dynamo_refusal *refusal);
	void *about; /* the callbacks' own */

	/* The end. */
	struct dynamo *db;
	struct table_call *call;
	enum table_rc rc;
	const char *why;
	bool unsure;

	/* call.c's own. */
	struct exchange *exchange;
	int64_t due;       /* when to ask */
	int64_t timeout;   /* how long a stage of this attempt may last */
	unsigned attempts; /* at this body */
	unsigned requests; /* answered, in all */
	bool over;
};

/*
 * Runs the conversations until all are over, one has failed or the call's deadline has passed.
 * Returns TABLE_OK, or the rc of the one that failed, with call->why and call->unsure.
 */
enum table_rc dynamo_talk(
    struct dynamo *db, struct table_call *call, struct talk *talks, size_t count);

/*
 * Milliseconds before another attempt at a request: random, so that those who were refused together do not come together
 * again, up to a limit that doubles with each attempt.
 */
static inline int64_t
dynamo_pause_ms(uint32_t chance, unsigned attempts)
{
	enum { FIRST_MS = 25, MOST_MS = 500 };
	int64_t most = attempts < 6 ? (int64_t)FIRST_MS << (attempts - 1) : MOST_MS;

	return chance % ((most < MOST_MS ? most : MOST_MS) + 1);
}

/* --- The table's functions, wherever they are -------------------------------------------------- */

enum table_rc dynamo_read(
    struct table *table, struct table_call *call, struct read *reads, size_t count);
/* The same as a reader at another time sees it; a writer sees expired items: INT64_MIN. */
enum table_rc dynamo_read_at(
    struct dynamo *db, struct table_call *call, struct read *reads, size_t count, int64_t now);
enum table_rc dynamo_walk(struct table *table, struct table_call *call, struct str cursor,
    uint32_t limit, struct walk_page *page);
enum table_rc dynamo_write(struct table *table, struct table_call *call, struct write *write);
enum table_rc dynamo_transact(struct table *table, struct table_call *call, struct write *writes,
    size_t count, struct str token);
enum table_rc dynamo_write_each(
    struct table *table, struct table_call *call, struct write *writes, size_t count);
enum table_rc dynamo_changes(struct table *table, struct table_call *call, struct str position,
    uint32_t limit, struct change_page *page);

/* --- Gets that are made together: gather.c ------------------------------------------------------------ */

struct dynamo_gather *dynamo_gather_new(void);
void dynamo_gather_free(struct dynamo_gather *gather);

/* Are these reads such gets? */
bool dynamo_gather_takes(const struct table_call *call, const struct read *reads, size_t count);
/* As dynamo_read_at(). */
enum table_rc dynamo_gather_read(
    struct dynamo *db, struct table_call *call, struct read *reads, size_t count, int64_t now);

/* --- The fence: fence.c ------------------------------------------------------------------------------ */

/* May an attempt at a write begin now? If not, *rc and call->why say why. May take a request. */
bool dynamo_fence_passed(struct dynamo *db, struct table_call *call, enum table_rc *rc);

/* --- The version: version.c ----------------------------------------------------------------------- */

/* Gives the table its version and slots, and frees them. */
void dynamo_version_begin(struct dynamo *db);
void dynamo_version_end(struct dynamo *db);

uint64_t dynamo_version(struct table *table);

/* These writes have ended, well or not. */
void dynamo_version_written(
    struct dynamo *db, struct arena *arena, const struct write *writes, size_t write_count);

#endif
