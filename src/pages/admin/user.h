#ifndef PAGES_ADMIN_USER_H
#define PAGES_ADMIN_USER_H

#include "model/people/account.h"
#include "model/people/group.h"
#include "pages/admin/admin.h"
#include "web/http/dispatch.h"

/* What the pages about one person share. */

/* What the page shows: the person with their memberships, all groups, the sessions. */
struct admin_person {
	struct str path; /* of the page */
	struct viewer as;
	const struct item *memberships;
	const struct group *groups;
	size_t membership_count, group_count, sessions;
};

/* "/admin/users/<u>" of the person that the address names. */
struct str admin_user_path(struct request *rq);

/* The page, with the form that was sent in it. */
enum http_status admin_user_show(struct request *rq, struct response *rs);

/* Their account, to be changed by the viewer. HTTP_OK, or what is to be answered. */
enum http_status admin_user_find(
    struct request *rq, struct response *rs, struct plan *plan, struct user *user);

/* The panel of their groups. */
void admin_user_groups(
    struct request *rq, struct response *rs, const struct admin_person *p, struct admin_view *view);

#endif
