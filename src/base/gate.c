/*
 * Turns are dealt in rounds, as in fair queueing: a name that is not here yet joins the round that is being served, and
 * each further one of the same name the round behind its last. The lowest round is next; within it, who came first.
 */
#include "base/gate.h"

#include "base/arena.h"
#include "base/check.h"

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

struct gate {
	pthread_mutex_t mutex;
	pthread_cond_t moved; /* somebody has begun or left */
	struct gate_bounds bounds;
	struct place *places; /* bounds.at_once + bounds.waiting */
	uint64_t round;       /* of who began last */
	uint64_t came, count; /* how many came so far and got a place; how many of them began */
	struct gate_watcher watcher;
};

static void
nobody(void *who, bool begins)
{
	(void)who, (void)begins;
}

struct gate *
gate_new(const struct gate_bounds *bounds)
{
	struct gate *gate = calloc(1, sizeof(*gate));

	assert(bounds->timeout_ms >= 0);
	if (gate == NULL)
		out_of_memory();
	gate->bounds = *bounds;
	gate->places = calloc(bounds->at_once + bounds->waiting, sizeof(*gate->places));
	if (gate->places == NULL)
		out_of_memory();
	pthread_mutex_init(&gate->mutex, NULL);
	pthread_cond_init(&gate->moved, NULL);
	gate->watcher.held = nobody;
	return gate;
}

static unsigned
all_places(const struct gate *gate)
{
	return gate->bounds.at_once + gate->bounds.waiting;
}

static unsigned
in_state(const struct gate *gate, enum place_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < all_places(gate); i++)
		count += gate->places[i].state == state;
	return count;
}

void
gate_free(struct gate *gate)
{
	if (gate == NULL)
		return;
	assert(in_state(gate, PLACE_FREE) == all_places(gate));
	pthread_cond_destroy(&gate->moved);
	pthread_mutex_destroy(&gate->mutex);
	free(gate->places);
	free(gate);
}

unsigned
gate_watch(struct gate *gate, const struct gate_watcher *watcher)
{
	assert(in_state(gate, PLACE_FREE) == all_places(gate));
	gate->watcher = *watcher;
	return all_places(gate);
}

/* A place of that name in that state; NULL: none. */
static struct place *
place_of(const struct gate *gate, struct str who, enum place_state state)
{
	for (unsigned i = 0; i < all_places(gate); i++)
		if (gate->places[i].state == state && str_eq(gate->places[i].who, who))
			return &gate->places[i];
	return NULL;
}

/* Of those who wait and whose name may work now, the one whose turn it is; NULL: nobody may begin. */
static const struct place *
next(const struct gate *gate)
{
	const struct place *first = NULL;

	if (in_state(gate, PLACE_WORKS) == gate->bounds.at_once)
		return NULL;
	for (unsigned i = 0; i < all_places(gate); i++) {
		const struct place *place = &gate->places[i];

		if (place->state != PLACE_WAITS ||
		    (gate->bounds.of_one != 0 && place_of(gate, place->who, PLACE_WORKS) != NULL))
			continue;
		if (first == NULL || place->round < first->round ||
		    (place->round == first->round && place->came < first->came))
			first = place;
	}
	return first;
}

/* A place to wait in; NULL: there is none for that name. */
static struct place *
join(struct gate *gate, struct str who)
{
	struct place *free_place = NULL;
	uint64_t round = gate->round;
	unsigned own = 0;

	for (unsigned i = 0; i < all_places(gate); i++) {
		struct place *place = &gate->places[i];

		if (place->state == PLACE_FREE) {
			free_place = place;
		} else if (str_eq(place->who, who)) {
			own++;
			round = place->round >= round ? place->round + 1 : round;
		}
	}
	if (free_place == NULL || (gate->bounds.of_one != 0 && own >= gate->bounds.of_one))
		return NULL;
	*free_place = (struct place){PLACE_WAITS, who, round, gate->came++};
	/* Nobody waits in a place that is meant for work, unless they need not wait at all. */
	if (in_state(gate, PLACE_WAITS) > gate->bounds.waiting && next(gate) != free_place) {
		free_place->state = PLACE_FREE;
		return NULL;
	}
	return free_place;
}

