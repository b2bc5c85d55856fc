#include "model/people/user.h"

#include "model/permission.h"

#include <string.h>

static const char *const roles[] = {"reader", "author", "editor", "admin", NULL};
/* An unknown word is the first one, so that it gives no access. */
static const char *const statuses[] = {"disabled", "active", "waiting", NULL};

static const struct binding bindings[] = {
    BIND_TEXT(WRITTEN, "AvatarURL", struct user, avatar_url, TEXT_PICTURE),
    BIND_TEXT(WRITTEN, "Bio", struct user, bio, TEXT_LINES),
    BIND_TEXT(WRITTEN, "CoverAlt", struct user, cover_alt, TEXT_LINE),
    BIND_TEXT(WRITTEN, "CoverURL", struct user, cover_url, TEXT_PICTURE),
    BIND_TIME(RECORDED, "CreatedAt", struct user, created),
    BIND_TEXT(WRITTEN, "DisplayName", struct user, display_name, TEXT_LINE),
    BIND_STRING(WRITTEN, "Email", struct user, email),
    BIND_NUMBER(SECRET, "Era", struct user, era),
    BIND_NUMBER(COUNTED, "Followers", struct user, followers),
    BIND_NUMBER(COUNTED, "Following", struct user, following),
    BIND_TEXT(WRITTEN, "Link", struct user, link, TEXT_LINK),
    BIND_STRING(WRITTEN, "NewEmail", struct user, new_email),
    BIND_NUMBER(COUNTED, "Posts", struct user, posts),
    BIND_BOOLEAN(WRITTEN, "Private", struct user, is_private),
    BIND_CHOICE(RECORDED, "ProfileStatus", struct user, profile, restricted_words),
    BIND_CHOICE(RECORDED, "Role", struct user, role, roles),
    BIND_CHOICE(RECORDED, "Status", struct user, status, statuses),
    BIND_TIME(RECORDED, "SuspendedAt", struct user, suspended_at),
    BIND_TIME(RECORDED, "SuspendedUntil", struct user, suspended_until),
    BIND_TEXT(RECORDED, "SuspendedWhy", struct user, suspended_why, TEXT_LINES),
    BIND_TIME(RECORDED, "UpdatedAt", struct user, updated),
    BIND_STRING(RECORDED, "Username", struct user, username),
    BIND_BOOLEAN(RECORDED, "Verified", struct user, verified),
};
const struct binding_table user_bindings = BINDINGS(bindings);

void
user_from_item(struct arena *arena, const struct item *item, struct user *out)
{
	*out = (struct user){.role = ROLE_READER};
	bind_read(arena, &user_bindings, item, out);
	out->has_published = item_get(item, table_pk_name(TABLE_GSI4)) != NULL;
	if (out->display_name.len == 0)
		out->display_name = out->username;
}

bool
user_suspended(const struct user *user, int64_t now)
{
	return user->suspended_until > now;
}

const char *
role_name(enum role role)
{
	return roles[role];
}

int
role_of(struct str name)
{
	return choice_of(roles, name);
}

const char *
user_status_name(enum user_status status)
{
	return statuses[status];
}

const char *const user_roles_and_statuses[] = {
    "reader", "author", "editor", "admin", "waiting", "disabled", NULL};

const char *
user_role_or_status(enum role role, enum user_status status)
{
	return status == USER_ACTIVE ? role_name(role) : user_status_name(status);
}

const struct profile_part profile_parts[] = {
    {"AvatarURL", offsetof(struct user, avatar_url)},
    {"Bio", offsetof(struct user, bio)},
    {"CoverAlt", offsetof(struct user, cover_alt)},
    {"CoverURL", offsetof(struct user, cover_url)},
    {"Link", offsetof(struct user, link)},
    {NULL, 0},
};

static void
say_nothing(struct user *user)
{
	for (const struct profile_part *part = profile_parts; part->name != NULL; part++)
		*(struct str *)(void *)((char *)user + part->at) = STR("");
}

void
user_hide(struct user *user)
{
	say_nothing(user);
	user->followers = user->following = 0;
	user->created = 0;
}

void
user_withhold(struct user *user)
{
	if (user->profile == RESTRICTED_NOT)
		return;
	say_nothing(user);
	user->display_name = user->username;
}

bool
user_visible(const struct user *user)
{
	return may(NULL, MAY_READ, thing_person(user));
}

static bool
is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool
username_valid(struct str name)
{
	if (name.len < 3 || name.len > 30)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.base[i];

		if (!is_letter_or_digit(c) && c != '_')
			return false;
	}
	return true;
}

/* At least two labels of letters, digits and inner hyphens. */
static bool
is_domain(struct str text)
{
	size_t labels = 0;

	for (bool more = true; more; labels++) {
		struct str rest, label = str_cut(text, '.', &rest);

		more = label.len < text.len;
		if (label.len == 0 || label.len > 63 || label.base[0] == '-' ||
		    label.base[label.len - 1] == '-')
			return false;
		for (size_t i = 0; i < label.len; i++)
			if (!is_letter_or_digit(label.base[i]) && label.base[i] != '-')
				return false;
		text = rest;
	}
	return labels >= 2;
}

static bool
is_mailbox(struct str text)
{
	/*
	 * Without the percent sign: it means routing via another host, and an escape to software
	 * that decodes twice.
	 */
	static const char also[] = "!#$&'*+-/=?^_`{|}~.";

	if (text.len == 0 || text.len > 64)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.base[i];

		if (!is_letter_or_digit(c) && (c == '\0' || strchr(also, c) == NULL))
			return false;
		if (c == '.' && (i == 0 || i + 1 == text.len || text.base[i - 1] == '.'))
			return false;
	}
	return true;
}

bool
email_normal(struct arena *arena, struct str typed, struct str *out)
{
	struct str domain, mailbox, address = str_lower(arena, str_trim(typed));

	mailbox = str_cut(address, '@', &domain);
	if (address.len > 254 || !is_mailbox(mailbox) || !is_domain(domain))
		return false;
	*out = address;
	return true;
}
