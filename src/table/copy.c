/*
 * A page is read, then written by several threads at once, because writing to a distant table is
 * mostly waiting. Each thread writes several items in one request. The copy continues only when the
 * whole page is written, so all items before the reported cursor have been copied.
 */
#include "table/copy.h"

#include "base/arena.h"
#include "table/retry.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE = 256,
	WRITERS = 16,
	RUN = PAGE / WRITERS, /* items that a thread takes at a time */
	RUN_BYTES = 2 * 1024 * 1024,
};

static struct str
explain(struct arena *arena, const char *what, enum table_rc rc, const char *why)
{
	return str_fmt(arena, "%s: %s", what, why != NULL ? why : table_rc_text(rc));
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Reads the whole table, page by page, until `each` returns something other than TABLE_OK. */
static enum table_rc
walk(struct table *table, struct str cursor, struct arena *arena, struct str *why,
    enum table_rc (*each)(void *context, const struct walk_page *page, struct str *why),
    void *context)
{
	struct arena *pages[] = {arena_new(), arena_new()};
	struct table_call call = {.arena = pages[0]};
	struct walk_page page;
	enum table_rc rc = table_hold(table, &call);

	for (unsigned turn = 0; rc == TABLE_OK; turn++) {
		struct retry retry = {0};

		/* The cursor is in the arena of the page before. */
		call.arena = pages[turn % 2];
		arena_reset(call.arena);
		do
			rc = table_walk(table, &call, cursor, PAGE, &page);
		while (retry_again(&retry, rc));
		if (rc != TABLE_OK) {
			*why = explain(arena, "the table can't be read", rc, call.why);
			break;
		}
		cursor = page.next;
		rc = each(context, &page, why);
		if (cursor.len == 0)
			break;
	}
	table_release(table, &call);
	arena_free(pages[0]);
	arena_free(pages[1]);
	return rc;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* A page that is being written. */
struct batch {
	struct table *to;
	bool past_fence;
	const struct write *guard;
	const struct item *items;
	size_t count;
	atomic_size_t next;
	pthread_mutex_t lock;
	enum table_rc rc; /* the first failure */
	struct arena *arena;
	struct str why;
};

/* How many of the items may be written in one request; at least one. */
static size_t
fitting(const struct item *items, size_t count)
{
	size_t bytes = item_size(&items[0]), n = 1;

	while (n < count && (bytes += item_size(&items[n])) <= RUN_BYTES)
		n++;
	return n;
}

/*
 * Writes the items in one request. On failure *bad is the item at fault if known, else the first.
 */
static enum table_rc
put_together(const struct batch *batch, struct table_call *call, const struct item *items, size_t count,
    const struct item **bad)
{
	struct write *writes = ARENA_ARRAY(call->arena, count + 1, struct write);
	struct retry retry = {0};
	enum table_rc rc;

	*bad = &items[0];
	for (size_t i = 0; i < count; i++)
		writes[i] = (struct write){.kind = WRITE_PUT, .item = items[i]};
	if (batch->guard != NULL)
		writes[count] = *batch->guard;
	do
		rc = table_transact(batch->to, call, writes, count + (batch->guard != NULL), STR(""));
	while (retry_again(&retry, rc));
	for (size_t i = 0; i < count && rc == TABLE_CANCELLED; i++) {
		if (writes[i].rc != TABLE_OK)
			*bad = &items[i];
	}
	return rc;
}

static void
failed(struct batch *batch, const struct item *item, enum table_rc rc, const char *why)
{
	struct key key = item_key(item);

	pthread_mutex_lock(&batch->lock);
	if (batch->rc == TABLE_OK) {
		batch->rc = rc;
		batch->why = str_fmt(batch->arena, "the item %.*s / %.*s can't be written: %s",
		    STR_ARGS(key.pk), STR_ARGS(key.sk), why != NULL ? why : table_rc_text(rc));
	}
	pthread_mutex_unlock(&batch->lock);
	/* No thread takes another item. */
	batch->next = batch->count;
}

static void
put_run(struct batch *batch, struct table_call *call, const struct item *items, size_t count)
{
	const struct item *bad;

	while (count > 0) {
		size_t now = fitting(items, count);
		enum table_rc rc = put_together(batch, call, items, now, &bad);

		if (rc != TABLE_OK) {
			failed(batch, bad, rc, call->why);
			return;
		}
		arena_reset(call->arena);
		items += now;
		count -= now;
	}
}

static void *
writer(void *data)
{
	struct batch *batch = data;
	struct table_call call = {.arena = arena_new(), .past_fence = batch->past_fence};
	size_t from, left;

	while ((from = atomic_fetch_add(&batch->next, RUN)) < batch->count) {
		left = batch->count - from;
		put_run(batch, &call, &batch->items[from], left < RUN ? left : RUN);
		arena_reset(call.arena);
	}
	arena_free(call.arena);
	return NULL;
}

static enum table_rc
put_all(const struct copy *copy, const struct walk_page *page, struct arena *arena, struct str *why)
{
	struct batch batch = {.to = copy->to,
	    .past_fence = copy->past_fence,
	    .guard = copy->guard,
	    .items = page->items,
	    .count = page->count,
	    .arena = arena};
	pthread_t threads[WRITERS];
	size_t started = 0;

	pthread_mutex_init(&batch.lock, NULL);
	while (started + 1 < WRITERS && (started + 1) * RUN < page->count &&
	       pthread_create(&threads[started], NULL, writer, &batch) == 0)
		started++;
	writer(&batch);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_destroy(&batch.lock);
	if (batch.rc != TABLE_OK)
		*why = batch.why;
	return batch.rc;
}

/* --- The copy ----------------------------------------------------------------------------------- */

struct copying {
	const struct copy *copy;
	struct arena *arena;
	uint64_t items;
};

static enum table_rc
copy_page(void *context, const struct walk_page *page, struct str *why)
{
	struct copying *copying = context;
	const struct copy *copy = copying->copy;
	struct walk_page wanted = *page;
	enum table_rc rc;

	wanted.count = 0;
	for (size_t i = 0; i < page->count; i++)
		if (copy->skip == NULL || !copy->skip(item_key(&page->items[i])))
			wanted.items[wanted.count++] = page->items[i];
	rc = put_all(copy, &wanted, copying->arena, why);
	if (rc != TABLE_OK)
		return rc;
	copying->items += wanted.count;
	if (copy->progress != NULL)
		copy->progress(copy->context, copying->items, page->next);
	if (copy->stop != NULL && *copy->stop && page->next.len > 0) {
		*why = STR("the copy was stopped");
		return TABLE_DEADLINE;
	}
	return TABLE_OK;
}

enum table_rc
table_copy(const struct copy *copy, struct arena *arena, uint64_t *items, struct str *why)
{
	struct copying copying = {.copy = copy, .arena = arena};
	enum table_rc rc = walk(copy->from, copy->cursor, arena, why, copy_page, &copying);

	*items = copying.items;
	return rc;
}

/* --- Sums ---------------------------------------------------------------------------------------- */

struct summing {
	struct table_sum *sum;
	bool (*skip)(struct key key);
	copy_progress *progress;
	void *context;
};

/*
 * Digests are added as numbers of 256 bits: the order does not matter, and, unlike with exclusive
 * or, duplicates do not cancel out.
 */
static void
add_item(struct table_sum *sum, const struct item *item)
{
	struct arena *arena = arena_new();
	struct str bytes = item_encode(arena, item);
	unsigned char digest[sizeof(sum->digest)];

	crypto_generichash(
	    digest, sizeof(digest), (const unsigned char *)bytes.base, bytes.len, NULL, 0);
	sodium_add(sum->digest, digest, sizeof(digest));
	sum->items++;
	sum->bytes += item_size(item);
	arena_free(arena);
}

static enum table_rc
sum_page(void *context, const struct walk_page *page, struct str *why)
{
	struct summing *summing = context;

	(void)why;
	for (size_t i = 0; i < page->count; i++)
		if (summing->skip == NULL || !summing->skip(item_key(&page->items[i])))
			add_item(summing->sum, &page->items[i]);
	if (summing->progress != NULL)
		summing->progress(summing->context, summing->sum->items, page->next);
	return TABLE_OK;
}

enum table_rc
table_sum(struct table *table, bool (*skip)(struct key key), copy_progress *progress, void *context, struct arena *arena,
    struct table_sum *out, struct str *why)
{
	struct summing summing = {.sum = out, .skip = skip, .progress = progress, .context = context};

	*out = (struct table_sum){0};
	return walk(table, STR(""), arena, why, sum_page, &summing);
}

bool
table_sum_eq(const struct table_sum *a, const struct table_sum *b)
{
	return a->items == b->items && a->bytes == b->bytes &&
	       memcmp(a->digest, b->digest, sizeof(a->digest)) == 0;
}

struct str
table_sum_text(struct arena *arena, const struct table_sum *sum)
{
	size_t len = 2 * sizeof(sum->digest);
	char *text = arena_alloc(arena, len + 1);

	sodium_bin2hex(text, len + 1, sum->digest, sizeof(sum->digest));
	return (struct str){text, len};
}
