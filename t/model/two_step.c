/*
 * The second step in the table: each code is valid once, in a race as well; after it was turned off
 * or changed none is; and the secret is useless to somebody who reads the table, or under another
 * name.
 */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/totp.h"
#include "model/people/two_step.h"
#include "model/site/secret.h"

#include <pthread.h>
#include <sodium.h>

enum { NOW_STEP = 59833333, CROWD = 16 };
static const struct password_cost cheap = {1, 8192};
static const int64_t NOW = (int64_t)NOW_STEP * TOTP_STEP_MS;
static const struct secret_keys keys = {{"a key of thirty-two bytes, or so"}, 1};
static const unsigned char *const key = keys.keys[0];

struct place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct plan plan;
	struct str secret;
	struct recovery recovery;
	struct password_limiter *limiter;
};

static struct account
found(struct place *p)
{
	struct account account = {.password = STR("")};

	if (account_find(&p->plan, STR("noor"), &account) != PLAN_DONE)
		bail_out("noor is not there");
	return account;
}

static const char *
code_at(struct place *p, int64_t step)
{
	return str_cstring(
	    p->arena, str_fmt(p->arena, "%06u", (unsigned)totp_code(p->secret, step)));
}

static bool
use(struct place *p, const struct account *account, const char *typed)
{
	enum plan_rc rc;

	two_step_use(&p->plan, p->limiter, &keys, account, str_of(typed));
	rc = plan_commit(&p->plan);
	if (rc != PLAN_DONE && rc != PLAN_CHANGED)
		bail_out("the table failed");
	return rc == PLAN_DONE;
}

static enum plan_rc
turn_on(struct place *p)
{
	struct account account = found(p);
	struct session stays = {.hash = STR("b"), .username = STR("noor")};

	return two_step_set(
	    &p->plan, &p->clock, key, &account.user, p->secret, NOW_STEP - 1, &p->recovery, &stays);
}

static void
once(struct place *p)
{
	struct account before, account;
	uint64_t hashes;

	is_int(turn_on(p), PLAN_DONE, "it is on");
	is_int(turn_on(p), PLAN_CHANGED, "... and can't be turned on twice");
	before = account = found(p);
	is_int((int64_t)account.two_step.codes_left, RECOVERY_CODES, "... with ten recovery codes");
	ok(!use(p, &account, code_at(p, NOW_STEP - 1)), "the code that turned it on is used up");
	ok(use(p, &account, code_at(p, NOW_STEP)), "the next one is right");
	ok(!use(p, &account, code_at(p, NOW_STEP)),
	    "... once, even to who has not seen that it was used");
	ok(!use(p, &before, code_at(p, NOW_STEP - 1)), "... and none before it any more");
	ok(!use(p, &account, ""), "nothing is no code");
	ok(!use(p, &account, "0123456789012345678901234567890123456789x"),
	    "... nor is a long text");
	hashes = password_limiter_count(p->limiter);
	ok(use(p, &account, str_cstring(p->arena, p->recovery.codes[2])),
	    "a recovery code is right");
	is_int((int64_t)(password_limiter_count(p->limiter) - hashes), 1,
	    "... and costs as much as a password, however many there are");
	ok(!use(p, &account, str_cstring(p->arena, p->recovery.codes[2])), "... once");
	is_int(
	    (int64_t)found(p).two_step.codes_left, RECOVERY_CODES - 1, "... and one less is left");
}

/* With an account that was read before it changed, no code is accepted. */
static void
changed_meanwhile(struct place *p)
{
	struct account before = found(p);

	is_int(two_step_off(&p->plan, &before.user), PLAN_DONE, "it is off");
	p->plan.now += TOTP_STEP_MS;
	ok(!use(p, &before, code_at(p, NOW_STEP + 1)),
	    "... and takes no code, whoever still thinks so");
	ok(!use(p, &before, str_cstring(p->arena, p->recovery.codes[3])),
	    "... nor a recovery code");
	p->plan.now = NOW;
	is_int(turn_on(p), PLAN_DONE, "it is on again, with another key");
	ok(!use(p, &before, code_at(p, NOW_STEP)), "who saw the one before takes nothing");
	is_int(two_step_off(&p->plan, &before.user), PLAN_CHANGED,
	    "... nor turns it off, in an era that is over");
}

