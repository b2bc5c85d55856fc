/*
 * Texts that wait for their place in the blocks (derive/search_waiting.c), all of them, as they were read beside the lists. What the
 * blocks say of such a text is of before, or half written: it counts for nothing.
 */
#include "web/search/search_private.h"

#include "base/arena.h"
#include "text/term_list.h"

#include <stdlib.h>

/* A term that is looked for, and the number of its list. */
struct wanted {
	struct str term;
	size_t list;
};

static int
by_term(const void *a, const void *b)
{
	return str_cmp(((const struct wanted *)a)->term, ((const struct wanted *)b)->term);
}

static int
by_number(const void *a, const void *b)
{
	uint64_t one = ((const struct waiting *)a)->posting.number, other = ((const struct waiting *)b)->posting.number;

	return one < other ? -1 : one > other;
}

/* Both are sorted. */
static void
count_terms(const struct wanted *wanted, size_t count, struct term_list *list, uint16_t *frequencies)
{
	size_t at = 0;

	while (at < count && term_list_next(list)) {
		int order = -1;

		for (; at < count && (order = str_cmp(wanted[at].term, list->use.term)) <= 0; at++)
			if (order == 0)
				frequencies[wanted[at].list] = (uint16_t)list->use.frequency;
	}
}

static struct wanted *
wanted_terms(const struct search *s, size_t count)
{
	struct wanted *wanted = ARENA_ARRAY(s->arena, count + 1, struct wanted);

	for (size_t i = 0; i < count; i++)
		wanted[i] = (struct wanted){
		    i < s->term_count ? s->terms[i].term : s->fields[i - s->term_count].term, i};
	qsort(wanted, count, sizeof(*wanted), by_term);
	return wanted;
}

void
search_take_waiting(struct search *s, const struct read *read)
{
	size_t count = s->term_count + s->field_count;
	const struct wanted *wanted = wanted_terms(s, count);
	struct term_list list;

	s->waiting = ARENA_ARRAY(s->arena, read->found_count + 1, struct waiting);
	s->waiting_count = read->found_count;
	for (size_t i = 0; i < read->found_count; i++) {
		const struct item *item = &read->found[i];
		struct waiting *w = &s->waiting[i];

		term_list_begin(&list, item_binary(item, STR("Terms")));
		w->posting = (struct posting){.number = (uint64_t)item_number(item, STR("Number")),
		    .kind = list.kind,
		    .length = list.length,
		    .after = (int32_t)item_number(item, STR("After"))};
		w->frequencies = ARENA_ARRAY(s->arena, count + 1, uint16_t);
		count_terms(wanted, count, &list, w->frequencies);
	}
	qsort(s->waiting, s->waiting_count, sizeof(*s->waiting), by_number);
}

/*
 * In front of the newest part of a list, which is all that was read of it, nothing is put. Two texts may have the same number: one
 * posting stands for both.
 */
void
search_overlay(const struct search *s, struct search_list *list, size_t number)
{
	struct posting *all = arena_room(s->arena, (list->count + s->waiting_count + 1) * sizeof(*all));
	size_t count = 0, at = 0;

	for (size_t i = 0; i < s->waiting_count; i++) {
		struct posting posting = s->waiting[i].posting;

		posting.frequency = s->waiting[i].frequencies[number];
		while (at < list->count && list->postings[at].number < posting.number)
			all[count++] = list->postings[at++];
		if (at < list->count && list->postings[at].number == posting.number)
			at++;
		if (posting.frequency == 0 || posting.number < list->from || posting.number < s->low ||
		    posting.number > s->high)
			continue;
		if (count != 0 && all[count - 1].number == posting.number)
			count--;
		all[count++] = posting;
	}
	while (at < list->count)
		all[count++] = list->postings[at++];
	list->postings = all;
	list->count = count;
}
