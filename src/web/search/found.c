/* What of the best is there for everybody, and how it is shown. */
#include "web/search/search_private.h"

#include "base/arena.h"
#include "base/zone.h"

/* --- What was found ----------------------------------------------------------------------------------- */

/* Does it lead to a second of posts? Pages have none; and comments say theirs, unless that is too far away. */
static bool
has_second(const struct search *s, const struct search_match *match)
{
	return search_in_comments(s) ? match->kind == POSTING_ANSWERS : match->kind != KIND_PAGE;
}

static struct read
appeared_read(struct search *s, enum search_space space, uint64_t number)
{
	struct read read = {.kind = READ_QUERY, .query = query_appeared(s->arena, space, number)};

	read.query.limit = s->options.heads_only ? APPEARED_RUN : APPEARED_MAX;
	return read;
}

/* A number of the second in which the post of a comment appeared. */
static uint64_t
post_number(const struct search_match *match)
{
	return key_search_number((key_search_second(match->number) - match->after) * 1000, STR(""));
}

/* Of the page that was asked for, or of all in which phrases are looked for. */
void
search_plan_found(struct search *s)
{
	size_t first = s->verifies ? 0 : s->options.first;
	struct read *read;
	bool pages = false;

	s->candidate_count = s->ranked_count > first ? s->ranked_count - first : 0;
	s->candidates = ARENA_ARRAY(s->arena, s->candidate_count + 1, struct candidate);
	s->reads = read = ARENA_ARRAY(s->arena, 3 * s->candidate_count + 1, struct read);
	for (size_t i = 0; i < s->candidate_count; i++) {
		struct candidate *c = &s->candidates[i];

		c->match = &s->ranked[first + i];
		pages = pages || (!search_in_comments(s) && c->match->kind == KIND_PAGE);
		if (search_in_comments(s))
			*read++ = appeared_read(s, SEARCH_COMMENTS, c->match->number);
		if (has_second(s, c->match))
			*read++ = appeared_read(s, SEARCH_POSTS,
			    search_in_comments(s) ? post_number(c->match) : c->match->number);
		if (!s->options.heads_only) {
			*read = (struct read){.kind = READ_QUERY,
			    .query = query_search_texts(s->arena, c->match->number)};
			read++->query.limit = TEXTS_MAX;
		}
	}
	if (pages) {
		*read = (struct read){.kind = READ_QUERY, .query = query_pages()};
		read++->query.limit = TABLE_BATCH_MAX;
	}
	s->read_count = (size_t)(read - s->reads);
}

static bool
is_candidate(const struct search *s, const struct candidate *c, const struct post *post)
{
	return post_is_public(post) && post->published <= s->options.now &&
	       key_search_number(post->published, post->id) == c->match->number;
}

/* The head that has the number of a candidate; stays unset when there is none. */
static void
take_post(struct search *s, struct candidate *c, const struct read *read)
{
	for (size_t i = 0; read != NULL && i < read->found_count && !c->there; i++) {
		struct post post;

		post_from_item(s->arena, &read->found[i], &post);
		c->there = is_candidate(s, c, &post);
		if (c->there)
			c->post = post;
	}
	c->crowded = !c->there && read != NULL && read->next.len != 0;
}

static void
take_comment(struct search *s, struct candidate *c, const struct read *read)
{
	for (size_t i = 0; i < read->found_count && !c->there; i++) {
		struct comment *comment = ARENA_NEW(s->arena, struct comment);
		int64_t appeared;

		if (!key_appeared(&read->found[i], &appeared))
			continue;
		comment_from_item(s->arena, &read->found[i], comment);
		c->there = comment->status == COMMENT_VISIBLE &&
			   key_search_number(appeared, comment->id) == c->match->number;
		c->comment = c->there ? comment : NULL;
	}
}

/* A comment is there when its post is; not yet known when that is in a crowded second, or in one that is not known. */
static void
take_comments_post(struct search *s, struct candidate *c, const struct read *read)
{
	if (c->comment == NULL)
		return;
	c->there = false;
	for (size_t i = 0; read != NULL && i < read->found_count && !c->there; i++) {
		post_from_item(s->arena, &read->found[i], &c->post);
		c->there = str_eq(c->post.id, c->comment->post) && post_is_public(&c->post) &&
			   c->post.published <= s->options.now;
	}
	c->crowded = !c->there && (read == NULL || read->next.len != 0);
}

