#ifndef MODEL_PEOPLE_LEAVING_H
#define MODEL_PEOPLE_LEAVING_H

#include "model/people/account.h"

struct clock;

/*
 * Somebody leaves for good. One transaction marks them: from then on nobody signs in, all sessions are over, the
 * address is free, and nothing of the profile is left. What they have left behind is more than one transaction
 * takes; it is worked off in rounds that do no harm when they stop anywhere or run twice at once.
 *
 * What stays for others gets a pseudonym, "left-<id>", which nobody can ever register: comments, votes
 * and likes, so that the counts stay right; and published posts, if they are to be kept. Drafts, private posts
 * and those for followers are erased; all posts are, if they are not to be kept. Sessions, memberships, follows and
 * blocks on both sides, ratings, bookmarks, private collections and invitations go, and what counts them counts down.
 *
 * In the end only the name is left, so that nobody else comes under it.
 */
#define LEFT_NAME STR("Somebody who has left")

/* Is it of the form of a pseudonym? No username is. */
bool pseudonym_valid(struct str name);

/* Creates the person of this pseudonym, who is in no list. PLAN_TAKEN: there is one already. */
enum plan_rc pseudonym_make(struct plan *plan, struct str pseudonym);

/* Marks them. PLAN_LAST_ADMIN: somebody has to stay. PLAN_CHANGED: try again. */
enum plan_rc account_leave(
    struct plan *plan, struct clock *clock, const struct user *user, bool keep_posts);

/* One step: about forty items. *done when nothing is left and they are gone. */
enum plan_rc leaving_round(struct plan *plan, struct str username, bool *done);

/* Somebody who is leaving; empty: nobody. */
enum plan_rc leaving_next(struct plan *plan, struct str *username);

#endif
