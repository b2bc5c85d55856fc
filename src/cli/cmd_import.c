/*
 * broadsheet import FILE: items from JSON lines into the table.
 *
 * The file is read twice. The first time every line is checked, so that a mistake anywhere leaves the
 * table as it was; the second time they are written, a hundred at once. What concerns the table alone that the lines are of is
 * left out, as it is when that is copied.
 *
 * broadsheet import posts DIR: posts from a folder of Markdown files; see posts_import.c.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/posts.h"
#include "model/kinds.h"
#include "model/site/format.h"
#include "model/site/load.h"
#include "model/site/move.h"
#include "model/site/upgrade.h"
#include "table/item.h"
#include "table/json.h"
#include "table/rules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading items, one a line ------------------------------------------------------------------- */

/* A file of JSON lines, one item in each; empty lines and those that begin with # are skipped. */
struct json_lines {
	FILE *stream;
	const char *name; /* for messages */
	char *line;       /* the reader's own */
	size_t capacity;
	uint64_t number; /* of the last line that was read, starting with 1 */
	bool ended;      /* the end of the file was reached, without an error */
};

enum { COPY_BYTES = 64 * 1024 };

static bool
fail(struct json_lines *lines, struct arena *arena, struct str *why)
{
	*why = str_fmt(arena, "%s: %s", lines->name, strerror(errno));
	return false;
}

/* Copies input that can be read only once. */
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

static void
json_lines_close(struct json_lines *lines)
{
	if (lines->stream != NULL)
		fclose(lines->stream);
	free(lines->line);
	*lines = (struct json_lines){0};
}

/* Rewinds to the start. */
static void
json_lines_rewind(struct json_lines *lines)
{
	rewind(lines->stream);
	lines->number = 0;
	lines->ended = false;
}

/*
 * Opens the file. Input that can't be read twice (a pipe) is first copied to a nameless file. "-"
 * is standard input. False, with *why in the arena, when it can't be read. json_lines_close() ends
 * it.
 */
static bool
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

/*
 * The next item, checked as the table would, in the arena. False at the end (`ended`), or on an
 * error: then *why, in the arena, has file, line and, if known, column.
 */
static bool
json_lines_next(struct json_lines *lines, struct arena *arena, struct item *item, struct str *why)
{
	struct json_error error;
	const char *violation;
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
	violation = rules_item(item);
	if (violation != NULL)
		*why = str_fmt(arena, "%s:%" PRIu64 ": %s", lines->name, lines->number, violation);
	else if ((violation = kind_violation(item, &name)) != NULL)
		*why = str_fmt(arena, "%s:%" PRIu64 ": %.*s: expected %s", lines->name,
		    lines->number, STR_ARGS(name), violation);
	return violation == NULL;
}

/* --- The command --------------------------------------------------------------------------------- */

const struct option import_options[] = {
    {"replace", NULL, "remove all else that the table holds; only the site's secret stays"},
    {"merge", NULL, "add to what the table holds; items of the same key are replaced"},
    {"author", "NAME", "posts: who wrote those whose files do not say"},
    {"dry-run", NULL, "posts: check the files and say what would be done"},
    {NULL},
};

/* Reads every line once and adds the keys to the set. */
static bool
check_lines(struct json_lines *lines, struct key_set *keys)
{
	struct progress progress = {.what = "checking", .unit = "items"};
	struct arena *arena = arena_new();
	uint64_t places[2];
	struct item item;
	struct str why = {0};

	while (json_lines_next(lines, arena, &item, &why)) {
		if (move_skips(item_key(&item)))
			continue;
		key_set_add(keys, item_key(&item), lines->number);
		arena_reset(arena);
		progress_show(&progress, keys->count, 0);
	}
	progress_end(&progress);
	if (!lines->ended)
		complain("%.*s", STR_ARGS(why));
	arena_free(arena);
	if (!lines->ended || key_set_seal(keys, places))
		return lines->ended;
	complain(
	    "%s:%" PRIu64 ": the same key as in line %" PRIu64, lines->name, places[1], places[0]);
	return false;
}

static enum outcome
write_lines(struct json_lines *lines, struct loader *loader, uint64_t total, bool *old)
{
	struct progress progress = {.what = "import", .unit = "items"};
	struct arena *arena = arena_new();
	enum table_rc rc = TABLE_OK;
	struct item item;
	struct str why = {0};

	while (rc == TABLE_OK && json_lines_next(lines, arena, &item, &why)) {
		if (move_skips(item_key(&item)))
			continue;
		*old = *old || upgrade_is_old(&item);
		rc = loader_put(loader, &item);
		if (loader->count == 0)
			arena_reset(arena);
		progress_show(&progress, loader->written, total);
	}
	if (rc == TABLE_OK && lines->ended)
		rc = loader_flush(loader);
	progress_end(&progress);
	if (rc == TABLE_OK && !lines->ended)
		complain("%.*s", STR_ARGS(why));
	arena_free(arena);
	if (rc != TABLE_OK)
		return table_failed(rc, loader->why);
	return lines->ended ? OUTCOME_DONE : OUTCOME_FAILED;
}

