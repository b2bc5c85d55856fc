#ifndef MODEL_POST_DRAFT_LINK_H
#define MODEL_POST_DRAFT_LINK_H

#include "model/bind.h"
#include "model/post/post.h"
#include "table/table.h"

/*
 * A secret link to a post that is not published, /draft/<code>: valid until it expires, somebody
 * who may edit the post revokes it, or its creator may not read the post any more. It records the
 * right on which it is based: that its creator was an author of the post, or in a group that may
 * edit it; otherwise their role. So it is known at once what has to be read to check whether they
 * still have that right.
 *
 * The code is 32 random bytes, as a session's token is; the table has only its hash, so a link is
 * shown once, when it is created.
 */
enum { DRAFT_LINKS_MAX = 20 }; /* of a post */

struct draft_link {
	struct str hash, post;
	struct str by, by_name; /* who made it */
	bool as_author;   /* as one of the post's authors then: it is good while they are one */
	struct str group; /* or as somebody in this group: it is good while they are in it */
	int64_t created;
	int64_t expires; /* in seconds, as the table's ExpiresAt is */
};

void draft_link_from_item(struct arena *arena, const struct item *item, struct draft_link *out);

/* Is it known to be over, by the post alone? Its maker was one of the authors and is none any more. */
bool draft_link_left(const struct draft_link *link, const struct post *post);

/*
 * Plans the reads of who made it, to be answered together with those of the post; how many. With the answers: does it
 * still lead to this post, which is the one that it names? Their right is may()'s to say, of what they have by themselves
 * and by that group.
 */
enum { DRAFT_LINK_READS = 3 };
size_t draft_link_reads(
    struct arena *arena, const struct draft_link *link, struct read reads[DRAFT_LINK_READS]);
bool draft_link_good(struct arena *arena, const struct draft_link *link,
    const struct read reads[DRAFT_LINK_READS], const struct post *post, int64_t now);

/* The writes: a new one, and its end, only if it is one of this post. */
struct write draft_link_put(struct arena *arena, const struct draft_link *link);
struct write draft_link_delete(struct arena *arena, struct str hash, struct str post);

extern const struct binding_table draft_link_bindings;

#endif
