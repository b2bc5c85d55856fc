/* Which uploaded pictures a post shows: items beside the pictures, which follow each change of the post. */
#include "model/post/writing_commit.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/post/media.h"

/* Where a transaction has no room for more, the last ones stay unnoted: better than a post that can't be saved. */
enum { UP_TO = 60 };

static void
uses_of(
    struct commit *c, const struct post *post, const struct post_body *body, struct media_uses *out)
{
	media_uses_of(c->arena, post, body, out);
	if (post->status == STATUS_DELETED)
		out->ends = (post->deleted + DELETED_KEPT_MS) / 1000;
}

void
commit_uses(struct commit *c, const struct post_body *body)
{
	struct write *writes = ARENA_ARRAY(c->arena, MEDIA_USE_WRITES_MAX, struct write);
	struct media_uses before = {.post = c->post->id}, after;
	size_t count;

	if (c->old != NULL)
		uses_of(c, &c->old->post, &c->old->body, &before);
	uses_of(c, c->post, body, &after);
	count = media_use_writes(c->arena, &before, &after, writes);
	for (size_t i = 0; i < count && c->plan->count < UP_TO; i++)
		plan_add(c->plan, writes[i], PLAN_CHANGED);
}
