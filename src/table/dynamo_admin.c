/* The table as a whole: made, described, compared with what it must be, removed. */
#include "table/dynamo_admin.h"

#include "base/arena.h"
#include "base/clock.h"
#include "table/json.h"

#include <time.h>

/* Nobody waits for a page: a program starts, or somebody has typed a command. */
enum { REQUEST_MS = 15 * 1000, LOOK_AGAIN_MS = 250, READY_MS = 10 * 60 * 1000 };

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

/* The keys of the table or of one of its indexes, as the service tells them. */
struct keys {
	bool there;
	bool all; /* it projects every attribute */
	struct str status, partition, sort;
};

struct description {
	struct table_dynamo_description *out;
	struct keys keys[TABLE_INDEXES + 1];
	unsigned strings; /* key attributes that are declared as strings */
	struct str view;
};

static void
read_key_schema(struct json_reader *in, struct keys *keys)
{
	struct str name, attribute = {0}, kind = {0};

	json_array(in);
	while (json_element(in)) {
		json_object(in);
		while (json_name(in, &name)) {
			if (str_eq(name, STR("AttributeName")))
				json_string(in, &attribute);
			else if (str_eq(name, STR("KeyType")))
				json_string(in, &kind);
			else
				json_skip(in);
		}
		if (str_eq(kind, STR("HASH")))
			keys->partition = attribute;
		else
			keys->sort = attribute;
	}
}

static bool
read_projection(struct json_reader *in)
{
	struct str name, type = {0};

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("ProjectionType")))
			json_string(in, &type);
		else
			json_skip(in);
	}
	return str_eq(type, STR("ALL"));
}

static void
read_index(struct json_reader *in, struct description *d)
{
	struct keys keys = {.there = true};
	struct str name, index = {0};

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("IndexName")))
			json_string(in, &index);
		else if (str_eq(name, STR("IndexStatus")))
			json_string(in, &keys.status);
		else if (str_eq(name, STR("KeySchema")))
			read_key_schema(in, &keys);
		else if (str_eq(name, STR("Projection")))
			keys.all = read_projection(in);
		else
			json_skip(in);
	}
	if (index.len == 4 && str_starts(index, STR("GSI")) && index.base[3] >= '1' &&
	    index.base[3] <= '0' + TABLE_INDEXES)
		d->keys[index.base[3] - '0'] = keys;
}

static void
read_attributes(struct json_reader *in, struct description *d)
{
	struct str name, type = {0};

	json_array(in);
	while (json_element(in)) {
		json_object(in);
		while (json_name(in, &name)) {
			if (str_eq(name, STR("AttributeType")))
				json_string(in, &type);
			else
				json_skip(in);
		}
		d->strings += str_eq(type, STR("S"));
	}
}

static void
read_stream(struct json_reader *in, struct description *d)
{
	struct str name;

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("StreamViewType")))
			json_string(in, &d->view);
		else
			json_skip(in);
	}
}

static void
read_table(struct json_reader *in, struct description *d)
{
	struct str name;

	d->keys[TABLE_PRIMARY].there = d->keys[TABLE_PRIMARY].all = true;
	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("TableStatus"))) {
			json_string(in, &d->out->status);
		} else if (str_eq(name, STR("KeySchema"))) {
			read_key_schema(in, &d->keys[TABLE_PRIMARY]);
		} else if (str_eq(name, STR("AttributeDefinitions"))) {
			read_attributes(in, d);
		} else if (str_eq(name, STR("GlobalSecondaryIndexes"))) {
			json_array(in);
			while (json_element(in))
				read_index(in, d);
		} else if (str_eq(name, STR("StreamSpecification"))) {
			read_stream(in, d);
		} else if (str_eq(name, STR("LatestStreamArn"))) {
			json_string(in, &d->out->stream);
		} else if (str_eq(name, STR("ItemCount"))) {
			json_int(in, &d->out->items);
		} else if (str_eq(name, STR("TableSizeBytes"))) {
			json_int(in, &d->out->bytes);
		} else {
			json_skip(in);
		}
	}
}

static bool
read_description(struct json_reader *in, void *into)
{
	struct str name;

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("Table")))
			read_table(in, into);
		else
			json_skip(in);
	}
	return true;
}

