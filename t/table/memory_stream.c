/* The stream, the walk and the sweep of the table in memory. */
#include "memory_private.h"

#include "base/arena.h"
#include "memory_rules.h"

/* A position in a list of `end`; false when it is invalid. */
static bool
read_place(struct str cursor, size_t end, size_t *at)
{
	int64_t n;

	if (!str_starts(cursor, STR("m")) || !str_int(str_sub(cursor, 1, cursor.len), &n) ||
	    n < 0 || (uint64_t)n > end)
		return false;
	*at = (size_t)n;
	return true;
}

enum table_rc
memory_changes(struct table *table, struct table_call *call, struct str position, uint32_t limit,
    struct change_page *page)
{
	struct memory *memory = memory_lock(table);
	size_t at = 0;

	if (memory_late(memory, call))
		return memory_unlock(memory, TABLE_DEADLINE);
	if (str_eq(position, STREAM_NOW))
		at = memory->record_count;
	else if (!str_eq(position, STREAM_OLDEST) &&
		 !read_place(position, memory->record_count, &at))
		return memory_unlock(memory, TABLE_BAD_CURSOR);
	page->count = memory->record_count - at < limit ? memory->record_count - at : limit;
	page->records = ARENA_ARRAY(call->arena, page->count, struct change_record);
	for (size_t i = 0; i < page->count; i++) {
		struct change_record *record = &page->records[i];

		*record = memory->records[at + i];
		record->key = (struct key){
		    str_dup(call->arena, record->key.pk), str_dup(call->arena, record->key.sk)};
	}
	page->next = str_fmt(call->arena, "m%zu", at + page->count);
	return memory_unlock(memory, TABLE_OK);
}

static bool
read_walk_cursor(struct str cursor, struct key *key)
{
	return get_counted(&cursor, &key->pk) && get_counted(&cursor, &key->sk) && cursor.len == 0;
}

enum table_rc
memory_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct memory *memory = memory_lock(table);
	struct buf next = {.arena = call->arena};
	struct key key;
	size_t at = 0, bytes = 0;
	bool there;

	if (memory_late(memory, call))
		return memory_unlock(memory, TABLE_DEADLINE);
	if (cursor.len != 0) {
		if (!read_walk_cursor(cursor, &key))
			return memory_unlock(memory, TABLE_BAD_CURSOR);
		at = memory_find(memory, key, &there);
		at += there ? 1 : 0;
	}
	page->items = ARENA_ARRAY(call->arena, limit, struct item);
	while (
	    page->count < limit && bytes < TABLE_WALK_BYTES && at + page->count < memory->count) {
		page->items[page->count] = item_copy(call->arena, memory->items[at + page->count]);
		bytes += item_size(&page->items[page->count++]);
	}
	if (at + page->count < memory->count) {
		key = item_key(&page->items[page->count - 1]);
		put_counted(&next, key.pk);
		put_counted(&next, key.sk);
	}
	page->next = buf_str(&next);
	return memory_unlock(memory, TABLE_OK);
}

enum table_rc
memory_sweep(struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed)
{
	struct memory *memory = memory_lock(table);

	*removed = 0;
	if (memory_late(memory, call))
		return memory_unlock(memory, TABLE_DEADLINE);
	for (size_t i = 0; i < memory->count && *removed < limit;) {
		if (rule_expired(memory->items[i], memory_now(memory))) {
			memory_store(memory, item_key(memory->items[i]), NULL, true);
			++*removed;
		} else {
			i++;
		}
	}
	return memory_unlock(memory, TABLE_OK);
}
