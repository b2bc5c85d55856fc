#ifndef WEB_SEARCH_SEARCH_H
#define WEB_SEARCH_SEARCH_H

#include "model/post/post.h"
#include "model/reader/comment.h"
#include "table/table.h"
#include "text/search_query.h"

struct zone;

/*
 * Finding what everybody may see, by its words (docs/search.md).
 *
 *	struct search *s = search_new(arena, &options);
 *	while ((count = search_reads(s, &reads)) != 0) {
 *		table_read(table, call, reads, count);     others may go with them: then the array is copied
 *		search_take(s, reads);
 *	}
 *	results = search_results(s);
 *
 * It takes two round trips: the lists of the words, and then what was found. Posts of which many appeared in one second take a third, and
 * so do words that may be misspelled, and the beginning of a word. Whatever the index says, a post or a comment is found only by its public key, at
 * the time of asking: nothing else of the index is shown.
 *
 * All is in the arena. What a search costs is bounded: it reads at most SEARCH_UNITS of DynamoDB's units, of which each list gets
 * the same part. Of a list that is longer, what is newest counts.
 */
enum {
	SEARCH_PAGE = 20,
	SEARCH_HITS_MAX = 200, /* that readers see, page by page */
	SEARCH_RUN_MAX = 1000, /* for measuring */
	SEARCH_UNITS = 256,
	SEARCH_LANGUAGES_MAX = 3,
};

struct search_options {
	const struct search_query *query;
	struct str languages[SEARCH_LANGUAGES_MAX]; /* tags; the words are of each of these. The first is the site's */
	int64_t now;             /* milliseconds */
	const struct zone *zone; /* of the years */
	unsigned first, count;   /* which hits; first + count: at most SEARCH_RUN_MAX */
	int newness;             /* percent by which what is new comes before what is a year old, and as good: half of it */
	bool heads_only;         /* no passages, so no texts are read; phrases are not verified */
	bool explain;
};

/* The languages of what is in the index, the commonest first, from the items of query_search_state(). How many. */
size_t search_languages(
    const struct item *items, size_t count, struct str out[SEARCH_LANGUAGES_MAX]);

/* A word of the query in a passage: from this byte to that. */
struct search_mark {
	uint32_t from, to;
};

/* What a word of the query adds to the score of a hit. */
struct search_reason {
	struct str word, term; /* as it was typed, as the index has it */
	int64_t texts;         /* how many have it; estimated when not all of the list was read */
	unsigned frequency;    /* in this one; in the title it counts three times */
	double weight;
};

struct search_hit {
	struct post post;        /* of a comment: that it is under */
	struct comment *comment; /* NULL: the post is the hit */
	struct str passage;      /* plain text; empty: none */
	const struct search_mark *marks;
	size_t mark_count;
	bool cut_before, cut_after; /* the text goes on there */
	double score;
	const struct search_reason *reasons; /* when they are to be explained */
	size_t reason_count;
};

struct search_facet {
	struct str value; /* "article"; "2026" */
	int64_t count;
};

struct search_results {
	const struct search_hit *hits;
	size_t hit_count;
	int64_t total; /* how many match */
	bool at_least; /* there are lists of which only the newest part was read */
	const struct search_facet *kinds, *years; /* of these: the kinds, and the years, the latest first */
	size_t kind_count, year_count;
	bool without_phrases; /* nothing has the phrases: these have their words */
	const struct search_query *meant; /* the query with misspelled words corrected; NULL: nothing is near */
	unsigned next; /* where the next page begins; 0: there is none */
	size_t blocks, postings; /* that were read */
};

struct search;

struct search *search_new(struct arena *arena, const struct search_options *options);
/* The next round trip; how many reads. 0: all is done. */
size_t search_reads(struct search *search, struct read **reads);
void search_take(struct search *search, struct read *answered);
const struct search_results *search_results(const struct search *search);

/* All of it. */
enum table_rc search_run(struct table *table, struct table_call *call,
    const struct search_options *options, const struct search_results **results);

#endif
