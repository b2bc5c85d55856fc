#ifndef WEB_CACHE_CACHE_STORE_H
#define WEB_CACHE_CACHE_STORE_H

#include "web/cache/cache.h"

#include <stdatomic.h>

/*
 * Where the page cache keeps its entries: a hash table by key and a ring by last use, bounded in
 * bytes. For cache.c, which knows when an entry is good; only the reference counts are safe for
 * threads, all else is under its mutex.
 *
 *   1. An entry that is in the store has one reference from it; each holder has one more.
 *   2. The ring runs from the most recently used entry (ring.next) to the least (ring.previous).
 */
struct cache_entry {
	struct cache_page page; /* slices into what follows the struct; never changes */
	struct str key;
	uint64_t hash;
	size_t bytes;      /* of this allocation */
	int64_t last_good; /* when a reader last saw it good */
	atomic_uint references;
	struct cache_entry *chain; /* of the same bucket; or of a list of those taken out */
	struct cache_entry *next, *previous;
};

struct cache_store {
	struct cache_entry ring; /* only its links are used */
	struct cache_entry **buckets;
	size_t bucket_mask, limit, bytes, entries;
	uint64_t evicted;
};

/* An entry with a copy of the page and one reference. */
struct cache_entry *cache_entry_new(struct str key, uint64_t hash, const struct cache_page *page);

void cache_store_init(struct cache_store *store, size_t bytes);

/* Ends it; entries that are held live on. */
void cache_store_end(struct cache_store *store);

/* The entry under the key, or NULL. */
struct cache_entry *cache_store_find(struct cache_store *store, struct str key, uint64_t hash);

/* One more reference. */
void cache_store_hold(struct cache_entry *entry);

/* To the front of the ring: it is used. */
void cache_store_touch(struct cache_store *store, struct cache_entry *entry);

/*
 * Puts an entry in, in place of the one with its key. What has to go comes back as a list by
 * `chain`, for the caller to release outside the mutex; the entry itself when it is too large to
 * keep.
 */
struct cache_entry *cache_store_put(struct cache_store *store, struct cache_entry *entry);

/* Hash table and ring have the same entries, each key once; counts and bytes are theirs, and no more than may be. */
bool cache_store_ok(const struct cache_store *store);

#endif
