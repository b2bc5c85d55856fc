#include "model/reader/rating_move.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_rating.h"
#include "model/kinds.h"
#include "model/post/post.h"
#include "model/reader/rating.h"

enum { POSTS_AT_ONCE = 20, RATINGS_AT_ONCE = 50 };

void
rating_move_begin(struct plan *plan, struct str post)
{
	struct item mark = {.count = 0};

	key_set(plan->call->arena, &mark, key_rating_move(post), ITEM_RATING_MOVE);
	item_set(plan->call->arena, &mark, STR("At"), value_number(plan->now));
	plan_put(plan, mark);
}

/* --- Moving ------------------------------------------------------------------------------------------- */

static struct condition
still(const struct item *item, struct str name)
{
	const struct value *value = item_get(item, name);

	return value != NULL ? (struct condition){.op = COND_EQ, .name = name, .value = *value}
			     : (struct condition){.op = COND_MISSING, .name = name};
}

static bool
is_late(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CONFLICT;
}

/* Whoever changes it meanwhile places it, too. */
static enum table_rc
move(struct table *table, struct table_call *call, const struct item *item, bool post_public)
{
	struct item after = rating_placed(call->arena, item, post_public);
	struct write write = plan_difference(call->arena, item_key(item), item, &after);
	struct condition each[] = {plan_present, still(item, STR("Stars")),
	    still(item, STR("Status")), still(item, STR("UpdatedAt"))};
	struct condition same = {.op = COND_ALL, .children = each, .count = 4};
	enum table_rc rc;

	if (write.change_count == 0)
		return TABLE_OK;
	write.condition = &same;
	rc = table_write(table, call, &write);
	return is_late(rc) ? TABLE_OK : rc;
}

/* Notes how far it is, if the post has not changed again: then all begins anew. */
static enum table_rc
note(struct table *table, struct table_call *call, const struct item *mark, struct str next)
{
	const struct condition same = still(mark, STR("At"));
	const struct change on[] = {{CHANGE_SET, STR("Cursor"), value_binary(next)}};
	const struct change looked[] = {{CHANGE_REMOVE, STR("Cursor"), value_number(0)},
	    {CHANGE_SET, STR("Looked"), value_boolean(true)}};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = item_key(mark),
	    .changes = next.len != 0 ? on : looked,
	    .change_count = next.len != 0 ? 1 : 2,
	    .condition = &same};
	enum table_rc rc;

	if (next.len == 0 && item_boolean(mark, STR("Looked")))
		write = (struct write){
		    .kind = WRITE_DELETE, .key = item_key(mark), .condition = &same};
	rc = table_write(table, call, &write);
	return is_late(rc) ? TABLE_OK : rc;
}

static enum table_rc
work(struct table *table, struct table_call *call, const struct item *mark)
{
	struct str id = item_key(mark).sk;
	const struct value *cursor = item_get(mark, STR("Cursor"));
	struct read reads[] = {
	    {.kind = READ_GET, .key = key_post(call->arena, id), .consistent = true},
	    {.kind = READ_QUERY, .query = query_ratings(call->arena, id)}};
	enum table_rc rc;
	struct post post;

	reads[1].query.limit = RATINGS_AT_ONCE;
	if (cursor != NULL)
		reads[1].query.cursor = cursor->string;
	rc = table_read(table, call, reads, 2);
	/* Of another engine, when the table was copied. */
	if (rc == TABLE_BAD_CURSOR) {
		reads[1].query.cursor = STR("");
		rc = table_read(table, call, reads, 2);
	}
	if (rc != TABLE_OK)
		return rc;
	if (reads[0].item != NULL)
		post_from_item(call->arena, reads[0].item, &post);
	for (size_t i = 0; rc == TABLE_OK && i < reads[1].found_count; i++)
		rc = move(table, call, &reads[1].found[i],
		    reads[0].item != NULL && post_is_public(&post));
	return rc == TABLE_OK ? note(table, call, mark, reads[1].next) : rc;
}

enum table_rc
rating_move_step(struct table *table, struct table_call *call, int64_t now, size_t *worked)
{
	struct read marks = {.kind = READ_QUERY, .query = query_rating_moves()};
	enum table_rc rc;

	*worked = 0;
	marks.query.limit = POSTS_AT_ONCE;
	marks.query.consistent = true;
	rc = table_read(table, call, &marks, 1);
	for (size_t i = 0; rc == TABLE_OK && i < marks.found_count; i++) {
		const struct item *mark = &marks.found[i];

		if (item_boolean(mark, STR("Looked")) &&
		    now - item_number(mark, STR("At")) < RATING_MOVE_LAST_LOOK_MS)
			continue;
		rc = work(table, call, mark);
		++*worked;
	}
	return rc;
}
