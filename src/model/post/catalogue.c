#include "model/post/catalogue.h"

#include "base/arena.h"
#include "model/key_catalogue.h"
#include "table/cursor_key.h"

#include <stdlib.h>

static const struct binding bindings[] = {
    BIND_TEXT(RECORDED, "Cost", struct catalogue_entry, cost, TEXT_AMOUNT),
    BIND_TEXT(RECORDED, "Currency", struct catalogue_entry, currency, TEXT_CURRENCY),
    BIND_CHOICE(RECORDED, "Difficulty", struct catalogue_entry, difficulty, post_difficulties),
    BIND_NUMBER(RECORDED, "Materials", struct catalogue_entry, materials),
    BIND_NUMBER(RECORDED, "Minutes", struct catalogue_entry, minutes),
    BIND_STRING(RECORDED, "Post", struct catalogue_entry, post),
    BIND_NUMBER(RECORDED, "Stars", struct catalogue_entry, stars),
    BIND_TEXTS(RECORDED, "Tags", struct catalogue_entry, tags, TEXT_SLUG),
    BIND_NUMBER(RECORDED, "Which", struct catalogue_entry, which),
};
const struct binding_table catalogue_bindings = BINDINGS(bindings);

void
catalogue_entry_of(const struct post *post, struct catalogue_entry *out)
{
	*out = (struct catalogue_entry){.post = post->id, .tags = post->tags};
	if (post->ratings > 0)
		out->stars = (post->stars * 10 + post->ratings / 2) / post->ratings;
	if (post->kind != KIND_HOWTO)
		return;
	out->difficulty = post->difficulty;
	out->minutes = post->minutes;
	out->cost = post->cost;
	out->currency = post->currency;
}

void
catalogue_entry_from_item(
    struct arena *arena, const struct item *item, struct catalogue_entry *out)
{
	*out = (struct catalogue_entry){.stars = 0};
	bind_read(arena, &catalogue_bindings, item, out);
}

void
catalogue_entry_to_item(
    struct arena *arena, const struct catalogue_entry *entry, struct item *item)
{
	bind_write(arena, &catalogue_bindings, entry, item);
}

int64_t
catalogue_cents(struct str cost)
{
	struct str rest, whole = str_cut(cost, '.', &rest);
	int64_t cents = 0, part = 0;

	if (!str_int(whole, &cents) || cents < 0 || cents > 999999999)
		return cost.len == 0 ? 0 : 99999999999;
	if (rest.len == 0 || !str_int(str_sub(rest, 0, 2), &part))
		part = 0;
	return cents * 100 + (rest.len == 1 ? part * 10 : part);
}

/* --- Lists -------------------------------------------------------------------------------------------- */

void
catalogue_prepare(struct arena *arena, const struct catalogue_query *query, struct read *reads)
{
	struct cursor_key from;
	bool on = false;

	for (size_t i = 0; i < query->count; i++) {
		reads[i] = (struct read){.kind = READ_QUERY,
		    .query = query_catalogue(arena, query->lists[i], query->order)};
		reads[i].query.limit = CATALOGUE_READ;
		/* The cursor is the first list's; an invalid one makes that read fail. */
		if (i == 0)
			reads[i].query.cursor = query->cursor;
		if (i == 0)
			on = query->cursor.len != 0 && cursor_key_read(&reads[0].query, &from);
		else if (on)
			reads[i].query.cursor =
			    cursor_key_make(arena, &reads[i].query, from.key, from.place);
	}
}

static struct str
place_of(const struct read *read, size_t i)
{
	return item_string(&read->found[i], table_sk_name(read->query.index));
}

/* Does `a` come before `b` in this list? */
static bool
is_before(const struct read *read, struct str a, struct str b)
{
	int order = str_cmp(a, b);

	return read->query.descending ? order > 0 : order < 0;
}

/*
 * Up to where all lists have been read: the first of the last items of those that go on, and its place. NULL: to the end of
 * all.
 */
