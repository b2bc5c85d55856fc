#include "model/people/password.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/gate.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct password_cost password_cost_usual = {
    crypto_pwhash_argon2id_OPSLIMIT_INTERACTIVE, crypto_pwhash_argon2id_MEMLIMIT_INTERACTIVE};

struct password_gate {
	struct gate *gate;
	struct password_cost cost;
	bool (*fits)(size_t bytes);
	pthread_mutex_t mutex;
	unsigned hashing;         /* how many have memory, or are about to take it */
	atomic_bool lacks_memory; /* whoever was sent away last was for want of it */
	/* What is checked where there is no hash: nobody's password, at the usual cost. */
	char nobody[crypto_pwhash_STRBYTES];
};

struct password_gate *
password_gate_new(const struct password_cost *cost, unsigned at_once, unsigned waiting)
{
	struct password_gate *gate = calloc(1, sizeof(*gate));

	if (gate == NULL)
		out_of_memory();
	gate->gate = gate_new(&(struct gate_bounds){.at_once = at_once, .waiting = waiting});
	gate->cost = *cost;
	pthread_mutex_init(&gate->mutex, NULL);
	snprintf(gate->nobody, sizeof(gate->nobody),
	    "$argon2id$v=19$m=%zu,t=%llu,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
	    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    cost->memory / 1024, cost->operations);
	return gate;
}

void
password_gate_free(struct password_gate *gate)
{
	if (gate == NULL)
		return;
	assert(gate->hashing == 0);
	gate_free(gate->gate);
	pthread_mutex_destroy(&gate->mutex);
	free(gate);
}

unsigned
password_gate_watch(struct password_gate *gate, const struct gate_watcher *watcher)
{
	return gate_watch(gate->gate, watcher);
}

uint64_t
password_gate_count(struct password_gate *gate)
{
	return gate_count(gate->gate);
}

void
password_gate_ask(struct password_gate *gate, bool (*fits)(size_t bytes))
{
	gate->fits = fits;
}

bool
password_gate_lacks_memory(struct password_gate *gate)
{
	return atomic_load(&gate->lacks_memory);
}

/*
 * Takes what one hash needs, for libsodium does not tell a password that is wrong from one that there was no memory to
 * check. Where there is not as much while others hash, waits for them: it is a moment's matter. False
 * when there is not as much for one alone.
 */
static bool
take_memory(struct password_gate *gate)
{
	const struct timespec moment = {.tv_nsec = 5000000};

	for (;;) {
		unsigned others;
		bool fits;

		pthread_mutex_lock(&gate->mutex);
		others = gate->hashing;
		fits = gate->fits == NULL || gate->fits(gate->cost.memory * (others + 1));
		gate->hashing += fits;
		pthread_mutex_unlock(&gate->mutex);
		if (fits || others == 0)
			return fits;
		nanosleep(&moment, NULL);
	}
}

/* A turn, and the memory for it; false when either is not to be had. Else finish() is owed. */
static bool
begin(struct password_gate *gate)
{
	bool in = gate_enter(gate->gate, STR("")), takes = in && take_memory(gate);

	atomic_store(&gate->lacks_memory, in && !takes);
	if (in && !takes)
		gate_leave(gate->gate, STR(""));
	return takes;
}

static void
finish(struct password_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	assert(gate->hashing > 0);
	gate->hashing--;
	pthread_mutex_unlock(&gate->mutex);
	gate_leave(gate->gate, STR(""));
}

enum password_rc
password_hash(
    struct password_gate *gate, struct arena *arena, struct str password, struct str *stored)
{
	char *text = arena_alloc(arena, crypto_pwhash_STRBYTES);
	int failed;

	if (!begin(gate))
		return PASSWORD_BUSY;
	failed = crypto_pwhash_str_alg(text, password.base, password.len, gate->cost.operations,
	    gate->cost.memory, crypto_pwhash_ALG_ARGON2ID13);
	finish(gate);
	*stored = str_of(text);
	return failed ? PASSWORD_BUSY : PASSWORD_RIGHT;
}

enum password_rc
password_check(struct password_gate *gate, struct str stored, struct str password, bool *stale)
{
	char text[crypto_pwhash_STRBYTES];
	bool known = stored.len != 0 && stored.len < sizeof(text);
	int wrong;

	memcpy(text, gate->nobody, sizeof(text));
	if (known) {
		memset(text, 0, sizeof(text));
		memcpy(text, stored.base, stored.len);
	}
	if (!begin(gate))
		return PASSWORD_BUSY;
	wrong = crypto_pwhash_str_verify(text, password.base, password.len);
	finish(gate);
	*stale = !wrong && crypto_pwhash_str_needs_rehash(
			       text, gate->cost.operations, gate->cost.memory) != 0;
	return wrong || !known ? PASSWORD_WRONG : PASSWORD_RIGHT;
}

enum password_rc
password_stretch(struct password_gate *gate, struct arena *arena, struct str text,
    const unsigned char salt[PASSWORD_SALT_BYTES], struct str *out)
{
	enum { BYTES = 32 };
	unsigned char hash[BYTES];
	char *hex = arena_alloc(arena, 2 * BYTES + 1);
	int failed;

	_Static_assert(PASSWORD_SALT_BYTES == crypto_pwhash_SALTBYTES, "what Argon2id takes");
	if (!begin(gate))
		return PASSWORD_BUSY;
	failed = crypto_pwhash(hash, BYTES, text.base, text.len, salt, gate->cost.operations,
	    gate->cost.memory, crypto_pwhash_ALG_ARGON2ID13);
	finish(gate);
	sodium_bin2hex(hex, 2 * BYTES + 1, hash, BYTES);
	*out = (struct str){hex, 2 * BYTES};
	return failed ? PASSWORD_BUSY : PASSWORD_RIGHT;
}

/* --- Making one ------------------------------------------------------------------------------------- */

struct str
password_make(struct arena *arena, struct clock *clock)
{
	/* Without the letters and digits that are taken for one another. */
	static const char alphabet[] = "abcdefghijkmnpqrstuvwxyz23456789";
	enum { LETTERS = 20, GROUP = 4 };
	unsigned char chance[LETTERS];
	char *text = arena_alloc(arena, LETTERS + LETTERS / GROUP);
	size_t len = 0;

	_Static_assert(sizeof(alphabet) == 32 + 1, "five bits choose a letter");
	clock->random(clock, chance, sizeof(chance));
	for (size_t i = 0; i < LETTERS; i++) {
		if (i != 0 && i % GROUP == 0)
			text[len++] = '-';
		text[len++] = alphabet[chance[i] % 32];
	}
	sodium_memzero(chance, sizeof(chance));
	return (struct str){text, len};
}
