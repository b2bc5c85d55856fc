#include "derive/derivation.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/clock.h"
#include "derive/letters.h"
#include "derive/rows.h"
#include "model/key_outbox.h"
#include "model/kinds.h"
#include "model/plan.h"

#include <time.h>

const struct derivation derivations[] = {
    {
	.name = STR_INIT("copies"),
	.summary = "names of people and titles of posts, where other items show them",
	.version = 1,
	.subject = copies_subject,
	.derive = copies_derive,
    },
    {
	.name = STR_INIT("html"),
	.summary = "HTML of texts that an older version of the program has rendered",
	.version = HTML_VERSION,
	.subject = html_subject,
	.derive = html_derive,
    },
    {
	.name = STR_INIT("feed"),
	.summary = "what is new of whom people follow, in their feeds",
	.version = 1,
	.subject = feed_subject,
	.derive = feed_derive,
    },
    {
	.name = STR_INIT("due"),
	.summary = "which published posts are yet to come",
	.version = 1,
	.subject = due_subject,
	.derive = due_derive,
    },
    {
	.name = STR_INIT("rankings"),
	.summary = "the best, the most discussed and the disputed posts, and figures of months, weeks and authors",
	.version = 3,
	.subject = rankings_subject,
	.derive = rankings_derive,
    },
    {
	.name = STR_INIT("catalogue"),
	.summary = "posts by what they are: links and how-tos by tags, materials, addresses",
	.version = 2,
	.subject = catalogue_subject,
	.derive = catalogue_derive,
    },
    {
	.name = STR_INIT("series"),
	.summary = "which part of a series a post is, and the ones beside it",
	.version = 1,
	.subject = series_subject,
	.derive = series_derive,
    },
    {
	.name = STR_INIT("notifications"),
	.summary = "what people are told of what others do, and how much of it they have not read",
	.version = 2,
	.subject = notifications_subject,
	.derive = notifications_derive,
    },
    {
	.name = STR_INIT("search"),
	.summary = "what the search finds",
	.version = 3,
	.subject = search_subject,
	.derive = search_derive,
	.bulk = &search_bulk,
    },
    {
	.name = STR_INIT("queue"),
	.summary = "what moderators are told of what waits for them",
	.version = 2,
	.subject = queue_subject,
	.derive = queue_derive,
    },
};
const size_t derivation_count = sizeof(derivations) / sizeof(derivations[0]);

enum { PAGE = 50, CONFLICTS_MAX = 20, PAUSE_NS = 2 * 1000 * 1000 };

const struct derivation *
derivation_find(struct str name)
{
	for (size_t i = 0; i < derivation_count; i++)
		if (str_eq(derivations[i].name, name))
			return &derivations[i];
	return NULL;
}

/* No key of ours has a tab. */
struct str
subject_of_key(struct arena *arena, struct key key)
{
	return STR_CONCAT(arena, key.pk, STR("\t"), key.sk);
}

struct key
subject_key(struct str subject)
{
	struct key key;

	key.pk = str_cut(subject, '\t', &key.sk);
	return key;
}

/* --- Differences ------------------------------------------------------------------------------------- */

/* The attribute is as it was read. */
static struct condition
unchanged(const struct item *is, struct str name)
{
	const struct value *value = item_get(is, name);

	return value != NULL ? (struct condition){COND_EQ, .name = name, .value = *value}
			     : (struct condition){COND_MISSING, .name = name};
}

/* What an update changes is as it was read, and so is the version of the item, if it has one. */
static const struct condition *
as_read(struct arena *arena, const struct item *is, const struct write *write)
{
	static const struct str versions[] = {
	    STR_INIT("PK"), STR_INIT("Version"), STR_INIT("Revision"), STR_INIT("UpdatedAt")};
	size_t fixed = sizeof(versions) / sizeof(versions[0]), count = 0;
	struct condition *each =
	    ARENA_ARRAY(arena, 1 + fixed + write->change_count, struct condition);

	for (size_t i = 0; i < fixed; i++)
		each[1 + count++] = unchanged(is, versions[i]);
	for (size_t i = 0; i < write->change_count; i++)
		each[1 + count++] = unchanged(is, write->changes[i].name);
	each[0] = (struct condition){COND_ALL, .children = each + 1, .count = count};
	return each;
}

