/*
 * Writes. When a request is retried because no answer came, the first attempt may still arrive, delayed by the network,
 * and later than writes of others. So that nothing is written twice, or over something newer:
 *
 *  - A write is sent as a transaction, even a single one, with an idempotency token: the second time, DynamoDB gives
 *    the same answer and changes nothing. This costs twice the write units.
 *  - A transaction can't return items. So a write whose returned item is wanted is a PutItem, UpdateItem or
 *    DeleteItem and is sent once; if its answer is lost, the result is unknown (call->unsure). So are writes of which the caller
 *    makes sure by itself that they may come late or twice (dynamo_write_each()).
 */
#include "base/arena.h"
#include "table/dynamo/dynamo_private.h"
#include "table/dynamo/request.h"
#include "table/evaluate.h"
#include "table/rules.h"

#include <sodium.h>

static const char sum_error[] = "a number grows beyond 64 bits, or is added to what is none";

/* The writes of a conversation: one, or a transaction's. */
struct writing {
	struct write *writes;
	size_t count;
	bool told; /* a false condition was returned with the item */
};

/* The answer to what was written, with its price. False: it was written; only what the answer says is lost. */
static bool
read_written(struct talk *talk, struct str answer, struct dynamo_response *out)
{
	const char *why;

	if (!dynamo_response_read(talk->call->arena, answer, out, &why)) {
		talk->rc = TABLE_CORRUPT;
		talk->why = why;
		return false;
	}
	talk->call->cost.write_units += (out->half_units + 1) / 2;
	return true;
}

static enum turn
hear_write(struct talk *talk, struct str answer)
{
	struct writing *writing = talk->about;
	struct dynamo_response response;

	if (read_written(talk, answer, &response))
		writing->writes[0].returned = response.item;
	return TURN_END;
}

/*
 * A condition was false: the write's own, or the one that guards its sums. DynamoDB does not say
 * which, so the write's own is evaluated again.
 */
static enum table_rc
why_false(struct write *write, struct item *seen)
{
	if (write_has_sum(write) && condition_holds(write->condition, seen))
		return TABLE_INVALID;
	write->failed = seen;
	return TABLE_CONDITION;
}

static void
refused_write(struct talk *talk, const struct dynamo_refusal *refusal)
{
	struct writing *writing = talk->about;

	if (refusal->rc != TABLE_CONDITION)
		return;
	writing->told = refusal->has_item;
	writing->writes[0].failed = refusal->item;
}

static void
refused_transaction(struct talk *talk, const struct dynamo_refusal *refusal)
{
	struct writing *writing = talk->about;

	for (size_t i = 0; i < refusal->reason_count && i < writing->count; i++) {
		struct write *write = &writing->writes[i];
		const struct dynamo_reason *reason = &refusal->reasons[i];

		write->rc = reason->rc;
		if (reason->rc == TABLE_CONDITION)
			write->rc = why_false(write, reason->item);
		if (write->rc == TABLE_OK || write->rc == TABLE_CONDITION)
			continue;
		talk->why =
		    reason->rc == TABLE_CONDITION
			? sum_error
			: str_fmt(talk->call->arena, "DynamoDB refuses an action with %.*s: %.*s",
			      STR_ARGS(reason->code), STR_ARGS(reason->message))
			      .base;
	}
}

/* Sends a write. Whatever its result, earlier reads may be outdated. */
static enum table_rc
send(struct dynamo *db, struct table_call *call, struct talk *talk)
{
	enum table_rc rc = dynamo_talk(db, call, talk, 1);
	const struct writing *writing = talk->about;

	dynamo_version_written(db, call->arena, writing->writes, writing->count);
	return rc;
}

static enum table_rc
transact(struct dynamo *db, struct table_call *call, struct writing *writing, struct str token)
{
	struct talk talk = {
	    .operation = "TransactWriteItems",
	    .body = dynamo_request_transact(
		call->arena, db->config.table, writing->writes, writing->count, token),
	    .writes = true,
	    .hear = hear_write,
	    .refused = refused_transaction,
	    .about = writing,
	};

	return send(db, call, &talk);
}

