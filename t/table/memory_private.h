#ifndef T_TABLE_MEMORY_PRIVATE_H
#define T_TABLE_MEMORY_PRIVATE_H

#include "table_memory.h"

#include "base/buf.h"

#include <pthread.h>

/*
 * Shared by the files of the table in memory. The items are in an array sorted by key, the changes
 * in an array in order of time, the tokens in a third. A read examines every item. A query's cursor
 * is the query as text, followed by the place of the last item; the stream's is a count, the walk's
 * a key.
 */
struct used_token {
	struct str token;
	struct str actions; /* as text */
	int64_t time;
};

struct memory {
	struct table table;
	pthread_mutex_t lock;
	struct arena *arena;
	struct item **items;
	size_t count;
	struct change_record *records;
	size_t record_count;
	size_t seen_count; /* the changes that the version covers */
	struct used_token *tokens;
	size_t token_count;
};

/* Every call is between these two; unlock returns the result that it is given. */
struct memory *memory_lock(struct table *table);
enum table_rc memory_unlock(struct memory *memory, enum table_rc rc);

bool memory_late(struct memory *memory, struct table_call *call);
int64_t memory_now(struct memory *memory);

int key_cmp(struct key a, struct key b);

/* Where the item is or would be. */
size_t memory_find(struct memory *memory, struct key key, bool *there);

/* The item that the table has, or NULL. */
struct item *memory_stored(struct memory *memory, struct key key);

/* A copy in the arena; NULL of NULL. */
struct item *memory_copy(struct arena *arena, const struct item *item);

/* Makes `new` (in the memory's arena; NULL: nothing) what the table has under the key. */
void memory_store(struct memory *memory, struct key key, struct item *new, bool expired);

/* `5:hello`, and parsing it: *from is moved past it. */
void put_counted(struct buf *out, struct str s);
bool get_counted(struct str *from, struct str *out);

/* The engine's calls that are in files of their own. */
enum table_rc memory_read(
    struct table *table, struct table_call *call, struct read *reads, size_t count);
enum table_rc memory_changes(struct table *table, struct table_call *call, struct str position,
    uint32_t limit, struct change_page *page);
enum table_rc memory_walk(struct table *table, struct table_call *call, struct str cursor,
    uint32_t limit, struct walk_page *page);
enum table_rc memory_sweep(
    struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed);

#endif
