#include "web/cache/cache.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/thread.h"
#include "table/slots.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- The entries ------------------------------------------------------------------------------ */

/*
 * The entries of the page cache: a hash table by key and an LRU list (a ring), limited in bytes. Whether
 * an entry is valid is decided elsewhere. Only the reference counts are atomic, all else needs the mutex.
 *
 *   1. An entry that is in the store has one reference from it; each holder has one more.
 *   2. The ring runs from the most recently used entry (ring.next) to the least (ring.previous).
 */
struct cache_entry {
	struct cache_page page; /* slices into what follows the struct; never changes */
	struct str key;
	uint64_t hash;
	size_t bytes;      /* of this allocation */
	uint64_t version;  /* of the table, when the entry was last found unchanged */
	int64_t last_good; /* when a reader last found it valid */
	atomic_uint references;
	struct cache_entry *chain; /* in the same bucket; or in a list of removed ones */
	struct cache_entry *next, *previous;
};

struct cache_store {
	struct cache_entry ring; /* only its links are used */
	struct cache_entry **buckets;
	size_t bucket_mask, limit, bytes, entries;
	uint64_t evicted;
};

/* Moves the slice's bytes to *end. */
static void
move(struct str *s, char **end)
{
	if (s->len != 0)
		memcpy(*end, s->base, s->len);
	s->base = *end;
	*end += s->len;
}

/* A new entry with a copy of the page and one reference. */
static struct cache_entry *
cache_entry_new(struct str key, uint64_t hash, const struct cache_page *page)
{
	struct cache_entry *entry;
	size_t bytes = sizeof(*entry) + key.len;
	char *end;

	for (int i = 0; i < CACHE_FORMS; i++)
		bytes += page->etag[i].len + page->full[i].len + page->not_modified[i].len;
	bytes += page->post_read.len;
	entry = malloc(bytes);
	if (entry == NULL)
		out_of_memory();
	*entry = (struct cache_entry){.page = *page, .key = key, .hash = hash, .bytes = bytes};
	entry->version = page->version;
	entry->last_good = page->made;
	atomic_init(&entry->references, 1);
	end = (char *)(entry + 1);
	move(&entry->key, &end);
	for (int i = 0; i < CACHE_FORMS; i++) {
		move(&entry->page.etag[i], &end);
		move(&entry->page.full[i], &end);
		move(&entry->page.not_modified[i], &end);
	}
	move(&entry->page.post_read, &end);
	return entry;
}

const struct cache_page *
cache_entry_page(const struct cache_entry *entry)
{
	return &entry->page;
}

void
cache_release(struct cache_entry *entry)
{
	unsigned before;

	if (entry == NULL)
		return;
	before = atomic_fetch_sub_explicit(&entry->references, 1, memory_order_acq_rel);
	assert(before > 0);
	if (before == 1)
		free(entry);
}

static void
cache_store_init(struct cache_store *store, size_t bytes)
{
	size_t buckets = 64;

	/* A page has some ten kilobytes, so a bucket has one or two. */
	while (buckets < bytes / 8192 && buckets < (size_t)1 << 20)
		buckets *= 2;
	*store = (struct cache_store){.bucket_mask = buckets - 1, .limit = bytes};
	store->ring.next = store->ring.previous = &store->ring;
	store->buckets = calloc(buckets, sizeof(struct cache_entry *));
	if (store->buckets == NULL)
		out_of_memory();
}

/* The link to the entry, or where it would be. */
static struct cache_entry **
find_link(struct cache_store *store, struct str key, uint64_t hash)
{
	struct cache_entry **link = &store->buckets[hash & store->bucket_mask];

	while (*link != NULL && ((*link)->hash != hash || !str_eq((*link)->key, key)))
		link = &(*link)->chain;
	return link;
}

/* The entry under the key, or NULL. */
static struct cache_entry *
cache_store_find(struct cache_store *store, struct str key, uint64_t hash)
{
	return *find_link(store, key, hash);
}

static void
ring_remove(struct cache_entry *entry)
{
	entry->previous->next = entry->next;
	entry->next->previous = entry->previous;
}

static void
ring_to_front(struct cache_store *store, struct cache_entry *entry)
{
	entry->next = store->ring.next;
	entry->previous = &store->ring;
	entry->next->previous = entry;
	store->ring.next = entry;
}