/*
 * 32 hexadecimal digits: random from the system, since a token must be new to the service and not
 * to this process alone, and from there on counted.
 */
static struct str
new_token(struct dynamo *db, struct arena *arena)
{
	const uint64_t number[2] = {db->chance[0], db->chance[1] + db->tokens++};
	char *hex = arena_room(arena, 32);

	for (int i = 0; i < 32; i++)
		hex[i] = "0123456789abcdef"[number[i / 16] >> (15 - i % 16) * 4 & 15];
	return (struct str){hex, 32};
}

/* The service knows tokens by account; here they belong to a table, as on the other engine. */
static struct str
own_token(struct dynamo *db, struct arena *arena, struct str token)
{
	struct str text = STR_CONCAT(arena, db->config.table, STR(" "), token);
	unsigned char digest[16];
	char *hex = arena_alloc(arena, 2 * sizeof(digest) + 1);

	crypto_generichash(
	    digest, sizeof(digest), (const unsigned char *)text.base, text.len, NULL, 0);
	sodium_bin2hex(hex, 2 * sizeof(digest) + 1, digest, sizeof(digest));
	return (struct str){hex, 2 * sizeof(digest)};
}

/*
 * A server may refuse a transaction for a change that does not fit its item, without saying which
 * one (DynamoDB Local does). Nothing was written, so the items show it.
 */
static enum table_rc
find_reasons(struct dynamo *db, struct table_call *call, struct writing *writing)
{
	struct key *keys = ARENA_ARRAY(call->arena, writing->count, struct key);
	struct read read = {.kind = READ_BATCH, .consistent = true};
	const char *why = call->why;
	enum table_rc rc = TABLE_INVALID;

	for (size_t i = 0; i < writing->count; i++)
		keys[i] = write_key(&writing->writes[i]);
	read.batch.keys = keys;
	read.batch.count = writing->count;
	if (dynamo_read_at(db, call, &read, 1, INT64_MIN) != TABLE_OK)
		return TABLE_INVALID;
	for (size_t i = 0; i < writing->count; i++) {
		struct write *write = &writing->writes[i];
		struct item *new;

		write->rc = TABLE_OK;
		if (!condition_holds(write->condition, read.items[i])) {
			write->rc = TABLE_CONDITION;
			write->failed = read.items[i];
		} else if (write_apply(call->arena, write, read.items[i], &new) != NULL) {
			write->rc = TABLE_INVALID;
		}
		if (write->rc != TABLE_OK)
			rc = TABLE_CANCELLED;
	}
	call->why = why;
	return rc;
}

enum table_rc
dynamo_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct dynamo *db = (struct dynamo *)table;
	struct writing writing = {.writes = writes, .count = count};

	enum table_rc rc;

	token = token.len == 0 ? new_token(db, call->arena) : own_token(db, call->arena, token);
	rc = transact(db, call, &writing, token);
	return rc == TABLE_INVALID ? find_reasons(db, call, &writing) : rc;
}

/* --- One write ----------------------------------------------------------------------------------- */

static enum table_rc
write_as_transaction(struct dynamo *db, struct table_call *call, struct write *write)
{
	struct writing writing = {.writes = write, .count = 1};
	enum table_rc rc;

	write->rc = TABLE_OK;
	rc = transact(db, call, &writing, new_token(db, call->arena));
	/* The caller does not know of the transaction. */
	if (rc == TABLE_CANCELLED)
		rc = write->rc != TABLE_OK ? write->rc : TABLE_UNAVAILABLE;
	return rc;
}

/*
 * Reads the item for which a condition was false, when the answer did not have it, unless that
 * fails.
 */
static void
read_back(struct dynamo *db, struct table_call *call, struct write *write)
{
	struct read read = {.kind = READ_GET, .consistent = true, .key = write->key};
	const char *why = call->why;

	if (write->kind == WRITE_PUT)
		read.key = item_key(&write->item);
	if (dynamo_read_at(db, call, &read, 1, INT64_MIN) == TABLE_OK)
		write->failed = read.item;
	call->why = why;
	call->unsure = false;
}

