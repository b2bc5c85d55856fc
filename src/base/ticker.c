#include "base/ticker.h"

#include "base/arena.h"
#include "base/log.h"
#include "base/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ticker {
	int every_ms;
	void (*tick)(void *context);
	void *context;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool stop;
};

static bool
rest(struct ticker *t)
{
	const struct timespec until = thread_deadline(t->every_ms);
	bool stop;

	pthread_mutex_lock(&t->mutex);
	while (!t->stop &&
	       pthread_cond_clockwait(&t->wake, &t->mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT)
		;
	stop = t->stop;
	pthread_mutex_unlock(&t->mutex);
	return stop;
}

static void *
run(void *context)
{
	struct ticker *t = context;

	while (!rest(t))
		t->tick(t->context);
	return NULL;
}

static void
end(struct ticker *t)
{
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->mutex);
	free(t);
}

struct ticker *
ticker_start(
    int every_ms, void (*tick)(void *context), void *context, const struct log *log, const char *what)
{
	struct ticker *t = calloc(1, sizeof(*t));
	int error;

	if (t == NULL)
		out_of_memory();
	t->every_ms = every_ms;
	t->tick = tick;
	t->context = context;
	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->wake, NULL);
	error = thread_start(&t->thread, run, t);
	if (error == 0)
		return t;
	log_line(log, LOG_ERROR, "No thread to %s: %s.", what, strerror(error));
	end(t);
	return NULL;
}

void
ticker_stop(struct ticker *t)
{
	if (t == NULL)
		return;
	pthread_mutex_lock(&t->mutex);
	t->stop = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->mutex);
	pthread_join(t->thread, NULL);
	end(t);
}
