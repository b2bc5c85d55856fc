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

/*
 * Where somebody wanted to go: `next` of the form or the address, if it is a page of this site;
 * else "/".
 */
struct str sign_in_next(struct request *rq);

/* What the page shows of the publication: as it was last known, if the table can't be reached. */
enum http_status sign_in_read(struct request *rq);

/* The page, around the view that the caller has filled but for its layout. */
enum http_status sign_in_respond(
    struct request *rq, struct response *rs, struct sign_in_view *view);

/*
 * Adds hidden fields to a form for what the request's form carries from page to page: the pending
 * form, or where somebody wanted to go.
 */
void sign_in_carry(struct request *rq, struct form_view *form);

/*
 * Somebody has authenticated: signs them in, and processes their pending form, or redirects to
 * where they wanted to go. The writes of the plan are committed with the session: plan->rc says
 * whether they were.
 */
enum http_status sign_in_enter(
    struct request *rq, struct response *rs, const struct user *user, struct plan *plan);

/* The page of the second step, for somebody who has proved that they know the password. */
enum http_status sign_in_second_step(
    struct request *rq, struct response *rs, const struct user *user);

/* The sign-in form from its beginning, with a sentence above it. */
enum http_status sign_in_again(struct request *rq, struct response *rs, const char *notice);

/*
 * For a failure of the table during sign-in: shows the form as it was sent, pending form included,
 * so that nothing is lost.
 */
extern const char sign_in_unreachable[];

/* GET /login: the form. */
enum http_status sign_in_ask(struct request *rq, struct response *rs);

/* For a full queue of passwords to hash, or no memory for it: says so in the form, with 503. */
const char *sign_in_busy(const struct request *rq, struct response *rs);

/* Says instead of a form when somebody may try again: 429 with Retry-After. */
const char *sign_in_wait(struct request *rq, struct response *rs, uint32_t seconds);

#endif
