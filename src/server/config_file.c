/* The form of the configuration file. It looks at bytes only, so that it can be tried with any. */
#include "server/config.h"

#include "base/arena.h"

static bool
name_valid(struct str name)
{
	if (name.len == 0)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if ((name.base[i] < 'a' || name.base[i] > 'z') && name.base[i] != '-')
			return false;
	return true;
}

/* No control character but the tab: a value that can't be seen can't be checked by eye. */
static bool
printable(struct str line)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.base[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return false;
	}
	return str_utf8(line);
}

/* NULL when the line is right. */
static const char *
read_line(struct str line, struct config_lines *out)
{
	struct config_line *new = &out->lines[out->count];

	if (!printable(line))
		return "a character that is not text";
	if (str_find(line, '=') == line.len)
		return "not of the form `name = value`";
	new->name = str_trim(str_cut(line, '=', &new->value));
	new->value = str_trim(new->value);
	if (!name_valid(new->name))
		return "a name is made of small letters and hyphens";
	for (size_t i = 0; i < out->count; i++)
		if (str_eq(out->lines[i].name, new->name))
			return "this name is set twice";
	out->count++;
	return NULL;
}

bool
config_parse(struct arena *arena, struct str text, struct config_lines *out)
{
	size_t capacity = 0;
	unsigned number = 0;

	*out = (struct config_lines){0};
	while (text.len > 0) {
		struct str line = str_trim(str_cut(text, '\n', &text));

		number++;
		if (line.len == 0 || line.base[0] == '#')
			continue;
		if (out->count == capacity) {
			size_t more = capacity != 0 ? capacity * 2 : 16;

			out->lines = arena_grow(arena, out->lines, capacity * sizeof(*out->lines),
			    more * sizeof(*out->lines));
			capacity = more;
		}
		out->lines[out->count].number = number;
		out->why = read_line(line, out);
		if (out->why != NULL) {
			out->wrong_line = number;
			return false;
		}
	}
	return true;
}