/* Adds a reference. */
static void
cache_store_hold(struct cache_entry *entry)
{
	unsigned before = atomic_fetch_add_explicit(&entry->references, 1, memory_order_relaxed);

	assert(before > 0);
	(void)before;
}

/* Moves it to the front of the ring. */
static void
cache_store_touch(struct cache_store *store, struct cache_entry *entry)
{
	ring_remove(entry);
	ring_to_front(store, entry);
}

/*
 * Removes the entry and prepends it to `list`; the store's reference passes to whoever gets the
 * list.
 */
static struct cache_entry *
take_out(struct cache_store *store, struct cache_entry *entry, struct cache_entry *list)
{
	struct cache_entry **link = find_link(store, entry->key, entry->hash);

	assert(*link == entry && store->entries > 0 && store->bytes >= entry->bytes);
	*link = entry->chain;
	ring_remove(entry);
	store->bytes -= entry->bytes;
	store->entries--;
	entry->chain = list;
	return entry;
}

/* The invariants of an entry in that bucket. */
static bool
entry_ok(const struct cache_store *store, const struct cache_entry *entry, size_t bucket)
{
	if ((entry->hash & store->bucket_mask) != bucket || entry->references == 0 ||
	    entry->next->previous != entry || entry->previous->next != entry)
		return false;
	for (const struct cache_entry *e = entry->chain; e != NULL; e = e->chain)
		if (str_eq(e->key, entry->key))
			return false;
	return true;
}

/*
 * Hash table and ring have the same entries, with unique keys; count and bytes are right, and
 * within the limit.
 */
static bool
cache_store_ok(const struct cache_store *store)
{
	size_t entries = 0, in_ring = 0, bytes = 0;

	for (size_t i = 0; i <= store->bucket_mask; i++) {
		for (const struct cache_entry *e = store->buckets[i]; e != NULL; e = e->chain) {
			if (!entry_ok(store, e, i))
				return false;
			entries++;
			bytes += e->bytes;
		}
	}
	for (const struct cache_entry *e = store->ring.next; e != &store->ring; e = e->next)
		in_ring++;
	return entries == store->entries && in_ring == entries && bytes == store->bytes &&
	       bytes <= store->limit;
}

/*
 * Puts an entry in, replacing the one with its key. Removed entries are returned as a list linked
 * by `chain`, for the caller to release outside the mutex; so is the entry itself when it is too
 * large.
 */
static struct cache_entry *
cache_store_put(struct cache_store *store, struct cache_entry *entry)
{
	struct cache_entry *old = cache_store_find(store, entry->key, entry->hash), *out = NULL;
	struct cache_entry **bucket = &store->buckets[entry->hash & store->bucket_mask];

	if (old != NULL)
		out = take_out(store, old, out);
	if (entry->bytes > store->limit / 8) {
		entry->chain = out;
		return entry;
	}
	while (store->bytes + entry->bytes > store->limit) {
		assert(store->ring.previous != &store->ring);
		out = take_out(store, store->ring.previous, out);
		store->evicted++;
	}
	entry->chain = *bucket;
	*bucket = entry;
	ring_to_front(store, entry);
	store->bytes += entry->bytes;
	store->entries++;
	assert_whole(cache_store_ok(store));
	return out;
}

/* Frees the store; entries with other references live on. */
static void
cache_store_end(struct cache_store *store)
{
	assert_whole(cache_store_ok(store));
	while (store->ring.next != &store->ring)
		cache_release(take_out(store, store->ring.next, NULL));
	assert(store->entries == 0 && store->bytes == 0);
	free(store->buckets);
}

/* --- Concurrent renderings -------------------------------------------------------------------- */

/* A page that a thread is rendering. There are no more of them than threads. */
struct render {
	struct render *next;
	struct str key;
	uint64_t id;
};

/*
 * One mutex guards it all, and is held for a lookup or a few pointers, never during an allocation,
 * a copy, a rendering or a write. A key is in `renders` from the CACHE_RENDER to its cache_file()
 * or cache_give_up().
 */
struct cache {
	pthread_mutex_t mutex;
	pthread_cond_t rendered; /* a rendering has ended */
	unsigned char hash_key[crypto_shorthash_KEYBYTES];
	struct cache_store store;
	struct render *renders;
	uint64_t filed; /* the number of changes of the store, plus one: 0 in a look is none yet */
	uint64_t last_render, looked_up, hits, misses, stale;
};

