/* In place of the distributed engine where the aws libraries are missing. */
#include "table/dynamo/dynamo.h"

static enum table_rc
missing(struct str *why)
{
	*why = STR("this broadsheet was built without DynamoDB: run script/bootstrap-aws, then "
		   "./configure and make again");
	return TABLE_UNAVAILABLE;
}

enum table_rc
table_dynamo_open(struct str name, struct clock *clock, struct arena *arena, struct table **table,
    struct str *why)
{
	(void)name;
	(void)clock;
	(void)arena;
	*table = NULL;
	return missing(why);
}

enum table_rc
table_dynamo_create(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_made *out, struct str *why)
{
	(void)name;
	(void)clock;
	(void)arena;
	*out = (struct table_dynamo_made){0};
	return missing(why);
}

enum table_rc
table_dynamo_describe(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_description *out, struct str *why)
{
	(void)name;
	(void)clock;
	(void)arena;
	*out = (struct table_dynamo_description){.name = name};
	return missing(why);
}

enum table_rc
table_dynamo_delete(struct str name, struct clock *clock, struct arena *arena, struct str *why)
{
	(void)name;
	(void)clock;
	(void)arena;
	return missing(why);
}
