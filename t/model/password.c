/* Passwords: the cost of a check, which is the same for everybody, and the limiter for hashing. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "model/people/password.h"

#include <pthread.h>
#include <sodium.h>

enum { SOME = 6 };

static const struct password_cost cheap = {1, 8192}, dearer = {2, 16384};

static void
checks(struct arena *arena)
{
	struct password_limiter *limiter = password_limiter_new(&cheap, 1, 0);
	struct password_limiter *later = password_limiter_new(&dearer, 1, 0);
	struct str stored, again;
	bool stale = true;

	is_int(password_hash(limiter, arena, STR("slow river"), &stored), PASSWORD_RIGHT, "a hash");
	ok(str_starts(stored, STR("$argon2id$")), "... is Argon2id's");
	password_hash(limiter, arena, STR("slow river"), &again);
	ok(!str_eq(stored, again), "... and never the same");
	is_int(password_check(limiter, stored, STR("slow river"), &stale), PASSWORD_RIGHT, "right");
	ok(!stale, "... and of today's cost");
	is_int(password_check(limiter, stored, STR("slow River"), &stale), PASSWORD_WRONG, "wrong");
	is_int(password_check(later, stored, STR("slow river"), &stale), PASSWORD_RIGHT,
	    "a hash of another cost is still right");
	ok(stale, "... and should be made anew");
	is_int((int64_t)password_limiter_count(later), 1, "a check makes one hash");
	is_int(password_check(later, STR(""), STR("slow river"), &stale), PASSWORD_WRONG,
	    "nobody's password is wrong");
	is_int((int64_t)password_limiter_count(later), 2, "... and costs as much");
	is_int(
	    password_check(later, STR(""), STR(""), &stale), PASSWORD_WRONG, "even an empty one");
	password_limiter_free(limiter);
	password_limiter_free(later);
}

/* --- The limiter ---------------------------------------------------------------------------------------- */

struct crowd {
	struct password_limiter *limiter;
	pthread_barrier_t start;
	_Atomic unsigned done, busy;
};

static void *
one(void *data)
{
	struct crowd *crowd = data;
	bool stale;

	pthread_barrier_wait(&crowd->start);
	if (password_check(crowd->limiter, STR(""), STR("x"), &stale) == PASSWORD_BUSY)
		crowd->busy++;
	else
		crowd->done++;
	return NULL;
}

static void
limiter(void)
{
	enum { CROWD = 24, PLACES = 2, QUEUE = 3 };
	/* So slow that all come while the first one runs. */
	const struct password_cost slow = {40, 4 << 20};
	struct crowd crowd = {.limiter = password_limiter_new(&slow, PLACES, QUEUE)};
	pthread_t threads[CROWD];

	pthread_barrier_init(&crowd.start, NULL, CROWD);
	for (size_t i = 0; i < CROWD; i++)
		pthread_create(&threads[i], NULL, one, &crowd);
	for (size_t i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	is_int(crowd.done + crowd.busy, CROWD, "everybody has an answer");
	ok(crowd.busy > 0, "... some are sent away: the queue is bounded");
	ok(crowd.done >= PLACES + QUEUE, "... and those in places and queue are not");
	is_int((int64_t)password_limiter_count(crowd.limiter), crowd.done,
	    "... who is sent away costs nothing");
	pthread_barrier_destroy(&crowd.start);
	password_limiter_free(crowd.limiter);
}

static void
made(struct arena *arena)
{
	struct clock clock = clock_system();
	struct str one = password_make(arena, &clock), two = password_make(arena, &clock);

	is_int((int64_t)one.len, 24, "a made password has five groups of four");
	ok(!str_eq(one, two) &&
		password_error(one, &(struct password_owner){.site_name = STR("Site")}) == NULL,
	    "... is another one each time, and good");
}

/* --- Memory ------------------------------------------------------------------------------------------ */

static bool
never(size_t bytes)
{
	(void)bytes;
	return false;
}

/* Memory for one hash, but not for two. */
static bool
for_one(size_t bytes)
{
	return bytes <= cheap.memory;
}

static void
without_memory(struct arena *arena)
{
	/* More than a machine has addresses for. */
	const struct password_cost without_end = {1, (size_t)1 << 48};
	struct password_limiter *limiter = password_limiter_new(&cheap, 1, 0);
	struct password_limiter *huge = password_limiter_new(&without_end, 1, 0);
	struct crowd crowd = {.limiter = password_limiter_new(&cheap, SOME, 0)};
	pthread_t threads[SOME];
	struct str stored, none;
	bool stale;

	password_hash(limiter, arena, STR("slow river"), &stored);
	ok(!password_limiter_lacks_memory(limiter), "usually memory is there");
	password_limiter_ask(limiter, never);
	is_int(password_check(limiter, stored, STR("slow river"), &stale), PASSWORD_BUSY,
	    "where there is none, nothing is hashed");
	ok(password_limiter_lacks_memory(limiter), "... which is told apart from too many at once");
	is_int(password_hash(limiter, arena, STR("slow river"), &none), PASSWORD_BUSY,
	    "... nor is it where somebody chooses one");
	password_limiter_ask(limiter, NULL);
	is_int(password_check(limiter, stored, STR("slow river"), &stale), PASSWORD_RIGHT,
	    "when it is there again, all is well");
	ok(!password_limiter_lacks_memory(limiter), "... and said to be");
	password_limiter_ask(crowd.limiter, for_one);
	pthread_barrier_init(&crowd.start, NULL, SOME);
	for (int i = 0; i < SOME; i++)
		pthread_create(&threads[i], NULL, one, &crowd);
	for (int i = 0; i < SOME; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&crowd.start);
	is_int(crowd.done, SOME, "with memory for one, all are hashed, one after another");
	password_limiter_free(crowd.limiter);
	password_limiter_free(limiter);
	password_limiter_ask(huge, memory_fits);
	is_int(password_check(huge, STR(""), STR("slow river"), &stale), PASSWORD_BUSY,
	    "memory that the system refuses is no wrong password");
	ok(password_limiter_lacks_memory(huge), "... but what it is");
	password_limiter_free(huge);
}

int
main(void)
{
	struct arena *arena = arena_new();

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	without_memory(arena);
	checks(arena);
	limiter();
	made(arena);
	arena_free(arena);
	return tap_done();
}
