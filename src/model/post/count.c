#include "model/post/count.h"

#include "base/arena.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/people/common.h"
#include "model/reader/tally.h"

#include <assert.h>

enum { MARKS_AT_ONCE = 50 };

static const struct str folds_name = STR_INIT("Folds");

/* Stats and its shards have the same numbers. */
static const struct binding_table *const numbers = &post_stats_bindings;

unsigned
count_shard(struct str username)
{
	return (unsigned)(common_hash(username) % COUNT_SHARDS);
}

/* --- Reading ------------------------------------------------------------------------------------------ */

struct read
count_read(struct arena *arena, struct str post)
{
	struct key *keys = ARENA_ARRAY(arena, COUNT_SHARDS, struct key);

	for (unsigned i = 0; i < COUNT_SHARDS; i++)
		keys[i] = key_count(arena, post, i);
	return (struct read){.kind = READ_BATCH, .batch = {keys, COUNT_SHARDS}};
}

static bool
is_carried(const struct item *stats)
{
	return stats != NULL && item_boolean(stats, STR("Shards"));
}

/* All of them are numbers. */
static void
add(struct post_stats *sum, const struct post_stats *more)
{
	for (size_t i = 0; i < numbers->count; i++) {
		size_t offset = numbers->bindings[i].offset;

		assert(numbers->bindings[i].kind == BINDING_NUMBER);
		*(int64_t *)((char *)sum + offset) +=
		    *(const int64_t *)((const char *)more + offset);
	}
}

static void
add_all(struct arena *arena, const struct item *stats, struct item *const *shards,
    struct post_stats *out)
{
	struct post_stats one;

	post_stats_from_item(arena, is_carried(stats) ? NULL : stats, out);
	for (size_t s = 0; s < COUNT_SHARDS; s++) {
		if (shards[s] == NULL)
			continue;
		post_stats_from_item(arena, shards[s], &one);
		add(out, &one);
	}
}

void
count_take(struct arena *arena, const struct item *stats, const struct read *shards,
    struct post_stats *out)
{
	add_all(arena, stats, shards->items, out);
}

/* --- Folding ------------------------------------------------------------------------------------------ */

/* What a fold reads of a post. */
enum { HEAD, STATS, SHARDS, FOLD_READS = SHARDS + COUNT_SHARDS };

static enum table_rc
read_post(struct table *table, struct table_call *call, struct str post, struct read *read)
{
	struct key *keys = ARENA_ARRAY(call->arena, FOLD_READS, struct key);

	keys[HEAD] = key_post(call->arena, post);
	keys[STATS] = key_post_stats(call->arena, post);
	for (unsigned i = 0; i < COUNT_SHARDS; i++)
		keys[SHARDS + i] = key_count(call->arena, post, i);
	*read = (struct read){.kind = READ_BATCH, .batch = {keys, FOLD_READS}, .consistent = true};
	return table_read(table, call, read, 1);
}

/* The attribute is unchanged since it was read. */
static struct condition
still(const struct item *item, struct str name)
{
	const struct value *value = item_get(item, name);

	return value != NULL ? (struct condition){.op = COND_EQ, .name = name, .value = *value}
			     : (struct condition){.op = COND_MISSING, .name = name};
}

/*
 * Everything that the fold replaces is unchanged; also the place in TOP, which may have been removed meanwhile, and how often the
 * post was folded: the numbers may be the same again that they were.
 */
static const struct condition *
still_all(struct arena *arena, const struct item *stats)
{
	struct condition *all = ARENA_NEW(arena, struct condition);
	struct condition *each = ARENA_ARRAY(arena, numbers->count + 4, struct condition);
	size_t count = 0;

	for (size_t i = 0; i < numbers->count; i++)
		each[count++] = still(stats, numbers->bindings[i].name);
	each[count++] = still(stats, STR("PK"));
	each[count++] = still(stats, STR("Shards"));
	each[count++] = still(stats, folds_name);
	each[count++] = still(stats, table_sk_name(TABLE_GSI4));
	*all = (struct condition){.op = COND_ALL, .children = each, .count = count};
	return all;
}