/* `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"…"}}` */
static bool
read_expiry(struct json_reader *in, void *into)
{
	struct table_dynamo_description *out = into;
	struct str name, status = {0}, attribute = {0};

	json_object(in);
	while (json_name(in, &name)) {
		json_object(in);
		while (json_name(in, &name)) {
			if (str_eq(name, STR("TimeToLiveStatus")))
				json_string(in, &status);
			else if (str_eq(name, STR("AttributeName")))
				json_string(in, &attribute);
			else
				json_skip(in);
		}
	}
	if (str_eq(status, STR("ENABLED")) || str_eq(status, STR("ENABLING")))
		out->expiry = attribute;
	return true;
}

/* What keeps the table from being one of ours; NULL when nothing does. */
static const char *
flaw_of(struct arena *arena, const struct description *d)
{
	for (int i = 0; i <= TABLE_INDEXES; i++) {
		enum table_index index = (enum table_index)i;
		const struct keys *keys = &d->keys[i];
		struct str pk = table_pk_name(index), sk = table_sk_name(index);

		if (!keys->there)
			return str_fmt(arena, "it has no index GSI%d", i).base;
		if (!str_eq(keys->partition, pk) || !str_eq(keys->sort, sk))
			return i == 0 ? "its keys are not PK and SK"
				      : str_fmt(arena,
					    "the keys of its index GSI%d are not %.*s and %.*s", i,
					    STR_ARGS(pk), STR_ARGS(sk))
					    .base;
		if (!keys->all)
			return str_fmt(arena, "its index GSI%d does not project all attributes", i)
			    .base;
	}
	if (d->strings < 2 * (TABLE_INDEXES + 1))
		return "its keys are not strings";
	if (!d->out->streams)
		return "it has no stream of new and old images";
	return NULL;
}

enum table_rc
dynamo_describe(
    struct dynamo *db, struct table_call *call, struct table_dynamo_description *out, bool *missing)
{
	struct description d = {.out = out};
	struct asking asking = {.read = read_description, .into = &d};
	struct asking expiry = {.read = read_expiry, .into = out};
	enum table_rc rc;
	bool none;

	*out = (struct table_dynamo_description){.name = db->config.table};
	rc = ask(db, call, "DescribeTable", about_table(db, call, STR("")), &asking);
	none = str_eq(asking.code, STR("ResourceNotFoundException"));
	if (none)
		call->why = "there is none; make it with broadsheet table create";
	if (missing != NULL)
		*missing = none;
	if (rc != TABLE_OK)
		return rc;
	out->streams = str_eq(d.view, STR("NEW_AND_OLD_IMAGES"));
	out->flaw = flaw_of(call->arena, &d);
	/* It is used only to be shown: a reader takes what has expired for absent anyway. */
	ask(db, call, "DescribeTimeToLive", about_table(db, call, STR("")), &expiry);
	return TABLE_OK;
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

/* Looks until the table is active, or until it is gone. */
static enum table_rc
wait_until(struct dynamo *db, struct table_call *call, bool gone)
{
	const struct timespec pause = {.tv_nsec = LOOK_AGAIN_MS * 1000000L};
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
		nanosleep(&pause, NULL);
	}
	call->why = "the table takes longer than ten minutes; look with broadsheet table describe";
	return TABLE_DEADLINE;
}

enum table_rc
dynamo_create(struct dynamo *db, struct table_call *call)
{
	struct asking made = {0}, expiry = {0}, recovery = {0};
	enum table_rc rc = ask(db, call, "CreateTable", create_body(db, call), &made);

	if (str_eq(made.code, STR("ResourceInUseException"))) {
		call->why = "there is a table of that name already";
		/* Unless it is the one that was just asked for, when the first answer was lost. */
		rc = made.again ? TABLE_OK : TABLE_INVALID;
	}
	if (rc == TABLE_OK)
		rc = wait_until(db, call, false);
	if (rc == TABLE_OK)
		rc = ask(db, call, "UpdateTimeToLive",
		    about_table(db, call,
			STR(",\"TimeToLiveSpecification\":"
			    "{\"AttributeName\":\"ExpiresAt\",\"Enabled\":true}")),
		    &expiry);
	if (rc != TABLE_OK)
		return rc;
	/* Not every server has it, and a table is one without it. */
	ask(db, call, "UpdateContinuousBackups",
	    about_table(db, call,
		STR(",\"PointInTimeRecoverySpecification\":"
		    "{\"PointInTimeRecoveryEnabled\":true}")),
	    &recovery);
	return TABLE_OK;
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
