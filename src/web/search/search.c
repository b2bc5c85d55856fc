/*
 * The steps of a search:
 *
 *	PREFIX    the words that begin as the last one does, if it is but a beginning
 *	LISTS     the lists of the words and fields, what is to be written to them, and the sums of the index
 *	FOUND     of the best: what has its public key in the second of its number, and its text
 *	HEADS     of posts, or comments' posts, in a second in which very many appeared, that one
 *
 * The words of the query are those of each language; a word of theirs that has other terms in other languages is one word with
 * several lists.
 */
#include "web/search/search_private.h"

#include "base/arena.h"

size_t
search_languages(const struct item *items, size_t count, struct str out[SEARCH_LANGUAGES_MAX])
{
	int64_t texts[SEARCH_LANGUAGES_MAX] = {0};
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		struct str tag = key_search_language_tag(item_key(&items[i]).sk);
		int64_t number = item_number(&items[i], STR("Texts"));
		size_t at = 0;

		while (at < found && texts[at] >= number)
			at++;
		if (tag.len == 0 || number <= 0 || at == SEARCH_LANGUAGES_MAX)
			continue;
		found += found < SEARCH_LANGUAGES_MAX;
		for (size_t k = found - 1; k > at; k--) {
			out[k] = out[k - 1];
			texts[k] = texts[k - 1];
		}
		out[at] = tag;
		texts[at] = number;
	}
	return found;
}

static bool
has_space(struct str text)
{
	return str_find(text, ' ') != text.len;
}

/* Is something to be looked for in the texts? */
static bool
verifies(const struct search_options *options)
{
	const struct search_query *q = options->query;
	bool any = false;

	for (size_t i = 0; i < q->phrase_count; i++)
		any = any || has_space(q->phrases[i]);
	for (size_t i = 0; i < q->without_count; i++)
		any = any || has_space(q->without[i]);
	return any && !options->heads_only;
}

struct search *
search_new(struct arena *arena, const struct search_options *options)
{
	struct search *s = ARENA_NEW(arena, struct search);

	s->arena = arena;
	s->options = *options;
	s->query = options->query;
	s->space = s->query->in == SEARCH_IN_COMMENTS ? SEARCH_COMMENTS : SEARCH_POSTS;
	s->terms = ARENA_ARRAY(arena, TERMS_MAX, struct term);
	s->fields = ARENA_ARRAY(arena, FIELDS_MAX, struct field);
	s->verifies = verifies(options);
	s->correction = correction_new(arena, s->query, options->now);
	search_plan(s);
	return s;
}

/* --- Steps -------------------------------------------------------------------------------------------- */

size_t
search_reads(struct search *s, struct read **reads)
{
	*reads = s->reads;
	return s->step == STEP_DONE ? 0 : s->read_count + s->correction_count;
}

/* The dictionary is read in the trip of what was found, its witnesses in one more. */
static void
add_correction(struct search *s)
{
	struct read reads[CORRECTION_READS_MAX], *all;

	s->correction_count = correction_reads(s->correction, reads);
	all = ARENA_ARRAY(s->arena, s->read_count + s->correction_count + 1, struct read);
	memcpy(all, s->reads, s->read_count * sizeof(*all));
	memcpy(all + s->read_count, reads, s->correction_count * sizeof(*all));
	s->reads = all;
}

static void
take_correction(struct search *s, const struct read *answered)
{
	if (s->correction_count != 0)
		correction_take(s->correction, answered + s->read_count);
}

void
search_take(struct search *s, struct read *answered)
{
	take_correction(s, answered);
	if (s->step == STEP_PREFIX) {
		search_take_prefix(s, answered);
	} else if (s->step == STEP_LISTS) {
		search_match(s, answered);
		search_plan_found(s);
	} else if (s->step == STEP_FOUND) {
		search_take_found(s, answered);
		search_plan_heads(s);
	} else {
		search_take_heads(s, answered);
	}
	s->step++;
	s->correction_count = 0;
	if (s->step == STEP_FOUND || s->step == STEP_HEADS)
		add_correction(s);
	if (s->step == STEP_DONE || s->read_count + s->correction_count == 0) {
		s->step = STEP_DONE;
		search_finish(s);
	}
}

const struct search_results *
search_results(const struct search *s)
{
	return &s->results;
}

enum table_rc
search_run(struct table *table, struct table_call *call, const struct search_options *options,
    const struct search_results **results)
{
	struct search *s = search_new(call->arena, options);
	struct read *reads;
	size_t count;

	while ((count = search_reads(s, &reads)) != 0) {
		enum table_rc rc = table_read(table, call, reads, count);

		if (rc != TABLE_OK)
			return rc;
		search_take(s, reads);
	}
	*results = search_results(s);
	return TABLE_OK;
}
