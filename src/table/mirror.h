#ifndef TABLE_MIRROR_H
#define TABLE_MIRROR_H

#include "table/table.h"

/*
 * Keeps a table the same as another one, of any engines, by the other's stream of changes. Records are hints: each key is
 * read from the one, and put into the other or removed there, as it is now. So it does no harm to follow from a position
 * of before, or to compare while others write.
 *
 * Transient failures are retried (table/retry.h); after another one `why` is a sentence. Writes go past the fence of `to`.
 */
struct mirror {
	struct table *from, *to;
	/*
	 * A check that goes with each write: `to` is still ours to write to. When it fails, TABLE_CONDITION, and nothing was written.
	 * NULL: none.
	 */
	const struct write *guard;
	bool (*skip)(struct key key); /* of no concern to the other table; NULL: all are */
	/* Is told of each record, of skipped ones too; NULL: nobody is. */
	void (*seen)(void *context, const struct change_record *record);
	void (*progress)(void *context, uint64_t items); /* of mirror_verify(), after each page; NULL: nobody */
	void *context;
	const bool *stop; /* mirror_verify() looks at it between pages; NULL: never */

	struct str position; /* in the stream of `from`; all before it is in `to` */
	uint64_t changes;    /* records so far */
	int64_t lag_ms;      /* how old the oldest of the last page was when it was in `to`; 0: there was none */
	char why[400];

	struct arena *arenas[2]; /* of the position, in turn */
	struct key_list {
		struct arena *arena; /* its own */
		struct key *keys;    /* each once */
		size_t count, *slots; /* 1 and the number of the key; 0: free */
	} changed; /* since they were last compared */
};

/* So many changed keys at most are kept: then it is time to compare them. */
enum { MIRROR_KEYS_MAX = 10000 };

/* Begins at a position, which mirror_now() gives; mirror_end() ends it. */
void mirror_begin(struct mirror *mirror, struct str position);
void mirror_end(struct mirror *mirror);

/* From now on. */
enum table_rc mirror_now(struct mirror *mirror);

/*
 * One page of changes; *count of them. TABLE_TRIMMED, TABLE_BAD_CURSOR: the stream does not have what follows the position:
 * from now on, and verify.
 */
enum table_rc mirror_step(struct mirror *mirror, size_t *count);

/*
 * Compares what was changed since the last time, of which *differ items differ and are copied once more. These are to be
 * compared again; while others write, there may always be some.
 */
enum table_rc mirror_compare(struct mirror *mirror, size_t *differ);

/* Compares all of both tables, item by item, and brings `to` in line; *mended items differed. TABLE_DEADLINE: stopped. */
enum table_rc mirror_verify(struct mirror *mirror, uint64_t *mended);

#endif
