#include "server/crew.h"

#include <assert.h>

/* The parts of the state; there are no more than some hundred threads. */
enum {
	LISTENING = 1,
	RESTING = 1 << 12,
	DISMISSED = 1 << 24,
};

static unsigned
listening(unsigned state)
{
	return state % RESTING;
}

static unsigned
resting(unsigned state)
{
	return state % DISMISSED / RESTING;
}

bool
crew_begin(struct crew *crew)
{
	atomic_init(&crew->state, 0);
	return sem_init(&crew->called, 0, 0) == 0;
}

void
crew_end(struct crew *crew)
{
	/* Nobody listens or rests. */
	assert(atomic_load(&crew->state) % DISMISSED == 0);
	sem_destroy(&crew->called);
}

void
crew_listen(struct crew *crew)
{
	unsigned before = atomic_fetch_add(&crew->state, LISTENING);

	assert(listening(before) + resting(before) < RESTING - 1);
	(void)before;
}

void
crew_heard(struct crew *crew)
{
	unsigned before = atomic_fetch_sub(&crew->state, LISTENING);

	assert(listening(before) > 0);
	(void)before;
}

bool
crew_listens(const struct crew *crew)
{
	return listening(atomic_load(&crew->state)) > 0;
}

bool
crew_rest(struct crew *crew)
{
	unsigned state = atomic_load(&crew->state);

	do {
		if (listening(state) == 0 || state >= DISMISSED)
			return false;
	} while (!atomic_compare_exchange_weak(&crew->state, &state, state + RESTING));
	while (sem_wait(&crew->called) < 0)
		;
	return true;
}

/* Calls one, on whose behalf it is written down that it listens: nobody else needs to call. */
static bool
call_one(struct crew *crew, bool although_heard)
{
	unsigned state = atomic_load(&crew->state);

	do {
		if (resting(state) == 0 || (listening(state) > 0 && !although_heard))
			return false;
	} while (!atomic_compare_exchange_weak(&crew->state, &state, state - RESTING + LISTENING));
	sem_post(&crew->called);
	return true;
}

void
crew_call(struct crew *crew)
{
	call_one(crew, false);
}

void
crew_dismiss(struct crew *crew)
{
	atomic_fetch_or(&crew->state, DISMISSED);
	while (call_one(crew, true))
		;
	assert(resting(atomic_load(&crew->state)) == 0);
}
