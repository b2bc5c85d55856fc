#ifndef TEXT_SEARCH_QUERY_PRIVATE_H
#define TEXT_SEARCH_QUERY_PRIVATE_H

#include "text/search_query.h"

#include "base/buf.h"

/* What reading and writing of queries share. */
enum { STAR = 100, STARS_MAX = 5 * STAR };

/* The words that `in:` and `sort:` take. */
extern const char *const search_places[], *const search_orders[];

/* Up to a space or a quote. */
static inline struct str
bare(struct str rest)
{
	size_t len = 0;

	while (len < rest.len && rest.base[len] != ' ' && rest.base[len] != '"')
		len++;
	return str_sub(rest, 0, len);
}

/* Without quotes, would it be read as something else than one word? */
static inline bool
needs_quotes(struct str words)
{
	return str_find(words, ' ') != words.len || str_find(words, ':') != words.len ||
	       str_starts(words, STR("-")) || str_ends(words, STR("*"));
}

#endif