static enum table_rc
write_once(struct dynamo *db, struct table_call *call, struct write *write)
{
	struct writing writing = {.writes = write, .count = 1};
	struct talk talk = {
	    .writes = true,
	    .once = true,
	    .hear = hear_write,
	    .refused = refused_write,
	    .about = &writing,
	};
	struct item *seen;
	enum table_rc rc;

	talk.body = dynamo_request_write(call->arena, db->config.table, write, &talk.operation);
	rc = send(db, call, &talk);
	if (rc != TABLE_CONDITION)
		return rc;
	if (!writing.told)
		read_back(db, call, write);
	seen = write->failed;
	write->failed = NULL;
	rc = why_false(write, seen);
	if (rc == TABLE_INVALID)
		call->why = sum_error;
	return rc;
}

enum table_rc
dynamo_write(struct table *table, struct table_call *call, struct write *write)
{
	struct dynamo *db = (struct dynamo *)table;

	if (write->returns == RETURN_NONE)
		return write_as_transaction(db, call, write);
	return write_once(db, call, write);
}

/* --- Many, each by itself ------------------------------------------------------------------------ */

enum {
	BATCH_WRITES = 25, /* DynamoDB's limit of a BatchWriteItem */
	BATCH_BYTES = 1024 * 1024, /* by item_size(), of which it takes 16 times as much; so that none keeps others waiting */
};

/* Can it be one of a batch, which has neither conditions nor updates? */
static bool
is_plain(const struct write *write)
{
	return (write->kind == WRITE_PUT || write->kind == WRITE_DELETE) && write->condition == NULL &&
	       write->returns == RETURN_NONE;
}

/* How many of the writes from the first on are sent as one. */
static size_t
batch_of(const struct write *writes, size_t count)
{
	size_t n = 0, bytes = 0;

	while (n < count && n < BATCH_WRITES && is_plain(&writes[n])) {
		bytes += writes[n].kind == WRITE_PUT ? item_size(&writes[n].item) : 0;
		if (n != 0 && bytes > BATCH_BYTES)
			break;
		n++;
	}
	return n > 1 ? n : 1;
}

static enum turn
hear_batch(struct talk *talk, struct str answer)
{
	struct dynamo_response response;

	if (!read_written(talk, answer, &response) || response.unwritten.len == 0)
		return TURN_END;
	talk->body = dynamo_request_unwritten(talk->call->arena, response.unwritten);
	return response.half_units > 0 ? TURN_NEXT : TURN_LATER;
}

/* A false condition ends it: why that was is for the caller to find out. */
enum table_rc
dynamo_write_each(struct table *table, struct table_call *call, struct write *writes, size_t count)
{
	struct dynamo *db = (struct dynamo *)table;
	struct talk *talks = ARENA_ARRAY(call->arena, count, struct talk);
	struct writing *writings = ARENA_ARRAY(call->arena, count, struct writing);
	size_t asked = 0;
	enum table_rc rc;

	for (size_t i = 0; i < count; i += writings[asked++].count) {
		struct talk *talk = &talks[asked];

		writings[asked] = (struct writing){.writes = &writes[i], .count = batch_of(&writes[i], count - i)};
		*talk = (struct talk){.writes = true, .once = true, .about = &writings[asked]};
		if (writings[asked].count > 1) {
			talk->operation = "BatchWriteItem";
			talk->hear = hear_batch;
			talk->body = dynamo_request_write_batch(
			    call->arena, db->config.table, &writes[i], writings[asked].count);
		} else {
			talk->hear = hear_write;
			talk->refused = refused_write;
			talk->body = dynamo_request_write(
			    call->arena, db->config.table, &writes[i], &talk->operation);
		}
	}
	rc = dynamo_talk(db, call, talks, asked);
	dynamo_version_written(db, call->arena, writes, count);
	return rc;
}
