#ifndef TABLE_SQLITE_SQLITE_PRIVATE_H
#define TABLE_SQLITE_SQLITE_PRIVATE_H

/* Shared by the files of the embedded engine; its design opens sqlite.c. Private to them. */

#include "table/slots.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/stat.h>

/* Every statement except the queries; their texts are in connection.c in this order. */
enum statement {
	SQL_BEGIN,
	SQL_BEGIN_WRITE,
	SQL_COMMIT,
	SQL_ROLLBACK,
	SQL_GET,
	SQL_INSERT,
	SQL_UPDATE,
	SQL_DELETE,
	SQL_ADD_GSI1,
	SQL_ADD_GSI2,
	SQL_ADD_GSI3,
	SQL_ADD_GSI4,
	SQL_PUT_GSI1,
	SQL_PUT_GSI2,
	SQL_PUT_GSI3,
	SQL_PUT_GSI4,
	SQL_DROP_GSI1,
	SQL_DROP_GSI2,
	SQL_DROP_GSI3,
	SQL_DROP_GSI4,
	SQL_GET_PACKED,
	SQL_INSERT_PACKED,
	SQL_UPDATE_PACKED,
	SQL_DELETE_PACKED,
	SQL_WALK,
	SQL_CHANGES,
	SQL_CHANGES_ENDS,
	SQL_ADD_CHANGE,
	SQL_TRIM_CHANGES,
	SQL_EMPTY_CHANGE,
	SQL_GET_TOKEN,
	SQL_PUT_TOKEN,
	SQL_TRIM_TOKENS,
	SQL_EXPIRED,
	SQL_STATEMENTS,
};

/* The file as its readers' memory, and their turns at SQLite's locks; see map.c. */
struct file_map {
	char *base;           /* NULL: SQLite reads */
	_Atomic int64_t size; /* of the file, when somebody last asked */
	pthread_mutex_t turn;
};

struct map_methods {
	sqlite3_io_methods own; /* the first, so that SQLite's pointer to it is one to all */
	const sqlite3_io_methods *plain;
	struct file_map *map;
};

/* What the writer has written to its log and not yet handed to the system. */
struct log_methods {
	sqlite3_io_methods own; /* the first, as above */
	const sqlite3_io_methods *plain;
	char *bytes;
	int len;
	sqlite3_int64 at; /* where in the log they belong */
	bool spares;      /* the commit under way is not synced */
	bool synced;      /* the last one was */
};

/* One connection and its prepared statements; it belongs to one thread at a time. */
struct connection {
	sqlite3 *db;
	sqlite3_stmt *statements[SQL_STATEMENTS];
	sqlite3_stmt *queries[TABLE_INDEXES + 1][2][2]; /* index, descending, behind a cursor */
	struct map_methods methods;                     /* a reader's */
	struct log_methods log;                         /* the writer's */
	int64_t log_frames, page_bytes;                 /* in its log, each so large */
	int64_t log_again,
	    log_large;     /* when, or from which size on, it is tried again to make it smaller */
	unsigned log_vain; /* tries in a row that did not */
	struct clock *clock;
	int64_t deadline;        /* of what runs now; 0: none */
	bool unwell;             /* its files could not be read: it must not be used again */
	struct connection *next; /* in the table's list of idle readers */
};

/* How much of the log is on the disk; see log.c. */
enum log_state {
	LOG_ON_DISK, /* all of it, as far as we know */
	LOG_AHEAD,   /* its end may not be */
	LOG_SUSPECT, /* nor may what the last sync, which failed, was for */
};

/* Shared by all processes through the mapped lock file; see "Version" in sqlite.c. */
struct shared_page {
	char magic[16];
	_Atomic uint64_t version;
	_Atomic uint32_t writing;
	_Atomic uint32_t log; /* enum log_state */
};

/* The file that is mapped: that page, and the slots. */
struct shared_file {
	union {
		struct shared_page page;
		char bytes[4096];
	};
	struct slots slots;
};

/* One caller's wish to write, waiting on its stack. */
enum job_kind { JOB_WRITE, JOB_TRANSACT, JOB_SWEEP, JOB_RESTORE };
enum job_state {
	JOB_QUEUED,
	JOB_LEADS, /* it is still queued, and its caller is to write for all that are */
	JOB_TAKEN,
	JOB_DONE,
};

struct job {
	enum job_kind kind;
	_Atomic uint32_t state; /* enum job_state */
	uint32_t bit;           /* what its caller is woken by */
	struct table_call *call;
	struct write *writes;
	size_t count;
	struct plan *plans; /* of its writes */
	struct str token, digest;
	uint32_t limit, removed; /* JOB_SWEEP */
	struct connection *from; /* JOB_RESTORE */
	enum table_rc rc;
	bool wrote; /* it changed what the version tells of */
	struct job *next;
};

