#ifndef MODEL_KEY_RATING_H
#define MODEL_KEY_RATING_H

#include "model/key.h"

struct rating;

/* The part of the key schema that is about ratings: with the person, and in four indexes. */

struct key key_rating(struct arena *arena, struct str username, struct str post);

/* That the ratings of a post are to be moved (model/reader/rating_move.h). */
struct key key_rating_move(struct str post);

/* --- Queries: limit, direction and cursor are the caller's; those of a post by time are query_ratings() --- */

/* Those of a post by their stars, and by time among equals. */
struct query query_ratings_by_stars(struct arena *arena, struct str post);
/* Everybody's with so many stars, of public posts, by time. */
struct query query_ratings_with(struct arena *arena, int64_t stars);
/* A person's, by time. */
struct query query_ratings_of(struct arena *arena, struct str username);
/* The posts of which some are to be moved. */
struct query query_rating_moves(void);
/* Those whose note waits for an editor, by time: for the staff only. */
struct query query_ratings_held(void);

/* Where it stands; `post_public`: among all with so many stars, unless its note is held. */
void key_index_rating(
    struct arena *arena, struct item *item, const struct rating *rating, bool post_public);

#endif
