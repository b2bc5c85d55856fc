#ifndef MODEL_PEOPLE_ACCOUNT_PRIVATE_H
#define MODEL_PEOPLE_ACCOUNT_PRIVATE_H

#include "model/people/account.h"

/*
 * An update of a person in preparation, shared by the files that write accounts and private to
 * them. It changes UpdatedAt, and requires that the person exists.
 */
enum { EDIT_CHANGES_MAX = 32, EDIT_CONDITIONS_MAX = 8 };

struct edit {
	struct plan *plan;
	struct arena *arena;
	struct change changes[EDIT_CHANGES_MAX];
	struct condition conditions[EDIT_CONDITIONS_MAX], era[2];
	struct condition all;
	size_t change_count;
};

struct edit *edit_begin(struct plan *plan);
void edit_change(struct edit *edit, enum change_op op, struct str name, struct value value);
/* A text; what is empty is not there. */
void edit_text(struct edit *edit, struct str name, struct str text);

/* Conditions: the attribute has this value; it fits that condition; the era is still the same. */
void edit_only_if(struct edit *edit, struct str name, struct value value);
void edit_only(struct edit *edit, struct condition condition);
void edit_only_in_era(struct edit *edit, int64_t era);
/* Only if they still have this role and status. */
void edit_only_role_and_status(struct edit *edit, const struct user *user);
/* Only if it still has this text. */
void edit_only_still(struct edit *edit, struct str name, struct str text);

/* What others see of the profile from now on; only if the staff have not decided on it since it was read. */
void edit_profile_status(struct edit *edit, const struct user *user, enum restricted is);

/* Adds it to the plan, which points into the edit. PLAN_CHANGED when a condition is false. */
void edit_end(struct edit *edit, struct str username);

/*
 * Begins the next era, which ends all sessions except the one in it (or NULL), and commits. The era
 * must be the one that was read: of two concurrent changes one fails, and no session of the other
 * survives.
 */
enum plan_rc edit_next_era(
    struct edit *edit, const struct user *user, struct session *session, enum audit_action action);

/*
 * Makes the change, with another address, and commits: the claim of the old one goes, that of the new one comes. The
 * address and the era must be those that were read. PLAN_EMAIL_TAKEN: it is somebody else's.
 */
enum plan_rc edit_move_email(struct edit *edit, const struct user *user, struct str email);

/* Their address is nobody's any more. */
void account_release_email(struct plan *plan, const struct user *user);

/* A check that they are an active admin. */
struct write account_is_admin(struct arena *arena, struct str username);

/*
 * Somebody is to be no active admin any more: if they are one, one more write of the plan makes sure of
 * another who stays. PLAN_LAST_ADMIN: there is none.
 */
enum plan_rc account_keep_admin(struct plan *plan, const struct user *leaving);

#endif