static const struct item *
reach(const struct read *reads, size_t count, struct str *place)
{
	const struct item *first = NULL;

	for (size_t i = 0; i < count; i++) {
		struct str last;

		if (reads[i].next.len == 0 || reads[i].found_count == 0)
			continue;
		last = place_of(&reads[i], reads[i].found_count - 1);
		if (first != NULL && !is_before(&reads[i], last, *place))
			continue;
		first = &reads[i].found[reads[i].found_count - 1];
		*place = last;
	}
	return first;
}

/* Is this place in the others, too? *at is how far each was gone through. */
static bool
in_all(const struct read *reads, size_t count, size_t *at, struct str place)
{
	for (size_t i = 1; i < count; i++) {
		while (at[i] < reads[i].found_count &&
		       is_before(&reads[i], place_of(&reads[i], at[i]), place))
			at[i]++;
		if (at[i] == reads[i].found_count || !str_eq(place_of(&reads[i], at[i]), place))
			return false;
	}
	return true;
}

void
catalogue_take(struct arena *arena, const struct catalogue_query *query, const struct read *reads,
    struct catalogue *out)
{
	struct str end = STR(""), place;
	const struct item *last = reach(reads, query->count, &end);
	size_t at[CATALOGUE_LISTS_MAX] = {0}, limit = query->limit;
	size_t most = query->count == 0 || reads[0].found_count < limit ? reads[0].found_count : limit;
	bool full = false;

	*out = (struct catalogue){.entries = ARENA_ARRAY(arena, most, struct catalogue_entry),
	    .items = ARENA_ARRAY(arena, most, struct item)};
	for (size_t i = 0; i < reads[0].found_count && !full; i++) {
		struct catalogue_entry entry;

		place = place_of(&reads[0], i);
		if (last != NULL && is_before(&reads[0], end, place))
			break;
		if (!in_all(reads, query->count, at, place))
			continue;
		catalogue_entry_from_item(arena, &reads[0].found[i], &entry);
		if (query->passes != NULL && !query->passes(&entry, query->context))
			continue;
		out->items[out->count] = reads[0].found[i];
		out->entries[out->count++] = entry;
		full = out->count == limit;
		if (full && (i + 1 < reads[0].found_count || reads[0].next.len != 0))
			out->next = cursor_key_make(arena, &reads[0].query,
			    item_key(&reads[0].found[i]), place);
	}
	/* Not all of what lies within reach of all lists was there to be shown: it goes on behind it. */
	if (!full && last != NULL)
		out->next = cursor_key_make(arena, &reads[0].query, item_key(last), end);
}

/* --- Tags --------------------------------------------------------------------------------------------- */

static int
most_often_first(const void *a, const void *b)
{
	const struct tag_count *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count ? 1 : -1) : str_cmp(x->tag, y->tag);
}

static bool
is_among(const struct strings_value *tags, struct str tag)
{
	for (size_t i = 0; i < tags->count; i++)
		if (str_eq(tags->strings[i], tag))
			return true;
	return false;
}

const struct tag_count *
catalogue_tags(struct arena *arena, const struct catalogue_entry *entries, size_t entry_count,
    const struct strings_value *known, size_t most, size_t *count)
{
	struct tag_count *tags;
	size_t all = 0;

	for (size_t i = 0; i < entry_count; i++)
		all += entries[i].tags.count;
	tags = ARENA_ARRAY(arena, all, struct tag_count);
	*count = 0;
	for (size_t i = 0; i < entry_count; i++) {
		for (size_t j = 0; j < entries[i].tags.count; j++) {
			struct str tag = entries[i].tags.strings[j];
			size_t k = 0;

			while (k < *count && !str_eq(tags[k].tag, tag))
				k++;
			if (k == *count && is_among(known, tag))
				continue;
			if (k == *count)
				tags[(*count)++] = (struct tag_count){tag, 0};
			tags[k].count++;
		}
	}
	qsort(tags, *count, sizeof(*tags), most_often_first);
	if (*count > most)
		*count = most;
	return tags;
}
