#ifndef MODEL_PEOPLE_SUSPENSION_H
#define MODEL_PEOPLE_SUSPENSION_H

#include "model/people/account.h"

/*
 * A person is suspended for a time: they sign in, read and manage their account, and are told why
 * and until when, but may write nothing (may() refuses MAY_SEND). For each suspension they may
 * appeal once, which the staff read. It ends by itself. It is stored in the person's item, which
 * each of their requests reads.
 */
enum { SUSPENSION_WHY_MAX = 500, APPEAL_TEXT_MAX = 2000 };

/*
 * Suspends them until that time, for that reason. PLAN_CHANGED: their role or status was changed
 * meanwhile.
 */
enum plan_rc suspend(struct plan *plan, const struct user *user, int64_t until, struct str why);

/* Ends it now. */
enum plan_rc suspension_end(struct plan *plan, const struct user *user);

/*
 * The condition of a person's item with which their comments and posts are written: they are neither shut out nor
 * suspended, whatever they were when the request began. True of an item that is not there, as of the command line.
 */
const struct condition *may_write_still(struct arena *arena, int64_t now);

/* --- Appeals ------------------------------------------------------------------------------------------ */

struct appeal {
	struct str author,
	    about; /* what the appeal is against: appeal_about_suspension(), or the id of a comment */
	struct str post, text;    /* of a comment: its post */
	int64_t created, settled; /* settled: 0 while it waits for the staff */
};

void appeal_from_item(struct arena *arena, const struct item *item, struct appeal *out);

/* The `about` of an appeal against their present suspension. In the arena. */
struct str appeal_about_suspension(struct arena *arena, const struct user *user);

/* The read of a person's appeal. */
struct read appeal_read(struct arena *arena, struct str username, struct str about);

/* Makes the appeal of the person who acts. PLAN_TAKEN: there is one already. */
enum plan_rc appeal_make(struct plan *plan, struct str about, struct str post, struct str text);

/* The staff have read it, and acted on it. PLAN_TAKEN: it was settled already. */
enum plan_rc appeal_settle(struct plan *plan, struct str author, struct str about);

extern const struct binding_table appeal_bindings;

#endif