/* Codes that were made before there was a salt are as good as they were. */
static void
of_before(struct place *p)
{
	/* Of "noor" and the code, by hand: BLAKE2b of sixteen bytes. */
	const char code[] = "abcd-efgh-ijkm-npqr-stuv", squeezed[] = "noorabcdefghijkmnpqrstuv";
	unsigned char hash[16];
	char text[33];
	struct account account = found(p);
	struct str hashes[1] = {{text, 32}};
	struct change changes[2] = {{CHANGE_REMOVE, STR("RecoverySalt"), value_null()},
	    {CHANGE_SET, STR("RecoveryCodes"), value_set(p->arena, hashes, 1)}};
	struct write write = {.kind = WRITE_UPDATE,
	    .key = {STR("USER#noor"), STR("METADATA")},
	    .changes = changes,
	    .change_count = 2};

	crypto_generichash(
	    hash, sizeof(hash), (const unsigned char *)squeezed, strlen(squeezed), NULL, 0);
	sodium_bin2hex(text, sizeof(text), hash, sizeof(hash));
	if (table_write(p->table, &p->call, &write) != TABLE_OK)
		bail_out("no codes of before");
	account = found(p);
	ok(use(p, &account, code), "a recovery code from before hashes were slow is right");
	ok(!use(p, &account, code), "... once");
}

static void
sealing(struct place *p)
{
	struct account account = found(p);
	struct str text, sealed = account.two_step.key;
	unsigned char other[SEALED_KEY_BYTES] = "another key of thirty-two bytes.";
	char *bent = str_cstring(p->arena, sealed);

	ok(memmem(sealed.base, sealed.len, p->secret.base, p->secret.len) == NULL,
	    "the table does not have the secret as it is");
	ok(sealed_open(p->arena, key, STR("noor"), sealed, &text) && str_eq(text, p->secret),
	    "the site's key opens it");
	ok(!sealed_open(p->arena, key, STR("kofi"), sealed, &text), "... for nobody else");
	ok(!sealed_open(p->arena, other, STR("noor"), sealed, &text), "... and no other key");
	bent[sealed.len - 1] ^= 1;
	ok(!sealed_open(p->arena, key, STR("noor"), (struct str){bent, sealed.len}, &text),
	    "... nor if one bit is another");
	ok(!sealed_open(p->arena, key, STR("noor"), STR("short"), &text), "what is short is none");
}

/* --- A race ------------------------------------------------------------------------------------------ */

struct racer {
	struct place *place;
	pthread_barrier_t *start;
	const char *typed;
	bool right;
};

static void *
race(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = racer->place->table, .call = &call, .now = NOW};
	struct account account;

	account_find(&plan, STR("noor"), &account);
	two_step_use(&plan, racer->place->limiter, &keys, &account, str_of(racer->typed));
	pthread_barrier_wait(racer->start);
	racer->right = plan_commit(&plan) == PLAN_DONE;
	arena_free(arena);
	return NULL;
}

static void
races(struct place *p, const char *typed, const char *says)
{
	struct racer racers[CROWD];
	pthread_t threads[CROWD];
	pthread_barrier_t start;
	unsigned right = 0;

	pthread_barrier_init(&start, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		racers[i] = (struct racer){p, &start, typed, false};
		pthread_create(&threads[i], NULL, race, &racers[i]);
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
		right += racers[i].right;
	}
	pthread_barrier_destroy(&start);
	is_int(right, 1, "of 16 who use one %s at once, one gets in", says);
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_fixed(NOW, 1)};
	const struct new_account noor = {.username = STR("noor"),
	    .email = STR("noor@example.org"),
	    .password = STR("hash"),
	    .status = USER_ACTIVE};
	struct test_store store;

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	p.secret = totp_secret(p.arena, &p.clock);
	p.limiter = password_limiter_new(&cheap, CROWD, CROWD);
	if (two_step_codes(p.limiter, p.arena, &p.clock, &p.recovery) != PASSWORD_RIGHT)
		bail_out("codes can't be made");
	is_int((int64_t)password_limiter_count(p.limiter), RECOVERY_CODES,
	    "each recovery code is hashed slowly");
	if (account_create(&p.plan, &noor) != PLAN_DONE)
		bail_out("noor can't be made");
	once(&p);
	changed_meanwhile(&p);
	sealing(&p);
	races(&p, code_at(&p, NOW_STEP), "code");
	races(&p, str_cstring(p.arena, p.recovery.codes[5]), "recovery code");
	of_before(&p);
	table_release(p.table, &p.call);
	password_limiter_free(p.limiter);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}
