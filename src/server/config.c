#include "server/config.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/suggest.h"
#include "server/folder.h"

#include <errno.h>
#include <string.h>

/* --- Syntax of the file ----------------------------------------------------------------------- */

/* Works on bytes only, so that a fuzzer can call it. */

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

/* No control characters except the tab: an invisible value can't be checked by eye. */
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

/* NULL when the line is valid. */
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

/* --- Variables ---------------------------------------------------------------------------------- */

enum { FILE_MAX_BYTES = 256 * 1024 };

#define PREFIX STR("BROADSHEET_")

/* Variables that are not settings. */
static const char *const other_variables[] = {"BROADSHEET_CONFIG", "BROADSHEET_BUILD"};

struct str
setting_variable(struct arena *arena, const struct setting *setting)
{
	struct buf out = {.arena = arena};

	buf_put(&out, PREFIX);
	for (const char *c = setting->name; *c != '\0'; c++)
		buf_putc(&out, *c == '-' ? '_' : (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c));
	return str_dup(arena, buf_str(&out));
}

/* The value of a variable, or NULL. */
static const char *
variable(char *const *environment, struct str name)
{
	for (; environment != NULL && *environment != NULL; environment++)
		if (str_starts(str_of(*environment), name) && (*environment)[name.len] == '=')
			return *environment + name.len + 1;
	return NULL;
}

static const struct setting *
setting_of(struct str name, size_t *index)
{
	for (*index = 0; *index < config_setting_count; (*index)++)
		if (str_eq(str_of(config_settings[*index].name), name))
			return &config_settings[*index];
	return NULL;
}

/* --- The file ------------------------------------------------------------------------------- */

static struct str
unknown_name(struct arena *arena, const char *path, const struct config_line *line)
{
	struct suggestion near = {.typed = line->name};

	for (size_t i = 0; i < config_setting_count; i++)
		suggest_word(&near, config_settings[i].name);
	if (near.nearest == NULL)
		return str_fmt(arena, "%s:%u: there is no setting \"%.*s\"", path, line->number,
		    STR_ARGS(line->name));
	return str_fmt(arena, "%s:%u: there is no setting \"%.*s\"; did you mean \"%s\"?", path,
	    line->number, STR_ARGS(line->name), near.nearest);
}

/* Copies what the file sets into the values. */
static bool
take_file(const char *path, bool must_be, struct arena *arena, struct config *out, struct str *why)
{
	struct config_lines lines;
	struct str text;

	if (!file_read(arena, path, FILE_MAX_BYTES, &text)) {
		if (errno == ENOENT && !must_be)
			return true;
		*why = str_fmt(arena, "%s: %s", path, strerror(errno));
		return false;
	}
	if (!config_parse(arena, text, &lines)) {
		*why = str_fmt(arena, "%s:%u: %s", path, lines.wrong_line, lines.why);
		return false;
	}
	out->file = str_dup(arena, str_of(path));
	for (size_t i = 0; i < lines.count; i++) {
		size_t index;

		if (setting_of(lines.lines[i].name, &index) == NULL) {
			*why = unknown_name(arena, path, &lines.lines[i]);
			return false;
		}
		out->values[index] = (struct config_value){CONFIG_FILE, lines.lines[i].value,
		    str_fmt(arena, "%s:%u", path, lines.lines[i].number)};
	}
	return true;
}

/* --- All of it ------------------------------------------------------------------------------- */

static void
take_defaults(struct config *out)
{
	for (size_t i = 0; i < config_setting_count; i++)
		out->values[i] = (struct config_value){
		    CONFIG_DEFAULT, str_of(config_settings[i].fallback), STR("default")};
}

static void
take_environment(char *const *environment, struct arena *arena, struct config *out)
{
	for (size_t i = 0; i < config_setting_count; i++) {
		struct str name = setting_variable(arena, &config_settings[i]);
		const char *value = variable(environment, name);

		if (value != NULL)
			out->values[i] =
			    (struct config_value){CONFIG_ENVIRONMENT, str_of(value), name};
	}
}

static void
take_flags(const struct config_input *in, struct arena *arena, struct config *out)
{
	size_t index;

	for (size_t i = 0; i < in->flag_count; i++)
		if (setting_of(str_of(in->flags[i].name), &index) != NULL)
			out->values[index] = (struct config_value){CONFIG_FLAG,
			    str_of(in->flags[i].value), str_fmt(arena, "--%s", in->flags[i].name)};
}

bool
config_load(const struct config_input *in, struct arena *arena, struct config *out, struct str *why)
{
	const char *named = in->file;

	*out = (struct config){0};
	out->values = ARENA_ARRAY(arena, config_setting_count, struct config_value);
	take_defaults(out);
	if (named == NULL)
		named = variable(in->environment, STR("BROADSHEET_CONFIG"));
	if (!take_file(named != NULL ? named : config_default_file, named != NULL, arena, out, why))
		return false;
	take_environment(in->environment, arena, out);
	take_flags(in, arena, out);
	for (size_t i = 0; i < config_setting_count; i++) {
		const struct setting *setting = &config_settings[i];
		const struct config_value *value = &out->values[i];

		if (setting->read(arena, value->text, out))
			continue;
		*why = str_fmt(arena, "%.*s: %s is \"%.*s\", but should be %s",
		    STR_ARGS(value->where), setting->name, STR_ARGS(value->text), setting->wanted);
		return false;
	}
	return true;
}

const char *
config_stray_variable(char *const *environment, struct arena *arena, const char **meant)
{
	for (; environment != NULL && *environment != NULL; environment++) {
		struct str value, name = str_cut(str_of(*environment), '=', &value);
		struct suggestion near = {.typed = name};
		bool known = !str_starts(name, PREFIX);

		for (size_t i = 0; i < 2; i++)
			known = known || str_eq(name, str_of(other_variables[i]));
		for (size_t i = 0; i < config_setting_count && !known; i++) {
			struct str ours = setting_variable(arena, &config_settings[i]);

			known = str_eq(name, ours);
			suggest_word(&near, ours.base);
		}
		if (known)
			continue;
		*meant = near.nearest;
		return str_cstring(arena, name);
	}
	return NULL;
}
