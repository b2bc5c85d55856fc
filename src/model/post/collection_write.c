#include "model/post/collection_write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/reader/restriction.h"

enum {
	TRIES = 8,
	PART = 45, /* posts in one transaction: each is a deletion and a new item, or one change */
	POSITIONS = 10000, /* four digits, none of them 0 */
	STEP = 16,         /* between the last post and a new one */
	ROOM = 4,          /* positions for each post after spreading */
};

/* A collection as it was read. */
struct content {
	struct collection head;
	struct str updated; /* its UpdatedAt, as stored */
	const struct item *items;
	int64_t *positions;
	size_t count;
};

/* A change and its arguments. */
struct act {
	enum plan_rc (*make)(struct plan *plan, const struct content *c, const struct act *act);
	struct str owner, id, post;
	const struct collected *entry;
	const struct arrangement *to;
	const struct collection *is;
};

bool
collection_id_valid(struct str id)
{
	const struct str letters = STR("0123456789abcdefghjkmnpqrstvwxyz");

	for (size_t i = 0; i < id.len; i++)
		if (str_find(letters, id.base[i]) == letters.len)
			return false;
	return id.len == COLLECTION_ID_LEN;
}

/* --- Reading ---------------------------------------------------------------------------------------- */

/* The head is read before its posts: a change in between has a later UpdatedAt, and is refused. */
static enum plan_rc
load(struct plan *plan, struct str owner, struct str id, struct content *out)
{
	struct arena *arena = plan->call->arena;
	struct query query = query_collection_whole(arena, id);
	struct item *found;
	struct str next;
	enum table_rc rc;

	rc = table_query(plan->table, plan->call, &query, &found, &out->count, &next);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (out->count == 0 || !kind_is(&found[0], ITEM_COLLECTION))
		return PLAN_NOT_THERE;
	collection_from_item(arena, &found[0], &out->head);
	if (!str_eq(out->head.owner, owner))
		return PLAN_NOT_THERE;
	out->updated = item_string(&found[0], STR("UpdatedAt"));
	out->items = found + 1;
	out->count--;
	out->positions = ARENA_ARRAY(arena, out->count, int64_t);
	for (size_t i = 0; i < out->count; i++)
		out->positions[i] = item_number(&out->items[i], STR("Position"));
	return PLAN_DONE;
}

/* The index of a post, or c->count. */
static size_t
place_of(const struct content *c, struct str post)
{
	size_t i = 0;

	while (i < c->count && !str_eq(item_string(&c->items[i], STR("Post")), post))
		i++;
	return i;
}

/* --- Writing ---------------------------------------------------------------------------------------- */

/* It is theirs, and was not changed since it was read. */
static const struct condition *
unchanged(struct arena *arena, const struct content *c)
{
	struct condition *both = ARENA_ARRAY(arena, 3, struct condition);

	both[0] = (struct condition){.op = COND_ALL, .children = both + 1, .count = 2};
	both[1] = (struct condition){
	    .op = COND_EQ, .name = STR("Owner"), .value = value_string(c->head.owner)};
	both[2] = (struct condition){.op = c->updated.len != 0 ? COND_EQ : COND_MISSING,
	    .name = STR("UpdatedAt"),
	    .value = value_string(c->updated)};
	return both;
}

enum {
	PLACE_CHANGES = 4,
	HEAD_CHANGES = 9 + PLACE_CHANGES,
};

/* Where others find it, as it is now: it enters and leaves the lists in the write that makes it so. */
static size_t
set_places(struct arena *arena, const struct collection *is, struct change *changes)
{
	static const enum table_index lists[] = {TABLE_GSI2, TABLE_GSI3};
	struct item places = {.count = 0};
	size_t count = 0;

	key_index_collection(arena, &places, is);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const struct str names[] = {table_pk_name(lists[i]), table_sk_name(lists[i])};

		for (size_t n = 0; n < 2; n++) {
			const struct value *value = item_get(&places, names[n]);

			changes[count++] = (struct change){value != NULL ? CHANGE_SET : CHANGE_REMOVE,
			    names[n], value != NULL ? *value : value_null()};
		}
	}
	return count;
}

