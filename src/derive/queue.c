/*
 * What waits for the moderators: each of them has one notification that says how much it is, and is unread again when something
 * more comes. It goes when nothing waits, and from who is no moderator any more: a Told item says who has one. One subject,
 * since it is one queue: its lists are indexes, and short.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "derive/tell.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/key_notification.h"
#include "model/key_rating.h"
#include "model/key_staff.h"
#include "model/people/group.h"
#include "model/people/notification.h"
#include "model/permission.h"
#include "model/viewer.h"

/* So many of each list are counted, and so many people are told. */
enum { LISTS = 7, COUNTED = 100, STAFF_MAX = 300, GROUPS_READ = 100 };

#define QUEUE STR("queue")
#define ALL STR("all")

static struct str
place(struct arena *arena)
{
	return key_note_place_lasting(arena, note_word(NOTE_QUEUE), ALL);
}

struct str
queue_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == NULL)
		return STR("");
	switch ((enum item_kind)(kind - item_kinds)) {
	case ITEM_NOTIFICATION: return str_eq(key.sk, place(arena)) ? QUEUE : STR("");
	case ITEM_TOLD: return str_eq(key_told_subject(key), QUEUE) ? QUEUE : STR("");
	case ITEM_COMMENT:
	case ITEM_RESTRICTION:
	case ITEM_FLAGGED:
	case ITEM_RATING:
	case ITEM_APPEAL:
	case ITEM_USER:
	case ITEM_MEMBERSHIP:
	case ITEM_GROUP: return QUEUE;
	default: return STR("");
	}
}

/* --- What waits --------------------------------------------------------------------------------------- */

struct waiting {
	int64_t count, newest;
};

/* The lists that the overview of /admin counts; the sort keys of each begin with when it began to wait. */
static enum table_rc
count_waiting(struct derive *d, struct waiting *out)
{
	const struct query lists[LISTS] = {query_comments_held(), query_comments_answered(),
	    query_flagged(), query_restrictions(RESTRICTIONS_HELD),
	    query_restrictions(RESTRICTIONS_ANSWERED), query_appeals(), query_ratings_held()};
	struct read reads[LISTS];
	enum table_rc rc;

	for (size_t i = 0; i < LISTS; i++) {
		reads[i] = (struct read){.kind = READ_QUERY, .query = lists[i]};
		reads[i].query.descending = true;
		reads[i].query.limit = COUNTED;
	}
	rc = table_read(d->table, d->call, reads, LISTS);
	for (size_t i = 0; rc == TABLE_OK && i < LISTS; i++) {
		int64_t newest;
		struct str sort;

		out->count += (int64_t)reads[i].found_count;
		if (reads[i].found_count == 0)
			continue;
		sort = item_string(&reads[i].found[0], table_sk_name(reads[i].query.index));
		if (time_parse(str_cut(sort, '#', &(struct str){NULL, 0}), &newest) &&
		    newest > out->newest)
			out->newest = newest;
	}
	return rc;
}

/* --- Whom it concerns --------------------------------------------------------------------------------- */

struct staff {
	struct key *keys; /* of their notifications */
	size_t count;
};

static void
add_staff(struct derive *d, struct staff *staff, struct str username)
{
	struct key key = key_note(d->call->arena, username, place(d->call->arena));

	for (size_t i = 0; i < staff->count; i++)
		if (str_eq(staff->keys[i].pk, key.pk))
			return;
	if (staff->count < STAFF_MAX)
		staff->keys[staff->count++] = key;
}

/* Those who may by their role, and the members of groups that let them. */
static enum table_rc
find_staff(struct derive *d, struct staff *staff)
{
	struct arena *arena = d->call->arena;
	struct read reads[3] = {{.kind = READ_QUERY, .query = query_people(arena, STR("admin"), STR(""))},
	    {.kind = READ_QUERY, .query = query_people(arena, STR("editor"), STR(""))},
	    {.kind = READ_QUERY, .query = query_groups()}};
	enum table_rc rc;

	staff->keys = ARENA_ARRAY(arena, STAFF_MAX, struct key);
	for (size_t i = 0; i < 3; i++)
		reads[i].query.limit = GROUPS_READ;
	rc = table_read(d->table, d->call, reads, 3);
	for (size_t i = 0; rc == TABLE_OK && i < 2; i++)
		for (size_t n = 0; n < reads[i].found_count; n++)
			add_staff(d, staff, item_string(&reads[i].found[n], STR("Username")));
	for (size_t i = 0; rc == TABLE_OK && i < reads[2].found_count; i++) {
		struct read members = {.kind = READ_QUERY};
		struct group group;

		group_from_item(arena, &reads[2].found[i], &group);
		if (!(group.permissions & PERMISSION_COMMENTS_MODERATE))
			continue;
		members.query = query_members(arena, key_name(item_key(&reads[2].found[i])));
		members.query.limit = STAFF_MAX;
		rc = table_read(d->table, d->call, &members, 1);
		for (size_t n = 0; rc == TABLE_OK && n < members.found_count; n++)
			add_staff(d, staff, item_string(&members.found[n], STR("Username")));
	}
	return rc;
}

