#include "model/post/media_quota.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/user.h"
#include "model/post/media.h"

enum { AT_ONCE = 500, TRIES = 5 };

static const struct binding bindings[] = {
    BIND_NUMBER(COUNTED, "Bytes", struct media_quota, bytes),
    BIND_BOOLEAN(RECORDED, "Counted", struct media_quota, counted),
};
const struct binding_table media_quota_bindings = BINDINGS(bindings);

struct key
media_quota_key(struct arena *arena, struct str owner)
{
	return key_pictures(arena, owner);
}

struct media_quota
media_quota_from_item(struct arena *arena, const struct item *item)
{
	struct media_quota room = {.bytes = 0};

	if (item != NULL)
		bind_read(arena, &media_quota_bindings, item, &room);
	return room;
}

bool
media_quota_has(struct str owner)
{
	return username_valid(owner);
}

/* All that somebody has now. */
static enum table_rc
add_up(struct table *t, struct table_call *call, struct str owner, int64_t *bytes)
{
	struct query query = query_media_of(call->arena, owner);
	enum table_rc rc = TABLE_OK;
	bool more = true;

	*bytes = 0;
	query.limit = AT_ONCE;
	while (rc == TABLE_OK && more) {
		struct item *found;
		size_t count = 0;

		rc = table_query(t, call, &query, &found, &count, &query.cursor);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			*bytes += item_number(&found[i], STR("Bytes"));
		more = query.cursor.len != 0;
	}
	return rc;
}

/* Writes down the sum, unless a picture came or went meanwhile. */
static enum table_rc
note(struct table *t, struct table_call *call, struct str owner, const struct item *was,
    int64_t bytes)
{
	const struct value *old = was != NULL ? item_get(was, STR("Bytes")) : NULL;
	const struct condition same = {.op = old != NULL ? COND_EQ : COND_MISSING,
	    .name = STR("Bytes"),
	    .value = old != NULL ? *old : value_number(0)};
	const struct change changes[] = {
	    {CHANGE_SET, STR("Bytes"), value_number(bytes)},
	    {CHANGE_SET, STR("Counted"), value_boolean(true)},
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_PICTURE_QUOTA)},
	};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = media_quota_key(call->arena, owner),
	    .changes = changes,
	    .change_count = sizeof(changes) / sizeof(changes[0]),
	    .condition = &same};

	return table_write(t, call, &write);
}

enum table_rc
media_quota_count(
    struct table *t, struct table_call *call, struct str owner, struct media_quota *room)
{
	enum table_rc rc = TABLE_CONDITION;
	struct item *was;

	for (int i = 0; i < TRIES && (rc == TABLE_CONDITION || rc == TABLE_CONFLICT); i++) {
		rc = table_get(t, call, media_quota_key(call->arena, owner), &was);
		if (rc != TABLE_OK)
			return rc;
		*room = media_quota_from_item(call->arena, was);
		if (room->counted)
			return TABLE_OK;
		rc = add_up(t, call, owner, &room->bytes);
		if (rc == TABLE_OK)
			rc = note(t, call, owner, was, room->bytes);
	}
	return rc == TABLE_CONDITION ? TABLE_CONFLICT : rc;
}

struct write
media_quota_change(struct arena *arena, struct str owner, int64_t bytes, int64_t most)
{
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);
	struct condition *fits = ARENA_NEW(arena, struct condition);

	changes[0] = (struct change){CHANGE_ADD, STR("Bytes"), value_number(bytes)};
	changes[1] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_PICTURE_QUOTA)};
	*fits = (struct condition){
	    .op = COND_LE, .name = STR("Bytes"), .value = value_number(most - bytes)};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = media_quota_key(arena, owner),
	    .changes = changes,
	    .change_count = 2,
	    .condition = most != 0 ? fits : NULL};
}
