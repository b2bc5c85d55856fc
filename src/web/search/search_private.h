#ifndef WEB_SEARCH_PRIVATE_H
#define WEB_SEARCH_PRIVATE_H

#include "model/key_search.h"
#include "text/postings.h"
#include "text/words.h"
#include "web/search/search.h"

/* What the files of a search share: search.c tells its steps. */
/* --- Lists (lists.c) --- */

/* Lists of postings, and what is made of them. All are sorted by number, the oldest first. */
struct search_list {
	struct posting *postings;
	size_t count, blocks;
	bool whole; /* all of it; else only what is newest */
	uint64_t from; /* of what is not whole: the oldest number that was read, wanted or not */
};

/* From the answer of a query of blocks, the newest first; only numbers from `low` to `high`. */
struct search_list search_list_of(struct arena *arena, const struct read *read, uint64_t low, uint64_t high);

/* What has at least one of the words. */
struct search_match {
	uint64_t number;
	float score;
	uint32_t words; /* which: a bit for each */
	int32_t after;  /* as in its postings */
	uint8_t kind;
};

struct search_matches {
	struct search_match *all;
	size_t count;
};

/* BM25: what a word adds, by how often it is there and how long the text is. */
struct search_scale {
	float by_length[UINT8_MAX + 1];
};
void search_scale_make(struct search_scale *scale, double average_length);
float search_score(const struct search_scale *scale, const struct posting *posting, double weight);

struct search_matches search_matches_of(struct arena *arena, const struct search_scale *scale,
    const struct search_list *list, double weight, uint32_t word);
/* What is in any of them, with the sum of its scores; the array may be changed. */
struct search_matches search_matches_join(
    struct arena *arena, struct search_matches *lists, size_t count);
/* What is in any of the lists stays, or goes. */
void search_matches_keep(struct search_matches *matches, const struct search_list *lists, size_t count);
void search_matches_drop(struct search_matches *matches, const struct search_list *lists, size_t count);

/* The posting of this number; NULL: there is none. */
const struct posting *search_list_find(const struct search_list *list, uint64_t number);

/* --- Passages (passage.c) --- */

/* The words that are looked for, as terms. */
struct search_terms {
	const struct str *terms;
	size_t count;
};

/* The part of a text in which most of them stand, into hit->passage. `words` is of the text's language. */
void search_passage(struct arena *arena, struct words *words, struct str text,
    const struct search_terms *terms, struct search_hit *hit);

/* Do the words of a phrase stand in the text side by side? */
bool search_has_phrase(struct arena *arena, struct words *words, struct str text, struct str phrase);

/* --- What was meant (correct.c) --- */

/*
 * "Did you mean": a query with the words corrected that stand nowhere. Two steps, each to be sent with whatever else is read then:
 * the dictionary near the words, and the witnesses of what was found there (text/spelling.h).
 *
 *	correction_add() for each word without postings
 *	n = correction_reads(c, reads), table_read(), correction_take(c, reads)    twice; n may be 0
 *	correction_query()
 *
 * Everything is in the arena.
 */
enum {
	CORRECTED_WORDS_MAX = 3,
	CORRECTION_READS_MAX = CORRECTED_WORDS_MAX * 6,
};
struct correction;

struct correction *correction_new(
    struct arena *arena, const struct search_query *query, int64_t now);

/* A word of query->text from one byte to another, folded and not stemmed, that is in no post. Of many, the first ones count. */
void correction_add(struct correction *c, struct str folded, size_t from, size_t to);

struct known_word;

/* Asks for a word's witness; and is that in the answer, as strangers find it now? */
struct read correction_witness(struct arena *arena, const struct known_word *word);
bool correction_witnessed(struct arena *arena, const struct known_word *word,
    const struct read *answered, int64_t now);

/* What is to be read in the next step; how many. */
size_t correction_reads(struct correction *c, struct read out[CORRECTION_READS_MAX]);
void correction_take(struct correction *c, const struct read *answered);

/* After both steps; false: nothing is near. */
bool correction_query(const struct correction *c, struct search_query *out);

/* --- A search --- */

