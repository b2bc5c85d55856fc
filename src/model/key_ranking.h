#ifndef MODEL_KEY_RANKING_H
#define MODEL_KEY_RANKING_H

#include "model/key.h"
#include "model/post/ranking.h"

struct post;
struct zone;

/* The part of the key schema that is about rankings of posts. */

/* The place of a post in a ranking other than HOT; and all that lies there of a post, RANKED_MAX items at most. */
enum { RANKED_MAX = RANKINGS };
struct key key_ranked(struct arena *arena, struct str post, enum ranking ranking);
struct query query_ranked(struct arena *arena, struct str post);

/* The post of such a place; empty: the key is none. */
struct str key_ranked_post(struct key key);

/* What a post is counted as, which lies beside its places. */
struct key key_ranked_counted(struct arena *arena, struct str post);

/* What counts the words and ratings of a person's posts. */
struct key key_person_figures(struct arena *arena, struct str username);

/* What counts the posts of a month ("2026-11") or a week ("2026-w47"), which that is, and all of these, newest first. */
struct key key_month(struct str month);
struct key key_week(struct str week);
bool key_counted_span(struct key key, struct span *out);
struct query query_months(void);
struct query query_weeks(void);

/* Whose days, weeks, months and years they are of. */
struct key key_rank_zone(void);

/* Where the item is found with that score: among all, and among those that were published in the same spans of a zone. */
void key_index_ranked(struct arena *arena, struct item *item, enum ranking ranking,
    const struct post *post, int64_t score, const struct zone *zone);

/* All of them, whatever their time, for deriving. */
struct query query_all_posts(void);

/*
 * The best of all times (`span` NULL) or of a span, best first; not bounded, so only for model/post/posts.c. False: the
 * ranking has no such order.
 */
bool query_ranking(struct arena *arena, enum ranking ranking, const struct span *span,
    struct query *out);

#endif
