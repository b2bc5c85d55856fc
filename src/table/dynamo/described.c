/* The service's description of a table, and what makes a table unsuitable. */
#include "table/dynamo/described.h"

#include "base/arena.h"
#include "table/dynamo/dynamo.h"

#define ANOTHER "; make another with broadsheet table create"

/* The keys of the table or of one of its indexes. */
struct keys {
	bool there;
	bool all; /* it projects every attribute */
	struct str status, partition, sort;
};

struct description {
	struct table_dynamo_description *out;
	struct keys keys[TABLE_INDEXES + 1];
	unsigned strings[TABLE_INDEXES + 1]; /* how many of the two are declared as strings */
	struct str view;
};

struct member {
	const char *name;
	struct str *to;
};

/* Reads the members of these names, which are strings. */
static void
read_strings(struct json_reader *in, const struct member *members, size_t count)
{
	struct str name;

	json_object(in);
	while (json_name(in, &name)) {
		size_t i = 0;

		while (i < count && !str_eq(name, str_of(members[i].name)))
			i++;
		if (i < count)
			json_string(in, members[i].to);
		else
			json_skip(in);
	}
}

static void
read_key_schema(struct json_reader *in, struct keys *keys)
{
	struct str attribute = {0}, kind = {0};
	const struct member members[] = {{"AttributeName", &attribute}, {"KeyType", &kind}};

	json_array(in);
	while (json_element(in)) {
		read_strings(in, members, 2);
		if (str_eq(kind, STR("HASH")))
			keys->partition = attribute;
		else
			keys->sort = attribute;
	}
}

static bool
read_projection(struct json_reader *in)
{
	struct str type = {0};

	read_strings(in, &(struct member){"ProjectionType", &type}, 1);
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

/* By name: the table may have other indexes. */
static void
note_string(struct description *d, struct str attribute)
{
	for (int i = 0; i <= TABLE_INDEXES; i++) {
		enum table_index index = (enum table_index)i;

		d->strings[i] += str_eq(attribute, table_pk_name(index));
		d->strings[i] += str_eq(attribute, table_sk_name(index));
	}
}

static void
read_attributes(struct json_reader *in, struct description *d)
{
	struct str attribute = {0}, type = {0};
	const struct member members[] = {{"AttributeName", &attribute}, {"AttributeType", &type}};

	json_array(in);
	while (json_element(in)) {
		read_strings(in, members, 2);
		if (str_eq(type, STR("S")))
			note_string(d, attribute);
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
			read_strings(in, &(struct member){"StreamViewType", &d->view}, 1);
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

/* --- Is it suitable? -------------------------------------------------------------------------- */

/* What is permanently wrong with the keys of the table or of an index. */
static const char *
keys_error(struct arena *arena, const struct description *d, enum table_index index)
{
	const struct keys *keys = &d->keys[index];
	struct str pk = table_pk_name(index), sk = table_sk_name(index);
	struct str which = index == TABLE_PRIMARY
			       ? STR("its keys")
			       : str_fmt(arena, "the keys of its index GSI%d", (int)index);

	if (!keys->there)
		return str_fmt(arena, "it has no index GSI%d" ANOTHER, (int)index).base;
	if (!str_eq(keys->partition, pk) || !str_eq(keys->sort, sk))
		return str_fmt(arena, "%.*s are not %.*s and %.*s" ANOTHER, STR_ARGS(which),
		    STR_ARGS(pk), STR_ARGS(sk))
		    .base;
	if (d->strings[index] != 2)
		return str_fmt(arena, "%.*s are not strings" ANOTHER, STR_ARGS(which)).base;
	if (!keys->all)
		return str_fmt(
		    arena, "its index GSI%d does not project all attributes" ANOTHER, (int)index)
		    .base;
	return NULL;
}

/*
 * What does not exist yet, or is being deleted. While a table is UPDATING, all of it can be used.
 */
static const char *
status_error(struct arena *arena, const struct description *d)
{
	struct str status = d->out->status;

	if (!str_eq(status, STR("ACTIVE")) && !str_eq(status, STR("UPDATING")))
		return str_fmt(arena, "it is %.*s; try again when it is ACTIVE", STR_ARGS(status))
		    .base;
	for (int i = TABLE_GSI1; i <= TABLE_GSI4; i++) {
		if (str_eq(d->keys[i].status, STR("CREATING")))
			return str_fmt(
			    arena, "its index GSI%d is being made; try again when it is active", i)
			    .base;
		if (str_eq(d->keys[i].status, STR("DELETING")))
			return str_fmt(arena, "its index GSI%d is being deleted" ANOTHER, i).base;
	}
	return NULL;
}

static const char *
error_of(struct arena *arena, const struct description *d)
{
	const char *error = NULL;

	for (int i = 0; i <= TABLE_INDEXES && error == NULL; i++)
		error = keys_error(arena, d, (enum table_index)i);
	if (error == NULL && !d->out->streams)
		error = "it has no stream of new and old images" ANOTHER;
	return error != NULL ? error : status_error(arena, d);
}

bool
dynamo_described(struct json_reader *in, void *into)
{
	struct description d = {.out = into};
	struct str name;

	json_object(in);
	while (json_name(in, &name)) {
		if (str_eq(name, STR("Table")))
			read_table(in, &d);
		else
			json_skip(in);
	}
	d.out->streams = str_eq(d.view, STR("NEW_AND_OLD_IMAGES"));
	d.out->error = error_of(in->arena, &d);
	return true;
}

/* --- Settings beside its items ---------------------------------------------------------------- */

/* `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"…"}}` */
bool
dynamo_described_expiry(struct json_reader *in, void *into)
{
	struct table_dynamo_description *out = into;
	struct str name, status = {0}, attribute = {0};
	const struct member members[] = {
	    {"TimeToLiveStatus", &status}, {"AttributeName", &attribute}};

	json_object(in);
	while (json_name(in, &name))
		read_strings(in, members, 2);
	out->expiry = STR("none");
	if (str_eq(status, STR("ENABLED")) || str_eq(status, STR("ENABLING")))
		out->expiry = attribute;
	/*
	 * The site works without, since reads ignore expired items; but their storage is paid for.
	 */
	if (str_eq(out->expiry, STR("none")))
		out->warning = "what expires is never removed, as it has no time to live: "
			       "broadsheet table create turns it on";
	else if (!str_eq(out->expiry, STR("ExpiresAt")))
		out->warning = str_fmt(in->arena,
		    "what expires is never removed, as its time to live is on %.*s: turn that off, "
		    "then broadsheet table create turns on the one on ExpiresAt",
		    STR_ARGS(out->expiry))
				   .base;
	return true;
}

/* `{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED"}}}` */
bool
dynamo_described_recovery(struct json_reader *in, void *into)
{
	struct table_dynamo_description *out = into;
	struct str name, status = {0};
	const struct member member = {"PointInTimeRecoveryStatus", &status};

	json_object(in);
	while (json_name(in, &name)) {
		json_object(in);
		while (json_name(in, &name)) {
			if (str_eq(name, STR("PointInTimeRecoveryDescription")))
				read_strings(in, &member, 1);
			else
				json_skip(in);
		}
	}
	out->recovery = str_eq(status, STR("ENABLED")) ? STR("on") : STR("off");
	return true;
}
