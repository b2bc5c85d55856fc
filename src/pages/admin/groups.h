#ifndef PAGES_ADMIN_GROUPS_H
#define PAGES_ADMIN_GROUPS_H

#include "model/people/group.h"
#include "pages/admin/admin.h"

/* What the page of all groups and that of one share: what a group is called, and what it gives. */
struct group_form {
	struct str name; /* of a new one only */
	struct str title, description;
	struct strings permissions; /* their names */
};
extern const struct form admin_group_form;

/* Check boxes for all that a group can give. */
void offer_permissions(
    struct request *rq, struct form_view *view, const struct form_result *result);

/* The group of a form; false, the field refused, when it names what is no permission. */
bool group_of_form(struct request *rq, struct group *out);

/* "/admin/groups/<g>" */
struct str group_path(struct request *rq, struct str name);

#endif
