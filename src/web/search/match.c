/* What the lists say: which texts match, how well, and which of them are the best. */
#include "web/search/search_private.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"

#include <math.h>
#include <stdlib.h>

/* --- The lists ---------------------------------------------------------------------------------------- */

/* How much there is in all. */
static void
take_state(struct search *s, const struct read *read)
{
	double words = 0;

	for (size_t i = 0; i < read->found_count; i++) {
		const struct item *item = &read->found[i];

		if (!str_eq(item_key(item).sk, key_search_state().sk))
			continue;
		s->texts = (double)item_number(item, search_in_comments(s) ? STR("Comments") : STR("Posts"));
		words = (double)item_number(item, search_in_comments(s) ? STR("CommentWords") : STR("Words"));
	}
	search_scale_make(&s->scale, s->texts > 0 ? words / s->texts : 1);
}

/*
 * In how many texts the term is. Of a list that was not read to its end, as if it went on so until the oldest text that any other list
 * has, at the least.
 */
static double
texts_of(const struct search *s, const struct search_list *list)
{
	double covered, all;
	uint64_t oldest = UINT64_MAX, newest;

	if (list->whole || list->count == 0)
		return (double)list->count;
	for (size_t i = 0; i < s->term_count; i++)
		if (s->terms[i].list.count != 0 && s->terms[i].list.postings[0].number < oldest)
			oldest = s->terms[i].list.postings[0].number;
	newest = list->postings[list->count - 1].number;
	covered = (double)(newest - list->postings[0].number) + 1;
	all = (double)(newest - (oldest < newest ? oldest : newest)) + 1;
	return fmin(s->texts, (double)list->count * fmax(1, all / covered));
}

static void
weigh(struct search *s)
{
	for (size_t i = 0; i < s->term_count; i++) {
		struct term *term = &s->terms[i];

		term->texts = texts_of(s, &term->list);
		term->weight = log(1 + (fmax(s->texts, term->texts) - term->texts + 0.5) / (term->texts + 0.5)) *
			       term->times;
	}
}

static bool
in_phrase(const struct search *s, const struct term *term)
{
	const char *at = term->word.base;

	for (size_t i = 0; i < s->query->phrase_count; i++)
		if (at >= s->query->phrases[i].base && at < s->query->phrases[i].base + s->query->phrases[i].len)
			return true;
	return false;
}

static int
heavier(const void *a, const void *b)
{
	const struct term *one = *(struct term *const *)a, *other = *(struct term *const *)b;

	if (one->weight != other->weight)
		return one->weight > other->weight ? -1 : 1;
	return str_cmp(one->term, other->term);
}

/* Which terms count: those of phrases, then the best, without those that nearly all texts have if there are rarer ones. */
static void
choose_terms(struct search *s)
{
	struct term *by_weight[TERMS_MAX];
	size_t count = 0, rare = 0, used = 0;

	for (size_t i = 0; i < s->term_count; i++)
		if (s->terms[i].list.count != 0) {
			by_weight[count++] = &s->terms[i];
			rare += s->terms[i].texts <= s->texts / 2;
		}
	qsort(by_weight, count, sizeof(by_weight[0]), heavier);
	for (int of_phrases = 1; of_phrases >= 0; of_phrases--)
		for (size_t i = 0; i < count && used < WORDS_USED; i++) {
			struct term *term = by_weight[i];

			if (in_phrase(s, term) != of_phrases)
				continue;
			if (!of_phrases && rare >= RARE_ENOUGH && term->texts > s->texts / 2)
				continue;
			term->bit = UINT32_C(1) << used++;
		}
}

