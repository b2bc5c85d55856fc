#ifndef MODEL_SITE_MODERATION_LOG_H
#define MODEL_SITE_MODERATION_LOG_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * What the staff did to what readers wrote, as readers may see it: an item for each act, in the transaction that does it,
 * for a year. Who did it, and to whom, is shown if admins choose so (model/site/moderation.h).
 */
struct moderation_act {
	struct str id, what; /* "hidden", "restored", "deleted" */
	struct str why;      /* as it was told to the person; or empty */
	struct str post, post_title, person, actor;
	int64_t created;
};

/* Adds it to the plan; who acts, and when, are the plan's. */
void moderation_log(struct plan *plan, const struct moderation_act *act);

void moderation_act_from_item(
    struct arena *arena, const struct item *item, struct moderation_act *out);

extern const struct binding_table moderation_act_bindings;

#endif
