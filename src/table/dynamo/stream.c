/*
 * The stream: shards that split and merge as the table grows, presented as one. A position is a text with
 * the place up to which each current shard was read:
 *
 *	<stream's label>;<shard> <place>;<shard> <place>…
 *
 * where a place is as in shards.h, followed by `!` once the shard is exhausted.
 *
 *  1. The changes of one item are in one shard, or in one and then in its children. A child is read only
 *     when its parent is exhausted, so each item's changes come in order.
 *  2. An exhausted shard stays in the position until its children are known, or it has been dropped.
 *  3. If a shard was dropped before it was exhausted, records are lost: TABLE_TRIMMED. So they are with an unknown
 *     shard that must have been between an exhausted one and an existing one.
 *  4. Whatever is not read at once has a number to begin at: a child its first one, an oldest shard that of its
 *     oldest record, or the time at which it had none. So a shard that lost records before it was read is
 *     TABLE_TRIMMED as well. Records after an empty page are the exception: their loss can't be known.
 *  5. Shards take turns: those read now go to the end of the position.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/dynamo_private.h"
#include "table/dynamo/shards.h"

#include <string.h>

enum { SHARDS_MAX = 1000, SHARDS_AT_ONCE = 8 };

struct place {
	struct str shard, at;
	bool exhausted;
};

struct frontier {
	struct place places[SHARDS_MAX];
	size_t count;
};

/* What distinguishes the table's stream from an earlier one: the end of its name. */
static struct str
label_of(struct str stream)
{
	size_t at = stream.len;

	while (at > 0 && stream.base[at - 1] != '/')
		at--;
	return str_sub(stream, at, stream.len);
}

static struct str
position_write(struct dynamo *db, struct arena *arena, const struct frontier *f)
{
	struct buf out = {.arena = arena};

	buf_put(&out, label_of(db->stream));
	for (size_t i = 0; i < f->count; i++)
		buf_fmt(&out, ";%.*s %.*s%s", STR_ARGS(f->places[i].shard),
		    STR_ARGS(f->places[i].at), f->places[i].exhausted ? "!" : "");
	return buf_str(&out);
}

/* A label is the time when the stream was switched on: `2026-11-18T09:30:00.123`. */
static bool
label_good(struct str label)
{
	if (label.len < 19 || label.len > 64 || label.base[4] != '-' || label.base[10] != 'T')
		return false;
	for (size_t i = 0; i < label.len; i++) {
		char c = label.base[i];

		if (!(c >= '0' && c <= '9') && c != '-' && c != ':' && c != '.' && c != 'T')
			return false;
	}
	return true;
}

static bool
place_good(struct str at)
{
	size_t from = at.len > 0 && (at.base[0] == '@' || at.base[0] == '=' || at.base[0] == '-');

	if (str_eq(at, STR("-")))
		return true;
	for (size_t i = from; i < at.len; i++) {
		if (at.base[i] < '0' || at.base[i] > '9')
			return false;
	}
	return at.len > from;
}

static enum table_rc
position_read(struct dynamo *db, struct str position, struct frontier *f)
{
	struct str rest, part, label = str_cut(position, ';', &rest);

	f->count = 0;
	if (!label_good(label) || !str_utf8(position))
		return TABLE_BAD_CURSOR;
	while (rest.len > 0) {
		struct place place = {0};

		part = str_cut(rest, ';', &rest);
		place.shard = str_cut(part, ' ', &place.at);
		place.exhausted = str_ends(place.at, STR("!"));
		if (place.exhausted)
			place.at.len--;
		if (place.shard.len == 0 || !place_good(place.at) || f->count == SHARDS_MAX)
			return TABLE_BAD_CURSOR;
		f->places[f->count++] = place;
	}
	/* The stream was switched off and on again: the records of the old one are lost. */
	return str_eq(label, label_of(db->stream)) ? TABLE_OK : TABLE_TRIMMED;
}

/* --- Lineage ---------------------------------------------------------------------------------------- */

static bool
listed(const struct shards *shards, struct str id)
{
	for (size_t i = 0; i < shards->count; i++) {
		if (str_eq(shards->base[i].id, id))
			return true;
	}
	return false;
}

static bool
add_place(struct frontier *f, struct str shard, struct str at)
{
	for (size_t i = 0; i < f->count; i++) {
		if (str_eq(f->places[i].shard, shard))
			return true;
	}
	if (f->count == SHARDS_MAX)
		return false;
	f->places[f->count++] = (struct place){.shard = shard, .at = at};
	return true;
}

