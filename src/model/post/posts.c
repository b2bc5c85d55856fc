#include "model/post/posts.h"

#include "base/arena.h"
#include "model/key_ranking.h"
#include "table/cursor_key.h"

#include <assert.h>
#include <stdlib.h>

enum { SPARE = 10, SCHEDULED_MAX = 900 };

bool
posts_prepare(struct arena *arena, const struct posts_query *query, int64_t now, struct read *read)
{
	*read = (struct read){.kind = READ_QUERY};
	if (!query_posts(arena, query->of, query->name, query->from, query->to, now, &read->query))
		return false;
	read->query.limit = query->limit;
	read->query.cursor = query->cursor;
	/* Towards newer posts the list is read backwards and then reversed. */
	read->query.descending = !query->newer;
	return true;
}

/* Adds the posts that a stranger may see to *out. */
static void
take_visible(struct arena *arena, const struct item *const *items, size_t count, int64_t now,
    struct posts *out)
{
	struct post *posts = arena_room(arena, count * sizeof(*posts));

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

/* The cursors of the pages before and after the one that begins and ends with these items. */
static void
neighbours(struct arena *arena, const struct posts_query *query, const struct read *read, bool more,
    const struct item *first, const struct item *last, struct posts *out)
{
	struct query older = read->query, newer = read->query;
	struct str sort = table_sk_name(read->query.index);

	older.descending = true;
	newer.descending = false;
	if (query->newer || more)
		out->older =
		    cursor_key_make(arena, &older, item_key(last), item_string(last, sort));
	if (query->newer ? more : query->cursor.len != 0)
		out->newer =
		    cursor_key_make(arena, &newer, item_key(first), item_string(first, sort));
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
	neighbours(arena, query, read, read->next.len != 0,
	    &read->found[query->newer ? count - 1 : 0], &read->found[query->newer ? 0 : count - 1],
	    out);
}

void
posts_take_parts(struct arena *arena, const struct posts_query *query, const struct read *read,
    int64_t now, struct posts *out, struct posts *rest)
{
	struct read page = *read, behind = *read;

	assert(query->cursor.len == 0 && !query->newer);
	if (read->found_count > query->limit) {
		page.found_count = query->limit;
		page.next = STR("more");
	}
	behind.found += page.found_count;
	behind.found_count -= page.found_count;
	posts_take(arena, query, &page, NULL, now, out);
	posts_take(arena, query, &behind, NULL, now, rest);
}

/* --- Several partitions ----------------------------------------------------------------------- */

bool
posts_prepare_partitions(struct arena *arena, const struct posts_query *query,
    const struct str *names, size_t count, int64_t now, struct read *reads)
{
	struct cursor_key from;
	bool on;

	if (!posts_prepare(arena, query, now, &reads[0]))
		return false;
	/* The cursor is the first partition's; an invalid one makes that read fail. */
	on = query->cursor.len != 0 && cursor_key_read(&reads[0].query, &from);
	for (size_t i = 1; i < count; i++) {
		struct posts_query one = *query;

		one.name = names[i];
		one.cursor = STR("");
		posts_prepare(arena, &one, now, &reads[i]);
		if (on)
			reads[i].query.cursor =
			    cursor_key_make(arena, &reads[i].query, from.key, from.place);
	}
	return true;
}

/* An item and its sort key in the list. */
struct placed {
	struct str place;
	const struct item *item;
};

static int
newest_first(const void *a, const void *b)
{
	return str_cmp(((const struct placed *)b)->place, ((const struct placed *)a)->place);
}

/* All items of the partitions, newest first. */
static struct placed *
gather(struct arena *arena, const struct read *reads, size_t count, size_t *total)
{
	struct placed *all;

	*total = 0;
	for (size_t i = 0; i < count; i++)
		*total += reads[i].found_count;
	all = ARENA_ARRAY(arena, *total, struct placed);
	*total = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < reads[i].found_count; j++)
			all[(*total)++] = (struct placed){
			    item_string(&reads[i].found[j], table_sk_name(reads[i].query.index)),
			    &reads[i].found[j]};
	qsort(all, *total, sizeof(*all), newest_first);
	return all;
}

void
posts_take_partitions(struct arena *arena, const struct posts_query *query,
    const struct read *reads, size_t count, int64_t now, struct posts *out)
{
	size_t total, limit = query->limit;
	struct placed *all = gather(arena, reads, count, &total);
	const struct item **items = ARENA_ARRAY(arena, limit, const struct item *);
	bool more = total > limit;
	size_t taken = more ? limit : total;

	*out = (struct posts){.count = 0};
	if (taken == 0)
		return;
	for (size_t i = 0; i < count; i++)
		more = more || reads[i].next.len != 0;
	/* Towards newer posts the oldest of them come next. */
	if (query->newer)
		all += total - taken;
	for (size_t i = 0; i < taken; i++)
		items[i] = all[i].item;
	take_visible(arena, items, taken, now, out);
	neighbours(arena, query, &reads[0], more, all[0].item, all[taken - 1].item, out);
}

/* --- Lists of names ------------------------------------------------------------------------------- */

/* Does one of them name it? */
static bool
is_named(const struct item *items, size_t count, struct str post)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(item_string(&items[i], STR("Post")), post))
			return true;
	return false;
}

void
posts_once(struct read *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->found_count; i++)
		if (!is_named(list->found, kept, item_string(&list->found[i], STR("Post"))))
			list->found[kept++] = list->found[i];
	list->found_count = kept;
}

bool
posts_heads(struct arena *arena, struct read *list, struct read *heads)
{
	struct key *keys;

	posts_once(list);
	if (list->found_count > TABLE_BATCH_MAX)
		list->found_count = TABLE_BATCH_MAX;
	*heads = (struct read){.kind = READ_BATCH};
	keys = ARENA_ARRAY(arena, list->found_count, struct key);
	for (size_t i = 0; i < list->found_count; i++)
		keys[i] = key_post(arena, item_string(&list->found[i], STR("Post")));
	heads->batch.keys = keys;
	heads->batch.count = list->found_count;
	return list->found_count != 0;
}

bool
posts_prepare_ranking(struct arena *arena, const struct ranking_query *query, struct read *read)
{
	*read = (struct read){.kind = READ_QUERY};
	if (!query_ranking(arena, query->ranking, query->span, &read->query))
		return false;
	/* Some of the best may be public no more; never many. */
	read->query.limit = query->limit + SPARE;
	if (query->ranking == RANKING_HOT)
		read->query.limit += (uint32_t)(query->scheduled < SCHEDULED_MAX ? query->scheduled : SCHEDULED_MAX);
	read->query.cursor = query->cursor;
	return true;
}

void
posts_ranked(struct arena *arena, const struct ranking_query *query, const struct read *read,
    const struct read *heads, int64_t now, struct posts *out)
{
	struct post *posts = ARENA_ARRAY(arena, query->limit, struct post);
	const struct item *last = NULL;
	size_t i = 0;

	*out = (struct posts){.posts = posts};
	for (; i < read->found_count && out->count < query->limit; i++) {
		const struct item *head = heads != NULL ? heads->items[i] : &read->found[i];

		if (head == NULL)
			continue;
		post_from_item(arena, head, &posts[out->count]);
		if (!post_visible_to(&posts[out->count], NULL, now))
			continue;
		out->count++;
		last = &read->found[i];
	}
	/* From the last one that is shown: who has the cursor can read it, and is to learn of no other. */
	if (last != NULL && (i < read->found_count || read->next.len != 0))
		out->older = cursor_key_make(arena, &read->query, item_key(last),
		    item_string(last, table_sk_name(read->query.index)));
}
