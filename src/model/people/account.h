#ifndef MODEL_PEOPLE_ACCOUNT_H
#define MODEL_PEOPLE_ACCOUNT_H

#include "model/people/invitation.h"
#include "model/people/session.h"
#include "model/people/user.h"
#include "model/plan.h"
#include "model/site/audit.h"
#include "model/site/settings.h"
#include "table/table.h"

/*
 * Accounts: who is registered, under which name and address, with which password and role. A name
 * and an address each belong to one person, also under concurrent registrations: both are items
 * that are put on the condition that they don't exist, in one transaction.
 */

struct edit;

/* --- Finding ---------------------------------------------------------------------------------------- */

/* The second step of signing in; model/people/two_step.h has more. */
struct two_step {
	struct str key; /* the sealed secret of the codes; empty: there is no second step */
	int64_t last;   /* the step of the last code that was used */
	const struct str *codes; /* the hashes of the recovery codes that are left */
	struct str salt;         /* of these; empty: they are from before there was one */
	size_t codes_left;
};

struct account {
	struct user user;
	struct str password; /* its hash; empty: none is set */
	struct two_step two_step;
};

/* What the item of a person says. */
void account_from_item(struct arena *arena, const struct item *item, struct account *out);

/*
 * By username or by e-mail address, in any case. PLAN_NOT_THERE: nobody. A name takes one round
 * trip, an address one more, whether it exists or not.
 */
enum plan_rc account_find(struct plan *plan, struct str typed, struct account *out);

/* The same; what is in *also is read in the first trip. */
enum plan_rc account_find_with(
    struct plan *plan, struct str typed, struct read *also, struct account *out);

/* --- Registering ------------------------------------------------------------------------------------ */

/* By which way somebody comes in. */
enum way_in { WAY_ALONE, WAY_INVITED, WAY_BY_STAFF };

/* The policy: may they register, and is their account active at once? */
enum admission {
	ADMISSION_NO,     /* registration is closed, except by invitation */
	ADMISSION_INVITE, /* only with an invitation */
	ADMISSION_WAIT,   /* yes, but an admin has to let them in */
	ADMISSION_YES,
};
enum admission account_admission(enum registration policy, enum way_in way);

struct new_account {
	struct str username, email; /* in their one form; who imports posts may know no address */
	struct str display_name;    /* or empty */
	struct str new_email,
	    new_email_code;    /* one that is yet to be confirmed, and its code; or empty */
	struct str password;   /* its hash */
	const struct invitation *invitation; /* to be used up; NULL: there is none */
	enum role role;
	enum user_status status;
	const struct session *session; /* begins with them, or NULL */
};

enum plan_rc account_create(struct plan *plan, const struct new_account *new);

/* --- Changing --------------------------------------------------------------------------------------- */

/* What people say of themselves; their portrait has ways of its own (model/people/portrait.h). */
struct profile {
	struct str display_name, bio, link;
	bool is_private;
};
enum plan_rc account_set_profile(struct plan *plan, const struct user *user,
    const struct profile *profile, enum restricted is);

/*
 * By moderators: others do not see what they say of themselves, or do again; and that is gone for good, if it is hidden
 * still. PLAN_CHANGED: they have changed it since it was read. The writes that the plan has already are part of it.
 */
enum plan_rc account_restrict_profile(
    struct plan *plan, const struct item *person, enum restricted is);
enum plan_rc account_erase_profile(struct plan *plan, const struct item *person);

/*
 * Changes the password, which ends all sessions. With `session`, that one begins in the same
 * transaction, in the new era, so that whoever changed it stays signed in.
 */
enum plan_rc account_set_password(
    struct plan *plan, const struct user *user, struct str password, struct session *session);

/* The same password, hashed at today's cost. Ends nothing; does nothing when it was changed meanwhile. */
enum plan_rc account_rehash(struct plan *plan, struct str username, struct str old, struct str new);

enum plan_rc account_set_email(struct plan *plan, const struct user *user, struct str email);

/* Ends all sessions at once; with `session`, that one begins, in the new era. */
enum plan_rc account_end_sessions(
    struct plan *plan, const struct user *user, struct session *session);

/* Ends one of their sessions; of one that is not theirs, or has ended, nothing is said. */
enum plan_rc account_end_session(struct plan *plan, const struct user *user, struct str hash);

/*
 * Changes the role, which gives all sessions a new token (model/people/session.h), or the status,
 * which ends them. AS_IT_IS changes nothing. PLAN_TAKEN: they are so already. There is always an active admin,
 * even when two are changed concurrently: each change makes sure of another one.
 */
enum { AS_IT_IS = -1 };
enum plan_rc account_set_role_and_status(
    struct plan *plan, struct str username, int role_to_be, int status_to_be);

/*
 * The same for somebody who waits: they are let in, or declined. PLAN_CHANGED: they wait no more, and are as somebody else
 * has decided; PLAN_TAKEN: which was the same.
 */
enum plan_rc account_decide(struct plan *plan, struct str username, enum user_status to);

/*
 * Gives the mark of those whom the staff know, or takes it away. The same again changes nothing. PLAN_CHANGED: they are
 * not active (any more), and only those get it.
 */
enum plan_rc account_set_verified(struct plan *plan, struct str username, bool verified);

/* --- An address that is not confirmed --------------------------------------------------------- */

/*
 * An e-mail address that somebody has named and not yet confirmed. It counts for nothing: nobody signs in by it, no
 * letter but the one with the link goes to it, and it is not claimed, so that others are not kept from theirs by it.
 *
 * It lies in the person's item: NewEmail, the hash of the link's code, until when the link is good. There is one; the
 * next takes its place. The code is like a session's pass, "<username>.<token>", and is good in the era in which it was
 * made: who has taken over an account and named an address of theirs has nothing of it when the owner has it back.
 */
enum { NEW_EMAIL_SECONDS = 3 * 86400 };

/* A code for a username, in the arena. */
struct str new_email_code(struct arena *arena, struct clock *clock, struct str username);

/* What the item of a person says who has named one: for who is being registered. */
void new_email_note(
    struct arena *arena, struct item *person, struct str email, struct str code, int64_t now);

/* Notes one of somebody who is there, in their era. */
enum plan_rc new_email_begin(
    struct plan *plan, const struct user *user, struct str email, struct str code);

/* There is none any more. */
void new_email_drop(struct edit *edit);

/* Whose code is it, and for which address: out->user.new_email? PLAN_NOT_THERE: nobody's, or no longer. */
enum plan_rc new_email_find(struct plan *plan, struct str code, struct account *out);

/*
 * It is theirs from now on, in place of the one from before. PLAN_EMAIL_TAKEN: it is somebody else's by now;
 * PLAN_CHANGED: the code was used, or another was made, just now.
 */
enum plan_rc new_email_confirm(struct plan *plan, struct str code, const struct user *user);

#endif
