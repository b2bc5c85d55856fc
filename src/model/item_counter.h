#ifndef MODEL_ITEM_COUNTER_H
#define MODEL_ITEM_COUNTER_H

#include "table/table.h"

/*
 * The numbers that count an item: one of the bindings marked COUNTED, of another item. They go up by so much in the
 * transaction that makes the item, and down in the one that drops it (docs/table.md, rule 6). t/pages/leaving.c adds
 * them up over a table, and compares.
 */
struct item_counter {
	enum table_index index; /* in which `key` is the key of what counts it */
	struct key key;
	struct str name;
	int64_t by;
	bool makes; /* the first count makes the item, of the Type that its key says */
	/*
	 * of a shard: the post, and the name that determines the shard (plan_count_post()); else
	 * empty
	 */
	struct str post, who;
	struct str marks; /* what is marked to be folded (key_fold()), in the shard of `who`; or empty */
};

struct item_counters {
	struct item_counter *counters;
	size_t count;
};

/* What counts an item of each of these kinds, in the arena. */
struct item_counters counted_nowhere(struct arena *arena, const struct item *item);
/* By the tag of one's own. */
struct item_counters counted_bookmark_tag(struct arena *arena, const struct item *item);
struct item_counters counted_collection_post(struct arena *arena, const struct item *item);
struct item_counters counted_comment(struct arena *arena, const struct item *item);
struct item_counters counted_flag(struct arena *arena, const struct item *item);
struct item_counters counted_follow(struct arena *arena, const struct item *item);
struct item_counters counted_media(struct arena *arena, const struct item *item);
/* By its opinion (model/reader/reaction.h). */
struct item_counters counted_reaction(struct arena *arena, const struct item *item);
struct item_counters counted_rating(struct arena *arena, const struct item *item);
/* By its Month and its Week, and by its Authors with its numbers, which are those of their figures. */
enum { AUTHOR_FIGURES = 3 };
extern const struct str author_figures[AUTHOR_FIGURES];
struct item_counters counted_derived(struct arena *arena, const struct item *item);
/* By their rhythm, while they are confirmed. */
struct item_counters counted_subscriber(struct arena *arena, const struct item *item);
struct item_counters counted_vote(struct arena *arena, const struct item *item);
/* In writing_commit.c. */
struct item_counters counted_post(struct arena *arena, const struct item *item);

#endif
