/*
 * Two engines (or more) get the same random operations, and must give the same answers. When they do
 * not, the list of operations is reduced as far as possible and printed.
 *
 * RANDOM_SEED and RANDOM_OPS choose another run than the default ones, which are always the same, so that a test
 * does not fail by chance. RANDOM_SEED=$(date +%s) searches for new failures.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "random_engines.h"
#include "random_op.h"

enum { REPLAYS_MAX = 400, OPERATIONS = 5000 };

#define BEGIN_MS INT64_C(1794994200500)

struct engine {
	struct harness harness;
	struct clock clock;
	struct table *table;
};

/* The operations of a run, and where two engines differed. */
struct run {
	uint64_t *numbers;
	size_t count;
	struct engine *engines;
	size_t engine_count;
	size_t failed_at; /* count: nowhere */
};

/* Some items are stored as what is seldom read. */
static bool
is_unseen(struct key key)
{
	return key.sk.len % 2 == 0;
}

static void
open_engines(struct run *run)
{
	for (size_t i = 0; i < run->engine_count; i++) {
		struct engine *engine = &run->engines[i];

		engine->clock = clock_fixed(BEGIN_MS, 1);
		engine->table = engine->harness.open(engine->harness.context, &engine->clock);
		if (engine->table == NULL)
			bail_out("no table of %s", engine->harness.name);
		engine->table->unseen = is_unseen;
	}
}

static void
close_engines(struct run *run)
{
	for (size_t i = 0; i < run->engine_count; i++) {
		struct engine *engine = &run->engines[i];

		table_close(engine->table);
		if (engine->harness.closed != NULL)
			engine->harness.closed(engine->harness.context);
	}
}

static void
show(const char *what, struct str text)
{
	fprintf(stderr, "#   %s: ", what);
	fwrite(text.base, 1, text.len, stderr);
	fprintf(stderr, "\n");
}

/* How much of a run is printed. */
enum told { TOLD_NOTHING, TOLD_DIFFERENCE, TOLD_ALL };

/* Gives one operation to all; do they agree? */
static bool
step(struct run *run, struct arena *arena, uint64_t number, enum told told)
{
	struct buf first = {.arena = arena}, text = {.arena = arena};
	bool agree = true;

	for (size_t i = 0; i < run->engine_count; i++) {
		struct engine *engine = &run->engines[i];
		struct buf answer = {.arena = arena};
		struct op op;

		/* Made anew for each, because answers are written into it. */
		op_make(arena, number, &op);
		if (i == 0 && told == TOLD_ALL) {
			op_describe(&text, &op);
			show("*", buf_str(&text));
		}
		op_apply(engine->table, &engine->clock, &op, &answer);
		if (i == 0)
			first = answer;
		if (str_eq(buf_str(&first), buf_str(&answer)))
			continue;
		agree = false;
		if (told != TOLD_NOTHING) {
			show(run->engines[0].harness.name, buf_str(&first));
			show(engine->harness.name, buf_str(&answer));
		}
	}
	return agree;
}

/* The number of an operation that looks at everything, for the end of a run. */
static uint64_t
look(void)
{
	struct arena *arena = arena_new();
	uint64_t number = 0;
	struct op op;

	do {
		arena_reset(arena);
		op_make(arena, ++number, &op);
	} while (op.kind != OP_LOOK);
	arena_free(arena);
	return number;
}

/* Runs all operations on fresh engines; true when they agreed to the end. */
static bool
replay(struct run *run, enum told told)
{
	struct arena *arena = arena_new();

	open_engines(run);
	for (run->failed_at = 0; run->failed_at < run->count; run->failed_at++) {
		arena_reset(arena);
		if (!step(run, arena, run->numbers[run->failed_at], told))
			break;
	}
	close_engines(run);
	arena_free(arena);
	return run->failed_at == run->count;
}

/* Leaves out ever smaller pieces of the list for as long as the engines go on to differ. */
static void
shrink(struct run *run)
{
	int replays = 0;

	run->count = run->failed_at + 1;
	for (size_t piece = run->count / 2; piece > 0; piece /= 2) {
		for (size_t at = 0; at + piece <= run->count && replays < REPLAYS_MAX; replays++) {
			struct run less = *run;

			less.count = run->count - piece;
			less.numbers = malloc((less.count + 1) * sizeof(less.numbers[0]));
			if (less.numbers == NULL)
				out_of_memory();
			memcpy(less.numbers, run->numbers, at * sizeof(less.numbers[0]));
			memcpy(less.numbers + at, run->numbers + at + piece,
			    (less.count - at) * sizeof(less.numbers[0]));
			if (replay(&less, TOLD_NOTHING)) {
				at += piece;
			} else {
				run->count = less.failed_at + 1;
				memcpy(run->numbers, less.numbers,
				    run->count * sizeof(less.numbers[0]));
			}
			free(less.numbers);
		}
	}
}

/* The next operation that these engines can be compared by. */
static uint64_t
draw(struct arena *arena, uint64_t *state, bool timeless)
{
	uint64_t number;
	struct op op;

	do {
		arena_reset(arena);
		number = chance(state);
		op_make(arena, number, &op);
	} while (timeless && (op.kind == OP_SWEEP || op.kind == OP_PASS));
	return number;
}

static void
compare(bool timeless, struct engine *engines, size_t engine_count, uint64_t seed, size_t count)
{
	struct run run = {.count = count + 1, .engines = engines, .engine_count = engine_count};
	struct arena *arena = arena_new();
	uint64_t state = seed;

	printf("# seed %" PRIu64 "\n", seed);
	fflush(stdout);
	run.numbers = malloc(run.count * sizeof(run.numbers[0]));
	if (run.numbers == NULL)
		out_of_memory();
	for (size_t i = 0; i < count; i++)
		run.numbers[i] = draw(arena, &state, timeless);
	arena_free(arena);
	run.numbers[count] = look();
	if (!ok(replay(&run, TOLD_DIFFERENCE),
		"seed %" PRIu64 ": the same answers to %zu operations", seed, count)) {
		fprintf(stderr, "# they differ at operation %zu; the shortest list that I found:\n",
		    run.failed_at);
		shrink(&run);
		replay(&run, TOLD_ALL);
	}
	free(run.numbers);
}

int
main(void)
{
	static const uint64_t seeds[] = {1, 2, 3, 4};
	const char *seed = getenv("RANDOM_SEED"), *ops = getenv("RANDOM_OPS");
	struct random_engines given = random_engines();
	struct engine engines[sizeof(given.harnesses) / sizeof(given.harnesses[0])] = {0};
	size_t count = ops != NULL ? strtoull(ops, NULL, 10) : OPERATIONS;

	for (size_t i = 0; i < given.count; i++)
		engines[i].harness = given.harnesses[i];
	if (seed != NULL)
		compare(given.timeless, engines, given.count, strtoull(seed, NULL, 10), count);
	for (size_t i = 0; seed == NULL && i < sizeof(seeds) / sizeof(seeds[0]); i++)
		compare(given.timeless, engines, given.count, seeds[i], count);
	return tap_done();
}
