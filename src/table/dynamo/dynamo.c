/*
 * The distributed engine, and its files:
 *
 *	config             the environment: where the service is, where credentials come from
 *	credentials        the credentials' provider
 *	http               the client: threads, connections, certificates
 *	lane, loop         an event loop for each waiting thread
 *	sign               a signed HTTP request
 *	exchange           one request and its answer, which can be abandoned
 *	call               attempts, deadlines, several exchanges at once
 *	breaker            the circuit breaker
 *	request            the contract as DynamoDB's JSON
 *	response           its answers and refusals
 *	read, write        what the table does
 *	gather             gets of several threads, made together
 *	stream, shards     its stream
 *	fence              whether writes may begin
 *	described          whether a table is one of ours
 *	dynamo             opening and closing it; the table as a whole: made, described, removed
 *
 * Nothing but credentials, http, lane, loop, sign and exchange knows the aws libraries.
 */
#include "table/dynamo/dynamo.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/described.h"
#include "table/dynamo/dynamo_private.h"
#include "table/dynamo/shards.h"
#include "table/json.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* --- The service's part: requests about the whole table ----------------------------------------- */

/* Long timeouts: this is for the start of the program and for commands, not for pages. */
enum {
	REQUEST_MS = 15 * 1000,
	LOOK_AGAIN_MS = 250,
	READY_MS = 10 * 60 * 1000,
	BACKUPS_AGAIN_MS = 2000,
	BACKUPS_READY_MS = 5 * 60 * 1000,
};

/* --- One request ---------------------------------------------------------------------------------- */

struct asking {
	/* NULL: the answer of a change says nothing */
	bool (*read)(struct json_reader *in, void *into);
	void *into;
	struct str code; /* of the refusal, if it was one */
	bool again;      /* it was refused after an attempt that may have succeeded */
};

static enum turn
hear(struct talk *talk, struct str answer)
{
	struct asking *asking = talk->about;
	struct json_reader in = json_reader(talk->call->arena, answer);

	if (asking->read == NULL || (asking->read(&in, asking->into) && json_end(&in)))
		return TURN_END;
	talk->rc = TABLE_CORRUPT;
	talk->why = "the answer about the table can't be read: look at AWS_ENDPOINT_URL_DYNAMODB";
	return TURN_END;
}

static void
refused(struct talk *talk, const struct dynamo_refusal *refusal)
{
	struct asking *asking = talk->about;

	asking->code = refusal->code;
}

static enum table_rc
ask(struct dynamo *db, struct table_call *call, const char *operation, struct str body,
    struct asking *asking)
{
	struct talk talk = {.operation = operation,
	    .body = body,
	    .writes = asking->read == NULL,
	    .hear = hear,
	    .refused = refused,
	    .about = asking};
	enum table_rc rc;

	call->deadline = clock_monotonic(db->table.clock) + REQUEST_MS;
	rc = dynamo_talk(db, call, &talk, 1);
	if (rc == TABLE_DEADLINE)
		call->why = str_fmt(
		    call->arena, "%s; look at AWS_ENDPOINT_URL_DYNAMODB and the network", call->why)
				.base;
	asking->again = talk.unsure;
	return rc;
}

/* `{"TableName":"…"` and what follows it. */
static struct str
about_table(struct dynamo *db, struct table_call *call, struct str more)
{
	struct buf body = {.arena = call->arena};

	BUF_PUT(&body, "{\"TableName\":");
	json_put_string(&body, db->config.table);
	buf_put(&body, more);
	BUF_PUT(&body, "}");
	return buf_str(&body);
}

/* --- Description ------------------------------------------------------------------------------------ */

/*
 * Requests about the whole table. They return TABLE_UNAVAILABLE if there is no such table, with
 * *missing true unless it is NULL.
 */
static enum table_rc
dynamo_describe(
    struct dynamo *db, struct table_call *call, struct table_dynamo_description *out, bool *missing)
{
	struct asking asking = {.read = dynamo_described, .into = out};
	struct asking expiry = {.read = dynamo_described_expiry, .into = out};
	enum table_rc rc;
	bool none;

	*out = (struct table_dynamo_description){
	    .name = db->config.table, .expiry = STR("not known"), .recovery = STR("not known")};
	rc = ask(db, call, "DescribeTable", about_table(db, call, STR("")), &asking);
	none = str_eq(asking.code, STR("ResourceNotFoundException"));
	if (none)
		call->why = "there is none; make it with broadsheet table create";
	if (missing != NULL)
		*missing = none;
	if (rc != TABLE_OK)
		return rc;
	ask(db, call, "DescribeTimeToLive", about_table(db, call, STR("")), &expiry);
	return TABLE_OK;
}

