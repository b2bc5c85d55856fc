/*
 * The distributed engine over a network that throttles, breaks, stalls, corrupts and forgets: ten
 * thousand operations, and then a check whether anything was done twice, or acknowledged and lost.
 * The faults are made by the server t/fault/dynamodb.js.
 */
#include "lib/tap.h"

#include "bad_network.h"
#include "base/arena.h"
#include "dynamo_local.h"
#include "table/dynamo/dynamo.h"

#include <pthread.h>

enum {
	THREADS = 16,
	OPERATIONS = 10000,
	COUNTERS = 8,
	ACCOUNTS = 4,
	CLAIMS = 400,
	BATCH = 20,
	DEADLINE_MS = 2500, /* on a machine that does nothing else; else as much longer */
	/* What an answer may come late where sixteen threads wait for one server; far less than the server's silence. */
	GRACE_MS = 12 * 1000,
};

/* What makes wait for long is rare, or the test would do nothing else; what is left unprocessed concerns batches alone. */
static const char *const faults[] = {"throttle 1.5", "error 1.5", "unavailable 1.5", "expired 1.5",
    "conflict 1.5", "reset 1.5", "stall 0.4", "lost 1.5", "hang 0.4", "failed 1.5", "trickle 0.4",
    "truncate 1.5", "checksum 1.5", "unprocessed 20"};

/* What the threads know to have happened. */
struct ledger {
	struct table *table;
	pthread_mutex_t lock;
	int64_t sure[COUNTERS], unsure[COUNTERS];
	int owner[CLAIMS]; /* the thread whose claim was acknowledged, from 1 */
	unsigned wrong;    /* answers that can't be */
	unsigned failed, condition, done;
	int64_t longest; /* microseconds that an operation took */
	char what[200];  /* the first wrong answer */
};

struct worker {
	struct ledger *ledger;
	int number; /* from 1 */
	struct arena *arena;
	struct table_call call;
	uint64_t chance;
	int operations;  /* that it is to do */
	int64_t version; /* of its own item, as acknowledged */
	int64_t tried;   /* the highest that it may have */
	unsigned receipts;
};

static uint64_t
below(struct worker *w, uint64_t end)
{
	w->chance ^= w->chance << 13;
	w->chance ^= w->chance >> 7;
	w->chance ^= w->chance << 17;
	return w->chance % end;
}

static void
wrong(struct worker *w, const char *what, enum table_rc rc)
{
	struct ledger *ledger = w->ledger;

	pthread_mutex_lock(&ledger->lock);
	if (ledger->wrong++ == 0)
		snprintf(ledger->what, sizeof(ledger->what), "%s: %s (%.120s)", what,
		    table_rc_text(rc), w->call.why != NULL ? w->call.why : "");
	pthread_mutex_unlock(&ledger->lock);
}

/* Is this a plausible result of an operation? */
static void
book(struct worker *w, const char *what, enum table_rc rc)
{
	struct ledger *ledger = w->ledger;

	switch (rc) {
	case TABLE_OK:
	case TABLE_CONDITION:
	case TABLE_CANCELLED:
	case TABLE_CONFLICT:
	case TABLE_DEADLINE:
	case TABLE_THROTTLED:
	case TABLE_UNAVAILABLE: break;
	default: wrong(w, what, rc);
	}
	if (w->call.unsure && rc != TABLE_DEADLINE && rc != TABLE_UNAVAILABLE &&
	    rc != TABLE_THROTTLED && rc != TABLE_CONFLICT)
		wrong(w, "sure and unsure at once", rc);
	pthread_mutex_lock(&ledger->lock);
	ledger->done += rc == TABLE_OK;
	ledger->condition += rc == TABLE_CONDITION || rc == TABLE_CANCELLED;
	ledger->failed += rc != TABLE_OK && rc != TABLE_CONDITION && rc != TABLE_CANCELLED;
	pthread_mutex_unlock(&ledger->lock);
}

static struct key
key_at(struct worker *w, const char *what, int number)
{
	return (struct key){str_of(what), str_fmt(w->arena, "%06d", number)};
}

/* --- The operations --------------------------------------------------------------------------- */

