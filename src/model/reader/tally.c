#include "model/reader/tally.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/key_post.h"

void
tally_from_item(const struct item *item, struct tally *out)
{
	*out = (struct tally){.root = key_tally_root(item_string(item, STR("SK"))),
	    .replies = item_number(item, STR("Replies"))};
}

/* The changes that create a tally; an existing one keeps its place. */
static size_t
make_changes(struct arena *arena, struct str post, struct str root, struct change *changes)
{
	struct tally_places places = key_tally_places(arena, post, root, comment_score(0, 0));
	const struct change all[] = {
	    {CHANGE_SET_IF_ABSENT, STR("Type"), kind_type(ITEM_TALLY)},
	    {CHANGE_SET_IF_ABSENT, STR("Post"), value_string(post)},
	    {CHANGE_SET_IF_ABSENT, table_pk_name(TABLE_GSI3), value_string(places.threads)},
	    {CHANGE_SET_IF_ABSENT, table_sk_name(TABLE_GSI3), value_string(places.place)},
	    {CHANGE_SET_IF_ABSENT, table_pk_name(TABLE_GSI4), value_string(places.best)},
	    {CHANGE_SET_IF_ABSENT, table_sk_name(TABLE_GSI4), value_string(places.best_place)},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		changes[i] = all[i];
	return sizeof(all) / sizeof(all[0]);
}

/* so long after something of a thread has gone, its replies check what they answer: more than clocks differ */
enum { CHANGES_MAX = 9, GONE_MS = 60000 };
/* Once it is there, a tally stays in the partitions that make_changes() sets. */
static const struct item nowhere_else = {.count = 0};

static void
add(struct plan *plan, struct str post, struct str path, bool counts,
    const struct condition *condition)
{
	struct arena *arena = plan->call->arena;
	struct str root = comment_path_root(path), now = time_format(arena, plan->now);
	struct change *changes = ARENA_ARRAY(arena, CHANGES_MAX, struct change);
	size_t count = make_changes(arena, post, root, changes);

	changes[count++] = (struct change){CHANGE_SET, STR("LastAt"), value_string(now)};
	if (counts)
		changes[count++] = (struct change){CHANGE_ADD, STR("Replies"), value_number(1)};
	/* An older reply that comes back may be all that is left of a thread. */
	else if (!str_eq(root, path))
		changes[count++] =
		    (struct change){CHANGE_SET_IF_ABSENT, STR("GoneAt"), value_string(now)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_tally(arena, post, root),
		.changes = changes,
		.change_count = count,
		.places = &nowhere_else,
		.condition = condition},
	    condition != NULL ? PLAN_GONE : PLAN_CHANGED);
}

void
tally_add(struct plan *plan, struct str post, struct str path, bool counts)
{
	add(plan, post, path, counts, NULL);
}

/* One of two conditions. */
static struct condition
either(struct arena *arena, struct condition a, struct condition b)
{
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);

	both[0] = a;
	both[1] = b;
	return (struct condition){.op = COND_ANY, .children = both, .count = 2};
}

void
tally_add_reply(struct plan *plan, struct str post, struct str path)
{
	struct arena *arena = plan->call->arena;
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);
	struct condition *quiet = ARENA_NEW(arena, struct condition);

	both[0] = plan_present;
	both[1] = either(arena, (struct condition){.op = COND_MISSING, .name = STR("GoneAt")},
	    (struct condition){.op = COND_LT,
		.name = STR("GoneAt"),
		.value = value_string(time_format(arena, plan->now - GONE_MS))});
	*quiet = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	add(plan, post, path, true, quiet);
}