/* Adds to a description whether point-in-time recovery is on, where the service tells. */
static void
dynamo_describe_recovery(
    struct dynamo *db, struct table_call *call, struct table_dynamo_description *out)
{
	struct asking asking = {.read = dynamo_described_recovery, .into = out};

	ask(db, call, "DescribeContinuousBackups", about_table(db, call, STR("")), &asking);
}

/* --- Creating and deleting -------------------------------------------------------------------- */

static void
put_index_keys(struct buf *out, enum table_index index)
{
	buf_fmt(out,
	    "\"KeySchema\":[{\"AttributeName\":\"%.*s\",\"KeyType\":\"HASH\"},"
	    "{\"AttributeName\":\"%.*s\",\"KeyType\":\"RANGE\"}]",
	    STR_ARGS(table_pk_name(index)), STR_ARGS(table_sk_name(index)));
}

static struct str
create_body(struct dynamo *db, struct table_call *call)
{
	struct buf more = {.arena = call->arena};

	BUF_PUT(&more, ",\"BillingMode\":\"PAY_PER_REQUEST\",\"StreamSpecification\":{"
		       "\"StreamEnabled\":true,\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"},");
	put_index_keys(&more, TABLE_PRIMARY);
	BUF_PUT(&more, ",\"AttributeDefinitions\":[");
	for (int i = 0; i <= TABLE_INDEXES; i++) {
		enum table_index index = (enum table_index)i;

		buf_fmt(&more,
		    "%s{\"AttributeName\":\"%.*s\",\"AttributeType\":\"S\"},"
		    "{\"AttributeName\":\"%.*s\",\"AttributeType\":\"S\"}",
		    i > 0 ? "," : "", STR_ARGS(table_pk_name(index)),
		    STR_ARGS(table_sk_name(index)));
	}
	BUF_PUT(&more, "],\"GlobalSecondaryIndexes\":[");
	for (int i = TABLE_GSI1; i <= TABLE_GSI4; i++) {
		buf_fmt(&more,
		    "%s{\"IndexName\":\"GSI%d\",\"Projection\":{\"ProjectionType\":\"ALL\"},",
		    i > TABLE_GSI1 ? "," : "", i);
		put_index_keys(&more, (enum table_index)i);
		BUF_PUT(&more, "}");
	}
	BUF_PUT(&more, "]");
	return about_table(db, call, buf_str(&more));
}

static void
pause_for(long milliseconds)
{
	nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L}, NULL);
}

/* Polls until the table is active, or until it is deleted. */
static enum table_rc
wait_until(struct dynamo *db, struct table_call *call, bool gone)
{
	struct table_dynamo_description d;

	for (int waited = 0; waited < READY_MS; waited += LOOK_AGAIN_MS) {
		bool missing;
		enum table_rc rc = dynamo_describe(db, call, &d, &missing);

		if (missing && gone)
			return TABLE_OK;
		if (rc != TABLE_OK && !missing)
			return rc;
		if (!gone && rc == TABLE_OK && str_eq(d.status, STR("ACTIVE")))
			return TABLE_OK;
		pause_for(LOOK_AGAIN_MS);
	}
	call->why = "the table takes longer than ten minutes; look with broadsheet table describe";
	return TABLE_DEADLINE;
}

static enum table_rc
turn_on_expiry(struct dynamo *db, struct table_call *call)
{
	struct asking asking = {0};
	enum table_rc rc = ask(db, call, "UpdateTimeToLive",
	    about_table(db, call,
		STR(",\"TimeToLiveSpecification\":"
		    "{\"AttributeName\":\"ExpiresAt\",\"Enabled\":true}")),
	    &asking);

	if (rc != TABLE_OK)
		call->why = str_fmt(call->arena,
		    "it is there, but what expires is never removed: %s; do the same again when "
		    "that is mended",
		    call->why)
				.base;
	return rc;
}

/*
 * Not every server has this, and a table works without it. A new table may not accept it at once.
 */
static void
turn_on_recovery(struct dynamo *db, struct table_call *call, struct table_dynamo_made *out)
{
	int64_t until = clock_monotonic(db->table.clock) + BACKUPS_READY_MS;
	struct asking asking;
	enum table_rc rc;

	for (;;) {
		asking = (struct asking){0};
		rc = ask(db, call, "UpdateContinuousBackups",
		    about_table(db, call,
			STR(",\"PointInTimeRecoverySpecification\":"
			    "{\"PointInTimeRecoveryEnabled\":true}")),
		    &asking);
		if (!str_eq(asking.code, STR("ContinuousBackupsUnavailableException")) ||
		    clock_monotonic(db->table.clock) >= until)
			break;
		pause_for(BACKUPS_AGAIN_MS);
	}
	out->recovery = rc == TABLE_OK;
	if (rc != TABLE_OK && !str_eq(asking.code, STR("UnknownOperationException")))
		out->warning = str_fmt(call->arena,
		    "point-in-time recovery is off: %s; do the same again when that is mended",
		    call->why)
				   .base;
}

