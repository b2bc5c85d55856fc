/*
 * The power is cut while the stream worker works, on the embedded table. What it derives waits for no sync, its position does: so
 * whatever is lost is derived again. At hundreds of moments the table is left as a power cut could leave it: what people were
 * told is stored is there, and a worker that goes on from the position that is left makes of it what a rebuild makes.
 * And no letter is sent before the table knows, for good, that it is.
 */
#include "t/derive/worker.h"
#include "t/table/power_cut.h"

#include "derive/letters.h"
#include "derive/sender.h"
#include "model/key.h"
#include "model/key_outbox.h"
#include "model/key_ranking.h"
#include "model/key_work.h"
#include "model/kinds.h"
#include "table/sqlite/sqlite.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum {
	PEOPLE_MAX = 12,
	ACTS = 60,      /* of people, meanwhile */
	ACT_EVERY = 3,  /* derived writes */
	CUT_EVERY = 11, /* the same */
	CUTS_MAX = 24,
	TIMEOUT_MS = 120 * 1000,
};

/* What a power cut has left, and what people were told before it. */
struct left {
	char path[128];
	int told[PEOPLE_MAX]; /* the number of each one's last name */
};

static struct {
	struct seeded s;
	struct table_engine engine;
	const struct table_engine *inner;
	pthread_mutex_t lock;
	struct str people[PEOPLE_MAX];
	size_t people_count;
	int told[PEOPLE_MAX];
	unsigned derived, lossy;
	int acts;
	struct left cuts[CUTS_MAX];
	size_t cut_count;
} test = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- Meanwhile ---------------------------------------------------------------------------------------- */

static void
find_people(void)
{
	struct table_call call = {.arena = test.s.arena};
	struct query query = query_users();
	struct item *found;
	struct str next;

	query.limit = PEOPLE_MAX;
	if (table_query(test.s.table, &call, &query, &found, &test.people_count, &next) !=
		TABLE_OK ||
	    test.people_count == 0)
		bail_out("the seed can't be read");
	for (size_t i = 0; i < test.people_count; i++)
		test.people[i] = str_dup(test.s.arena, item_string(&found[i], STR("Username")));
}

/* Somebody takes another name, and is told that it is stored. */
static void
rename_one(void)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	size_t who = (size_t)test.acts % test.people_count;
	const struct change change = {
	    CHANGE_SET, STR("DisplayName"), value_string(str_fmt(arena, "Name %d", ++test.acts))};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_user(arena, test.people[who]),
	    .changes = &change,
	    .change_count = 1};

	if (table_write(test.s.table, &call, &write) != TABLE_OK)
		bail_out("a name is not written");
	test.told[who] = test.acts;
	arena_free(arena);
}

static void
cut(void)
{
	struct left *left = &test.cuts[test.cut_count];

	snprintf(
	    left->path, sizeof(left->path), "%s/left%zu.db", test.s.store.folder, test.cut_count);
	for (size_t i = 0; i < PEOPLE_MAX; i++)
		left->told[i] = test.told[i];
	test.lossy += power_cut(left->path);
	test.cut_count++;
}

/* After each write that is derived, in whichever thread. */
static enum table_rc
write_and_more(struct table *table, struct table_call *call, struct write *write)
{
	enum table_rc rc = test.inner->write(table, call, write);

	if (!call->can_be_lost)
		return rc;
	pthread_mutex_lock(&test.lock);
	test.derived++;
	if (test.derived % ACT_EVERY == 0 && test.acts < ACTS)
		rename_one();
	if (test.derived % CUT_EVERY == 0 && test.cut_count < CUTS_MAX)
		cut();
	pthread_mutex_unlock(&test.lock);
	return rc;
}

/* --- Afterwards --------------------------------------------------------------------------------------- */

static struct table *
open_left(const char *path)
{
	struct arena *arena = arena_new();
	struct table *table;
	struct str why;

	if (table_sqlite_open(path, TABLE_OPEN_EXISTING, &test.s.clock, arena, &table, &why) !=
	    TABLE_OK)
		bail_out("after a power cut: %.*s", STR_ARGS(why));
	table->deadline_ms = TIMEOUT_MS;
	table->unseen = kind_unseen;
	arena_free(arena);
	return table;
}

static void
remove_left(const char *path)
{
	static const char *const ends[] = {"", "-wal", "-shm", "-lock"};

	for (size_t i = 0; i < 4; i++) {
		char file[160];

		snprintf(file, sizeof(file), "%s%s", path, ends[i]);
		unlink(file);
	}
}

