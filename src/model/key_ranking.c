/* The keys of rankings: see key.h. */
#include "model/key_ranking.h"

#include "base/arena.h"
#include "model/post/post.h"

#include <assert.h>
#include <inttypes.h>

/* How each is called in keys: all of them, and of a span as "<name>#<span>". */
static const struct str names[RANKINGS] = {
    [RANKING_HOT] = STR_INIT("HOT"),
    [RANKING_TOP] = STR_INIT("TOP"),
    [RANKING_DISCUSSED] = STR_INIT("DISCUSSED"),
    [RANKING_RATED] = STR_INIT("RATED"),
    [RANKING_DISPUTED] = STR_INIT("DISPUTED"),
};
/* What the place of a post is called. */
static const struct str places[RANKINGS] = {
    [RANKING_TOP] = STR_INIT("TOP"),
    [RANKING_DISCUSSED] = STR_INIT("DISCUSSED"),
    [RANKING_RATED] = STR_INIT("STARS"),
    [RANKING_DISPUTED] = STR_INIT("DISPUTE"),
};

static struct str
of_post(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("RANKED#"), post);
}

struct key
key_ranked(struct arena *arena, struct str post, enum ranking ranking)
{
	assert(places[ranking].len != 0);
	return (struct key){of_post(arena, post), places[ranking]};
}

struct query
query_ranked(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = of_post(arena, post)};
}

struct key
key_ranked_counted(struct arena *arena, struct str post)
{
	return (struct key){of_post(arena, post), STR("COUNTED")};
}

struct key
key_person_figures(struct arena *arena, struct str username)
{
	return (struct key){STR_CONCAT(arena, STR("FIGURES#"), username), STR("TOTAL")};
}

static const struct str months = STR_INIT("MONTHS"), weeks = STR_INIT("WEEKS");

struct key
key_month(struct str month)
{
	return (struct key){months, month};
}

struct key
key_week(struct str week)
{
	return (struct key){weeks, week};
}

bool
key_counted_span(struct key key, struct span *out)
{
	return span_parse(key.sk, out);
}

struct query
query_months(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = months, .descending = true};
}

struct query
query_weeks(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = weeks, .descending = true};
}

struct str
key_ranked_post(struct key key)
{
	struct str prefix = STR("RANKED#");

	return str_starts(key.pk, prefix) ? str_sub(key.pk, prefix.len, key.pk.len) : STR("");
}

struct key
key_rank_zone(void)
{
	return (struct key){STR("RANKED"), STR("ZONE")};
}

/* --- Indexes ------------------------------------------------------------------------------------------ */

/* The best of all times are in GSI4; those of TOP are the post's Stats (key_index_stats()), whose place is taken by the year. */
static enum table_index
index_of(enum ranking ranking, const struct span *span)
{
	if (span == NULL)
		return TABLE_GSI4;
	switch (span->length) {
	case SPAN_WEEK: return TABLE_GSI2;
	case SPAN_MONTH: return TABLE_GSI3;
	case SPAN_YEAR: return ranking == RANKING_TOP ? TABLE_GSI4 : TABLE_GSI1;
	case SPAN_DAY:
	case SPAN_LENGTHS: break;
	}
	return TABLE_GSI1;
}

static struct str
partition_of(struct arena *arena, enum ranking ranking, const struct span *span)
{
	return span == NULL ? names[ranking]
			    : STR_CONCAT(arena, names[ranking], STR("#"), span_text(arena, *span));
}

static void
stand(struct arena *arena, struct item *item, enum ranking ranking, const struct span *span,
    struct str place)
{
	enum table_index index = index_of(ranking, span);

	item_set(arena, item, table_pk_name(index),
	    value_string(partition_of(arena, ranking, span)));
	item_set(arena, item, table_sk_name(index), value_string(place));
}

void
key_index_ranked(struct arena *arena, struct item *item, enum ranking ranking,
    const struct post *post, int64_t score, const struct zone *zone)
{
	struct str place = str_fmt(arena, "%010" PRId64 "#%.*s#%.*s", score,
	    STR_ARGS(time_format(arena, post->published)), STR_ARGS(post->id));

	if (ranking != RANKING_TOP)
		stand(arena, item, ranking, NULL, place);
	for (enum span_length length = 0; length < SPAN_LENGTHS; length++) {
		struct span span = span_of(length, zone, post->published);

		if (ranking_has_span(ranking, length))
			stand(arena, item, ranking, &span, place);
	}
}

struct query
query_all_posts(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = STR("POST")};
}

bool
query_ranking(
    struct arena *arena, enum ranking ranking, const struct span *span, struct query *out)
{
	if (span != NULL && !ranking_has_span(ranking, span->length))
		return false;
	*out = (struct query){.index = index_of(ranking, span),
	    .partition = partition_of(arena, ranking, span),
	    .descending = true};
	return true;
}
