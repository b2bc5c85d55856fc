/*
 * bench/backlog [CHANGES...]: how much memory `broadsheet work` takes as a process of its own, and how long (docs/worker.md).
 *
 * The table is a file below TMPDIR (/tmp). So many changes (20,000, then 200,000) are put past the worker, comments on the
 * posts of the seed by its people; then it is started, and ended when nothing waits any more. At last the table gets items
 * of nearly 400 KB, whose HTML is old, and the worker has to make all of it anew. Shown is the most memory that it had at
 * any moment, of which what it has mapped of the table's file is a part. Wanted: under 60 MB, whatever waits.
 *
 *	script/build opt && script/build opt bench/backlog && build/opt/bench/backlog
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "derive/derivation.h"
#include "lib/paths.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/key_ranking.h"
#include "model/key_work.h"
#include "model/kinds.h"
#include "model/people/user.h"
#include "model/post/post.h"
#include "model/site/work.h"
#include "text/markdown.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	AT_ONCE = 500,
	KNOWN = 32,
	LARGE = 300,
	LARGE_BYTES = 190 * 1000,
	LOOK_NS = 20 * 1000 * 1000
};

extern char **environ;

struct site_data {
	struct seeded s;
	struct item *posts, *people;
	size_t post_count, people_count;
};

static struct item *
found(struct site_data *of, struct query query, size_t *count)
{
	struct table_call call = {.arena = of->s.arena};
	struct item *found;
	struct str next;

	query.limit = KNOWN;
	if (table_query(of->s.table, &call, &query, &found, count, &next) != TABLE_OK ||
	    *count == 0)
		bail_out("the seed can't be read");
	return found;
}

/* --- Changes ------------------------------------------------------------------------------------------ */

static struct item
comment(struct site_data *of, struct arena *arena, int64_t now, int number)
{
	const struct item *post = &of->posts[(size_t)number % of->post_count];
	const struct item *by = &of->people[(size_t)number / of->post_count % of->people_count];
	struct str on = item_string(post, STR("Id")),
		   id = id_make(arena, now + number, (uint32_t)number);
	struct item item = {0};

	key_set(arena, &item, key_comment(arena, on, id), ITEM_COMMENT);
	key_index_comment(arena, &item, item_string(by, STR("Username")), now, id, false);
	item_set(arena, &item, STR("Id"), value_string(id));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, now)));
	item_set(arena, &item, STR("Author"), value_string(item_string(by, STR("Username"))));
	item_set(arena, &item, STR("AuthorName"), value_string(STR("Somebody")));
	item_set(arena, &item, STR("Post"), value_string(on));
	item_set(arena, &item, STR("PostTitle"), value_string(item_string(post, STR("Title"))));
	item_set(arena, &item, STR("Markdown"), value_string(STR("The tide turns when it turns.")));
	item_set(
	    arena, &item, STR("HTML"), value_string(STR("<p>The tide turns when it turns.</p>\n")));
	item_set(arena, &item, STR("Renderer"), value_number(MARKDOWN_RENDERER));
	item_set(arena, &item, STR("Status"), value_string(STR("visible")));
	return item;
}

static void
put_comments(struct site_data *of, int count)
{
	int64_t now = clock_now(&of->s.clock);
	struct item items[AT_ONCE];

	for (int at = 0; at < count;) {
		struct arena *arena = arena_new();
		size_t some = 0;

		for (; some < AT_ONCE && at < count; at++)
			items[some++] = comment(of, arena, now, at);
		seeded_put(&of->s, items, some);
		arena_free(arena);
	}
}

/* The texts of posts, as large as an item may be, of an older version of the renderer. */
static void
put_large(struct site_data *of)
{
	static char text[LARGE_BYTES];

	for (int i = 0; i < LARGE_BYTES; i++)
		text[i] = (char)(i % 8 == 7 ? ' ' : 'a' + i % 26);
	for (int i = 0; i < LARGE; i++) {
		struct arena *arena = arena_new();
		struct str post = str_fmt(arena, "large-%d", i);
		struct item body = {0};

		key_set(arena, &body, key_post_body(arena, post), ITEM_BODY);
		item_set(
		    arena, &body, STR("Markdown"), value_string((struct str){text, sizeof(text)}));
		item_set(arena, &body, STR("HTML"), value_string((struct str){text, sizeof(text)}));
		item_set(arena, &body, STR("Renderer"), value_number(MARKDOWN_RENDERER - 1));
		item_set(arena, &body, STR("Revision"), value_number(1));
		seeded_put(&of->s, &body, 1);
		arena_free(arena);
	}
}