/*
 * Updates the head: adds `by` to the number of posts and makes `changes`, which must have space for
 * two more.
 */
static void
touch(struct plan *plan, const struct content *c, int64_t by, struct change *changes, size_t count)
{
	struct arena *arena = plan->call->arena;
	int64_t now = plan->now > c->head.updated ? plan->now : c->head.updated + 1;

	if (changes == NULL)
		changes = ARENA_ARRAY(arena, 2, struct change);
	changes[count++] =
	    (struct change){CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, now))};
	if (by != 0)
		changes[count++] = (struct change){CHANGE_ADD, STR("Posts"), value_number(by)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_collection(arena, c->head.id),
		.changes = changes,
		.change_count = count,
		.condition = unchanged(arena, c)},
	    PLAN_CHANGED);
}

static void
take_out(struct plan *plan, const struct item *item)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE, .key = item_key(item), .condition = &plan_present},
	    PLAN_CHANGED);
}

static void
put_in(struct plan *plan, const struct collection *head, struct item item, struct str post,
    int64_t position)
{
	struct arena *arena = plan->call->arena;

	key_set(arena, &item, key_collected(arena, head->id, position, post), ITEM_COLLECTION_POST);
	item_set(arena, &item, STR("Position"), value_number(position));
	if (head->is_public)
		key_index_collected(arena, &item, head->id, post);
	plan_create(plan, item, PLAN_CHANGED);
}

/* Puts a post that was not in the collection. */
static void
put_new(struct plan *plan, const struct collection *head, const struct collected *entry,
    int64_t position)
{
	struct item item = {.count = 0};
	const struct collected now = {.post = entry->post,
	    .note = entry->note,
	    .author = entry->author,
	    .for_front = entry->for_front,
	    .position = position,
	    .added = plan->now};

	bind_write(plan->call->arena, &collected_bindings, &now, &item);
	item_set(plan->call->arena, &item, STR("Collection"), value_string(head->id));
	put_in(plan, head, item, entry->post, position);
}

static void
put_elsewhere(struct plan *plan, const struct content *c, size_t i, int64_t position)
{
	struct item item = item_shallow(plan->call->arena, &c->items[i]);

	take_out(plan, &c->items[i]);
	put_in(plan, &c->head, item, item_string(&item, STR("Post")), position);
}

/* Commits a part of the change; the rest needs the collection read again. */
static enum plan_rc
commit_part(struct plan *plan)
{
	enum plan_rc rc = plan_commit(plan);

	return rc == PLAN_DONE ? PLAN_MORE : rc;
}

/* --- Positions -------------------------------------------------------------------------------- */

/* Some consecutive posts between two positions, with a new one among them. */
struct window {
	size_t from, to, at;
	int64_t left, slots; /* the position before them, and how many are free after it */
};

static struct window
window_around(const struct content *c, size_t at, size_t on_each_side)
{
	struct window w = {.at = at};
	int64_t right;

	w.from = at > on_each_side ? at - on_each_side : 0;
	w.to = c->count - at > on_each_side ? at + on_each_side : c->count;
	w.left = w.from > 0 ? c->positions[w.from - 1] : 0;
	right = w.to < c->count ? c->positions[w.to] : POSITIONS;
	w.slots = right - w.left - 1;
	return w;
}

/* The position of a post when the window's posts are evenly spread. */
static int64_t
spread(const struct window *w, size_t i)
{
	int64_t all = (int64_t)(w->to - w->from) + 1;
	int64_t before = (int64_t)(i - w->from) + (i >= w->at);

	return w->left + (before + 1) * (w->slots + 1) / (all + 1);
}

