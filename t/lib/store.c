#include "store.h"

#include "table/dynamo_local.h"
#include "tap.h"

#include "base/arena.h"
#include "table/dynamo/dynamo.h"
#include "table/sqlite/sqlite.h"

#include <dirent.h>
#include <unistd.h>

/* A busy machine must not fail a test: tests of deadlines set their own. */
enum { TIMEOUT_MS = 120 * 1000 };

static bool
on_dynamodb(void)
{
	const char *kind = getenv("TEST_STORE");

	if (kind == NULL || strcmp(kind, "sqlite") == 0)
		return false;
	if (strcmp(kind, "dynamodb") != 0)
		bail_out("TEST_STORE is sqlite or dynamodb, not %s", kind);
	return true;
}

const char *
test_folder(void)
{
	const char *parent = getenv("TEST_MEMORY");

	if (parent == NULL)
		parent = getenv("TMPDIR");
	if (parent == NULL)
		parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	return parent;
}

static void
make_folder(struct test_store *store)
{
	const char *parent = test_folder();

	snprintf(store->folder, sizeof(store->folder), "%s/broadsheet-XXXXXX", parent);
	if (mkdtemp(store->folder) == NULL)
		bail_out("%s: no folder for the test", store->folder);
}

struct table *
test_store_again(struct test_store *store, struct clock *clock)
{
	struct arena *arena = arena_new();
	const char *path = str_fmt(arena, "%s/table.db", store->folder).base;
	struct table *table = NULL;
	struct str why = STR("");
	enum table_rc rc =
	    store->name[0] != '\0'
		? table_dynamo_open(str_of(store->name), clock, arena, &table, &why)
		: table_sqlite_open(path, TABLE_OPEN_CREATE, clock, arena, &table, &why);

	if (rc != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	arena_free(arena);
	table->deadline_ms = TIMEOUT_MS;
	return table;
}

struct table *
test_store_open(struct test_store *store, struct clock *clock)
{
	static unsigned number;

	*store = (struct test_store){.name = ""};
	make_folder(store);
	if (on_dynamodb()) {
		struct arena *arena = arena_new();
		struct table_dynamo_made made;
		struct str why = STR("");

		dynamo_local_need();
		/* One of its own: others use the same server meanwhile. */
		snprintf(store->name, sizeof(store->name), "test-%d-%u", getpid(), ++number);
		if (table_dynamo_create(str_of(store->name), clock, arena, &made, &why) != TABLE_OK)
			bail_out("%.*s", STR_ARGS(why));
		if (!dynamo_local_keep_expired(store->name))
			bail_out("DynamoDB Local goes on to delete what expires");
		arena_free(arena);
	}
	return store->table = test_store_again(store, clock);
}

void
test_store_close(struct test_store *store)
{
	DIR *folder = opendir(store->folder);
	struct dirent *entry;

	if (store->name[0] != '\0') {
		struct arena *arena = arena_new();
		struct str why;

		table_dynamo_delete(str_of(store->name), store->table->clock, arena, &why);
		arena_free(arena);
	}
	table_close(store->table);
	while (folder != NULL && (entry = readdir(folder)) != NULL)
		unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder != NULL)
		closedir(folder);
	rmdir(store->folder);
}
