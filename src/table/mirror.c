#include "table/mirror.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/retry.h"

#include <assert.h>
#include <stdio.h>

enum {
	RUN = 25,                     /* keys that are read and written together */
	RUN_BYTES = 2 * 1024 * 1024,  /* of a transaction */
	WALK = 200,
	SLOTS = 32768, /* a power of two, and more than twice MIRROR_KEYS_MAX and a page of changes */
};

static enum table_rc
failed(struct mirror *f, enum table_rc rc, const struct table_call *call, const char *what)
{
	snprintf(f->why, sizeof(f->why), "%s: %s", what, call->why != NULL ? call->why : table_rc_text(rc));
	return rc;
}

/* --- Keys, each once ---------------------------------------------------------------------------------- */

static uint64_t
hash_of(struct key key)
{
	const struct str parts[] = {key.pk, key.sk};
	uint64_t hash = 14695981039346656037U;

	for (size_t p = 0; p < 2; p++)
		for (size_t i = 0; i <= parts[p].len; i++)
			hash = (hash ^ (i < parts[p].len ? (unsigned char)parts[p].base[i] : 0x100)) * 1099511628211U;
	return hash ^ hash >> 32;
}

/* Its arena holds nothing else. */
static void
clear(struct key_list *list, struct arena *arena)
{
	arena_reset(arena);
	*list = (struct key_list){.arena = arena,
	    .keys = arena_array(arena, SLOTS / 2, sizeof(*list->keys)),
	    .slots = ARENA_ARRAY(arena, SLOTS, size_t)};
}

static void
note_key(struct key_list *list, struct key key)
{
	size_t at = hash_of(key) & (SLOTS - 1);

	for (; list->slots[at] != 0; at = (at + 1) & (SLOTS - 1)) {
		const struct key *is = &list->keys[list->slots[at] - 1];

		if (str_eq(is->pk, key.pk) && str_eq(is->sk, key.sk))
			return;
	}
	assert(list->count < SLOTS / 2);
	list->keys[list->count++] = (struct key){str_dup(list->arena, key.pk), str_dup(list->arena, key.sk)};
	list->slots[at] = list->count;
}

/* --- Both sides of some keys -------------------------------------------------------------------------- */

static enum table_rc
read_items(struct mirror *f, struct table *table, struct table_call *call, const struct key *keys, size_t count,
    struct item ***out)
{
	struct read read = {.kind = READ_BATCH, .consistent = true, .batch = {keys, count}};
	struct retry retry = {0};
	enum table_rc rc;

	do
		rc = table_read(table, call, &read, 1);
	while (retry_again(&retry, rc));
	*out = read.items;
	return rc == TABLE_OK ? rc : failed(f, rc, call, table == f->from ? "the source can't be read" : "the copy can't be read");
}

/* There is room for the guard behind the writes. */
static enum table_rc
flush(struct mirror *f, struct table_call *call, struct write *writes, size_t count)
{
	struct write *guard = &writes[count], behind = *guard;
	struct retry retry = {0};
	enum table_rc rc = TABLE_OK;

	if (count == 0)
		return rc;
	if (f->guard != NULL)
		*guard = *f->guard;
	do
		rc = table_transact(f->to, call, writes, count + (f->guard != NULL), STR(""));
	while (retry_again(&retry, rc));
	if (rc == TABLE_CANCELLED && f->guard != NULL && guard->rc == TABLE_CONDITION) {
		call->why = "it is no copy any more, or another process copies to it";
		rc = TABLE_CONDITION;
	}
	*guard = behind;
	return rc == TABLE_OK ? rc : failed(f, rc, call, "the copy can't be written");
}

