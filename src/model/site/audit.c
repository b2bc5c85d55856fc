#include "model/site/audit.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/plan.h"

/* bytes of a changed text in the log */
enum { CHANGE_TEXT_MAX = 80 };

static const char *const actions[AUDIT_ACTIONS + 1] = {"user.create", "user.standing",
    "user.password", "user.sessions", "user.two-step", "user.invite", "user.verify", "group.create", "group.edit",
    "group.delete", "group.join", "group.leave", "category.create", "category.edit",
    "category.order", "category.merge", "category.delete", "settings.edit", "media.delete",
    "post.edit", "post.private", "comment.decide", "user.suspend", "appeal.settle",
    "flags.settle", "address.block", "user.purge", "thing.restrict", "subscribers", NULL};

static const struct binding bindings[] = {
    BIND_CHOICE(RECORDED, "Action", struct audit_entry, action, actions),
    BIND_STRING(RECORDED, "Actor", struct audit_entry, actor),
    BIND_STRING(RECORDED, "Change", struct audit_entry, change),
    BIND_TIME(RECORDED, "CreatedAt", struct audit_entry, created),
    BIND_STRING(RECORDED, "Id", struct audit_entry, id),
    BIND_STRING(RECORDED, "Target", struct audit_entry, target),
};
const struct binding_table audit_bindings = BINDINGS(bindings);

void
audit_log(struct plan *plan, enum audit_action action, struct str target, struct str change)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	struct audit_entry entry;

	if (!plan->audited)
		return;
	entry = (struct audit_entry){.id = id_new(arena, plan->clock),
	    .actor = plan->by,
	    .target = target,
	    .change = change,
	    .action = action,
	    .created = clock_now(plan->clock)};
	key_set(arena, &item, key_audit(arena, entry.created, entry.id), ITEM_AUDIT_ENTRY);
	bind_write(arena, &audit_bindings, &entry, &item);
	plan_put(plan, item);
}

/* The beginning of a text, cut between characters. */
static struct str
cut(struct arena *arena, struct str text)
{
	size_t at = 0;

	if (text.len <= CHANGE_TEXT_MAX)
		return text;
	for (size_t next = 0; next <= CHANGE_TEXT_MAX; str_rune(text, &next))
		at = next;
	return STR_CONCAT(arena, str_sub(text, 0, at), STR("…"));
}

struct str
audit_change(
    struct arena *arena, struct str so_far, const char *what, struct str from, struct str to)
{
	if (str_eq(from, to))
		return so_far;
	return STR_CONCAT(arena, so_far, so_far.len != 0 ? STR("; ") : STR(""), str_of(what),
	    STR(": "), from.len != 0 ? cut(arena, from) : STR("–"), STR(" → "),
	    to.len != 0 ? cut(arena, to) : STR("–"));
}

void
audit_from_item(struct arena *arena, const struct item *item, struct audit_entry *out)
{
	*out = (struct audit_entry){.created = 0};
	bind_read(arena, &audit_bindings, item, out);
}