void
search_take_found(struct search *s, struct read *reads)
{
	const struct read *pages = s->read_count != 0 ? &reads[s->read_count - 1] : NULL;
	struct read *read = reads;

	for (size_t i = 0; i < s->candidate_count; i++) {
		struct candidate *c = &s->candidates[i];

		c->appeared = search_in_comments(s) || has_second(s, c->match) ? read++ : pages;
		c->post_appeared = search_in_comments(s) && has_second(s, c->match) ? read++ : NULL;
		c->texts = s->options.heads_only ? NULL : read++;
		if (search_in_comments(s)) {
			take_comment(s, c, c->appeared);
			take_comments_post(s, c, c->post_appeared);
		} else {
			take_post(s, c, c->appeared);
		}
	}
}

/* The post of a crowded second: a comment says which, and of posts the text that has this number. */
static struct str
crowded_id(const struct candidate *c)
{
	if (!c->crowded)
		return STR("");
	if (c->comment != NULL)
		return c->comment->post;
	return c->texts != NULL && c->texts->found_count != 0 ? item_key(&c->texts->found[0]).sk : STR("");
}

void
search_plan_heads(struct search *s)
{
	struct read *read = s->reads = ARENA_ARRAY(s->arena, s->candidate_count + 1, struct read);

	for (size_t i = 0; i < s->candidate_count; i++) {
		struct str id = crowded_id(&s->candidates[i]);

		if (id.len != 0)
			*read++ = (struct read){.kind = READ_GET, .key = key_post(s->arena, id)};
	}
	s->read_count = (size_t)(read - s->reads);
}

void
search_take_heads(struct search *s, struct read *reads)
{
	struct read *read = reads;

	for (size_t i = 0; i < s->candidate_count; i++) {
		struct candidate *c = &s->candidates[i];
		struct post post;

		if (crowded_id(c).len == 0)
			continue;
		c->there = false;
		if (read->item != NULL) {
			post_from_item(s->arena, read->item, &post);
			c->there = c->comment != NULL
				       ? post_is_public(&post) && post.published <= s->options.now
				       : is_candidate(s, c, &post);
			c->post = post;
		}
		read++;
	}
}

/* --- Results ------------------------------------------------------------------------------------------ */

/* What the index said may be older than the head: that decides. */
static bool
still_matches(const struct search *s, const struct candidate *c)
{
	const struct search_query *q = s->query;
	int64_t mean = c->post.ratings > 0 ? 100 * c->post.stars / c->post.ratings : 0;

	if (search_in_comments(s))
		return true;
	if ((q->stars_low > 0 || q->stars_high < 500) &&
	    (c->post.ratings == 0 || mean < q->stars_low || mean > q->stars_high))
		return false;
	return search_wants_kind(s, (uint8_t)c->post.kind);
}

static bool
text_matches(struct search *s, struct words *words, const struct candidate *c)
{
	const struct search_query *q = s->query;

	for (size_t i = 0; !s->results.without_phrases && i < q->phrase_count; i++)
		if ((q->in == SEARCH_IN_TITLES || !search_has_phrase(s->arena, words, c->text, q->phrases[i])) &&
		    !search_has_phrase(s->arena, words, c->post.title, q->phrases[i]))
			return false;
	for (size_t i = 0; i < q->without_count; i++)
		if (search_has_phrase(s->arena, words, c->text, q->without[i]) ||
		    search_has_phrase(s->arena, words, c->post.title, q->without[i]))
			return false;
	return true;
}

static struct str
text_of(const struct candidate *c)
{
	struct str id = c->comment != NULL ? c->comment->path : c->post.id;

	for (size_t i = 0; c->texts != NULL && i < c->texts->found_count; i++)
		if (str_eq(item_key(&c->texts->found[i]).sk, id))
			return item_string(&c->texts->found[i], STR("Text"));
	return STR("");
}

static void
explain(struct search *s, const struct search_match *match, struct search_hit *hit)
{
	struct search_reason *reasons = ARENA_ARRAY(s->arena, s->term_count + 1, struct search_reason);

	hit->reasons = reasons;
	for (size_t i = 0; i < s->term_count; i++) {
		const struct term *term = &s->terms[i];
		const struct posting *posting = search_list_find(&term->list, match->number);

		if (term->bit != 0 && posting != NULL)
			reasons[hit->reason_count++] = (struct search_reason){.word = term->word,
			    .term = term->term,
			    .texts = (int64_t)term->texts,
			    .frequency = posting->frequency,
			    .weight = search_score(&s->scale, posting, term->weight)};
	}
}

