#include "model/site/format.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/site/load.h"

static enum table_rc
get(struct table *table, struct table_call *call, struct format *out, bool *there)
{
	struct read read = {.kind = READ_GET, .key = key_table_format(), .consistent = true};
	enum table_rc rc = table_read(table, call, &read, 1);
	const struct value *cursor = NULL;

	*out = (struct format){.format = 1, .carried = 1};
	*there = rc == TABLE_OK && read.item != NULL;
	if (!*there)
		return rc;
	out->format = item_number(read.item, STR("Format"));
	if (item_get(read.item, STR("Carried")) != NULL)
		out->carried = item_number(read.item, STR("Carried"));
	cursor = item_get(read.item, STR("Cursor"));
	if (cursor != NULL && cursor->kind == VALUE_BINARY)
		out->cursor = cursor->string;
	return TABLE_OK;
}

enum table_rc
format_get(struct table *table, struct table_call *call, struct format *out)
{
	bool there;

	return get(table, call, out, &there);
}

static enum table_rc
change(struct table *table, struct table_call *call, const struct change *changes, size_t count)
{
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_table_format(),
	    .changes = changes,
	    .change_count = count};

	return table_write(table, call, &write);
}

enum table_rc
format_begin(struct table *table, struct table_call *call, struct format *out)
{
	const struct change changes[] = {
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_TABLE_FORMAT)},
	    {CHANGE_SET, STR("Format"), value_number(FORMAT_NOW)},
	    {CHANGE_SET, STR("Carried"), value_number(FORMAT_NOW)},
	};
	bool there, has = true;
	enum table_rc rc = get(table, call, out, &there);

	if (rc != TABLE_OK || out->format >= FORMAT_NOW)
		return rc;
	if (!there)
		rc = table_has_content(table, call, &has);
	if (rc == TABLE_OK)
		rc = change(table, call, changes, has ? 2 : 3);
	if (rc != TABLE_OK)
		return rc;
	out->format = FORMAT_NOW;
	out->carried = has ? out->carried : FORMAT_NOW;
	return TABLE_OK;
}

enum table_rc
format_keep_cursor(struct table *table, struct table_call *call, struct str cursor)
{
	const struct change changes[] = {
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_TABLE_FORMAT)},
	    {CHANGE_SET, STR("Format"), value_number(FORMAT_NOW)},
	    {CHANGE_SET, STR("Cursor"), value_binary(cursor)},
	};

	return change(table, call, changes, 3);
}

enum table_rc
format_set_carried(struct table *table, struct table_call *call, bool carried)
{
	const struct change changes[] = {
	    {CHANGE_SET, STR("Type"), kind_type(ITEM_TABLE_FORMAT)},
	    {CHANGE_SET, STR("Format"), value_number(FORMAT_NOW)},
	    {CHANGE_REMOVE, STR("Cursor"), value_number(0)},
	    {carried ? CHANGE_SET : CHANGE_REMOVE, STR("Carried"), value_number(FORMAT_NOW)},
	};

	return change(table, call, changes, 4);
}