/* Where to begin with a shard of which nothing may be missed. */
static struct str
beginning_of(struct arena *arena, const struct shard *shard)
{
	return shard->first.len > 0 ? STR_CONCAT(arena, STR("="), shard->first) : STR("-");
}

/* Adds the shards whose parents no longer exist: each at its beginning, or at its oldest record. */
static bool
add_oldest(struct arena *arena, struct frontier *f, const struct shards *shards, bool whole)
{
	for (size_t i = 0; i < shards->count; i++) {
		const struct shard *shard = &shards->base[i];

		if (!listed(shards, shard->parent) &&
		    !add_place(f, shard->id, whole ? beginning_of(arena, shard) : STR("-")))
			return false;
	}
	return true;
}

static struct str
parent_of(const struct shards *shards, struct str id)
{
	for (size_t i = 0; i < shards->count; i++) {
		if (str_eq(shards->base[i].id, id))
			return shards->base[i].parent;
	}
	return STR("");
}

/* Is the shard being read, or was it, judging by its descendants? */
static bool
reached(const struct frontier *f, const struct shards *shards, struct str id)
{
	for (size_t i = 0; i < f->count; i++) {
		struct str at = f->places[i].shard;

		/*
		 * A line of descent is no longer than the number of shards, but a faulty answer
		 * might be a cycle.
		 */
		for (size_t j = 0; j <= shards->count && at.len > 0; j++) {
			if (str_eq(at, id))
				return true;
			at = parent_of(shards, at);
		}
	}
	return false;
}

/* Is there an unread shard whose ancestors are lost? */
static bool
unread_root(const struct frontier *f, const struct shards *shards)
{
	for (size_t i = 0; i < shards->count; i++) {
		const struct shard *shard = &shards->base[i];

		if (shard->parent.len > 0 && !listed(shards, shard->parent) &&
		    !reached(f, shards, shard->id))
			return true;
	}
	return false;
}

/* Adds the shard's children, each at its beginning. */
static bool
add_children(struct arena *arena, struct frontier *f, const struct shards *shards,
    struct str parent, bool *children)
{
	for (size_t i = 0; i < shards->count; i++) {
		const struct shard *shard = &shards->base[i];

		if (!str_eq(shard->parent, parent))
			continue;
		*children = true;
		if (!add_place(f, shard->id, beginning_of(arena, shard)))
			return false;
	}
	return true;
}

/* Replaces every exhausted shard by its children. */
static enum table_rc
replace_exhausted(struct arena *arena, struct frontier *f, const struct shards *shards)
{
	size_t kept = 0, before = f->count;
	bool childless = false; /* a shard was dropped, and its children, if it had any, as well */

	for (size_t i = 0; i < before; i++) {
		struct place place = f->places[i];
		bool children = false;

		if (place.exhausted && !add_children(arena, f, shards, place.shard, &children))
			return TABLE_UNAVAILABLE;
		if (!place.exhausted || (!children && listed(shards, place.shard)))
			f->places[kept++] = place;
		else
			childless = childless || !children;
	}
	memmove(f->places + kept, f->places + before, (f->count - before) * sizeof(*f->places));
	f->count -= before - kept;
	if (childless && unread_root(f, shards))
		return TABLE_TRIMMED;
	/* All is read and dropped; what the stream has now is new. */
	return f->count > 0 || add_oldest(arena, f, shards, true) ? TABLE_OK : TABLE_UNAVAILABLE;
}

static enum table_rc
follow_lineage(struct dynamo *db, struct table_call *call, struct frontier *f)
{
	struct shards shards;
	bool exhausted = f->count == 0;
	enum table_rc rc;

	for (size_t i = 0; i < f->count; i++)
		exhausted = exhausted || f->places[i].exhausted;
	if (!exhausted)
		return TABLE_OK;
	rc = shards_list(db, call, &shards);
	return rc == TABLE_OK ? replace_exhausted(call->arena, f, &shards) : rc;
}

/* How many shards are read for one page. */
static size_t
at_once(uint32_t limit)
{
	return limit < SHARDS_AT_ONCE ? limit : SHARDS_AT_ONCE;
}

/* --- Beginning -------------------------------------------------------------------------------- */

/* Adds the shards that are being written to, each from now on. */
static enum table_rc
begin_now(
    struct dynamo *db, struct table_call *call, const struct shards *shards, struct frontier *f)
{
	struct shard_read *reads = ARENA_ARRAY(call->arena, shards->count, struct shard_read);
	struct clock real = clock_system();
	struct str now = str_fmt(call->arena, "@%lld", (long long)clock_now(&real));
	size_t open = 0;

