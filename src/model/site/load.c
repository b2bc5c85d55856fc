#include "model/site/load.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/key_work.h"
#include "table/retry.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum {
	HASH_BYTES = 16, /* so long that no two keys of a table collide */
	BATCH_BYTES = 2 * 1024 * 1024,
	WALK_ITEMS = 500,
	LITTLE = 20, /* items; more than the program itself makes */
};

struct key_mark {
	unsigned char hash[HASH_BYTES];
	uint64_t place;
};

static struct key_mark
mark_of(struct key key, uint64_t place)
{
	struct key_mark mark = {.place = place};
	const uint64_t pk_len = key.pk.len;
	crypto_generichash_state state;

	/* With the length of the first part, so that "a" and "bc" differs from "ab" and "c". */
	crypto_generichash_init(&state, NULL, 0, HASH_BYTES);
	crypto_generichash_update(&state, (const unsigned char *)&pk_len, sizeof(pk_len));
	crypto_generichash_update(&state, (const unsigned char *)key.pk.base, key.pk.len);
	crypto_generichash_update(&state, (const unsigned char *)key.sk.base, key.sk.len);
	crypto_generichash_final(&state, mark.hash, HASH_BYTES);
	return mark;
}

static int
compare_marks(const void *a, const void *b)
{
	return memcmp(
	    ((const struct key_mark *)a)->hash, ((const struct key_mark *)b)->hash, HASH_BYTES);
}

void
key_set_add(struct key_set *set, struct key key, uint64_t place)
{
	if (set->count == set->capacity) {
		set->capacity = set->capacity != 0 ? set->capacity * 2 : 1024;
		set->marks = reallocarray(set->marks, set->capacity, sizeof(*set->marks));
		if (set->marks == NULL)
			out_of_memory();
	}
	set->marks[set->count++] = mark_of(key, place);
}

bool
key_set_seal(struct key_set *set, uint64_t places[2])
{
	if (set->count != 0)
		qsort(set->marks, set->count, sizeof(*set->marks), compare_marks);
	for (size_t i = 1; i < set->count; i++) {
		uint64_t a = set->marks[i - 1].place, b = set->marks[i].place;

		if (compare_marks(&set->marks[i - 1], &set->marks[i]) != 0)
			continue;
		places[0] = a < b ? a : b;
		places[1] = a < b ? b : a;
		return false;
	}
	return true;
}

bool
key_set_has(const struct key_set *set, struct key key)
{
	const struct key_mark wanted = mark_of(key, 0);

	return set->count != 0 &&
	       bsearch(&wanted, set->marks, set->count, sizeof(wanted), compare_marks) != NULL;
}

void
key_set_free(struct key_set *set)
{
	free(set->marks);
	*set = (struct key_set){0};
}

/* --- Writing --------------------------------------------------------------------------------------- */

void
loader_begin(struct loader *loader, struct table *table)
{
	*loader = (struct loader){.table = table, .scratch = arena_new()};
}

void
loader_end(struct loader *loader)
{
	arena_free(loader->scratch);
	loader->scratch = NULL;
}

enum table_rc
loader_flush(struct loader *loader)
{
	struct retry retry = {0};
	enum table_rc rc;

	if (loader->count == 0)
		return TABLE_OK;
	/* Every write here can be repeated without harm. */
	do {
		struct table_call call = {.arena = loader->scratch};

		arena_reset(loader->scratch);
		rc = table_transact(loader->table, &call, loader->writes, loader->count, STR(""));
		loader->why = call.why;
		table_release(loader->table, &call);
	} while (retry_again(&retry, rc));
	if (rc != TABLE_OK)
		return rc;
	loader->written += loader->count;
	loader->count = loader->bytes = 0;
	return TABLE_OK;
}

static enum table_rc
add(struct loader *loader, struct write write, size_t bytes)
{
	loader->writes[loader->count++] = write;
	loader->bytes += bytes;
	if (loader->count < TABLE_BATCH_MAX && loader->bytes < BATCH_BYTES)
		return TABLE_OK;
	return loader_flush(loader);
}

enum table_rc
loader_put(struct loader *loader, const struct item *item)
{
	return add(loader, (struct write){.kind = WRITE_PUT, .item = *item}, item_size(item));
}

/* --- The mark of an interrupted load ---------------------------------------------------------- */

static const struct str load_names[LOADS] = {STR_INIT("seed"), STR_INIT("import")};

enum table_rc
load_marks(struct table *table, struct table_call *call, struct load_mark marks[LOADS])
{
	struct key keys[LOADS];
	struct read read = {.kind = READ_BATCH, .consistent = true, .batch = {keys, LOADS}};
	enum table_rc rc;

	for (size_t i = 0; i < LOADS; i++)
		keys[i] = key_lease(load_names[i]);
	rc = table_read(table, call, &read, 1);
	for (size_t i = 0; i < LOADS; i++) {
		const struct item *item = rc == TABLE_OK ? read.items[i] : NULL;

		marks[i] = (struct load_mark){.there = item != NULL};
		if (item != NULL) {
			const struct value *replaces = item_get(item, STR("Replaces"));

			marks[i].now = item_number(item, STR("Now"));
			marks[i].replaces = replaces != NULL && replaces->boolean;
		}
	}
	return rc;
}

