#include "table/dynamo/record.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Seconds, perhaps with a fraction, as milliseconds; 0 for a time that none has. */
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

/* The service itself removes what has expired, and says so. */
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