/* One more on a counter that everybody adds to. */
static void
add(struct worker *w)
{
	int counter = (int)below(w, COUNTERS);
	struct change change = {.op = CHANGE_ADD, .name = STR("N"), .value = value_number(1)};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_at(w, "COUNTER", counter),
	    .changes = &change,
	    .change_count = 1,
	    .returns = below(w, 2) == 0 ? RETURN_NEW : RETURN_NONE};
	enum table_rc rc = table_write(w->ledger->table, &w->call, &write);

	book(w, "add", rc);
	if (rc == TABLE_OK && write.returns == RETURN_NEW && write.returned == NULL)
		wrong(w, "add returns nothing", rc);
	pthread_mutex_lock(&w->ledger->lock);
	w->ledger->sure[counter] += rc == TABLE_OK;
	w->ledger->unsure[counter] += rc != TABLE_OK && w->call.unsure;
	pthread_mutex_unlock(&w->ledger->lock);
}

/* A key that several want and one can have. */
static void
claim(struct worker *w)
{
	int number = (int)below(w, CLAIMS);
	struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct write write = {.kind = WRITE_PUT, .condition = &missing};
	struct key key = key_at(w, "CLAIM", number);
	enum table_rc rc;

	item_set(w->arena, &write.item, STR("PK"), value_string(key.pk));
	item_set(w->arena, &write.item, STR("SK"), value_string(key.sk));
	item_set(w->arena, &write.item, STR("Owner"), value_number(w->number));
	rc = table_write(w->ledger->table, &w->call, &write);
	book(w, "claim", rc);
	if (rc == TABLE_CONDITION && write.failed == NULL)
		wrong(w, "a false condition shows nothing", rc);
	if (rc != TABLE_OK)
		return;
	pthread_mutex_lock(&w->ledger->lock);
	if (w->ledger->owner[number] != 0)
		w->ledger->wrong++;
	w->ledger->owner[number] = w->number;
	pthread_mutex_unlock(&w->ledger->lock);
}

/* Moves an amount from one account to another, with a receipt, in one transaction. */
static void
transfer(struct worker *w)
{
	int from = (int)below(w, ACCOUNTS),
	    to = (from + 1 + (int)below(w, ACCOUNTS - 1)) % ACCOUNTS;
	int64_t amount = (int64_t)below(w, 100) + 1;
	struct change changes[] = {
	    {.op = CHANGE_ADD, .name = STR("N"), .value = value_number(-amount)},
	    {.op = CHANGE_ADD, .name = STR("N"), .value = value_number(amount)}};
	struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct write writes[] = {{.kind = WRITE_UPDATE,
				     .key = key_at(w, "ACCOUNT", from),
				     .changes = &changes[0],
				     .change_count = 1},
	    {.kind = WRITE_UPDATE,
		.key = key_at(w, "ACCOUNT", to),
		.changes = &changes[1],
		.change_count = 1},
	    {.kind = WRITE_PUT, .condition = &missing}};
	struct str receipt = str_fmt(w->arena, "%d#%u", w->number, ++w->receipts);
	enum table_rc rc;

	item_set(w->arena, &writes[2].item, STR("PK"), value_string(STR("RECEIPT")));
	item_set(w->arena, &writes[2].item, STR("SK"), value_string(receipt));
	item_set(w->arena, &writes[2].item, STR("From"), value_number(from));
	item_set(w->arena, &writes[2].item, STR("To"), value_number(to));
	item_set(w->arena, &writes[2].item, STR("Amount"), value_number(amount));
	rc = table_transact(w->ledger->table, &w->call, writes, 3, STR(""));
	book(w, "transfer", rc);
	/* The receipt is unique: it can exist already only if the transfer was done twice. */
	if (rc == TABLE_CANCELLED)
		wrong(w, "a transfer was refused", rc);
}

/* The next version of an item that only this thread writes; the version before is the condition. */
static void
revise(struct worker *w)
{
	struct condition same = {
	    .op = COND_EQ, .name = STR("Version"), .value = value_number(w->version)};
	struct condition missing = {.op = COND_MISSING, .name = STR("PK")};
	struct change change = {
	    .op = CHANGE_SET, .name = STR("Version"), .value = value_number(w->version + 1)};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = key_at(w, "OWN", w->number),
	    .changes = &change,
	    .change_count = 1,
	    .condition = w->version == 0 ? &missing : &same};
	bool was_sure = w->tried == w->version;
	enum table_rc rc = table_write(w->ledger->table, &w->call, &write);

	book(w, "revise", rc);
	if (rc == TABLE_OK) {
		w->tried = ++w->version;
	} else if (rc == TABLE_CONDITION) {
		if (was_sure)
			wrong(w, "a version was written twice", rc);
		/* The one before was made after all. */
		w->version = w->tried =
		    write.failed != NULL ? item_number(write.failed, STR("Version")) : 0;
	} else if (w->call.unsure) {
		w->tried = w->version + 1;
	}
}

