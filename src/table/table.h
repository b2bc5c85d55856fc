#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include "table/item.h"

struct clock;
struct limiter;
struct slots;
struct table;

/*
 * The one table, whatever holds it: a partition key PK and a sort key SK, four secondary indexes,
 * and a stream of changes. Nothing outside src/table/ knows which engine it speaks to.
 *
 * The meaning is Amazon DynamoDB's to the letter, in a smaller language: there are no filters, no
 * projections, no nested paths, and no scan but table_walk(), for copying a table as a whole.
 *
 *   - PK and SK are strings of 1 to 2,048 and 1 to 1,024 bytes; they sort by bytes and may hold NUL.
 *   - An item is at most 400 KB by item_size() and nests at most 31 lists and maps within each other.
 *   - An item is in the index n when it has both GSI<n>PK and GSI<n>SK. Each of them is a string with
 *     the limits of keys, or is not there; an update can set it or remove it, and nothing else. Reads of
 *     an index may lag behind writes on a distributed engine and are never `consistent`.
 *   - ExpiresAt is a number of seconds since 1970. A reader sees an expired item as absent at once.
 *     A writer sees it until it is swept: a condition that cares compares ExpiresAt itself.
 *
 * Reads are values of struct read, writes of struct write; several reads that depend on nothing are
 * handed over together and are one round trip, whatever their number.
 */

/* The results of a call. table_rc_text() has a phrase for each. */
enum table_rc {
	TABLE_OK,
	TABLE_CONDITION,   /* a condition was false; nothing changed; `failed` is the item */
	TABLE_CANCELLED,   /* a transaction was refused; each action's `rc` says why, OK if not its own fault */
	TABLE_CONFLICT,    /* a conflicting transaction; nothing changed; a retry may succeed */
	TABLE_INVALID,     /* the request breaks a rule: a bug of the caller; see call->why */
	TABLE_BAD_CURSOR,  /* the cursor is not one of this query's, or not a position of the stream */
	TABLE_TOKEN_USED,  /* a transaction with this token had other actions */
	TABLE_TRIMMED,     /* the stream no longer holds what follows this position */
	TABLE_DEADLINE,    /* time ran out; a write was not made, unless call->unsure says otherwise */
	TABLE_THROTTLED,   /* the engine takes no more for now (backpressure); nothing changed */
	TABLE_FULL,        /* no space is left; nothing changed */
	TABLE_UNAVAILABLE, /* the engine is unavailable or failed; see call->why and call->unsure */
	TABLE_CORRUPT,     /* what is stored can't be read */
};

enum table_index { TABLE_PRIMARY, TABLE_GSI1, TABLE_GSI2, TABLE_GSI3, TABLE_GSI4 };

enum {
	TABLE_INDEXES = 4,
	TABLE_PK_MAX = 2048,
	TABLE_SK_MAX = 1024,
	TABLE_BATCH_MAX = 100,                 /* keys of a batch get, actions of a transaction */
	TABLE_QUERY_MAX = 1000,                /* items of a query */
	TABLE_CHANGES_MAX = 1000,              /* records of one read of the stream */
	TABLE_CHANGES_BYTES = 4 * 1024 * 1024, /* the same, as they are stored */
	TABLE_WALK_BYTES = 1024 * 1024,        /* of items, with which a step of the walk ends */
	TABLE_TOKEN_MAX = 36,                  /* bytes of an idempotency token */
	TABLE_TRANSACT_BYTES = 4 * 1024 * 1024,
	TABLE_TOKEN_SECONDS = 10 * 60,
	TABLE_FENCE_MS = 1000, /* after which no write begins that has not seen the fence */
};

#define TABLE_EXPIRES STR("ExpiresAt")

struct key {
	struct str pk, sk;
};

/* --- A call's surroundings ---------------------------------------------------------------- */

/* What calls have cost; they add to it. */
struct table_cost {
	uint32_t requests;    /* gets, batch gets, queries and writes */
	uint32_t round_trips; /* that had to wait for one another */
	int64_t micros;       /* of waiting */
	uint32_t read_half_units, write_units; /* in DynamoDB's units; 0 where the engine has none */
};

/* What was read, for who keeps what was made of it; see table/slots.h. Begin with {0}. */
enum { READ_SET_MAX = 128 };
struct read_set {
	uint16_t slots[READ_SET_MAX], count;
	bool whole; /* there was more, so it depends on the whole table */
};

