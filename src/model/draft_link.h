#ifndef MODEL_DRAFT_LINK_H
#define MODEL_DRAFT_LINK_H

#include "model/bind.h"
#include "model/post.h"
#include "table/table.h"

/*
 * A link by which whoever has it reads a post that is not published, /draft/<code>: until it expires,
 * somebody who may edit the post revokes it, or the author who made it is none of its authors any more. The code
 * is 32 random bytes, as a session's token is; the table holds only its hash, so a link is shown once, when it is made.
 */
enum { DRAFT_LINKS_MAX = 20 }; /* of a post */

struct draft_link {
	struct str hash, post;
	struct str by, by_name; /* who made it */
	bool as_author; /* as one of the post's authors then: it is good while they are one */
	int64_t created;
	int64_t expires; /* in seconds, as the table's ExpiresAt is */
};

void draft_link_from_item(struct arena *arena, const struct item *item, struct draft_link *out);

/* Does it still lead to this post, which is the one that it names? */
bool draft_link_good(const struct draft_link *link, const struct post *post);

/* The writes: a new one, and its end, only if it is one of this post. */
struct write draft_link_put(struct arena *arena, const struct draft_link *link);
struct write draft_link_delete(struct arena *arena, struct str hash, struct str post);

#endif
