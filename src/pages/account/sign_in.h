#ifndef PAGES_ACCOUNT_SIGN_IN_H
#define PAGES_ACCOUNT_SIGN_IN_H

#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"

struct plan;
struct user;

/* What the pages of signing in and registering share. */

struct sign_in_view {
	struct layout_view layout;
	struct str title, intro, notice;
	const struct form_view *form; /* NULL: there is nothing to fill in */
	LIST_OF(struct link_view) ways;
};

/* Where somebody wanted to go: `next` of the form or the address, if that is a page of ours; else "/". */
struct str sign_in_next(struct request *rq);

/* What the page shows of the publication: as it was last known, if the table can't be reached. */
enum http_status sign_in_read(struct request *rq);

/* The page, around the view that the caller has filled but for its layout. */
enum http_status sign_in_respond(
    struct request *rq, struct response *rs, struct sign_in_view *view);

/*
 * Hides in a form what the request's own carries from page to page: the form that waits for its writer, or where
 * somebody wanted to go.
 */
void sign_in_carry(struct request *rq, struct form_view *form);

/*
 * Somebody has proved who they are: they are in, their form is done, or they go where they wanted to. What the plan
 * holds is written with the session: plan->rc says whether it was.
 */
enum http_status sign_in_enter(
    struct request *rq, struct response *rs, const struct user *user, struct plan *plan);

/* The page of the second step, for somebody who has proved that they know the password. */
enum http_status sign_in_second_step(
    struct request *rq, struct response *rs, const struct user *user);

/* The sign-in form from its beginning, with a sentence above it. */
enum http_status sign_in_again(struct request *rq, struct response *rs, const char *notice);

/* Said when the table failed on the way in, above the form as it was sent: nothing of it is lost, nor what waits in it. */
extern const char sign_in_unreachable[];

/* GET /login: the form. */
enum http_status sign_in_ask(struct request *rq, struct response *rs);

/* Said in a form when so many passwords are being hashed that theirs can't be, or there is no memory for it: 503. */
const char *sign_in_busy(const struct request *rq, struct response *rs);

/* Says in a form's place when somebody may try again: 429 with Retry-After. */
const char *sign_in_wait(struct request *rq, struct response *rs, uint32_t seconds);

#endif
