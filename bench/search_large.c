/*
 * bench/search_large [POSTS]: what a search costs in a large publication.
 *
 * POSTS (100,000) posts of 100 to 300 words, which are distributed as in real texts (Zipf and Mandelbrot: the commonest word is one of
 * sixteen, and of each ten thousand words some are new), lie in a table below TMPDIR, a kilobyte of text each, and once more in a table of
 * SQLite's FTS5 without their content. Shown are
 *
 *	the rebuild of the index, its time and the peak of memory;
 *	queries of three words, each with heads and passages of a page of 20: CPU of the thread, beside FTS5's for the best 20 (any of the
 *	words, by bm25), round trips, and read units as DynamoDB would count them;
 *	new posts of 1,000 words, one after another, as the worker indexes them: CPU and write units, as DynamoDB would count them, for
 *	each, with its share of what waits being written to the blocks; and the same queries, while as much waits as may.
 *
 *	script/build opt bench/search_large && TMPDIR=/var/tmp build/opt/bench/search_large 1000000
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "derive/rebuild.h"
#include "model/key_post.h"
#include "model/key_search.h"
#include "model/kinds.h"
#include "model/site/load.h"
#include "table/driver.h"
#include "web/search/search.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	POSTS = 100000,
	AT_ONCE = 500,
	WORDS_LEAST = 100,
	WORDS_MORE = 200,
	VOCABULARY = 1000000,
	QUERIES = 15,
	ROUNDS = 3,
	NEW_POSTS = 100, /* and more, until nothing waits */
	NEW_WORDS = 1000,
	APART_MS = 60 * 1000,
};

/* --- Words -------------------------------------------------------------------------------------------- */

struct random {
	uint64_t state;
};

static double
next_random(struct random *random)
{
	random->state = random->state * 6364136223846793005u + 1442695040888963407u;
	return (double)(random->state >> 11) / 9007199254740992.0;
}

/* Ranks from 0: how often a word is there falls with a power of its rank, a little less at first. */
#define EXPONENT 1.25
#define SHIFT 2.7

static unsigned
next_rank(struct random *random)
{
	static double first, last;
	double at;

	if (first == 0) {
		first = pow(SHIFT + 1, 1 - EXPONENT);
		last = pow(VOCABULARY + SHIFT + 1, 1 - EXPONENT);
	}
	at = first - next_random(random) * (first - last);
	return (unsigned)(pow(at, 1 / (1 - EXPONENT)) - SHIFT - 1) % VOCABULARY;
}

/* How many of `words` words have this rank. */
static double
expected(double words, double rank)
{
	double sum =
	    (pow(SHIFT + 1, 1 - EXPONENT) - pow(VOCABULARY, 1 - EXPONENT)) / (EXPONENT - 1);

	return words / pow(rank + SHIFT + 1, EXPONENT) / sum;
}

/* A word of syllables, another one for each rank; frequent ones are short. */
static void
put_word(struct buf *out, unsigned rank)
{
	static const char consonants[] = "bcdfghjklmnprstvz", vowels[] = "aeiou";
	enum { SYLLABLES = 85 };

	do {
		buf_putc(out, consonants[rank % SYLLABLES / 5]);
		buf_putc(out, vowels[rank % 5]);
		rank /= SYLLABLES;
	} while (rank != 0);
}

static struct str
make_text(struct arena *arena, struct random *random, unsigned words)
{
	struct buf out = {.arena = arena};

	for (unsigned i = 0; i < words; i++) {
		if (i != 0)
			buf_putc(&out, i % 12 == 0 ? '\n' : ' ');
		put_word(&out, next_rank(random));
	}
	return buf_str(&out);
}

/* --- A table that counts ------------------------------------------------------------------------------ */

struct counting {
	struct table table;
	struct table *inner;
	uint64_t read_halves, write_units, trips;
};

static uint64_t
halves(size_t bytes)
{
	return bytes == 0 ? 1 : (bytes + 4095) / 4096;
}

static void
count_read(struct counting *c, const struct read *read)
{
	size_t bytes = 0;

	if (read->kind == READ_GET)
		c->read_halves += halves(read->item != NULL ? item_size(read->item) : 0);
	for (size_t i = 0; read->kind == READ_BATCH && i < read->batch.count; i++)
		c->read_halves += halves(read->items[i] != NULL ? item_size(read->items[i]) : 0);
	for (size_t i = 0; read->kind == READ_QUERY && i < read->found_count; i++)
		bytes += item_size(&read->found[i]);
	if (read->kind == READ_QUERY)
		c->read_halves += halves(bytes);
}

