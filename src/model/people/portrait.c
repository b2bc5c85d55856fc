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
		media_sizes(address.size, sizes);
		address.size = sizes[0];
		return media_path(arena, &address);
	}
	return str_starts(url, STR("/")) ? url : STR("");
}

bool
portrait_is(const struct user *user, struct str hash)
{
	return user->avatar_url.len != 0 && hash.len != 0 &&
	       memmem(user->avatar_url.base, user->avatar_url.len, hash.base, hash.len) != NULL;
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
	edit_text(edit, STR("ProfileStatus"), str_of(restricted_words[profile]));
	edit_only_still(edit, STR("AvatarURL"), user->avatar_url);
	edit_end(edit, user->username);
	if (media == NULL || !portrait_is(user, media->hash))
		portrait_let_go(plan, user->username, user->avatar_url);
	return plan_commit(plan);
}

void
portrait_drop(struct plan *plan, const struct user *user, struct str hash)
{
	static const struct change none[] = {
	    {CHANGE_REMOVE, STR_INIT("AvatarURL"), {.kind = VALUE_NULL}}};
	struct condition *still = ARENA_NEW(plan->call->arena, struct condition);

	if (!portrait_is(user, hash))
		return;
	*still = (struct condition){
	    .op = COND_EQ, .name = STR("AvatarURL"), .value = value_string(user->avatar_url)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_user(plan->call->arena, user->username),
		.changes = none,
		.change_count = 1,
		.condition = still},
	    PLAN_DONE);
}
