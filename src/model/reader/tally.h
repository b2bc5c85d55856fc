#ifndef MODEL_READER_TALLY_H
#define MODEL_READER_TALLY_H

#include "model/plan.h"
#include "model/reader/comment.h"

/*
 * What a page that shows only some threads has to know of each: an item for each root, by which the threads of a post
 * are sorted by time and by score.
 *
 *	POST#<post> / TALLY#<root>        GoneAt, LastAt, Post, Replies
 *
 * It is created in the transaction that makes its root visible, and updated in those of its replies. `Threads` of the
 * Stats says whether all threads of a post have one: those of an older post get theirs from the sweeper
 * (tally_make_all()), and until then its page is sorted by time.
 *
 * A reply needs what it answers to be visible still. To check that in its transaction costs as much as that is long; but
 * the reply writes the tally anyway, which knows when anything of the thread was visible last and then no more (GoneAt).
 * If that is a while ago, whoever read the comment before saw it as it is.
 */
struct tally {
	struct str root; /* its id, which is its path */
	int64_t replies; /* the number of visible descendants */
};

void tally_from_item(const struct item *item, struct tally *out);

/*
 * A comment becomes visible: creates the tally of its root if there is none. `counts`: it is a
 * reply that is written, and nothing else in the plan counts it.
 */
void tally_add(struct plan *plan, struct str post, struct str path, bool counts);

/*
 * The same of a reply that is written, which counts: PLAN_GONE if something of its thread was deleted, hidden or held in
 * the last minute, or there is no tally. Then what it answers has to be checked by itself.
 */
void tally_add_reply(struct plan *plan, struct str post, struct str path);

/*
 * A comment ceases to be visible: a root without replies takes its tally along. Before plan_recount(), which may add to
 * the same write.
 */
void tally_leave(struct plan *plan, struct str post, struct str path);

/*
 * Folds the votes on a comment into the orders: its thread's place among the best of the post, if
 * it is a root, and its own among the best of the site, once two readers have voted for it. Called
 * by the fold of counts (model/post/count.h).
 */
enum table_rc tally_fold(
    struct table *table, struct table_call *call, struct str post, struct str path);

/*
 * Makes the tallies of all threads of a post, marks it to have them, and adds its old comments to the newest of the site;
 * *made counts the tallies. Safe with concurrent writers; several may run at once, and stop anywhere.
 */
enum table_rc tally_make(
    struct table *table, struct table_call *call, struct str post, size_t *made);

/*
 * Makes the tallies of all threads of public posts that are not marked to have them; *made is how
 * many.
 */
enum table_rc tally_make_all(struct table *table, size_t *made);

#endif
