/* What a search asks for: the lists of words and fields. */
#include "web/search/search_private.h"

#include "base/arena.h"
#include "model/key_spelling.h"

struct term *
search_term(struct search *s, struct str term)
{
	for (size_t i = 0; i < s->term_count; i++)
		if (str_eq(s->terms[i].term, term))
			return &s->terms[i];
	return NULL;
}

/* A word, or what stands for it, of a language. */
static void
add_term(struct search *s, struct str word, struct str stem, unsigned language)
{
	struct str term = s->query->in == SEARCH_IN_TITLES ? STR_CONCAT(s->arena, STR("title:"), stem) : stem;
	struct term *found = search_term(s, term);

	if (found == NULL && s->term_count < TERMS_MAX) {
		found = &s->terms[s->term_count++];
		*found = (struct term){
		    .word = word, .term = str_dup(s->arena, term), .language = language};
	}
	if (found != NULL && found->language == language)
		found->times++;
}

static bool
has_language(const struct search *s, unsigned language)
{
	return language == 0 || s->options.languages[language].len != 0;
}

/* The words of a text; `whole`: they stand for that. */
static void
add_words(struct search *s, struct str text, const struct str *whole)
{
	for (unsigned l = 0; l < SEARCH_LANGUAGES_MAX; l++) {
		struct words *words;
		struct word word;

		if (!has_language(s, l))
			continue;
		words = words_new(s->options.languages[l]);
		for (words_begin(words, text); words_next(words, &word);)
			add_term(s, whole != NULL ? *whole : str_sub(text, word.from, word.to - word.from),
			    word.term, l);
		words_free(words);
	}
}

static void
add_field(struct search *s, const char *name, struct str value, bool without, bool alternative)
{
	if (s->field_count < FIELDS_MAX)
		s->fields[s->field_count++] = (struct field){
		    .term = name != NULL ? STR_CONCAT(s->arena, str_of(name), STR(":"), value) : value,
		    .without = without,
		    .alternative = alternative};
}

/* Words that are not to be there; a phrase of them is looked for in the texts. */
static void
add_without(struct search *s, struct str without)
{
	for (unsigned l = 0; l < SEARCH_LANGUAGES_MAX; l++) {
		struct words *words;
		struct word *list;
		size_t count;

		if (!has_language(s, l))
			continue;
		words = words_new(s->options.languages[l]);
		list = words_list(words, s->arena, without, &count);
		if (count == 1)
			add_field(s, NULL, list[0].term, true, false);
		words_free(words);
	}
}

static void
add_filters(struct search *s)
{
	static const char *const names[] = {[SEARCH_BY_AUTHOR] = "author",
	    [SEARCH_BY_TAG] = "tag",
	    [SEARCH_BY_CATEGORY] = "category",
	    [SEARCH_BY_LANGUAGE] = "lang"};
	const struct search_query *q = s->query;

	for (enum search_by by = SEARCH_BY_AUTHOR; by <= SEARCH_BY_LANGUAGE; by++) {
		bool alternative = false;

		for (size_t i = 0; i < q->filter_count; i++) {
			const struct search_filter *filter = &q->filters[i];

			if (filter->by != by || by == SEARCH_BY_KIND)
				continue;
			add_field(s, names[by], filter->value, filter->without,
			    alternative && !filter->without && by != SEARCH_BY_TAG);
			alternative = alternative || !filter->without;
		}
	}
	for (int64_t stars = q->stars_low / 100; (q->stars_low > 0 || q->stars_high < 500) && stars <= q->stars_high / 100;
	     stars++)
		add_field(s, "stars", str_fmt(s->arena, "%d", (int)stars), false, stars != q->stars_low / 100);
	for (size_t i = 0; i < q->without_count; i++)
		add_without(s, q->without[i]);
}

static void
set_range(struct search *s)
{
	const struct search_query *q = s->query;

	s->high = key_search_number(s->options.now, STR("")) | 0xffff;
	if (q->before <= s->options.now)
		s->high = (uint64_t)(q->before > 0 ? (q->before - 1) / 1000 : 0) << 16 | 0xffff;
	s->low = q->after > 0 ? (uint64_t)(q->after / 1000) << 16 : 0;
}

/* Every list is asked for in the first trip, with the same share of what a search may cost. */
static void
plan_lists(struct search *s)
{
	size_t lists = s->term_count + s->field_count;
	size_t units = SEARCH_UNITS - UNITS_WAITING - (s->verifies ? UNITS_VERIFIED : UNITS_FOUND);
	size_t share = lists != 0 ? units * BLOCKS_A_UNIT / lists : 1;

	s->reads = ARENA_ARRAY(s->arena, lists + READS_BEFORE_LISTS, struct read);
	s->reads[0] = (struct read){.kind = READ_QUERY, .unnoted = true, .query = query_search_state()};
	s->reads[0].query.limit = TABLE_BATCH_MAX;
	s->reads[1] = (struct read){.kind = READ_QUERY, .query = query_waiting(s->space)};
	s->reads[1].query.limit = TABLE_QUERY_MAX;
	for (size_t i = 0; i < lists; i++) {
		struct str term = i < s->term_count ? s->terms[i].term : s->fields[i - s->term_count].term;
		struct read *read = &s->reads[READS_BEFORE_LISTS + i];

		*read = (struct read){.kind = READ_QUERY,
		    .query = query_search_block(s->arena, s->space, term, s->high)};
		read->query.limit = (uint32_t)(share > TABLE_QUERY_MAX ? TABLE_QUERY_MAX : share < 2 ? 2 : share);
	}
	s->read_count = lists + READS_BEFORE_LISTS;
}

/* The words that begin as the last one does are asked for first. */
static bool
plan_prefix(struct search *s)
{
	struct words *plain = words_new(STR(""));
	size_t count;
	const struct word *words = words_list(plain, s->arena, s->query->prefix, &count);

	words_free(plain);
	if (count != 1 || words[0].pair || search_in_comments(s))
		return false;
	s->reads = ARENA_NEW(s->arena, struct read);
	*s->reads = (struct read){.kind = READ_QUERY, .query = query_words(s->arena, words[0].folded)};
	s->reads->query.limit = PREFIX_WORDS;
	s->read_count = 1;
	return s->reads->query.partition.len != 0;
}

/* They stand for what was typed, as if it were one word. */
void
search_take_prefix(struct search *s, const struct read *read)
{
	for (size_t i = 0; i < read->found_count; i++)
		add_words(s, key_word_of(item_key(&read->found[i])), &s->query->prefix);
	add_words(s, s->query->prefix, &s->query->prefix);
	plan_lists(s);
}

void
search_plan(struct search *s)
{
	static const struct read none;

	add_words(s, s->query->text, NULL);
	add_filters(s);
	set_range(s);
	s->step = STEP_PREFIX;
	if (s->query->prefix.len != 0 && plan_prefix(s))
		return;
	s->step = STEP_LISTS;
	search_take_prefix(s, &none);
}