/* Adds the numbers that Stats had before there were shards. */
static struct write
carry_over(struct arena *arena, struct str post, const struct item *stats)
{
	struct change *changes = ARENA_ARRAY(arena, numbers->count + 1, struct change);
	size_t count = 0;

	for (size_t i = 0; i < numbers->count; i++)
		changes[count++] = (struct change){CHANGE_ADD, numbers->bindings[i].name,
		    value_number(item_number(stats, numbers->bindings[i].name))};
	changes[count++] =
	    (struct change){CHANGE_SET_IF_ABSENT, STR("Type"), kind_type(ITEM_COUNT)};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_count(arena, post, 0),
	    .changes = changes,
	    .change_count = count};
}

static struct write
stats_write(struct arena *arena, const struct post *post, const struct item *stats,
    const struct post_stats *now)
{
	struct item after = item_shallow(arena, stats);
	struct write write;

	bind_rewrite(arena, numbers, now, &after);
	item_set(arena, &after, STR("Shards"), value_boolean(true));
	item_set(arena, &after, folds_name, value_number(item_number(stats, folds_name) + 1));
	if (item_get(stats, table_sk_name(TABLE_GSI4)) != NULL)
		key_index_stats(arena, &after, post, now);
	write = plan_difference(arena, item_key(stats), stats, &after);
	write.condition = still_all(arena, stats);
	return write;
}

/* Updates the copies in the head, and its place in HOT, which depends on them. */
static struct write
head_write(struct arena *arena, struct post *post, const struct item *head, const struct post_stats *now)
{
	struct item after = item_shallow(arena, head);
	struct condition *unchanged = ARENA_NEW(arena, struct condition);
	struct write write;

	post->likes = now->likes + now->loves + now->laughs;
	post->ups = now->ups;
	post->downs = now->downs;
	post->bookmarks = now->bookmarks;
	post->comments = now->comments;
	post->ratings = post->stars = 0;
	for (int i = 0; i < 5; i++) {
		post->ratings += now->stars[i];
		post->stars += now->stars[i] * (i + 1);
	}
	item_set(arena, &after, STR("Likes"), value_number(post->likes));
	item_set(arena, &after, STR("Ups"), value_number(post->ups));
	item_set(arena, &after, STR("Downs"), value_number(post->downs));
	item_set(arena, &after, STR("Bookmarks"), value_number(post->bookmarks));
	item_set(arena, &after, STR("Comments"), value_number(post->comments));
	item_set(arena, &after, STR("Ratings"), value_number(post->ratings));
	item_set(arena, &after, STR("Stars"), value_number(post->stars));
	key_index_post(arena, &after, post);
	write = plan_difference(arena, item_key(head), head, &after);
	*unchanged = still(head, STR("Version"));
	write.condition = unchanged;
	return write;
}

/*
 * Stats and the head, in one transaction: of two folds at once, one could else write older numbers to the head last. If nothing
 * differs, a post that is marked still counts as folded, as that is what the other one has to know.
 */
static enum table_rc
write_folded(struct table *table, struct table_call *call, const struct read *read, struct post *post,
    const struct post_stats *now, bool marked)
{
	const struct item *stats = read->items[STATS];
	struct write writes[3], head = head_write(call->arena, post, read->items[HEAD], now);
	size_t count = 0;

	writes[count++] = stats_write(call->arena, post, stats, now);
	if (!marked && writes[0].change_count == 1 && head.change_count == 0)
		return TABLE_OK; /* Folds alone */
	if (!is_carried(stats))
		writes[count++] = carry_over(call->arena, post->id, stats);
	if (head.change_count != 0)
		writes[count++] = head;
	return count == 1 ? table_write(table, call, &writes[0])
			  : table_transact(table, call, writes, count, STR(""));
}