/* The bits that something must have for each phrase, in one of the languages; with a word that stands nowhere it has none. */
static void
find_phrases(struct search *s)
{
	for (unsigned l = 0; l < SEARCH_LANGUAGES_MAX; l++) {
		struct words *words;

		if (l != 0 && s->options.languages[l].len == 0)
			continue;
		words = words_new(s->options.languages[l]);
		for (size_t i = 0; i < s->query->phrase_count; i++) {
			struct word word;
			uint32_t bits = 0;
			bool all = true;

			for (words_begin(words, s->query->phrases[i]); words_next(words, &word);) {
				const struct term *term = search_term(s, s->query->in == SEARCH_IN_TITLES
					? STR_CONCAT(s->arena, STR("title:"), word.term)
					: word.term);

				all = all && term != NULL && term->list.count != 0;
				bits |= term != NULL ? term->bit : 0;
			}
			s->phrases[i][l] = all && bits != 0 ? bits : UINT32_MAX;
		}
		words_free(words);
	}
	for (size_t i = 0; i < s->query->phrase_count; i++)
		for (unsigned l = 1; l < SEARCH_LANGUAGES_MAX; l++)
			if (s->options.languages[l].len == 0)
				s->phrases[i][l] = UINT32_MAX;
}

static bool
has_phrases(const struct search *s, const struct search_match *match)
{
	for (size_t i = 0; i < s->query->phrase_count; i++) {
		bool there = false;

		for (unsigned l = 0; l < SEARCH_LANGUAGES_MAX; l++)
			there = there || (s->phrases[i][l] != UINT32_MAX &&
					     (match->words & s->phrases[i][l]) == s->phrases[i][l]);
		if (!there)
			return false;
	}
	return true;
}

bool
search_wants_kind(const struct search *s, uint8_t kind)
{
	bool wanted = true, any = false;

	if (search_in_comments(s) || kind >= KINDS)
		return search_in_comments(s);
	for (size_t i = 0; i < s->query->filter_count; i++) {
		const struct search_filter *filter = &s->query->filters[i];
		bool same = str_eq(filter->value, str_of(post_kind_name((enum post_kind)kind)));

		if (filter->by != SEARCH_BY_KIND)
			continue;
		if (filter->without && same)
			return false;
		if (!filter->without) {
			wanted = any ? wanted || same : same;
			any = true;
		}
	}
	return wanted;
}

/* Without words, all that is in the lists of the first field that chooses. */
static void
begin_with_field(struct search *s)
{
	struct search_matches lists[FIELDS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < s->field_count; i++) {
		const struct field *field = &s->fields[i];

		if (field->without || (count != 0 && !field->alternative))
			continue;
		lists[count++] = search_matches_of(s->arena, &s->scale, &field->list, 1, 0);
	}
	s->matches = search_matches_join(s->arena, lists, count);
	for (size_t i = 0; i < s->matches.count; i++)
		s->matches.all[i].score = 1;
}

static void
match_words(struct search *s)
{
	struct search_matches lists[WORDS_USED];
	size_t count = 0;

	for (size_t i = 0; i < s->term_count; i++)
		if (s->terms[i].bit != 0)
			lists[count++] = search_matches_of(
			    s->arena, &s->scale, &s->terms[i].list, s->terms[i].weight, s->terms[i].bit);
	s->matches = search_matches_join(s->arena, lists, count);
}

static void
match_fields(struct search *s)
{
	for (size_t i = 0; i < s->field_count;) {
		struct search_list lists[FIELDS_MAX];
		bool without = s->fields[i].without;
		size_t count = 0;

		do
			lists[count++] = s->fields[i++].list;
		while (i < s->field_count && s->fields[i].alternative);
		(without ? search_matches_drop : search_matches_keep)(&s->matches, lists, count);
	}
}

/* For each word, which stands somewhere, the bits of its terms in all languages; how many. */
static size_t
word_bits(const struct search *s, uint32_t bits[WORDS_USED])
{
	const char *words[WORDS_USED];
	size_t count = 0;

	for (size_t i = 0; i < s->term_count; i++) {
		size_t at = 0;

		if (s->terms[i].bit == 0)
			continue;
		while (at < count && words[at] != s->terms[i].word.base)
			at++;
		if (at == count) {
			words[count] = s->terms[i].word.base;
			bits[count++] = 0;
		}
		bits[at] |= s->terms[i].bit;
	}
	return count;
}

