/*
 * Where posts stand in the rankings, from the numbers in their heads, which the fold of counts makes
 * (model/post/count.h): the best of a day, a week, a month and a year, the most discussed, the best rated, the
 * disputed. A post that has no score, or is in no lists, has no place. A post in lists is counted in its month and its
 * week, for the archive and the sitemap, and its words and ratings for its authors: scheduled ones as well, as time
 * alone changes no counter.
 *
 * The subjects are a post (its id), the numbers of an author (their key), which go when none is left, as the name of somebody
 * who has left stays nowhere, and the zone of the site (the key of the settings): when that changes, days begin at other moments.
 * Which zone the places of all posts are of is kept in RANKED / ZONE, so other changes of the settings cost
 * two reads.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/zone.h"
#include "model/item_counter.h"
#include "model/key_post.h"
#include "model/key_ranking.h"
#include "model/post/post.h"

static const struct str zone_name = STR_INIT("TimeZone");

static bool
is_settings(struct key key)
{
	return str_eq(key.pk, key_site_settings().pk) && str_eq(key.sk, key_site_settings().sk);
}

struct str
rankings_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == &item_kinds[ITEM_POST])
		return key_name(key);
	if (kind == &item_kinds[ITEM_SITE] || kind == &item_kinds[ITEM_RANK_ZONE])
		return subject_of_key(arena, key_site_settings());
	if (kind == &item_kinds[ITEM_PERSON_FIGURES])
		return subject_of_key(arena, key);
	return key_ranked_post(key);
}

/* --- A post ------------------------------------------------------------------------------------------- */

/* The numbers that made the score, for people who look at the table. */
static void
set_numbers(struct arena *arena, enum ranking ranking, const struct post *post, struct item *item)
{
	if (ranking == RANKING_RATED) {
		item_set(arena, item, STR("Ratings"), value_number(post->ratings));
		item_set(arena, item, STR("Stars"), value_number(post->stars));
	} else if (ranking == RANKING_DISPUTED) {
		item_set(arena, item, STR("Ups"), value_number(post->ups));
		item_set(arena, item, STR("Downs"), value_number(post->downs));
	}
}

/* The place of a post in a ranking; NULL: it has none. */
static const struct item *
place_of(struct arena *arena, enum ranking ranking, const struct post *post, const struct zone *zone)
{
	static const enum item_kind kinds[RANKINGS] = {[RANKING_TOP] = ITEM_TOP,
	    [RANKING_DISCUSSED] = ITEM_DISCUSSED,
	    [RANKING_RATED] = ITEM_STARS,
	    [RANKING_DISPUTED] = ITEM_DISPUTE};
	int64_t score = ranking_score(ranking, post);
	struct item *item;

	if (score == 0)
		return NULL;
	item = ARENA_NEW(arena, struct item);
	key_set(arena, item, key_ranked(arena, post->id, ranking), kinds[ranking]);
	key_index_ranked(arena, item, ranking, post, score, zone);
	item_set(arena, item, STR("Post"), value_string(post->id));
	set_numbers(arena, ranking, post, item);
	return item;
}

static void
set_authors(struct arena *arena, const struct post *post, struct item *item)
{
	struct str *authors = ARENA_ARRAY(arena, 1 + post->other_count, struct str);

	authors[0] = post->author;
	for (size_t i = 0; i < post->other_count; i++)
		authors[1 + i] = post->others[i].username;
	item_set(arena, item, STR("Authors"), value_set(arena, authors, 1 + post->other_count));
}

/* What a post is counted as; NULL: it is not. */
static const struct item *
counted_as(struct arena *arena, const struct post *post, const struct zone *zone)
{
	struct item *item;

	if (!post_in_lists(post))
		return NULL;
	item = ARENA_NEW(arena, struct item);
	key_set(arena, item, key_ranked_counted(arena, post->id), ITEM_COUNTED);
	item_set(arena, item, STR("Month"),
	    value_string(span_text(arena, span_of(SPAN_MONTH, zone, post->published))));
	item_set(arena, item, STR("Week"),
	    value_string(span_text(arena, span_of(SPAN_WEEK, zone, post->published))));
	item_set(arena, item, STR("Post"), value_string(post->id));
	item_set(arena, item, STR("Words"), value_number(post->words));
	item_set(arena, item, STR("Ratings"), value_number(post->ratings));
	item_set(arena, item, STR("Stars"), value_number(post->stars));
	set_authors(arena, post, item);
	return item;
}

