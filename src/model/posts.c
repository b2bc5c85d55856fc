#include "model/posts.h"

#include "base/arena.h"
#include "table/cursor_key.h"

bool
posts_prepare(struct arena *arena, const struct posts_query *query, int64_t now, struct read *read)
{
	*read = (struct read){.kind = READ_QUERY};
	if (!query_posts(arena, query->of, query->name, query->from, query->to, now, &read->query))
		return false;
	read->query.limit = query->limit;
	read->query.cursor = query->cursor;
	/* Towards the newer ones the list is read backwards and turned round. */
	read->query.descending = !query->newer;
	return true;
}

/* The posts that a stranger may see, into *out. */
static void
take_visible(struct arena *arena, const struct item *const *items, size_t count, int64_t now,
    struct posts *out)
{
	struct post *posts = ARENA_ARRAY(arena, count, struct post);

	out->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (items[i] == NULL)
			continue;
		post_from_item(arena, items[i], &posts[out->count]);
		if (post_visible_to(&posts[out->count], NULL, now))
			out->count++;
	}
	out->posts = posts;
}

/* The cursors of the pages before and behind the one that begins and ends with these items. */
static void
neighbours(struct arena *arena, const struct posts_query *query, const struct read *read,
    const struct item *first, const struct item *last, struct posts *out)
{
	struct query older = read->query, newer = read->query;
	bool more = read->next.len != 0;

	older.descending = true;
	newer.descending = false;
	if (query->newer || more)
		out->older = cursor_key_write(arena, &older, last);
	if (query->newer ? more : query->cursor.len != 0)
		out->newer = cursor_key_write(arena, &newer, first);
}

void
posts_take(struct arena *arena, const struct posts_query *query, const struct read *read,
    const struct read *heads, int64_t now, struct posts *out)
{
	size_t count = read->found_count;
	const struct item **items = ARENA_ARRAY(arena, count, const struct item *);

	*out = (struct posts){.count = 0};
	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		size_t from = query->newer ? count - 1 - i : i;

		items[i] = heads != NULL ? heads->items[from] : &read->found[from];
	}
	take_visible(arena, items, count, now, out);
	neighbours(arena, query, read, &read->found[query->newer ? count - 1 : 0],
	    &read->found[query->newer ? 0 : count - 1], out);
}

bool
posts_heads(struct arena *arena, const struct item *items, size_t count, struct read *heads)
{
	struct key *keys;

	if (count > TABLE_BATCH_MAX)
		count = TABLE_BATCH_MAX;
	*heads = (struct read){.kind = READ_BATCH};
	keys = ARENA_ARRAY(arena, count, struct key);
	for (size_t i = 0; i < count; i++)
		keys[i] = key_post(arena, item_string(&items[i], STR("Post")));
	heads->batch.keys = keys;
	heads->batch.count = count;
	return count != 0;
}

void
posts_of_batch(struct arena *arena, const struct read *heads, int64_t now, struct posts *out)
{
	*out = (struct posts){.count = 0};
	take_visible(arena, (const struct item *const *)heads->items, heads->batch.count, now, out);
}

struct read
posts_prepare_ranking(struct str ranking, uint32_t limit)
{
	struct read read = {.kind = READ_QUERY, .query = query_ranking(ranking)};

	/* Some of the best may be scheduled; there are never many of those. */
	read.query.limit = limit + 10;
	return read;
}

void
posts_ranked(
    struct arena *arena, const struct read *read, uint32_t limit, int64_t now, struct posts *out)
{
	const struct item **items = ARENA_ARRAY(arena, read->found_count, const struct item *);

	*out = (struct posts){.count = 0};
	for (size_t i = 0; i < read->found_count; i++)
		items[i] = &read->found[i];
	take_visible(arena, items, read->found_count, now, out);
	if (out->count > limit)
		out->count = limit;
}
