#ifndef PAGES_SHARED_FILTER_H
#define PAGES_SHARED_FILTER_H

#include "model/post/post.h"
#include "web/http/dispatch.h"

/*
 * The plain filter of lists that are one person's or the staff's, whose items the index of the search does not have: each of the
 * words that were typed (?q=) is to be somewhere in the title, the excerpt or the tags. A page reads more of the list
 * instead, and goes on behind what it has looked at.
 */
enum { FILTER_READ = 200, FILTER_WORDS_MAX = 8 };

struct filter {
	struct str typed; /* for the box; empty: all pass */
	struct str words[FILTER_WORDS_MAX];
	size_t count;
};

struct filter filter_of(struct request *rq);
bool filter_passes(struct request *rq, const struct filter *filter, const struct post *post);

#endif
