/*
 * The stream with several shards: lineage, splitting and merging, lost records and shards, expired
 * iterators. The server is t/fault/streams.js, which the test instructs.
 */
#include "child.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "table/dynamo/dynamo.h"
#include "lib/paths.h"

/* A busy machine is no failure. */
enum { TIMEOUT_MS = 120 * 1000, HOUR_MS = 60 * 60 * 1000, DAY_MS = 24 * HOUR_MS };

struct place {
	struct child server;
	struct clock clock;
	struct arena *arena;
	struct table *table;
	struct str position;
};

/* Sends the server lines, separated by semicolons; returns its answer to the last one. */
static const char *
tell(struct place *p, const char *lines)
{
	static char answer[100];
	struct str line, rest = str_of(lines);

	while (rest.len != 0) {
		line = str_trim(str_cut(rest, ';', &rest));
		fprintf(p->server.in, "%.*s\n", STR_ARGS(line));
		fflush(p->server.in);
		if (!child_line(&p->server, answer, sizeof(answer)) ||
		    strncmp(answer, "ok", 2) != 0)
			bail_out("the server does not obey: %.*s", STR_ARGS(line));
	}
	return answer;
}

static void
open_again(struct place *p)
{
	struct str why = STR("");

	table_close(p->table);
	if (table_dynamo_open(STR("stream"), &p->clock, p->arena, &p->table, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	p->table->deadline_ms = TIMEOUT_MS;
}

/* A stream of its own for each part of the test. */
static void
begin(struct place *p, const char *label, const char *lines)
{
	tell(p, str_fmt(p->arena, "label %s", label).base);
	for (const char *id = "ABCDEFG"; *id != '\0'; id++)
		tell(p, str_fmt(p->arena, "drop %c", *id).base);
	tell(p, lines);
	open_again(p);
	p->position = STREAM_OLDEST;
}

/* Reads on from the position: the sort keys that come, in their order, in pages of `limit`. */
static struct str
read_on(struct place *p, uint32_t limit, enum table_rc *rc)
{
	struct buf seen = {.arena = p->arena};
	unsigned empty = 0;

	/* A page may be empty though more follows: a shard was left for its children. */
	while (empty < 4) {
		struct table_call call = {.arena = p->arena};
		struct change_page page;

		*rc = table_changes(p->table, &call, p->position, limit, &page);
		if (*rc != TABLE_OK)
			break;
		for (size_t i = 0; i < page.count; i++)
			buf_fmt(&seen, "%s%.*s", seen.len != 0 ? " " : "",
			    STR_ARGS(page.records[i].key.sk));
		empty = page.count == 0 ? empty + 1 : 0;
		p->position = page.next;
	}
	return buf_str(&seen);
}

static void
gives(struct place *p, uint32_t limit, const char *wanted, const char *sentence)
{
	enum table_rc rc;
	struct str seen = read_on(p, limit, &rc);

	is_str(seen, str_of(wanted), "%s", sentence);
	is_int(rc, TABLE_OK, "... without a complaint");
}

/* Reads one page of one record, from the first shard whose turn it is. */
static void
gives_one(struct place *p, const char *wanted, const char *sentence)
{
	struct table_call call = {.arena = p->arena};
	struct change_page page = {0};
	enum table_rc rc = table_changes(p->table, &call, p->position, 1, &page);

	if (!ok(rc == TABLE_OK && page.count == 1, "%s", sentence))
		return;
	is_str(page.records[0].key.sk, str_of(wanted), "... is %s", wanted);
	p->position = page.next;
}

static void
is_trimmed(struct place *p, const char *sentence)
{
	enum table_rc rc;

	read_on(p, 10, &rc);
	is_int(rc, TABLE_TRIMMED, "%s", sentence);
}

static void
lineage(struct place *p)
{
	static const uint32_t limits[] = {1, 2, 100};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		begin(p, "2026-11-18T09:30:00.001",
		    "shard A; put A a1; put A b1; put A a2; close A;"
		    "shard B A; put B a3; put B a4; close B; shard D B; put D a5");
		gives(p, limits[i], "a1 b1 a2 a3 a4 a5",
		    "a shard, its child and its grandchild come in order");
	}
	begin(p, "2026-11-18T09:30:00.002",
	    "shard A; put A a1; put A b1; close A; shard B A; shard C A; put C b2; put B a2");
	gives(p, 100, "a1 b1 a2 b2", "what is in two children comes behind their parent");
	begin(p, "2026-11-18T09:30:00.003", "shard B A; put B a2; shard C B; put C a3; close B");
	gives(p, 100, "a2 a3", "a shard whose parent has gone is a beginning");
}

static void
resharding(struct place *p)
{
	begin(p, "2026-11-18T09:30:00.004", "shard A; put A a1");
	gives(p, 100, "a1", "from an open shard");
	tell(p, "put A a2; put A b1");
	gives(p, 100, "a2 b1", "... comes what is added");
	tell(p, "put A a3; close A; shard B A; put B a4; shard C A; put C b2");
	gives(p, 1, "a3 a4 b2", "... and, when it splits, the rest of it before its children");
	tell(p, "put B a5; close B; put C b3; close C; shard D B; shard E C; put E b4; put D a6");
	gives(p, 100, "a5 b3 a6 b4", "... and so when these end");
	open_again(p);
	tell(p, "put D a7; close D; shard F D; put F a8");
	gives(p, 100, "a7 a8", "another process goes on where this one was");
	tell(p, "drop A; drop B; drop C; drop D; put F a9; put E b5");
	gives(p, 100, "b5 a9", "shards that are read and gone are missed by nobody");
}

static void
trimmed(struct place *p)
{
	begin(p, "2026-11-18T09:30:00.005", "shard A; put A a1; put A a2; put A a3; put A a4");
	gives(p, 2, "a1 a2 a3 a4", "all is read");
	tell(p, "put A a5; put A a6; trim A 4");
	open_again(p);
	gives(p, 10, "a5 a6", "what is trimmed was read already: nothing is lost");
	tell(p, "put A a7; put A a8; trim A 4");
	open_again(p);
	is_trimmed(p, "what is trimmed was not read: so it is told");
	p->position = STREAM_OLDEST;
	tell(p, "put A a9");
	gives(p, 10, "a9", "from the oldest on it goes again");
	tell(p, "put A a10; shard B; put B b1; drop A");
	open_again(p);
	is_trimmed(p, "a shard that has gone before it was read is told, too");
	begin(p, "2026-11-18T09:30:00.006", "shard A; put A a1");
	gives(p, 10, "a1", "a stream");
	tell(p, "label 2026-11-19T09:30:00.000");
	open_again(p);
	is_trimmed(p, "that was switched off and on again is another");
}

/* Records that were never read can be lost as well. */
static void
trimmed_unread(struct place *p)
{
	static const char splitting[] = "shard A; put A a1; close A; shard B A; shard C A;"
					"put B b1; put B b2; put C c1; put C c2";

	begin(p, "2026-11-18T09:30:00.008", splitting);
	gives_one(p, "a1", "the first record");
	gives_one(p, "b1", "the next, from one of two children,");
	open_again(p);
	gives(p, 10, "c1 c2 b2", "the other one is read from its beginning");
	begin(p, "2026-11-18T09:30:00.009", splitting);
	gives_one(p, "a1", "the first record");
	gives_one(p, "b1", "the next, from one of two children,");
	tell(p, "trim C 1");
	open_again(p);
	is_trimmed(p, "a child that lost records before anything of it was read is told");

	begin(p, "2026-11-18T09:30:00.013",
	    "shard A; put A a1; shard B; put B b1; put B b2; put B b3; trim B 1; shard C; close C");
	gives_one(
	    p, "a1", "of three shards without parents, one has lost records: from the oldest");
	open_again(p);
	gives(p, 10, "b2 b3", "... the rest comes");
	begin(p, "2026-11-18T09:30:00.014", "shard A; put A a1; shard B; put B b1; put B b2");
	gives_one(p, "a1", "the first record of one of two shards");
	tell(p, "trim B 1");
	open_again(p);
	is_trimmed(
	    p, "one without a parent that lost records before anything of it was read is told");
	begin(p, "2026-11-18T09:30:00.015", "shard A; put A a1; close A");
	gives(p, 10, "a1", "all of a shard");
	tell(p, "drop A");
	gives(p, 10, "", "it goes");
	tell(p, "shard B; put B b1; put B b2; trim B 1");
	is_trimmed(
	    p, "what lost records before anything of it was read is told, when all else has gone");
	begin(p, "2026-11-18T09:30:00.010", "shard A; put A a1; close A");
	gives(p, 10, "a1", "all of a shard");
	tell(p, "shard B A; put B a2; drop A");
	gives(p, 10, "a2", "its child is read, though it has gone itself");
	tell(p, "close B");
	gives(p, 10, "", "it comes to its end");
	tell(p, "shard C B; put C a3; close C; shard D C; put D a4; drop B; drop C");
	open_again(p);
	is_trimmed(p, "a shard that has come and gone unread is told");
	begin(p, "2026-11-18T09:30:00.012",
	    "shard A; put A a1; close A; shard B A; put B a2; close B; shard C B; shard D; put D "
	    "d1");
	gives(p, 10, "a1 d1 a2", "where one shard of two has a child and a grandchild");
	tell(p, "drop A; close D; put C a3");
	gives(p, 10, "a3", "... and the other one comes to its end without any");
	tell(p, "drop D; put C a4");
	gives(p, 10, "a4", "... and goes, nothing of the first is missed");
	tell(p, "strict");
	begin(p, "2026-11-18T09:30:00.011", "shard A; put A a1; close A; shard B A");
	gives(p, 10, "a1", "where a reading may not begin at a number that no record has,");
	tell(p, "put B a2");
	gives(p, 10, "a2", "... a child is read all the same");
}

/* The position is at that place of a shard, `%lld` being a time some milliseconds ago. */
static void
stand_at(struct place *p, const char *label, const char *format, int64_t ago)
{
	p->position = str_fmt(p->arena, "%s;", label);
	p->position = STR_CONCAT(p->arena, p->position,
	    str_fmt(p->arena, format, (long long)(clock_now(&p->clock) - ago)));
	open_again(p);
}

/* Did the position's only place get a time after its `-`, and how long ago is that? -1: none. */
static int64_t
stamped(struct place *p)
{
	struct str rest = STR(""), at = p->position;
	int64_t since;

	while (at.len != 0 && !str_starts(at, STR(" -")))
		at = str_sub(at, 1, at.len);
	at = str_cut(at, ';', &rest);
	return at.len > 2 && str_int(str_sub(at, 2, at.len), &since) ? clock_now(&p->clock) - since
								     : -1;
}

/* Where nothing has come yet, what comes can still be lost. */
static void
trimmed_empty(struct place *p)
{
	static const char label[] = "2026-11-18T09:30:00.016";
	struct str before;

	begin(p, label, "shard A");
	gives(p, 10, "", "a shard without records");
	ok(stamped(p) >= 0 && stamped(p) < HOUR_MS,
	    "... is left with the time at which it had none;");
	before = p->position;
	gives(p, 10, "", "... read again soon");
	is_str(p->position, before, "... it keeps that time, and its iterator,");
	stand_at(p, label, "A -%lld", 2 * HOUR_MS);
	gives(p, 10, "", "... and later");
	ok(stamped(p) >= 0 && stamped(p) < HOUR_MS, "... it gets another one");
	stand_at(p, label, "A -%lld", DAY_MS + HOUR_MS);
	is_trimmed(
	    p, "a day later, in another process, nobody knows what it had meanwhile: it is told");
	tell(p, "put A a1; put A a2");
	stand_at(p, label, "A -%lld", 23 * HOUR_MS);
	gives(p, 10, "a1 a2", "within the day all that it has had since its beginning comes,");
	stand_at(p, label, "A -", 0);
	gives(p, 10, "a1 a2", "... and from a place without a time");
	begin(p, "2026-11-18T09:30:00.017", "shard A; put A a1; shard B");
	gives_one(p, "a1", "where one of two shards has a record");
	ok(stamped(p) >= 0, "... the other one, which waits for its turn, has the time as well");
	tell(p, "put B b1");
	gives(p, 10, "b1", "... and gives what it is given");
}

static void
now_and_iterators(struct place *p)
{
	struct table_call call = {.arena = p->arena};
	struct change_page page;
	int before;

	begin(p, "2026-11-18T09:30:00.007", "shard A; put A a1; close A; shard B A; put B a2");
	p->position = STR("2026-11-18T09:30:00.007;B @1000");
	is_trimmed(p, "what has come since more than a day ago may have gone: it is told");
	is_int(table_changes(p->table, &call, STREAM_NOW, 10, &page), TABLE_OK, "from now on");
	p->position = page.next;
	tell(p, "put B a3");
	gives(p, 10, "a3", "... comes what is new");
	before = atoi(tell(p, "asked") + 3);
	tell(p, "put B a4");
	gives(p, 10, "a4", "reading on");
	is_int(atoi(tell(p, "asked") + 3), before, "... takes no new iterator");
	tell(p, "put B a5; expire; put B a6");
	gives(p, 1, "a5 a6", "... until the old one has expired");
	ok(atoi(tell(p, "asked") + 3) > before, "... which takes one more");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_system()};
	char port[16], url[64];

	if (!child_start(
		&p.server, (const char *const[]){"node", TOP_SRCDIR "/t/fault/streams.js", NULL}) ||
	    !child_line(&p.server, port, sizeof(port))) {
		printf("1..0 # SKIP the server of this test needs Node.js\n");
		return 0;
	}
	snprintf(url, sizeof(url), "http://127.0.0.1:%s", port);
	setenv("AWS_ENDPOINT_URL_DYNAMODB", url, 1);
	setenv("AWS_REGION", "eu-central-1", 1);
	setenv("AWS_ACCESS_KEY_ID", "local", 1);
	setenv("AWS_SECRET_ACCESS_KEY", "local", 1);
	lineage(&p);
	resharding(&p);
	trimmed(&p);
	trimmed_unread(&p);
	trimmed_empty(&p);
	now_and_iterators(&p);
	table_close(p.table);
	child_end(&p.server);
	arena_free(p.arena);
	return tap_done();
}
