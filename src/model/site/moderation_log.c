#include "model/site/moderation_log.h"

#include "base/clock.h"
#include "model/key_moderation.h"

enum { KEPT_SECONDS = 365 * 86400 };

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "Actor", struct moderation_act, actor),
    BIND_TIME(RECORDED, "CreatedAt", struct moderation_act, created),
    BIND_STRING(RECORDED, "Id", struct moderation_act, id),
    BIND_STRING(RECORDED, "Person", struct moderation_act, person),
    BIND_STRING(RECORDED, "Post", struct moderation_act, post),
    BIND_TEXT(COPIED, "PostTitle", struct moderation_act, post_title, TEXT_LINE),
    BIND_STRING(RECORDED, "What", struct moderation_act, what),
    BIND_TEXT(WRITTEN, "Why", struct moderation_act, why, TEXT_LINES),
};
const struct binding_table moderation_act_bindings = BINDINGS(bindings);

void
moderation_log(struct plan *plan, const struct moderation_act *act)
{
	struct arena *arena = plan->call->arena;
	struct moderation_act whole = *act;
	struct item item = {.count = 0};

	whole.id = id_new(arena, plan->clock);
	whole.actor = plan->by;
	whole.created = plan->now;
	key_set(arena, &item, key_moderation_act(arena, whole.created, whole.id),
	    ITEM_MODERATION_ACT);
	bind_write(arena, &moderation_act_bindings, &whole, &item);
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + KEPT_SECONDS));
	plan_put(plan, item);
}

void
moderation_act_from_item(
    struct arena *arena, const struct item *item, struct moderation_act *out)
{
	*out = (struct moderation_act){.created = 0};
	bind_read(arena, &moderation_act_bindings, item, out);
}