/*
 * The context of a call: where its results are allocated, how long it may take, what it cost. One
 * struct serves the calls of a request one after another; it belongs to one thread.
 */
struct table_call {
	struct arena *arena;
	int64_t deadline; /* on the table's monotonic clock, in milliseconds; 0: the engine's default */
	struct table_cost cost;
	const char *why; /* after a failure: a phrase for the log, in the arena or static */
	const char *failed; /* of the last failed call, however many succeeded after it */
	bool unsure;     /* after a failed write: it may have been carried out nevertheless */
	bool background; /* of a thread that answers no requests, so it is none of table->writers */
	/*
	 * Of who makes a write again if it is lost: in a power cut it may be, and all such writes after it. What is acknowledged
	 * to another write, by whomever, keeps all that was acknowledged before. Only a hint.
	 */
	bool can_be_lost;
	bool past_fence; /* of whoever closes and opens the table's fence: it does not hold this call up */
	struct read_set *noted; /* where table_read() notes what it reads; NULL: nowhere */
	void *hold;      /* the engine's; begin with NULL and end with table_release() */
};

/* --- Reads --------------------------------------------------------------------------------- */

enum read_kind { READ_GET, READ_BATCH, READ_QUERY };

enum sort_op {
	SORT_ANY,
	SORT_EQ,
	SORT_LT,
	SORT_LE,
	SORT_GT,
	SORT_GE,
	SORT_BETWEEN, /* low and high included; low > high is TABLE_INVALID */
	SORT_BEGINS,  /* an empty prefix is any */
};

struct query {
	enum table_index index;
	struct str partition;
	enum sort_op op;
	struct str low;  /* the operand */
	struct str high; /* the second operand of SORT_BETWEEN */
	uint32_t limit;  /* 1 to TABLE_QUERY_MAX: exactly so many unless the end comes first */
	bool descending;
	bool consistent;   /* of the table only */
	struct str cursor; /* empty: from the start; else the `next` of this query's last answer */
};

struct read {
	enum read_kind kind;
	bool unnoted; /* not in call->noted: the caller sees to it */
	struct key key; /* GET */
	bool consistent; /* GET, BATCH */
	struct {
		const struct key *keys; /* no key twice */
		size_t count;           /* 1 to TABLE_BATCH_MAX */
	} batch;
	struct query query;

	/* The answer, in the call's arena. */
	struct item *item;   /* GET: NULL when there is none */
	struct item **items; /* BATCH: one for each key in their order, NULL where there is none */
	struct item *found;  /* QUERY */
	size_t found_count;  /* QUERY */
	struct str next;     /* QUERY: the cursor of the next page, empty at the end */
};

/* --- Writes -------------------------------------------------------------------------------- */

/* A condition on an item as it is before a write; an attribute may be missing. */
enum condition_op {
	COND_ALWAYS,
	COND_EXISTS,  /* the attribute is there; COND_EXISTS of PK: the item is there */
	COND_MISSING, /* it is not */
	COND_EQ,      /* false when missing or of another kind */
	COND_NE,      /* true when missing or of another kind */
	COND_LT,      /* these need strings, numbers or binaries of one kind; else false */
	COND_LE,
	COND_GT,
	COND_GE,
	COND_BETWEEN,
	COND_BEGINS,   /* a string or a binary begins with the operand */
	COND_CONTAINS, /* a string or a binary holds the operand, a set or list has it as a member */
	COND_ALL,      /* every child; true without children */
	COND_ANY,      /* some child; false without children */
	COND_NOT,      /* not the one child */
};

struct condition {
	enum condition_op op;
	struct str name;
	struct value value;
	struct value high; /* COND_BETWEEN */
	const struct condition *children;
	size_t count;
};

/* One change of an update. No attribute is named twice, and none is PK or SK. */
enum change_op {
	CHANGE_SET,
	CHANGE_SET_IF_ABSENT,
	CHANGE_ADD,        /* a number; a missing attribute counts as 0 */
	CHANGE_REMOVE,     /* may be missing */
	CHANGE_SET_ADD,    /* a set's members; a missing attribute counts as empty */
	CHANGE_SET_DELETE, /* a set's members; an empty set is removed */
};

struct change {
	enum change_op op;
	struct str name;
	struct value value;
};

enum write_kind {
	WRITE_PUT,    /* the whole item, replacing the old one */
	WRITE_UPDATE, /* changes of attributes; creates the item if necessary */
	WRITE_DELETE, /* may be missing */
	WRITE_CHECK,  /* in a transaction only: no write, just the condition */
};

