/* The table as a whole: made, described, compared with what it must be, removed. */
#include "table/dynamo/admin.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/dynamo/described.h"
#include "table/json.h"

#include <time.h>

/* Nobody waits for a page: a program starts, or somebody has typed a command. */
enum {
	REQUEST_MS = 15 * 1000,
	LOOK_AGAIN_MS = 250,
	READY_MS = 10 * 60 * 1000,
	BACKUPS_AGAIN_MS = 2000,
	BACKUPS_READY_MS = 5 * 60 * 1000,
};

/* --- One request ---------------------------------------------------------------------------------- */

struct asking {
	/* NULL: a change, whose answer tells nothing. */
	bool (*read)(struct json_reader *in, void *into);
	void *into;
	struct str code; /* of the refusal, if it was one */
	bool again;      /* it was refused when an attempt before it may have succeeded */
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

enum table_rc
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

void
dynamo_describe_recovery(
    struct dynamo *db, struct table_call *call, struct table_dynamo_description *out)
{
	struct asking asking = {.read = dynamo_described_recovery, .into = out};

	ask(db, call, "DescribeContinuousBackups", about_table(db, call, STR("")), &asking);
}

/* --- Making and removing ------------------------------------------------------------------------------ */

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

/* Looks until the table is active, or until it is gone. */
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

/* Not every server has it, and a table is one without it. One that was just made is not ready for it at once. */
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

/* What a table that was there already lacks. */
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
	if (d.flaw == NULL && (lacks->expiry || lacks->recovery))
		return TABLE_OK;
	call->why = "there is a table of that name already";
	if (d.flaw != NULL)
		call->why = str_fmt(call->arena, "%s: %s", call->why, d.flaw).base;
	return TABLE_INVALID;
}

enum table_rc
dynamo_create(struct dynamo *db, struct table_call *call, struct table_dynamo_made *out)
{
	struct table_dynamo_made lacks = {.expiry = true, .recovery = true};
	struct asking made = {0};
	enum table_rc rc = ask(db, call, "CreateTable", create_body(db, call), &made);
	bool there = str_eq(made.code, STR("ResourceInUseException"));

	/* When the first answer was lost, it is the one that was just asked for. */
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

enum table_rc
dynamo_delete(struct dynamo *db, struct table_call *call)
{
	struct asking asking = {0};
	enum table_rc rc = ask(db, call, "DeleteTable", about_table(db, call, STR("")), &asking);

	if (asking.again && str_eq(asking.code, STR("ResourceNotFoundException")))
		rc = TABLE_OK;
	return rc == TABLE_OK ? wait_until(db, call, true) : rc;
}
