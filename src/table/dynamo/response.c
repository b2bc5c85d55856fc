#include "table/dynamo/response.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { SECRET_WORD = 60 }; /* characters; a signature has 64 */

/* --- Successful answers ----------------------------------------------------------------------- */

static struct item *
items_add(struct arena *arena, struct dynamo_items *items)
{
	if (items->count == items->capacity) {
		size_t want = items->capacity != 0 ? items->capacity * 2 : 16;

		items->base = arena_grow(arena, items->base, items->capacity * sizeof(*items->base),
		    want * sizeof(*items->base));
		items->capacity = want;
	}
	return &items->base[items->count++];
}

static struct item *
read_item(struct json_reader *in)
{
	struct item *item = ARENA_NEW(in->arena, struct item);

	json_item(in, item);
	return item;
}

static void
read_items(struct json_reader *in, struct dynamo_items *out)
{
	struct json_pattern pattern;

	pattern.count = 0;
	json_array(in);
	while (json_element(in))
		json_item_like(in, &pattern, items_add(in->arena, out));
}

/* `{"table":[…]}` */
static void
read_responses(struct json_reader *in, struct dynamo_items *out)
{
	struct str name;

	json_object(in);
	while (json_name(in, &name))
		read_items(in, out);
}

/* `{"table":{"Keys":[…],…}}` */
static void
read_unprocessed(struct json_reader *in, struct dynamo_items *out)
{
	struct str table, name;

	json_object(in);
	while (json_name(in, &table)) {
		json_object(in);
		while (json_name(in, &name)) {
			if (str_eq(name, STR("Keys")))
				read_items(in, out);
			else
				json_skip(in);
		}
	}
}

/* `{"<table>":[…]}` as it stands in the answer; empty when it has no table. */
static struct str
read_unwritten(struct json_reader *in)
{
	struct str table;
	const char *begin;

	(void)json_peek(in);
	begin = in->at;
	json_object(in);
	if (!json_name(in, &table))
		return STR("");
	do
		json_skip(in);
	while (json_name(in, &table));
	return (struct str){begin, (size_t)(in->at - begin)};
}

/* Capacity units have a decimal point and are multiples of a half. */
static uint32_t
read_halves(struct json_reader *in)
{
	struct str text;
	char digits[32] = "";
	double units;

	if (!json_number(in, &text) || text.len >= sizeof(digits))
		return 0;
	for (size_t i = 0; i < text.len; i++)
		digits[i] = text.base[i];
	units = strtod(digits, NULL);
	return units > 0 && units < 1e9 ? (uint32_t)(units * 2 + 0.5) : 0;
}

static uint32_t
read_capacity_of_table(struct json_reader *in)
{
	uint32_t halves = 0;
	struct str name;

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("CapacityUnits")))
			halves = read_halves(in);
		else
			json_skip(in);
	}
	return halves;
}

/* Of one table as an object, of several as an array. */
static uint32_t
read_capacity(struct json_reader *in)
{
	uint32_t halves = 0;

	if (json_peek(in) == JSON_OBJECT)
		return read_capacity_of_table(in);
	json_array(in);
	while (json_element(in))
		halves += read_capacity_of_table(in);
	return halves;
}

bool
dynamo_response_read(
    struct arena *arena, struct str text, struct dynamo_response *out, const char **why)
{
	struct json_reader in = json_reader(arena, text);
	struct str name;

	*out = (struct dynamo_response){0};
	json_object(&in);
	while (json_name(&in, &name)) {
		if (str_eq(name, STR("Item")) || str_eq(name, STR("Attributes")))
			out->item = read_item(&in);
		else if (str_eq(name, STR("Items")))
			read_items(&in, &out->items);
		else if (str_eq(name, STR("Responses")))
			read_responses(&in, &out->items);
		else if (str_eq(name, STR("LastEvaluatedKey")))
			out->last = read_item(&in);
		else if (str_eq(name, STR("UnprocessedKeys")))
			read_unprocessed(&in, &out->unprocessed);
		else if (str_eq(name, STR("UnprocessedItems")))
			out->unwritten = read_unwritten(&in);
		else if (str_eq(name, STR("ConsumedCapacity")))
			out->half_units = read_capacity(&in);
		else
			json_skip(&in);
	}
	if (json_end(&in))
		return true;
	*out = (struct dynamo_response){0};
	*why = in.error.why;
	return false;
}