enum write_return { RETURN_NONE, RETURN_OLD, RETURN_NEW };

struct write {
	enum write_kind kind;
	struct key key;   /* UPDATE, DELETE, CHECK */
	struct item item; /* PUT: with its PK and SK */
	const struct change *changes;
	size_t change_count;
	const struct condition *condition; /* NULL: always */
	/*
	 * UPDATE: the index keys that the item has before, as far as the update does not set them itself; NULL: the
	 * writer does not know. For caches only: an engine that can't see what it changes stamps these partitions
	 * (table/slots.h).
	 */
	const struct item *places;
	enum write_return returns;         /* not in a transaction; RETURN_NEW of an update only */

	/* The answer, in the call's arena. */
	enum table_rc rc;      /* in a transaction: this action's own */
	struct item *returned; /* the item before or after; NULL when there was none */
	struct item *failed;   /* after TABLE_CONDITION: the item as it is, NULL when there is none */
};

/* --- The stream ----------------------------------------------------------------------------- */

enum change_kind { CHANGE_INSERT, CHANGE_MODIFY, CHANGE_DELETED };

/* Says that an item was changed, not how: a consumer reads the item again. */
struct change_record {
	enum change_kind kind;
	struct key key;
	int64_t time;     /* milliseconds */
	bool expired;     /* a removal by the sweep, not by a writer */
};

/* Where to begin: these two, or the `next` of an earlier answer. */
#define STREAM_OLDEST STR("oldest")
#define STREAM_NOW STR("now")

struct change_page {
	struct change_record *records;
	size_t count;
	struct str next; /* never empty: the position after the last record */
};

/* --- The walk ------------------------------------------------------------------------------- */

struct walk_page {
	struct item *items;
	size_t count;
	struct str next; /* empty at the end */
};

/* --- The calls ------------------------------------------------------------------------------ */

/*
 * Executes the reads of one round trip. If one fails, so does the call, and none of its results may
 * be used. Results are in the call's arena.
 */
enum table_rc table_read(struct table *table, struct table_call *call, struct read *reads, size_t count);

/* One write. */
enum table_rc table_write(struct table *table, struct table_call *call, struct write *write);

/*
 * Up to 100 writes, all or none, no two on one item. After TABLE_CANCELLED each write's `rc` tells its
 * part. With a token (empty: none), the same transaction again within ten minutes is made once and
 * answers TABLE_OK.
 */
enum table_rc table_transact(struct table *table, struct table_call *call, struct write *writes,
    size_t count, struct str token);

/*
 * Up to 100 writes that need not be made together, no two on one item: sent at once, and where a transaction costs more than its
 * writes alone, each by itself and once. When it fails, any of them may have been made, and which ones is not known.
 */
enum table_rc table_write_each(
    struct table *table, struct table_call *call, struct write *writes, size_t count);

/* At most `limit` changes after a position, in order for each item; fewer when they are large. */
enum table_rc table_changes(struct table *table, struct table_call *call, struct str position,
    uint32_t limit, struct change_page *page);

/*
 * About `limit` items after a cursor (empty: from the start), in the engine's own order, including
 * expired ones; fewer when they are large. Only for copying a whole table. Items written during the walk may or may not be
 * included; with table_hold() the embedded engine provides a snapshot.
 */
enum table_rc table_walk(struct table *table, struct table_call *call, struct str cursor,
    uint32_t limit, struct walk_page *page);

/*
 * From here to table_release() or the call's next write, all reads see one snapshot, if the engine
 * supports it, which also saves opening one for each read. Only a hint on other engines.
 */
enum table_rc table_hold(struct table *table, struct table_call *call);
void table_release(struct table *table, struct table_call *call);

/*
 * Removes up to `limit` expired items, *removed of them; they appear in the stream as expired. Does
 * nothing on an engine that does this itself.
 */
enum table_rc table_sweep(struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed);

/*
 * A number that grows when the table is changed (by any process); 0 on an engine that can't tell. An engine that sees
 * its own writes only takes another number each second, too, with which all may have changed. For caches. Cheap. What
 * exactly was changed is told by the table's slots, if it has any.
 *
 * What is `unseen` (see struct table) may change without it. Whoever writes decides: a process that was
 * told of nothing unseen counts every write, and so makes all others look again.
 */
uint64_t table_version(struct table *table);

/*
 * Gives memory back that only makes reads faster, and that grows with what was read: for a process with little of it. Cheap,
 * and right at any moment.
 */
