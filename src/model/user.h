#ifndef MODEL_USER_H
#define MODEL_USER_H

#include "model/bind.h"

/* A person: reader, author, editor or admin. */

enum role { ROLE_READER, ROLE_AUTHOR, ROLE_EDITOR, ROLE_ADMIN };
enum user_status { USER_ACTIVE, USER_DISABLED };

struct user {
	struct str username, display_name, email, bio, avatar_url, link;
	enum role role;
	enum user_status status;
	bool is_private;
	int64_t posts, followers, following;
	int64_t created, updated;
};

void user_from_item(struct arena *arena, const struct item *item, struct user *out);

/* What a role is called for people: "Editor". */
const char *role_title(enum role role);

/* May a stranger see this person's page? The disabled are not found; the private show their name only. */
bool user_visible(const struct user *user);

/* [a-z0-9_]{3,30} */
bool username_valid(struct str name);

#endif