static enum table_rc
counting_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct counting *c = (struct counting *)table;
	enum table_rc rc = c->inner->engine->read(c->inner, call, reads, count);

	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		count_read(c, &reads[i]);
	c->trips++;
	return rc;
}

/*
 * What is updated or deleted here is a block, of less than a kilobyte, but for what waits: that is deleted as long as it was put, and
 * counted then.
 */
static uint64_t
units(const struct write *write)
{
	static const struct str waiting = STR_INIT("WAITING#");
	uint64_t size = 1;

	if (write->kind == WRITE_DELETE && str_starts(write->key.pk, waiting))
		return 0;
	if (write->kind == WRITE_PUT)
		size = (item_size(&write->item) + 1023) / 1024;
	return write->kind == WRITE_PUT && str_starts(item_key(&write->item).pk, waiting) ? 2 * size : size;
}

static enum table_rc
counting_write(struct table *table, struct table_call *call, struct write *write)
{
	struct counting *c = (struct counting *)table;

	c->write_units += units(write);
	return c->inner->engine->write(c->inner, call, write);
}

static enum table_rc
counting_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct counting *c = (struct counting *)table;

	for (size_t i = 0; i < count; i++)
		c->write_units += 2 * units(&writes[i]);
	return c->inner->engine->transact(c->inner, call, writes, count, token);
}

/* As DynamoDB makes them, each by itself. */
static enum table_rc
counting_write_each(
    struct table *table, struct table_call *call, struct write *writes, size_t count)
{
	struct counting *c = (struct counting *)table;

	for (size_t i = 0; i < count; i++)
		c->write_units += units(&writes[i]);
	return c->inner->engine->transact(c->inner, call, writes, count, STR(""));
}

static enum table_rc
counting_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct counting *c = (struct counting *)table;

	return c->inner->engine->walk(c->inner, call, cursor, limit, page);
}

static void
counting_release(struct table *table, struct table_call *call)
{
	struct counting *c = (struct counting *)table;

	if (c->inner->engine->release != NULL)
		c->inner->engine->release(c->inner, call);
}

/* --- The publication ---------------------------------------------------------------------------------- */

struct bench {
	struct arena *arena;
	struct clock clock;
	char folder[256];
	struct table_engine engine;
	struct counting counting;
	sqlite3 *fts;
	sqlite3_stmt *insert, *query;
	unsigned posts;
	double words; /* in all */
};

static double
cpu_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
cpu_ms(void)
{
	return cpu_of(CLOCK_THREAD_CPUTIME_ID);
}

static void
must(bool good, const char *what)
{
	if (!good)
		bail_out("%s", what);
}