/*
 * Moves up to PART posts of the window. The order is right after each part, since posts that move
 * towards the end are moved last first, the others first first.
 */
static enum plan_rc
spread_part(struct plan *plan, const struct content *c, const struct window *w)
{
	size_t moved = 0;

	for (size_t i = w->to; i-- > w->from && moved < PART;)
		if (spread(w, i) > c->positions[i]) {
			put_elsewhere(plan, c, i, spread(w, i));
			moved++;
		}
	for (size_t i = w->from; i < w->to && moved < PART; i++)
		if (spread(w, i) < c->positions[i]) {
			put_elsewhere(plan, c, i, spread(w, i));
			moved++;
		}
	touch(plan, c, 0, NULL, 0);
	return commit_part(plan);
}

/*
 * A free position before the post `at`. If there is none, spreads as few posts around as suffice:
 * PLAN_MORE, and the collection has to be read again.
 */
static enum plan_rc
free_position(struct plan *plan, const struct content *c, size_t at, int64_t *position)
{
	struct window w = window_around(c, at, 0);

	if (w.slots > 0) {
		*position = w.left + (at == c->count && w.slots > STEP ? STEP : (w.slots + 1) / 2);
		return PLAN_DONE;
	}
	for (size_t side = 1; w.slots < ROOM * (int64_t)(w.to - w.from + 1); side *= 2) {
		w = window_around(c, at, side);
		if (w.from == 0 && w.to == c->count)
			break;
	}
	return spread_part(plan, c, &w);
}

/* --- Changing --------------------------------------------------------------------------------------- */

/* Updates the keys in ABOUT# that do not match the head yet. PLAN_DONE: all do. */
static enum plan_rc
settle(struct plan *plan, const struct content *c)
{
	struct arena *arena = plan->call->arena;
	size_t count = 0;

	for (size_t i = 0; i < c->count && count < 2 * PART; i++) {
		struct item place = {.count = 0};
		struct change *changes = ARENA_ARRAY(arena, 2, struct change);

		if ((item_get(&c->items[i], table_pk_name(TABLE_GSI2)) != NULL) ==
		    c->head.is_public)
			continue;
		key_index_collected(
		    arena, &place, c->head.id, item_string(&c->items[i], STR("Post")));
		for (size_t n = 0; n < place.count; n++)
			changes[n] = (struct change){c->head.is_public ? CHANGE_SET : CHANGE_REMOVE,
			    place.attributes[n].name,
			    c->head.is_public ? place.attributes[n].value : value_null()};
		plan_add(plan,
		    (struct write){.kind = WRITE_UPDATE,
			.key = item_key(&c->items[i]),
			.changes = changes,
			.change_count = place.count,
			.condition = &plan_present},
		    PLAN_CHANGED);
		count++;
	}
	if (count == 0)
		return PLAN_DONE;
	touch(plan, c, 0, NULL, 0);
	return commit_part(plan);
}

/* Reads, completes an interrupted change, and makes the change; retries after a concurrent one. */
static enum plan_rc
carry_out(struct plan *plan, const struct act *act)
{
	enum plan_rc rc = PLAN_CHANGED;

	for (int tries = 0; tries < TRIES && (rc == PLAN_CHANGED || rc == PLAN_MORE);
	     tries += rc == PLAN_CHANGED) {
		struct content c;

		rc = load(plan, act->owner, act->id, &c);
		if (rc == PLAN_DONE)
			rc = settle(plan, &c);
		if (rc == PLAN_DONE)
			rc = act->make(plan, &c, act);
	}
	return rc;
}

static const char *
visibility(const struct collection *c)
{
	if (c->restricted != RESTRICTED_NOT)
		return restricted_words[c->restricted];
	return c->is_public ? "public" : "private";
}

