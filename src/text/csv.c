#include "text/csv.h"

#include <string.h>

static void
put(struct buf *out, struct str value)
{
	buf_putc(out, '"');
	if (value.len != 0 && strchr("=+-@\t\r", value.base[0]) != NULL)
		buf_putc(out, '\'');
	for (size_t i = 0; i < value.len; i++) {
		if (value.base[i] == '"')
			buf_putc(out, '"');
		buf_putc(out, value.base[i]);
	}
	buf_putc(out, '"');
}

void
csv_line(struct buf *out, const struct str *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_putc(out, ',');
		put(out, values[i]);
	}
	BUF_PUT(out, "\r\n");
}
