/*
 * The embedded table's files removed or replaced while it is in use: nothing is acknowledged that
 * would be lost, the operator is told once, reads continue, and the file at the path is valid in
 * the end.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "spell.h"
#include "sqlite_harness.h"
#include "table/sqlite/sqlite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct lost {
	struct sqlite_place place;
	struct clock clock;
	struct arena *arena;
	struct table *table;
	struct table_call call;
	char path[128], aside[128]; /* of the file that is moved, and where it is moved */
	unsigned told;
	char last[1024];
};

static void
hear(void *context, struct str sentence)
{
	struct lost *l = context;

	l->told++;
	snprintf(l->last, sizeof(l->last), "%.*s", STR_ARGS(sentence));
}

static enum table_rc
put(struct lost *l, const char *name)
{
	const char *text =
	    str_cstring(l->arena, str_fmt(l->arena, "{PK: 'P', SK: '%s', Word: 'there'}", name));

	l->call.why = NULL;
	l->call.unsure = false;
	return table_put(l->table, &l->call, unspell_item(l->arena, text));
}

/* "yes", "no", or how it could not be read. */
static const char *
has(struct lost *l, const char *name)
{
	struct item *item;
	enum table_rc rc =
	    table_get(l->table, &l->call, (struct key){STR("P"), str_of(name)}, &item);

	return rc != TABLE_OK ? spell_rc(rc) : item != NULL ? "yes" : "no";
}

static void
open_it(struct lost *l)
{
	l->table = sqlite_place_open(&l->place, &l->clock);
	if (l->table == NULL)
		bail_out("no table");
	l->table->tell = hear;
	l->table->tell_context = l;
}

static void
begin(struct lost *l, const char *end)
{
	*l = (struct lost){.clock = clock_system(), .arena = arena_new()};
	l->call.arena = l->arena;
	sqlite_place_make(&l->place);
	snprintf(l->path, sizeof(l->path), "%s%s", l->place.path, end);
	snprintf(l->aside, sizeof(l->aside), "%s/aside", l->place.folder);
	open_it(l);
	is_int(put(l, "before"), TABLE_OK, "a write before");
	ok(strcmp(has(l, "before"), "yes") == 0, "a read before");
}

static void
finish(struct lost *l)
{
	table_close(l->table);
	sqlite_place_remove(&l->place);
	arena_free(l->arena);
}

/* One file gone, with or without another in its place; then it is put back. */
static void
one_file(const char *end, const char *other)
{
	struct lost l;

	printf("# %s, %s\n", end[0] != '\0' ? end : "the file itself",
	    other != NULL ? "replaced" : "removed");
	begin(&l, end);
	if (rename(l.path, l.aside) != 0)
		bail_out("%s can't be moved", l.path);
	if (other != NULL) {
		FILE *file = fopen(l.path, "w");

		if (file == NULL || fputs(other, file) < 0)
			bail_out("%s can't be written", l.path);
		fclose(file);
	}
	is_int(put(&l, "during"), TABLE_UNAVAILABLE, "a write is refused");
	ok(!l.call.unsure, "and surely not made");
	ok(l.call.why != NULL && strstr(l.call.why, l.path) != NULL,
	    "the reason names the file: %s", l.call.why);
	is_int(put(&l, "again"), TABLE_UNAVAILABLE, "so is the next");
	is_int(l.told, 1, "the operator is told once: %s", l.last);
	ok(strcmp(has(&l, "before"), "yes") == 0, "readers read on");
	if (rename(l.aside, l.path) != 0)
		bail_out("%s can't be put back", l.path);
	is_int(put(&l, "after"), TABLE_OK, "once it is back, writes go on");
	is_int(l.told, 2, "and that is told: %s", l.last);
	ok(strcmp(has(&l, "during"), "no") == 0, "what was refused is not there");
	table_close(l.table);
	open_it(&l);
	ok(strcmp(has(&l, "before"), "yes") == 0, "opened anew, the first write is there");
	ok(strcmp(has(&l, "after"), "yes") == 0, "and the last");
	finish(&l);
}

/*
 * A backup moved over the file of a table in use, and a start after it: an operator's restore by
 * hand.
 */
static void
backup_over_it(void)
{
	struct lost l;
	struct str why = STR("");
	char backup[128];

	printf("# a backup is moved over the file\n");
	begin(&l, "");
	snprintf(backup, sizeof(backup), "%s/backup", l.place.folder);
	is_int(table_sqlite_backup(l.table, backup, NULL, l.arena, &why), TABLE_OK, "a backup");
	for (int i = 0; i < 200; i++)
		if (put(&l, str_cstring(l.arena, str_fmt(l.arena, "later-%03d", i))) != TABLE_OK)
			bail_out("no write");
	if (rename(backup, l.path) != 0)
		bail_out("the backup can't be moved");
	is_int(put(&l, "during"), TABLE_UNAVAILABLE, "a write is refused");
	table_close(l.table);
	open_it(&l);
	is_int(table_sqlite_check(l.table, l.arena, &why), TABLE_OK,
	    "then the backup is sound: %.*s", STR_ARGS(why));
	ok(strcmp(has(&l, "before"), "yes") == 0, "and has what it had");
	ok(strcmp(has(&l, "later-100"), "no") == 0, "and nothing of the other's log");
	is_int(put(&l, "after"), TABLE_OK, "and takes writes");
	finish(&l);
}

/* What is missing is never made unasked. */
static void
unasked(void)
{
	struct lost l;
	struct str why = STR("");
	FILE *file;

	printf("# opened where there is none\n");
	begin(&l, "");
	ok(l.table->made, "who makes it is told so");
	table_close(l.table);
	open_it(&l);
	ok(!l.table->made, "who opens it again is not");
	table_close(l.table);
	rename(l.path, l.aside);
	is_int(table_sqlite_open(l.path, TABLE_OPEN_EXISTING, &l.clock, l.arena, &l.table, &why),
	    TABLE_UNAVAILABLE, "a missing file is not made: %.*s", STR_ARGS(why));
	ok(access(l.path, F_OK) != 0, "and nothing stands there");
	file = fopen(l.path, "w");
	if (file != NULL)
		fclose(file);
	is_int(table_sqlite_open(l.path, TABLE_OPEN_EXISTING, &l.clock, l.arena, &l.table, &why),
	    TABLE_UNAVAILABLE, "nor is an empty file made one: %.*s", STR_ARGS(why));
	finish(&l);
}

int
main(void)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-lock"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		one_file(ends[i], NULL);
		one_file(ends[i], "something else");
	}
	backup_over_it();
	unasked();
	return tap_done();
}
