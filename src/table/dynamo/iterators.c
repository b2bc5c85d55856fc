#include "table/dynamo/iterators.h"

#include "base/arena.h"
#include "table/dynamo/exchange.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 64, ITERATOR_MS = 5 * 60 * 1000 };

struct remembered {
	char *key; /* shard, space, place */
	char *iterator;
	bool whole; /* it began at the shard's beginning, though its place is `@` */
	int64_t since;
};

struct shard_iterators {
	pthread_mutex_t lock;
	struct remembered slots[REMEMBERED];
	size_t next; /* the slot that is the oldest */
};

struct shard_iterators *
shard_iterators_new(void)
{
	struct shard_iterators *iterators = calloc(1, sizeof(*iterators));

	if (iterators == NULL)
		out_of_memory();
	pthread_mutex_init(&iterators->lock, NULL);
	return iterators;
}

void
shard_iterators_free(struct shard_iterators *iterators)
{
	if (iterators == NULL)
		return;
	for (size_t i = 0; i < REMEMBERED; i++) {
		free(iterators->slots[i].key);
		free(iterators->slots[i].iterator);
	}
	pthread_mutex_destroy(&iterators->lock);
	free(iterators);
}

/* With the lock held; NULL when there is none. */
static struct remembered *
slot_of(struct shard_iterators *iterators, struct str key)
{
	for (size_t i = 0; i < REMEMBERED; i++) {
		if (iterators->slots[i].key != NULL && str_eq(str_of(iterators->slots[i].key), key))
			return &iterators->slots[i];
	}
	return NULL;
}

static struct str
key_of(struct arena *arena, struct str shard, struct str place)
{
	return STR_CONCAT(arena, shard, STR(" "), place);
}

void
shard_iterators_recall(
    struct shard_iterators *iterators, struct arena *arena, struct shard_read *read)
{
	struct str key = key_of(arena, read->shard, read->place);
	struct remembered *slot;

	pthread_mutex_lock(&iterators->lock);
	slot = slot_of(iterators, key);
	if (slot != NULL && exchange_now() - slot->since < ITERATOR_MS) {
		read->iterator = str_dup(arena, str_of(slot->iterator));
		read->whole = slot->whole;
	}
	pthread_mutex_unlock(&iterators->lock);
}

void
shard_iterators_remember(struct shard_iterators *iterators, struct arena *arena,
    const struct shard_read *read, struct str place, struct str iterator)
{
	struct str key = key_of(arena, read->shard, place);
	struct remembered *slot;

	pthread_mutex_lock(&iterators->lock);
	slot = slot_of(iterators, key);
	if (slot == NULL) {
		slot = &iterators->slots[iterators->next];
		iterators->next = (iterators->next + 1) % REMEMBERED;
	}
	free(slot->key);
	free(slot->iterator);
	slot->key = strndup(key.base, key.len);
	slot->iterator = strndup(iterator.base, iterator.len);
	if (slot->key == NULL || slot->iterator == NULL)
		out_of_memory();
	slot->whole = read->whole;
	slot->since = exchange_now();
	pthread_mutex_unlock(&iterators->lock);
}
