#ifndef CLI_CORPUS_H
#define CLI_CORPUS_H

#include "web/search/search.h"

/*
 * A test collection for search: a folder with docs.tsv.gz (or docs.tsv), in whose lines are an id, a title and a text,
 * and queries.tsv, with an id and a query. The documents become public posts in a table of their own, in a file in a
 * new folder below TMPDIR, and are indexed as a rebuild does it.
 */
struct corpus_query {
	struct str id, text;
};

struct corpus {
	struct arena *arena; /* of all that is here */
	struct clock *clock;
	struct table *table;
	char folder[256];
	struct str language;
	struct str file;             /* the documents, as they were read */
	const struct str *documents; /* their ids */
	size_t document_count;
	const struct corpus_query *queries;
	size_t query_count;
	struct str languages[SEARCH_LANGUAGES_MAX];
};

/*
 * Reads and indexes a folder. The clock outlives it. `language` is that of the posts; empty: none that the program
 * knows. False with *why, a sentence, when it can't. corpus_close() ends it in either case.
 */
bool corpus_open(struct corpus *c, const char *folder, struct str language, struct clock *clock,
    struct arena *arena, struct str *why);
void corpus_close(struct corpus *c);

/* Asks as a reader would, for so many hits. */
enum table_rc corpus_ask(struct corpus *c, struct table_call *call, struct str typed, unsigned hits,
    const struct search_results **results);

/* The id of the document that a post was made of. */
struct str corpus_document(const struct corpus *c, const struct post *post);

#endif