static void
add_hold(struct plan *plan, struct str id, struct str owner, const struct collection *is)
{
	restriction_add_hold(plan,
	    &(struct flag_target){.what = FLAG_COLLECTION, .collection = id}, owner, is->name,
	    is->held_for);
}

/* Of a collection that is not private: it is there for others, waits or is hidden. */
static void
set_state(struct plan *plan, const struct content *c, enum restricted is)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, HEAD_CHANGES, struct change);
	struct collection changed = c->head;
	size_t count = 0;

	changed.restricted = is;
	changed.is_public = is == RESTRICTED_NOT;
	changes[count++] = (struct change){
	    CHANGE_SET, STR("Visibility"), value_string(str_of(visibility(&changed)))};
	count += set_places(arena, &changed, changes + count);
	touch(plan, c, 0, changes, count);
}

/*
 * Before a note is written that has something of the lists: all of the collection waits, so that nobody sees the note, however
 * this ends. PLAN_MORE: it has to be read again. PLAN_DONE: there is nothing to hold.
 */
static enum plan_rc
hold_first(struct plan *plan, const struct content *c, struct str held_for)
{
	struct collection is = c->head;

	if (!c->head.is_public || held_for.len == 0)
		return PLAN_DONE;
	is.held_for = held_for;
	add_hold(plan, c->head.id, c->head.owner, &is);
	set_state(plan, c, RESTRICTED_HELD);
	return commit_part(plan);
}

/* The front page may show it for this post; for none, where it is empty. */
static size_t
set_front_post(struct arena *arena, const struct content *c, struct str post, struct change *changes)
{
	struct collection changed = c->head;

	changed.front_post = post;
	changes[0] = plan_text(STR("FrontPost"), post);
	return 1 + set_places(arena, &changed, changes + 1);
}

static enum plan_rc
make_add(struct plan *plan, const struct content *c, const struct act *act)
{
	struct arena *arena = plan->call->arena;
	size_t at = place_of(c, act->post), count = 0;
	struct change *changes = ARENA_ARRAY(arena, HEAD_CHANGES, struct change);
	int64_t position;
	enum plan_rc rc;

	if (at < c->count) {
		plan->found = &c->items[at];
		return PLAN_ALREADY;
	}
	if (c->count >= COLLECTION_POSTS_MAX)
		return PLAN_FULL;
	rc = hold_first(plan, c, act->entry->held_for);
	if (rc == PLAN_DONE)
		rc = free_position(plan, c, c->count, &position);
	if (rc != PLAN_DONE)
		return rc;
	put_new(plan, &c->head, act->entry, position);
	if (act->entry->for_front)
		count = set_front_post(arena, c, act->post, changes);
	touch(plan, c, 1, changes, count);
	return plan_commit(plan);
}

/* The last post for the front page once this one is gone; empty: there is none. */
static struct str
front_post_but(const struct content *c, size_t gone)
{
	for (size_t i = c->count; i-- > 0;)
		if (i != gone && item_boolean(&c->items[i], STR("ForFront")))
			return item_string(&c->items[i], STR("Post"));
	return STR("");
}

static enum plan_rc
make_remove(struct plan *plan, const struct content *c, const struct act *act)
{
	struct arena *arena = plan->call->arena;
	size_t at = place_of(c, act->post), count = 0;
	struct change *changes = ARENA_ARRAY(arena, HEAD_CHANGES, struct change);

	if (at == c->count)
		return PLAN_NOT_THERE;
	take_out(plan, &c->items[at]);
	if (str_eq(c->head.front_post, act->post))
		count = set_front_post(arena, c, front_post_but(c, at), changes);
	touch(plan, c, -1, changes, count);
	return plan_commit(plan);
}

/* Changes the note only. */
static enum plan_rc
write_note(struct plan *plan, const struct content *c, size_t at, struct str note)
{
	const struct change change = plan_text(STR("Note"), note);

	if (str_eq(item_string(&c->items[at], STR("Note")), note))
		return PLAN_DONE;
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(&c->items[at]),
		.changes = &change,
		.change_count = 1,
		.condition = &plan_present},
	    PLAN_CHANGED);
	touch(plan, c, 0, NULL, 0);
	return plan_commit(plan);
}

