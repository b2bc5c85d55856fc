#include "web/cache/cache.h"

#include "base/arena.h"
#include "base/check.h"
#include "web/cache/cache_store.h"

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
	uint64_t
	    filed; /* how often the store has changed, and once more: a look that is none yet has 0 */
	uint64_t last_render, looked_up, hits, misses, stale;
};

struct cache *
cache_new(size_t bytes)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	pthread_condattr_t attributes;

	if (cache == NULL)
		out_of_memory();
	cache_store_init(&cache->store, bytes);
	cache->filed = 1;
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

/* Sees what is filed under the key. With the mutex. */
static void
look_up(struct cache *cache, struct cache_look *look)
{
	cache_release(look->entry);
	look->entry = cache_store_find(&cache->store, look->key, look->hash);
	if (look->entry != NULL)
		cache_store_hold(look->entry);
	look->filed = cache->filed;
	cache->looked_up++;
}

/* Is what was seen still what is there, and good? With the mutex. */
static bool
is_hit(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now)
{
	struct cache_entry *entry;

	if (look->filed != cache->filed)
		look_up(cache, look);
	entry = look->entry;
	if (entry == NULL || !is_good(&entry->page, version, now))
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

	assert(look->filed == 0 && look->entry == NULL);
	look->hash = hash_of(cache, look->key);
	pthread_mutex_lock(&cache->mutex);
	hit = is_hit(cache, look, version, now);
	pthread_mutex_unlock(&cache->mutex);
	return hit;
}

/* Was the entry good a moment ago, or is, to a slow thread, from a moment later? With the mutex. */
static bool
is_stale_hit(struct cache *cache, struct cache_look *look, int64_t now)
{
	struct cache_entry *entry;

	if (look->filed != cache->filed)
		look_up(cache, look);
	entry = look->entry;
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

/* With the mutex, whenever it is let go: one render a key, each of another number, and the store is as it promises. */
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

/* What cache_begin() answers. With the mutex; *mine is used up when the answer is CACHE_RENDER. */
static enum cache_answer
begin(struct cache *cache, struct cache_look *look, uint64_t version, int64_t now,
    struct render **mine)
{
	const struct render *other;

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
	/*
	 * What was filed meanwhile may have begun a moment before this request; that is allowed.
	 * When nothing was, it is not a page to keep, and waiting for one another would only take
	 * turns.
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

/* Ends the look's render and wakes those who wait. With the mutex; the caller frees what it returns. */
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

/* Nobody else files under that address meanwhile, so what was there before is what was seen. */
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

struct cache_entry *
cache_take(struct cache_look *look)
{
	struct cache_entry *entry = look->entry;

	assert(entry != NULL);
	look->entry = NULL;
	return entry;
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
