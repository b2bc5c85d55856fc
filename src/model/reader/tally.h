#ifndef MODEL_READER_TALLY_H
#define MODEL_READER_TALLY_H

#include "model/plan.h"
#include "model/reader/comment.h"

/*
 * What a page that shows but a few threads of many has to know of each: an item for each root, by which it stands among
 * the threads of its post, in the order of time and in that of scores.
 *
 *	POST#<post> / TALLY#<root>        LastAt, Post, Replies
 *
 * It is made in the transaction by which its root appears, and counts in those by which replies come and go. Stats say by
 * `Threads` whether all threads of a post have one: those of a post from before there were tallies get theirs from the
 * sweeper (tally_make_all()), and until then its page is in the order of time.
 */
struct tally {
	struct str root; /* its id, which is its path */
	int64_t replies; /* how many visible comments lie under it, at any depth */
};

void tally_from_item(const struct item *item, struct tally *out);

/*
 * A comment appears now in the thread of its root: its tally is made where there is none. `counts`: it is a reply, and
 * nothing else of the plan counts it.
 */
void tally_add(struct plan *plan, struct str post, struct str path, bool counts);

/* The root is deleted: without replies nothing is left to be found. */
void tally_drop(struct plan *plan, struct str post, struct str root);

#endif
