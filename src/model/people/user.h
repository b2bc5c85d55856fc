#ifndef MODEL_PEOPLE_USER_H
#define MODEL_PEOPLE_USER_H

#include "model/bind.h"
#include "model/restricted.h"

/* A person: reader, author, editor or admin. */

enum role { ROLE_READER, ROLE_AUTHOR, ROLE_EDITOR, ROLE_ADMIN };
/* Only the active may sign in. Who waits has registered, and an admin has not yet said yes. */
enum user_status { USER_DISABLED, USER_ACTIVE, USER_WAITING };

struct user {
	struct str username, display_name, email, bio, link;
	struct str avatar_url; /* shown as portrait_of() says (model/people/portrait.h) */
	struct str cover_url, cover_alt; /* at the head of their page (model/people/portrait.h) */
	struct str new_email; /* named, and not yet confirmed (model/people/account.h) */
	enum role role;
	enum user_status status;
	bool is_private;
	bool
	    verified; /* has the mark of those whom the staff know; pages read it from the settings */
	/* of older tables; the others are added from an item of their own (model/people/person_counts.h) */
	int64_t posts, followers, following;
	bool has_published; /* something was public once, or scheduled to be */
	int64_t created, updated;
	/* until then they write nothing (model/people/suspension.h); 0: never suspended */
	int64_t suspended_at, suspended_until;
	struct str suspended_why;
	enum restricted profile; /* what they say of themselves: not there for others */
	int64_t era; /* counts up whenever all sessions end: those of another era are void */
};

/*
 * What people say and show of themselves, but for the name: its attributes, and where it is in the struct; ended by a
 * NULL name.
 */
struct profile_part {
	const char *name;
	size_t at;
};
extern const struct profile_part profile_parts[];

void user_from_item(struct arena *arena, const struct item *item, struct user *out);

/* Are they suspended at that time? */
bool user_suspended(const struct user *user, int64_t now);

/* What is left of a private profile for those who may not see it (MAY_SEE_PROFILE): the name. */
void user_hide(struct user *user);

/* Leaves out what others do not see of a restricted profile: texts, picture and name. */
void user_withhold(struct user *user);

/*
 * May a stranger see this person's page? The private show their name only, and so do the disabled, who are found only if
 * they have published anything, and their posts were counted (model/people/person_counts.h).
 */
bool user_visible(const struct user *user);

/* The word for a role or status, and back: -1 for what is none. */
const char *role_name(enum role role);
int role_of(struct str name);
const char *user_status_name(enum user_status status);

/*
 * How the staff find people: the role of an active person, otherwise the status.
 * `user_roles_and_statuses` are all of them, ended by NULL.
 */
const char *user_role_or_status(enum role role, enum user_status status);
extern const char *const user_roles_and_statuses[];

/* The binding of all this but the password's hash, for writing a person down. */
extern const struct binding_table user_bindings;

/*
 * The one form of an e-mail address: without white space at its ends, in small letters. Addresses are
 * ASCII; one with any other letter is none here, so that no two that look alike are two people's. False
 * for what is no address. *out is in the arena.
 */
bool email_normal(struct arena *arena, struct str typed, struct str *out);

/* [a-z0-9_]{3,30} */
bool username_valid(struct str name);

#endif
