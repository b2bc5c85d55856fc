#include "web/cache.h"

#include "base/arena.h"
#include "web/cache_store.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A page that some thread is rendering. There are no more of them than threads. */
struct render {
	struct render *next;
	struct str key;
	uint64_t id;
};

/*
 * One mutex guards it all, and is held for a lookup or a few pointers, never while anybody
 * allocates, copies, renders or writes. A key is in `renders` from the CACHE_RENDER that said so to
 * its cache_file() or cache_give_up().
 */
struct cache {
	pthread_mutex_t mutex;
	pthread_cond_t rendered; /* some render has ended */
	unsigned char hash_key[crypto_shorthash_KEYBYTES];
	struct cache_store store;
	struct render *renders;
	uint64_t last_render, hits, misses, stale;
};

struct cache *
cache_new(size_t bytes)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	pthread_condattr_t attributes;

	if (cache == NULL)
		out_of_memory();
	cache_store_init(&cache->store, bytes);
	randombytes_buf(cache->hash_key, sizeof(cache->hash_key));
	pthread_mutex_init(&cache->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&cache->rendered, &attributes);
	pthread_condattr_destroy(&attributes);
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

/* Keyed, so that nobody can choose addresses that fall into one bucket. */
static uint64_t
hash_of(const struct cache *cache, struct str key)
{
	uint64_t hash;

	crypto_shorthash(
	    (unsigned char *)&hash, (const unsigned char *)key.base, key.len, cache->hash_key);
	return hash;
}

static bool
is_good(const struct cache_page *page, uint64_t version, int64_t now)
{
	int64_t until = page->made + (version != 0 ? CACHE_FRESH_MS : CACHE_BLIND_MS);

	if (page->fresh_until != 0 && page->fresh_until < until)
		until = page->fresh_until;
	/* A clock that was set back makes an entry from the future: nobody knows its age. */
	return page->version == version && now >= page->made && now < until;
}

/* The entry if it is good now, held. With the mutex. */
static struct cache_entry *
find_good(struct cache *cache, struct str key, uint64_t hash, uint64_t version, int64_t now)
{
	struct cache_entry *entry = cache_store_find(&cache->store, key, hash);

	if (entry == NULL || !is_good(&entry->page, version, now))
		return NULL;
	entry->last_good = now;
	cache->hits++;
	return cache_store_hold(&cache->store, entry);
}

struct cache_entry *
cache_find(struct cache *cache, struct str key, uint64_t version, int64_t now)
{
	uint64_t hash = hash_of(cache, key);
	struct cache_entry *entry;

	pthread_mutex_lock(&cache->mutex);
	entry = find_good(cache, key, hash, version, now);
	pthread_mutex_unlock(&cache->mutex);
	return entry;
}

/*
 * The entry if it was good a moment ago (or, to a slow thread, is from a moment later), held. With
 * the mutex.
 */
static struct cache_entry *
find_stale(struct cache *cache, struct str key, uint64_t hash, int64_t now)
{
	struct cache_entry *entry = cache_store_find(&cache->store, key, hash);

	if (entry == NULL || llabs(now - entry->last_good) > CACHE_STALE_MS)
		return NULL;
	cache->stale++;
	return cache_store_hold(&cache->store, entry);
}

static struct render **
find_render(struct cache *cache, struct str key)
{
	struct render **link = &cache->renders;

	while (*link != NULL && !str_eq((*link)->key, key))
		link = &(*link)->next;
	return link;
}

/* Waits until that render has ended, within bounds. With the mutex, which it lets go meanwhile. */
static void
wait_for(struct cache *cache, struct str key, uint64_t id)
{
	struct timespec until;
	const struct render *render;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += CACHE_WAIT_MS / 1000;
	while ((render = *find_render(cache, key)) != NULL && render->id == id)
		if (pthread_cond_timedwait(&cache->rendered, &cache->mutex, &until) != 0)
			return;
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

/* What cache_begin() answers. With the mutex; *mine is used up when the answer is CACHE_RENDER. */
static enum cache_answer
begin(struct cache *cache, struct str key, uint64_t hash, uint64_t version, int64_t now,
    struct render **mine, struct cache_entry **entry)
{
	const struct render *other;

	*entry = find_good(cache, key, hash, version, now);
	if (*entry != NULL)
		return CACHE_HIT;
	cache->misses++;
	other = *find_render(cache, key);
	if (other == NULL) {
		(*mine)->id = ++cache->last_render;
		(*mine)->next = cache->renders;
		cache->renders = *mine;
		*mine = NULL;
		return CACHE_RENDER;
	}
	*entry = find_stale(cache, key, hash, now);
	if (*entry != NULL)
		return CACHE_HIT;
	wait_for(cache, key, other->id);
	/*
	 * What was filed meanwhile may have begun a moment before this request; that is allowed.
	 * When nothing was, it is not a page to keep, and waiting for one another would only take
	 * turns.
	 */
	*entry = find_stale(cache, key, hash, now);
	return *entry != NULL ? CACHE_HIT : CACHE_ALONE;
}

enum cache_answer
cache_begin(
    struct cache *cache, struct str key, uint64_t version, int64_t now, struct cache_entry **entry)
{
	uint64_t hash = hash_of(cache, key);
	struct render *mine = render_new(key);
	enum cache_answer answer;

	pthread_mutex_lock(&cache->mutex);
	answer = begin(cache, key, hash, version, now, &mine, entry);
	pthread_mutex_unlock(&cache->mutex);
	free(mine);
	return answer;
}

/*
 * Ends the render of a key and wakes those who wait. With the mutex; the caller frees what it
 * returns.
 */
static struct render *
end_render(struct cache *cache, struct str key)
{
	struct render **link = find_render(cache, key), *render = *link;

	assert(render != NULL);
	*link = render->next;
	pthread_cond_broadcast(&cache->rendered);
	return render;
}

void
cache_give_up(struct cache *cache, struct str key)
{
	struct render *render;

	pthread_mutex_lock(&cache->mutex);
	render = end_render(cache, key);
	pthread_mutex_unlock(&cache->mutex);
	free(render);
}

int64_t
cache_since(struct cache *cache, struct str key, struct str etag, int64_t now)
{
	uint64_t hash = hash_of(cache, key);
	const struct cache_entry *before;
	int64_t since = now;

	pthread_mutex_lock(&cache->mutex);
	before = cache_store_find(&cache->store, key, hash);
	if (before != NULL && str_eq(before->page.etag[CACHE_PLAIN], etag) &&
	    before->page.last_modified != 0)
		since = before->page.last_modified;
	else if (before != NULL && before->page.made / 1000 >= now / 1000)
		since = 0;
	pthread_mutex_unlock(&cache->mutex);
	return since;
}

void
cache_file(struct cache *cache, struct str key, const struct cache_page *page)
{
	struct cache_entry *entry = cache_entry_new(key, hash_of(cache, key), page), *out;
	struct render *render;

	pthread_mutex_lock(&cache->mutex);
	out = cache_store_put(&cache->store, entry);
	render = end_render(cache, key);
	pthread_mutex_unlock(&cache->mutex);
	free(render);
	while (out != NULL) {
		struct cache_entry *next = out->chain;

		cache_release(out);
		out = next;
	}
}

struct cache_figures
cache_figures(struct cache *cache)
{
	struct cache_figures figures;

	pthread_mutex_lock(&cache->mutex);
	figures = (struct cache_figures){cache->hits, cache->misses, cache->stale,
	    cache->store.evicted, cache->store.entries, cache->store.bytes};
	pthread_mutex_unlock(&cache->mutex);
	return figures;
}