/* A table with content is written to only with --replace or --merge. */
static enum outcome
may_import(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	const char *warning;
	enum table_rc rc;
	bool has;

	if (option_given(in, "replace") != NULL || option_given(in, "merge") != NULL)
		return OUTCOME_DONE;
	rc = table_has_content(table, &call, &has);
	if (rc == TABLE_OK)
		rc = load_warning(table, &call, &warning);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (!has)
		return OUTCOME_DONE;
	if (warning != NULL)
		complain("%.*s: %s, with --merge to finish an import of the same file, or with "
			 "--replace",
		    STR_ARGS(store_name(&in->config, in->arena)), warning);
	else
		complain("%.*s has content already; --replace removes it, --merge adds to it",
		    STR_ARGS(store_name(&in->config, in->arena)));
	return OUTCOME_FAILED;
}

/* Some of the items have an older form: an export from before. */
static enum outcome
note_old(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	enum table_rc rc = format_set_carried(table, &call, false);
	enum outcome outcome = rc == TABLE_OK ? OUTCOME_DONE : table_failed(rc, call.why);

	table_release(table, &call);
	if (outcome == OUTCOME_DONE)
		warn("some items are of an older form: `broadsheet table upgrade` carries them over");
	return outcome;
}

static enum outcome
import_lines(
    struct invocation *in, struct table *table, struct json_lines *lines, struct key_set *keys)
{
	const struct load_mark mark = {
	    .now = clock_now(in->clock), .replaces = option_given(in, "replace") != NULL};
	enum outcome outcome = may_import(in, table);
	uint64_t removed = 0;
	struct loader loader;
	enum table_rc rc;
	char number[32];
	bool old = false;

	if (outcome != OUTCOME_DONE)
		return outcome;
	json_lines_rewind(lines);
	loader_begin(&loader, table);
	rc = loader_mark(&loader, LOAD_IMPORT, mark);
	if (rc == TABLE_OK) {
		outcome = write_lines(lines, &loader, keys->count, &old);
		if (outcome == OUTCOME_DONE && mark.replaces)
			rc = loader_remove_others(&loader, keys, &removed);
		if (outcome == OUTCOME_DONE && rc == TABLE_OK)
			rc = loader_unmark(&loader, LOAD_IMPORT, mark.replaces);
	}
	if (rc != TABLE_OK)
		outcome = table_failed(rc, loader.why);
	loader_end(&loader);
	if (outcome != OUTCOME_DONE)
		return outcome;
	printf("Wrote %s items\n", grouped(keys->count, number));
	if (removed != 0)
		printf("Removed %s that were not among them\n", grouped(removed, number));
	return old ? note_old(in, table) : OUTCOME_DONE;
}

/* Posts from a folder. */
static enum outcome
import_posts(struct invocation *in)
{
	enum outcome outcome;
	struct table *table;

	if (strcmp(in->arguments[0], "posts") != 0) {
		complain("import: \"%s\" is one argument too many: broadsheet import FILE, or "
			 "import posts DIR",
		    in->arguments[1]);
		return OUTCOME_USAGE;
	}
	if (option_given(in, "replace") != NULL) {
		complain(
		    "import posts: nothing is removed by it; --merge writes over what differs");
		return OUTCOME_USAGE;
	}
	outcome = open_store(in, TABLE_OPEN_CREATE, &table);
	if (outcome == OUTCOME_DONE && option_given(in, "dry-run") == NULL)
		outcome = note_format(in, table);
	if (outcome == OUTCOME_DONE)
		outcome = posts_import(in, table, in->arguments[1]);
	table_close(table);
	return outcome;
}

enum outcome
cmd_import(struct invocation *in)
{
	enum outcome outcome = OUTCOME_FAILED;
	struct table *table = NULL;
	struct key_set keys = {0};
	struct json_lines lines;
	struct str why;

	if (in->argument_count == 2)
		return import_posts(in);
	if (option_given(in, "author") != NULL || option_given(in, "dry-run") != NULL) {
		complain("import: --author and --dry-run are for import posts DIR");
		return OUTCOME_USAGE;
	}
	if (option_given(in, "replace") != NULL && option_given(in, "merge") != NULL) {
		complain("import: --replace and --merge exclude each other");
		return OUTCOME_USAGE;
	}
	if (!json_lines_open(&lines, in->arguments[0], in->arena, &why)) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_FAILED;
	}
	if (check_lines(&lines, &keys)) {
		outcome = open_store(in, TABLE_OPEN_CREATE, &table);
		if (outcome == OUTCOME_DONE)
			outcome = import_lines(in, table, &lines, &keys);
		table_close(table);
	}
	key_set_free(&keys);
	json_lines_close(&lines);
	return outcome;
}
