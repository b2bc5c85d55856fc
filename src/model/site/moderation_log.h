#ifndef MODEL_SITE_MODERATION_LOG_H
#define MODEL_SITE_MODERATION_LOG_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * What was done by hand to what readers write and to who writes it, as readers may see it: an item for each act, in the
 * transaction that does it, for a year. Who did it, and to whom, is shown if admins choose so (model/site/moderation.h).
 */
enum moderated {
	MODERATED_COMMENT,
	MODERATED_THREAD,
	MODERATED_COMMENTS,  /* all under a post */
	MODERATED_PERSON,
	MODERATED_ACCOUNT,   /* all that a person has left */
	MODERATED_ADDRESSES, /* a range of them, which is not named */
	MODERATED_POST,
	MODERATED_NOTE,      /* of a review */
	MODERATED_PROFILE,
	MODERATED_COLLECTION,
	/* For the whole site. */
	MODERATED_SITE_COMMENTS,
	MODERATED_SITE_VOTES,
	MODERATED_SITE_RATINGS,
	MODERATED_SITE_FOLLOWS,
};

/* "comment", "site votes": as they are stored; ended by NULL. */
extern const char *const moderated_words[];

struct moderation_act {
	struct str id, what; /* "hidden", "restored", "closed": what was done to the thing */
	enum moderated thing;
	bool by_author; /* by an author of the post, not by the staff */
	int64_t until;  /* 0: for good */
	struct str why; /* as it was told to the person; or empty */
	struct str post, post_title, person, actor;
	int64_t created;
};

/* Adds it to the plan; who acts, and when, are the plan's. */
void moderation_log(struct plan *plan, const struct moderation_act *act);

/* The same of what is under no post, if the plan is audited. `person` may be empty, `until` 0. */
void moderation_log_staff(struct plan *plan, enum moderated thing, const char *what,
    struct str person, int64_t until);

void moderation_act_from_item(
    struct arena *arena, const struct item *item, struct moderation_act *out);

extern const struct binding_table moderation_act_bindings;

#endif
