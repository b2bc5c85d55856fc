#ifndef MODEL_PEOPLE_NEW_EMAIL_H
#define MODEL_PEOPLE_NEW_EMAIL_H

#include "model/people/account.h"

struct edit;

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