static enum plan_rc
make_arrangement(struct plan *plan, const struct content *c, const struct act *act)
{
	int64_t last = (int64_t)c->count - 1, at = (int64_t)place_of(c, act->post), position;
	int64_t to = act->to->place != 0 ? act->to->place - 1 : at + act->to->step;
	struct item item;
	enum plan_rc rc;

	if (at > last)
		return PLAN_NOT_THERE;
	if (!str_eq(item_string(&c->items[at], STR("Note")), act->to->note)) {
		rc = hold_first(plan, c, act->to->held_for);
		if (rc != PLAN_DONE)
			return rc;
	}
	to = to < 0 ? 0 : to > last ? last : to;
	if (to == at)
		return write_note(plan, c, (size_t)at, act->to->note);
	rc = free_position(plan, c, (size_t)(to + (to > at)), &position);
	if (rc != PLAN_DONE)
		return rc;
	item = item_shallow(plan->call->arena, &c->items[at]);
	item_remove(&item, STR("Note"));
	if (act->to->note.len != 0)
		item_set(plan->call->arena, &item, STR("Note"), value_string(act->to->note));
	take_out(plan, &c->items[at]);
	put_in(plan, &c->head, item, act->post, position);
	touch(plan, c, 0, NULL, 0);
	return plan_commit(plan);
}

/* From the end, so that the rest keeps its order; the head is deleted with the last part. */
static enum plan_rc
make_delete(struct plan *plan, const struct content *c, const struct act *act)
{
	size_t left = c->count > 2 * PART ? c->count - 2 * PART : 0;

	(void)act;
	for (size_t i = left; i < c->count; i++)
		take_out(plan, &c->items[i]);
	if (left != 0) {
		touch(plan, c, -2 * PART, NULL, 0);
		return commit_part(plan);
	}
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_collection(plan->call->arena, c->head.id),
		.condition = unchanged(plan->call->arena, c)},
	    PLAN_CHANGED);
	return plan_commit(plan);
}

/* --- The collection itself -------------------------------------------------------------------------- */

static enum plan_rc
make_edit(struct plan *plan, const struct content *c, const struct act *act)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, HEAD_CHANGES, struct change);
	struct collection is = *act->is, changed = c->head;
	size_t count = 0;

	/* Whatever its owner wishes, until moderators lift it; but they may hold it now. */
	if (c->head.restricted != RESTRICTED_NOT)
		is.restricted = c->head.restricted;
	else if (is.restricted == RESTRICTED_HELD)
		add_hold(plan, act->id, c->head.owner, &is);
	is.is_public = is.is_public && is.restricted == RESTRICTED_NOT;
	changes[count++] = plan_text(STR("Name"), is.name);
	changes[count++] = plan_text(STR("Description"), is.description);
	changes[count++] = plan_text(STR("HTML"), is.html);
	changes[count++] =
	    (struct change){CHANGE_SET, STR("Renderer"), value_number(is.renderer)};
	changes[count++] = (struct change){
	    CHANGE_SET, STR("Visibility"), value_string(str_of(visibility(&is)))};
	changes[count++] = (struct change){is.series ? CHANGE_SET : CHANGE_REMOVE, STR("Series"),
	    is.series ? value_boolean(true) : value_null()};
	changed.is_public = is.is_public;
	count += set_places(arena, &changed, changes + count);
	touch(plan, c, 0, changes, count);
	return plan_commit(plan);
}

/* An interrupted change is completed before any other, so this one does nothing. */
static enum plan_rc
make_nothing(struct plan *plan, const struct content *c, const struct act *act)
{
	(void)plan, (void)c, (void)act;
	return PLAN_DONE;
}