static void
open_tables(struct bench *b)
{
	const char *below = getenv("TMPDIR");
	const struct table_driver *driver;
	struct str name, why;
	struct table *inner;

	snprintf(
	    b->folder, sizeof(b->folder), "%s/search-large-XXXXXX", below != NULL ? below : "/tmp");
	must(mkdtemp(b->folder) != NULL, "no folder is made; set TMPDIR");
	driver = table_driver_of(str_fmt(b->arena, "sqlite:%s/table", b->folder), &name);
	if (driver->open(name, TABLE_OPEN_CREATE, &b->clock, b->arena, &inner, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	inner->unseen = kind_unseen;
	b->engine = (struct table_engine){.name = "counting",
	    .deadline_ms = 600000,
	    .read = counting_read,
	    .write = counting_write,
	    .transact = counting_transact,
	    .write_each = counting_write_each,
	    .walk = counting_walk,
	    .release = counting_release};
	b->counting = (struct counting){
	    .table = {.engine = &b->engine, .clock = &b->clock, .deadline_ms = 600000},
	    .inner = inner};
	must(sqlite3_open(str_fmt(b->arena, "%s/fts", b->folder).base, &b->fts) == SQLITE_OK &&
		 sqlite3_exec(b->fts,
		     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE f "
		     "USING "
		     "fts5(title, body, content = '', tokenize = 'unicode61'); BEGIN",
		     NULL, NULL, NULL) == SQLITE_OK &&
		 sqlite3_prepare_v2(b->fts, "INSERT INTO f (rowid, title, body) VALUES (?, ?, ?)",
		     -1, &b->insert, NULL) == SQLITE_OK &&
		 sqlite3_prepare_v2(b->fts,
		     "SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f, 3.0, 1.0) LIMIT 20", -1,
		     &b->query, NULL) == SQLITE_OK,
	    "FTS5 is missing");
}

static void
put_post(struct bench *b, struct loader *loader, struct arena *arena, int64_t number,
    struct str title, struct str text)
{
	struct post post = {.id = str_fmt(arena, "made-%" PRId64, number),
	    .title = title,
	    .author = STR("writer"),
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .published = b->clock.fixed_now - (int64_t)b->posts * APART_MS + number * APART_MS,
	    .version = 1};
	struct item *items = ARENA_ARRAY(arena, 2, struct item);

	post.slug = post.id;
	key_set(arena, &items[0], key_post(arena, post.id), ITEM_POST);
	post_to_item(arena, &post, &items[0]);
	key_index_post(arena, &items[0], &post);
	key_set(arena, &items[1], key_post_body(arena, post.id), ITEM_BODY);
	item_set(arena, &items[1], STR("Markdown"), value_string(text));
	must(loader_put(loader, &items[0]) == TABLE_OK && loader_put(loader, &items[1]) == TABLE_OK,
	    "a post is not written");
}

static void
put_fts(struct bench *b, int64_t number, struct str title, struct str text)
{
	sqlite3_bind_int64(b->insert, 1, number + 1);
	sqlite3_bind_text(b->insert, 2, title.base, (int)title.len, SQLITE_TRANSIENT);
	sqlite3_bind_text(b->insert, 3, text.base, (int)text.len, SQLITE_TRANSIENT);
	must(sqlite3_step(b->insert) == SQLITE_DONE, "FTS5 does not take a text");
	sqlite3_reset(b->insert);
}

static void
fill(struct bench *b)
{
	struct random random = {.state = 7};
	struct arena *some = arena_new();
	int64_t begun = clock_micros();
	struct loader loader;

	loader_begin(&loader, b->counting.inner);
	for (unsigned i = 0; i < b->posts; i++) {
		unsigned words = WORDS_LEAST + (unsigned)(next_random(&random) * WORDS_MORE);
		struct str title = make_text(some, &random, 6),
			   text = make_text(some, &random, words);

		put_post(b, &loader, some, i, title, text);
		put_fts(b, i, title, text);
		b->words += words + 6;
		if ((i + 1) % AT_ONCE != 0 && i + 1 != b->posts)
			continue;
		must(loader_flush(&loader) == TABLE_OK, "posts are not written");
		arena_reset(some);
	}
	loader_end(&loader);
	arena_free(some);
	must(sqlite3_exec(b->fts, "COMMIT", NULL, NULL, NULL) == SQLITE_OK, "FTS5 does not end");
	printf("%u posts of %.0f words in all, put in %.0f s\n", b->posts, b->words,
	    (double)(clock_micros() - begun) / 1e6);
}

/* Of our own, without what is mapped of the table's file. */
static long
memory_mb(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	long kb = 0;

	while (file != NULL && kb == 0 && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "RssAnon:", 8) == 0)
			kb = atol(line + 8);
	if (file != NULL)
		fclose(file);
	return kb / 1024;
}

static void
index_all(struct bench *b)
{
	static const struct str name = STR_INIT("search");
	struct table_call call = {.arena = arena_new(), .background = true};
	struct derive derive = {.table = &b->counting.table, .call = &call, .clock = &b->clock};
	struct rebuild *rebuild = ARENA_NEW(b->arena, struct rebuild);
	int64_t begun = clock_micros();
	double cpu = cpu_of(CLOCK_PROCESS_CPUTIME_ID);
	long before = memory_mb(), peak = before;
	bool done = false;

	*rebuild = (struct rebuild){.derive = &derive, .arena = arena_new()};
	rebuild->state = rebuild_all(b->arena, b->clock.fixed_now);
	rebuild->state.names = (struct strings_value){&name, 1};
	while (!done) {
		long now;

		if (rebuild_step(rebuild, &done) != TABLE_OK)
			bail_out("a rebuild fails: %s", call.why != NULL ? call.why : "");
		now = memory_mb();
		peak = now > peak ? now : peak;
	}
	printf("rebuilt in %.0f s, %.0f s of CPU; peak of memory %ld MB, before it %ld MB\n\n",
	    (double)(clock_micros() - begun) / 1e6, (cpu_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e3,
	    peak, before);
	fflush(stdout);
	rebuild_drop(rebuild);
	arena_free(rebuild->arena);
	arena_free(call.arena);
}

/* --- Queries ------------------------------------------------------------------------------------------ */

struct cost {
	double ours[QUERIES], theirs[QUERIES]; /* milliseconds */
	double units_most, units_sum;
	uint64_t trips;
};

static int
by_size(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) -
	       (*(const double *)a < *(const double *)b);
}

/* Milliseconds of a page of results. */
static double
ask(struct bench *b, struct str typed, struct cost *cost)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct search_query query;
	struct search_options options = {
	    .query = &query, .now = b->clock.fixed_now, .count = SEARCH_PAGE};
	const struct search_results *results;
	double begun = cpu_ms(), took;

	b->counting.read_halves = b->counting.trips = 0;
	search_query_parse(arena, typed, NULL, &query);
	must(search_run(&b->counting.table, &call, &options, &results) == TABLE_OK,
	    "a search fails");
	took = cpu_ms() - begun;
	must(results->hit_count != 0, "nothing is found");
	table_release(&b->counting.table, &call);
	if (b->counting.trips > cost->trips)
		cost->trips = b->counting.trips;
	if ((double)b->counting.read_halves / 2 > cost->units_most)
		cost->units_most = (double)b->counting.read_halves / 2;
	arena_free(arena);
	return took;
}

