#include "server/store.h"

#include "base/arena.h"
#include "model/key_work.h"
#include "model/kinds.h"
#include "model/site/format.h"
#include "model/site/move.h"

/* Of a later format than this program knows, it would count wrongly in it. If it can't be read, others will say so. */
static enum table_rc
check_format(const struct config *config, struct arena *arena, struct table **table, struct str *why)
{
	struct table_call call = {.arena = arena};
	struct format format;
	enum table_rc rc = format_get(*table, &call, &format);

	table_release(*table, &call);
	if (rc != TABLE_OK || format.format <= FORMAT_NOW)
		return TABLE_OK;
	*why = str_fmt(arena,
	    "%.*s has format %d, of a newer version of this program; this one knows %d: use that version",
	    STR_ARGS(store_name(config, arena)), (int)format.format, FORMAT_NOW);
	table_close(*table);
	*table = NULL;
	return TABLE_INVALID;
}

enum table_rc
store_open(const struct config *config, enum table_open how, struct clock *clock,
    struct arena *arena, struct table **table, struct str *why)
{
	enum table_rc rc = config->driver->open(config->store, how, clock, arena, table, why);

	if (rc != TABLE_OK)
		return rc;
	(*table)->unseen = kind_unseen;
	(*table)->fence = key_move();
	return check_format(config, arena, table, why);
}

struct str
store_name(const struct config *config, struct arena *arena)
{
	return str_fmt(arena, "%s:%.*s", config->driver->prefix, STR_ARGS(config->store));
}

/* The file of the secret stays where it is. */
static void
follow(struct config *config, struct arena *arena)
{
	config->secret_file = str_of(config_secret_file(config, arena));
	config->driver = config->next_driver;
	config->store = config->next_store;
}

enum table_rc
store_settle(struct config *config, struct clock *clock, struct arena *arena, struct str *why)
{
	struct table_call call = {.arena = arena};
	struct table *table;
	struct move move;
	enum table_rc rc;

	if (config->next_driver == NULL)
		return TABLE_OK;
	rc = store_open(config, TABLE_OPEN_EXISTING, clock, arena, &table, why);
	if (rc != TABLE_OK)
		return rc;
	rc = move_get(table, &call, &move);
	table_release(table, &call);
	table_close(table);
	if (rc != TABLE_OK)
		*why = str_fmt(arena, "%.*s: %s", STR_ARGS(store_name(config, arena)), call.why);
	else if (str_eq(move.state, MOVE_MOVED))
		follow(config, arena);
	return rc;
}
