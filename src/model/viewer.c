#include "model/viewer.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/people/group.h"
#include "model/text_rule.h"

/* What the read has that is no membership: the person, and items of which there is one each. */
enum { BESIDE_GROUPS = 8 };

_Static_assert((int)GROUPS_OF_PERSON_MAX <= (int)TABLE_BATCH_MAX, "groups are read at once");

struct read
viewer_read(struct arena *arena, struct str username)
{
	struct read read = {.kind = READ_QUERY, .query = query_person(arena, username)};

	/* From its end: the person stands behind all else. */
	read.query.descending = true;
	read.query.consistent = true;
	read.query.limit = GROUPS_OF_PERSON_MAX + BESIDE_GROUPS;
	return read;
}

bool
viewer_take(struct arena *arena, const struct read *answer, struct viewer *out)
{
	struct viewer_group *groups;

	*out = (struct viewer){.permissions = 0};
	if (answer->found_count == 0 || !kind_is(&answer->found[0], ITEM_USER))
		return false;
	out->person = &answer->found[0];
	user_from_item(arena, out->person, &out->user);
	out->permissions = permissions_of_role(out->user.role);
	groups = ARENA_ARRAY(arena, answer->found_count, struct viewer_group);
	for (size_t i = 1; i < answer->found_count; i++) {
		const struct item *item = &answer->found[i];

		if (kind_is(item, ITEM_HIDDEN))
			hidden_from_item(arena, item, &out->hidden);
		else if (kind_is(item, ITEM_MESSAGES))
			messages_from_item(item, &out->messages);
		else if (kind_is(item, ITEM_MEMBERSHIP) && out->group_count < GROUPS_OF_PERSON_MAX)
			groups[out->group_count++].name = item_string(item, STR("Group"));
	}
	out->groups = groups;
	return true;
}

bool
viewer_mutes(const struct viewer *viewer, struct str username)
{
	return viewer != NULL && hidden_has(&viewer->hidden.muted, username);
}

bool
viewer_mutes_tag(const struct viewer *viewer, struct str tag)
{
	return viewer != NULL && hidden_has(&viewer->hidden.muted_tags, tag);
}

bool
viewer_blocks(const struct viewer *viewer, struct str username)
{
	return viewer != NULL && hidden_has(&viewer->hidden.blocked, username);
}

bool
viewer_groups(struct arena *arena, const struct viewer *viewer, struct read *groups)
{
	struct key *keys = ARENA_ARRAY(arena, viewer->group_count, struct key);

	for (size_t i = 0; i < viewer->group_count; i++)
		keys[i] = key_group(arena, viewer->groups[i].name);
	*groups = (struct read){
	    .kind = READ_BATCH, .batch = {keys, viewer->group_count}, .consistent = true};
	return viewer->group_count != 0;
}

void
viewer_permit(struct arena *arena, const struct read *groups, struct viewer *viewer)
{
	struct viewer_group *in = ARENA_ARRAY(arena, groups->batch.count, struct viewer_group);
	size_t in_count = 0;

	for (size_t i = 0; i < groups->batch.count; i++) {
		const struct str *names;
		size_t count;

		if (groups->items[i] == NULL || item_boolean(groups->items[i], STR("Ending")))
			continue;
		in[in_count] = (struct viewer_group){.name = viewer->groups[i].name,
		    .title =
			text_shown(arena, TEXT_LINE, item_string(groups->items[i], STR("Name")))};
		names = item_strings(arena, groups->items[i], STR("Permissions"), &count);
		for (size_t n = 0; n < count; n++)
			in[in_count].permissions |= permission_of(names[n]);
		viewer->permissions |= in[in_count++].permissions;
	}
	viewer->groups = in;
	viewer->group_count = in_count;
}

struct str
viewer_group_title(const struct viewer *viewer, struct str name)
{
	for (size_t i = 0; viewer != NULL && i < viewer->group_count; i++)
		if (str_eq(viewer->groups[i].name, name) && viewer->groups[i].title.len != 0)
			return viewer->groups[i].title;
	return name;
}
