#include "model/site/last_known_time.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/kinds.h"

enum { CHANGES = 200, PAGES = 50 };

enum table_rc
last_known_time_set(struct table *table, struct table_call *call, int64_t now)
{
	struct item item = {0};

	key_set(call->arena, &item, key_last_known_time(), ITEM_KNOWN_TIME);
	item_set(call->arena, &item, STR("Time"), value_number(now));
	return table_put(table, call, item);
}

/* Only saves after this position count. */
static enum table_rc
keep_position(struct last_known_time *known, struct str position)
{
	arena_reset(known->arena);
	known->position = str_dup(known->arena, position);
	return TABLE_OK;
}

static bool
is_save(const struct change_record *record)
{
	const struct kind *kind = record->kind == CHANGE_INSERT ? kind_of_key(record->key) : NULL;

	return kind != NULL && kind->stream == STREAM_SAVED;
}

/* Has a post been saved since the position was taken? */
static enum table_rc
look_for_save(
    struct table *table, struct table_call *call, struct last_known_time *known, bool *saved)
{
	struct str position = known->position.len != 0 ? known->position : STREAM_NOW;
	struct change_page page = {.count = CHANGES};
	enum table_rc rc = TABLE_OK;

	for (int i = 0; i < PAGES && rc == TABLE_OK && !*saved && page.count != 0; i++) {
		rc = table_changes(table, call, position, CHANGES, &page);
		for (size_t n = 0; rc == TABLE_OK && n < page.count; n++)
			*saved |= is_save(&page.records[n]);
		if (rc == TABLE_OK)
			position = page.next;
	}
	if (rc == TABLE_OK)
		return keep_position(known, position);
	/* The position is older than the stream, or was lost. */
	return rc == TABLE_TRIMMED || rc == TABLE_BAD_CURSOR ? keep_position(known, STR("")) : rc;
}

enum table_rc
last_known_time_check(struct table *table, struct table_call *call, struct last_known_time *known,
    int64_t now, bool *trusted)
{
	struct item *item;
	enum table_rc rc;

	*trusted = known->ms != 0 && now >= known->ms && now - known->ms < LAST_KNOWN_TIME_KEPT_MS;
	if (*trusted)
		return TABLE_OK;
	rc = table_get(table, call, key_last_known_time(), &item);
	if (rc != TABLE_OK)
		return rc;
	known->ms = item != NULL ? item_number(item, STR("Time")) : 0;
	*trusted = known->ms == 0 || now - known->ms <= LAST_KNOWN_TIME_AHEAD_MS;
	if (!*trusted)
		rc = look_for_save(table, call, known, trusted);
	if (rc != TABLE_OK || !*trusted)
		return rc;
	known->position = STR("");
	rc = last_known_time_set(table, call, now);
	*trusted = rc == TABLE_OK;
	known->ms = *trusted ? now : 0;
	return rc;
}