/* All that the item has, or might have, is as it was read: what it counts depends on all of it, whichever of it changes. */
static const struct condition *
all_as_read(struct arena *arena, const struct item *is)
{
	const struct binding_table *const *tables = kind_of(is)->bindings;
	struct condition *all = ARENA_NEW(arena, struct condition), *each;
	size_t most = is->count, count = 0;

	for (size_t t = 0; tables[t] != NULL; t++)
		most += tables[t]->count;
	each = ARENA_ARRAY(arena, most, struct condition);
	for (size_t i = 0; i < is->count; i++)
		each[count++] = unchanged(is, is->attributes[i].name);
	for (size_t t = 0; tables[t] != NULL; t++)
		for (size_t i = 0; i < tables[t]->count; i++)
			if (item_get(is, tables[t]->bindings[i].name) == NULL)
				each[count++] = unchanged(is, tables[t]->bindings[i].name);
	*all = (struct condition){COND_ALL, .children = each, .count = count};
	return all;
}

/* Nothing is there, or what nobody sees any more, since it has expired and was not removed yet. */
static const struct condition *
absent(struct derive *d)
{
	struct condition *each = ARENA_ARRAY(d->call->arena, 3, struct condition);

	each[0] = (struct condition){COND_ANY, .children = each + 1, .count = 2};
	each[1] = plan_absent;
	each[2] = (struct condition){COND_LE,
	    .name = TABLE_EXPIRES,
	    .value = value_number(clock_now(d->clock) / 1000)};
	return each;
}

/* A derivation adds and removes items of the kinds that name it; of others it changes attributes at most. */
static bool
are_its_own(const struct derive *d, const struct write *writes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct kind *kind = writes[i].kind == WRITE_PUT ? kind_of(&writes[i].item)
								      : kind_of_key(writes[i].key);

		if (writes[i].kind != WRITE_UPDATE && (kind == NULL || !kind_derived_by(kind, d->by->name)))
			return false;
	}
	return true;
}

/* False: there is no difference. */
static bool
difference(struct derive *d, const struct item *is, const struct item *wanted, struct write *out)
{
	struct arena *arena = d->call->arena;

	if (is == NULL && wanted == NULL)
		return false;
	if (is == NULL) {
		*out = (struct write){.kind = WRITE_PUT, .item = *wanted, .condition = absent(d)};
		return true;
	}
	if (wanted == NULL) {
		*out = (struct write){.kind = WRITE_DELETE, .key = item_key(is)};
		out->condition = as_read(arena, is, out);
		return true;
	}
	*out = plan_difference(arena, item_key(is), is, wanted);
	out->condition = as_read(arena, is, out);
	return out->change_count != 0;
}

/* The difference, noted; false: there is none. */
static bool
differs(struct derive *d, const struct item *is, const struct item *wanted, struct write *write)
{
	struct key key;

	if (!difference(d, is, wanted, write))
		return false;
	assert_whole(are_its_own(d, write, 1));
	key = item_key(is != NULL ? is : wanted);
	if (d->first.len == 0)
		d->first = STR_CONCAT(d->call->arena, key.pk, STR(" / "), key.sk);
	d->differences++;
	return true;
}

enum table_rc
derive_item(struct derive *d, const struct item *is, const struct item *wanted)
{
	struct write write;

	if (!differs(d, is, wanted, &write))
		return TABLE_OK;
	/* On the condition of what it replaces it may come late or twice: so it goes without a transaction, at half the price. */
	return d->check ? TABLE_OK : table_write_each(d->table, d->call, &write, 1);
}

enum table_rc
derive_counted(struct derive *d, const struct item *is, const struct item *wanted)
{
	struct plan plan = {.table = d->table, .call = d->call, .clock = d->clock};
	struct write write;

	if (!differs(d, is, wanted, &write) || d->check)
		return TABLE_OK;
	if (is != NULL)
		write.condition = all_as_read(d->call->arena, is);
	plan_add(&plan, write, PLAN_CHANGED);
	plan_recount(&plan, is, wanted);
	switch (plan_commit(&plan)) {
	case PLAN_DONE: return TABLE_OK;
	case PLAN_TABLE: return plan.failed;
	default: return TABLE_CONDITION;
	}
}

/* Of a partition's items, the one of this key. */
static const struct item *
found_at(const struct item *items, size_t count, struct key key)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(item_key(&items[i]).sk, key.sk))
			return &items[i];
	return NULL;
}

enum table_rc
derive_items(struct derive *d, const struct item *there, size_t there_count,
    const struct item *wanted, size_t wanted_count)
{
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < there_count; i++)
		if (found_at(wanted, wanted_count, item_key(&there[i])) == NULL)
			rc = derive_item(d, &there[i], NULL);
	for (size_t i = 0; rc == TABLE_OK && i < wanted_count; i++)
		rc = derive_item(
		    d, found_at(there, there_count, item_key(&wanted[i])), &wanted[i]);
	return rc;
}

