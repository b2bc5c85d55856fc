#include "virtual.h"

#include "base/clock.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { STACK = 512 * 1024 };

struct virtual_thread {
	struct virtual_time *time;
	int64_t at;
	uint64_t number; /* of those at one time the first goes first */
	sem_t go;
	pthread_t id;
	bool begun, ended;
	void (*run)(void *);
	void *data;
};

struct virtual_time {
	struct clock *clock;
	int64_t begin, now; /* of the clock, in milliseconds; since then, in microseconds */
	uint64_t started;
	sem_t back;
	struct virtual_thread *current, **waiting; /* a heap, the next one first */
	size_t count, capacity;
};

static void
die(const char *what)
{
	fprintf(stderr, "virtual time: %s\n", what);
	exit(1);
}

struct virtual_time *
virtual_new(struct clock *clock)
{
	struct virtual_time *v = calloc(1, sizeof(*v));

	if (v == NULL)
		die("no memory");
	v->clock = clock;
	v->begin = clock->fixed_now;
	sem_init(&v->back, 0, 0);
	return v;
}

void
virtual_free(struct virtual_time *v)
{
	sem_destroy(&v->back);
	free(v->waiting);
	free(v);
}

int64_t
virtual_now(const struct virtual_time *v)
{
	return v->now;
}

/* --- Who waits ---------------------------------------------------------------------------------------- */

static bool
before(const struct virtual_thread *a, const struct virtual_thread *b)
{
	return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void
swap(struct virtual_time *v, size_t a, size_t b)
{
	struct virtual_thread *t = v->waiting[a];

	v->waiting[a] = v->waiting[b];
	v->waiting[b] = t;
}

static void
push(struct virtual_time *v, struct virtual_thread *t)
{
	size_t i = v->count;

	if (v->count == v->capacity) {
		v->capacity = 2 * v->capacity + 64;
		v->waiting = realloc(v->waiting, v->capacity * sizeof(struct virtual_thread *));
		if (v->waiting == NULL)
			die("no memory");
	}
	v->waiting[v->count++] = t;
	t->number = v->started++;
	for (; i > 0 && before(v->waiting[i], v->waiting[(i - 1) / 2]); i = (i - 1) / 2)
		swap(v, i, (i - 1) / 2);
}

static struct virtual_thread *
pop(struct virtual_time *v)
{
	struct virtual_thread *first = v->waiting[0];

	v->waiting[0] = v->waiting[--v->count];
	for (size_t i = 0;;) {
		size_t least = i;

		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < v->count; child++)
			if (before(v->waiting[child], v->waiting[least]))
				least = child;
		if (least == i)
			return first;
		swap(v, i, least);
		i = least;
	}
}

/* --- Threads ------------------------------------------------------------------------------------------ */

static void *
run_thread(void *data)
{
	struct virtual_thread *t = data;

	t->run(t->data);
	t->ended = true;
	sem_post(&t->time->back);
	return NULL;
}

void
virtual_start(struct virtual_time *v, int64_t at, void (*run)(void *), void *data)
{
	struct virtual_thread *t = calloc(1, sizeof(*t));

	if (t == NULL)
		die("no memory");
	*t = (struct virtual_thread){.time = v, .at = at, .run = run, .data = data};
	sem_init(&t->go, 0, 0);
	push(v, t);
}

static void
resume(struct virtual_time *v, struct virtual_thread *t)
{
	pthread_attr_t attributes;

	v->current = t;
	if (t->begun) {
		sem_post(&t->go);
	} else {
		t->begun = true;
		pthread_attr_init(&attributes);
		pthread_attr_setstacksize(&attributes, STACK);
		if (pthread_create(&t->id, &attributes, run_thread, t) != 0)
			die("no thread");
		pthread_attr_destroy(&attributes);
	}
	sem_wait(&v->back);
	v->current = NULL;
	if (!t->ended)
		return;
	pthread_join(t->id, NULL);
	sem_destroy(&t->go);
	free(t);
}

void
virtual_run(struct virtual_time *v)
{
	while (v->count != 0) {
		struct virtual_thread *t = pop(v);

		v->now = t->at > v->now ? t->at : v->now;
		v->clock->fixed_now = v->begin + v->now / 1000;
		resume(v, t);
	}
}

void
virtual_sleep(struct virtual_time *v, int64_t micros)
{
	struct virtual_thread *self = v->current;

	if (self == NULL)
		return;
	self->at = v->now + micros;
	push(v, self);
	sem_post(&v->back);
	sem_wait(&self->go);
}