/* --- Refusals ---------------------------------------------------------------------------------- */

#define EXPIRED "the credentials have expired: get new ones, or give the machine a role"
#define CLOCK "set this machine's clock"
#define SECRET "look at AWS_SECRET_ACCESS_KEY or the profile, and at this machine's clock"

/* What each error code means; several have two names. */
static const struct {
	struct str code;
	enum table_rc rc;
	enum refusal_remedy remedy;
	const char *advice;
} meanings[] = {
    {STR_INIT("ConditionalCheckFailedException"), TABLE_CONDITION, REMEDY_NONE},
    {STR_INIT("TransactionCanceledException"), TABLE_CANCELLED, REMEDY_NONE},
    {STR_INIT("TransactionConflictException"), TABLE_CONFLICT, REMEDY_AGAIN},
    {STR_INIT("TransactionInProgressException"), TABLE_CONFLICT, REMEDY_AGAIN},
    {STR_INIT("ReplicatedWriteConflictException"), TABLE_CONFLICT, REMEDY_AGAIN},
    {STR_INIT("IdempotentParameterMismatchException"), TABLE_TOKEN_USED, REMEDY_NONE},
    {STR_INIT("ProvisionedThroughputExceededException"), TABLE_THROTTLED, REMEDY_AGAIN},
    {STR_INIT("ThrottlingException"), TABLE_THROTTLED, REMEDY_AGAIN},
    {STR_INIT("RequestLimitExceeded"), TABLE_THROTTLED, REMEDY_AGAIN},
    {STR_INIT("LimitExceededException"), TABLE_THROTTLED, REMEDY_AGAIN},
    {STR_INIT("ItemCollectionSizeLimitExceededException"), TABLE_FULL, REMEDY_NONE},
    {STR_INIT("ValidationException"), TABLE_INVALID, REMEDY_NONE},
    {STR_INIT("SerializationException"), TABLE_INVALID, REMEDY_NONE},
    {STR_INIT("TrimmedDataAccessException"), TABLE_TRIMMED, REMEDY_NONE},
    {STR_INIT("ExpiredTokenException"), TABLE_UNAVAILABLE, REMEDY_RENEW, EXPIRED},
    {STR_INIT("ExpiredToken"), TABLE_UNAVAILABLE, REMEDY_RENEW, EXPIRED},
    {STR_INIT("RequestExpired"), TABLE_UNAVAILABLE, REMEDY_AGAIN, CLOCK},
    {STR_INIT("RequestTimeTooSkewed"), TABLE_UNAVAILABLE, REMEDY_NONE, CLOCK},
    {STR_INIT("UnrecognizedClientException"), TABLE_UNAVAILABLE, REMEDY_RENEW,
	"look at AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN and AWS_PROFILE"},
    {STR_INIT("InvalidSignatureException"), TABLE_UNAVAILABLE, REMEDY_NONE, SECRET},
    {STR_INIT("SignatureDoesNotMatch"), TABLE_UNAVAILABLE, REMEDY_NONE, SECRET},
    {STR_INIT("AccessDeniedException"), TABLE_UNAVAILABLE, REMEDY_NONE,
	"let them; docs/dynamodb.md has what is asked for"},
    {STR_INIT("ResourceNotFoundException"), TABLE_UNAVAILABLE, REMEDY_NONE},
};

