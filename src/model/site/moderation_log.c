#include "model/site/moderation_log.h"

#include "base/clock.h"
#include "model/key_moderation.h"

enum { KEPT_SECONDS = 365 * 86400 };

/* Older acts have no word: they are of comments. */
const char *const moderated_words[] = {"comment", "thread", "comments", "person", "account",
    "addresses", "post", "note", "profile", "collection", "site comments", "site votes", "site ratings", "site follows", NULL};

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "Actor", struct moderation_act, actor),
    BIND_BOOLEAN(RECORDED, "ByAuthor", struct moderation_act, by_author),
    BIND_TIME(RECORDED, "CreatedAt", struct moderation_act, created),
    BIND_STRING(RECORDED, "Id", struct moderation_act, id),
    BIND_STRING(RECORDED, "Person", struct moderation_act, person),
    BIND_STRING(RECORDED, "Post", struct moderation_act, post),
    BIND_TEXT(RECORDED, "PostTitle", struct moderation_act, post_title, TEXT_LINE),
    BIND_CHOICE(RECORDED, "Thing", struct moderation_act, thing, moderated_words),
    BIND_TIME(RECORDED, "Until", struct moderation_act, until),
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
moderation_log_staff(struct plan *plan, enum moderated thing, const char *what, struct str person,
    int64_t until)
{
	if (plan->audited)
		moderation_log(plan, &(struct moderation_act){.thing = thing,
					 .what = str_of(what),
					 .person = person,
					 .until = until});
}

void
moderation_act_from_item(
    struct arena *arena, const struct item *item, struct moderation_act *out)
{
	*out = (struct moderation_act){.created = 0};
	bind_read(arena, &moderation_act_bindings, item, out);
}
