#ifndef MODEL_RESET_H
#define MODEL_RESET_H

#include "model/account.h"

/*
 * A link by which somebody chooses a new password without the old one: good once, for half an hour, and void as
 * soon as their sessions end otherwise, or they have another e-mail address. The table has only a hash of its code (session_token(), session_hash()).
 */
enum { RESET_SECONDS = 30 * 60 };

/* Makes one for somebody who is there. It goes to them by mail, or by whoever of the staff made it. */
enum account_rc account_reset_begin(struct accounts *a, const struct user *user, struct str hash);

/* Whose link is it? ACCOUNT_NOT_THERE: nobody's, or no longer. */
enum account_rc account_reset_find(struct accounts *a, struct str hash, struct account *out);

/*
 * Uses it up: the password is another one, and all sessions end. ACCOUNT_CHANGED: somebody has used it, or changed
 * the account, just now.
 */
enum account_rc account_reset_finish(
    struct accounts *a, struct str hash, const struct user *user, struct str password);

#endif
