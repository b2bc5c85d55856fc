#ifndef MODEL_READER_TALLY_H
#define MODEL_READER_TALLY_H

#include "model/plan.h"
#include "model/reader/comment.h"

/*
 * What a page that shows only some threads has to know of each: an item for each root, by which the threads of a post
 * are sorted by time and by score.
 *
 *	POST#<post> / TALLY#<root>        LastAt, Post, Replies
 *
 * It is created in the transaction that makes its root visible, and updated in those of its replies. `Threads` of the
 * Stats says whether all threads of a post have one: those of an older post get theirs from the sweeper
 * (tally_make_all()), and until then its page is sorted by time.
 */
struct tally {
	struct str root; /* its id, which is its path */
	int64_t replies; /* the number of visible descendants */
};

void tally_from_item(const struct item *item, struct tally *out);

/*
 * A comment becomes visible: creates the tally of its root if there is none. `counts`: it is a
 * reply, and nothing else in the plan counts it.
 */
void tally_add(struct plan *plan, struct str post, struct str path, bool counts);

/* The root is deleted: without replies its tally is removed. */
void tally_drop(struct plan *plan, struct str post, struct str root);

/*
 * Folds the votes on a comment into the orders: its thread's place among the best of the post, if
 * it is a root, and its own among the best of the site, once two readers have voted for it. Called
 * by the fold of counts (model/post/count.h).
 */
enum table_rc tally_fold(
    struct table *table, struct table_call *call, struct str post, struct str path);

/*
 * Makes the tallies of all threads of public posts that are not marked to have them, and adds old
 * comments to the newest of the site; *made is how many tallies. Safe with concurrent writers;
 * several may run at once, and stop anywhere.
 */
enum table_rc tally_make_all(struct table *table, size_t *made);

#endif
