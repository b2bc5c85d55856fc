/*
 * broadsheet export [FILE]: the whole table as JSON lines, one item a line, in the form that `broadsheet
 * import` and Amazon's tools read. On the embedded store it is a snapshot. What concerns this table alone, as leases do, and how
 * far its worker is, is left out, as in all copies.
 *
 * broadsheet export posts DIR: the posts as a folder of Markdown files; see posts_export.c.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/buf.h"
#include "cli/posts.h"
#include "model/site/load.h"
#include "model/site/move.h"
#include "cli/out_file.h"
#include "server/store.h"
#include "table/json.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Writes all items, and counts them. */
static enum outcome
write_items(struct table *table, struct arena *arena, FILE *to, uint64_t *count)
{
	struct progress progress = {.what = "export", .unit = "items"};
	enum outcome outcome = OUTCOME_DONE;
	enum table_rc rc;
	struct walk walk;
	bool more;

	walk_begin(&walk, table);
	while ((rc = walk_next(&walk, &more)) == TABLE_OK && more && !ferror(to)) {
		for (size_t i = 0; i < walk.page.count; i++) {
			struct buf line = {.arena = arena};

			if (move_skips(item_key(&walk.page.items[i])))
				continue;
			item_to_json(&line, &walk.page.items[i]);
			buf_putc(&line, '\n');
			fwrite(line.base, 1, line.len, to);
			++*count;
			arena_reset(arena);
		}
		progress_show(&progress, *count, 0);
	}
	progress_end(&progress);
	if (rc != TABLE_OK)
		outcome = table_failed(rc, walk.call.why);
	walk_end(&walk);
	return outcome;
}

static enum outcome
export_to_file(struct invocation *in, struct table *table, struct arena *arena, uint64_t *count)
{
	struct out_file out;
	enum outcome outcome;
	struct str why;

	if (!out_file_open(&out, in->arguments[0], in->arena, &why)) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_FAILED;
	}
	outcome = write_items(table, arena, out.stream, count);
	if (outcome != OUTCOME_DONE) {
		out_file_abandon(&out);
		return outcome;
	}
	if (out_file_commit(&out, &why))
		return OUTCOME_DONE;
	complain("%.*s", STR_ARGS(why));
	return OUTCOME_FAILED;
}

const struct option export_options[] = {
    {"merge", NULL, "posts: into a folder that has files; those of the same names are replaced"},
    {NULL},
};

enum outcome
cmd_export(struct invocation *in)
{
	bool posts = in->argument_count == 2;
	bool to_file = in->argument_count != 0 && strcmp(in->arguments[0], "-") != 0;
	struct arena *arena;
	enum outcome outcome;
	struct table *table;
	uint64_t count = 0;
	char number[32];

	if (posts && strcmp(in->arguments[0], "posts") != 0) {
		complain("export: \"%s\" is one argument too many: broadsheet export [FILE], or "
			 "export posts DIR",
		    in->arguments[1]);
		return OUTCOME_USAGE;
	}
	if (!posts && option_given(in, "merge") != NULL) {
		complain("export: --merge is for export posts DIR");
		return OUTCOME_USAGE;
	}
	outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
	if (outcome != OUTCOME_DONE)
		return outcome;
	if (posts) {
		outcome = posts_export(in, table, in->arguments[1]);
		table_close(table);
		return outcome;
	}
	arena = arena_new();
	outcome = to_file ? export_to_file(in, table, arena, &count)
			  : write_items(table, arena, stdout, &count);
	if (outcome == OUTCOME_DONE && to_file)
		printf("Wrote %s items to %s\n", grouped(count, number), in->arguments[0]);
	arena_free(arena);
	table_close(table);
	return outcome;
}
