#include "text/view.h"

#include <string.h>

static const struct view_field string_fields[] = {{".", VIEW_STRING, 0, NULL}};
static const struct view_field html_fields[] = {{".", VIEW_HTML, 0, NULL}};
static const struct view_field number_fields[] = {{".", VIEW_NUMBER, 0, NULL}};
static const struct view_field count_fields[] = {{".", VIEW_COUNT, 0, NULL}};

const struct view_type view_of_string = {"a string", sizeof(struct str), string_fields, 1, NULL};
const struct view_type view_of_html = {"html", sizeof(struct html), html_fields, 1, NULL};
const struct view_type view_of_number = {"a number", sizeof(int64_t), number_fields, 1, NULL};
const struct view_type view_of_count = {"a count", sizeof(size_t), count_fields, 1, NULL};

bool
view_find(const struct view_type *type, struct str name, struct view_field *out)
{
	if (type->find != NULL)
		return type->find(name, out);
	for (size_t i = 0; i < type->count; i++)
		if (str_eq(str_of(type->fields[i].name), name)) {
			*out = type->fields[i];
			return true;
		}
	return false;
}
