/*
 * Gets of background jobs are made together. The stream worker has several threads, each of which reads an item or two, decides,
 * and reads again. While a request is under way the gets that come wait, and are then one BatchGetItem, which asks for each item
 * once, however many want it: the same units or fewer, in a fraction of the requests.
 *
 *  1. A get is answered by a request that began after it was called for: it sees all that was acknowledged before.
 *  2. If a request fails, each call reads by itself: what is wrong with one item concerns no other call.
 */
#include "base/arena.h"
#include "table/dynamo/dynamo_private.h"

#include <pthread.h>
#include <stdlib.h>

enum { REQUESTS_AT_ONCE = 2 /* the more there are, the less is in each */ };

/* A call, whose thread waits here. */
struct waiting {
	struct table_call *call;
	struct read *reads;
	size_t count;
	bool over, failed;
	struct waiting *next;
};

struct dynamo_gather {
	pthread_mutex_t lock;
	pthread_cond_t turn; /* a request is over */
	struct waiting *first, **end;
	unsigned under_way;
};

struct dynamo_gather *
dynamo_gather_new(void)
{
	struct dynamo_gather *g = calloc(1, sizeof(*g));

	if (g == NULL)
		out_of_memory();
	pthread_mutex_init(&g->lock, NULL);
	pthread_cond_init(&g->turn, NULL);
	g->end = &g->first;
	return g;
}

void
dynamo_gather_free(struct dynamo_gather *g)
{
	pthread_mutex_destroy(&g->lock);
	pthread_cond_destroy(&g->turn);
	free(g);
}

/* As many calls as there is room for in a request, of which there is one at least. */
static struct waiting *
take(struct dynamo_gather *g)
{
	struct waiting *some = g->first, **last = &g->first;

	for (size_t room = TABLE_BATCH_MAX; *last != NULL && (*last)->count <= room; last = &(*last)->next)
		room -= (*last)->count;
	if (*last == NULL)
		g->end = &g->first;
	g->first = *last;
	*last = NULL;
	return some;
}

/* A get, and where its item goes. */
struct wanted {
	struct read *read;
	struct arena *arena;
};

static int
by_key(const void *a, const void *b)
{
	const struct key *x = &((const struct wanted *)a)->read->key, *y = &((const struct wanted *)b)->read->key;
	int order = str_cmp(x->pk, y->pk);

	return order != 0 ? order : str_cmp(x->sk, y->sk);
}

static enum table_rc
ask(struct dynamo *db, struct table_call *call, struct wanted *wanted, size_t count, int64_t now)
{
	struct key keys[TABLE_BATCH_MAX];
	struct read batch = {.kind = READ_BATCH, .consistent = true, .batch = {keys, 0}};
	size_t at = 0;
	enum table_rc rc;

	qsort(wanted, count, sizeof(*wanted), by_key);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || by_key(&wanted[i - 1], &wanted[i]) != 0)
			keys[batch.batch.count++] = wanted[i].read->key;
	rc = dynamo_read_at(db, call, &batch, 1, now);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		at += i != 0 && by_key(&wanted[i - 1], &wanted[i]) != 0;
		if (batch.items[at] == NULL)
			continue;
		wanted[i].read->item = ARENA_NEW(wanted[i].arena, struct item);
		*wanted[i].read->item = item_copy(wanted[i].arena, batch.items[at]);
	}
	return rc;
}

/* Makes one request for some calls; `own`: that of this thread, which pays. */
static void
serve(struct dynamo *db, struct table_call *own, struct waiting *some, int64_t now)
{
	struct table_call call = {
	    .arena = arena_new(), .deadline = own->deadline, .background = true};
	struct wanted wanted[TABLE_BATCH_MAX];
	size_t count = 0;
	enum table_rc rc;

	for (struct waiting *one = some; one != NULL; one = one->next)
		for (size_t i = 0; i < one->count; i++)
			wanted[count++] = (struct wanted){&one->reads[i], one->call->arena};
	rc = ask(db, &call, wanted, count, now);
	own->cost.read_half_units += call.cost.read_half_units;
	for (struct waiting *one = some; one != NULL; one = one->next)
		one->failed = rc != TABLE_OK;
	arena_free(call.arena);
}

/* With the lock held, which it releases meanwhile. */
static void
take_turn(struct dynamo *db, struct table_call *own, int64_t now)
{
	struct dynamo_gather *g = db->gather;
	struct waiting *some = take(g);

	g->under_way++;
	pthread_mutex_unlock(&g->lock);
	serve(db, own, some, now);
	pthread_mutex_lock(&g->lock);
	g->under_way--;
	for (; some != NULL; some = some->next)
		some->over = true;
	pthread_cond_broadcast(&g->turn);
}

bool
dynamo_gather_takes(const struct table_call *call, const struct read *reads, size_t count)
{
	bool takes = call->background && count <= TABLE_BATCH_MAX;

	for (size_t i = 0; takes && i < count; i++)
		takes = reads[i].kind == READ_GET && reads[i].consistent;
	return takes;
}

enum table_rc
dynamo_gather_read(
    struct dynamo *db, struct table_call *call, struct read *reads, size_t count, int64_t now)
{
	struct dynamo_gather *g = db->gather;
	struct waiting own = {.call = call, .reads = reads, .count = count};

	pthread_mutex_lock(&g->lock);
	*g->end = &own;
	g->end = &own.next;
	while (!own.over)
		if (g->first != NULL && g->under_way < REQUESTS_AT_ONCE)
			take_turn(db, call, now);
		else
			pthread_cond_wait(&g->turn, &g->lock);
	pthread_mutex_unlock(&g->lock);
	return own.failed ? dynamo_read_at(db, call, reads, count, now) : TABLE_OK;
}
