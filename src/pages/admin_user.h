#ifndef PAGES_ADMIN_USER_H
#define PAGES_ADMIN_USER_H

#include "model/account.h"
#include "web/dispatch.h"

/* What the pages about one person share. */

/* "/admin/users/<u>" of the person that the address names. */
struct str admin_user_path(struct request *rq);

/* Their account, to be changed by the viewer. HTTP_OK, or what is to be answered. */
enum http_status admin_user_find(
    struct request *rq, struct response *rs, struct accounts *accounts, struct user *user);

#endif
