/* The posts of a category that was merged, on their way to the other's shelf. */
#include "model/post/category_write.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/post/writing.h"

enum { AT_ONCE = 20 };

/* Moves some posts that stand on the shelf, those that are there still; *moved counts them. */
static enum plan_rc
move_some(struct plan *plan, const struct item *heads, size_t count, struct str from,
    struct str into, unsigned *moved)
{
	struct arena *arena = plan->call->arena;
	struct read *reads = ARENA_ARRAY(arena, count * POST_READS, struct read);
	enum table_rc rc;

	if (count == 0)
		return PLAN_DONE;
	for (size_t i = 0; i < count; i++)
		post_reads(arena, item_string(&heads[i], STR("Id")), true, &reads[i * POST_READS]);
	rc = table_read(plan->table, plan->call, reads, count * POST_READS);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	for (size_t i = 0; i < count; i++) {
		struct read *own = &reads[i * POST_READS];
		struct written post;

		rc = post_mend(plan->table, plan->call, own);
		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		/* An index may lag behind: it has been moved, or deleted. */
		if (!written_take(arena, own, &post) || !str_eq(post.post.category, from))
			continue;
		switch (writing_move(plan, &post, into)) {
		case PLAN_DONE: (*moved)++; break;
		case PLAN_TABLE: return PLAN_TABLE;
		case PLAN_NO_CATEGORY: return PLAN_NOT_THERE;
		default: break; /* Somebody works on it: the next call finds it. */
		}
	}
	return PLAN_DONE;
}

enum plan_rc
category_merge_on(struct plan *plan, struct str from, struct str into, unsigned most)
{
	struct arena *arena = plan->call->arena;
	struct query query = query_category_partition(arena, from);
	struct plan quiet = *plan;
	enum plan_rc done = PLAN_DONE;
	struct str next = STR("");

	/* That it was merged stands in the log; its posts need no line each. */
	quiet.audited = false;
	for (unsigned moved = 0; moved < most && done == PLAN_DONE;) {
		struct item *heads;
		unsigned before = moved;
		size_t count;
		enum table_rc rc;

		query.limit = most - moved < AT_ONCE ? most - moved : AT_ONCE;
		rc = table_query(plan->table, plan->call, &query, &heads, &count, &next);
		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		if (count == 0)
			return PLAN_DONE;
		done = move_some(&quiet, heads, count, from, into, &moved);
		if (moved == before)
			break;
	}
	plan->failed = quiet.failed;
	return done == PLAN_DONE ? PLAN_MORE : done;
}
