/*
 * broadsheet copy FROM TO: the table of one store into another, whatever their engines.
 *
 * Copies page by page. Prints where to resume when it is interrupted, and now and then before, in
 * case it is killed. With --replace, items that the source does not have are removed last. In the
 * end both sides are read and compared.
 */
#include "cli/copy.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "model/site/load.h"
#include "model/site/move.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const struct option copy_options[] = {
    {"replace", NULL, "remove all else that TO holds; only the site's secret stays"},
    {"resume", "CURSOR", "go on where the copy ended that printed it"},
    {"follow", NULL, "then go on with what changes, until a signal, or a word hands over"},
    {"hand-over", NULL, "with --follow: hand the site over to TO as soon as it has caught up"},
    {NULL},
};

enum { TELL_MICROS = 10 * 1000 * 1000 };

struct copying {
	struct invocation *in;
	struct side from, to;
	struct arena *arena; /* of the cursor, until the next page */
	struct str cursor;   /* where to resume; empty: at the start, or all is done */
	int64_t told;        /* when the cursor was last printed, or the copy began */
	struct progress progress;
	bool stop;
};

/* --- The two sides -------------------------------------------------------------------------------- */

/* Parses a store as the setting of that name. */
static bool
read_side(struct invocation *in, const char *text, struct side *side)
{
	for (size_t i = 0; i < config_setting_count; i++) {
		const struct setting *setting = &config_settings[i];

		if (strcmp(setting->name, "store") != 0)
			continue;
		if (setting->read(in->arena, str_of(text), &side->config)) {
			side->name = store_name(&side->config, in->arena);
			return true;
		}
		complain("copy: \"%s\" is no store, but should be %s", text, setting->wanted);
	}
	return false;
}

