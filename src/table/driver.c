#include "table/driver.h"

#include "table/dynamo/dynamo.h"
#include "table/sqlite/sqlite.h"

const struct table_driver *const table_drivers[] = {
    &table_driver_sqlite,
    &table_driver_dynamo,
    NULL,
};

const char table_drivers_wanted[] = "sqlite:PATH or dynamodb:TABLE";
const char table_drivers_described[] =
    "where the table is: sqlite:PATH, a file of this machine, or dynamodb:TABLE";

const struct table_driver *
table_driver_of(struct str setting, struct str *name)
{
	struct str prefix = str_cut(setting, ':', name);

	for (const struct table_driver *const *driver = table_drivers; *driver != NULL; driver++)
		if (str_eq(prefix, str_of((*driver)->prefix)))
			return name->len != 0 ||
				       ((*driver)->may_be_unnamed && prefix.len < setting.len)
				   ? *driver
				   : NULL;
	return NULL;
}
