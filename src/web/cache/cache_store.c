#include "web/cache/cache_store.h"

#include "base/arena.h"
#include "base/check.h"

#include <stdlib.h>
#include <string.h>

/* Moves the slice's bytes to *end. */
static void
move(struct str *s, char **end)
{
	if (s->len != 0)
		memcpy(*end, s->base, s->len);
	s->base = *end;
	*end += s->len;
}

struct cache_entry *
cache_entry_new(struct str key, uint64_t hash, const struct cache_page *page)
{
	struct cache_entry *entry;
	size_t bytes = sizeof(*entry) + key.len;
	char *end;

	for (int i = 0; i < CACHE_FORMS; i++)
		bytes += page->etag[i].len + page->full[i].len + page->not_modified[i].len;
	entry = malloc(bytes);
	if (entry == NULL)
		out_of_memory();
	*entry = (struct cache_entry){.page = *page, .key = key, .hash = hash, .bytes = bytes};
	entry->last_good = page->made;
	atomic_init(&entry->references, 1);
	end = (char *)(entry + 1);
	move(&entry->key, &end);
	for (int i = 0; i < CACHE_FORMS; i++) {
		move(&entry->page.etag[i], &end);
		move(&entry->page.full[i], &end);
		move(&entry->page.not_modified[i], &end);
	}
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

void
cache_store_init(struct cache_store *store, size_t bytes)
{
	size_t buckets = 64;

	/* Pages are some ten kilobytes; a bucket then has one or two. */
	while (buckets < bytes / 8192 && buckets < (size_t)1 << 20)
		buckets *= 2;
	*store = (struct cache_store){.bucket_mask = buckets - 1, .limit = bytes};
	store->ring.next = store->ring.previous = &store->ring;
	store->buckets = calloc(buckets, sizeof(struct cache_entry *));
	if (store->buckets == NULL)
		out_of_memory();
}

/* Where the link to the entry is, or would be. */
static struct cache_entry **
find_link(struct cache_store *store, struct str key, uint64_t hash)
{
	struct cache_entry **link = &store->buckets[hash & store->bucket_mask];

	while (*link != NULL && ((*link)->hash != hash || !str_eq((*link)->key, key)))
		link = &(*link)->chain;
	return link;
}

struct cache_entry *
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

void
cache_store_hold(struct cache_entry *entry)
{
	unsigned before = atomic_fetch_add_explicit(&entry->references, 1, memory_order_relaxed);

	assert(before > 0);
	(void)before;
}

void
cache_store_touch(struct cache_store *store, struct cache_entry *entry)
{
	ring_remove(entry);
	ring_to_front(store, entry);
}

/* Takes the entry out, in front of `list`; the store's reference goes to who gets the list. */
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

struct cache_entry *
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

/* What is right of an entry by itself, in that bucket. */
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

bool
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

void
cache_store_end(struct cache_store *store)
{
	assert_whole(cache_store_ok(store));
	while (store->ring.next != &store->ring)
		cache_release(take_out(store, store->ring.next, NULL));
	assert(store->entries == 0 && store->bytes == 0);
	free(store->buckets);
}
