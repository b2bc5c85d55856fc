/*
 * Fair queueing in rounds: a name without a place joins the current round, and each further caller
 * of the same name the round after its last one. The lowest round is served first; within a round,
 * in order of arrival.
 */
#include "base/limiter.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum place_state { PLACE_FREE, PLACE_WAITS, PLACE_WORKS };

struct place {
	enum place_state state;
	struct str who;
	uint64_t round, came;
};

struct limiter {
	pthread_mutex_t mutex;
	pthread_cond_t moved; /* somebody has begun or left */
	struct limiter_bounds bounds;
	struct place *places; /* bounds.at_once + bounds.waiting */
	uint64_t round;       /* of the caller that began last */
	uint64_t came, count; /* how many have got a place so far; how many of them have begun */
	struct limiter_watcher watcher;
};

static void
nobody(void *who, bool begins)
{
	(void)who, (void)begins;
}

struct limiter *
limiter_new(const struct limiter_bounds *bounds)
{
	struct limiter *limiter = calloc(1, sizeof(*limiter));

	assert(bounds->timeout_ms >= 0);
	if (limiter == NULL)
		out_of_memory();
	limiter->bounds = *bounds;
	limiter->places = calloc(bounds->at_once + bounds->waiting, sizeof(*limiter->places));
	if (limiter->places == NULL)
		out_of_memory();
	pthread_mutex_init(&limiter->mutex, NULL);
	pthread_cond_init(&limiter->moved, NULL);
	limiter->watcher.held = nobody;
	return limiter;
}

static unsigned
all_places(const struct limiter *limiter)
{
	return limiter->bounds.at_once + limiter->bounds.waiting;
}

static unsigned
in_state(const struct limiter *limiter, enum place_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < all_places(limiter); i++)
		count += limiter->places[i].state == state;
	return count;
}

void
limiter_free(struct limiter *limiter)
{
	if (limiter == NULL)
		return;
	assert(in_state(limiter, PLACE_FREE) == all_places(limiter));
	pthread_cond_destroy(&limiter->moved);
	pthread_mutex_destroy(&limiter->mutex);
	free(limiter->places);
	free(limiter);
}

unsigned
limiter_watch(struct limiter *limiter, const struct limiter_watcher *watcher)
{
	assert(in_state(limiter, PLACE_FREE) == all_places(limiter));
	limiter->watcher = *watcher;
	return all_places(limiter);
}

/* A place of that name in that state, or NULL. */
static struct place *
place_of(const struct limiter *limiter, struct str who, enum place_state state)
{
	for (unsigned i = 0; i < all_places(limiter); i++)
		if (limiter->places[i].state == state && str_eq(limiter->places[i].who, who))
			return &limiter->places[i];
	return NULL;
}

/* The waiting caller whose turn it is, or NULL when nobody may begin. */
static const struct place *
next(const struct limiter *limiter)
{
	const struct place *first = NULL;

	if (in_state(limiter, PLACE_WORKS) == limiter->bounds.at_once)
		return NULL;
	for (unsigned i = 0; i < all_places(limiter); i++) {
		const struct place *place = &limiter->places[i];

		if (place->state != PLACE_WAITS ||
		    (limiter->bounds.of_one != 0 &&
			place_of(limiter, place->who, PLACE_WORKS) != NULL))
			continue;
		if (first == NULL || place->round < first->round ||
		    (place->round == first->round && place->came < first->came))
			first = place;
	}
	return first;
}

/* Takes a place; NULL when there is none for that name. */
static struct place *
join(struct limiter *limiter, struct str who)
{
	struct place *free_place = NULL;
	uint64_t round = limiter->round;
	unsigned own = 0;

	for (unsigned i = 0; i < all_places(limiter); i++) {
		struct place *place = &limiter->places[i];

		if (place->state == PLACE_FREE) {
			free_place = place;
		} else if (str_eq(place->who, who)) {
			own++;
			round = place->round >= round ? place->round + 1 : round;
		}
	}
	if (free_place == NULL || (limiter->bounds.of_one != 0 && own >= limiter->bounds.of_one))
		return NULL;
	*free_place = (struct place){PLACE_WAITS, who, round, limiter->came++};
	/*
	 * The places of running callers are not for waiting, except for one that can begin at once.
	 */
	if (in_state(limiter, PLACE_WAITS) > limiter->bounds.waiting &&
	    next(limiter) != free_place) {
		free_place->state = PLACE_FREE;
		return NULL;
	}
	return free_place;
}

