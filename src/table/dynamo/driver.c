/* The distributed engine's row among the drivers. */
#include "table/dynamo/dynamo.h"

static enum table_rc
open_table(struct str name, enum table_open how, struct clock *clock, struct arena *arena,
    struct table **table, struct str *why)
{
	/* Its tables are created by a command of their own. */
	(void)how;
	return table_dynamo_open(name, clock, arena, table, why);
}

static enum table_rc
create_table(struct str name, struct clock *clock, struct arena *arena, struct table_made *out,
    struct str *why)
{
	struct table_dynamo_made made;
	enum table_rc rc = table_dynamo_create(name, clock, arena, &made, why);
	size_t count = 0;

	if (rc != TABLE_OK)
		return rc;
	*out = (struct table_made){.table = made.table, .warning = made.warning};
	if (!made.table && made.expiry)
		out->added[count++] = "What expires is removed from now on";
	if (!made.table && made.recovery)
		out->added[count++] = "Point-in-time recovery is on from now on";
	return TABLE_OK;
}

static enum table_rc
describe_table(struct str name, struct clock *clock, struct arena *arena,
    struct table_description *out, struct str *why)
{
	struct table_dynamo_description d;
	enum table_rc rc = table_dynamo_describe(name, clock, arena, &d, why);

	if (rc != TABLE_OK)
		return rc;
	*out = (struct table_description){
	    .name = d.name,
	    .facts = {{"status", .text = d.status}, {"items", .number = (uint64_t)d.items},
		{"bytes", .number = (uint64_t)d.bytes},
		{"stream", .text = d.streams ? d.stream : STR("none")},
		{"expiry", .text = d.expiry}, {"recovery", .text = d.recovery}},
	    .count = 6,
	    .error = d.error,
	    .warning = d.warning,
	};
	return TABLE_OK;
}

const struct table_driver table_driver_dynamo = {
    .prefix = "dynamodb",
    .is_remote = true,
    .may_be_unnamed = true,
    .open = open_table,
    .create = create_table,
    .describe = describe_table,
    .remove = table_dynamo_delete,
    .no_backup = "DynamoDB has backups of its own",
};