void
tally_leave(struct plan *plan, struct str post, struct str path)
{
	struct arena *arena = plan->call->arena;
	struct key key = key_tally(arena, post, comment_path_root(path));
	struct change *gone = ARENA_NEW(arena, struct change);
	struct condition *alone = ARENA_NEW(arena, struct condition);
	struct write note = {.kind = WRITE_UPDATE,
	    .key = key,
	    .changes = gone,
	    .change_count = 1,
	    .condition = &plan_present};

	*gone = (struct change){
	    CHANGE_SET, STR("GoneAt"), value_string(time_format(arena, plan->now))};
	*alone = either(arena, (struct condition){.op = COND_MISSING, .name = STR("Replies")},
	    (struct condition){.op = COND_EQ, .name = STR("Replies"), .value = value_number(0)});
	if (str_eq(key.sk, key_tally(arena, post, path).sk))
		plan_add_either(plan,
		    (struct write){.kind = WRITE_DELETE, .key = key, .condition = alone}, note,
		    PLAN_DONE);
	else
		plan_add(plan, note, PLAN_DONE);
}

/* --- Folding votes ------------------------------------------------------------------------------------ */

/* votes that a comment needs to be among the best of the site */
enum { BEST_UPS = 2 };

static bool
is_late(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CONFLICT;
}

/* A comment that has gone meanwhile is in no order. */
static enum table_rc
write_places(struct table *table, struct table_call *call, const struct item *from,
    const struct item *to)
{
	const struct condition there = {.op = COND_EXISTS, .name = STR("PK")};
	struct write write = plan_difference(call->arena, item_key(from), from, to);
	enum table_rc rc = TABLE_OK;

	write.condition = &there;
	if (write.change_count != 0)
		rc = table_write(table, call, &write);
	return is_late(rc) ? TABLE_OK : rc;
}

static enum table_rc
fold_thread(struct table *table, struct table_call *call, const struct item *tally,
    const struct comment *root)
{
	struct item after = item_shallow(call->arena, tally);
	struct tally_places places = key_tally_places(
	    call->arena, root->post, root->path, comment_score(root->ups, root->downs));

	item_set(call->arena, &after, table_pk_name(TABLE_GSI4), value_string(places.best));
	item_set(call->arena, &after, table_sk_name(TABLE_GSI4), value_string(places.best_place));
	return write_places(table, call, tally, &after);
}

static enum table_rc
fold_best(struct table *table, struct table_call *call, const struct item *votes,
    const struct comment *comment)
{
	struct item after = item_shallow(call->arena, votes);

	item_remove(&after, table_pk_name(TABLE_GSI4));
	item_remove(&after, table_sk_name(TABLE_GSI4));
	if (comment->status == COMMENT_VISIBLE && comment->ups >= BEST_UPS)
		key_index_comment_votes(call->arena, &after, comment->id,
		    comment_score(comment->ups, comment->downs));
	return write_places(table, call, votes, &after);
}

enum table_rc
tally_fold(struct table *table, struct table_call *call, struct str post, struct str path)
{
	enum { COMMENT, VOTES, TALLY, READS };
	struct key keys[READS] = {key_comment(call->arena, post, path),
	    key_comment_votes(call->arena, post, path),
	    key_tally(call->arena, post, comment_path_root(path))};
	struct read read = {
	    .kind = READ_BATCH, .batch = {keys, READS}, .consistent = true};
	enum table_rc rc = table_read(table, call, &read, 1);
	struct comment comment;

	if (rc != TABLE_OK || read.items[COMMENT] == NULL || read.items[VOTES] == NULL)
		return rc;
	comment_from_item(call->arena, read.items[COMMENT], &comment);
	comment_add_votes(&comment, read.items[VOTES]);
	rc = fold_best(table, call, read.items[VOTES], &comment);
	if (rc == TABLE_OK && read.items[TALLY] != NULL && comment.parent.len == 0)
		rc = fold_thread(table, call, read.items[TALLY], &comment);
	return rc;
}

/* --- Older tables ------------------------------------------------------------------------------------- */

enum { POSTS_AT_ONCE = 50, COMMENTS_AT_ONCE = 200, TRIES = 5 };

/* The counts of a thread. */
struct counted {
	int64_t replies, ups, downs, last;
	bool visible; /* the root or a descendant is visible */
};