/* Brings these keys to what the source holds now; up to RUN. */
static enum table_rc
transfer(struct mirror *f, struct table_call *call, const struct key *keys, size_t count)
{
	struct write *writes = ARENA_ARRAY(call->arena, count + 1, struct write);
	struct item **items;
	size_t first = 0, bytes = 0;
	enum table_rc rc = read_items(f, f->from, call, keys, count, &items);

	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		size_t size = items[i] != NULL ? item_size(items[i]) : 0;

		if (bytes + size > RUN_BYTES) {
			rc = flush(f, call, writes + first, i - first);
			first = i;
			bytes = 0;
		}
		bytes += size;
		writes[i] = items[i] != NULL ? (struct write){.kind = WRITE_PUT, .item = *items[i]}
					     : (struct write){.kind = WRITE_DELETE, .key = keys[i]};
	}
	return rc == TABLE_OK ? flush(f, call, writes + first, count - first) : rc;
}

static bool
same(const struct item *a, const struct item *b)
{
	return a == NULL || b == NULL ? a == b : item_eq(a, b);
}

/* Which of up to RUN keys differ now; they come first in `out`. */
static enum table_rc
find_different(struct mirror *f, struct table_call *call, const struct key *keys, size_t count,
    struct key *out, size_t *different)
{
	struct item **here, **there;
	enum table_rc rc = read_items(f, f->from, call, keys, count, &here);

	*different = 0;
	if (rc == TABLE_OK)
		rc = read_items(f, f->to, call, keys, count, &there);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		if (!same(here[i], there[i]))
			out[(*different)++] = keys[i];
	return rc;
}

/* Calls for all keys, RUN at a time. */
static enum table_rc
in_runs(struct mirror *f, const struct key *keys, size_t count,
    enum table_rc (*run)(struct mirror *f, struct table_call *call, const struct key *keys, size_t count))
{
	struct table_call call = {.arena = arena_new(), .past_fence = true};
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < count; i += RUN) {
		rc = run(f, &call, keys + i, count - i < RUN ? count - i : RUN);
		arena_reset(call.arena);
	}
	arena_free(call.arena);
	return rc;
}

/* --- Following ---------------------------------------------------------------------------------------- */

static void
keep_position(struct mirror *f, struct str position)
{
	struct arena *other = f->arenas[1];

	arena_reset(other);
	f->position = str_dup(other, position);
	f->arenas[1] = f->arenas[0];
	f->arenas[0] = other;
}

void
mirror_begin(struct mirror *f, struct str position)
{
	f->arenas[0] = arena_new();
	f->arenas[1] = arena_new();
	keep_position(f, position);
	clear(&f->changed, arena_new());
}

void
mirror_end(struct mirror *f)
{
	arena_free(f->arenas[0]);
	arena_free(f->arenas[1]);
	arena_free(f->changed.arena);
}

static enum table_rc
read_changes(struct mirror *f, struct table_call *call, struct str position, struct change_page *page)
{
	struct retry retry = {0};
	enum table_rc rc;

	do
		rc = table_changes(f->from, call, position, TABLE_CHANGES_MAX, page);
	while (retry_again(&retry, rc));
	return rc == TABLE_OK ? rc : failed(f, rc, call, "the stream of changes can't be read");
}

enum table_rc
mirror_now(struct mirror *f)
{
	struct table_call call = {.arena = arena_new()};
	struct change_page page;
	enum table_rc rc = read_changes(f, &call, STREAM_NOW, &page);

	if (rc == TABLE_OK)
		keep_position(f, page.next);
	arena_free(call.arena);
	return rc;
}

static enum table_rc
take_page(struct mirror *f, const struct change_page *page)
{
	struct key_list once;
	enum table_rc rc;

	if (page->count == 0)
		return TABLE_OK;
	clear(&once, arena_new());
	for (size_t i = 0; i < page->count; i++) {
		const struct change_record *record = &page->records[i];

		if (f->seen != NULL)
			f->seen(f->context, record);
		if (f->skip == NULL || !f->skip(record->key))
			note_key(&once, record->key);
	}
	rc = in_runs(f, once.keys, once.count, transfer);
	for (size_t i = 0; rc == TABLE_OK && i < once.count; i++)
		note_key(&f->changed, once.keys[i]);
	arena_free(once.arena);
	return rc;
}

