#ifndef T_PAGES_CRAWL_H
#define T_PAGES_CRAWL_H

#include "seeded.h"

/*
 * Everything that a stranger can reach: every link from the front page is followed, with the feeds and the sitemap.
 */
struct crawl {
	struct list addresses; /* found so far; those before `done` were fetched */
	struct list bodies;    /* what was fetched of each, but for those with a form's token */
	size_t done;
	struct buf all; /* everything that came, without references */
	unsigned broken, html;
};

/* All of it, in the site's arena. What is broken is counted, and named on standard error. */
void crawl(struct seeded *s, struct crawl *c);

#endif
