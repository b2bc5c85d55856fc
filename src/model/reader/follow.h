#ifndef MODEL_READER_FOLLOW_H
#define MODEL_READER_FOLLOW_H

#include "table/table.h"

/*
 * Who follows whom. A follower is one whose follow is active or muted: who is muted is not shown in the feed,
 * and does not know. Blocked is the opposite.
 */

/* The read of what this person has to do with that one. Sees every write at once. */
struct read follow_read(struct arena *arena, struct str username, struct str followed);

/* Does the answer say that they follow them? */
bool follow_holds(const struct read *answer);

#endif
