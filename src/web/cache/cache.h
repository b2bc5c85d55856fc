#ifndef WEB_CACHE_CACHE_H
#define WEB_CACHE_CACHE_H

#include "base/str.h"

/*
 * Whole pages for strangers, ready to be written: head and body of each, plain and compressed, and
 * the heads of their 304s. A page is filed under its canonical address and is good as long as
 *
 *   1. the table has not changed: its version is the one from before the page was rendered; where
 *      the table has no version (0), for CACHE_BLIND_MS;
 *   2. and the moment has not come at which it changes by itself (a scheduled post appears), at
 *      most CACHE_FRESH_MS.
 *
 * An entry never changes once it is filed, and it is counted: whoever got one writes from it while
 * others replace or evict it, and gives it back with cache_release().
 *
 * One thread at a time renders a page. The others get what was good until a moment ago, or else
 * wait for it, both within bounds. All functions are safe for threads.
 */
struct cache;
struct cache_entry;

enum {
	CACHE_FRESH_MS = 60 * 1000,
	CACHE_BLIND_MS = 1500,
	CACHE_STALE_MS = 2000, /* how old an answer may be while another thread renders a new one */
	CACHE_WAIT_MS = 2000,  /* how long to wait for that thread when there is no old one */
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
	int64_t made;                         /* when, in milliseconds */
};

enum cache_answer {
	CACHE_HIT,    /* the look's entry is good, or good enough while another renders */
	CACHE_RENDER, /* the caller renders, then calls cache_file() or cache_give_up() */
	CACHE_ALONE,  /* waiting took too long: the caller renders for itself and tells nobody */
};

/* A cache of at most about `bytes` bytes. */
struct cache *cache_new(size_t bytes);

/* Ends it; no entry may be held and nobody wait. NULL is allowed. */
void cache_free(struct cache *cache);

/*
 * Somebody's look at one address, from the first question to what is filed there: nobody looks twice for what has not
 * changed meanwhile. Begins as {.key = ...}, whose bytes outlive it, and ends with cache_forget().
 */
struct cache_look {
	struct str key;
	struct cache_entry *entry; /* what is filed there, good or not, held; NULL: nothing */

	/* cache.c's own. */
	uint64_t hash, filed;
	struct render *render;
};

/* Is the page under the address good now? Takes no part in who renders. */
bool cache_find(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now);

/* The same for one who is ready to render it, and may have asked cache_find() before. */
enum cache_answer cache_begin(
    struct cache *cache, struct cache_look *look, uint64_t version, int64_t now);

/*
 * Since when a page that is about to be filed has been what it is: `now`, or what is said of the one from before when
 * that has the same ETag. 0 where another stood there within the same second: a date does not tell the two apart.
 */
int64_t cache_since(const struct cache_look *look, struct str etag, int64_t now);

/* Files a copy of the page, if it is less than an eighth of the cache, and wakes those who wait. */
void cache_file(struct cache *cache, struct cache_look *look, const struct cache_page *page);

/* The page turned out not to be one to keep: those who wait render for themselves. */
void cache_give_up(struct cache *cache, struct cache_look *look);

/* The look's entry is the caller's from now on. */
struct cache_entry *cache_take(struct cache_look *look);

/* Gives back what the look holds. Whoever was to render has filed the page or given up. */
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
