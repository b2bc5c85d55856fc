/* The keys of the catalogue: see key.h. */
#include "model/key_catalogue.h"

#include "base/arena.h"
#include "model/post/post.h"
#include "model/post/ranking.h"

#include <inttypes.h>
#include <sodium.h>

enum { MINUTES_MAX = 99999999, HASH_BYTES = 16 };

static struct str
of_post(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("CATALOGUED#"), post);
}

struct key
key_catalogued(struct arena *arena, struct str post, struct str list)
{
	return (struct key){of_post(arena, post), list};
}

struct query
query_catalogued(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = of_post(arena, post)};
}

struct str
key_catalogued_post(struct key key)
{
	struct str prefix = STR("CATALOGUED#");

	return str_starts(key.pk, prefix) ? str_sub(key.pk, prefix.len, key.pk.len) : STR("");
}

/* --- Lists -------------------------------------------------------------------------------------------- */

struct str
catalogue_kind(struct arena *arena, enum post_kind kind, struct str tag)
{
	static const struct str names[] = {[KIND_ARTICLE] = STR_INIT("ARTICLE"),
	    [KIND_LINK] = STR_INIT("LINK"),
	    [KIND_HOWTO] = STR_INIT("HOWTO"),
	    [KIND_NOTE] = STR_INIT("NOTE"),
	    [KIND_PAGE] = STR_INIT("PAGE")};

	return tag.len == 0 ? names[kind] : STR_CONCAT(arena, names[kind], STR("#"), tag);
}

struct str
catalogue_material(struct arena *arena, struct str word)
{
	return STR_CONCAT(arena, STR("MATERIAL#"), word);
}

struct str
catalogue_address(struct arena *arena, struct str likened)
{
	unsigned char hash[HASH_BYTES];
	char text[2 * HASH_BYTES + 1];

	crypto_generichash(
	    hash, sizeof(hash), (const unsigned char *)likened.base, likened.len, NULL, 0);
	sodium_bin2hex(text, sizeof(text), hash, sizeof(hash));
	return STR_CONCAT(arena, STR("ADDRESS#"), str_of(text));
}

/* --- Indexes ------------------------------------------------------------------------------------------ */

static const enum table_index indexes[CATALOGUE_ORDERS] = {
    [CATALOGUE_NEWEST] = TABLE_GSI2,
    [CATALOGUE_BEST] = TABLE_GSI4,
    [CATALOGUE_QUICKEST] = TABLE_GSI1,
    [CATALOGUE_CHEAPEST] = TABLE_GSI3,
};

static struct str
partition_of(struct arena *arena, struct str list)
{
	return STR_CONCAT(arena, STR("CATALOGUE#"), list);
}

void
key_index_catalogued(struct arena *arena, struct item *item, struct str list,
    enum catalogue_order order, const struct post *post)
{
	struct str place = STR_CONCAT(
	    arena, time_format(arena, post->published), STR("#"), post->id);
	int64_t minutes = post->minutes < MINUTES_MAX ? post->minutes : MINUTES_MAX;

	switch (order) {
	case CATALOGUE_BEST:
		place = str_fmt(arena, "%010" PRId64 "#%.*s", ranking_score(RANKING_RATED, post),
		    STR_ARGS(place));
		break;
	case CATALOGUE_QUICKEST:
		place = str_fmt(arena, "%08" PRId64 "#%.*s", minutes, STR_ARGS(place));
		break;
	case CATALOGUE_CHEAPEST:
		place = str_fmt(arena, "%012" PRId64 "#%.*s", catalogue_cents(post->cost),
		    STR_ARGS(place));
		break;
	case CATALOGUE_NEWEST:
	case CATALOGUE_ORDERS: break;
	}
	item_set(arena, item, table_pk_name(indexes[order]), value_string(partition_of(arena, list)));
	item_set(arena, item, table_sk_name(indexes[order]), value_string(place));
}

struct query
query_catalogue(struct arena *arena, struct str list, enum catalogue_order order)
{
	return (struct query){.index = indexes[order],
	    .partition = partition_of(arena, list),
	    .descending = order == CATALOGUE_NEWEST || order == CATALOGUE_BEST};
}
