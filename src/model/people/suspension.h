#ifndef MODEL_PEOPLE_SUSPENSION_H
#define MODEL_PEOPLE_SUSPENSION_H

#include "model/people/account.h"

/*
 * Somebody is suspended for a time: they sign in, read and manage their account, are told why and until when, and can
 * write nothing: may() refuses MAY_SEND. Once for each suspension they can answer: an appeal, which the staff read.
 * It ends by itself. It is in the person's item, which each request of theirs reads.
 */
enum { SUSPENSION_WHY_MAX = 500, APPEAL_TEXT_MAX = 2000 };

/* Until then, for that reason. PLAN_CHANGED: their role or status was changed meanwhile. */
enum plan_rc suspend(struct plan *plan, const struct user *user, int64_t until, struct str why);

/* It ends now. */
enum plan_rc suspension_end(struct plan *plan, const struct user *user);

/* --- Appeals ------------------------------------------------------------------------------------------ */

struct appeal {
	struct str author,
	    about; /* what it answers: appeal_about_suspension(), or the id of a comment */
	struct str post, text;    /* of a comment: the post that it is under */
	int64_t created, settled; /* settled: 0 while it waits for the staff */
};

void appeal_from_item(struct arena *arena, const struct item *item, struct appeal *out);

/* What an appeal against the suspension that somebody is under is about. In the arena. */
struct str appeal_about_suspension(struct arena *arena, const struct user *user);

/* The read of what somebody has answered. */
struct read appeal_read(struct arena *arena, struct str username, struct str about);

/* Who acts answers. PLAN_TAKEN: they have answered already. */
enum plan_rc appeal_make(struct plan *plan, struct str about, struct str post, struct str text);

/* The staff have read it, and done what there is to do. PLAN_TAKEN: somebody has done so already. */
enum plan_rc appeal_settle(struct plan *plan, struct str author, struct str about);

extern const struct binding_table appeal_bindings;

#endif