/* Which of the places that were read has this key. */
static const struct item *
found_at(const struct read *read, struct key key)
{
	for (size_t i = 0; i < read->found_count; i++)
		if (str_eq(item_key(&read->found[i]).sk, key.sk))
			return &read->found[i];
	return NULL;
}

enum { HEAD, PLACES, SETTINGS, READS };

static enum table_rc
derive_post(struct derive *d, struct str id)
{
	struct arena *arena = d->call->arena;
	struct read reads[READS] = {
	    [HEAD] = {.kind = READ_GET, .key = key_post(arena, id), .consistent = true},
	    [PLACES] = {.kind = READ_QUERY, .query = query_ranked(arena, id)},
	    [SETTINGS] = {.kind = READ_GET, .key = key_site_settings(), .consistent = true}};
	const struct zone *zone = NULL;
	struct post post = {.status = STATUS_DRAFT};
	enum table_rc rc;

	reads[PLACES].query.limit = RANKED_MAX;
	reads[PLACES].query.consistent = true;
	rc = table_read(d->table, d->call, reads, READS);
	if (rc != TABLE_OK)
		return rc;
	if (reads[HEAD].item != NULL)
		post_from_item(arena, reads[HEAD].item, &post);
	if (reads[SETTINGS].item != NULL && post_in_lists(&post))
		zone = zone_load(arena, item_string(reads[SETTINGS].item, zone_name));
	for (enum ranking r = RANKING_TOP; rc == TABLE_OK && r < RANKINGS; r++)
		rc = derive_item(d, found_at(&reads[PLACES], key_ranked(arena, id, r)),
		    place_of(arena, r, &post, zone));
	if (rc == TABLE_OK)
		rc = derive_counted(d, found_at(&reads[PLACES], key_ranked_counted(arena, id)),
		    counted_as(arena, &post, zone));
	return rc;
}

/* --- An author ---------------------------------------------------------------------------------------- */

/*
 * Numbers that are all 0 are those of nothing: as each post is counted in one transaction with them, none is taken off
 * them later.
 */
static enum table_rc
derive_figures(struct derive *d, struct key key)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);

	if (rc != TABLE_OK || read.item == NULL)
		return rc;
	for (size_t i = 0; i < AUTHOR_FIGURES; i++)
		if (item_number(read.item, author_figures[i]) != 0)
			return TABLE_OK;
	return derive_counted(d, read.item, NULL);
}

/* --- The zone ----------------------------------------------------------------------------------------- */

static enum table_rc
visit(struct derive *d, const struct item *item, void *context)
{
	(void)context;
	return derive_post(d, key_name(item_key(item)));
}

/* What is written meanwhile has the new zone already; the mark comes last, so it may stop anywhere. */
static enum table_rc
derive_zone(struct derive *d)
{
	struct read reads[2] = {
	    {.kind = READ_GET, .key = key_site_settings(), .consistent = true},
	    {.kind = READ_GET, .key = key_rank_zone(), .consistent = true}};
	struct item wanted = {0};
	struct str name = STR("");
	enum table_rc rc = table_read(d->table, d->call, reads, 2);

	if (rc != TABLE_OK)
		return rc;
	if (reads[0].item != NULL)
		name = item_string(reads[0].item, zone_name);
	if (reads[1].item != NULL && str_eq(item_string(reads[1].item, zone_name), name))
		return TABLE_OK;
	rc = derive_each(d, query_all_posts(), visit, NULL);
	if (rc != TABLE_OK)
		return rc;
	key_set(d->call->arena, &wanted, key_rank_zone(), ITEM_RANK_ZONE);
	item_set(d->call->arena, &wanted, zone_name, value_string(name));
	return derive_item(d, reads[1].item, &wanted);
}

enum table_rc
rankings_derive(struct derive *d, struct str subject)
{
	struct key key = subject_key(subject);

	if (key.sk.len == 0)
		return derive_post(d, subject);
	return is_settings(key) ? derive_zone(d) : derive_figures(d, key);
}
