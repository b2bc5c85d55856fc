#include "server/listeners.h"

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
listeners_begin(struct listeners *listeners)
{
	atomic_init(&listeners->state, 0);
	return sem_init(&listeners->called, 0, 0) == 0;
}

void
listeners_end(struct listeners *listeners)
{
	/* Nobody listens or rests. */
	assert(atomic_load(&listeners->state) % DISMISSED == 0);
	sem_destroy(&listeners->called);
}

void
listeners_listen(struct listeners *listeners)
{
	unsigned before = atomic_fetch_add(&listeners->state, LISTENING);

	assert(listening(before) + resting(before) < RESTING - 1);
	(void)before;
}

void
listeners_heard(struct listeners *listeners)
{
	unsigned before = atomic_fetch_sub(&listeners->state, LISTENING);

	assert(listening(before) > 0);
	(void)before;
}

bool
listeners_listens(const struct listeners *listeners)
{
	return listening(atomic_load(&listeners->state)) > 0;
}

bool
listeners_rest(struct listeners *listeners)
{
	unsigned state = atomic_load(&listeners->state);

	do {
		if (listening(state) == 0 || state >= DISMISSED)
			return false;
	} while (!atomic_compare_exchange_weak(&listeners->state, &state, state + RESTING));
	while (sem_wait(&listeners->called) < 0)
		;
	return true;
}

/* Calls one, on whose behalf it is written down that it listens: nobody else needs to call. */
static bool
call_one(struct listeners *listeners, bool although_heard)
{
	unsigned state = atomic_load(&listeners->state);

	do {
		if (resting(state) == 0 || (listening(state) > 0 && !although_heard))
			return false;
	} while (
	    !atomic_compare_exchange_weak(&listeners->state, &state, state - RESTING + LISTENING));
	sem_post(&listeners->called);
	return true;
}

void
listeners_call(struct listeners *listeners)
{
	call_one(listeners, false);
}

void
listeners_dismiss(struct listeners *listeners)
{
	atomic_fetch_or(&listeners->state, DISMISSED);
	while (call_one(listeners, true))
		;
	assert(resting(atomic_load(&listeners->state)) == 0);
}
