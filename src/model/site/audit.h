#ifndef MODEL_SITE_AUDIT_H
#define MODEL_SITE_AUDIT_H

#include "model/bind.h"
#include "table/table.h"

struct plan;

/*
 * The staff's log: an item for each act, written in the same transaction. So every act is logged,
 * and nothing is logged that was not done. It contains no secrets: no password, link or address,
 * only whose it was.
 */
enum audit_action {
	AUDIT_USER_CREATE,
	AUDIT_USER_STANDING, /* role and status */
	AUDIT_USER_PASSWORD, /* a new one, or a link to choose one */
	AUDIT_USER_SESSIONS, /* all ended */
	AUDIT_USER_TWO_STEP, /* turned off */
	AUDIT_USER_INVITE,
	AUDIT_USER_VERIFY, /* the mark of those whom the staff know: given, or taken away */
	AUDIT_GROUP_CREATE,
	AUDIT_GROUP_EDIT,
	AUDIT_GROUP_DELETE,
	AUDIT_GROUP_JOIN,
	AUDIT_GROUP_LEAVE,
	AUDIT_CATEGORY_CREATE,
	AUDIT_CATEGORY_EDIT,
	AUDIT_CATEGORY_ORDER,
	AUDIT_CATEGORY_MERGE,
	AUDIT_CATEGORY_DELETE,
	AUDIT_SETTINGS,
	AUDIT_MEDIA,   /* somebody else's picture: deleted */
	AUDIT_POST,    /* somebody else's post: what was done stands in `change` */
	AUDIT_PRIVATE, /* somebody's private post, of which only its author is named */
	AUDIT_COMMENT, /* a comment was approved or hidden, and where; the target is its author */
	AUDIT_USER_SUSPEND, /* for a time, or its end */
	AUDIT_APPEAL,       /* what somebody answered to a measure: settled */
	AUDIT_FLAGS,        /* the flags of a thing were settled without changing it */
	AUDIT_ADDRESS_BLOCK, /* a range of addresses, or that it is blocked no more */
	AUDIT_PURGE, /* of what somebody has left, or that it was restored */
	AUDIT_RESTRICTION, /* of a post, note, profile or collection, which was hidden, approved or restored */
	AUDIT_SUBSCRIBERS, /* one who gets letters was removed, or all were downloaded; it names none */
	AUDIT_ACTIONS,
};

struct audit_entry {
	struct str id, actor, target;
	struct str change; /* what changed, in a few words; or empty */
	enum audit_action action;
	int64_t created;
};

/* Adds it to the plan, where whoever acts is audited. `change` may be empty. */
void audit_log(struct plan *plan, enum audit_action action, struct str target, struct str change);

/* "role: reader → author", if they differ; appended to `so_far`. In the arena. */
struct str audit_change(
    struct arena *arena, struct str so_far, const char *what, struct str from, struct str to);

void audit_from_item(struct arena *arena, const struct item *item, struct audit_entry *out);

extern const struct binding_table audit_bindings;

#endif