enum {
	TERMS_MAX = 128, /* of which lists are read */
	WORDS_USED = 32, /* that count: the best */
	RARE_ENOUGH = 12, /* with so many rarer ones, words in more than half of the texts are left out */
	FIELDS_MAX = 40, /* lists of fields, and of what is not to be there */
	VERIFIED_MAX = 64, /* texts in which phrases are looked for */
	UNITS_WAITING = 28,  /* of SEARCH_UNITS, for what waits */
	UNIT_BYTES = 8192,   /* that a unit reads */
	UNITS_FOUND = 60,    /* for what was found */
	UNITS_VERIFIED = 192, /* the same, with phrases */
	BLOCKS_A_UNIT = 8,
	APPEARED_MAX = 8, /* in one second, that are looked at */
	APPEARED_RUN = 100, /* the same, without texts, which would tell which one it is */
	TEXTS_MAX = 4,    /* of one number */
	YEARS_MAX = 100,
	PREFIX_WORDS = 20, /* that begin so, and are looked for */
	KINDS = KIND_PAGE + 1,
	READS_BEFORE_LISTS = 2, /* the sums, and what waits */
};
_Static_assert(SEARCH_WAITING_FULL / UNIT_BYTES < UNITS_WAITING, "a search can read all that waits, and some more");

/* A term of a word of the query. */
struct term {
	struct str word, term;
	unsigned times, language;
	struct search_list list;
	double texts, weight;
	uint32_t bit; /* 0: it does not count */
};

/* A text that is not in the blocks yet, or as it was: how often each of the lists' terms is in it. */
struct waiting {
	struct posting posting; /* but for that */
	uint16_t *frequencies;  /* of the terms, then of the fields */
};

/* A list that something is to be in, or not: the first of those that are alternatives. */
struct field {
	struct str term;
	bool without, alternative; /* to the one before it */
	struct search_list list;
};

enum search_step { STEP_PREFIX, STEP_LISTS, STEP_FOUND, STEP_HEADS, STEP_DONE };

/* One that is looked for by its public key. */
struct candidate {
	const struct search_match *match;
	const struct read *appeared, *texts, *post_appeared; /* the last: of a comment that leads to its post; else NULL */
	struct post post;
	struct comment *comment;
	bool matches; /* it is what was asked for */
	bool there, crowded; /* crowded: its second has more than were read */
	struct str text;
};

struct search {
	struct arena *arena;
	struct search_options options;
	const struct search_query *query;
	enum search_space space;
	enum search_step step;
	struct read *reads;
	size_t read_count;

	struct term *terms;
	size_t term_count;
	struct field *fields;
	size_t field_count;
	uint64_t low, high; /* numbers */
	struct waiting *waiting; /* by number */
	size_t waiting_count;

	struct search_scale scale;
	double texts; /* in the index */
	struct search_matches matches;
	uint32_t phrases[SEARCH_PHRASES_MAX][SEARCH_LANGUAGES_MAX]; /* the bits of their words */
	struct search_match *ranked;
	size_t ranked_count;
	bool verifies;

	struct correction *correction; /* of words that are nowhere */
	size_t correction_count;       /* of its reads, which are the last ones */

	struct candidate *candidates;
	size_t candidate_count;
	struct search_results results;
};

static inline bool
search_in_comments(const struct search *s)
{
	return s->space == SEARCH_COMMENTS;
}

/* A term of the query; NULL: it is none. */
struct term *search_term(struct search *s, struct str term);

/* Is it of a kind that is looked for? */
bool search_wants_kind(const struct search *s, uint8_t kind);

/* What is asked of the lists (plan.c); what matches, and the best of it (match.c); what of it is there (found.c). */
void search_plan(struct search *s);
void search_take_prefix(struct search *s, const struct read *read);
void search_match(struct search *s, struct read *answered);
/* What waits (waiting.c): takes the place of what the blocks say, in the list of this number. */
void search_take_waiting(struct search *s, const struct read *answered);
void search_overlay(const struct search *s, struct search_list *list, size_t number);
void search_plan_found(struct search *s);
void search_take_found(struct search *s, struct read *answered);
void search_plan_heads(struct search *s);
void search_take_heads(struct search *s, struct read *answered);
void search_finish(struct search *s);

#endif