/* Whoever does not know how far it was makes all of it anew. */
static void
lose_position(struct site_data *of)
{
	struct table_call call = {.arena = of->s.arena};
	const struct change lost = {CHANGE_SET, STR("Position"), value_string(STR("nowhere"))};
	struct write write = {
	    .kind = WRITE_UPDATE, .key = key_work_state(), .changes = &lost, .change_count = 1};

	if (table_write(of->s.table, &call, &write) != TABLE_OK)
		bail_out("the position stays");
}

/* --- The worker --------------------------------------------------------------------------------------- */

/* Does anything follow from a change of this item? */
static bool
concerns(struct arena *arena, struct key key)
{
	const struct kind *kind = kind_of_key(key);

	for (size_t i = 0; i < derivation_count; i++)
		if (derivations[i].subject(arena, key, kind).len != 0)
			return true;
	return false;
}

/* Does anything wait that has consequences? */
static bool
waits(struct table *table, struct arena *arena, const struct work *work)
{
	struct table_call call = {.arena = arena};
	struct change_page page = {.count = 1, .next = work->state.position};

	if (work->rebuilding || work->state.position.len == 0)
		return true;
	while (page.count != 0) {
		struct str position = page.next;

		if (table_changes(table, &call, position, TABLE_CHANGES_MAX, &page) != TABLE_OK)
			return true;
		for (size_t i = 0; i < page.count; i++)
			if (concerns(arena, page.records[i].key))
				return true;
	}
	return false;
}

/* A line of /proc/PID/status, in MB. */
static double
memory(pid_t pid, const char *name)
{
	char path[64], line[256];
	FILE *file;
	double kb = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			kb = atof(line + strlen(name) + 1);
	if (file != NULL)
		fclose(file);
	return kb / 1024;
}

static pid_t
start(void)
{
	static char *const words[] = {"broadsheet", "work", NULL};
	posix_spawn_file_actions_t files;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, TOP_BUILDDIR "/broadsheet", &files, NULL, words, environ) != 0)
		bail_out("broadsheet work does not start");
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

/* Lets it work until nothing waits, and prints what that took. */
static void
work_off(struct site_data *of, const char *what)
{
	const struct timespec look = {.tv_nsec = LOOK_NS};
	int64_t begun = clock_micros(), was = 0, took;
	pid_t pid = start();
	bool more = true;
	double own = 0;
	struct work work;

	while (more) {
		struct arena *arena = arena_new();
		struct table_call call = {.arena = arena};
		double now = memory(pid, "RssAnon:");

		own = now > own ? now : own;
		nanosleep(&look, NULL);
		if (work_load(of->s.table, &call, &work) != TABLE_OK ||
		    waitpid(pid, NULL, WNOHANG) != 0)
			bail_out("the worker has ended");
		was = was != 0 ? was : work.state.handled;
		more = waits(of->s.table, arena, &work);
		arena_free(arena);
	}
	took = clock_micros() - begun;
	printf("%-28s %7" PRId64
	       " changes handled in %6.1f s, %5.1f MB at most, %5.1f MB of these its own\n",
	    what, work.state.handled - was, (double)took / 1e6, memory(pid, "VmHWM:"), own);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

static void
settings_of_the_program(struct site_data *of)
{
	struct str store =
	    STR_CONCAT(of->s.arena, STR("sqlite:"), str_of(of->s.store.folder), STR("/table.db"));

	setenv("BROADSHEET_STORE", str_cstring(of->s.arena, store), 1);
	setenv("BROADSHEET_ORIGIN", str_cstring(of->s.arena, SEEDED_ORIGIN), 1);
}

int
main(int argc, char **argv)
{
	static struct site_data of;
	static char *usual[] = {NULL, "20000", "200000"};
	char **counts = argc > 1 ? argv : usual;

	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("TMPDIR", "/tmp", 0);
	seeded_open(&of.s);
	of.s.clock = clock_system(); /* as the program has it */
	settings_of_the_program(&of);
	of.posts = found(&of, query_all_posts(), &of.post_count);
	of.people = found(&of, query_users(), &of.people_count);
	work_off(&of, "the seed");
	for (int i = 1; i < (argc > 1 ? argc : 3); i++) {
		put_comments(&of, atoi(counts[i]));
		work_off(&of, counts[i]);
	}
	put_large(&of);
	lose_position(&of);
	work_off(&of, "a rebuild, with large items");
	test_store_close(&of.s.store);
	return 0;
}
