/*
 * The distributed engine, and its rooms:
 *
 *	dynamo_config, dynamo_endpoint    the environment
 *	dynamo_source, dynamo_command, dynamo_credentials    where credentials come from
 *	dynamo_http        the client: threads, connections, certificates
 *	dynamo_sign        a signed HTTP request
 *	dynamo_exchange    one request and its answer, which can be abandoned
 *	dynamo_call        attempts, deadlines, several exchanges at once
 *	dynamo_breaker      the circuit breaker
 *	dynamo_expression, dynamo_request    the contract as DynamoDB's JSON
 *	dynamo_response    its answers and refusals
 *	dynamo_read, dynamo_write, dynamo_stream, dynamo_admin    what the table does
 *	dynamo_described   whether a table is one of ours
 *
 * Nothing but dynamo_credentials, dynamo_http, dynamo_sign and dynamo_exchange knows the aws libraries.
 */
#include "table/dynamo/dynamo.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/admin.h"
#include "table/dynamo/iterators.h"

#include <pthread.h>
#include <stdlib.h>

/* Short enough for a page that says so within three seconds. */
enum { DEADLINE_MS = 2500 };

static void
close_dynamo(struct table *table)
{
	struct dynamo *db = (struct dynamo *)table;

	dynamo_http_close(db->http);
	shard_iterators_free(db->iterators);
	arena_free(db->arena);
	free(db);
}

/* The end of a table that could not be opened, when it takes long; the program's own waits for it. */
static struct {
	pthread_t thread;
	bool begun;
} ending;

static void *
close_beside(void *db)
{
	close_dynamo(db);
	return NULL;
}

static void
await_ending(void)
{
	if (ending.begun)
		pthread_join(ending.thread, NULL);
	ending.begun = false;
}

/* Ends one that is of no use. What is held back keeps nobody waiting who is to be told why. */
static void
give_up(struct dynamo *db)
{
	await_ending();
	ending.begun = dynamo_http_held(db->http) &&
		       pthread_create(&ending.thread, NULL, close_beside, db) == 0;
	if (ending.begun)
		atexit(await_ending);
	else
		close_dynamo(&db->table);
}

/* What others write can't be seen, so each second is a version; our own writes count at once. */
static uint64_t
version(struct table *table)
{
	struct dynamo *db = (struct dynamo *)table;

	return (uint64_t)(clock_now(table->clock) / 1000) << 32 | (uint32_t)(db->writes + 1);
}

static const struct table_engine engine = {
    .name = "dynamodb",
    .deadline_ms = DEADLINE_MS,
    .read = dynamo_read,
    .write = dynamo_write,
    .transact = dynamo_transact,
    .changes = dynamo_changes,
    .walk = dynamo_walk,
    .version = version,
    .close = close_dynamo,
};

static const char *
environment(const char *name)
{
	return getenv(name);
}

/* The engine without a look at the table. NULL with *why. */
static struct dynamo *
connect_to(struct str name, struct clock *clock, struct arena *arena, struct str *why)
{
	struct dynamo *db = calloc(1, sizeof(*db));
	struct clock real = clock_system();
	const char *text = NULL;

	if (db == NULL)
		out_of_memory();
	db->table.engine = &engine;
	db->table.clock = clock;
	real.random(&real, db->chance, sizeof(db->chance));
	db->arena = arena_new();
	db->iterators = shard_iterators_new();
	if (dynamo_config_read(db->arena, environment, name, &db->config, &text))
		db->http = dynamo_http_open(db->arena, &db->config, &text);
	if (text == NULL)
		return db;
	*why = str_dup(arena, str_of(text));
	give_up(db);
	return NULL;
}

/* "the table news in eu-central-1 at dynamodb.…: " and the rest. */
static struct str
explain(struct arena *arena, const struct dynamo *db, const char *what)
{
	return str_fmt(arena, "the DynamoDB table %.*s in %.*s, at %.*s: %s",
	    STR_ARGS(db->config.table), STR_ARGS(db->config.region),
	    STR_ARGS(dynamo_http_host(db->http, DYNAMO_ITEMS)), what);
}

static enum table_rc
look_at(struct dynamo *db, struct arena *arena, struct str *why)
{
	struct table_call call = {.arena = arena};
	struct table_dynamo_description d;
	enum table_rc rc = dynamo_describe(db, &call, &d, NULL);

	*why = STR("");
	if (rc != TABLE_OK)
		*why = explain(arena, db, call.why);
	else if (d.flaw != NULL)
		*why = explain(arena, db, d.flaw);
	if (why->len > 0)
		return rc != TABLE_OK ? rc : TABLE_UNAVAILABLE;
	db->stream = str_dup(db->arena, d.stream);
	if (d.warning != NULL)
		db->table.warning = explain(db->arena, db, d.warning).base;
	return TABLE_OK;
}

enum table_rc
table_dynamo_open(struct str name, struct clock *clock, struct arena *arena, struct table **table,
    struct str *why)
{
	struct dynamo *db = connect_to(name, clock, arena, why);
	enum table_rc rc;

	*table = NULL;
	if (db == NULL)
		return TABLE_UNAVAILABLE;
	rc = look_at(db, arena, why);
	if (rc == TABLE_OK)
		*table = &db->table;
	else
		give_up(db);
	return rc;
}

/* --- The table as a whole ------------------------------------------------------------------------- */

/* Ends what was begun with connect_to(). */
static enum table_rc
ended(struct dynamo *db, struct table_call *call, enum table_rc rc, struct str *why)
{
	if (rc == TABLE_OK) {
		close_dynamo(&db->table);
		return rc;
	}
	*why = explain(call->arena, db, call->why);
	give_up(db);
	return rc;
}

enum table_rc
table_dynamo_describe(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_description *out, struct str *why)
{
	struct dynamo *db = connect_to(name, clock, arena, why);
	struct table_call call = {.arena = arena};
	enum table_rc rc;

	if (db == NULL)
		return TABLE_UNAVAILABLE;
	rc = dynamo_describe(db, &call, out, NULL);
	if (rc == TABLE_OK)
		dynamo_describe_recovery(db, &call, out);
	out->name = str_dup(arena, out->name);
	if (out->flaw != NULL)
		out->flaw = explain(arena, db, out->flaw).base;
	if (out->warning != NULL)
		out->warning = explain(arena, db, out->warning).base;
	return ended(db, &call, rc, why);
}

enum table_rc
table_dynamo_create(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_made *out, struct str *why)
{
	struct dynamo *db = connect_to(name, clock, arena, why);
	struct table_call call = {.arena = arena};
	enum table_rc rc;

	if (db == NULL)
		return TABLE_UNAVAILABLE;
	rc = dynamo_create(db, &call, out);
	if (out->warning != NULL)
		out->warning = explain(arena, db, out->warning).base;
	return ended(db, &call, rc, why);
}

enum table_rc
table_dynamo_delete(struct str name, struct clock *clock, struct arena *arena, struct str *why)
{
	struct dynamo *db = connect_to(name, clock, arena, why);
	struct table_call call = {.arena = arena};

	if (db == NULL)
		return TABLE_UNAVAILABLE;
	return ended(db, &call, dynamo_delete(db, &call), why);
}