/* The same for the codes in a transaction's reasons. */
static const struct {
	struct str code;
	enum table_rc rc;
} reason_meanings[] = {
    {STR_INIT("None"), TABLE_OK},
    {STR_INIT("ConditionalCheckFailed"), TABLE_CONDITION},
    {STR_INIT("TransactionConflict"), TABLE_CONFLICT},
    {STR_INIT("ThrottlingError"), TABLE_THROTTLED},
    {STR_INIT("ProvisionedThroughputExceeded"), TABLE_THROTTLED},
    {STR_INIT("ItemCollectionSizeLimitExceeded"), TABLE_FULL},
    {STR_INIT("ValidationError"), TABLE_INVALID},
    {STR_INIT("DuplicateItem"), TABLE_INVALID},
    {STR_INIT("AccessDenied"), TABLE_UNAVAILABLE},
};

static bool
has(struct str text, const char *part)
{
	return text.len != 0 && memmem(text.base, text.len, part, strlen(part)) != NULL;
}

/* Signatures and session tokens are long words of base64; nothing that people should read is. */
static bool
has_long_word(struct str text)
{
	size_t run = 0;

	for (size_t i = 0; i < text.len && run < SECRET_WORD; i++) {
		char c = text.base[i];

		run = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			      c == '+' || c == '/' || c == '='
			  ? run + 1
			  : 0;
	}
	return run >= SECRET_WORD;
}

/*
 * An error about a signature repeats what was signed, and sometimes the key id in other words: such
 * messages are replaced.
 */
static struct str
harmless(struct str code, struct str message)
{
	bool told = has(code, "Signature") || has(code, "Authentication") ||
		    has(message, "Signature=") || has(message, "Credential=") ||
		    has(message, "AWS4") || has_long_word(message);

	return told ? STR("") : message;
}

static void
read_reason(struct json_reader *in, struct dynamo_reason *out)
{
	struct str name;

	*out = (struct dynamo_reason){0};
	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("Code")))
			json_string(in, &out->code);
		else if (str_eq(name, STR("Message")) && json_peek(in) == JSON_STRING)
			json_string(in, &out->message);
		else if (str_eq(name, STR("Item")) && json_peek(in) == JSON_OBJECT)
			out->item = read_item(in);
		else
			json_skip(in);
	}
	out->message = harmless(out->code, out->message);
	out->rc = TABLE_UNAVAILABLE;
	for (size_t i = 0; i < sizeof(reason_meanings) / sizeof(reason_meanings[0]); i++) {
		if (str_eq(out->code, reason_meanings[i].code))
			out->rc = reason_meanings[i].rc;
	}
}

static void
read_reasons(struct json_reader *in, struct dynamo_refusal *out)
{
	out->reasons = ARENA_ARRAY(in->arena, TABLE_BATCH_MAX, struct dynamo_reason);
	json_array(in);
	while (json_element(in)) {
		if (out->reason_count == TABLE_BATCH_MAX) {
			json_fail(in, "more reasons than actions");
			return;
		}
		read_reason(in, &out->reasons[out->reason_count++]);
	}
}

/*
 * A transaction that failed only for temporary reasons may be retried; one with a permanent reason
 * may not.
 */
static void
weigh_reasons(struct dynamo_refusal *out)
{
	bool passing = false;
	enum table_rc passing_rc = TABLE_CANCELLED;

	for (size_t i = 0; i < out->reason_count; i++) {
		enum table_rc rc = out->reasons[i].rc;

		if (rc == TABLE_CONFLICT || rc == TABLE_THROTTLED) {
			passing = true;
			passing_rc = rc;
		} else if (rc != TABLE_OK) {
			return;
		}
	}
	if (passing) {
		out->rc = passing_rc;
		out->remedy = REMEDY_AGAIN;
	}
}

static void
weigh(int status, struct dynamo_refusal *out)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (str_eq(out->code, meanings[i].code)) {
			out->rc = meanings[i].rc;
			out->remedy = meanings[i].remedy;
			out->advice = meanings[i].advice;
			if (out->rc == TABLE_CANCELLED)
				weigh_reasons(out);
			return;
		}
	}
	out->rc = TABLE_UNAVAILABLE;
	if (status >= 500 || status == 429) {
		/* The service failed between receiving the request and answering. */
		out->remedy = REMEDY_AGAIN;
		out->unsure = true;
	}
}

