/* The files of the seed contain keys: they must agree with the rule by which posts are saved. */
#include "seeded.h"

#include "lib/tap.h"

#include "model/key_post.h"
#include "model/post/post.h"

/* Has the item the index keys that the rule gives it, and no others? */
static bool
stands(const struct item *stored, struct item ruled)
{
	for (enum table_index i = TABLE_GSI1; i <= TABLE_GSI4; i++)
		if (!str_eq(item_string(stored, table_pk_name(i)),
			item_string(&ruled, table_pk_name(i))) ||
		    !str_eq(item_string(stored, table_sk_name(i)),
			item_string(&ruled, table_sk_name(i)))) {
			fprintf(stderr, "# %.*s: %.*s\n", STR_ARGS(item_key(stored).pk),
			    STR_ARGS(item_string(&ruled, table_sk_name(i))));
			return false;
		}
	return true;
}

static void
seed_places(struct seeded *s)
{
	unsigned heads = 0, astray = 0;

	for (size_t i = 0; i < s->seed.count; i++) {
		const struct item *stored = &s->seed.items[i], *stats;
		struct item ruled = item_shallow(s->arena, stored), other;
		struct post_stats figures;
		struct post post;

		if (!str_eq(item_string(stored, STR("Type")), STR("Post")))
			continue;
		post_from_item(s->arena, stored, &post);
		key_index_post(s->arena, &ruled, &post);
		heads++;
		astray += !stands(stored, ruled);
		if (!post_in_lists(&post))
			continue;
		other =
		    seeded_item(s, str_fmt(s->arena, "POST#%.*s", STR_ARGS(post.id)).base, "STATS");
		stats = &other;
		post_stats_from_item(s->arena, stats, &figures);
		ruled = item_shallow(s->arena, stats);
		key_index_stats(s->arena, &ruled, &post, &figures);
		astray += !stands(stats, ruled);
	}
	ok(heads > 50, "the seed has %u posts", heads);
	is_int(astray, 0, "... and each stands where one that is saved would");
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	seed_places(&s);
	seeded_close(&s);
	return tap_done();
}