/* How many under that name are in that state. */
static unsigned
of_name(const struct gate *gate, struct str who, enum place_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < all_places(gate); i++)
		count += gate->places[i].state == state && str_eq(gate->places[i].who, who);
	return count;
}

/*
 * With the mutex, whenever it is let go: no more work or wait than may, also of one name, each came at another moment, and
 * nobody waits whose round is over, but those whose name works already.
 */
static bool
gate_ok(const struct gate *gate)
{
	const struct gate_bounds *bounds = &gate->bounds;

	for (unsigned i = 0; i < all_places(gate); i++) {
		const struct place *place = &gate->places[i];
		unsigned work, wait;

		if (place->state == PLACE_FREE)
			continue;
		work = of_name(gate, place->who, PLACE_WORKS);
		wait = of_name(gate, place->who, PLACE_WAITS);
		if (bounds->of_one != 0 && (work > 1 || work + wait > bounds->of_one))
			return false;
		if (place->state == PLACE_WAITS && bounds->of_one == 0 && place->round < gate->round)
			return false;
		for (unsigned j = 0; j < i; j++)
			if (gate->places[j].state != PLACE_FREE && gate->places[j].came == place->came)
				return false;
	}
	return in_state(gate, PLACE_WORKS) <= bounds->at_once &&
	       in_state(gate, PLACE_WAITS) <= bounds->waiting && gate->count <= gate->came;
}

/* Waits until it is that place's turn; false when it took too long. */
static bool
wait_turn(struct gate *gate, const struct place *mine)
{
	struct timespec until;
	int64_t left = gate->bounds.timeout_ms;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(left / 1000);
	until.tv_nsec += (long)(left % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	while (next(gate) != mine) {
		assert_whole(gate_ok(gate));
		if (left == 0)
			pthread_cond_wait(&gate->moved, &gate->mutex);
		else if (pthread_cond_clockwait(
			     &gate->moved, &gate->mutex, CLOCK_MONOTONIC, &until) == ETIMEDOUT)
			return next(gate) == mine;
	}
	return true;
}

bool
gate_enter(struct gate *gate, struct str who)
{
	struct place *mine;
	bool in = false;

	pthread_mutex_lock(&gate->mutex);
	mine = join(gate, who);
	if (mine != NULL) {
		gate->watcher.held(gate->watcher.who, true);
		in = wait_turn(gate, mine);
		mine->state = in ? PLACE_WORKS : PLACE_FREE;
		if (in) {
			gate->round = mine->round > gate->round ? mine->round : gate->round;
			gate->count++;
		} else {
			gate->watcher.held(gate->watcher.who, false);
		}
		pthread_cond_broadcast(&gate->moved);
	}
	assert_whole(gate_ok(gate));
	pthread_mutex_unlock(&gate->mutex);
	return in;
}

void
gate_leave(struct gate *gate, struct str who)
{
	struct place *place;

	pthread_mutex_lock(&gate->mutex);
	place = place_of(gate, who, PLACE_WORKS);
	assert(place != NULL);
	place->state = PLACE_FREE;
	assert_whole(gate_ok(gate));
	pthread_cond_broadcast(&gate->moved);
	pthread_mutex_unlock(&gate->mutex);
	gate->watcher.held(gate->watcher.who, false);
}

uint64_t
gate_count(struct gate *gate)
{
	uint64_t count;

	pthread_mutex_lock(&gate->mutex);
	count = gate->count;
	pthread_mutex_unlock(&gate->mutex);
	return count;
}

unsigned
gate_waiting(struct gate *gate)
{
	unsigned count;

	pthread_mutex_lock(&gate->mutex);
	count = in_state(gate, PLACE_WAITS);
	pthread_mutex_unlock(&gate->mutex);
	return count;
}