/* An old comment is not in the index of all by time. */
static enum table_rc
place_comment(struct table *table, struct table_call *call, const struct item *item)
{
	struct item after = item_shallow(call->arena, item);
	const struct condition visible = {
	    .op = COND_EQ, .name = STR("Status"), .value = value_string(STR("visible"))};
	struct comment comment;
	struct write write;
	enum table_rc rc = TABLE_OK;

	comment_from_item(call->arena, item, &comment);
	if (comment.status != COMMENT_VISIBLE ||
	    item_get(item, table_pk_name(TABLE_GSI3)) != NULL)
		return TABLE_OK;
	key_index_comment(
	    call->arena, &after, comment.author, comment.created, comment.id, false);
	write = plan_difference(call->arena, item_key(item), item, &after);
	write.condition = &visible;
	if (write.change_count != 0)
		rc = table_write(table, call, &write);
	return is_late(rc) ? TABLE_OK : rc;
}

static void
count_item(struct arena *arena, const struct item *item, struct counted *out)
{
	struct comment comment;

	if (kind_is(item, ITEM_COMMENT_VOTES))
		return;
	comment_from_item(arena, item, &comment);
	if (comment.parent.len == 0) {
		out->ups = comment.ups;
		out->downs = comment.downs;
	}
	if (comment.status != COMMENT_VISIBLE)
		return;
	out->visible = true;
	out->replies += comment.parent.len != 0;
	out->last = comment.created > out->last ? comment.created : out->last;
}

static enum table_rc
count_thread(struct table *table, struct table_call *call, struct str post, struct str root,
    struct counted *out)
{
	struct read read = {.kind = READ_QUERY, .query = query_thread(call->arena, post, root)};
	/* A thread may have thousands of comments: a page of them at a time. */
	struct arena *arenas[] = {arena_new(), arena_new()};
	enum table_rc rc = TABLE_OK;

	*out = (struct counted){.replies = 0};
	read.query.consistent = true;
	read.query.limit = COMMENTS_AT_ONCE;
	for (int turn = 0;; turn = !turn) {
		struct table_call own = {.arena = arenas[turn]};

		arena_reset(own.arena);
		rc = table_read(table, &own, &read, 1);
		for (size_t i = 0; rc == TABLE_OK && i < read.found_count; i++) {
			count_item(own.arena, &read.found[i], out);
			if (!kind_is(&read.found[i], ITEM_COMMENT_VOTES))
				rc = place_comment(table, &own, &read.found[i]);
		}
		table_release(table, &own);
		read.query.cursor = read.next;
		if (rc != TABLE_OK || read.next.len == 0)
			break;
	}
	arena_free(arenas[0]);
	arena_free(arenas[1]);
	return rc;
}

/*
 * Written on the condition that the counters did not change meanwhile: replies change both. A
 * comment that is written meanwhile might be counted twice, or not at all, so the count starts
 * again.
 */
static enum table_rc
write_tally(struct table *table, struct table_call *call, struct str post, struct str root,
    const struct item *was, const struct counted *counted)
{
	static const struct str names[] = {STR_INIT("LastAt"), STR_INIT("Replies")};
	struct arena *arena = call->arena;
	struct tally_places places =
	    key_tally_places(arena, post, root, comment_score(counted->ups, counted->downs));
	const struct change changes[] = {
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_TALLY)},
	    {CHANGE_SET, STR("Post"), value_string(post)},
	    {CHANGE_SET, STR("LastAt"), value_string(time_format(arena, counted->last))},
	    {CHANGE_SET, STR("Replies"), value_number(counted->replies)},
	    {CHANGE_SET, table_pk_name(TABLE_GSI3), value_string(places.threads)},
	    {CHANGE_SET, table_sk_name(TABLE_GSI3), value_string(places.place)},
	    {CHANGE_SET, table_pk_name(TABLE_GSI4), value_string(places.best)},
	    {CHANGE_SET, table_sk_name(TABLE_GSI4), value_string(places.best_place)},
	};
	struct condition each[2], all = {.op = COND_ALL, .children = each, .count = 2};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_tally(arena, post, root),
	    .changes = changes,
	    .change_count = sizeof(changes) / sizeof(changes[0]),
	    .condition = &all};

	for (size_t i = 0; i < 2; i++) {
		const struct value *value = was != NULL ? item_get(was, names[i]) : NULL;

		each[i] = value != NULL ? (struct condition){.op = COND_EQ, .name = names[i], .value = *value}
					: (struct condition){.op = COND_MISSING, .name = names[i]};
	}
	return table_write(table, call, &write);
}