enum plan_rc
collection_edit(struct plan *plan, const struct collection *is)
{
	struct act act = {.make = make_edit, .owner = plan->by, .id = is->id, .is = is};
	enum plan_rc rc = carry_out(plan, &act);

	act.make = make_nothing;
	return rc == PLAN_DONE ? carry_out(plan, &act) : rc;
}

enum plan_rc
collection_restrict(struct plan *plan, const struct collection *was, enum restricted is)
{
	struct arena *arena = plan->call->arena;
	const struct content c = {.head = *was, .updated = time_format(arena, was->updated)};
	const struct act act = {.make = make_nothing, .owner = was->owner, .id = was->id};
	enum plan_rc rc;

	set_state(plan, &c, is);
	rc = plan_commit(plan);
	/* The keys of what is in it follow, as after an interrupted change. */
	return rc == PLAN_DONE ? carry_out(plan, &act) : rc;
}

enum plan_rc
collection_create(struct plan *plan, const struct collection *new, const struct collected *first)
{
	struct arena *arena = plan->call->arena;
	struct query query = query_collections_of(arena, plan->by);
	struct collection made = *new;
	struct item item = {.count = 0}, *found;
	struct str next;
	size_t count;
	enum table_rc rc;
	enum plan_rc done;

	query.limit = COLLECTIONS_MAX;
	rc = table_query(plan->table, plan->call, &query, &found, &count, &next);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	/* The form may be sent twice, and the first may have made the last one allowed. */
	for (size_t i = 0; i < count; i++)
		if (str_eq(item_string(&found[i], STR("Id")), made.id))
			return PLAN_ALREADY;
	if (count == COLLECTIONS_MAX)
		return PLAN_FULL;
	made.owner = plan->by;
	made.owner_name = plan->by_name;
	made.created = made.updated = plan->now;
	made.posts = first != NULL;
	made.front_post = first != NULL && first->for_front ? first->post : STR("");
	made.is_public = made.is_public && made.restricted == RESTRICTED_NOT;
	if (made.restricted == RESTRICTED_HELD)
		add_hold(plan, made.id, made.owner, &made);
	bind_write(arena, &collection_bindings, &made, &item);
	item_set(arena, &item, STR("Visibility"), value_string(str_of(visibility(&made))));
	key_set(arena, &item, key_collection(arena, made.id), ITEM_COLLECTION);
	key_index_collection_owner(arena, &item, &made);
	key_index_collection(arena, &item, &made);
	plan_create(plan, item, PLAN_TAKEN);
	if (first != NULL)
		put_new(plan, &made, first, STEP);
	done = plan_commit(plan);
	if (done == PLAN_TAKEN && plan->found != NULL &&
	    str_eq(item_string(plan->found, STR("Owner")), plan->by))
		return PLAN_ALREADY;
	return done;
}

enum plan_rc
collection_delete(struct plan *plan, struct str owner, struct str id)
{
	const struct act act = {.make = make_delete, .owner = owner, .id = id};

	return carry_out(plan, &act);
}

/* --- What is in it ---------------------------------------------------------------------------------- */

enum plan_rc
collection_add(struct plan *plan, struct str id, const struct collected *entry)
{
	const struct act act = {
	    .make = make_add, .owner = plan->by, .id = id, .post = entry->post, .entry = entry};

	return carry_out(plan, &act);
}

enum plan_rc
collection_remove(struct plan *plan, struct str id, struct str post)
{
	const struct act act = {.make = make_remove, .owner = plan->by, .id = id, .post = post};

	return carry_out(plan, &act);
}

enum plan_rc
collection_arrange(struct plan *plan, struct str id, struct str post, const struct arrangement *to)
{
	const struct act act = {
	    .make = make_arrangement, .owner = plan->by, .id = id, .post = post, .to = to};

	return carry_out(plan, &act);
}
