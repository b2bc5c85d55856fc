#include "model/post/ranking.h"

#include <inttypes.h>
#include <math.h>

enum { SECONDS_PER_TENFOLD = 22 * 60 * 60 };

struct str
ranking_hot(struct arena *arena, int64_t published, int64_t engagement)
{
	double tens = log10((double)(engagement > 1 ? engagement : 1));
	int64_t score = llround(tens * SECONDS_PER_TENFOLD) + published / 1000;

	return str_fmt(arena, "%012" PRId64, score > 0 ? score : 0);
}
