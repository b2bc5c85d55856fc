#include "model/user.h"

static const char *const roles[] = {"reader", "author", "editor", "admin", NULL};
static const char *const statuses[] = {"active", "disabled", NULL};

static const struct binding bindings[] = {
    BIND_STRING("AvatarURL", struct user, avatar_url),
    BIND_STRING("Bio", struct user, bio),
    BIND_TIME("CreatedAt", struct user, created),
    BIND_STRING("DisplayName", struct user, display_name),
    BIND_STRING("Email", struct user, email),
    BIND_NUMBER("Followers", struct user, followers),
    BIND_NUMBER("Following", struct user, following),
    BIND_STRING("Link", struct user, link),
    BIND_NUMBER("Posts", struct user, posts),
    BIND_BOOLEAN("Private", struct user, is_private),
    BIND_CHOICE("Role", struct user, role, roles),
    BIND_CHOICE("Status", struct user, status, statuses),
    BIND_TIME("UpdatedAt", struct user, updated),
    BIND_STRING("Username", struct user, username),
};
static const struct binding_table table = BINDINGS(bindings);

void
user_from_item(struct arena *arena, const struct item *item, struct user *out)
{
	*out = (struct user){.role = ROLE_READER};
	bind_read(arena, &table, item, out);
	if (out->display_name.len == 0)
		out->display_name = out->username;
}

const char *
role_title(enum role role)
{
	static const char *const titles[] = {"Reader", "Author", "Editor", "Admin"};

	return titles[role];
}

bool
user_visible(const struct user *user)
{
	return user->status == USER_ACTIVE;
}

bool
username_valid(struct str name)
{
	if (name.len < 3 || name.len > 30)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.base[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
			return false;
	}
	return true;
}