static bool
has_all(const struct search_match *match, const uint32_t *bits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if ((match->words & bits[i]) == 0)
			return false;
	return true;
}

/* By time, what has one word of several is no answer, as long as something has all. */
static void
keep_whole(struct search *s)
{
	uint32_t bits[WORDS_USED];
	size_t count = word_bits(s, bits), whole = 0, kept = 0;

	for (size_t i = 0; i < s->matches.count; i++)
		whole += has_all(&s->matches.all[i], bits, count);
	for (size_t i = 0; whole != 0 && i < s->matches.count; i++)
		if (has_all(&s->matches.all[i], bits, count))
			s->matches.all[kept++] = s->matches.all[i];
	if (whole != 0)
		s->matches.count = kept;
}

/* --- The best ----------------------------------------------------------------------------------------- */

#define YEAR_SECONDS (365.25 * 86400)

/* What is new is worth up to so many percent more, half of it after a year. */
static void
prefer_new(struct search *s)
{
	double now = (double)s->options.now / 1000;

	if (s->options.newness <= 0)
		return;
	for (size_t i = 0; i < s->matches.count; i++) {
		double age = fmax(0, now - (double)key_search_second(s->matches.all[i].number));

		s->matches.all[i].score *=
		    (float)(1 + s->options.newness / 100.0 / (1 + age / YEAR_SECONDS));
	}
}

static int
better(const void *a, const void *b)
{
	const struct search_match *one = a, *other = b;

	if (one->score != other->score)
		return one->score > other->score ? -1 : 1;
	return one->number > other->number ? -1 : one->number < other->number;
}

/* The lowest of a heap is at its root. */
static void
sift(struct search_match *heap, size_t count, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;
		struct search_match swap;

		if (child >= count)
			return;
		if (child + 1 < count && better(&heap[child], &heap[child + 1]) < 0)
			child++;
		if (better(&heap[at], &heap[child]) >= 0)
			return;
		swap = heap[at];
		heap[at] = heap[child];
		heap[child] = swap;
		at = child;
	}
}

static void
rank(struct search *s)
{
	size_t most = s->verifies ? VERIFIED_MAX : s->options.first + s->options.count;
	size_t count = s->matches.count < most ? s->matches.count : most;

	s->ranked = arena_room(s->arena, (count + 1) * sizeof(*s->ranked));
	s->ranked_count = count;
	if (count == 0)
		return;
	if (s->query->sort == SEARCH_NEWEST) {
		for (size_t i = 0; i < count; i++)
			s->ranked[i] = s->matches.all[s->matches.count - 1 - i];
		return;
	}
	memcpy(s->ranked, s->matches.all, count * sizeof(*s->ranked));
	for (size_t i = count / 2; i-- > 0;)
		sift(s->ranked, count, i);
	for (size_t i = count; i < s->matches.count; i++)
		if (better(&s->matches.all[i], &s->ranked[0]) < 0) {
			s->ranked[0] = s->matches.all[i];
			sift(s->ranked, count, 0);
		}
	qsort(s->ranked, count, sizeof(*s->ranked), better);
}

static void
count_kinds(struct search *s)
{
	int64_t kinds[KINDS] = {0};
	struct search_facet *facets = ARENA_ARRAY(s->arena, KINDS, struct search_facet);

	if (search_in_comments(s))
		return;
	for (size_t i = 0; i < s->matches.count; i++)
		kinds[s->matches.all[i].kind < KINDS ? s->matches.all[i].kind : 0]++;
	s->results.kinds = facets;
	for (int k = 0; k < KINDS; k++)
		if (kinds[k] != 0)
			facets[s->results.kind_count++] =
			    (struct search_facet){str_of(post_kind_name((enum post_kind)k)), kinds[k]};
}