/* Whoever had the lease is gone. */
static void
free_lease(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct write free = {.kind = WRITE_DELETE, .key = key_lease(STR("stream"))};

	if (table_write(s->table, &call, &free) != TABLE_OK)
		bail_out("the lease stays");
}

static bool
keeps_names(struct seeded *s, const struct left *left)
{
	bool kept = true;

	for (size_t i = 0; i < test.people_count; i++) {
		struct item *item = stored(s, key_user(s->arena, test.people[i]));
		struct str number, name = item_string(item, STR("DisplayName"));
		int64_t n = 0;

		if (left->told[i] == 0)
			continue;
		(void)str_cut(name, ' ', &number);
		kept = kept && str_int(number, &n) && n >= left->told[i];
	}
	return kept;
}

static void
works_on(void)
{
	struct stream_worker *w = worker_of(test.s.table);
	bool kept = true, same = true;

	find_people();
	work(&test.s);
	test.inner = test.s.table->engine;
	test.engine = *test.inner;
	test.engine.write = write_and_more;
	test.s.table->engine = &test.engine;
	power_watch(str_fmt(test.s.arena, "%s/table.db", test.s.store.folder).base);
	rename_one();
	while (stream_worker_turn(w) != STREAM_IDLE)
		;
	stream_worker_close(w);
	test.s.table->engine = test.inner;
	ok(test.cut_count > CUTS_MAX / 2, "the power was cut while it worked, %zu times",
	    test.cut_count);
	ok(test.lossy > 0, "... and took something with it, %u times", test.lossy);
	for (size_t i = 0; i < test.cut_count; i++) {
		struct seeded left = test.s;

		left.table = open_left(test.cuts[i].path);
		kept = keeps_names(&left, &test.cuts[i]) && kept;
		free_lease(&left);
		work(&left);
		same = differences(&left) == 0 && same;
		table_close(left.table);
		remove_left(test.cuts[i].path);
	}
	ok(kept, "what people were told is stored is there");
	ok(same, "... and what was derived of it is there, or is derived again");
}

/* --- Letters ------------------------------------------------------------------------------------------ */

static char letter_path[128];
static unsigned sent;

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	if (!mail->watch->hand(mail->watch)) {
		mail->watch->end = MAIL_STOPPED;
		return "it was stopped";
	}
	(void)power_cut(letter_path);
	mail->watch->end = MAIL_SENT;
	sent++;
	return NULL;
}

static void
send_all(const struct sender_options *options)
{
	struct sender *sender = sender_open(options);

	while (sender_turn(sender) == SENDER_WORKED)
		;
	sender_close(sender);
}

static void
sends_once(void)
{
	static const struct mail_transport transport = {.send = send_letter};
	static const struct secrets secrets = {.count = 1};
	static const struct log quiet = {.fd = -1, .level = LOG_ERROR};
	const struct letter letter = {.to = letter_to_member(test.s.arena, STR("noor")),
	    .what = STR("week"),
	    .thing = STR("1"),
	    .made = clock_now(&test.s.clock)};
	struct sender_options options = {.table = test.s.table,
	    .log = &quiet,
	    .transport = &transport,
	    .secrets = &secrets,
	    .site = SEEDED_ORIGIN,
	    .lease_ms = 1000};
	struct table_call call = {.arena = test.s.arena, .can_be_lost = true};
	size_t added;

	snprintf(letter_path, sizeof(letter_path), "%s/letter.db", test.s.store.folder);
	send_all(&options); /* what the worker has added */
	sent = 0;
	if (outbox_add(test.s.table, &call, &letter, 1, letter.made, false, &added) != TABLE_OK ||
	    added != 1)
		bail_out("a letter is not added");
	send_all(&options);
	is_int(sent, 1, "a letter is sent");
	options.table = open_left(letter_path);
	if (table_write(options.table, &call,
		&(struct write){.kind = WRITE_DELETE, .key = key_lease(STR("mail"))}) != TABLE_OK)
		bail_out("the lease stays");
	send_all(&options);
	table_close(options.table);
	remove_left(letter_path);
	is_int(sent, 1, "... and not again when the power is cut in that moment");
}

int
main(void)
{
	seeded_open(&test.s);
	if (test.s.store.name[0] != '\0') {
		seeded_close(&test.s);
		puts("1..0 # SKIP the power of a service is not ours");
		return 0;
	}
	works_on();
	sends_once();
	seeded_close(&test.s);
	return tap_done();
}
