#ifndef MODEL_PEOPLE_TWO_STEP_H
#define MODEL_PEOPLE_TWO_STEP_H

#include "model/people/account.h"
#include "model/people/password.h"
#include "model/site/secret.h"

/*
 * Signing in in two steps: behind the password a code by the clock (model/people/totp.h), or one of ten recovery codes,
 * each of which is good once.
 *
 * The person's item holds it: SecondKey, the secret of the codes, sealed with a key of the site's and bound to
 * the name; SecondLast, the step of the last code that was used, so that none is good twice; RecoveryCodes, their
 * hashes, as slow as a password's; RecoverySalt, the one salt of these, so that one that is typed is hashed once.
 */
/* The purpose of the keys that seal it (model/site/secret.h). */
#define TWO_STEP_KEY "two-step"

struct secret_keys;

enum { RECOVERY_CODES = 10, RECOVERY_CODE_MAX = 40 };

/* The codes for people, shown once, and what the table keeps of them; in the arena. */
struct recovery {
	struct str codes[RECOVERY_CODES], hashes[RECOVERY_CODES], salt;
};

/* Takes ten hashes. PASSWORD_RIGHT or PASSWORD_BUSY. */
enum password_rc two_step_codes(struct password_limiter *limiter, struct arena *arena,
    struct clock *clock, struct recovery *out);

/*
 * Turns it on, which ends all sessions: `session` begins in the same transaction, so that whoever does it stays.
 * Or, where `secret` is empty, gives new recovery codes and ends nothing. `step` is that of the code that proved
 * that the app has the secret. PLAN_CHANGED: it was on already, or off.
 */
enum plan_rc two_step_set(struct plan *plan, struct clock *clock,
    const unsigned char key[SEALED_KEY_BYTES], const struct user *user, struct str secret,
    int64_t step, const struct recovery *recovery, struct session *session);

/* Turns it off; nothing happens when it is. PLAN_CHANGED: they have, in another era, meanwhile. */
enum plan_rc two_step_off(struct plan *plan, const struct user *user);

/* Has it the form of a recovery code, which is too long to be guessed? */
bool two_step_is_recovery(struct str typed);

/*
 * What was typed as the second step, a code by the clock or a recovery code, is used up by one more write of the
 * plan that lets them in. PLAN_CHANGED when it is no code, or no longer; of two who use the same
 * one at once one is let in. PASSWORD_RIGHT: it is right, as far as *account knows. A recovery code takes a hash, for which
 * there may be PASSWORD_BUSY.
 */
enum password_rc two_step_use(struct plan *plan, struct password_limiter *limiter,
    const struct secret_keys *keys, const struct account *account, struct str typed);

/*
 * Does one of the keys open the secret of their codes? Where none does, as without the site's right secret, recovery
 * codes alone let in, and whoever types another is to be told so.
 */
bool two_step_opens(
    struct arena *arena, const struct secret_keys *keys, const struct account *account);

/* The same secret, sealed with the newest key; only while it is still sealed so. */
struct write two_step_seal_anew(struct arena *arena, struct clock *clock,
    const struct secret_keys *keys, struct str username, struct str sealed, struct str secret);

#endif
