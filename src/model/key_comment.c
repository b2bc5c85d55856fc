#include "model/key_comment.h"

#include "base/arena.h"

#include <inttypes.h>

static struct str
of_post(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("POST#"), post);
}

struct key
key_tally(struct arena *arena, struct str post, struct str root)
{
	return (struct key){of_post(arena, post), STR_CONCAT(arena, STR("TALLY#"), root)};
}

struct str
key_tally_root(struct str sort)
{
	struct str root;

	str_cut(sort, '#', &root);
	return root;
}

struct tally_places
key_tally_places(struct arena *arena, struct str post, struct str root, int64_t score)
{
	return (struct tally_places){.threads = STR_CONCAT(arena, STR("THREADS#"), post),
	    .place = root,
	    .best = STR_CONCAT(arena, STR("BEST#"), post),
	    .best_place = str_fmt(arena, "%06" PRId64 "#%.*s", score, STR_ARGS(root))};
}

struct query
query_threads(struct arena *arena, struct str post, enum thread_order order)
{
	struct tally_places places = key_tally_places(arena, post, STR(""), 0);
	bool best = order == THREAD_BEST;

	return (struct query){.index = best ? TABLE_GSI4 : TABLE_GSI3,
	    .partition = best ? places.best : places.threads,
	    .descending = order != THREAD_OLDEST};
}

struct query
query_thread(struct arena *arena, struct str post, struct str path)
{
	return (struct query){.partition = of_post(arena, post),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("COMMENT#"), path)};
}

struct query
query_comment_by_id(struct arena *arena, struct str id)
{
	struct key place = key_comment_place(arena, id);

	return (struct query){.index = TABLE_GSI2,
	    .partition = place.pk,
	    .op = SORT_EQ,
	    .low = place.sk,
	    .limit = 1};
}
