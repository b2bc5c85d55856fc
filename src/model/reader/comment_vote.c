#include "model/reader/comment_vote.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/kinds.h"
#include "model/site/rate.h"

enum { TRIES = 4 };

struct read
comment_vote_read(struct arena *arena, struct str username, struct str post, struct str comment)
{
	return (struct read){.kind = READ_GET,
	    .key = key_comment_vote(arena, username, post, comment),
	    .consistent = true};
}

static struct item
new_vote(struct plan *plan, const struct comment *comment, enum opinion wish)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_comment_vote(arena, plan->by, comment->post, comment->id),
	    ITEM_VOTE);
	key_index_comment_vote(
	    arena, &item, plan->by, plan->now, comment->post, comment->id);
	item_set(arena, &item, STR("Author"), value_string(plan->by));
	item_set(arena, &item, STR("Comment"), value_string(comment->id));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("Path"), value_string(comment->path));
	item_set(arena, &item, STR("Post"), value_string(comment->post));
	item_set(arena, &item, STR("Value"), value_number(wish == OPINION_UP ? 1 : -1));
	return item;
}

/* The old item is unchanged since it was read. */
static void
replace(struct plan *plan, const struct item *was, const struct item *is)
{
	struct arena *arena = plan->call->arena;
	struct condition *same = ARENA_NEW(arena, struct condition);
	struct write write = {.kind = WRITE_DELETE, .key = item_key(was), .condition = same};

	*same = (struct condition){
	    .op = COND_EQ, .name = STR("Value"), .value = *item_get(was, STR("Value"))};
	if (is != NULL) {
		write = plan_difference(arena, item_key(was), was, is);
		write.condition = same;
	}
	plan_add(plan, write, PLAN_CHANGED);
}

/* An older vote is no longer counted by the comment itself. */
static void
uncount_old(struct plan *plan, const struct comment *comment, const struct item *was)
{
	bool up = item_number(was, STR("Value")) > 0;

	plan_count(plan, key_comment(plan->call->arena, comment->post, comment->path),
	    up ? STR("Ups") : STR("Downs"), -1, PLAN_DONE);
}

static enum plan_rc
vote_once(struct plan *plan, const struct comment *comment, enum opinion wish,
    const struct item *was, const struct rate *limit)
{
	struct arena *arena = plan->call->arena;
	bool old = was != NULL && item_get(was, STR("Path")) == NULL;
	struct item is;

	if (was == NULL) {
		is = new_vote(plan, comment, wish);
		plan_create(plan, is, PLAN_CHANGED);
	} else {
		is = item_shallow(arena, was);
		item_set(arena, &is, STR("Path"), value_string(comment->path));
		item_set(arena, &is, STR("Value"), value_number(wish == OPINION_UP ? 1 : -1));
		replace(plan, was, wish != OPINION_OFF ? &is : NULL);
	}
	if (old)
		uncount_old(plan, comment, was);
	plan_recount(plan, old ? NULL : was, wish != OPINION_OFF ? &is : NULL);
	if (wish != OPINION_OFF)
		rate_add(plan, limit, 1, false);
	return plan_commit(plan);
}

enum plan_rc
comment_vote(struct plan *plan, const struct comment *comment, enum opinion wish,
    const struct read *answer, const struct rate *limit, uint32_t *wait)
{
	struct read again =
	    comment_vote_read(plan->call->arena, plan->by, comment->post, comment->id);
	const struct item *was = answer->item;
	enum plan_rc rc = PLAN_CHANGED;

	for (int i = 0; i < TRIES && rc == PLAN_CHANGED; i++) {
		if (i > 0) {
			enum table_rc read = table_read(plan->table, plan->call, &again, 1);

			if (read != TABLE_OK)
				return plan_failed(plan, read);
			was = again.item;
		}
		if (reaction_from_item(REACTION_VOTE, was) == wish)
			return plan->rc = PLAN_DONE;
		rc = vote_once(plan, comment, wish, was, limit);
	}
	if (rc == PLAN_TOO_MANY)
		*wait = rate_wait_now(plan->table, plan->call, limit, 1, plan->now);
	return rc;
}
