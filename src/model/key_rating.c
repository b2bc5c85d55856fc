#include "model/key_rating.h"

#include "base/arena.h"
#include "model/reader/rating.h"

#include <inttypes.h>

static struct str
joined(struct arena *arena, const char *kind, struct str name)
{
	return STR_CONCAT(arena, str_of(kind), STR("#"), name);
}

static void
stand(struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

static struct str
of_stars(struct arena *arena, int64_t stars)
{
	return str_fmt(arena, "STARS#%" PRId64, stars);
}

struct key
key_rating(struct arena *arena, struct str username, struct str post)
{
	return (struct key){
	    joined(arena, "USER", username), STR_CONCAT(arena, STR("POST#"), post, STR("#RATING"))};
}

struct key
key_rating_move(struct str post)
{
	return (struct key){STR("RATINGMOVE"), post};
}

/* --- Queries ------------------------------------------------------------------------------------------ */

struct query
query_ratings_by_stars(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_GSI4, .partition = joined(arena, "REVIEWS", post)};
}

struct query
query_ratings_with(struct arena *arena, int64_t stars)
{
	return (struct query){.index = TABLE_GSI3, .partition = of_stars(arena, stars)};
}

struct query
query_ratings_of(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = joined(arena, "USER", username),
	    .op = SORT_BEGINS,
	    .low = STR("RATING#")};
}

struct query
query_rating_moves(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = STR("RATINGMOVE")};
}

struct query
query_ratings_held(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = STR("HELDNOTE")};
}

/* --- Index keys --------------------------------------------------------------------------------------- */

void
key_index_rating(
    struct arena *arena, struct item *item, const struct rating *rating, bool post_public)
{
	struct str time = time_format(arena, rating->created);
	struct str by = STR_CONCAT(arena, time, STR("#"), rating->author);
	struct str of = STR_CONCAT(arena, time, STR("#"), rating->post);

	stand(arena, item, TABLE_GSI1, joined(arena, "USER", rating->author),
	    joined(arena, "RATING", of));
	stand(arena, item, TABLE_GSI2, joined(arena, "ABOUT", rating->post),
	    joined(arena, "RATING", by));
	if (rating->status == RATING_HELD)
		stand(arena, item, TABLE_GSI3, STR("HELDNOTE"),
		    STR_CONCAT(arena, of, STR("#"), rating->author));
	else if (post_public && rating->status == RATING_VISIBLE)
		stand(arena, item, TABLE_GSI3, of_stars(arena, rating->stars),
		    STR_CONCAT(arena, of, STR("#"), rating->author));
	stand(arena, item, TABLE_GSI4, joined(arena, "REVIEWS", rating->post),
	    str_fmt(arena, "%" PRId64 "#%.*s", rating->stars, STR_ARGS(by)));
}