static double
ask_fts(struct bench *b, struct str match)
{
	double begun = cpu_ms();
	unsigned found = 0;

	sqlite3_bind_text(b->query, 1, match.base, (int)match.len, SQLITE_TRANSIENT);
	while (sqlite3_step(b->query) == SQLITE_ROW)
		found++;
	sqlite3_reset(b->query);
	must(found != 0, "FTS5 finds nothing");
	return cpu_ms() - begun;
}

/* The quickest of the rounds, so that others on the machine count less. */
static void
measure_query(
    struct bench *b, struct random *random, unsigned from, unsigned ranks, struct cost *cost, int q)
{
	struct buf typed = {.arena = b->arena}, match = {.arena = b->arena};

	for (int i = 0; i < 3; i++) {
		unsigned rank =
		    from + ranks * (unsigned)i / 3 + (unsigned)(next_random(random) * ranks / 3);

		if (i != 0) {
			BUF_PUT(&typed, " ");
			BUF_PUT(&match, " OR ");
		}
		put_word(&typed, rank);
		put_word(&match, rank);
	}
	for (int r = 0; r < ROUNDS; r++) {
		double ours = ask(b, buf_str(&typed), cost), theirs = ask_fts(b, buf_str(&match));

		if (r == 0 || ours < cost->ours[q])
			cost->ours[q] = ours;
		if (r == 0 || theirs < cost->theirs[q])
			cost->theirs[q] = theirs;
	}
	cost->units_sum += (double)b->counting.read_halves / 2;
}

/* Words of these ranks, of which a third each. */
static void
measure(struct bench *b, const char *name, unsigned from, unsigned ranks)
{
	struct random random = {.state = from + 1};
	struct cost cost = {.trips = 0};
	double ours, theirs;

	for (int q = 0; q < QUERIES; q++)
		measure_query(b, &random, from, ranks, &cost, q);
	qsort(cost.ours, QUERIES, sizeof(double), by_size);
	qsort(cost.theirs, QUERIES, sizeof(double), by_size);
	ours = cost.ours[QUERIES / 2];
	theirs = cost.theirs[QUERIES / 2];
	printf("%-10s %8.2f %8.2f %10.2f %8.3f %8.1f %8.1f %6" PRIu64 "\n", name, ours,
	    cost.ours[QUERIES - 1], theirs, ours / theirs, cost.units_sum / QUERIES,
	    cost.units_most, cost.trips);
	fflush(stdout);
}

/* The first rank of which there are so many. */
static unsigned
rank_of(const struct bench *b, double times)
{
	unsigned rank = 0;

	while (rank < VOCABULARY - 1 && expected(b->words, rank) > times)
		rank++;
	return rank;
}

static void
measure_queries(struct bench *b)
{
	unsigned common = rank_of(b, b->posts / 10.0), rare = rank_of(b, 30);

	printf("%-10s %8s %8s %10s %8s %8s %8s %6s\n", "words", "ms", "most", "FTS5 ms", "ratio",
	    "units", "most", "trips");
	measure(b, "commonest", 0, 12);
	measure(b, "common", common, common);
	measure(b, "rare", rare, rare / 4);
}

/* --- New posts ---------------------------------------------------------------------------------------- */

