#ifndef MODEL_POST_CATALOGUE_H
#define MODEL_POST_CATALOGUE_H

#include "model/post/post.h"
#include "table/table.h"

/*
 * The catalogue: public posts in lists by what they are, such as links with a tag or how-tos that need a material. A post has an
 * entry in each of its lists (derive/catalogue.c), at the same place in all of them, since what it is sorted by is its own.
 * So posts that are in several lists are found by reading each once, and merging.
 *
 * Reading has two halves, as with model/post/posts.h: entries only name posts, whose heads decide what is shown.
 */
enum catalogue_order {
	CATALOGUE_NEWEST,
	CATALOGUE_BEST,     /* of RANKING_RATED; those that are not in it come last, newest first */
	CATALOGUE_QUICKEST, /* how-tos that say how long they take */
	CATALOGUE_CHEAPEST, /* how-tos that say what they cost, in whichever currency */
	CATALOGUE_ORDERS,
};

enum {
	CATALOGUE_LISTS_MAX = 16, /* that are read at once */
	CATALOGUE_READ = 500,     /* of each */
	CATALOGUE_MATERIALS_MAX = 62,
};

/* What an entry says of its post, so that lists can be filtered without the heads. */
struct catalogue_entry {
	struct str post;
	struct strings_value tags;
	int64_t stars; /* the mean, in tenths; 0: no ratings */
	enum difficulty difficulty;
	int64_t minutes; /* 0: not said */
	struct str cost, currency;
	int64_t materials; /* how many it needs */
	int64_t which;     /* in a list of a material's word: a bit for each material with that word */
};

void catalogue_entry_of(const struct post *post, struct catalogue_entry *out);
void catalogue_entry_from_item(
    struct arena *arena, const struct item *item, struct catalogue_entry *out);
void catalogue_entry_to_item(
    struct arena *arena, const struct catalogue_entry *entry, struct item *item);

extern const struct binding_table catalogue_bindings;

/* "12.5" as 1250. */
int64_t catalogue_cents(struct str cost);

/* What is wanted: posts that are in all of these lists, and pass. */
struct catalogue_query {
	struct str lists[CATALOGUE_LISTS_MAX];
	size_t count;
	enum catalogue_order order;
	uint32_t limit;
	struct str cursor; /* from `next` of another page; empty: the first */
	/* Is it to be shown? NULL: each is. */
	bool (*passes)(const struct catalogue_entry *entry, const void *context);
	const void *context;
};

struct catalogue {
	struct catalogue_entry *entries;
	struct item *items; /* of each the item, which names the post */
	size_t count;
	struct str next; /* of what follows, which may turn out to be nothing; empty: the end */
};

/* A read for each list. */
void catalogue_prepare(
    struct arena *arena, const struct catalogue_query *query, struct read *reads);
/* Of the answered reads those that are wanted, `limit` at most. */
void catalogue_take(struct arena *arena, const struct catalogue_query *query,
    const struct read *reads, struct catalogue *out);

/* How often a tag is among those of some entries. */
struct tag_count {
	struct str tag;
	size_t count;
};

/*
 * The tags that are seen together with those of `known`, most often first and then by name: *count of them, `most` at most. In
 * the arena.
 */
const struct tag_count *catalogue_tags(struct arena *arena, const struct catalogue_entry *entries,
    size_t entry_count, const struct strings_value *known, size_t most, size_t *count);

#endif
