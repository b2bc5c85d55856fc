#include "cli/print_item.h"

#include "base/buf.h"
#include "table/json.h"

#include <stdio.h>

enum { INDENT = 2 };

static void pretty_item(struct buf *out, const struct item *item, unsigned depth);

static void
new_line(struct buf *out, unsigned depth)
{
	buf_fmt(out, "\n%*s", (int)(depth * INDENT), "");
}

/* Maps and lists are indented; any other value is on one line with its type. */
static void
pretty_value(struct buf *out, const struct value *value, unsigned depth)
{
	if (value->kind == VALUE_MAP) {
		BUF_PUT(out, "{\"M\": ");
		pretty_item(out, &value->map, depth);
		buf_putc(out, '}');
	} else if (value->kind == VALUE_LIST && value->list.count != 0) {
		BUF_PUT(out, "{\"L\": [");
		for (size_t i = 0; i < value->list.count; i++) {
			if (i > 0)
				buf_putc(out, ',');
			new_line(out, depth + 1);
			pretty_value(out, &value->list.values[i], depth + 1);
		}
		new_line(out, depth);
		BUF_PUT(out, "]}");
	} else {
		value_to_json(out, value);
	}
}

static void
pretty_item(struct buf *out, const struct item *item, unsigned depth)
{
	buf_putc(out, '{');
	for (size_t i = 0; i < item->count; i++) {
		if (i > 0)
			buf_putc(out, ',');
		new_line(out, depth + 1);
		json_put_string(out, item->attributes[i].name);
		BUF_PUT(out, ": ");
		pretty_value(out, &item->attributes[i].value, depth + 1);
	}
	if (item->count != 0)
		new_line(out, depth);
	buf_putc(out, '}');
}

void
print_item(struct arena *arena, const struct item *item, bool pretty)
{
	struct buf text = {.arena = arena};

	if (pretty)
		pretty_item(&text, item, 0);
	else
		item_to_json(&text, item);
	buf_putc(&text, '\n');
	fwrite(text.base, 1, text.len, stdout);
}