/* Completes a table that existed already. */
static enum table_rc
look_what_lacks(struct dynamo *db, struct table_call *call, struct table_dynamo_made *lacks)
{
	struct table_dynamo_description d;
	enum table_rc rc = dynamo_describe(db, call, &d, NULL);

	if (rc != TABLE_OK)
		return rc;
	dynamo_describe_recovery(db, call, &d);
	lacks->expiry = d.warning != NULL;
	lacks->recovery = str_eq(d.recovery, STR("off"));
	if (d.error == NULL && (lacks->expiry || lacks->recovery))
		return TABLE_OK;
	call->why = "there is a table of that name already";
	if (d.error != NULL)
		call->why = str_fmt(call->arena, "%s: %s", call->why, d.error).base;
	return TABLE_INVALID;
}

static enum table_rc
dynamo_create(struct dynamo *db, struct table_call *call, struct table_dynamo_made *out)
{
	struct table_dynamo_made lacks = {.expiry = true, .recovery = true};
	struct asking made = {0};
	enum table_rc rc = ask(db, call, "CreateTable", create_body(db, call), &made);
	bool there = str_eq(made.code, STR("ResourceInUseException"));

	/* If the first answer was lost, the table is the one that was just requested. */
	*out = (struct table_dynamo_made){.table = rc == TABLE_OK || (there && made.again)};
	if (out->table)
		rc = wait_until(db, call, false);
	else if (there)
		rc = look_what_lacks(db, call, &lacks);
	if (rc == TABLE_OK && lacks.expiry) {
		rc = turn_on_expiry(db, call);
		out->expiry = rc == TABLE_OK;
	}
	if (rc == TABLE_OK && lacks.recovery)
		turn_on_recovery(db, call, out);
	return rc;
}

static enum table_rc
dynamo_delete(struct dynamo *db, struct table_call *call)
{
	struct asking asking = {0};
	enum table_rc rc = ask(db, call, "DeleteTable", about_table(db, call, STR("")), &asking);

	if (asking.again && str_eq(asking.code, STR("ResourceNotFoundException")))
		rc = TABLE_OK;
	return rc == TABLE_OK ? wait_until(db, call, true) : rc;
}

/* --- The engine ------------------------------------------------------------------------------- */

/* short enough for a page that reports it within three seconds */
enum { DEADLINE_MS = 2500 };

static void
close_dynamo(struct table *table)
{
	struct dynamo *db = (struct dynamo *)table;

	dynamo_http_close(db->http);
	shard_iterators_free(db->iterators);
	dynamo_gather_free(db->gather);
	dynamo_version_end(db);
	arena_free(db->arena);
	free(db);
}

/*
 * Closes a table that could not be opened, in the background when that takes long; the program
 * waits for it at its end.
 */
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

/*
 * Gives up on one that can't be used. What takes long is closed in the background, so that the
 * error is reported at once.
 */
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

static const struct table_engine engine = {
    .name = "dynamodb",
    .at_once = 16,
    .fold_ms = 30000, /* each fold outdates all cached pages */
    .deadline_ms = DEADLINE_MS,
    .read = dynamo_read,
    .write = dynamo_write,
    .transact = dynamo_transact,
    .write_each = dynamo_write_each,
    .changes = dynamo_changes,
    .walk = dynamo_walk,
    .version = dynamo_version,
    .close = close_dynamo,
};

static const char *
environment(const char *name)
{
	return getenv(name);
}

/* Opens the engine without checking the table. NULL with *why. */
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
	db->gather = dynamo_gather_new();
	dynamo_version_begin(db);
	if (dynamo_config_read(db->arena, environment, name, &db->config, &text))
		db->http = dynamo_http_open(db->arena, &db->config, &text);
	if (text == NULL)
		return db;
	*why = str_dup(arena, str_of(text));
	give_up(db);
	return NULL;
}

/* "the table news in eu-central-1 at dynamodb.…: " and the message. */
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
	else if (d.error != NULL)
		*why = explain(arena, db, d.error);
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

/* Closes what connect_to() opened. */
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
	if (out->error != NULL)
		out->error = explain(arena, db, out->error).base;
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
