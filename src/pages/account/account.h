#ifndef PAGES_ACCOUNT_ACCOUNT_H
#define PAGES_ACCOUNT_ACCOUNT_H

#include "model/people/account.h"
#include "pages/shared/plan.h"
#include "web/http/dispatch.h"

/* What the pages of one's own account share. */

/*
 * Do they know their password? HTTP_OK, or what is to be answered: a stolen session alone changes nothing that
 * matters, and can't try many passwords either. When it is wrong, the form's field says so, and `show` answers. When it
 * is right, that is counted by what *accounts is then used for, once: until that is done nobody is to be told.
 * For routes that `proves`.
 */
enum http_status account_prove(struct request *rq, struct response *rs, struct plan *plan,
    const char *field, struct str password,
    enum http_status (*show)(struct request *rq, struct response *rs));

/* What is wrong with a password that they choose here, or NULL: password_error(), with what the site knows. */
const char *account_password_error(
    struct request *rq, struct str password, const struct user *user);

/* The page, with the form that was sent in it. */
enum http_status account_show(struct request *rq, struct response *rs);

/* "Firefox on Linux" of what a browser calls itself. */
struct str sessions_browser(struct arena *arena, struct str agent);

#endif
