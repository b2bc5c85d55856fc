/*
 * Lists of the catalogue, joined: whatever lists there are, and however little of each is read at once, page after page gives what
 * a slow second implementation finds, each post once and in order. And prices, the words of materials, counted tags.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "model/key_catalogue.h"
#include "model/post/catalogue.h"
#include "table/cursor_key.h"
#include "text/material.h"

#include <stdlib.h>

enum { POSTS = 300, LISTS = 3, ROUNDS = 60 };

static uint64_t state = 88172645463325252;

static uint64_t
chance(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* Posts by their place, last first, and in which of the lists each is. */
struct world {
	struct arena *arena;
	bool in[POSTS][LISTS];
};

static struct str
place_of(struct arena *arena, size_t post)
{
	return str_fmt(arena, "2026-01-01T00:%02zu:%02zu.000Z#post-%03zu", post / 60, post % 60, post);
}

static struct item
entry_of(struct arena *arena, size_t post, const struct query *query)
{
	struct item item = {0};
	struct catalogue_entry entry = {
	    .post = str_fmt(arena, "post-%03zu", post), .stars = (int64_t)(post % 5) * 10};

	catalogue_entry_to_item(arena, &entry, &item);
	item_set(arena, &item, STR("PK"), value_string(STR_CONCAT(arena, STR("CATALOGUED#"), entry.post)));
	item_set(arena, &item, STR("SK"), value_string(query->partition));
	item_set(arena, &item, table_pk_name(query->index), value_string(query->partition));
	item_set(arena, &item, table_sk_name(query->index), value_string(place_of(arena, post)));
	return item;
}

/* What a table would answer, of `most` items at most. */
static void
answer(const struct world *w, struct read *read, size_t list, size_t most)
{
	struct cursor_key from = {.place = STR("")};
	struct item *found = ARENA_ARRAY(w->arena, most, struct item);

	read->found = found;
	read->found_count = 0;
	read->next = STR("");
	if (read->query.cursor.len != 0 && !cursor_key_read(&read->query, &from))
		bail_out("a cursor is none of this query");
	for (size_t post = POSTS; post-- > 0;) {
		struct str place = place_of(w->arena, post);

		if (!w->in[post][list] || (from.place.len != 0 && str_cmp(place, from.place) >= 0))
			continue;
		if (read->found_count == most) {
			read->next = cursor_key_write(w->arena, &read->query, &found[most - 1]);
			return;
		}
		found[read->found_count++] = entry_of(w->arena, post, &read->query);
	}
}

static bool
has_stars(const struct catalogue_entry *entry, const void *context)
{
	return entry->stars >= *(const int64_t *)context;
}

/* All pages, as the names of the posts. */
static struct str
page_by_page(const struct world *w, size_t lists, int64_t stars, size_t most, uint32_t limit)
{
	struct catalogue_query query = {.count = lists, .limit = limit, .passes = has_stars, .context = &stars};
	struct str text = STR("");

	for (size_t i = 0; i < lists; i++)
		query.lists[i] = str_fmt(w->arena, "LINK#%zu", i);
	for (size_t pages = 0; pages < 3 * POSTS; pages++) {
		struct read reads[LISTS];
		struct catalogue found;

		catalogue_prepare(w->arena, &query, reads);
		for (size_t i = 0; i < lists; i++)
			answer(w, &reads[i], i, most);
		catalogue_take(w->arena, &query, reads, &found);
		for (size_t i = 0; i < found.count; i++)
			text = STR_CONCAT(w->arena, text, STR(" "), found.entries[i].post);
		if (found.count > limit)
			return STR("more than a page has");
		query.cursor = found.next;
		if (found.next.len == 0)
			return text;
	}
	return STR("there is no end");
}

static struct str
slowly(const struct world *w, size_t lists, int64_t stars)
{
	struct str text = STR("");

	for (size_t post = POSTS; post-- > 0;) {
		bool all = (int64_t)(post % 5) * 10 >= stars;

		for (size_t i = 0; i < lists; i++)
			all = all && w->in[post][i];
		if (all)
			text = STR_CONCAT(w->arena, text, str_fmt(w->arena, " post-%03zu", post));
	}
	return text;
}

static void
joined(void)
{
	bool same = true;

	for (int round = 0; round < ROUNDS && same; round++) {
		struct world *w = calloc(1, sizeof(*w));
		size_t lists = 1 + chance(LISTS), most = 1 + chance(40);
		int64_t stars = (int64_t)chance(4) * 10;
		uint32_t limit = 1 + (uint32_t)chance(20);
		uint64_t odds[LISTS];

		w->arena = arena_new();
		for (size_t i = 0; i < LISTS; i++)
			odds[i] = 1 + chance(10);
		for (size_t post = 0; post < POSTS; post++)
			for (size_t i = 0; i < LISTS; i++)
				w->in[post][i] = chance(odds[i]) == 0;
		same = str_eq(page_by_page(w, lists, stars, most, limit), slowly(w, lists, stars));
		arena_free(w->arena);
		free(w);
	}
	ok(same, "lists that are joined page by page are what is in all of them");
}

static void
small_things(struct arena *arena)
{
	static const struct {
		const char *cost;
		int64_t cents;
	} costs[] = {{"", 0}, {"0", 0}, {"12", 1200}, {"12.5", 1250}, {"12.50", 1250}, {"0.05", 5},
	    {"999999999.99", 99999999999}};
	struct str *words, all = STR("");
	size_t word_count = material_words(arena, STR("de"), STR("Crème fraîche, 25 × 2 kg of 80er Öl und Nägel"), &words);
	const struct str first[] = {STR("tide"), STR("boats")}, second[] = {STR("boats"), STR("sea")};
	const struct catalogue_entry entries[] = {{.tags = {first, 2}}, {.tags = {second, 2}}};
	const struct strings_value known = {second + 1, 1};
	const struct tag_count *tags;
	size_t count;

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
		is_int(catalogue_cents(str_of(costs[i].cost)), costs[i].cents, "\"%s\" in cents", costs[i].cost);
	for (size_t i = 0; i < word_count; i++)
		all = STR_CONCAT(arena, all, STR(" "), words[i]);
	is_str(all, STR(" crem fraich ol und nagel"), "a material has its words, by their stems, without numbers and what is short");
	tags = catalogue_tags(arena, entries, 2, &known, 5, &count);
	ok(count == 2 && str_eq(tags[0].tag, STR("boats")) && tags[0].count == 2 &&
		str_eq(tags[1].tag, STR("tide")),
	    "tags are counted, the most frequent first, without those that are known");
	(void)catalogue_tags(arena, entries, 2, &known, 1, &count);
	is_int((int64_t)count, 1, "... and no more than are wanted");
}

int
main(void)
{
	struct arena *arena = arena_new();

	joined();
	small_things(arena);
	arena_free(arena);
	return tap_done();
}
