#ifndef MODEL_POST_RANKING_H
#define MODEL_POST_RANKING_H

#include "base/span.h"
#include "base/str.h"

struct arena;
struct post;

/*
 * The rankings of posts, and the scores that begin their sort keys. docs/table.md tells what each is for.
 */
enum ranking {
	RANKING_HOT, /* what readers do with posts, new ones first: the place of a post's head itself */
	RANKING_TOP, /* likes, and votes for it less those against */
	RANKING_DISCUSSED,
	RANKING_RATED,
	RANKING_DISPUTED,
	RANKINGS,
};

/*
 * HOT, 12 digits: ten times the engagement is worth 22 hours. A post's score changes only when its
 * engagement does. `published` is in milliseconds.
 */
int64_t ranking_engagement(const struct post *post);
struct str ranking_hot(struct arena *arena, int64_t published, int64_t engagement);

/* Of all others, at most 10 digits, from the numbers in the head of a post in lists; 0: it has no place there. */
int64_t ranking_score(enum ranking ranking, const struct post *post);

/* Has it an order of its own for spans of that length? All but HOT have one of all times. */
bool ranking_has_span(enum ranking ranking, enum span_length length);

#endif
