#include "model/reader/hidden.h"

#include "base/arena.h"
#include "model/key_follow.h"
#include "model/kinds.h"

#define MUTED STR("Muted")
#define MUTED_TAGS STR("MutedTags")
#define BLOCKED STR("Blocked")

static struct strings_value
names_of(struct arena *arena, const struct item *item, struct str attribute)
{
	struct strings_value names = {.count = 0};

	if (item != NULL)
		names.strings = item_strings(arena, item, attribute, &names.count);
	return names;
}

void
hidden_from_item(struct arena *arena, const struct item *item, struct hidden *out)
{
	out->muted = names_of(arena, item, MUTED);
	out->muted_tags = names_of(arena, item, MUTED_TAGS);
	out->blocked = names_of(arena, item, BLOCKED);
}

bool
hidden_has(const struct strings_value *names, struct str name)
{
	for (size_t i = 0; i < names->count; i++)
		if (str_eq(names->strings[i], name))
			return true;
	return false;
}

static void
add(struct plan *plan, struct str who, struct str attribute, struct str name)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);
	struct str *member = ARENA_NEW(arena, struct str);

	*member = name;
	changes[0] = (struct change){CHANGE_SET_ADD, attribute, value_set(arena, member, 1)};
	changes[1] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_HIDDEN)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_hidden(arena, who),
		.changes = changes,
		.change_count = 2},
	    PLAN_CHANGED);
}

static void
drop(struct plan *plan, struct str who, struct str attribute, struct str name)
{
	struct arena *arena = plan->call->arena;
	struct change *change = ARENA_NEW(arena, struct change);
	struct condition *has = ARENA_NEW(arena, struct condition);
	struct str *member = ARENA_NEW(arena, struct str);

	*member = name;
	*change = (struct change){CHANGE_SET_DELETE, attribute, value_set(arena, member, 1)};
	*has =
	    (struct condition){.op = COND_CONTAINS, .name = attribute, .value = value_string(name)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_hidden(arena, who),
		.changes = change,
		.change_count = 1,
		.condition = has},
	    PLAN_DONE);
}

static enum plan_rc
set(struct plan *plan, const struct strings_value *now, size_t max, struct str attribute,
    struct str name, bool muted)
{
	if (muted && hidden_has(now, name))
		return PLAN_DONE;
	if (muted && now->count >= max)
		return PLAN_FULL;
	if (muted)
		add(plan, plan->by, attribute, name);
	else
		drop(plan, plan->by, attribute, name);
	return plan_commit(plan);
}

enum plan_rc
hidden_mute(struct plan *plan, const struct hidden *now, struct str username, bool muted)
{
	return set(plan, &now->muted, HIDDEN_PEOPLE_MAX, MUTED, username, muted);
}

enum plan_rc
hidden_mute_tag(struct plan *plan, const struct hidden *now, struct str tag, bool muted)
{
	return set(plan, &now->muted_tags, HIDDEN_TAGS_MAX, MUTED_TAGS, tag, muted);
}

void
hidden_add_block(struct plan *plan, struct str by, struct str blocked)
{
	add(plan, by, BLOCKED, blocked);
}

void
hidden_add_mute(struct plan *plan, struct str by, struct str muted)
{
	add(plan, by, MUTED, muted);
}

void
hidden_drop_block(struct plan *plan, struct str by, struct str blocked)
{
	drop(plan, by, BLOCKED, blocked);
}