/* A batch has each item at its key's index, and misses none that existed before the request. */
static void
look_at_claims(struct worker *w, const struct read *read, const int *owners)
{
	for (size_t i = 0; i < read->batch.count; i++) {
		const struct item *item = read->items[i];

		if (item != NULL && !str_eq(item_key(item).sk, read->batch.keys[i].sk))
			wrong(w, "a batch gives an item in another's place", TABLE_OK);
		if (owners[i] != 0 &&
		    (item == NULL || item_number(item, STR("Owner")) != owners[i]))
			wrong(w, "a batch misses an item", TABLE_OK);
	}
}

static void
look_at_own(struct worker *w)
{
	struct key keys[BATCH];
	int owners[BATCH];
	struct read reads[] = {{.kind = READ_GET, .consistent = true},
	    {.kind = READ_QUERY,
		.query = {.partition = STR("ACCOUNT"), .limit = 3, .consistent = true}},
	    {.kind = READ_BATCH, .consistent = true, .batch = {keys, BATCH}}};
	int64_t version;
	enum table_rc rc;

	for (int i = 0; i < BATCH; i++) {
		int number = (w->number * BATCH + i) % CLAIMS;

		keys[i] = key_at(w, "CLAIM", number);
		pthread_mutex_lock(&w->ledger->lock);
		owners[i] = w->ledger->owner[number];
		pthread_mutex_unlock(&w->ledger->lock);
	}
	reads[0].key = key_at(w, "OWN", w->number);
	rc = table_read(w->ledger->table, &w->call, reads, 3);
	book(w, "look", rc);
	if (rc != TABLE_OK)
		return;
	version = reads[0].item != NULL ? item_number(reads[0].item, STR("Version")) : 0;
	if (version < w->version || version > w->tried)
		wrong(w, "an item is not what was written", rc);
	if (reads[1].found_count > 3 || (reads[1].found_count < 3 && reads[1].next.len > 0))
		wrong(w, "a query gives another number than it should", rc);
	look_at_claims(w, &reads[2], owners);
	w->version = w->tried = version;
}

static void *
work(void *data)
{
	static void (*const operations[])(struct worker *) = {
	    add, claim, transfer, revise, look_at_own};
	struct worker *w = data;
	int64_t took;

	for (int i = 0; i < w->operations; i++) {
		int64_t began = clock_micros();

		operations[below(w, sizeof(operations) / sizeof(operations[0]))](w);
		took = clock_micros() - began;
		pthread_mutex_lock(&w->ledger->lock);
		if (took > w->ledger->longest)
			w->ledger->longest = took;
		pthread_mutex_unlock(&w->ledger->lock);
		arena_reset(w->arena);
	}
	return NULL;
}

/* --- The reckoning ---------------------------------------------------------------------------- */

static int64_t
number_at(struct ledger *ledger, struct arena *arena, const char *pk, int number, const char *name)
{
	struct table_call call = {.arena = arena};
	struct read read = {.kind = READ_GET, .consistent = true};

	read.key = (struct key){str_of(pk), str_fmt(arena, "%06d", number)};
	if (table_read(ledger->table, &call, &read, 1) != TABLE_OK)
		bail_out("the table can't be read in the end: %s", call.why);
	return read.item != NULL ? item_number(read.item, str_of(name)) : 0;
}

static void
reckon_counters(struct ledger *ledger, struct arena *arena)
{
	for (int i = 0; i < COUNTERS; i++) {
		int64_t n = number_at(ledger, arena, "COUNTER", i, "N");

		ok(n >= ledger->sure[i] && n <= ledger->sure[i] + ledger->unsure[i],
		    "counter %d stands at %" PRId64 ": %" PRId64 " acknowledged, %" PRId64
		    " perhaps",
		    i, n, ledger->sure[i], ledger->unsure[i]);
	}
}