void
dynamo_refusal_read(struct arena *arena, int status, struct str text, struct dynamo_refusal *out)
{
	struct json_reader in = json_reader(arena, text);
	struct str name, type = {0}, rest;

	*out = (struct dynamo_refusal){0};
	json_object(&in);
	while (json_name(&in, &name)) {
		if (str_eq(name, STR("__type"))) {
			json_string(&in, &type);
			str_cut(type, '#', &rest);
			out->code = rest.len > 0 ? rest : type;
		} else if ((str_eq(name, STR("message")) || str_eq(name, STR("Message"))) &&
			   json_peek(&in) == JSON_STRING) {
			json_string(&in, &out->message);
			out->message = str_trim(str_cut(out->message, '\n', &rest));
		} else if (str_eq(name, STR("Item")) && json_peek(&in) == JSON_OBJECT) {
			out->item = read_item(&in);
			out->has_item = true;
		} else if (str_eq(name, STR("CancellationReasons")) &&
			   json_peek(&in) == JSON_ARRAY) {
			read_reasons(&in, out);
		} else {
			json_skip(&in);
		}
	}
	if (!json_end(&in)) {
		*out = (struct dynamo_refusal){
		    .rc = TABLE_UNAVAILABLE, .message = STR("the refusal can't be read")};
	}
	out->message = harmless(out->code, out->message);
	weigh(status, out);
}

/* --- The stream's records --------------------------------------------------------------------- */

/* Seconds, possibly with a fraction, as milliseconds; 0 for an invalid time. */
static int64_t
read_time(struct json_reader *in)
{
	struct str text;
	char digits[32] = "";
	double time;

	if (!json_number(in, &text) || text.len >= sizeof(digits))
		return 0;
	memcpy(digits, text.base, text.len);
	time = strtod(digits, NULL) * 1000;
	return time > 0 && time < 1e15 ? (int64_t)time : 0;
}

static void
read_change(struct json_reader *in, struct change_record *record, struct str *sequence)
{
	struct str name;
	struct item keys;

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("Keys"))) {
			json_item(in, &keys);
			record->key = item_key(&keys);
		} else if (str_eq(name, STR("SequenceNumber"))) {
			json_string(in, sequence);
		} else if (str_eq(name, STR("ApproximateCreationDateTime"))) {
			record->time = read_time(in);
		} else {
			json_skip(in);
		}
	}
}

/* Was the item removed by the service because it expired? */
static bool
read_identity(struct json_reader *in)
{
	struct str name, principal = {0};

	if (json_peek(in) != JSON_OBJECT) {
		json_skip(in);
		return false;
	}
	json_object(in);
	while (json_name(in, &name)) {
		if (json_peek(in) == JSON_STRING && str_eq_nocase(name, STR("principalId")))
			json_string(in, &principal);
		else
			json_skip(in);
	}
	return str_eq(principal, STR("dynamodb.amazonaws.com"));
}

struct change_record
dynamo_record_read(struct json_reader *in, struct str *sequence)
{
	struct change_record record = {.kind = CHANGE_MODIFY};
	struct str name, kind = {0};

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("eventName")))
			json_string(in, &kind);
		else if (str_eq(name, STR("dynamodb")))
			read_change(in, &record, sequence);
		else if (str_eq(name, STR("userIdentity")))
			record.expired = read_identity(in);
		else
			json_skip(in);
	}
	if (str_eq(kind, STR("INSERT")))
		record.kind = CHANGE_INSERT;
	else if (str_eq(kind, STR("REMOVE")))
		record.kind = CHANGE_DELETED;
	record.expired = record.expired && record.kind == CHANGE_DELETED;
	return record;
}
