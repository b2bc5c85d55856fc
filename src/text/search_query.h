#ifndef TEXT_SEARCH_QUERY_H
#define TEXT_SEARCH_QUERY_H

#include "base/str.h"
#include "model/post/post.h"

struct arena;
struct zone;

/*
 * What somebody looks for, as they typed it: words, "phrases", -without, and filters such as `tag:sea`. Every text is a
 * query: what is none of these, such as an operator that nobody knows, a value that makes no sense, or a lone quote, is words.
 * A pure parser: it does not know what is in the index, nor which words the analyser leaves out.
 *
 *	"low tide"          these words side by side                -boats  -"in port"   posts without
 *	author:anna         of this author, one of several          tag:sea  category:coast  -tag:news
 *	kind:howto          article, link, howto, note, page        lang:de
 *	stars:>3            >, >=, <, <=, or a number               sort:newest
 *	after:2024          from 2024 on; also 2024-05, 2024-05-17  before:2025   until the end of 2024
 *	in:comments         in comments; in:titles, in:posts        tid*          words that begin so, as the last one
 *
 * A text of many words is prose that somebody has pasted: quotation marks and hyphens in it are no operators.
 *
 * Times are days of `zone`, and stars are hundredths. All numbers are bounded, so that any query costs little; what
 * there is beyond them is left out, and the sentence says so.
 */
enum {
	SEARCH_QUERY_BYTES = 8192, /* of what was typed; the rest is not read */
	SEARCH_PROSE_WORDS = 16,   /* with more than so many in no phrase it is prose */
	SEARCH_PHRASES_MAX = 8,
	SEARCH_WITHOUT_MAX = 16,
	SEARCH_FILTERS_MAX = 16, /* of authors, tags, categories, kinds and languages together */
};

enum search_in { SEARCH_IN_POSTS, SEARCH_IN_TITLES, SEARCH_IN_COMMENTS };
enum search_sort { SEARCH_BEST, SEARCH_NEWEST };
enum search_by {
	SEARCH_BY_AUTHOR,
	SEARCH_BY_TAG,
	SEARCH_BY_CATEGORY,
	SEARCH_BY_KIND,
	SEARCH_BY_LANGUAGE
};

/*
 * Those of one kind are alternatives, but for tags: a post has to have all of them. A value is a username, a slug (a tag's, a
 * category's), the word of a kind, the tag of a language in small letters. Whether it exists is not known here.
 */
struct search_filter {
	enum search_by by;
	bool without;
	struct str value;
};

struct search_query {
	/*
	 * The words to look for, for the analyser, in their order and with one space between each two: those of phrases as well,
	 * no operators, no words that are excluded. Well-formed UTF-8 without control characters; may be empty.
	 */
	struct str text;
	/* Slices of `text`, in its order: what a post must have just so. Also a single word. */
	struct str phrases[SEARCH_PHRASES_MAX];
	size_t phrase_count;
	struct str without[SEARCH_WITHOUT_MAX]; /* a word, or a phrase: one with a space in it */
	size_t without_count;
	struct search_filter filters[SEARCH_FILTERS_MAX];
	size_t filter_count;
	struct str
	    prefix; /* the beginning of a word, typed with "*" as the last one; not in `text`; empty: none */
	int64_t stars_low, stars_high; /* hundredths of a star, both included; 0 and 500: any */
	int64_t after,
	    before; /* milliseconds: at or after the one, before the other; INT64_MIN, INT64_MAX: any time */
	enum search_in in;
	enum search_sort sort;
	bool cut; /* there was more than is allowed */
};

/* Understands what was typed, whatever bytes it is. The strings are in the arena. */
void search_query_parse(
    struct arena *arena, struct str typed, const struct zone *zone, struct search_query *out);

/* Is there nothing to look for: no words, no prefix, no filter but for kinds and times? */
bool search_query_empty(const struct search_query *query);

/*
 * The same query as somebody could have typed it, in one form: parsed again it is the same query. For links to a query with a
 * filter more or less, another order, or corrected words: change the struct, and write it.
 */
struct str search_query_write(
    struct arena *arena, const struct search_query *query, const struct zone *zone);

/* Corrects a word: takes `len` bytes of the text from `offset` on away, and puts `word` there. */
void search_query_replace(
    struct arena *arena, struct search_query *query, size_t offset, size_t len, struct str word);

/*
 * A sentence of what was understood, in plain text: "Posts with “low tide” and harbour, without boats, by anna, tagged sea,
 * from 2024-01-01 on, newest first." Without words: what is missing. It quotes what was typed: escape it.
 */
struct str search_query_said(
    struct arena *arena, const struct search_query *query, const struct zone *zone);

#endif