/* The file itself, its log, the log's index, and the lock between processes. */
enum { TABLE_FILES = 4 };

struct sqlite_table {
	struct table table;
	char *path;

	char *paths[TABLE_FILES]; /* see place.c */
	struct stat files[TABLE_FILES];
	bool noted; /* the two above are filled in */
	bool lost;  /* the leader's: writes are refused */

	struct file_map map;
	pthread_mutex_t readers_mutex;
	struct connection *idle;

	pthread_mutex_t queue_mutex; /* of all below */
	struct job *first, *last;
	size_t queued;
	uint32_t taken;             /* groups that have left the queue */
	_Atomic uint32_t wakes;     /* all whose jobs wait sleep on it */
	size_t group_max;           /* at most so many jobs become one transaction */
	bool leading;               /* some caller is to write, or writes, for the others */
	_Atomic uint32_t gathering; /* the leader sleeps on it until so many are queued: */
	size_t expected;            /* the last group, and who had come meanwhile */
	int64_t group_micros;       /* how long that group took */
	struct connection *writer;  /* the leader's */

	int lock_fd;
	struct shared_page *shared;
	struct slots *slots; /* shared, too */
};

enum {
	SQLITE_GROUP_MAX = 256,
	SQLITE_BUSY_MS =
	    1000, /* how long SQLite waits for a lock of its own, of which we know no holder */
};

/* What marks a file as ours. */
enum {
	SQLITE_TABLE_ID = 0x42726453 /* "BrdS" */,
	SQLITE_TABLE_VERSION = 3,
	SQLITE_TABLE_UPGRADED = 2
};

/* --- sqlite.c --- */

/* A number that a pragma or a query gives; -1 when it fails. */
int64_t sqlite_ask(sqlite3 *db, const char *sql);

/* "<path>: <text>" as *why; returns rc. */
enum table_rc explain(
    struct arena *arena, enum table_rc rc, struct str *why, const char *path, const char *text);

/* --- connection.c --- */

/* Opens a connection and sets it up; on failure NULL and *why, in the arena. */
struct connection *connection_open(
    struct sqlite_table *t, int flags, struct arena *arena, enum table_rc *rc, struct str *why);
void connection_close(struct connection *c);

/* The prepared statement, ready to bind; NULL on failure. */
sqlite3_stmt *statement(struct connection *c, enum statement which);

/* Steps a statement that gives no row and resets it. */
int statement_run(sqlite3_stmt *st);

/* Binds bytes that outlive the step. */
void bind_bytes(sqlite3_stmt *st, int at, struct str bytes);

/* A place in the table or an index, in the arena: partition, 0xff, sort key. */
struct str place_of(struct arena *arena, struct str partition, struct str sort);

/* The key that a place of the table stands for, as slices of it; false when it is none. */
bool place_key(struct str place, struct key *key);

/* Binds a place that outlives the step. */
void bind_place(sqlite3_stmt *st, int at, struct str place);

/* The column's bytes, valid until the next step. */
struct str column_bytes(sqlite3_stmt *st, int at);

/* What SQLite's last answer on this connection means; fills call->why. Out of memory aborts. */
enum table_rc storage_failed(struct connection *c, struct table_call *call, int code);

/* --- lock.c --- */

/* Opens and maps the lock file, making it if need be. */
enum table_rc lock_open(
    struct sqlite_table *t, int64_t deadline, struct arena *arena, struct str *why);
void lock_close(struct sqlite_table *t);

/* Gives what root has made at `path` to the owner of its folder. */
void sqlite_hand_over(int fd, const char *path, struct arena *arena);

/* The lock between processes; false when the deadline passes first. */
bool process_lock(struct sqlite_table *t, int64_t deadline);
void process_unlock(struct sqlite_table *t, bool changed);

/* The version that there will be when what is written now is committed. With the lock. */
uint64_t next_version(const struct sqlite_table *t);

/* --- place.c --- */

/* Records which files are open. False if they are gone already. */
bool place_note(struct sqlite_table *t, struct arena *arena);
void place_forget(struct sqlite_table *t);

/* The path of a file of ours that is no longer the one that is open; NULL when all are. */
const char *place_lost(struct sqlite_table *t);

/*
 * The leader's question, with the lock between processes: are all files where they were? If not, call->why says so.
 * The operator is told once.
 */
bool place_kept(struct sqlite_table *t, struct table_call *call);

/* --- map.c --- */

/* Maps the file, if that can be; called before SQLite opens it. */
void map_open(struct sqlite_table *t);
void map_close(struct sqlite_table *t);

/* What was read is the process's memory no more. */
void map_shed(struct sqlite_table *t);

/* Lets a reader see the file through the mapping. */
void map_reads(struct sqlite_table *t, struct connection *c);

