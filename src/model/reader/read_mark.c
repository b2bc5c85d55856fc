#include "model/reader/read_mark.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/kinds.h"

enum { VISIT_MS = 30 * 60 * 1000, KEPT_SECONDS = 90 * 86400 };

struct mark {
	int64_t seen, before;
};

static struct mark
mark_of(const struct item *item)
{
	struct mark mark = {.seen = 0};

	if (item != NULL) {
		(void)time_parse(item_string(item, STR("Seen")), &mark.seen);
		(void)time_parse(item_string(item, STR("Before")), &mark.before);
	}
	return mark;
}

int64_t
read_mark_since(const struct item *read_mark, int64_t now)
{
	struct mark mark = mark_of(read_mark);

	return now - mark.seen < VISIT_MS ? mark.before : mark.seen;
}

enum plan_rc
read_mark_note(struct plan *plan, const struct item *read_mark, struct str post, int64_t newest)
{
	struct arena *arena = plan->call->arena;
	struct mark mark = mark_of(read_mark);
	struct item item = {.count = 0};

	if (newest <= mark.seen || plan->now - mark.seen < VISIT_MS)
		return PLAN_DONE;
	key_set(arena, &item, key_read_mark(arena, plan->by, post), ITEM_READ_MARK);
	if (mark.seen != 0)
		item_set(
		    arena, &item, STR("Before"), value_string(time_format(arena, mark.seen)));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + KEPT_SECONDS));
	item_set(arena, &item, STR("Post"), value_string(post));
	item_set(arena, &item, STR("Seen"), value_string(time_format(arena, plan->now)));
	plan_put(plan, item);
	return plan_commit(plan);
}
