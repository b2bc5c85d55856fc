#include "model/site/backup.h"

#include "base/clock.h"
#include "model/key.h"

enum plan_rc
backup_note(struct plan *plan)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_backup(), ITEM_BACKUP);
	item_set(arena, &item, STR("MadeAt"), value_string(time_format(arena, plan->now)));
	plan_put(plan, item);
	return plan_commit(plan);
}

struct read
backup_read(void)
{
	return (struct read){.kind = READ_GET, .key = key_backup()};
}

int64_t
backup_made(const struct item *item)
{
	int64_t at = 0;

	if (item != NULL)
		(void)time_parse(item_string(item, STR("MadeAt")), &at);
	return at;
}
