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
};

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
	return gate;
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
	bool in = true;

	pthread_mutex_lock(&gate->mutex);
	if (gate->inside == gate->places) {
		in = gate->waiting < gate->queue;
		if (in) {
			gate->waiting++;
			while (gate->inside == gate->places)
				pthread_cond_wait(&gate->left, &gate->mutex);
			gate->waiting--;
		}
	}
	if (in) {
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
