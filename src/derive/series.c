/*
 * The parts of a series: of a public collection that its owner has marked as one, which of its posts come one after the
 * other. A part is what everybody may see, has its time come, and is written by the owner, alone or with others. Every
 * post of the collection has its item, of which one that is no part says nothing: so whatever changes with the post
 * leads to the series.
 *
 * The subjects are a series (C<collection>), of whose head, posts or parts something has changed, and a post (P<id>): most
 * changes of one leave it the part that it was, or none, and then nothing else is read.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_series.h"
#include "model/post/collection.h"
#include "model/post/post.h"

enum { SERIES_MAX = 20 /* that a post is looked for in */ };

struct str
series_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == &item_kinds[ITEM_COLLECTION] || kind == &item_kinds[ITEM_COLLECTION_POST] ||
	    kind == &item_kinds[ITEM_SERIES_PART])
		return STR_CONCAT(arena, STR("C"), key_name(key));
	if (kind == &item_kinds[ITEM_POST])
		return STR_CONCAT(arena, STR("P"), key_name(key));
	return STR("");
}

/* Is the post of this head, which may be NULL, a part of its series? */
static bool
is_part(struct derive *d, const struct item *head, const struct collection *series)
{
	struct post post;

	if (head == NULL)
		return false;
	post_from_item(d->call->arena, head, &post);
	return post.kind != KIND_PAGE && post_visible_to(&post, NULL, clock_now(d->clock)) &&
	       post_written_by(&post, series->owner);
}

/* --- A series ------------------------------------------------------------------------------------------- */

/* The heads of its posts: NULL where there is none. */
static enum table_rc
read_heads(struct derive *d, const struct series_part *parts, size_t count, struct item **heads)
{
	struct arena *arena = d->call->arena;
	enum table_rc rc = TABLE_OK;

	for (size_t at = 0; rc == TABLE_OK && at < count; at += TABLE_BATCH_MAX) {
		size_t some = count - at < TABLE_BATCH_MAX ? count - at : TABLE_BATCH_MAX;
		struct key *keys = ARENA_ARRAY(arena, some, struct key);
		struct read read = {
		    .kind = READ_BATCH, .batch = {keys, some}, .consistent = true};

		for (size_t i = 0; i < some; i++)
			keys[i] = key_post(arena, parts[at + i].post);
		rc = table_read(d->table, d->call, &read, 1);
		for (size_t i = 0; rc == TABLE_OK && i < some; i++)
			heads[at + i] = read.items[i];
	}
	return rc;
}

/* Which part each is, and what stands beside it. */
static void
number(struct derive *d, const struct collection *series, struct item *const *heads,
    struct series_part *parts, size_t count)
{
	struct series_part *before = NULL;
	int64_t all = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_part(d, heads[i], series))
			continue;
		parts[i].part = ++all;
		if (before != NULL) {
			parts[i].before = before->post;
			before->after = parts[i].post;
		}
		before = &parts[i];
	}
	for (size_t i = 0; i < count; i++)
		parts[i].parts = parts[i].part != 0 ? all : 0;
}

static void
put_part(struct arena *arena, const struct series_part *part, struct item *item)
{
	*item = (struct item){0};
	key_set(arena, item, key_series_part(arena, part->collection, part->post), ITEM_SERIES_PART);
	key_index_series_part(arena, item, part->collection, part->post);
	bind_write(arena, &series_part_bindings, part, item);
}

/* What is wanted of a collection as it was read: of what is no series nothing. */
static enum table_rc
want(struct derive *d, const struct item *found, size_t count, struct item **wanted, size_t *wanted_count)
{
	struct arena *arena = d->call->arena;
	struct series_part *parts = ARENA_ARRAY(arena, count, struct series_part);
	struct item **heads = ARENA_ARRAY(arena, count, struct item *);
	struct collection series;
	enum table_rc rc;

	*wanted_count = 0;
	if (count == 0 || !kind_is(&found[0], ITEM_COLLECTION))
		return TABLE_OK;
	collection_from_item(arena, &found[0], &series);
	if (!series.series || !collection_visible_to(&series, NULL))
		return TABLE_OK;
	for (size_t i = 1; i < count; i++)
		parts[i - 1] = (struct series_part){
		    .collection = series.id, .post = item_string(&found[i], STR("Post"))};
	rc = read_heads(d, parts, --count, heads);
	if (rc != TABLE_OK)
		return rc;
	number(d, &series, heads, parts, count);
	*wanted = ARENA_ARRAY(arena, count, struct item);
	for (size_t i = 0; i < count; i++)
		put_part(arena, &parts[i], &(*wanted)[(*wanted_count)++]);
	return TABLE_OK;
}

static enum table_rc
derive_series(struct derive *d, struct str collection)
{
	struct arena *arena = d->call->arena;
	struct read reads[2] = {
	    {.kind = READ_QUERY, .query = query_collection_whole(arena, collection)},
	    {.kind = READ_QUERY, .query = query_series_parts(arena, collection)}};
	struct item *wanted = NULL;
	size_t count = 0;
	enum table_rc rc;

	reads[1].query.limit = TABLE_QUERY_MAX;
	reads[1].query.consistent = true;
	rc = table_read(d->table, d->call, reads, 2);
	if (rc == TABLE_OK)
		rc = want(d, reads[0].found, reads[0].found_count, &wanted, &count);
	return rc == TABLE_OK
		   ? derive_items(d, reads[1].found, reads[1].found_count, wanted, count)
		   : rc;
}

/* --- A post --------------------------------------------------------------------------------------------- */

/* The collections of a post's parts; where it is not what they say, their series is derived. */
static enum table_rc
look_at(struct derive *d, const struct item *head, const struct item *found, size_t count)
{
	struct arena *arena = d->call->arena;
	struct series_part parts[SERIES_MAX];
	struct key keys[SERIES_MAX];
	struct read read = {.kind = READ_BATCH, .batch = {keys, count}, .consistent = true};
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		series_part_from_item(arena, &found[i], &parts[i]);
		keys[i] = key_collection(arena, parts[i].collection);
	}
	rc = table_read(d->table, d->call, &read, 1);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		struct collection series;

		if (read.items[i] == NULL)
			continue;
		collection_from_item(arena, read.items[i], &series);
		if (is_part(d, head, &series) != (parts[i].part != 0))
			rc = derive_series(d, series.id);
	}
	return rc;
}

static enum table_rc
derive_post(struct derive *d, struct str id)
{
	struct arena *arena = d->call->arena;
	struct read reads[2] = {
	    {.kind = READ_GET, .key = key_post(arena, id), .consistent = true},
	    {.kind = READ_QUERY, .query = query_series_with(arena, id)}};
	enum table_rc rc;

	reads[1].query.limit = SERIES_MAX;
	rc = table_read(d->table, d->call, reads, 2);
	if (rc != TABLE_OK || reads[1].found_count == 0)
		return rc;
	return look_at(d, reads[0].item, reads[1].found, reads[1].found_count);
}

enum table_rc
series_derive(struct derive *d, struct str subject)
{
	struct str name = str_sub(subject, 1, subject.len);

	return subject.base[0] == 'C' ? derive_series(d, name) : derive_post(d, name);
}