static struct search_terms
terms_of(struct search *s)
{
	struct str *terms = ARENA_ARRAY(s->arena, s->term_count + 1, struct str), title = STR("title:");
	size_t count = 0;

	for (size_t i = 0; i < s->term_count; i++)
		if (s->terms[i].bit != 0)
			terms[count++] = str_starts(s->terms[i].term, title)
					     ? str_sub(s->terms[i].term, title.len, SIZE_MAX)
					     : s->terms[i].term;
	return (struct search_terms){terms, count};
}

/* It is not there for everybody, so nobody is told of it in numbers either. */
static void
uncount(struct search *s, const struct search_match *match)
{
	struct str kind = match->kind < KINDS ? str_of(post_kind_name((enum post_kind)match->kind)) : STR("");
	struct str year = str_fmt(s->arena, "%d",
	    zone_date(s->options.zone, key_search_second(match->number) * 1000).year);

	s->results.total--;
	for (size_t i = 0; i < s->results.kind_count; i++)
		((struct search_facet *)s->results.kinds)[i].count -= str_eq(s->results.kinds[i].value, kind);
	for (size_t i = 0; i < s->results.year_count; i++)
		((struct search_facet *)s->results.years)[i].count -= str_eq(s->results.years[i].value, year);
}

/* The words of texts in a language: of one of the query's or, as its last, of none. */
static struct words *
words_for(struct search *s, struct words **words, struct str language)
{
	unsigned l = 0;

	if (language.len == 0)
		language = s->options.languages[0];
	while (l < SEARCH_LANGUAGES_MAX &&
	       !str_eq(words_language(s->options.languages[l]), words_language(language)))
		l++;
	if (words[l] == NULL)
		words[l] = words_new(l < SEARCH_LANGUAGES_MAX ? s->options.languages[l] : STR(""));
	return words[l];
}

/* Which candidates are there, and are what was asked for; how many. */
static size_t
verify(struct search *s, struct words **words)
{
	size_t count = 0;

	for (size_t i = 0; i < s->candidate_count; i++) {
		struct candidate *c = &s->candidates[i];

		c->text = c->there ? text_of(c) : STR("");
		c->matches = c->there && still_matches(s, c) &&
			     (!s->verifies || text_matches(s, words_for(s, words, c->post.language), c));
		count += c->matches;
	}
	return count;
}

static void
add_hit(struct search *s, struct words **words, const struct candidate *c, struct search_hit *hit)
{
	const struct search_terms terms = terms_of(s);

	*hit = (struct search_hit){.post = c->post, .comment = c->comment, .score = c->match->score};
	if (c->text.len != 0)
		search_passage(s->arena, words_for(s, words, c->post.language), c->text, &terms, hit);
	if (s->options.explain)
		explain(s, c->match, hit);
	s->results.hit_count++;
}

void
search_finish(struct search *s)
{
	struct search_hit *hits = ARENA_ARRAY(s->arena, s->candidate_count + 1, struct search_hit);
	struct search_query *meant = ARENA_NEW(s->arena, struct search_query);
	struct words *words[SEARCH_LANGUAGES_MAX + 1] = {NULL};
	unsigned first = s->verifies ? s->options.first : 0, last = s->options.first + s->options.count;
	size_t matching = 0;

	if (verify(s, words) == 0 && s->verifies && s->query->phrase_count != 0) {
		s->results.without_phrases = true;
		verify(s, words);
	}
	for (size_t i = 0; i < s->candidate_count; i++) {
		const struct candidate *c = &s->candidates[i];

		if (!c->matches)
			uncount(s, c->match);
		else if (matching++ >= first && s->results.hit_count < s->options.count)
			add_hit(s, words, c, &hits[s->results.hit_count]);
	}
	for (unsigned l = 0; l <= SEARCH_LANGUAGES_MAX; l++)
		words_free(words[l]);
	s->results.hits = hits;
	if ((s->verifies ? matching : s->matches.count) > last && last < SEARCH_HITS_MAX)
		s->results.next = last;
	if (correction_query(s->correction, meant))
		s->results.meant = meant;
}
