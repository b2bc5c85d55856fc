#ifndef MODEL_PEOPLE_RESET_H
#define MODEL_PEOPLE_RESET_H

#include "model/people/account.h"

/*
 * A link by which somebody chooses a new password without the old one: good once, for half an hour, and void as soon as
 * there is another link, their sessions end otherwise, or they have another role or e-mail address. Its code is like a
 * session's pass, "<username>.<token>": the name is there so that the link and the person are read together, and the
 * table has only a hash of the token.
 */
enum { RESET_SECONDS = 30 * 60 };

/* Makes one for somebody who is there; *code in the arena. It goes to them by mail, or by whoever of the staff made it. */
enum plan_rc account_reset_begin(
    struct plan *plan, struct clock *clock, const struct user *user, struct str *code);

/* Whose link is it? PLAN_NOT_THERE: nobody's, or no longer. */
enum plan_rc account_reset_find(struct plan *plan, struct str code, struct account *out);

/*
 * Uses it up: the password is another one, and all sessions end. PLAN_CHANGED: somebody has used it, or changed
 * the account, just now.
 */
enum plan_rc account_reset_finish(
    struct plan *plan, struct str code, const struct user *user, struct str password);

#endif
