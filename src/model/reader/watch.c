#include "model/reader/watch.h"

#include "base/arena.h"
#include "model/key_follow.h"
#include "model/kinds.h"

static const char *const names[] = {"", "post", "thread", "tag", "category", NULL};

static const struct binding watch[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct watch, created),
    BIND_STRING(RECORDED, "Name", struct watch, name),
    BIND_STRING(RECORDED, "Post", struct watch, post),
    BIND_STRING(RECORDED, "Username", struct watch, username),
    BIND_CHOICE(RECORDED, "What", struct watch, what, names),
};
const struct binding_table watch_bindings = BINDINGS(watch);

void
watch_from_item(struct arena *arena, const struct item *item, struct watch *out)
{
	*out = (struct watch){.what = WATCH_NOTHING};
	bind_read(arena, &watch_bindings, item, out);
}

const char *
watch_name(enum watch_what what)
{
	return names[what];
}

enum watch_what
watch_of(struct str name)
{
	int what = name.len != 0 ? choice_of(names, name) : 0;

	return what < 0 ? WATCH_NOTHING : (enum watch_what)what;
}

struct read
watch_read(struct arena *arena, struct str username, const struct watch_target *target)
{
	return (struct read){
	    .kind = READ_GET, .key = key_watch(arena, username, target), .consistent = true};
}

enum plan_rc
watch_begin(struct plan *plan, const struct watch_target *target, const struct rate *limit)
{
	struct arena *arena = plan->call->arena;
	const struct watch is = {target->what, target->name, target->post, plan->by, plan->now};
	struct item item = {.count = 0};

	key_set(arena, &item, key_watch(arena, plan->by, target), ITEM_WATCH);
	key_index_watch(arena, &item, plan->by, plan->now, target);
	bind_write(arena, &watch_bindings, &is, &item);
	plan_create(plan, item, PLAN_TAKEN);
	rate_add(plan, limit, 1, false);
	if (plan_commit(plan) == PLAN_TAKEN)
		plan->rc = PLAN_DONE;
	return plan->rc;
}

enum plan_rc
watch_end(struct plan *plan, const struct watch_target *target)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_watch(plan->call->arena, plan->by, target)},
	    PLAN_DONE);
	return plan_commit(plan);
}
