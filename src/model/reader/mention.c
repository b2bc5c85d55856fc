#include "model/reader/mention.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/people/user.h"
#include "model/reader/follow.h"

/* Of each person, who they are and what they have to do with who writes. */
enum { PERSON, RELATION, ITEMS };

bool
mention_read(struct arena *arena, struct str by, struct strings_value names, struct read *out)
{
	size_t count = names.count < MENTIONS_READ ? names.count : MENTIONS_READ;
	struct key *keys = ARENA_ARRAY(arena, ITEMS * count, struct key);

	for (size_t i = 0; i < count; i++) {
		keys[ITEMS * i + PERSON] = key_user(arena, names.strings[i]);
		keys[ITEMS * i + RELATION] = follow_read(arena, names.strings[i], by).key;
	}
	*out = (struct read){
	    .kind = READ_BATCH, .batch = {keys, ITEMS * count}, .consistent = true};
	return count != 0;
}

struct strings_value
mention_take(struct arena *arena, const struct read *answer)
{
	size_t all = answer != NULL ? answer->batch.count / ITEMS : 0, count = 0;
	struct str *names = ARENA_ARRAY(arena, all + 1, struct str);

	for (size_t i = 0; i < all; i++) {
		const struct item *person = answer->items[ITEMS * i + PERSON];
		const struct item *relation = answer->items[ITEMS * i + RELATION];
		struct user user;

		if (person == NULL || follow_status(relation) == FOLLOW_BLOCKED)
			continue;
		user_from_item(arena, person, &user);
		if (user.status == USER_ACTIVE && user_visible(&user))
			names[count++] = user.username;
	}
	return (struct strings_value){names, count};
}
