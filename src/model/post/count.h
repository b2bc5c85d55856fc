#ifndef MODEL_POST_COUNT_H
#define MODEL_POST_COUNT_H

#include "model/plan.h"
#include "model/post/post.h"

/*
 * How often a post was liked, voted on, rated, bookmarked and commented. Transactions on one item conflict
 * long before a partition is at its limit, so the numbers are in eight shards, items in partitions of their own:
 *
 *	COUNT#<post>#<0-7> / N        the numbers of Stats: Bookmarks, Comments, Downs, ... (post_stats_bindings)
 *
 * What somebody does is counted in the shard of their name, in the transaction that writes it (plan_recount(),
 * plan_count_post()), so each shard always equals its items. The same transaction marks the post, in a partition for each shard:
 *
 *	FOLD#<0-7> / <post>           Changes
 *
 * and the fold adds the shards up into what everybody sees, the post's Stats and the numbers in its head, and removes the
 * marks that have not changed since it began. A mark that stays costs one more fold, so it may stop anywhere. Both are written
 * in one transaction, on the condition that nobody else has folded the post meanwhile: Stats say how often that was done.
 *
 * Stats of a table from before there were shards have no `Shards`: they then include numbers that the shards do not have. The
 * first fold adds those to shard 0 in the transaction that sets `Shards`; until then a post has the sum of both.
 */
enum { COUNT_SHARDS = 8 };

/*
 * The shard of a person: FNV-1a (64 bits) of their name, modulo 8. This must never change: it is in
 * the keys of the table.
 */
unsigned count_shard(struct str username);

/* The read of a post's shards; and the current numbers, from its Stats (or NULL) and them. */
struct read count_read(struct arena *arena, struct str post);
void count_take(struct arena *arena, const struct item *stats, const struct read *shards,
    struct post_stats *out);

/*
 * Folds the posts whose shards have changed, a few hundred at most; *folded: how many. A post with
 * a concurrent write stays marked. Several may run at once, and stop anywhere.
 */
enum table_rc count_fold_marked(struct table *table, struct table_call *call, size_t *folded);

/*
 * Folds one post, marked or not: carries over what its Stats counted before there were shards. False in *done: there was a
 * concurrent write.
 */
enum table_rc count_fold_post(
    struct table *table, struct table_call *call, struct str post, bool *done);

#endif