	for (size_t i = 0; i < shards->count; i++) {
		if (shards->base[i].closed)
			continue;
		if (!add_place(f, shards->base[i].id, now))
			return TABLE_UNAVAILABLE;
		reads[open++] = (struct shard_read){.shard = shards->base[i].id, .place = now};
	}
	return shards_mark(db, call, reads, open);
}

/*
 * Shards beyond those that are read at once may lose their oldest records before their turn, so the
 * numbers of these are requested now.
 */
static enum table_rc
pin_later(struct dynamo *db, struct table_call *call, struct frontier *f, size_t from)
{
	enum table_rc rc = TABLE_OK;

	for (size_t count; rc == TABLE_OK && from < f->count; from += count) {
		struct shard_read reads[SHARDS_AT_ONCE] = {0};
		struct place *places = f->places + from;

		count = f->count - from < SHARDS_AT_ONCE ? f->count - from : SHARDS_AT_ONCE;
		for (size_t i = 0; i < count; i++)
			reads[i] = (struct shard_read){
			    .shard = places[i].shard, .place = places[i].at, .limit = 1};
		rc = shards_read(db, call, reads, count);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
			places[i].at = reads[i].count > 0
					   ? STR_CONCAT(call->arena, STR("="), reads[i].next)
					   : reads[i].next;
			places[i].exhausted = reads[i].count == 0 && reads[i].exhausted;
		}
	}
	return rc;
}

static enum table_rc
begin(struct dynamo *db, struct table_call *call, bool now, uint32_t limit, struct frontier *f)
{
	struct shards shards;
	enum table_rc rc = shards_list(db, call, &shards);

	if (rc != TABLE_OK)
		return rc;
	if (now)
		return begin_now(db, call, &shards, f);
	if (!add_oldest(call->arena, f, &shards, false))
		return TABLE_UNAVAILABLE;
	return pin_later(db, call, f, at_once(limit));
}

/* --- Reading ---------------------------------------------------------------------------------------- */

/* Reads from the first shards that have something; they are moved to the end of the position. */
static enum table_rc
read_some(struct dynamo *db, struct table_call *call, struct frontier *f, uint32_t limit,
    struct change_page *page)
{
	struct shard_read reads[SHARDS_AT_ONCE];
	struct place later[SHARDS_MAX];
	size_t count = 0, left = 0, most = at_once(limit), total = 0;
	enum table_rc rc;

	for (size_t i = 0; i < f->count; i++) {
		if (count < most && !f->places[i].exhausted)
			reads[count++] = (struct shard_read){
			    .shard = f->places[i].shard, .place = f->places[i].at};
		else
			later[left++] = f->places[i];
	}
	for (size_t i = 0; i < count; i++)
		reads[i].limit = limit / (uint32_t)count;
	rc = count > 0 ? shards_read(db, call, reads, count) : TABLE_OK;
	if (rc != TABLE_OK)
		return rc;
	for (size_t i = 0; i < count; i++) {
		total += reads[i].count;
		later[left++] = (struct place){
		    .shard = reads[i].shard, .at = reads[i].next, .exhausted = reads[i].exhausted};
	}
	page->records = ARENA_ARRAY(call->arena, total, struct change_record);
	for (size_t i = 0; i < count; i++) {
		if (reads[i].count > 0)
			memcpy(page->records + page->count, reads[i].records,
			    reads[i].count * sizeof(*page->records));
		page->count += reads[i].count;
	}
	memcpy(f->places, later, left * sizeof(*later));
	f->count = left;
	return TABLE_OK;
}

enum table_rc
dynamo_changes(struct table *table, struct table_call *call, struct str position, uint32_t limit,
    struct change_page *page)
{
	struct dynamo *db = (struct dynamo *)table;
	struct frontier *f = ARENA_NEW(call->arena, struct frontier);
	bool now = str_eq(position, STREAM_NOW);
	enum table_rc rc;

	if (now || str_eq(position, STREAM_OLDEST))
		rc = begin(db, call, now, limit, f);
	else
		rc = position_read(db, position, f);
	if (rc == TABLE_OK)
		rc = follow_lineage(db, call, f);
	if (rc == TABLE_OK && !now)
		rc = read_some(db, call, f, limit, page);
	if (rc == TABLE_OK)
		page->next = position_write(db, call->arena, f);
	else if (rc == TABLE_UNAVAILABLE && call->why == NULL)
		call->why = "the stream has more than a thousand shards";
	return rc;
}
