#ifndef PAGES_SCHEDULED_H
#define PAGES_SCHEDULED_H

#include "model/post.h"
#include "web/request.h"

struct read;

/*
 * Public posts whose time has yet to come. The table's counters count them already (docs/table.md, rule 6); who
 * shows a counter to readers takes them off, so that neither a number nor the name of a tag is early.
 */
struct scheduled {
	const struct post *posts;
	size_t count;
};

/* The read of them, to be handed over with the page's own. */
struct read scheduled_read(struct request *rq);
struct scheduled scheduled_take(struct request *rq, const struct read *read);

/* How many have this tag, were written by this person. */
int64_t scheduled_with(const struct scheduled *scheduled, struct str tag);
int64_t scheduled_by(const struct scheduled *scheduled, struct str username);

#endif
