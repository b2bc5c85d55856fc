#ifndef MODEL_PEOPLE_PURGE_H
#define MODEL_PEOPLE_PURGE_H

#include "model/people/account.h"

/*
 * The purge of a spam account: one transaction shuts the person out and says what is to go: all that they have left, or
 * what is younger than a moment. Then it is worked off in rounds, by the request and by the sweeper, which do no harm
 * when they stop anywhere or run twice at once. What goes is hidden and counted down at once, item by item: comments,
 * likes, votes, bookmarks, ratings, follows, flags; a public collection becomes private, a post of theirs is deleted.
 *
 * Each item that goes is kept as a copy for 30 days, with which it is restored; then the copies expire by themselves, and of
 * somebody of whom all was to go, and who is shut out still, the account is closed as if they had left.
 *
 * That nothing new comes meanwhile is the condition of who writes: a comment is written only by who is active. What was on
 * its way all the same is found by a last round, a minute later.
 */
enum { PURGE_KEPT_SECONDS = 30 * 86400, PURGE_AGAIN_MS = 60 * 1000 };

enum purge_state { PURGE_NONE, PURGE_REMOVING, PURGE_REMOVED, PURGE_RESTORING };

struct purge {
	struct str username, by;
	enum purge_state state;
	int64_t since; /* what is younger goes; 0: all */
	int64_t created;
	int64_t next;    /* when the sweeper looks at it */
	int64_t removed; /* how many items went */
};

/* From the item, or from none (NULL). */
void purge_from_item(struct arena *arena, const struct item *item, struct purge *out);

/* Does this item of theirs go? What it says of time decides, and its kind. */
bool purge_takes(const struct item *item, int64_t since);

/*
 * Shuts them out, and begins. PLAN_CHANGED: their role or status was changed meanwhile. PLAN_TAKEN: a purge of theirs is
 * there already, which is to be restored first.
 */
enum plan_rc purge_begin(struct plan *plan, const struct user *user, int64_t since);

/* All comes back, and they are let in. PLAN_NOT_THERE: there is nothing to restore. */
enum plan_rc purge_restore(struct plan *plan, struct str username);

/* One step of whatever is to be done: about forty items. *done when there is nothing left to do now. */
enum plan_rc purge_round(struct plan *plan, struct str username, bool *done);

/* Somebody for whom the sweeper has a step to do at this time; empty: nobody. */
enum plan_rc purge_next(struct plan *plan, struct str *username);

extern const struct binding_table purge_bindings;

#endif
