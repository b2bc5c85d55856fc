#include "server/store.h"

#include "base/arena.h"
#include "model/kinds.h"

enum table_rc
store_open(const struct config *config, enum table_open how, struct clock *clock,
    struct arena *arena, struct table **table, struct str *why)
{
	enum table_rc rc = config->driver->open(config->store, how, clock, arena, table, why);

	if (rc == TABLE_OK)
		(*table)->unseen = kind_unseen;
	return rc;
}

struct str
store_name(const struct config *config, struct arena *arena)
{
	return str_fmt(arena, "%s:%.*s", config->driver->prefix, STR_ARGS(config->store));
}
