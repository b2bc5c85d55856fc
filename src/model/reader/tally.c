#include "model/reader/tally.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"

void
tally_from_item(const struct item *item, struct tally *out)
{
	*out = (struct tally){.root = key_tally_root(item_string(item, STR("SK"))),
	    .replies = item_number(item, STR("Replies"))};
}

/* The changes that create a tally; an existing one keeps its place. */
static size_t
make_changes(struct arena *arena, struct str post, struct str root, struct change *changes)
{
	struct tally_places places = key_tally_places(arena, post, root, comment_score(0, 0));
	const struct change all[] = {
	    {CHANGE_SET_IF_ABSENT, STR("Type"), kind_type(ITEM_TALLY)},
	    {CHANGE_SET_IF_ABSENT, STR("Post"), value_string(post)},
	    {CHANGE_SET_IF_ABSENT, table_pk_name(TABLE_GSI3), value_string(places.threads)},
	    {CHANGE_SET_IF_ABSENT, table_sk_name(TABLE_GSI3), value_string(places.place)},
	    {CHANGE_SET_IF_ABSENT, table_pk_name(TABLE_GSI4), value_string(places.best)},
	    {CHANGE_SET_IF_ABSENT, table_sk_name(TABLE_GSI4), value_string(places.best_place)},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		changes[i] = all[i];
	return sizeof(all) / sizeof(all[0]);
}

enum { CHANGES_MAX = 8 };

void
tally_add(struct plan *plan, struct str post, struct str path, bool counts)
{
	struct arena *arena = plan->call->arena;
	struct str root = comment_path_root(path);
	struct change *changes = ARENA_ARRAY(arena, CHANGES_MAX, struct change);
	size_t count = make_changes(arena, post, root, changes);

	changes[count++] =
	    (struct change){CHANGE_SET, STR("LastAt"), value_string(time_format(arena, plan->now))};
	if (counts)
		changes[count++] = (struct change){CHANGE_ADD, STR("Replies"), value_number(1)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_tally(arena, post, root),
		.changes = changes,
		.change_count = count},
	    PLAN_CHANGED);
}

void
tally_drop(struct plan *plan, struct str post, struct str root)
{
	struct arena *arena = plan->call->arena;
	struct condition *either = ARENA_ARRAY(arena, 2, struct condition);
	struct condition *none = ARENA_NEW(arena, struct condition);

	either[0] = (struct condition){.op = COND_MISSING, .name = STR("Replies")};
	either[1] =
	    (struct condition){.op = COND_EQ, .name = STR("Replies"), .value = value_number(0)};
	*none = (struct condition){.op = COND_ANY, .children = either, .count = 2};
	plan_add(plan,
	    (struct write){
		.kind = WRITE_DELETE, .key = key_tally(arena, post, root), .condition = none},
	    PLAN_DONE);
}