static void
reckon_claims(struct ledger *ledger, struct arena *arena)
{
	unsigned lost = 0, had = 0;

	for (int i = 0; i < CLAIMS; i++) {
		int64_t owner = number_at(ledger, arena, "CLAIM", i, "Owner");

		had += owner != 0;
		lost += ledger->owner[i] != 0 && ledger->owner[i] != owner;
	}
	ok(lost == 0 && had > 0, "of %u claims each belongs to the one that was told so", had);
}

static void
reckon_accounts(struct ledger *ledger, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct query query = {.partition = STR("RECEIPT"), .limit = 1000, .consistent = true};
	int64_t balances[ACCOUNTS] = {0};
	size_t receipts = 0;
	bool even = true;

	do {
		struct item *found;
		size_t count;

		if (table_query(ledger->table, &call, &query, &found, &count, &query.cursor) !=
		    TABLE_OK)
			bail_out("the receipts can't be read: %s", call.why);
		for (size_t i = 0; i < count; i++) {
			balances[item_number(&found[i], STR("From"))] -=
			    item_number(&found[i], STR("Amount"));
			balances[item_number(&found[i], STR("To"))] +=
			    item_number(&found[i], STR("Amount"));
		}
		receipts += count;
	} while (query.cursor.len > 0);
	for (int i = 0; i < ACCOUNTS; i++)
		even = even && number_at(ledger, arena, "ACCOUNT", i, "N") == balances[i];
	ok(even && receipts > 0, "the accounts are what their %zu receipts say", receipts);
}

static void
reckon_versions(struct ledger *ledger, struct worker *workers, struct arena *arena)
{
	unsigned off = 0;

	for (int i = 0; i < THREADS; i++) {
		int64_t version = number_at(ledger, arena, "OWN", i + 1, "Version");

		off += version < workers[i].version || version > workers[i].tried;
	}
	ok(off == 0, "every version is the one that was acknowledged, or one that may be");
}

/* --- The server --------------------------------------------------------------------------------- */

static void
storm(struct ledger *ledger, struct child *server, struct arena *arena)
{
	struct worker workers[THREADS];
	pthread_t threads[THREADS];
	/* Over TLS it is done once more, for what that may change. */
	unsigned count = getenv("TEST_TLS") == NULL ? OPERATIONS : OPERATIONS / 4;
	double slow = bad_network_slowness(1), deadline = DEADLINE_MS * slow;

	ledger->table->deadline_ms = (int64_t)deadline;
	bad_network_tell(server, "seed 7");
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		char line[64];

		snprintf(line, sizeof(line), "fault %s", faults[i]);
		bad_network_tell(server, line);
	}
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.ledger = ledger,
		    .number = i + 1,
		    .arena = arena_new(),
		    .operations = (int)count / THREADS,
		    .chance = 77 + (uint64_t)i};
		workers[i].call.arena = workers[i].arena;
		pthread_create(&threads[i], NULL, work, &workers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	bad_network_tell(server, "count");
	bad_network_tell(server, "calm");
	ok(ledger->wrong == 0, "no answer of %u was wrong", count);
	if (ledger->wrong > 0)
		fprintf(stderr, "# %u, the first one: %s\n", ledger->wrong, ledger->what);
	printf("# %u done, %u refused by a condition, %u failed; the longest took %" PRId64 " ms\n",
	    ledger->done, ledger->condition, ledger->failed, ledger->longest / 1000);
	ok(ledger->done > count / 2, "most were done all the same");
	ok((double)ledger->longest / 1000 < deadline + GRACE_MS * bad_network_slowness(slow),
	    "each within its deadline");
	reckon_counters(ledger, arena);
	reckon_claims(ledger, arena);
	reckon_accounts(ledger, arena);
	reckon_versions(ledger, workers, arena);
	for (int i = 0; i < THREADS; i++)
		arena_free(workers[i].arena);
}

int
main(void)
{
	static struct ledger ledger;
	struct child server;
	struct clock clock = clock_system();
	struct arena *arena = arena_new();
	struct str why;

	dynamo_local_need();
	table_close(dynamo_local_table("faults", &clock));
	bad_network_begin(&server);
	pthread_mutex_init(&ledger.lock, NULL);
	if (table_dynamo_open(STR("faults"), &clock, arena, &ledger.table, &why) != TABLE_OK)
		bail_out("%.*s", STR_ARGS(why));
	storm(&ledger, &server, arena);
	table_close(ledger.table);
	child_end(&server);
	arena_free(arena);
	return tap_done();
}
