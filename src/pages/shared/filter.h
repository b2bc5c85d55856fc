#ifndef PAGES_SHARED_FILTER_H
#define PAGES_SHARED_FILTER_H

#include "model/post/post.h"
#include "web/http/dispatch.h"

/*
 * The plain filter of lists that are one person's or the staff's, whose items the index of the search does not have: each of the
 * words that were typed (?q=) is to be somewhere in what an item says, of a post the title, the excerpt or the tags. A page reads
 * more of the list instead (FILTER_READ), and goes on behind what it has looked at.
 */
enum { FILTER_READ = 200, FILTER_WORDS_MAX = 8 };

struct filter {
	struct str typed; /* for the box; empty: all pass */
	struct str words[FILTER_WORDS_MAX];
	size_t count;
};

struct filter filter_of(struct request *rq);
bool filter_has(struct request *rq, const struct filter *filter, struct str text);
bool filter_passes(struct request *rq, const struct filter *filter, const struct post *post);

/* Of a list, where each item by itself says enough: as many are read as are shown, or to be looked through. */
void filter_limit(const struct filter *filter, uint32_t shown, struct read *read);
/* The items that pass stay, so many at most; what follows goes on behind the last of them. */
void filter_keep(struct request *rq, const struct filter *filter, size_t shown,
    struct str (*text_of)(struct request *rq, const struct item *item), struct read *read);
/* What a list says that is empty: `none`, where nothing was typed. */
struct str filter_empty(const struct filter *filter, const struct read *read, const char *none);

#endif
