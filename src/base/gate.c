#include "base/gate.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>

struct gate {
	pthread_mutex_t mutex;
	pthread_cond_t left;    /* somebody is through */
	unsigned places, queue; /* how many there are */
	unsigned inside, waiting;
	uint64_t count;
	struct gate_watcher watcher;
};

static void
nobody(void *who, bool begins)
{
	(void)who, (void)begins;
}

struct gate *
gate_new(unsigned at_once, unsigned waiting)
{
	struct gate *gate = calloc(1, sizeof(*gate));

	if (gate == NULL)
		out_of_memory();
	pthread_mutex_init(&gate->mutex, NULL);
	pthread_cond_init(&gate->left, NULL);
	gate->places = at_once;
	gate->queue = waiting;
	gate->watcher.held = nobody;
	return gate;
}

unsigned
gate_watch(struct gate *gate, const struct gate_watcher *watcher)
{
	gate->watcher = *watcher;
	return gate->places + gate->queue;
}

void
gate_free(struct gate *gate)
{
	if (gate == NULL)
		return;
	pthread_cond_destroy(&gate->left);
	pthread_mutex_destroy(&gate->mutex);
	free(gate);
}

bool
gate_enter(struct gate *gate)
{
	bool in;

	pthread_mutex_lock(&gate->mutex);
	in = gate->inside < gate->places || gate->waiting < gate->queue;
	if (in) {
		gate->watcher.held(gate->watcher.who, true);
		gate->waiting++;
		while (gate->inside == gate->places)
			pthread_cond_wait(&gate->left, &gate->mutex);
		gate->waiting--;
		gate->inside++;
		gate->count++;
	}
	pthread_mutex_unlock(&gate->mutex);
	return in;
}

void
gate_leave(struct gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->inside--;
	pthread_cond_signal(&gate->left);
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
