#ifndef MODEL_KEY_COMMENT_H
#define MODEL_KEY_COMMENT_H

#include "model/key.h"
#include "model/reader/comment.h"

/*
 * The part of the key schema for threads: the items next to the comments of a post, by which threads are sorted.
 *
 *	POST#<id>   TALLY#<root>                of the whole thread under a root
 *
 *	GSI3  THREADS#<id>                      <root>, so by time
 *	GSI4  BEST#<id>                         <score>#<root>
 */

struct key key_tally(struct arena *arena, struct str post, struct str root);

/* The index keys of a tally: the values of its four attributes. */
struct tally_places {
	struct str threads, best, place, best_place;
};
struct tally_places key_tally_places(
    struct arena *arena, struct str post, struct str root, int64_t score);

/* The root of a tally, from its sort key. */
struct str key_tally_root(struct str sort);

/* The threads of a post in that order, by their tallies. */
struct query query_threads(struct arena *arena, struct str post, enum thread_order order);

/* A comment and its descendants, in reading order. */
struct query query_thread(struct arena *arena, struct str post, struct str path);

/* The comment of an id, wherever it is. */
struct query query_comment_by_id(struct arena *arena, struct str id);

#endif
