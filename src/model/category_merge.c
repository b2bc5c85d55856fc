/* The posts of a category that was merged, on their way to the other's shelf. */
#include "model/category_write.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/writing.h"

enum { AT_ONCE = 20 };

/* Moves some posts that stand on the shelf, those that are there still; *moved counts them. */
static enum act_rc
move_some(struct writings *w, struct act *act, const struct item *heads, size_t count,
    struct str from, struct str into, unsigned *moved)
{
	struct arena *arena = act->call->arena;
	struct read *reads = ARENA_ARRAY(arena, count * POST_READS, struct read);
	enum table_rc rc;

	if (count == 0)
		return ACT_DONE;
	for (size_t i = 0; i < count; i++)
		post_reads(arena, item_string(&heads[i], STR("Id")), true, &reads[i * POST_READS]);
	rc = table_read(act->table, act->call, reads, count * POST_READS);
	if (rc != TABLE_OK)
		return act_failed(act, rc);
	for (size_t i = 0; i < count; i++) {
		struct read *own = &reads[i * POST_READS];
		struct written post;

		rc = post_mend(act->table, act->call, own);
		if (rc != TABLE_OK)
			return act_failed(act, rc);
		/* An index may lag behind: it has been moved, or deleted. */
		if (!written_take(arena, own, &post) || !str_eq(post.post.category, from))
			continue;
		switch (writing_move(w, &post, into)) {
		case WRITING_DONE: (*moved)++; break;
		case WRITING_TABLE: return act_failed(act, w->failed);
		case WRITING_NO_CATEGORY: return ACT_NOT_THERE;
		default: break; /* Somebody works on it: the next call finds it. */
		}
	}
	return ACT_DONE;
}

enum act_rc
category_merge_on(struct act *act, struct str from, struct str into, unsigned most)
{
	struct arena *arena = act->call->arena;
	struct writings w = {
	    .table = act->table, .call = act->call, .now = act->now, .by = act->audit.actor};
	struct query query = query_category_shelf(arena, from);
	enum act_rc done = ACT_DONE;
	struct str next = STR("");

	for (unsigned moved = 0; moved < most && done == ACT_DONE;) {
		struct item *heads;
		unsigned before = moved;
		size_t count;
		enum table_rc rc;

		query.limit = most - moved < AT_ONCE ? most - moved : AT_ONCE;
		rc = table_query(act->table, act->call, &query, &heads, &count, &next);
		if (rc != TABLE_OK)
			return act_failed(act, rc);
		if (count == 0)
			return ACT_DONE;
		done = move_some(&w, act, heads, count, from, into, &moved);
		if (moved == before)
			break;
	}
	return done == ACT_DONE ? ACT_MORE : done;
}
