#include "server/store.h"

#include "base/arena.h"
#include "model/kinds.h"
#include "table/dynamo/dynamo.h"

#include <string.h>
#include <sys/stat.h>

/* Making a file needs its folder; the engine would name its lock file in its complaint. */
static bool
folder_is_there(const char *path, struct arena *arena, struct str *why)
{
	const char *slash = strrchr(path, '/');
	struct str folder = STR(".");
	struct stat st;

	if (slash != NULL)
		folder = slash == path ? STR("/") : (struct str){path, (size_t)(slash - path)};
	if (stat(str_cstring(arena, folder), &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	*why = str_fmt(arena, "%s: there is no folder %.*s; make it, or name another store", path,
	    STR_ARGS(folder));
	return false;
}

enum table_rc
store_open(const struct config *config, enum table_sqlite_open how, struct clock *clock,
    struct arena *arena, struct table **table, struct str *why)
{
	enum table_rc rc;

	*table = NULL;
	if (config->store_kind == STORE_DYNAMODB)
		rc = table_dynamo_open(config->store, clock, arena, table, why);
	else if (folder_is_there(config->store.base, arena, why))
		rc = table_sqlite_open(config->store.base, how, clock, arena, table, why);
	else
		rc = TABLE_UNAVAILABLE;
	if (rc == TABLE_OK)
		(*table)->unseen = kind_unseen;
	return rc;
}

struct str
store_name(const struct config *config, struct arena *arena)
{
	return STR_CONCAT(arena,
	    config->store_kind == STORE_SQLITE ? STR("sqlite:") : STR("dynamodb:"), config->store);
}