struct cache *
cache_new(size_t bytes)
{
	struct cache *cache = calloc(1, sizeof(*cache));

	if (cache == NULL)
		out_of_memory();
	cache_store_init(&cache->store, bytes);
	cache->filed = 1;
	randombytes_buf(cache->hash_key, sizeof(cache->hash_key));
	pthread_mutex_init(&cache->mutex, NULL);
	pthread_cond_init(&cache->rendered, NULL);
	return cache;
}

void
cache_free(struct cache *cache)
{
	if (cache == NULL)
		return;
	assert(cache->renders == NULL);
	cache_store_end(&cache->store);
	pthread_cond_destroy(&cache->rendered);
	pthread_mutex_destroy(&cache->mutex);
	free(cache);
}

/* Keyed, so that nobody can choose addresses that collide. */
static uint64_t
hash_of(const struct cache *cache, struct str key)
{
	uint64_t hash;

	crypto_shorthash(
	    (unsigned char *)&hash, (const unsigned char *)key.base, key.len, cache->hash_key);
	return hash;
}

/* Checks the slots once for each version. With the mutex. */
static bool
is_unchanged(struct cache_entry *entry, const struct slots *slots, uint64_t version)
{
	if (entry->version == version)
		return true;
	if (!slots_unchanged(slots, &entry->page.reads, entry->version, version))
		return false;
	if (entry->version < version)
		entry->version = version;
	return true;
}

/* Is it to be made anew, whatever the table's version? */
static bool
is_due(const struct cache_page *page, uint64_t version, int64_t now)
{
	int64_t until = page->made + (version != 0 ? CACHE_FRESH_MS : CACHE_BLIND_MS);

	if (page->fresh_until != 0 && page->fresh_until < until)
		until = page->fresh_until;
	/* An entry from the future means that the clock was set back: its age is unknown. */
	return now < page->made || now >= until;
}

/* Looks up the key. With the mutex. */
static void
look_up(struct cache *cache, struct cache_look *look)
{
	look->entry = cache_store_find(&cache->store, look->key, look->hash);
	if (look->entry != NULL)
		cache_store_hold(look->entry);
	look->filed = cache->filed;
	cache->looked_up++;
}

/* Looks up again if the store has changed since. With the mutex. */
static void
look_again(struct cache *cache, struct cache_look *look)
{
	if (look->filed == cache->filed)
		return;
	cache_release(look->entry);
	look_up(cache, look);
}

/* Is the entry valid? Then it counts as used. With the mutex. */
static bool
is_hit(struct cache *cache, const struct cache_look *look, uint64_t version, int64_t now)
{
	struct cache_entry *entry = look->entry;

	if (entry == NULL || is_due(&entry->page, version, now) ||
	    !is_unchanged(entry, look->slots, version))
		return false;
	entry->last_good = now;
	cache->hits++;
	cache_store_touch(&cache->store, entry);
	return true;
}

bool
cache_find(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now)
{
	bool hit;

	assert(look->entry == NULL);
	look->hash = hash_of(cache, look->key);
	pthread_mutex_lock(&cache->mutex);
	look_up(cache, look);
	hit = is_hit(cache, look, version, now);
	pthread_mutex_unlock(&cache->mutex);
	return hit;
}

/* Was the entry valid a moment ago, or is it newer than a slow thread's view? With the mutex. */
static bool
is_stale_hit(struct cache *cache, const struct cache_look *look, int64_t now)
{
	struct cache_entry *entry = look->entry;

	if (entry == NULL || llabs(now - entry->last_good) > CACHE_STALE_MS)
		return false;
	cache->stale++;
	cache_store_touch(&cache->store, entry);
	return true;
}

static struct render **
find_render(struct cache *cache, struct str key)
{
	struct render **link = &cache->renders;

	while (*link != NULL && !str_eq((*link)->key, key))
		link = &(*link)->next;
	return link;
}

/*
 * Waits until that rendering has ended, within limits. With the mutex, which it releases meanwhile.
 */
static void
wait_for(struct cache *cache, struct str key, uint64_t id)
{
	const struct timespec until = thread_deadline(CACHE_WAIT_MS);
	const struct render *render;

	while ((render = *find_render(cache, key)) != NULL && render->id == id)
		if (pthread_cond_clockwait(
			&cache->rendered, &cache->mutex, CLOCK_MONOTONIC, &until) != 0)
			return;
}

/*
 * With the mutex, before it is released: one rendering for each key, with unique numbers, and a
 * valid store.
 */