enum table_rc
mirror_step(struct mirror *f, size_t *count)
{
	struct table_call call = {.arena = arena_new()};
	struct change_page page = {0};
	enum table_rc rc = TABLE_OK;
	size_t differ;

	if (f->changed.count >= MIRROR_KEYS_MAX)
		rc = mirror_compare(f, &differ);
	if (rc == TABLE_OK)
		rc = read_changes(f, &call, f->position, &page);
	if (rc == TABLE_OK)
		rc = take_page(f, &page);
	if (rc == TABLE_OK) {
		keep_position(f, page.next);
		f->changes += page.count;
		f->lag_ms = page.count != 0 ? clock_now(f->from->clock) - page.records[0].time : 0;
	}
	*count = rc == TABLE_OK ? page.count : 0;
	arena_free(call.arena);
	return rc;
}

/* --- Comparing ---------------------------------------------------------------------------------------- */

/* The keys among these that differ, which are copied once more. */
static enum table_rc
compare_run(struct mirror *f, struct table_call *call, const struct key *keys, size_t count)
{
	struct key different[RUN];
	size_t found;
	enum table_rc rc = find_different(f, call, keys, count, different, &found);

	if (rc == TABLE_OK && found != 0)
		rc = transfer(f, call, different, found);
	for (size_t i = 0; rc == TABLE_OK && i < found; i++)
		note_key(&f->changed, different[i]);
	return rc;
}

enum table_rc
mirror_compare(struct mirror *f, size_t *differ)
{
	struct key_list before = f->changed;
	enum table_rc rc;

	clear(&f->changed, arena_new());
	rc = in_runs(f, before.keys, before.count, compare_run);
	*differ = f->changed.count;
	for (size_t i = 0; rc != TABLE_OK && i < before.count; i++)
		note_key(&f->changed, before.keys[i]);
	arena_free(before.arena);
	return rc;
}

/* A page of either side. *mended of its items differ. */
static enum table_rc
verify_page(struct mirror *f, const struct walk_page *page, uint64_t *mended)
{
	size_t before = f->changed.count;
	struct key_list keys;
	enum table_rc rc;

	clear(&keys, arena_new());
	for (size_t i = 0; i < page->count; i++)
		if (f->skip == NULL || !f->skip(item_key(&page->items[i])))
			note_key(&keys, item_key(&page->items[i]));
	rc = in_runs(f, keys.keys, keys.count, compare_run);
	*mended += f->changed.count - before;
	arena_free(keys.arena);
	return rc;
}

static enum table_rc
verify_side(struct mirror *f, struct table *table, uint64_t *items, uint64_t *mended)
{
	struct arena *arenas[] = {arena_new(), arena_new()};
	struct walk_page page = {0};
	enum table_rc rc = TABLE_OK;
	size_t differ;

	do {
		struct table_call call = {.arena = arenas[0]};
		struct retry retry = {0};

		/* The cursor is in the arena of the page before. */
		arenas[0] = arenas[1];
		arenas[1] = call.arena;
		arena_reset(call.arena);
		do
			rc = table_walk(table, &call, page.next, WALK, &page);
		while (retry_again(&retry, rc));
		if (rc != TABLE_OK)
			(void)failed(f, rc, &call, "a table can't be read");
		if (rc == TABLE_OK)
			rc = verify_page(f, &page, mended);
		if (rc == TABLE_OK && f->changed.count >= MIRROR_KEYS_MAX)
			rc = mirror_compare(f, &differ);
		*items += page.count;
		if (f->progress != NULL)
			f->progress(f->context, *items);
		if (rc == TABLE_OK && f->stop != NULL && *f->stop)
			rc = TABLE_DEADLINE;
	} while (rc == TABLE_OK && page.next.len != 0);
	arena_free(arenas[0]);
	arena_free(arenas[1]);
	return rc;
}

enum table_rc
mirror_verify(struct mirror *f, uint64_t *mended)
{
	uint64_t items = 0;
	enum table_rc rc;

	*mended = 0;
	rc = verify_side(f, f->from, &items, mended);
	return rc == TABLE_OK ? verify_side(f, f->to, &items, mended) : rc;
}
