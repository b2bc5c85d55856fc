#ifndef MODEL_POST_POSTS_H
#define MODEL_POST_POSTS_H

#include "model/key.h"
#include "model/post/post.h"
#include "model/post/ranking.h"

/*
 * Lists of posts, newest first. Every list of posts in the program is read with these functions:
 * they end it at the present time, so that a scheduled post is neither early nor late, and they
 * check post_visible_to() again, so that not even a wrong key could show a post that is not public.
 *
 * Reading has two halves, so that a page can send several reads together: posts_prepare() makes the
 * read, posts_take() takes the answer.
 */
struct posts_query {
	enum posts_of of;
	struct str name;     /* of the author, category or tag */
	struct str from, to; /* prefixes of times, both included; empty: open */
	uint32_t limit;
	struct str
	    cursor; /* from `older` or `newer` of another page of this list; empty: the first */
	bool newer; /* the cursor was a `newer` */
};

struct posts {
	const struct post *posts;
	size_t count;
	struct str older, newer; /* cursors of the neighbouring pages; empty where there is none */
};

/* Makes the read of a list. False when its range is empty: then there is nothing to read. */
bool posts_prepare(
    struct arena *arena, const struct posts_query *query, int64_t now, struct read *read);

/*
 * The posts of an answered read. For a list of POSTS_OF_TAG, whose items only name the posts, call
 * posts_heads() first, read again, and hand over that read as `heads`; else NULL.
 */
void posts_take(struct arena *arena, const struct posts_query *query, const struct read *read,
    const struct read *heads, int64_t now, struct posts *out);

/*
 * The same of a first page of query->limit posts that was read with what follows it: that goes to *rest. The ways to
 * other pages are those of the page; rest->older says just that there is more.
 */
void posts_take_parts(struct arena *arena, const struct posts_query *query,
    const struct read *read, int64_t now, struct posts *out, struct posts *rest);

/*
 * The same for several shelves as one list, a category and all that lie under it: a read for each of
 * `names`, of which query->name is the first. False when the range is empty.
 */
bool posts_prepare_partitions(struct arena *arena, const struct posts_query *query,
    const struct str *names, size_t count, int64_t now, struct read *reads);
void posts_take_partitions(struct arena *arena, const struct posts_query *query,
    const struct read *reads, size_t count, int64_t now, struct posts *out);

/*
 * Removes duplicates of posts from a list that was read: a moving post may be in an index, or at
 * two positions, twice, and a batch can't name a key twice.
 */
void posts_once(struct read *list);

/*
 * The same, and makes the read of those posts, one for each remaining item. False when there are
 * none.
 */
bool posts_heads(struct arena *arena, struct read *list, struct read *heads);

/*
 * The best posts of a ranking, page by page: posts_prepare_ranking() makes the read, false when the ranking has no such order,
 * and posts_ranked() takes `limit` of its answer; out->older is the cursor of what follows. But for RANKING_HOT, the items
 * only name the posts: call posts_heads() first, read again, and hand over that read as `heads`; else NULL.
 */
struct ranking_query {
	enum ranking ranking;
	const struct span *span; /* when they were published; NULL: whenever */
	uint32_t limit;
	size_t scheduled;  /* how many posts are yet to come: all of them are among the first of HOT */
	struct str cursor; /* from `older` of the page before; empty: the first */
};
bool posts_prepare_ranking(
    struct arena *arena, const struct ranking_query *query, struct read *read);
void posts_ranked(struct arena *arena, const struct ranking_query *query, const struct read *read,
    const struct read *heads, int64_t now, struct posts *out);

#endif