void table_shed(struct table *table);

/* Closes the table; no call may be in progress. NULL is allowed. */
void table_close(struct table *table);

/* --- The same, for one -------------------------------------------------------------------- */

/* *item is NULL when there is none. */
enum table_rc table_get(struct table *table, struct table_call *call, struct key key, struct item **item);
enum table_rc table_query(struct table *table, struct table_call *call, const struct query *query,
    struct item **found, size_t *count, struct str *next);
/* Puts an item without a condition. */
enum table_rc table_put(struct table *table, struct table_call *call, struct item item);

/* --- Words ----------------------------------------------------------------------------------- */

/* A phrase for people. */
const char *table_rc_text(enum table_rc rc);

/* The names of an index's key attributes: PK and SK for the table itself. */
struct str table_pk_name(enum table_index index);
struct str table_sk_name(enum table_index index);

/* The key of an item that has one. */
struct key item_key(const struct item *item);

/* --- For engines ------------------------------------------------------------------------------ */

/*
 * The functions of an engine: it sees only requests that keep the rules (table.c checks them all,
 * so that all engines refuse the same) and calls with a deadline.
 */
struct table_engine {
	const char *name;
	int fold_ms; /* how often counts are folded at most (derive/stream_worker.c); 0: the default */
	int at_once; /* how many calls of one background job are worth while; 0: one */
	int64_t deadline_ms; /* the deadline of a call that has none */
	enum table_rc (*read)(struct table *, struct table_call *, struct read *, size_t);
	enum table_rc (*write)(struct table *, struct table_call *, struct write *);
	enum table_rc (*transact)(struct table *, struct table_call *, struct write *, size_t, struct str token);
	enum table_rc (*write_each)(struct table *, struct table_call *, struct write *, size_t); /* NULL: as transact */
	enum table_rc (*changes)(struct table *, struct table_call *, struct str, uint32_t, struct change_page *);
	enum table_rc (*walk)(struct table *, struct table_call *, struct str, uint32_t, struct walk_page *);
	enum table_rc (*hold)(struct table *, struct table_call *);        /* or NULL */
	void (*release)(struct table *, struct table_call *);             /* or NULL */
	enum table_rc (*sweep)(struct table *, struct table_call *, uint32_t, uint32_t *); /* or NULL */
	uint64_t (*version)(struct table *);                               /* or NULL */
	void (*shed)(struct table *);                                      /* or NULL */
	void (*close)(struct table *);
};

/* An engine's own struct begins with this. */
struct table {
	const struct table_engine *engine;
	struct clock *clock; /* outlives the table */
	/* The deadline of a call that has none; 0: the engine's default, which suits pages. */
	int64_t deadline_ms;
	/*
	 * A warning for the operator, although the table can be used: a sentence, which lives as
	 * long; NULL: none.
	 */
	const char *warning;
	/* It did not exist: opening it has created it. */
	bool made;
	/* Called with warnings for the operator during use, each once; NULL: nobody is told. */
	void (*tell)(void *context, struct str sentence);
	void *tell_context;
	/*
	 * Is this an item that nothing in caches validated by the table's version depends on? NULL:
	 * there are none.
	 */
	bool (*unseen)(struct key key);
	/* Which part of it has changed when (table/slots.h); NULL: that is not known. */
	const struct slots *slots;
	/*
	 * The fence: while the item with this key is there, nobody writes but who is past it: the others get
	 * TABLE_THROTTLED. An empty pk: there is none. Once its write is acknowledged, no later write is acknowledged on the
	 * embedded engine; on a distributed one, none that begins more than TABLE_FENCE_MS later, by any process that has this
	 * key here. Its strings outlive the table.
	 */
	struct key fence;
	/*
	 * A reader of the stream has got to the records of this time (milliseconds); 0: nobody has said. An engine that trims its
	 * own stream keeps what comes after for seven days, instead of one.
	 */
	_Atomic int64_t stream_read_to;
	/* What all calls have cost since it was opened, where the engine tells (struct table_cost). */
	_Atomic int64_t spent_halves, spent_writes;
	/*
	 * How many may write, or queue to, at once; the others get TABLE_THROTTLED. Its watcher is
	 * told who waits. Outlives the table; NULL: no limit.
	 */
	struct limiter *writers;
};

/* Why a call does not get past the fence. */
extern const char table_fenced[];

/* Does a write of this item change the version? */
bool table_is_seen(const struct table *table, struct key key);

#endif
