#ifndef PAGES_PUBLIC_SEARCH_H
#define PAGES_PUBLIC_SEARCH_H

#include "text/search_query.h"
#include "web/http/dispatch.h"
#include "web/search/search.h"

/* A search as its page and its feed need it. */
struct search_asked {
	struct search_query query;
	const struct search_results *results; /* NULL: there was nothing to look for */
};

/* Looks for what was typed, from that hit on; a page of hits at most. */
enum http_status search_ask(
    struct request *rq, struct str typed, unsigned first, struct search_asked *out);

#endif
