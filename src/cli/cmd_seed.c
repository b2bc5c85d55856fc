/*
 * broadsheet seed [DIR]: a small publication into an empty table.
 *
 * Everything is read, checked and rendered first. Only then does it write: so a mistake in a file leaves
 * the table as it was. The site's settings are written last of all.
 *
 * An interrupted seed is known by its mark (model/site/load.h) and finished by the next one, with the same times, so
 * that it writes the same items.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/posts.h"
#include "cli/seed.h"
#include "table/retry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const struct option seed_options[] = {
    {"replace", NULL, "remove all that the table holds; only the site's secret stays"},
    {"if-empty", NULL, "do nothing, and be content, when the table has content already"},
    {NULL},
};

static const char *
directory_of(const struct invocation *in)
{
	return in->argument_count != 0 ? in->arguments[0] : PKGDATADIR "/seed";
}

/* What was loaded, in words of the site's readers. */
static void
tell(const struct invocation *in, const struct seed *seed, uint64_t removed)
{
	const char *behind = "";
	char number[32];

	printf("Loaded %s items", grouped(seed->count, number));
	printf(" from %zu files into %.*s\n ", seed->files,
	    STR_ARGS(store_name(&in->config, in->arena)));
	for (enum item_kind i = 0; i < ITEM_KINDS; i++) {
		const struct kind *kind = &item_kinds[i];
		size_t count = kind->told.one[0] != '\0' ? seed_count(seed, i) : 0;

		if (count == 0)
			continue;
		printf("%s %zu %s", behind, count, count == 1 ? kind->told.one : kind->told.many);
		behind = ",";
	}
	printf("\n");
	if (removed != 0)
		printf("Removed %s items that were there before\n", grouped(removed, number));
}

/* Writes all items, the site's settings last; then removes the others, with --replace. */
static enum table_rc
write_seed(struct loader *loader, const struct seed *seed, struct load_mark mark, uint64_t *removed)
{
	struct progress progress = {.what = "seed", .unit = "items"};
	const struct item *last = NULL;
	enum table_rc rc = loader_mark(loader, LOAD_SEED, mark);

	*removed = 0;
	for (size_t i = 0; i < seed->count && rc == TABLE_OK; i++) {
		if (kind_is(&seed->items[i], ITEM_SITE))
			last = &seed->items[i];
		else
			rc = loader_put(loader, &seed->items[i]);
		progress_show(&progress, loader->written, seed->count);
	}
	if (rc == TABLE_OK && mark.replaces)
		rc = loader_remove_others(loader, &seed->keys, removed);
	if (rc == TABLE_OK && last != NULL)
		rc = loader_put(loader, last);
	if (rc == TABLE_OK)
		rc = loader_unmark(loader, LOAD_SEED, mark.replaces);
	progress_end(&progress);
	return rc;
}

/*
 * Brings the files of the seed's pictures, DIR/media, to where those of the site are. Without them the publication is
 * whole but for its pictures, as where another machine has the files.
 */
static void
bring_pictures(struct invocation *in, const struct seed *seed)
{
	const char *from = str_cstring(in->arena, str_fmt(in->arena, "%s/media", directory_of(in)));
	const char *to = str_cstring(in->arena, in->config.media);
	size_t copied;

	/* As the server makes it: files may be opened by name, whatever the umask, but not listed. */
	if (mkdir(to, 0711) == 0)
		chmod(to, 0711);
	for (size_t i = 0; i < seed->count; i++) {
		if (!kind_is(&seed->items[i], ITEM_MEDIA))
			continue;
		if (posts_copy_picture(
			in->arena, from, to, item_string(&seed->items[i], STR("Hash")), &copied))
			continue;
		warn("no pictures are loaded: %s: %s", to, strerror(errno));
		return;
	}
}

static enum outcome
load(struct invocation *in, struct table *table, const struct seed *seed, struct load_mark mark)
{
	enum outcome outcome;
	uint64_t removed = 0;
	struct loader loader;
	enum table_rc rc;

	bring_pictures(in, seed);
	loader_begin(&loader, table);
	rc = write_seed(&loader, seed, mark, &removed);
	outcome = rc == TABLE_OK ? OUTCOME_DONE : table_failed(rc, loader.why);
	loader_end(&loader);
	if (outcome == OUTCOME_DONE)
		tell(in, seed, removed);
	return outcome;
}

/*
 * May it be loaded? OUTCOME_DONE and *go on; otherwise the result of the command. `*mark` gets the
 * start of an interrupted load, from which times count.
 */
static enum outcome
may_load(struct invocation *in, struct table *table, int64_t now, struct load_mark *mark, bool *go)
{
	struct table_call call = {.arena = in->arena};
	bool replaces = option_given(in, "replace") != NULL;
	struct load_mark marks[LOADS];
	const char *warning = NULL;
	bool has = false;
	enum table_rc rc;

	*mark = (struct load_mark){.now = now, .replaces = replaces};
	*go = replaces;
	if (replaces)
		return OUTCOME_DONE;
	rc = table_has_content(table, &call, &has);
	if (rc == TABLE_OK)
		rc = load_marks(table, &call, marks);
	if (rc == TABLE_OK)
		rc = load_warning(table, &call, &warning);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (marks[LOAD_SEED].there && !marks[LOAD_SEED].replaces) {
		remark("a seed was interrupted: completing it");
		mark->now = marks[LOAD_SEED].now;
		*go = true;
	} else if (warning != NULL && has) {
		complain("%.*s: %s, or `broadsheet seed --replace`",
		    STR_ARGS(store_name(&in->config, in->arena)), warning);
		return OUTCOME_FAILED;
	}
	*go = *go || !has;
	if (*go)
		return OUTCOME_DONE;
	if (option_given(in, "if-empty") != NULL) {
		printf("Nothing loaded: %.*s has content already\n",
		    STR_ARGS(store_name(&in->config, in->arena)));
		return OUTCOME_DONE;
	}
	complain("%.*s has content already; --replace removes it",
	    STR_ARGS(store_name(&in->config, in->arena)));
	return OUTCOME_FAILED;
}

/* Reads the files; times in them are relative to `now`. */
static bool
read_files(struct invocation *in, int64_t now, struct seed *seed)
{
	struct str why;

	if (seed_read(in->arena, directory_of(in), now, in->config.origin, seed, &why))
		return true;
	complain("%.*s", STR_ARGS(why));
	return false;
}

enum outcome
cmd_seed(struct invocation *in)
{
	int64_t now = clock_now(in->clock);
	struct table *table = NULL;
	struct load_mark mark;
	enum outcome outcome;
	struct seed seed;
	bool go = false;

	if (!read_files(in, now, &seed)) {
		outcome = OUTCOME_FAILED;
		goto out;
	}
	outcome = open_store(in, TABLE_OPEN_CREATE, &table);
	if (outcome != OUTCOME_DONE)
		goto out;
	outcome = may_load(in, table, now, &mark, &go);
	if (outcome != OUTCOME_DONE || !go)
		goto out;
	if (mark.now != now) {
		seed_free(&seed);
		if (!read_files(in, mark.now, &seed)) {
			outcome = OUTCOME_FAILED;
			goto out;
		}
	}
	outcome = load(in, table, &seed, mark);
out:
	table_close(table);
	seed_free(&seed);
	return outcome;
}
