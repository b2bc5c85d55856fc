#include "web/search/search_private.h"

#include "base/arena.h"

#include <stdlib.h>

/* Of BM25: how soon more of the same word adds little, and how much the length of a text counts. */
#define K1 1.2
#define B 0.75

struct search_list
search_list_of(struct arena *arena, const struct read *read, uint64_t low, uint64_t high)
{
	struct search_list list = {.blocks = read->found_count, .whole = read->next.len == 0};
	struct posting block[POSTINGS_MAX];
	size_t bytes = 0;

	for (size_t i = 0; i < read->found_count; i++)
		bytes += item_binary(&read->found[i], STR("Postings")).len;
	list.postings = arena_room(arena, (bytes / 3 + 1) * sizeof(*list.postings));
	for (size_t i = read->found_count; i-- > 0;) {
		size_t count = postings_read(item_binary(&read->found[i], STR("Postings")), block);

		if (!list.whole && list.from == 0 && count != 0)
			list.from = block[0].number;
		for (size_t k = 0; k < count; k++)
			if (block[k].number >= low && block[k].number <= high)
				list.postings[list.count++] = block[k];
	}
	return list;
}

const struct posting *
search_list_find(const struct search_list *list, uint64_t number)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->postings[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->count && list->postings[low].number == number ? &list->postings[low] : NULL;
}

/* --- Scores ------------------------------------------------------------------------------------------- */

void
search_scale_make(struct search_scale *scale, double average)
{
	for (unsigned code = 0; code <= UINT8_MAX; code++)
		scale->by_length[code] =
		    (float)(K1 * (1 - B + B * postings_length((uint8_t)code) / (average > 0 ? average : 1)));
}

float
search_score(const struct search_scale *scale, const struct posting *posting, double weight)
{
	float frequency = posting->frequency;

	return (float)(weight * (K1 + 1)) * frequency / (frequency + scale->by_length[posting->length]);
}

struct search_matches
search_matches_of(struct arena *arena, const struct search_scale *scale, const struct search_list *list,
    double weight, uint32_t word)
{
	struct search_matches out = {.count = list->count};

	out.all = arena_room(arena, (list->count + 1) * sizeof(*out.all));
	for (size_t i = 0; i < list->count; i++)
		out.all[i] = (struct search_match){.number = list->postings[i].number,
		    .score = search_score(scale, &list->postings[i], weight),
		    .words = word,
		    .after = list->postings[i].after,
		    .kind = list->postings[i].kind};
	return out;
}

/* --- Together ----------------------------------------------------------------------------------------- */

static struct search_matches
join(struct arena *arena, struct search_matches a, struct search_matches b)
{
	struct search_matches out = {0};
	size_t i = 0, j = 0;

	out.all = arena_room(arena, (a.count + b.count + 1) * sizeof(*out.all));
	while (i < a.count && j < b.count) {
		if (a.all[i].number < b.all[j].number) {
			out.all[out.count++] = a.all[i++];
		} else if (a.all[i].number > b.all[j].number) {
			out.all[out.count++] = b.all[j++];
		} else {
			out.all[out.count] = a.all[i++];
			out.all[out.count].score += b.all[j].score;
			out.all[out.count++].words |= b.all[j++].words;
		}
	}
	while (i < a.count)
		out.all[out.count++] = a.all[i++];
	while (j < b.count)
		out.all[out.count++] = b.all[j++];
	return out;
}

static int
shorter(const void *a, const void *b)
{
	const struct search_matches *one = a, *other = b;

	return one->count < other->count ? -1 : one->count > other->count;
}

/* The shortest first, so that no long one is copied more often than there are lists as long. */
struct search_matches
search_matches_join(struct arena *arena, struct search_matches *lists, size_t count)
{
	while (count > 1) {
		qsort(lists, count, sizeof(*lists), shorter);
		lists[0] = join(arena, lists[0], lists[1]);
		lists[1] = lists[--count];
	}
	return count != 0 ? lists[0] : (struct search_matches){0};
}

static void
choose(struct search_matches *matches, const struct search_list *lists, size_t count, bool keep)
{
	size_t *at = calloc(count + 1, sizeof(*at)), kept = 0;

	if (at == NULL)
		out_of_memory();
	for (size_t i = 0; i < matches->count; i++) {
		uint64_t number = matches->all[i].number;
		bool there = false;

		for (size_t l = 0; l < count; l++) {
			while (at[l] < lists[l].count && lists[l].postings[at[l]].number < number)
				at[l]++;
			there = there || (at[l] < lists[l].count && lists[l].postings[at[l]].number == number);
		}
		if (there == keep)
			matches->all[kept++] = matches->all[i];
	}
	matches->count = kept;
	free(at);
}

void
search_matches_keep(struct search_matches *matches, const struct search_list *lists, size_t count)
{
	choose(matches, lists, count, true);
}

void
search_matches_drop(struct search_matches *matches, const struct search_list *lists, size_t count)
{
	choose(matches, lists, count, false);
}