/* --- log.c --- */

/* From now on the writer's log is written in large pieces. Its log is open. */
void log_gathers(struct connection *c);

/* And is kept small, by log_settle(), which the leader calls after each group. */
void log_limit(struct connection *c);
void log_settle(struct sqlite_table *t);

/* The leader's commit, with or without a sync; SQLite's answer. */
int log_commit(struct sqlite_table *t, bool synced);

/* The leader's question before a group: can what is added to the log be found again? */
bool log_sound(struct sqlite_table *t);

/* Puts on the disk what a reader has read. */
enum table_rc log_reach_disk(struct sqlite_table *t, struct connection *c, struct table_call *call);

/* Checkpoints the log and truncates it, if readers permit; it waits for none. */
void log_empty(struct connection *c);

/* --- read.c --- */

enum table_rc sqlite_read(
    struct table *table, struct table_call *call, struct read *reads, size_t count);
enum table_rc sqlite_hold(struct table *table, struct table_call *call);
void sqlite_release(struct table *table, struct table_call *call);

/* The call's own connection, or an idle one, or a new one; to be given back. */
enum table_rc reader_take(struct sqlite_table *t, struct table_call *call, struct connection **out);
void reader_give_back(struct sqlite_table *t, struct table_call *call, struct connection *c);

/* --- row.c --- */

/* A place and its item as the table has it: decoded, and the bytes it was decoded from, which are NULL when it has none. */
struct stored {
	struct str place;
	struct item *item;
	struct str bytes;
	int64_t packed; /* where they are compressed; 0: they are not */
};

/* How an item is to be stored. */
struct row_form {
	struct str bytes;  /* the item's own */
	struct str packed; /* these compressed; empty: they are not to be */
	struct str data;   /* what the row holds otherwise */
};

void row_form(struct sqlite_table *t, struct arena *arena, struct str place,
    const struct item *item, struct row_form *out);

/* Brings what is stored to `new`, or takes it away when that and its form are NULL. */
enum table_rc store_row(struct connection *c, struct table_call *call, const struct stored *old,
    const struct item *new, const struct row_form *form);

/* The item in a column, copied out of SQLite once and decoded in place; how it is stored, too, unless `stored` is NULL. */
enum table_rc column_item(struct connection *c, struct table_call *call, sqlite3_stmt *st, int at,
    struct item *out, struct stored *stored);
enum table_rc unreadable(struct table_call *call);

/*
 * What is wrong between the tables of a file that SQLite itself finds sound; NULL when nothing is, or it is of an older
 * version.
 */
const char *row_error(sqlite3 *db);

/* --- stream.c --- */

enum table_rc sqlite_walk(struct table *table, struct table_call *call, struct str cursor,
    uint32_t limit, struct walk_page *page);
enum table_rc sqlite_changes(struct table *table, struct table_call *call, struct str position,
    uint32_t limit, struct change_page *page);

/* --- queue.c --- */

/* Waits until the job is done, by its caller's hand or another's; the result is job->rc. */
enum table_rc sqlite_submit(struct sqlite_table *t, struct job *job);

/* --- write.c --- */

enum table_rc sqlite_write(struct table *table, struct table_call *call, struct write *write);
enum table_rc sqlite_transact(struct table *table, struct table_call *call, struct write *writes,
    size_t count, struct str token);
enum table_rc sqlite_sweep(
    struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed);

/* Does a group's jobs in one transaction, each with its result; true when the version is to change. */
bool group_perform(struct sqlite_table *t, struct job *group);

/* --- job.c: what one job does inside the group's transaction --- */

/* All of the writes' work that needs nothing of the table: their callers do it, each on its own. */
void job_prepare(struct sqlite_table *t, struct job *job);

/*
 * TABLE_FULL, TABLE_UNAVAILABLE or TABLE_CORRUPT when the storage failed: then the whole group is
 * undone. Anything else is the job's own result, left in job->rc too.
 */
enum table_rc job_perform(struct sqlite_table *t, struct job *job);

/* Is the fence closed (struct table)? Asked once for a group. Fails when the storage does. */
enum table_rc job_fence(struct sqlite_table *t, struct table_call *call, bool *closed);

/* --- token.c --- */

/* What a transaction asks for: 32 bytes in the arena. */
struct str transaction_digest(struct arena *arena, const struct write *writes, size_t count);

/* TABLE_OK with *used when the job's token was used for the same, TABLE_TOKEN_USED for something else. */
enum table_rc token_look_up(struct sqlite_table *t, struct job *job, bool *used);
enum table_rc token_keep(struct sqlite_table *t, struct job *job);

/* --- backup.c --- */

/* Replaces the whole table by the content of the backup job->from. */
enum table_rc job_restore(struct sqlite_table *t, struct job *job);

#endif
