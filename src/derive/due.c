/*
 * When a scheduled post's time comes, nothing is written, so the stream says nothing. Therefore each published post
 * whose time is yet to come has an item, Due, derived from its head: the worker looks now and then for those whose time
 * has come, derives all that follows from the post once more, as if its head had been changed, and removes the item last.
 *
 * So no time can be missed: neither while no worker runs, nor by a clock that jumps or an index that lags. A worker
 * that is killed before the removal derives the post again.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_work.h"
#include "model/kinds.h"
#include "model/post/post.h"

struct str
due_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	(void)arena;
	return kind == &item_kinds[ITEM_POST] || kind == &item_kinds[ITEM_DUE] ? key_name(key) : STR("");
}

enum table_rc
due_derive(struct derive *d, struct str subject)
{
	struct arena *arena = d->call->arena;
	struct read reads[] = {
	    {.kind = READ_GET, .key = key_post(arena, subject), .consistent = true},
	    {.kind = READ_GET, .key = key_due(arena, subject), .consistent = true}};
	enum table_rc rc = table_read(d->table, d->call, reads, 2);
	struct post post = {0};
	struct item wanted = {0};

	if (rc != TABLE_OK)
		return rc;
	if (reads[0].item != NULL)
		post_from_item(arena, reads[0].item, &post);
	if (post.status != STATUS_PUBLISHED || post.published <= clock_now(d->clock))
		return derive_item(d, reads[1].item, NULL);
	key_set(arena, &wanted, key_due(arena, subject), ITEM_DUE);
	key_index_due(arena, &wanted, subject, post.published);
	item_set(arena, &wanted, STR("Post"), value_string(subject));
	item_set(arena, &wanted, STR("PublishedAt"), value_string(time_format(arena, post.published)));
	return derive_item(d, reads[1].item, &wanted);
}

enum table_rc
due_find(struct table *table, struct table_call *call, int64_t now, struct due found[DUE_MAX],
    size_t *count)
{
	struct query query = query_due(call->arena, now);
	struct str next;
	struct item *items;
	enum table_rc rc;

	query.limit = DUE_MAX;
	rc = table_query(table, call, &query, &items, count, &next);
	for (size_t i = 0; rc == TABLE_OK && i < *count; i++)
		found[i] = (struct due){item_string(&items[i], STR("Post")), &items[i]};
	return rc;
}

enum table_rc
due_done(struct table *table, struct table_call *call, const struct due *due)
{
	struct str at = item_string(due->item, STR("PublishedAt"));
	const struct condition same = {
	    .op = COND_EQ, .name = STR("PublishedAt"), .value = value_string(at)};
	struct write write = {
	    .kind = WRITE_DELETE, .key = item_key(due->item), .condition = &same};
	int64_t published;
	enum table_rc rc;

	if (time_parse(at, &published) && published > clock_now(table->clock))
		return TABLE_OK;
	rc = table_write(table, call, &write);
	return rc == TABLE_CONDITION ? TABLE_OK : rc;
}