/* --- Telling them ------------------------------------------------------------------------------------- */

static int64_t
expires(const struct waiting *waiting)
{
	return waiting->newest / 1000 + (int64_t)NOTE_KEPT_DAYS * 86400;
}

static const struct item *
wanted_note(struct derive *d, struct key key, const struct item *is, const struct waiting *waiting)
{
	struct arena *arena = d->call->arena;
	struct notification note = {.what = NOTE_QUEUE, .target = ALL, .at = waiting->newest};
	struct item *item = ARENA_NEW(arena, struct item);

	if (is != NULL)
		(void)time_parse(item_string(is, STR("ReadAt")), &note.read);
	key_set(arena, item, key, ITEM_NOTIFICATION);
	bind_write(arena, &notification_bindings, &note, item);
	key_index_note(arena, item, key_name(key), note.at, note_word(NOTE_QUEUE), ALL);
	item_set(arena, item, STR("Count"), value_number(waiting->count));
	item_set(arena, item, TABLE_EXPIRES, value_number(expires(waiting)));
	return item;
}

/* What they should have; `waiting` NULL: nothing. */
static enum table_rc
tell(struct derive *d, struct key key, const struct waiting *waiting)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);

	if (rc != TABLE_OK)
		return rc;
	return derive_item(
	    d, read.item, waiting != NULL ? wanted_note(d, key, read.item, waiting) : NULL);
}

/* --- Who has been told -------------------------------------------------------------------------------- */

#define TO STR("To")

/* Those who were, of whom some may be no moderators any more, after the staff. */
static void
add_former(struct derive *d, struct staff *all, const struct item *told)
{
	size_t count = 0;
	const struct str *names =
	    told != NULL ? item_strings(d->call->arena, told, TO, &count) : NULL;
	struct key *keys = ARENA_ARRAY(d->call->arena, STAFF_MAX + count, struct key);

	for (size_t i = 0; i < all->count; i++)
		keys[i] = all->keys[i];
	all->keys = keys;
	for (size_t i = 0; i < count; i++) {
		bool is_there = false;

		for (size_t n = 0; n < all->count; n++)
			is_there = is_there || str_eq(key_name(keys[n]), names[i]);
		if (!is_there)
			keys[all->count++] = key_note(d->call->arena, names[i], place(d->call->arena));
	}
}

/* The first of them have a notification, or may have: NULL when nobody has. */
static const struct item *
told_of(struct derive *d, const struct staff *staff, size_t count, int64_t newest)
{
	struct arena *arena = d->call->arena;
	struct str *names = ARENA_ARRAY(arena, count, struct str);
	struct item *item = ARENA_NEW(arena, struct item);

	for (size_t i = 0; i < count; i++)
		names[i] = key_name(staff->keys[i]);
	if (count == 0)
		return NULL;
	told_begin(d, item, QUEUE, newest);
	item_set(arena, item, TO, value_set(arena, names, count));
	return item;
}

/* First it is noted whom it concerns, in the end whom it still does: so nobody is forgotten who has one. */
static enum table_rc
tell_all_staff(struct derive *d, struct staff *staff, const struct waiting *waiting)
{
	struct read told = told_read(d, QUEUE);
	size_t count = waiting->count != 0 ? staff->count : 0;
	const struct item *both;
	enum table_rc rc = table_read(d->table, d->call, &told, 1);

	if (rc != TABLE_OK)
		return rc;
	add_former(d, staff, told.item);
	if (waiting->count == 0 && told.item == NULL)
		return TABLE_OK;
	both = waiting->count != 0 ? told_of(d, staff, staff->count, waiting->newest) : told.item;
	rc = derive_item(d, told.item, both);
	for (size_t i = 0; rc == TABLE_OK && i < staff->count; i++)
		rc = tell(d, staff->keys[i], i < count ? waiting : NULL);
	return rc == TABLE_OK && count != staff->count
		   ? derive_item(d, both, told_of(d, staff, count, waiting->newest))
		   : rc;
}

enum table_rc
queue_derive(struct derive *d, struct str subject)
{
	struct waiting waiting = {.count = 0};
	struct staff staff = {.count = 0};
	enum table_rc rc = count_waiting(d, &waiting);

	(void)subject;
	if (expires(&waiting) <= clock_now(d->clock) / 1000)
		waiting.count = 0;
	if (rc == TABLE_OK)
		rc = find_staff(d, &staff);
	return rc == TABLE_OK ? tell_all_staff(d, &staff, &waiting) : rc;
}
