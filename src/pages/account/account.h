#ifndef PAGES_ACCOUNT_ACCOUNT_H
#define PAGES_ACCOUNT_ACCOUNT_H

#include "model/people/account.h"
#include "pages/shared/plan.h"
#include "pages/shared/picture_form.h"
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

/* The page, with the form that was sent in it; and with what is wrong with a portrait or a cover. */
enum http_status account_show(struct request *rq, struct response *rs);
enum http_status account_show_portrait(struct request *rq, struct response *rs, struct str error);

/*
 * How the profile is shown once it says this: what has something of the lists waits for an editor, and what takes the place
 * of a hidden one. The plan gets what goes with it.
 */
enum restricted account_held(struct request *rq, struct plan *plan, struct str says);

/* What they read: one's newest pictures. How many reads these are, 0 or 1. */
size_t portrait_reads(struct request *rq, struct read *read);

/*
 * The forms of one's portrait, and of the cover of one's page (portrait.c), PORTRAITS at most, and how many these are.
 * `pictures` is the answered read, or NULL; `error` says why the picture of the form that was sent was not taken, or is
 * empty.
 */
enum { PORTRAITS = 2 };
size_t portraits_fill(struct request *rq, struct response *rs, const struct read *pictures,
    struct str error, struct picture_form_view out[PORTRAITS]);

/* "Firefox on Linux" of what a browser calls itself. */
struct str sessions_browser(struct arena *arena, struct str agent);

#endif
