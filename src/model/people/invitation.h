#ifndef MODEL_PEOPLE_INVITATION_H
#define MODEL_PEOPLE_INVITATION_H

#include "model/people/user.h"
#include "model/plan.h"

struct clock;

/*
 * Links that let one person register each, as a reader or in another role. The table has the hash of their code alone.
 *
 * An invitation is made by somebody who may, and is good for a week. One that makes more than a reader is good while
 * whoever made it is an active admin, who could give that role to anybody (the command line always can).
 *
 * The link of the first admin is made by the program, for a day, while the site has no admin. There is one at a time: the
 * next takes its place, so two people can't both become the first.
 */
enum { INVITATION_SECONDS = 7 * 86400, FIRST_ADMIN_SECONDS = 86400 };

struct invitation {
	struct str hash; /* of its code */
	struct str by;   /* a username, or "command line"; of the first admin's link: empty */
	struct str whom; /* a note by whoever made it: a name or an e-mail address, or empty */
	enum role role;
	bool first_admin;
	int64_t created, expires;
};

/* Makes one, of which hash, by, whom and role are given. */
enum plan_rc account_invite(struct plan *plan, const struct invitation *invitation);

/* Withdraws one that they have made. PLAN_NOT_INVITED: there is none, or it is somebody else's. */
enum plan_rc account_uninvite(struct plan *plan, struct str hash, struct str by);

/* One of query_invitations_of(). */
void invitation_from_item(const struct item *item, struct invitation *out);

/* Finds the one with this hash, of either sort, in one round trip. PLAN_NOT_INVITED: there is none. */
enum plan_rc invitation_find(struct plan *plan, struct str hash, struct invitation *out);

/* Somebody registers with it: one more write of the plan, which ends as PLAN_NOT_INVITED if it is not good any more. */
void invitation_use(struct plan *plan, const struct invitation *invitation);

/* Has the site an active admin? If not, somebody is to become the first. */
enum plan_rc first_admin_wanted(struct plan *plan, bool *wanted);

/* Makes the link of the first admin: *code, in the arena. */
enum plan_rc first_admin_begin(struct plan *plan, struct clock *clock, struct str *code);

/* For pages that ask the same beside other things: there is an admin if this finds anything. */
struct read first_admin_read(struct arena *arena);

#endif