static bool
cache_ok(const struct cache *cache)
{
	for (const struct render *r = cache->renders; r != NULL; r = r->next) {
		if (r->id == 0 || r->id > cache->last_render)
			return false;
		for (const struct render *other = r->next; other != NULL; other = other->next)
			if (other->id == r->id || str_eq(other->key, r->key))
				return false;
	}
	return cache_store_ok(&cache->store);
}

static struct render *
render_new(struct str key)
{
	struct render *render = malloc(sizeof(*render) + key.len);

	if (render == NULL)
		out_of_memory();
	memcpy(render + 1, key.base, key.len);
	render->key = (struct str){(const char *)(render + 1), key.len};
	return render;
}

/* The result of cache_begin(). With the mutex; *mine is used when it is CACHE_RENDER. */
static enum cache_answer
begin(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now,
    struct render **mine)
{
	const struct render *other;

	look_again(cache, look);
	if (is_hit(cache, look, version, now))
		return CACHE_HIT;
	cache->misses++;
	other = *find_render(cache, look->key);
	if (other == NULL) {
		look->render = *mine;
		look->render->id = ++cache->last_render;
		look->render->next = cache->renders;
		cache->renders = look->render;
		*mine = NULL;
		return CACHE_RENDER;
	}
	if (is_stale_hit(cache, look, now))
		return CACHE_HIT;
	wait_for(cache, look->key, other->id);
	look_again(cache, look);
	/*
	 * The entry filed meanwhile may have begun a moment before this request; that is allowed.
	 * If none was, the page can't be cached, and waiting would only serialise the requests.
	 */
	return is_stale_hit(cache, look, now) ? CACHE_HIT : CACHE_ALONE;
}

enum cache_answer
cache_begin(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now)
{
	struct render *mine = render_new(look->key);
	enum cache_answer answer;

	assert(look->render == NULL);
	if (look->filed == 0)
		look->hash = hash_of(cache, look->key);
	pthread_mutex_lock(&cache->mutex);
	answer = begin(cache, look, version, now, &mine);
	assert_whole(cache_ok(cache));
	pthread_mutex_unlock(&cache->mutex);
	free(mine);
	return answer;
}

/*
 * Ends the look's rendering and wakes those who wait. With the mutex; the caller frees the result.
 */
static struct render *
end_render(struct cache *cache, struct cache_look *look)
{
	struct render *render = look->render, **link = find_render(cache, look->key);

	assert(render != NULL && *link == render);
	*link = render->next;
	look->render = NULL;
	pthread_cond_broadcast(&cache->rendered);
	return render;
}

void
cache_give_up(struct cache *cache, struct cache_look *look)
{
	struct render *render;

	pthread_mutex_lock(&cache->mutex);
	render = end_render(cache, look);
	assert_whole(cache_ok(cache));
	pthread_mutex_unlock(&cache->mutex);
	free(render);
}

/* Nobody else files this address meanwhile, so the entry found before is the latest. */
int64_t
cache_since(const struct cache_look *look, struct str etag, int64_t now)
{
	const struct cache_page *before = look->entry != NULL ? &look->entry->page : NULL;

	assert(look->render != NULL);
	if (before != NULL && str_eq(before->etag[CACHE_PLAIN], etag) && before->last_modified != 0)
		return before->last_modified;
	return before != NULL && before->made / 1000 >= now / 1000 ? 0 : now;
}

void
cache_file(struct cache *cache, struct cache_look *look, const struct cache_page *page)
{
	struct cache_entry *entry = cache_entry_new(look->key, look->hash, page), *out;
	struct render *render;

	pthread_mutex_lock(&cache->mutex);
	out = cache_store_put(&cache->store, entry);
	cache->filed++;
	render = end_render(cache, look);
	assert_whole(cache_ok(cache));
	pthread_mutex_unlock(&cache->mutex);
	free(render);
	while (out != NULL) {
		struct cache_entry *next = out->chain;

		cache_release(out);
		out = next;
	}
}

void
cache_forget(struct cache_look *look)
{
	assert(look->render == NULL);
	cache_release(look->entry);
	look->entry = NULL;
}

struct cache_figures
cache_figures(struct cache *cache)
{
	struct cache_figures figures;

	pthread_mutex_lock(&cache->mutex);
	figures = (struct cache_figures){cache->looked_up, cache->hits, cache->misses, cache->stale,
	    cache->store.evicted, cache->store.entries, cache->store.bytes};
	pthread_mutex_unlock(&cache->mutex);
	return figures;
}
