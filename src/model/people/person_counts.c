#include "model/people/person_counts.h"

#include "model/key_follow.h"

struct read
person_counts_read(struct arena *arena, struct str username)
{
	return (struct read){.kind = READ_GET, .key = key_person_counts(arena, username)};
}

void
person_counts_add(const struct item *item, struct user *user)
{
	if (item == NULL)
		return;
	user->followers += item_number(item, STR("Followers"));
	user->following += item_number(item, STR("Following"));
	user->posts += item_number(item, STR("Posts"));
}
