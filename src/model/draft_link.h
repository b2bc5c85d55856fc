#ifndef MODEL_DRAFT_LINK_H
#define MODEL_DRAFT_LINK_H

#include "model/bind.h"
#include "table/table.h"

/*
 * A link by which whoever has it reads a post that is not published, /draft/<code>: until it expires or
 * somebody who may edit the post revokes it. The code is 32 random bytes, as a session's token is; the
 * table holds only its hash, so a link is shown once, when it is made.
 */
enum { DRAFT_LINKS_MAX = 20 }; /* of a post */

struct draft_link {
	struct str hash, post;
	struct str by, by_name; /* who made it */
	int64_t created;
	int64_t expires; /* in seconds, as the table's ExpiresAt is */
};

void draft_link_from_item(struct arena *arena, const struct item *item, struct draft_link *out);

/* The writes: a new one, and its end, only if it is one of this post. */
struct write draft_link_put(struct arena *arena, const struct draft_link *link);
struct write draft_link_delete(struct arena *arena, struct str hash, struct str post);

#endif
