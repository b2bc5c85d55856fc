#include "model/reader/follow.h"

#include "model/key.h"

struct read
follow_read(struct arena *arena, struct str username, struct str followed)
{
	return (struct read){
	    .kind = READ_GET, .key = key_follow(arena, username, followed), .consistent = true};
}

bool
follow_holds(const struct read *answer)
{
	struct str status;

	if (answer->item == NULL)
		return false;
	status = item_string(answer->item, STR("Status"));
	return str_eq(status, STR("active")) || str_eq(status, STR("muted"));
}