enum table_rc
load_warning(struct table *table, struct table_call *call, const char **warning)
{
	struct load_mark marks[LOADS];
	enum table_rc rc = load_marks(table, call, marks);

	*warning = NULL;
	for (size_t i = 0; i < LOADS; i++)
		if (marks[i].there)
			*warning = str_fmt(call->arena,
			    "`broadsheet %.*s`, begun at %.*s, is in progress or was interrupted: "
			    "unless it "
			    "is still running, items are missing; run it again",
			    STR_ARGS(load_names[i]),
			    STR_ARGS(time_format(call->arena, marks[i].now)))
				       .base;
	return rc;
}

enum table_rc
loader_mark(struct loader *loader, enum load load, struct load_mark mark)
{
	struct arena *arena = arena_new();
	struct item item = {0};
	enum table_rc rc;

	key_set(arena, &item, key_lease(load_names[load]), ITEM_LOADING);
	item_set(arena, &item, STR("Now"), value_number(mark.now));
	item_set(arena, &item, STR("Replaces"), value_boolean(mark.replaces));
	rc = loader_put(loader, &item);
	if (rc == TABLE_OK)
		rc = loader_flush(loader);
	loader->written = 0;
	arena_free(arena);
	return rc;
}

enum table_rc
loader_unmark(struct loader *loader, enum load load, bool all)
{
	/* In a transaction of its own: an imported file may contain a mark. */
	enum table_rc rc = loader_flush(loader);
	uint64_t written = loader->written;

	for (size_t i = 0; i < LOADS && rc == TABLE_OK; i++)
		if (all || i == load)
			rc = add(loader,
			    (struct write){.kind = WRITE_DELETE, .key = key_lease(load_names[i])},
			    1);
	/* What was loaded has not been derived from: so the next worker makes all of it anew. */
	if (rc == TABLE_OK)
		rc = add(loader, (struct write){.kind = WRITE_DELETE, .key = key_work_state()}, 1);
	if (rc == TABLE_OK)
		rc = loader_flush(loader);
	loader->written = written;
	return rc;
}

static bool
is_mark(struct key key)
{
	bool is = false;

	for (size_t i = 0; i < LOADS; i++)
		is = is || str_eq(key.sk, load_names[i]);
	return is && str_eq(key.pk, key_lease(STR("")).pk);
}

/* --- Removing --------------------------------------------------------------------------------------- */

/* Keys of the site's secrets, which are never copied or replaced. */
static bool
is_site_key(struct key key)
{
	const struct key keys[] = {key_site_secret(), key_site_picture_key()};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (str_eq(key.pk, keys[i].pk) && str_eq(key.sk, keys[i].sk))
			return true;
	return false;
}

enum table_rc
loader_remove_others(struct loader *loader, const struct key_set *keep, uint64_t *removed)
{
	enum table_rc rc = loader_flush(loader);
	uint64_t before = loader->written;
	bool more = true;
	struct walk walk;

	walk_begin(&walk, loader->table);
	while (rc == TABLE_OK) {
		rc = walk_next(&walk, &more);
		loader->why = walk.call.why != NULL ? "reading the table failed" : NULL;
		if (rc != TABLE_OK || !more)
			break;
		for (size_t i = 0; i < walk.page.count && rc == TABLE_OK; i++) {
			struct key key = item_key(&walk.page.items[i]);

			if (key_set_has(keep, key) || is_site_key(key) || is_mark(key))
				continue;
			rc = add(loader, (struct write){.kind = WRITE_DELETE, .key = key}, 1);
		}
		/* Pending writes point into this page. */
		if (rc == TABLE_OK)
			rc = loader_flush(loader);
	}
	walk_end(&walk);
	*removed = loader->written - before;
	loader->written = before;
	return rc;
}

/* --- Reading ---------------------------------------------------------------------------------------- */

void
walk_begin(struct walk *walk, struct table *table)
{
	*walk = (struct walk){.table = table, .arenas = {arena_new(), arena_new()}};
	walk->call.arena = walk->arenas[0];
	/* Only a hint: the first page reports errors of the table as well. */
	(void)table_hold(table, &walk->call);
}

void
walk_end(struct walk *walk)
{
	table_release(walk->table, &walk->call);
	arena_free(walk->arenas[0]);
	arena_free(walk->arenas[1]);
}

enum table_rc
walk_next(struct walk *walk, bool *more)
{
	struct str cursor = walk->page.next;
	struct retry retry = {0};
	enum table_rc rc;

	*more = !walk->begun || cursor.len != 0;
	if (!*more)
		return TABLE_OK;
	walk->begun = true;
	/* The cursor points into the arena of the page before, so two arenas alternate. */
	walk->turn = !walk->turn;
	walk->call.arena = walk->arenas[walk->turn];
	do {
		arena_reset(walk->call.arena);
		rc = table_walk(walk->table, &walk->call, cursor, WALK_ITEMS, &walk->page);
	} while (retry_again(&retry, rc));
	if (rc != TABLE_OK)
		walk->page = (struct walk_page){0};
	return rc;
}

/* Keys that the program itself makes in an empty table. */
static bool
is_own(struct key key)
{
	const struct key format = key_table_format();

	return is_site_key(key) || key_is_work(key) ||
	       (str_eq(key.pk, format.pk) && str_eq(key.sk, format.sk));
}

enum table_rc
table_has_content(struct table *table, struct table_call *call, bool *has)
{
	struct retry retry = {0};
	struct walk_page page;
	enum table_rc rc;

	*has = false;
	do
		rc = table_walk(table, call, STR(""), LITTLE, &page);
	while (retry_again(&retry, rc));
	if (rc != TABLE_OK)
		return rc;
	for (size_t i = 0; i < page.count; i++)
		*has = *has || !is_own(item_key(&page.items[i]));
	return TABLE_OK;
}