static size_t
distinct_words(struct str text)
{
	static uint64_t marks[1 << 16];
	size_t count = 0;

	memset(marks, 0, sizeof(marks));
	while (text.len != 0) {
		size_t end = 0;
		uint64_t hash = 14695981039346656037u;

		while (end < text.len && text.base[end] != ' ' && text.base[end] != '\n')
			hash = (hash ^ (unsigned char)text.base[end++]) * 1099511628211u;
		text = str_sub(text, end + 1, text.len);
		while (marks[hash % (1 << 16)] != 0 && marks[hash % (1 << 16)] != hash)
			hash++;
		count += marks[hash % (1 << 16)] == 0;
		marks[hash % (1 << 16)] = hash;
	}
	return count;
}

static int64_t
waiting(struct bench *b, struct table_call *call)
{
	struct item *state;

	must(table_get(b->counting.inner, call, key_search_state(), &state) == TABLE_OK, "there are no sums");
	return state != NULL ? item_number(state, STR("PostsWaiting")) : 0;
}

/* As the worker is led to it: a post, then what waits, as another one does. */
static void
index_one(struct bench *b, struct table_call *call, struct str id)
{
	const struct derivation *search = derivation_find(STR("search"));
	const struct key waiting_key = key_waiting(call->arena, key_post(call->arena, id));
	const struct str subjects[] = {
	    id, search->subject(call->arena, waiting_key, kind_of_key(waiting_key))};
	struct derive derive = {.table = &b->counting.table, .call = call, .clock = &b->clock};

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		must(derive_subject(&derive, search, subjects[i]) == TABLE_OK, "a post is not indexed");
}

struct new_posts {
	struct random random;
	int64_t later; /* milliseconds: when all of them have appeared */
	int64_t count;
	double cpu, distinct, write_units;
};

/* Another one; how many bytes wait now. */
static int64_t
add_new(struct bench *b, struct new_posts *new)
{
	struct table_call call = {.arena = arena_new(), .background = true};
	struct str text = make_text(call.arena, &new->random, NEW_WORDS);
	int64_t number = (int64_t)b->posts * 11 + new->count++ * 7, waits;
	struct loader loader;
	double begun;

	loader_begin(&loader, b->counting.inner);
	put_post(b, &loader, call.arena, number, make_text(call.arena, &new->random, 6), text);
	must(loader_flush(&loader) == TABLE_OK, "a post is not written");
	loader_end(&loader);
	b->clock.fixed_now += new->later;
	b->counting.write_units = 0;
	begun = cpu_of(CLOCK_PROCESS_CPUTIME_ID);
	index_one(b, &call, str_fmt(call.arena, "made-%" PRId64, number));
	new->cpu += cpu_of(CLOCK_PROCESS_CPUTIME_ID) - begun;
	new->write_units += (double)b->counting.write_units;
	new->distinct += (double)distinct_words(text);
	b->clock.fixed_now -= new->later;
	waits = waiting(b, &call);
	table_release(&b->counting.table, &call);
	arena_free(call.arena);
	return waits;
}

static void
measure_new(struct bench *b)
{
	struct new_posts new = {.random = {.state = 99}, .later = (int64_t)b->posts * 11 * APART_MS};
	int64_t waits = 1, most = 0;
	double each;

	while (new.count < NEW_POSTS || waits != 0) {
		waits = add_new(b, &new);
		most = waits > most ? waits : most;
	}
	each = 1.0 / (double)new.count;
	printf("\na new post of %d words, %.0f of them distinct: %.1f ms of CPU, %.0f write units "
	       "(1.1 for each and 25: %.0f); of %" PRId64 ", up to %" PRId64 " KB wait\n\n",
	    NEW_WORDS, new.distinct * each, new.cpu * each, new.write_units * each,
	    1.1 * new.distinct * each + 25, new.count, most / 1024);
	while (waits < most)
		waits = add_new(b, &new);
	b->clock.fixed_now += new.later;
	measure_queries(b);
	b->clock.fixed_now -= new.later;
}

static void
close_tables(struct bench *b)
{
	static const char *const files[] = {"table", "table-wal", "table-shm", "fts", "table-lock"};

	table_close(b->counting.inner);
	sqlite3_finalize(b->insert);
	sqlite3_finalize(b->query);
	sqlite3_close(b->fts);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(str_fmt(b->arena, "%s/%s", b->folder, files[i]).base);
	rmdir(b->folder);
}

int
main(int argc, char **argv)
{
	struct bench b = {.arena = arena_new(), .clock = clock_fixed(1763510400000, 1)};

	b.posts = argc > 1 ? (unsigned)atoi(argv[1]) : POSTS;
	must(b.posts > 1000, "more than 1,000 posts are needed");
	open_tables(&b);
	fill(&b);
	index_all(&b);
	measure_queries(&b);
	measure_new(&b);
	close_tables(&b);
	arena_free(b.arena);
	return 0;
}
