#ifndef MODEL_READER_HIDDEN_H
#define MODEL_READER_HIDDEN_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * Whom and what a person does not want to meet: people and tags that they have muted, and people whom they have blocked.
 * It is one item, which the read of the viewer has anyway (model/viewer.h), so that each page knows it at no cost; its
 * size is bounded. That somebody is blocked is written here and as a follow (model/reader/follow.h) in one transaction:
 * this is for reading, that is what keeps the other from writing.
 */
enum { HIDDEN_PEOPLE_MAX = 300, HIDDEN_TAGS_MAX = 100 };

struct hidden {
	struct strings_value muted, muted_tags, blocked;
};

/* From the item, or from none (NULL). */
void hidden_from_item(struct arena *arena, const struct item *item, struct hidden *out);

/* Is this name among them? */
bool hidden_has(const struct strings_value *names, struct str name);

/*
 * Who acts mutes a person or a tag, or does so no more; twice is once. `now` is what they have hidden so far. PLAN_FULL:
 * as many as can be; of many at once, a few more may come through.
 */
enum plan_rc hidden_mute(
    struct plan *plan, const struct hidden *now, struct str username, bool muted);
enum plan_rc hidden_mute_tag(
    struct plan *plan, const struct hidden *now, struct str tag, bool muted);

/* Adds to a plan that this person has blocked that one, or has no more; and that they have muted them. */
void hidden_add_block(struct plan *plan, struct str by, struct str blocked);
void hidden_drop_block(struct plan *plan, struct str by, struct str blocked);
void hidden_add_mute(struct plan *plan, struct str by, struct str muted);

#endif