enum table_rc
derive_letters(struct derive *d, const struct letter *letters, size_t count)
{
	size_t added;
	enum table_rc rc = outbox_add(
	    d->table, d->call, letters, count, clock_now(d->clock), d->check, &added);

	if (added != 0 && d->first.len == 0) {
		struct key key = key_letter(
		    d->call->arena, letters[0].to, letters[0].what, letters[0].thing);

		d->first = STR_CONCAT(d->call->arena, key.pk, STR(" / "), key.sk);
	}
	d->differences += (int64_t)added;
	return rc;
}

static enum table_rc
write_all(struct derive *d, struct write *writes, size_t count, bool apart)
{
	enum table_rc rc = TABLE_OK;

	if (count != 0 && d->first.len == 0) {
		struct key key = writes[0].kind == WRITE_PUT ? item_key(&writes[0].item) : writes[0].key;

		d->first = STR_CONCAT(d->call->arena, key.pk, STR(" / "), key.sk);
	}
	d->differences += (int64_t)count;
	assert_whole(are_its_own(d, writes, count));
	if (d->check)
		return TABLE_OK;
	for (size_t at = 0; rc == TABLE_OK && at < count; at += TABLE_BATCH_MAX) {
		size_t some = count - at < TABLE_BATCH_MAX ? count - at : TABLE_BATCH_MAX;

		if (some == 1)
			rc = table_write(d->table, d->call, &writes[at]);
		else
			rc = apart ? table_write_each(d->table, d->call, &writes[at], some)
				   : table_transact(d->table, d->call, &writes[at], some, STR(""));
	}
	return rc;
}

enum table_rc
derive_writes(struct derive *d, struct write *writes, size_t count)
{
	return write_all(d, writes, count, false);
}

enum table_rc
derive_writes_apart(struct derive *d, struct write *writes, size_t count)
{
	return write_all(d, writes, count, true);
}

enum table_rc
derive_pages(struct derive *d, struct query query,
    enum table_rc (*visit)(struct derive *d, const struct item *found, size_t count, void *context),
    void *context)
{
	struct arena *outer = d->call->arena, *page = arena_new();
	enum table_rc rc;

	do {
		struct item *found;
		size_t count;
		struct str next, first = d->first;

		d->call->arena = page;
		rc = table_query(d->table, d->call, &query, &found, &count, &next);
		if (rc == TABLE_OK)
			rc = visit(d, found, count, context);
		table_release(d->table, d->call);
		query.cursor = rc == TABLE_OK ? str_dup(outer, next) : STR("");
		if (first.len == 0 && d->first.len != 0)
			d->first = str_dup(outer, d->first);
		d->call->arena = outer;
		if (d->call->why != NULL)
			d->call->why = str_cstring(outer, str_of(d->call->why));
		arena_reset(page);
	} while (rc == TABLE_OK && query.cursor.len != 0);
	arena_free(page);
	return rc;
}

struct each {
	enum table_rc (*visit)(struct derive *d, const struct item *item, void *context);
	void *context;
};

static enum table_rc
visit_each(struct derive *d, const struct item *found, size_t count, void *context)
{
	const struct each *each = context;
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		rc = each->visit(d, &found[i], each->context);
	return rc;
}

enum table_rc
derive_each(struct derive *d, struct query query,
    enum table_rc (*visit)(struct derive *d, const struct item *item, void *context), void *context)
{
	struct each each = {visit, context};

	query.limit = PAGE;
	return derive_pages(d, query, visit_each, &each);
}

/* --- Subjects ---------------------------------------------------------------------------------------- */

static bool
is_late(enum table_rc rc)
{
	return rc == TABLE_CONDITION || rc == TABLE_CANCELLED || rc == TABLE_CONFLICT;
}

enum table_rc
derive_subject(struct derive *d, const struct derivation *derivation, struct str subject)
{
	struct arena *outer = d->call->arena;
	int64_t before = d->differences;
	bool lost = d->call->can_be_lost;
	enum table_rc rc = TABLE_CONFLICT;

	d->by = derivation;
	/* What led here is only put aside, durably, after all is written. */
	d->call->can_be_lost = true;
	for (int i = 0; i < CONFLICTS_MAX && is_late(rc); i++) {
		const struct timespec pause = {.tv_nsec = (long)i * PAUSE_NS};
		struct arena *arena = arena_new();

		if (i != 0)
			nanosleep(&pause, NULL);
		d->differences = before;
		d->first = STR("");
		d->call->arena = arena;
		rc = table_hold(d->table, d->call);
		if (rc == TABLE_OK)
			rc = derivation->derive(d, subject);
		d->first = str_dup(outer, d->first);
		table_release(d->table, d->call);
		d->call->arena = outer;
		if (d->call->why != NULL)
			d->call->why = str_cstring(outer, str_of(d->call->why));
		arena_free(arena);
	}
	d->call->can_be_lost = lost;
	return rc;
}