/* How many places of that name are in that state. */
static unsigned
of_name(const struct limiter *limiter, struct str who, enum place_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < all_places(limiter); i++)
		count += limiter->places[i].state == state && str_eq(limiter->places[i].who, who);
	return count;
}

/*
 * Checked before the mutex is released: no more callers run or wait than allowed, in all and of one
 * name; arrival numbers differ; and nobody waits whose round is over, except behind a running
 * caller of the same name.
 */
static bool
limiter_ok(const struct limiter *limiter)
{
	const struct limiter_bounds *bounds = &limiter->bounds;

	for (unsigned i = 0; i < all_places(limiter); i++) {
		const struct place *place = &limiter->places[i];
		unsigned work, wait;

		if (place->state == PLACE_FREE)
			continue;
		work = of_name(limiter, place->who, PLACE_WORKS);
		wait = of_name(limiter, place->who, PLACE_WAITS);
		if (bounds->of_one != 0 && (work > 1 || work + wait > bounds->of_one))
			return false;
		if (place->state == PLACE_WAITS && bounds->of_one == 0 &&
		    place->round < limiter->round)
			return false;
		for (unsigned j = 0; j < i; j++)
			if (limiter->places[j].state != PLACE_FREE &&
			    limiter->places[j].came == place->came)
				return false;
	}
	return in_state(limiter, PLACE_WORKS) <= bounds->at_once &&
	       in_state(limiter, PLACE_WAITS) <= bounds->waiting && limiter->count <= limiter->came;
}

/* Waits until it is that place's turn; false when it took too long. */
static bool
wait_turn(struct limiter *limiter, const struct place *mine)
{
	const struct timespec until = thread_deadline(limiter->bounds.timeout_ms);

	while (next(limiter) != mine) {
		assert_whole(limiter_ok(limiter));
		if (limiter->bounds.timeout_ms == 0)
			pthread_cond_wait(&limiter->moved, &limiter->mutex);
		else if (pthread_cond_clockwait(&limiter->moved, &limiter->mutex, CLOCK_MONOTONIC,
			     &until) == ETIMEDOUT)
			return next(limiter) == mine;
	}
	return true;
}

bool
limiter_enter(struct limiter *limiter, struct str who)
{
	struct place *mine;
	bool in = false;

	pthread_mutex_lock(&limiter->mutex);
	mine = join(limiter, who);
	if (mine != NULL) {
		limiter->watcher.held(limiter->watcher.who, true);
		in = wait_turn(limiter, mine);
		mine->state = in ? PLACE_WORKS : PLACE_FREE;
		if (in) {
			limiter->round =
			    mine->round > limiter->round ? mine->round : limiter->round;
			limiter->count++;
		} else {
			limiter->watcher.held(limiter->watcher.who, false);
		}
		pthread_cond_broadcast(&limiter->moved);
	}
	assert_whole(limiter_ok(limiter));
	pthread_mutex_unlock(&limiter->mutex);
	return in;
}

void
limiter_leave(struct limiter *limiter, struct str who)
{
	struct place *place;

	pthread_mutex_lock(&limiter->mutex);
	place = place_of(limiter, who, PLACE_WORKS);
	assert(place != NULL);
	place->state = PLACE_FREE;
	assert_whole(limiter_ok(limiter));
	pthread_cond_broadcast(&limiter->moved);
	pthread_mutex_unlock(&limiter->mutex);
	limiter->watcher.held(limiter->watcher.who, false);
}

uint64_t
limiter_count(struct limiter *limiter)
{
	uint64_t count;

	pthread_mutex_lock(&limiter->mutex);
	count = limiter->count;
	pthread_mutex_unlock(&limiter->mutex);
	return count;
}

unsigned
limiter_waiting(struct limiter *limiter)
{
	unsigned count;

	pthread_mutex_lock(&limiter->mutex);
	count = in_state(limiter, PLACE_WAITS);
	pthread_mutex_unlock(&limiter->mutex);
	return count;
}
