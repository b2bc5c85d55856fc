#ifndef MODEL_PEOPLE_GROUP_H
#define MODEL_PEOPLE_GROUP_H

#include "model/permission.h"
#include "model/plan.h"
#include "model/site/audit.h"

/*
 * Groups: people of any role with additional permissions, and the audience of posts for a group. A
 * change is effective from the members' next request, because each request reads who they are.
 */
struct group {
	struct str name;  /* [a-z0-9-]{1,60}; never changes */
	struct str title; /* as shown */
	struct str description;
	unsigned permissions;
	bool ending; /* is being deleted: gives nothing any more, and takes nobody in */
	int64_t created, updated;
};

struct membership {
	struct str group, username, added_by;
	int64_t added;
};

enum { GROUP_NAME_MAX = 60, GROUPS_OF_PERSON_MAX = 100 };

/* [a-z0-9-]{1,60} */
bool group_name_valid(struct str name);

/* Is there a group in the item under its key (NULL: none)? Of one that is gone only the name is left. */
bool group_is_there(const struct item *item);
void group_from_item(struct arena *arena, const struct item *item, struct group *out);
void membership_from_item(struct arena *arena, const struct item *item, struct membership *out);

/* The names of permissions, "pages.edit, posts.edit"; empty for none. In the arena. */
struct str group_permissions_text(struct arena *arena, unsigned permissions);

/* A new one. PLAN_TAKEN: the name is another's, or was. */
enum plan_rc group_create(struct plan *plan, const struct group *new);

/* Another title, description and permissions for the group that was read as `was`. PLAN_NOT_THERE. */
enum plan_rc group_edit(struct plan *plan, const struct group *was, const struct group *is);

/*
 * Deletes it: at once it gives no permissions and accepts no members; then its memberships are
 * removed, in steps, and finally all of the group but its name, which no other gets. PLAN_MORE if
 * there are so many that another call has to continue. Posts for its members are visible to their
 * authors only from then on.
 */
enum plan_rc group_delete(struct plan *plan, struct str name);

/*
 * Adds a member. PLAN_NOT_THERE: no such group; PLAN_NOBODY; PLAN_TAKEN: they are in it already;
 * PLAN_FULL: they are in as many as one can be.
 */
enum plan_rc group_join(struct plan *plan, struct str name, struct str username);

/* Removes a member. PLAN_NOT_THERE: they are not in it. */
enum plan_rc group_leave(struct plan *plan, struct str name, struct str username);

extern const struct binding_table group_bindings, membership_bindings;

#endif
