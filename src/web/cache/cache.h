#ifndef WEB_CACHE_CACHE_H
#define WEB_CACHE_CACHE_H

#include "table/table.h"

#include <assert.h>

/*
 * Whole pages for strangers, ready to be written: head and body of each, plain and compressed, and
 * the heads of their 304s. The key of a page is its canonical address. An entry is valid as long as
 *
 * 1. the table has not changed: its version is still the one from before the page was rendered, or
 * its slots tell that nothing has changed since of what the page was made of; if the table has no
 * version (0), for CACHE_BLIND_MS;
 *
 * 2. and the moment has not come at which the page changes by itself (a scheduled post appears), at
 * most CACHE_FRESH_MS.
 *
 * Entries are immutable and reference-counted: a holder writes from one while others replace or
 * evict it, and releases it with cache_release(). One thread at a time renders a page. The others
 * get the entry that was valid until a moment ago, or else wait, both within limits. All functions
 * are thread-safe.
 */
struct cache;
struct cache_entry;

enum {
	CACHE_FRESH_MS = 60 * 1000,
	CACHE_BLIND_MS = 1500,
	CACHE_STALE_MS =
	    2000,             /* how stale an entry may be while another thread renders a new one */
	CACHE_WAIT_MS = 2000, /* how long to wait for that thread when there is no old one */
};

/* The forms in which a page is kept. */
enum cache_form { CACHE_PLAIN, CACHE_GZIP, CACHE_FORMS };

/* A page to file. */
struct cache_page {
	struct str etag[CACHE_FORMS]; /* quoted; of each form */
	struct str full[CACHE_FORMS]; /* head and body; no compressed one where it is no smaller */
	size_t head_len[CACHE_FORMS];
	struct str not_modified[CACHE_FORMS]; /* the head of a 304 */
	int64_t last_modified;                /* milliseconds; 0: unknown */
	int64_t fresh_until;                  /* milliseconds; 0: not known to change */
	uint64_t version;                     /* table_version() from before the first read */
	struct read_set reads;                /* what was read from then on */
	int64_t made;                         /* when, in milliseconds */
	bool counted;         /* each answer of it is a view (web/views/views.h) */
	struct str post_read; /* the post whose page it is, by its id; empty: of none */
};

enum cache_answer {
	CACHE_HIT, /* the lookup's entry is valid, or fresh enough while another thread renders */
	CACHE_RENDER, /* the caller renders, then calls cache_file() or cache_give_up() */
	CACHE_ALONE,  /* waiting took too long: the caller renders for itself and files nothing */
};

/* A cache of at most about `bytes` bytes. */
struct cache *cache_new(size_t bytes);

/* Frees it; no entry may be held and nobody may be waiting. NULL is allowed. */
void cache_free(struct cache *cache);

/*
 * A lookup of one address, from the first question to filing the page: nothing is looked up twice.
 * Initialise it with {.key = ..., .slots = ...}, which must outlive it, and end it with cache_forget().
 */
struct cache_look {
	struct str key;
	const struct slots *slots; /* of the table; NULL: it has none */
	struct cache_entry *entry; /* the entry, valid or not, held; NULL: none */

	/* cache.c's own. */
	uint64_t hash, filed;
	struct render *render;
};

/* Is the entry of the address valid now? Does not decide who renders. */
bool cache_find(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now);

/* The same for a caller that is ready to render, and may have called cache_find() before. */
enum cache_answer cache_begin(
    struct cache *cache, struct cache_look *look, uint64_t version, int64_t now);

/*
 * The Last-Modified of a page that is about to be filed: `now`, or that of the previous entry if it
 * has the same ETag. 0 if another one was filed within the same second: a date does not distinguish
 * the two.
 */
int64_t cache_since(const struct cache_look *look, struct str etag, int64_t now);

/*
 * Files a copy of the page, if it is less than an eighth of the cache, and wakes waiting threads.
 */
void cache_file(struct cache *cache, struct cache_look *look, const struct cache_page *page);

/* The page turned out not to be cacheable: waiting threads render for themselves. */
void cache_give_up(struct cache *cache, struct cache_look *look);

/* Passes the lookup's entry to the caller. */
static inline struct cache_entry *
cache_take(struct cache_look *look)
{
	struct cache_entry *entry = look->entry;

	assert(entry != NULL);
	look->entry = NULL;
	return entry;
}

/* Releases what the lookup holds. A caller that was to render has filed the page or given up. */
void cache_forget(struct cache_look *look);

/* What an entry holds; valid until cache_release(). */
const struct cache_page *cache_entry_page(const struct cache_entry *entry);

/* Gives an entry back. NULL is allowed. */
void cache_release(struct cache_entry *entry);

/* For the log and the tests. */
struct cache_figures {
	uint64_t looked_up, hits, misses, stale, evicted;
	size_t entries, bytes;
};
struct cache_figures cache_figures(struct cache *cache);

#endif
