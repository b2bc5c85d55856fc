#include "model/people/portrait.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/account_private.h"

#include <string.h>

struct str
portrait_of(struct arena *arena, struct str site, const struct user *user)
{
	struct str url = user->avatar_url;
	struct media_size sizes[MEDIA_SIZES_MAX];
	struct media_address address;

	if (media_address_read(url, site, &address)) {
		media_sizes(address.size, address.format, sizes);
		address.size = sizes[0];
		return media_path(arena, &address);
	}
	return str_starts(url, STR("/")) ? url : STR("");
}

static bool
names(struct str url, struct str hash)
{
	return url.len != 0 && hash.len != 0 &&
	       memmem(url.base, url.len, hash.base, hash.len) != NULL;
}

bool
portrait_is(const struct user *user, struct str hash)
{
	return names(user->avatar_url, hash);
}

bool
cover_is(const struct user *user, struct str hash)
{
	return names(user->cover_url, hash);
}

void
portrait_let_go(struct plan *plan, struct str username, struct str address)
{
	struct media_address at;

	if (media_address_read(address, STR(""), &at))
		plan_add(
		    plan, media_let_go(plan->call->arena, at.hash, username, plan->now), PLAN_DONE);
}

enum plan_rc
portrait_set(
    struct plan *plan, const struct user *user, const struct media *media, enum restricted profile)
{
	struct edit *edit = edit_begin(plan);
	struct media_address address;
	struct str url = STR("");

	if (media != NULL) {
		address = media_address_of(media);
		url = media_path(plan->call->arena, &address);
		plan_add(plan, media_hold(plan->call->arena, media->hash), PLAN_NOT_THERE);
	}
	edit_text(edit, STR("AvatarURL"), url);
	edit_profile_status(edit, user, profile);
	edit_only_still(edit, STR("AvatarURL"), user->avatar_url);
	edit_end(edit, user->username);
	if (media == NULL || !portrait_is(user, media->hash))
		portrait_let_go(plan, user->username, user->avatar_url);
	return plan_commit(plan);
}

enum plan_rc
cover_set(struct plan *plan, const struct user *user, struct str url, struct str alt,
    enum restricted profile)
{
	struct edit *edit = edit_begin(plan);
	struct media_address address;

	if (!str_eq(url, user->cover_url) && media_address_read(url, STR(""), &address))
		plan_add(plan, media_hold(plan->call->arena, address.hash), PLAN_NOT_THERE);
	edit_text(edit, STR("CoverURL"), url);
	edit_text(edit, STR("CoverAlt"), url.len != 0 ? alt : STR(""));
	edit_profile_status(edit, user, profile);
	edit_only_still(edit, STR("CoverURL"), user->cover_url);
	edit_end(edit, user->username);
	return plan_commit(plan);
}

void
pictures_drop(struct plan *plan, const struct user *user, struct str hash)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 3, struct change);
	struct condition *still = ARENA_ARRAY(arena, 3, struct condition);
	size_t count = 0, is = 1;

	if (portrait_is(user, hash)) {
		changes[count++] = plan_text(STR("AvatarURL"), STR(""));
		still[is++] = (struct condition){COND_EQ, .name = STR("AvatarURL"), .value = value_string(user->avatar_url)};
	}
	if (cover_is(user, hash)) {
		changes[count++] = plan_text(STR("CoverAlt"), STR(""));
		changes[count++] = plan_text(STR("CoverURL"), STR(""));
		still[is++] = (struct condition){COND_EQ, .name = STR("CoverURL"), .value = value_string(user->cover_url)};
	}
	if (count == 0)
		return;
	still[0] = (struct condition){.op = COND_ALL, .children = &still[1], .count = is - 1};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_user(arena, user->username),
		.changes = changes,
		.change_count = count,
		.condition = still},
	    PLAN_DONE);
}