/* Are both sides the same table? Can be found out only for files. */
static bool
is_one(const struct side *a, const struct side *b)
{
	struct stat of_a, of_b;

	if (str_eq(a->name, b->name))
		return true;
	return a->config.driver->is_file && b->config.driver->is_file &&
	       stat(a->config.store.base, &of_a) == 0 && stat(b->config.store.base, &of_b) == 0 &&
	       of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

enum outcome
open_side(struct invocation *in, enum table_open how, struct side *side)
{
	struct str why;

	if (command_store(in, &side->config, how, &side->table, &why) == TABLE_OK)
		return OUTCOME_DONE;
	complain("%.*s", STR_ARGS(why));
	return OUTCOME_TABLE;
}

/* A table with content is written to only with --replace or --resume. */
static enum outcome
may_copy(struct copying *c)
{
	struct table_call call = {.arena = c->in->arena};
	enum table_rc rc;
	bool has;

	if (option_given(c->in, "replace") != NULL || option_given(c->in, "resume") != NULL)
		return OUTCOME_DONE;
	rc = table_has_content(c->to.table, &call, &has);
	if (rc != TABLE_OK)
		return table_failed(rc, call.why);
	if (!has)
		return OUTCOME_DONE;
	complain(
	    "%.*s has content already; --replace removes it, --resume goes on with a copy that "
	    "was broken off",
	    STR_ARGS(c->to.name));
	return OUTCOME_FAILED;
}

/* --- Where to go on -------------------------------------------------------------------------------- */

/* A cursor is bytes; it is printed in base 64. */
static bool
read_cursor(struct copying *c)
{
	const char *text = option_given(c->in, "resume");
	unsigned char *bytes;
	size_t len = 0;

	if (text == NULL)
		return true;
	bytes = arena_alloc(c->in->arena, strlen(text) + 1);
	if (sodium_base642bin(bytes, strlen(text), text, strlen(text), NULL, &len, NULL,
		sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    len == 0) {
		complain("copy: --resume is not a cursor that a copy printed");
		return false;
	}
	c->cursor = (struct str){(const char *)bytes, len};
	return true;
}

static void
tell_cursor(const struct copying *c, const char *when)
{
	const int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
	size_t size = sodium_base64_encoded_len(c->cursor.len, variant);
	char *text = arena_alloc(c->in->arena, size);

	if (c->cursor.len == 0)
		return;
	sodium_bin2base64(
	    text, size, (const unsigned char *)c->cursor.base, c->cursor.len, variant);
	fprintf(stderr, "%sgo on with --resume %s\n", when, text);
}

/* Prints the cursor; the line stays, on a terminal too. */
static void
tell_now_and_then(struct copying *c)
{
	int64_t now = clock_micros();

	if (now - c->told < TELL_MICROS)
		return;
	c->told = now;
	progress_end(&c->progress);
	tell_cursor(c, "copy: if it is broken off, ");
}

/* --- The work --------------------------------------------------------------------------------------- */

static void
show(void *context, uint64_t items, struct str cursor)
{
	struct copying *c = context;

	arena_reset(c->arena);
	c->cursor = str_dup(c->arena, cursor);
	c->stop = interrupted();
	progress_show(&c->progress, items, 0);
	tell_now_and_then(c);
}

static void
show_compared(void *context, uint64_t items, struct str cursor)
{
	struct copying *c = context;

	(void)cursor;
	progress_show(&c->progress, items, 0);
}

static enum outcome
copy_items(struct copying *c)
{
	const struct copy copy = {.from = c->from.table,
	    .to = c->to.table,
	    .cursor = c->cursor,
	    .progress = show,
	    .context = c,
	    .stop = &c->stop,
	    .skip = move_skips};
	struct str why = {0};
	uint64_t items;
	enum table_rc rc;
	char number[32];

	c->progress = (struct progress){.what = "copy", .unit = "items"};
	c->told = clock_micros();
	rc = table_copy(&copy, c->in->arena, &items, &why);
	progress_end(&c->progress);
	if (rc == TABLE_BAD_CURSOR) {
		complain("copy: --resume is not a cursor of this table");
		return OUTCOME_USAGE;
	}
	if (rc != TABLE_OK) {
		complain("%.*s", STR_ARGS(why));
		tell_cursor(c, "");
		return c->stop || rc == TABLE_INVALID ? OUTCOME_FAILED : OUTCOME_TABLE;
	}
	printf("Copied %s items from %.*s to %.*s\n", grouped(items, number),
	    STR_ARGS(c->from.name), STR_ARGS(c->to.name));
	return OUTCOME_DONE;
}

/* Those of what is copied: what concerns the target alone goes, so that its worker begins anew. */
static enum table_rc
read_keys(struct table *table, struct key_set *keys, const char **why, struct arena *arena)
{
	enum table_rc rc;
	struct walk walk;
	bool more;

	walk_begin(&walk, table);
	while ((rc = walk_next(&walk, &more)) == TABLE_OK && more)
		for (size_t i = 0; i < walk.page.count; i++)
			if (!move_skips(item_key(&walk.page.items[i])))
				key_set_add(keys, item_key(&walk.page.items[i]), 0);
	if (rc != TABLE_OK && walk.call.why != NULL)
		*why = str_cstring(arena, str_of(walk.call.why));
	walk_end(&walk);
	return rc;
}

/* Removes from the target what the source does not hold. */
static enum outcome
remove_others(struct copying *c)
{
	enum outcome outcome = OUTCOME_DONE;
	struct key_set keys = {0};
	const char *why = NULL;
	uint64_t places[2], removed = 0;
	struct loader loader;
	enum table_rc rc;
	char number[32];

	loader_begin(&loader, c->to.table);
	rc = read_keys(c->from.table, &keys, &why, c->in->arena);
	if (rc == TABLE_OK) {
		/* A key that was written meanwhile may be read twice, and counts once. */
		(void)key_set_seal(&keys, places);
		rc = loader_remove_others(&loader, &keys, &removed);
		why = loader.why;
	}
	if (rc != TABLE_OK)
		outcome = table_failed(rc, why);
	else if (removed != 0)
		printf("Removed %s that were not among them\n", grouped(removed, number));
	loader_end(&loader);
	key_set_free(&keys);
	return outcome;
}

static enum outcome
sum_side(struct copying *c, struct side *side)
{
	struct str why = {0};
	enum table_rc rc;

	c->progress = (struct progress){.what = "comparing", .unit = "items"};
	rc = table_sum(side->table, move_skips, show_compared, c, c->in->arena, &side->sum, &why);
	progress_end(&c->progress);
	if (rc == TABLE_OK)
		return OUTCOME_DONE;
	complain("%.*s: %.*s", STR_ARGS(side->name), STR_ARGS(why));
	return OUTCOME_TABLE;
}

static void
show_sum(struct arena *arena, const struct side *side)
{
	char items[32], bytes[32];

	printf("%.*s  %s items, %s bytes  %.*s\n", STR_ARGS(table_sum_text(arena, &side->sum)),
	    grouped(side->sum.items, items), grouped(side->sum.bytes, bytes), STR_ARGS(side->name));
}

static enum outcome
compare(struct copying *c)
{
	enum outcome outcome = sum_side(c, &c->from);

	if (outcome == OUTCOME_DONE)
		outcome = sum_side(c, &c->to);
	if (outcome != OUTCOME_DONE)
		return outcome;
	show_sum(c->in->arena, &c->from);
	show_sum(c->in->arena, &c->to);
	if (table_sum_eq(&c->from.sum, &c->to.sum)) {
		printf("Both hold the same\n");
		return OUTCOME_DONE;
	}
	complain("the two tables differ: somebody wrote meanwhile, or the target held more; "
		 "copy again with --replace while nobody writes");
	return OUTCOME_FAILED;
}

static enum outcome
copy_all(struct copying *c)
{
	enum outcome outcome = open_side(c->in, TABLE_OPEN_EXISTING, &c->from);

	if (outcome == OUTCOME_DONE)
		outcome = open_side(c->in, TABLE_OPEN_CREATE, &c->to);
	if (outcome == OUTCOME_DONE && option_given(c->in, "follow") != NULL) {
		outcome = copy_follow(c->in, &c->from, &c->to);
		goto close;
	}
	if (outcome == OUTCOME_DONE)
		outcome = may_copy(c);
	if (outcome == OUTCOME_DONE)
		outcome = copy_items(c);
	/* What follows can be repeated at any time, and needs no cursor. */
	if (outcome == OUTCOME_DONE && finish_output())
		interrupt_release();
	if (outcome == OUTCOME_DONE && option_given(c->in, "replace") != NULL)
		outcome = remove_others(c);
	if (outcome == OUTCOME_DONE)
		outcome = compare(c);
close:
	table_close(c->to.table);
	table_close(c->from.table);
	return outcome;
}

enum outcome
cmd_copy(struct invocation *in)
{
	struct copying c = {.in = in};
	enum outcome outcome;

	if (!read_side(in, in->arguments[0], &c.from) || !read_side(in, in->arguments[1], &c.to) ||
	    !read_cursor(&c))
		return OUTCOME_USAGE;
	if (option_given(in, "follow") == NULL ? option_given(in, "hand-over") != NULL
					       : option_given(in, "resume") != NULL) {
		complain("copy: --follow goes on by itself, without --resume, and --hand-over needs it");
		return OUTCOME_USAGE;
	}
	if (is_one(&c.from, &c.to)) {
		complain("copy: both stores are the same table");
		return OUTCOME_USAGE;
	}
	c.arena = arena_new();
	/* Before the tables have threads, so that these block the signals as well. */
	interrupt_hold();
	if (option_given(in, "follow") != NULL)
		interrupt_hold_word();
	outcome = copy_all(&c);
	finish_output();
	interrupt_release();
	arena_free(c.arena);
	return outcome;
}