/* A post that is gone for good needs no counters. */
static enum table_rc
drop_shards(struct table *table, struct table_call *call, const struct read *read)
{
	enum table_rc rc = TABLE_OK;

	for (size_t i = SHARDS; rc == TABLE_OK && i < FOLD_READS; i++) {
		struct write write = {.kind = WRITE_DELETE, .key = read->batch.keys[i]};

		if (read->items[i] != NULL)
			rc = table_write(table, call, &write);
	}
	return rc;
}

/* Was there a concurrent write? Then the next fold does it. */
static bool
is_late(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CANCELLED || rc == TABLE_CONFLICT;
}

/* *done: there was no concurrent write. */
static enum table_rc
fold(struct table *table, struct table_call *call, struct str id, bool marked, bool *done)
{
	struct read read;
	struct post_stats now;
	struct post post;
	struct str of, path;
	enum table_rc rc;

	*done = true;
	if (key_fold_is_comment(id, &of, &path))
		return tally_fold(table, call, of, path);
	rc = read_post(table, call, id, &read);
	if (rc != TABLE_OK)
		return rc;
	if (read.items[HEAD] == NULL || read.items[STATS] == NULL)
		return drop_shards(table, call, &read);
	post_from_item(call->arena, read.items[HEAD], &post);
	add_all(call->arena, read.items[STATS], read.items + SHARDS, &now);
	rc = write_folded(table, call, &read, &post, &now, marked);
	*done = !is_late(rc);
	return *done ? rc : TABLE_OK;
}

enum table_rc
count_fold_post(struct table *table, struct table_call *call, struct str post, bool *done)
{
	return fold(table, call, post, false, done);
}

/* A mark that has changed meanwhile stays. */
static enum table_rc
unmark(struct table *table, struct table_call *call, const struct item *mark)
{
	struct condition same = still(mark, STR("Changes"));
	struct write write = {.kind = WRITE_DELETE, .key = item_key(mark), .condition = &same};
	enum table_rc rc = table_write(table, call, &write);

	return is_late(rc) ? TABLE_OK : rc;
}

/* Folds a post, and removes its marks of all shards. */
static enum table_rc
fold_with_marks(
    struct table *table, struct table_call *call, struct str id, const struct read *marks)
{
	bool done;
	enum table_rc rc = fold(table, call, id, true, &done);

	for (size_t s = 0; s < COUNT_SHARDS; s++)
		for (size_t i = 0; rc == TABLE_OK && done && i < marks[s].found_count; i++)
			if (str_eq(item_key(&marks[s].found[i]).sk, id))
				rc = unmark(table, call, &marks[s].found[i]);
	return rc;
}

/* Is this the first mark of its post, in the order of shards? */
static bool
is_first(const struct read *marks, size_t shard, struct str id)
{
	for (size_t s = 0; s < shard; s++)
		for (size_t i = 0; i < marks[s].found_count; i++)
			if (str_eq(item_key(&marks[s].found[i]).sk, id))
				return false;
	return true;
}

enum table_rc
count_fold_marked(struct table *table, struct table_call *call, size_t *folded)
{
	struct read marks[COUNT_SHARDS];
	enum table_rc rc;

	*folded = 0;
	for (unsigned s = 0; s < COUNT_SHARDS; s++) {
		marks[s] = (struct read){.kind = READ_QUERY, .query = query_folds(call->arena, s)};
		marks[s].query.limit = MARKS_AT_ONCE;
		marks[s].query.consistent = true;
	}
	rc = table_read(table, call, marks, COUNT_SHARDS);
	for (size_t s = 0; rc == TABLE_OK && s < COUNT_SHARDS; s++)
		for (size_t i = 0; rc == TABLE_OK && i < marks[s].found_count; i++) {
			struct str id = item_key(&marks[s].found[i]).sk;

			if (!is_first(marks, s, id))
				continue;
			rc = fold_with_marks(table, call, id, marks);
			++*folded;
		}
	return rc;
}
