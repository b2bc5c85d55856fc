#include "cli/json_lines.h"

#include "base/arena.h"
#include "model/kinds.h"
#include "table/json.h"
#include "table/rules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 64 * 1024 };

static bool
fail(struct json_lines *lines, struct arena *arena, struct str *why)
{
	*why = str_fmt(arena, "%s: %s", lines->name, strerror(errno));
	return false;
}

/* Copies what can only be read once. */
static bool
spool(struct json_lines *lines, FILE *from)
{
	char bytes[COPY_BYTES];
	size_t got;

	lines->stream = tmpfile();
	if (lines->stream == NULL)
		return false;
	while ((got = fread(bytes, 1, sizeof(bytes), from)) > 0)
		if (fwrite(bytes, 1, got, lines->stream) != got)
			return false;
	return !ferror(from) && fflush(lines->stream) == 0;
}

bool
json_lines_open(struct json_lines *lines, const char *path, struct arena *arena, struct str *why)
{
	bool input = strcmp(path, "-") == 0;
	FILE *from = input ? stdin : fopen(path, "re");
	bool good = true;

	*lines = (struct json_lines){.name = input ? "standard input" : path};
	if (from == NULL)
		return fail(lines, arena, why);
	if (!input && fseeko(from, 0, SEEK_CUR) == 0) {
		lines->stream = from;
		return true;
	}
	good = spool(lines, from);
	if (!good)
		fail(lines, arena, why);
	if (!input)
		fclose(from);
	if (!good)
		json_lines_close(lines);
	else
		json_lines_rewind(lines);
	return good;
}

void
json_lines_close(struct json_lines *lines)
{
	if (lines->stream != NULL)
		fclose(lines->stream);
	free(lines->line);
	*lines = (struct json_lines){0};
}

void
json_lines_rewind(struct json_lines *lines)
{
	rewind(lines->stream);
	lines->number = 0;
	lines->ended = false;
}

bool
json_lines_next(struct json_lines *lines, struct arena *arena, struct item *item, struct str *why)
{
	struct json_error error;
	const char *flaw;
	struct str line, name;
	ssize_t got;

	do {
		errno = 0;
		got = getline(&lines->line, &lines->capacity, lines->stream);
		if (got < 0 && errno == ENOMEM)
			out_of_memory();
		if (got < 0) {
			lines->ended = !ferror(lines->stream);
			return lines->ended ? false : fail(lines, arena, why);
		}
		lines->number++;
		line = (struct str){lines->line, (size_t)got};
	} while (str_trim(line).len == 0 || line.base[0] == '#');
	/* The item points into its text. */
	line = str_dup(arena, line);
	if (!item_from_json(arena, line, item, &error)) {
		*why = str_fmt(arena, "%s:%" PRIu64 ":%zu: %s", lines->name, lines->number,
		    error.offset + 1, error.why);
		return false;
	}
	flaw = rules_item(item);
	if (flaw != NULL)
		*why = str_fmt(arena, "%s:%" PRIu64 ": %s", lines->name, lines->number, flaw);
	else if ((flaw = kind_breach(item, &name)) != NULL)
		*why = str_fmt(arena, "%s:%" PRIu64 ": %.*s: expected %s", lines->name,
		    lines->number, STR_ARGS(name), flaw);
	return flaw == NULL;
}