/* They are sorted by time, so each year is a range of them. */
static void
count_years(struct search *s)
{
	struct search_facet *facets = ARENA_ARRAY(s->arena, YEARS_MAX, struct search_facet);
	size_t to = s->matches.count;

	s->results.years = facets;
	while (to != 0 && s->results.year_count < YEARS_MAX) {
		int64_t at = key_search_second(s->matches.all[to - 1].number) * 1000;
		int year = zone_date(s->options.zone, at).year;
		int64_t begun = zone_utc(s->options.zone, time_of_day(year, 1, 1));
		uint64_t first = begun > 0 ? (uint64_t)(begun / 1000) << 16 : 0;
		size_t low = 0, high = to;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (s->matches.all[middle].number < first)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == to)
			low = to - 1;
		facets[s->results.year_count++] = (struct search_facet){
		    str_fmt(s->arena, "%d", year), (int64_t)(to - low)};
		to = low;
	}
}

static void
keep_kinds(struct search *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->matches.count; i++)
		if (search_wants_kind(s, s->matches.all[i].kind))
			s->matches.all[kept++] = s->matches.all[i];
	s->matches.count = kept;
}

/* If nothing has the phrases, what has their words is better than nothing. */
static void
keep_phrases(struct search *s)
{
	size_t kept = 0, having = 0;

	for (size_t i = 0; i < s->matches.count; i++)
		having += has_phrases(s, &s->matches.all[i]);
	s->results.without_phrases = having == 0 && s->query->phrase_count != 0;
	if (having == 0 || having == s->matches.count)
		return;
	for (size_t i = 0; i < s->matches.count; i++)
		if (has_phrases(s, &s->matches.all[i]))
			s->matches.all[kept++] = s->matches.all[i];
	s->matches.count = kept;
}

/* Words that are in no text of any of the languages may be misspelled. */
static void
correct(struct search *s)
{
	struct words *words = search_in_comments(s) ? NULL : words_new(STR(""));

	for (size_t i = 0; words != NULL && i < s->term_count; i++) {
		struct str word = s->terms[i].word;
		struct word plain;
		bool there = word.base < s->query->text.base ||
			     word.base >= s->query->text.base + s->query->text.len;

		for (size_t k = 0; k < s->term_count; k++)
			there = there || (s->terms[k].word.base == word.base && s->terms[k].list.count != 0) ||
				(k < i && s->terms[k].word.base == word.base);
		words_begin(words, word);
		if (!there && words_next(words, &plain))
			correction_add(s->correction, str_dup(s->arena, plain.folded),
			    (size_t)(word.base - s->query->text.base),
			    (size_t)(word.base - s->query->text.base) + word.len);
	}
	words_free(words);
}

/* Keeps what matches all that can be told by the lists, and ranks it. */
void
search_match(struct search *s, struct read *reads)
{
	bool words = false;

	take_state(s, &reads[0]);
	search_take_waiting(s, &reads[1]);
	for (size_t i = 0; i < s->term_count + s->field_count; i++) {
		struct search_list list =
		    search_list_of(s->arena, &reads[READS_BEFORE_LISTS + i], s->low, s->high);

		search_overlay(s, &list, i);
		s->results.blocks += list.blocks;
		s->results.postings += list.count;
		s->results.at_least = s->results.at_least || !list.whole;
		if (i < s->term_count)
			s->terms[i].list = list;
		else
			s->fields[i - s->term_count].list = list;
		words = words || i < s->term_count;
	}
	weigh(s);
	choose_terms(s);
	find_phrases(s);
	if (words)
		match_words(s);
	else
		begin_with_field(s);
	match_fields(s);
	keep_kinds(s);
	keep_phrases(s);
	if (s->query->sort == SEARCH_NEWEST)
		keep_whole(s);
	else
		prefer_new(s);
	s->results.total = (int64_t)s->matches.count;
	count_kinds(s);
	count_years(s);
	rank(s);
	correct(s);
}

