#include "model/people/password.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/limiter.h"

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

struct password_limiter {
	struct limiter *limiter;
	struct password_cost cost;
	bool (*fits)(size_t bytes);
	pthread_mutex_t mutex;
	unsigned hashing;         /* how many have memory for a hash, or are about to take it */
	atomic_bool lacks_memory; /* the last refusal was for lack of memory */
	/* checked when there is no hash: of a random password, at the usual cost */
	char nobody[crypto_pwhash_STRBYTES];
};

struct password_limiter *
password_limiter_new(const struct password_cost *cost, unsigned at_once, unsigned waiting)
{
	struct password_limiter *limiter = calloc(1, sizeof(*limiter));

	if (limiter == NULL)
		out_of_memory();
	limiter->limiter =
	    limiter_new(&(struct limiter_bounds){.at_once = at_once, .waiting = waiting});
	limiter->cost = *cost;
	pthread_mutex_init(&limiter->mutex, NULL);
	snprintf(limiter->nobody, sizeof(limiter->nobody),
	    "$argon2id$v=19$m=%zu,t=%llu,p=1$AAAAAAAAAAAAAAAAAAAAAA$"
	    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    cost->memory / 1024, cost->operations);
	return limiter;
}

void
password_limiter_free(struct password_limiter *limiter)
{
	if (limiter == NULL)
		return;
	assert(limiter->hashing == 0);
	limiter_free(limiter->limiter);
	pthread_mutex_destroy(&limiter->mutex);
	free(limiter);
}

unsigned
password_limiter_watch(struct password_limiter *limiter, const struct limiter_watcher *watcher)
{
	return limiter_watch(limiter->limiter, watcher);
}

uint64_t
password_limiter_count(struct password_limiter *limiter)
{
	return limiter_count(limiter->limiter);
}

void
password_limiter_ask(struct password_limiter *limiter, bool (*fits)(size_t bytes))
{
	limiter->fits = fits;
}

bool
password_limiter_lacks_memory(struct password_limiter *limiter)
{
	return atomic_load(&limiter->lacks_memory);
}

/*
 * Reserves the memory of one hash, because libsodium does not tell a wrong password from a lack of
 * memory. While others are hashing, waits for theirs, which is a matter of moments. False when
 * there is not enough even for one.
 */
static bool
take_memory(struct password_limiter *limiter)
{
	const struct timespec moment = {.tv_nsec = 5000000};

	for (;;) {
		unsigned others;
		bool fits;

		pthread_mutex_lock(&limiter->mutex);
		others = limiter->hashing;
		fits = limiter->fits == NULL || limiter->fits(limiter->cost.memory * (others + 1));
		limiter->hashing += fits;
		pthread_mutex_unlock(&limiter->mutex);
		if (fits || others == 0)
			return fits;
		nanosleep(&moment, NULL);
	}
}

/*
 * Waits for a turn and for memory; false when either is refused. Otherwise finish() must be called.
 */
static bool
begin(struct password_limiter *limiter)
{
	bool in = limiter_enter(limiter->limiter, STR("")), takes = in && take_memory(limiter);

	atomic_store(&limiter->lacks_memory, in && !takes);
	if (in && !takes)
		limiter_leave(limiter->limiter, STR(""));
	return takes;
}

static void
finish(struct password_limiter *limiter)
{
	pthread_mutex_lock(&limiter->mutex);
	assert(limiter->hashing > 0);
	limiter->hashing--;
	pthread_mutex_unlock(&limiter->mutex);
	limiter_leave(limiter->limiter, STR(""));
}

enum password_rc
password_hash(
    struct password_limiter *limiter, struct arena *arena, struct str password, struct str *stored)
{
	char *text = arena_alloc(arena, crypto_pwhash_STRBYTES);
	int failed;

	if (!begin(limiter))
		return PASSWORD_BUSY;
	failed = crypto_pwhash_str_alg(text, password.base, password.len, limiter->cost.operations,
	    limiter->cost.memory, crypto_pwhash_ALG_ARGON2ID13);
	finish(limiter);
	*stored = str_of(text);
	return failed ? PASSWORD_BUSY : PASSWORD_RIGHT;
}

enum password_rc
password_check(
    struct password_limiter *limiter, struct str stored, struct str password, bool *stale)
{
	char text[crypto_pwhash_STRBYTES];
	bool known = stored.len != 0 && stored.len < sizeof(text);
	int wrong;

	memcpy(text, limiter->nobody, sizeof(text));
	if (known) {
		memset(text, 0, sizeof(text));
		memcpy(text, stored.base, stored.len);
	}
	if (!begin(limiter))
		return PASSWORD_BUSY;
	wrong = crypto_pwhash_str_verify(text, password.base, password.len);
	finish(limiter);
	*stale = !wrong && crypto_pwhash_str_needs_rehash(
			       text, limiter->cost.operations, limiter->cost.memory) != 0;
	return wrong || !known ? PASSWORD_WRONG : PASSWORD_RIGHT;
}

enum password_rc
password_stretch(struct password_limiter *limiter, struct arena *arena, struct str text,
    const unsigned char salt[PASSWORD_SALT_BYTES], struct str *out)
{
	enum { BYTES = 32 };
	unsigned char hash[BYTES];
	char *hex = arena_alloc(arena, 2 * BYTES + 1);
	int failed;

	_Static_assert(PASSWORD_SALT_BYTES == crypto_pwhash_SALTBYTES, "what Argon2id takes");
	if (!begin(limiter))
		return PASSWORD_BUSY;
	failed = crypto_pwhash(hash, BYTES, text.base, text.len, salt, limiter->cost.operations,
	    limiter->cost.memory, crypto_pwhash_ALG_ARGON2ID13);
	finish(limiter);
	sodium_bin2hex(hex, 2 * BYTES + 1, hash, BYTES);
	*out = (struct str){hex, 2 * BYTES};
	return failed ? PASSWORD_BUSY : PASSWORD_RIGHT;
}

/* --- Making one ------------------------------------------------------------------------------------- */

struct str
password_make(struct arena *arena, struct clock *clock)
{
	/* Without letters and digits that are easily confused. */
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
