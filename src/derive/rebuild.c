#include "derive/rebuild.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/kinds.h"
#include "model/people/common.h"

#include <assert.h>

enum { ITEMS = 100 };

struct work_rebuild
rebuild_all_but(struct arena *arena, struct str without, int64_t now)
{
	struct str *names = ARENA_ARRAY(arena, derivation_count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < derivation_count; i++)
		if (without.len == 0 || !str_eq(derivations[i].name, without))
			names[count++] = derivations[i].name;
	return (struct work_rebuild){.names = {names, count}, .begun = now};
}

struct work_rebuild
rebuild_all(struct arena *arena, int64_t now)
{
	return rebuild_all_but(arena, STR(""), now);
}

/* True once for each subject, and again when many others came between. */
static bool
is_new(struct rebuild *r, const struct derivation *derivation, struct str subject)
{
	uint64_t hash = common_hash(subject) * 31 + common_hash(derivation->name);
	uint64_t *slot = &r->seen[hash % REBUILD_SEEN];
	bool new = *slot != hash;

	*slot = hash;
	return new;
}

/* --- Together ----------------------------------------------------------------------------------------- */

static enum table_rc
gather(struct rebuild *r, const struct derivation *derivation, struct str subject)
{
	bool full = false;
	enum table_rc rc;

	assert(r->bulk_of == NULL || r->bulk_of == derivation);
	r->derive->by = derivation;
	if (r->bulk == NULL)
		r->bulk = derivation->bulk->begin(r->derive);
	r->bulk_of = derivation;
	rc = derivation->bulk->add(r->bulk, r->derive, subject, &full);
	r->writing = r->writing || full;
	return rc;
}

static void
end_bulk(struct rebuild *r)
{
	if (r->bulk != NULL)
		r->bulk_of->bulk->end(r->bulk);
	r->bulk = NULL;
	r->bulk_of = NULL;
	r->writing = false;
}

void
rebuild_drop(struct rebuild *r)
{
	end_bulk(r);
	memset(r->seen, 0, sizeof(r->seen));
	r->walked = false;
	arena_free(r->kept);
	r->kept = NULL;
}

static enum table_rc
write_gathered(struct rebuild *r)
{
	bool done = false;
	enum table_rc rc;

	r->derive->by = r->bulk_of;
	rc = r->bulk_of->bulk->step(r->bulk, r->derive, &done);
	if (rc == TABLE_OK && done)
		end_bulk(r);
	return rc;
}

/* --- The walk ----------------------------------------------------------------------------------------- */

/* It is to be derived again. */
static void
forget(struct rebuild *r, const struct derivation *derivation, struct str subject)
{
	r->seen[(common_hash(subject) * 31 + common_hash(derivation->name)) % REBUILD_SEEN] = 0;
}

static enum table_rc
derive_one(struct rebuild *r, const struct derivation *derivation, struct key key,
    const struct kind *kind)
{
	struct derive *d = r->derive;
	struct arena *arena = d->call->arena;
	struct str subject = derivation->subject(arena, key, kind);
	int64_t before = d->differences;
	enum table_rc rc;

	if (subject.len == 0 || !is_new(r, derivation, subject))
		return TABLE_OK;
	rc = derivation->bulk != NULL && !d->check ? gather(r, derivation, subject)
						  : derive_subject(d, derivation, subject);
	if (rc != TABLE_OK)
		forget(r, derivation, subject);
	if (rc != TABLE_OK)
		d->call->why = str_fmt(arena, "%.*s of %.*s: %s", STR_ARGS(derivation->name),
		    STR_ARGS(subject), d->call->why != NULL ? d->call->why : table_rc_text(rc))
				   .base;
	else if (d->differences != before && r->tell != NULL)
		r->tell(r->context, derivation, subject, d->first);
	return rc;
}

static enum table_rc
walk(struct rebuild *r, struct str *next)
{
	struct derive *d = r->derive;
	const struct kind *kinds[ITEMS];
	struct walk_page page;
	enum table_rc rc = table_walk(d->table, d->call, r->state.cursor, ITEMS, &page);

	for (size_t i = 0; rc == TABLE_OK && i < page.count; i++)
		kinds[i] = kind_of_key(item_key(&page.items[i]));
	for (size_t n = 0; rc == TABLE_OK && n < r->state.names.count; n++) {
		const struct derivation *derivation = derivation_find(r->state.names.strings[n]);

		for (size_t i = 0; derivation != NULL && rc == TABLE_OK && i < page.count; i++)
			rc = derive_one(r, derivation, item_key(&page.items[i]), kinds[i]);
	}
	if (rc != TABLE_OK)
		return rc;
	r->state.items += (int64_t)page.count;
	*next = page.next;
	r->walked = page.next.len == 0;
	r->writing = r->bulk != NULL && (r->writing || r->walked);
	return TABLE_OK;
}

enum table_rc
rebuild_step(struct rebuild *r, bool *done)
{
	struct derive *d = r->derive;
	struct arena *outer = d->call->arena;
	int64_t before = d->differences;
	struct str next = r->state.cursor;
	enum table_rc rc;

	*done = false;
	d->whole = true;
	arena_reset(r->arena);
	d->call->arena = r->arena;
	rc = r->writing ? write_gathered(r) : walk(r, &next);
	d->call->arena = outer;
	if (rc != TABLE_OK) {
		if (d->call->why != NULL)
			d->call->why = str_cstring(outer, str_of(d->call->why));
		return rc;
	}
	r->state.differences += d->differences - before;
	r->state.cursor = str_dup(outer, next);
	*done = r->walked && r->bulk == NULL;
	if (*done)
		rebuild_drop(r);
	return TABLE_OK;
}

static enum table_rc
note_done(struct rebuild *r)
{
	struct derive *d = r->derive;
	enum table_rc rc = TABLE_OK;

	for (size_t n = 0; rc == TABLE_OK && n < r->state.names.count; n++) {
		const struct derivation *derivation = derivation_find(r->state.names.strings[n]);
		struct work_derived derived = {.name = r->state.names.strings[n],
		    .version = derivation != NULL ? derivation->version : 0,
		    .rebuilt_at = clock_now(d->clock),
		    .items = r->state.items,
		    .differences = r->state.differences};

		rc = work_note_derived(d->table, d->call, &derived);
	}
	return rc;
}

enum table_rc
rebuild_step_kept(struct rebuild *r, bool *done)
{
	struct work_rebuild was = r->state;
	enum table_rc rc;

	if (r->kept == NULL) {
		r->kept = arena_new();
		r->stored = r->state;
		r->stored.cursor = str_dup(r->kept, r->state.cursor);
	}
	was.cursor = str_dup(r->derive->call->arena, r->stored.cursor);
	rc = rebuild_step(r, done);
	if (rc == TABLE_OK && *done)
		rc = note_done(r);
	if (rc != TABLE_OK || r->bulk != NULL)
		return rc;
	arena_free(r->kept);
	r->kept = NULL;
	return work_store_rebuild(r->derive->table, r->derive->call, &was, *done ? NULL : &r->state);
}
