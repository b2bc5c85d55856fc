#ifndef MODEL_KEY_COMMENT_H
#define MODEL_KEY_COMMENT_H

#include "model/key.h"
#include "model/reader/comment.h"

/*
 * The part of the key schema that is about threads: what lies beside the comments of a post, and where the thread that
 * begins with a root stands among the others.
 *
 *	POST#<id>   TALLY#<root>                of the whole thread under a root
 *
 *	GSI3  THREADS#<id>                      <root>, so by time
 *	GSI4  BEST#<id>                         <score>#<root>
 */

struct key key_tally(struct arena *arena, struct str post, struct str root);

/* Where a tally stands: the values of its four index attributes. */
struct tally_places {
	struct str threads, best, place, best_place;
};
struct tally_places key_tally_places(
    struct arena *arena, struct str post, struct str root, int64_t score);

/* The root of a tally, from its sort key. */
struct str key_tally_root(struct str sort);

/* The threads of a post in such an order, each by its tally. */
struct query query_threads(struct arena *arena, struct str post, enum thread_order order);

/* A comment and all under it, in reading order. */
struct query query_thread(struct arena *arena, struct str post, struct str path);

/* The comment of an id, whatever it stands under. */
struct query query_comment_by_id(struct arena *arena, struct str id);

#endif