static enum table_rc
make_tally(struct table *table, struct table_call *call, struct str post, struct str root,
    size_t *made)
{
	struct counted counted;
	enum table_rc rc = TABLE_CONDITION;

	for (int i = 0; i < TRIES && is_late(rc); i++) {
		struct read was = {.kind = READ_GET,
		    .key = key_tally(call->arena, post, root),
		    .consistent = true};

		rc = table_read(table, call, &was, 1);
		if (rc == TABLE_OK)
			rc = count_thread(table, call, post, root, &counted);
		if (rc != TABLE_OK || !counted.visible)
			return rc;
		rc = write_tally(table, call, post, root, was.item, &counted);
	}
	*made += rc == TABLE_OK;
	return rc;
}

/* And then marks the post: a new thread brings its own. */
enum table_rc
tally_make(struct table *table, struct table_call *call, struct str post, size_t *made)
{
	const struct condition there = {.op = COND_EXISTS, .name = STR("PK")};
	const struct change mark = {CHANGE_SET, STR("Threads"), value_boolean(true)};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_post_stats(call->arena, post),
	    .changes = &mark,
	    .change_count = 1,
	    .condition = &there};
	struct str root = STR("");
	enum table_rc rc;

	for (;;) {
		struct read next = {
		    .kind = READ_QUERY, .query = query_next_root(call->arena, post, root)};

		next.query.limit = 1;
		next.query.consistent = true;
		rc = table_read(table, call, &next, 1);
		if (rc != TABLE_OK || next.found_count == 0)
			break;
		root = comment_path_root(key_comment_path(item_key(&next.found[0]).sk));
		rc = make_tally(table, call, post, root, made);
		if (rc != TABLE_OK)
			break;
	}
	if (rc == TABLE_OK)
		rc = table_write(table, call, &write);
	return is_late(rc) ? TABLE_OK : rc;
}

/* For those of these posts that are not marked. */
static enum table_rc
make_of(struct table *table, struct arena *arena, const struct item *heads, size_t count,
    size_t *made)
{
	struct table_call call = {.arena = arena};
	struct key *keys = ARENA_ARRAY(arena, count, struct key);
	struct read stats = {
	    .kind = READ_BATCH, .batch = {keys, count}, .consistent = true};
	struct arena *own = arena_new();
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_post_stats(arena, item_string(&heads[i], STR("Id")));
	rc = table_read(table, &call, &stats, 1);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		struct table_call one = {.arena = own};

		arena_reset(own);
		if (stats.items[i] != NULL && !item_boolean(stats.items[i], STR("Threads")))
			rc = tally_make(
			    table, &one, item_string(&heads[i], STR("Id")), made);
		table_release(table, &one);
	}
	table_release(table, &call);
	arena_free(own);
	return rc;
}

enum table_rc
tally_make_all(struct table *table, size_t *made)
{
	struct arena *arena = arena_new(), *place = arena_new();
	struct query query = query_posts_whole();
	enum table_rc rc;

	*made = 0;
	query.limit = POSTS_AT_ONCE;
	do {
		struct table_call call = {.arena = arena};
		struct item *heads;
		struct str next;
		size_t count;

		arena_reset(arena);
		rc = table_query(table, &call, &query, &heads, &count, &next);
		table_release(table, &call);
		if (rc == TABLE_OK && count != 0)
			rc = make_of(table, arena, heads, count, made);
		arena_reset(place);
		query.cursor = str_dup(place, rc == TABLE_OK ? next : STR(""));
	} while (rc == TABLE_OK && query.cursor.len != 0);
	arena_free(arena);
	arena_free(place);
	return rc;
}
