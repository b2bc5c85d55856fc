#include "model/post/ranking.h"

#include "model/key_post.h"

#include <inttypes.h>
#include <math.h>

enum {
	SECONDS_PER_TENFOLD = 22 * 60 * 60,
	RATINGS_MIN = 3,
	VOTES_MIN = 5,
	/* As if so many had given so many stars: a few who give five are not the best of all. */
	PRIOR_RATINGS = 5,
	PRIOR_STARS = 3,
	MILLIONTHS = 1000000,
	THOUSANDTHS = 1000,
};
static const int64_t SCORE_MAX = 9999999999;

int64_t
ranking_engagement(const struct post *post)
{
	return post->likes + post->ups - post->downs + post->comments + post->bookmarks +
	       post->ratings;
}

struct str
ranking_hot(struct arena *arena, int64_t published, int64_t engagement)
{
	double tens = log10((double)(engagement > 1 ? engagement : 1));
	int64_t score = llround(tens * SECONDS_PER_TENFOLD) + published / 1000;

	return str_fmt(arena, "%012" PRId64, score > 0 ? score : 0);
}

/* The mean, drawn to the middle while there are few, in millionths. */
static int64_t
rated(const struct post *post)
{
	if (post->ratings < RATINGS_MIN)
		return 0;
	return (post->stars + PRIOR_RATINGS * PRIOR_STARS) * MILLIONTHS /
	       (post->ratings + PRIOR_RATINGS);
}

/* How many votes there are, to the power of how evenly they are split (from 0 to 1), in thousandths. */
static int64_t
disputed(const struct post *post)
{
	int64_t less = post->ups < post->downs ? post->ups : post->downs;
	int64_t more = post->ups < post->downs ? post->downs : post->ups, all = less + more;

	if (all < VOTES_MIN || less < 1)
		return 0;
	return llround(pow((double)all, (double)less / (double)more) * THOUSANDTHS);
}

int64_t
ranking_score(enum ranking ranking, const struct post *post)
{
	int64_t score = 0;

	if (!post_in_lists(post))
		return 0;
	switch (ranking) {
	case RANKING_TOP: score = post->likes + post->ups - post->downs; break;
	case RANKING_DISCUSSED: score = post->comments; break;
	case RANKING_RATED: score = rated(post); break;
	case RANKING_DISPUTED: score = disputed(post); break;
	case RANKING_HOT:
	case RANKINGS: break;
	}
	return score < 0 ? 0 : score > SCORE_MAX ? SCORE_MAX : score;
}

bool
ranking_has_span(enum ranking ranking, enum span_length length)
{
	return ranking == RANKING_TOP || (ranking == RANKING_DISCUSSED && length != SPAN_DAY);
}
