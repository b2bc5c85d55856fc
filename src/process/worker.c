/*
 * The worker: threads that take a readable connection, answer one request and give it back; and the
 * first thread, which waits for signals and watches the time.
 *
 * A ready page takes no time: the thread answers and listens again. Before anything else it yields, so
 * that another thread listens meanwhile. What a thread waits for unawares (a request that comes
 * in halves), others need not: the first thread calls one of them when nobody listens. For what is dear and waits
 * at a gate, passwords, pictures and writes, there are threads in reserve: however many wait there, pages go on.
 *
 * No transfer may hold a thread for ever. Each thread notes when it began to read or write; the first
 * thread interrupts, by SIGUSR2, one that has taken too long, as often as it takes; its connection is
 * given up then. Every other signal is blocked in all threads.
 */
#include "process/worker.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/gate.h"
#include "base/log.h"
#include "process/fcgi.h"
#include "process/gateway.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum {
	TICK = 100,        /* milliseconds between two looks at the time */
	LEAVING_TICK = 20, /* the same while the threads end */
	QUICK = 64 * 1024, /* a socket takes so many bytes at once, without waiting for the peer */
	STACK = 1 << 20,   /* most of which no thread touches; there may be hundreds */
};

struct worker {
	const struct serve_options *options;
	struct idle *idle;
	struct site *site;
	struct clock clock;
	unsigned threads,
	    in_reserve;      /* how many there are, and how many of them stand in for others */
	atomic_uint running; /* threads that have not ended */
};

struct thread {
	struct worker *worker;
	pthread_t id;
	atomic_int_fast64_t since; /* when the transfer began; 0 outside of one */
	atomic_bool give_up;       /* it has taken too long */
	struct idle_seat seat;
	struct log_lines lines;
};

static void
begin_transfer(struct thread *thread)
{
	atomic_store(&thread->give_up, false);
	atomic_store(&thread->since, clock_monotonic(&thread->worker->clock));
}

static void
end_transfer(struct thread *thread)
{
	atomic_store(&thread->since, 0);
}

/* Reads what the application wants of a request. What is too large for it is thrown away. */
static enum fcgi_rc
receive(
    struct thread *thread, struct fcgi *fcgi, int fd, struct arena *arena, struct request_input *in)
{
	const struct worker *worker = thread->worker;
	struct str params;
	size_t wanted;
	enum fcgi_rc rc;

	rc = fcgi_receive(fcgi, fd, &params);
	if (rc != FCGI_KEPT)
		return rc;
	if (!gateway_input(params, in))
		return fcgi_refuse(fcgi, STR("its parameters are torn, or have no REQUEST_METHOD"));
	wanted = in->content_length > 0 ? (size_t)in->content_length : 0;
	if (wanted > 0)
		idle_yield(worker->idle, &thread->seat);
	in->body_too_large =
	    wanted > 0 && wanted > worker->options->app.body_max(worker->site, in, arena);
	/* Nor is one read whose length nobody told. */
	if (in->body_too_large || in->content_length < 0)
		return fcgi_skip_body(fcgi);
	rc = fcgi_read_body(fcgi, wanted, arena, &in->body);
	in->body_short = in->body.len < wanted;
	return rc;
}

/* Answers, and says to others whether it takes long. */
static void
respond(
    struct thread *thread, const struct request_input *in, struct arena *arena, struct response *rs)
{
	struct worker *worker = thread->worker;
	const struct serve_app *app = &worker->options->app;
	bool at_hand = app->at_hand(worker->site, in, rs);

	if (!at_hand || rs->bytes.len > QUICK)
		idle_yield(worker->idle, &thread->seat);
	if (!at_hand)
		app->respond(worker->site, in, arena, rs);
}

static void
answer_one(struct thread *thread, struct fcgi *fcgi, int fd, struct arena *arena)
{
	struct worker *worker = thread->worker;
	struct request_input in;
	struct response rs;
	enum fcgi_rc rc;

	begin_transfer(thread);
	rc = receive(thread, fcgi, fd, arena, &in);
	end_transfer(thread);
	if (rc == FCGI_IDLE)
		idle_give(worker->idle, fd, fcgi_more(fcgi));
	if (rc != FCGI_KEPT)
		return;
	respond(thread, &in, arena, &rs);
	begin_transfer(thread);
	rc = fcgi_send(fcgi, rs.bytes);
	end_transfer(thread);
	/* First the connection, then the book-keeping: the next request may wait on it already. */
	if (rc == FCGI_KEPT)
		idle_give(worker->idle, fd, fcgi_more(fcgi));
	gateway_log(&thread->lines, arena, &in, &rs);
	worker->options->app.release(&rs);
}

static void *
run_thread(void *arg)
{
	struct thread *thread = arg;
	struct worker *worker = thread->worker;
	struct fcgi *fcgi = fcgi_new(worker->options->log, &thread->give_up);
	struct arena *arena = arena_new();
	int fd;

	thread->lines.log = worker->options->log;
	thread->seat.lines = &thread->lines;
	while ((fd = idle_take(worker->idle, &thread->seat)) >= 0) {
		answer_one(thread, fcgi, fd, arena);
		arena_reset(arena);
	}
	log_lines_flush(&thread->lines);
	arena_free(arena);
	fcgi_free(fcgi);
	atomic_fetch_sub(&worker->running, 1);
	return NULL;
}

/* Interrupts what has taken too long. A signal may come a moment too early or too late: see the next tick. */
static void
interrupt_slow(struct worker *worker, struct thread *threads)
{
	int64_t limit = clock_monotonic(&worker->clock) - worker->options->transfer_seconds * 1000;

	for (unsigned i = 0; i < worker->threads; i++) {
		int64_t since = atomic_load(&threads[i].since);

		if (since == 0 || since > limit)
			continue;
		if (!atomic_exchange(&threads[i].give_up, true))
			log_line(worker->options->log, LOG_WARNING,
			    "A request or its answer took more than %d seconds to pass; its "
			    "connection is given up.",
			    worker->options->transfer_seconds);
		pthread_kill(threads[i].id, SIGUSR2);
	}
}

/* Waits for a signal that ends the worker, or for the time to look at the clock: then 0. */
static int
wait_signal(int milliseconds)
{
	struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	signal = sigtimedwait(&set, NULL, &timeout);
	return signal > 0 ? signal : 0;
}

/* The first thread's work until all others have ended. False when some had to be left behind. */
static bool
watch_over(struct worker *worker, struct thread *threads, bool accept_rest)
{
	int64_t deadline = 0;

	while (atomic_load(&worker->running) > 0) {
		int signal = wait_signal(deadline == 0 ? TICK : LEAVING_TICK);

		if (signal != 0 && deadline == 0) {
			deadline =
			    clock_monotonic(&worker->clock) + worker->options->drain_seconds * 1000;
			idle_leave(worker->idle, signal == SIGUSR1 ? IDLE_HAND_OVER : IDLE_FINISH,
			    accept_rest);
		}
		idle_call(worker->idle);
		interrupt_slow(worker, threads);
		if (deadline != 0 && clock_monotonic(&worker->clock) > deadline) {
			log_line(worker->options->log, LOG_ERROR,
			    "%u threads had not ended after %d seconds; their requests are cut "
			    "off.",
			    atomic_load(&worker->running), worker->options->drain_seconds);
			return false;
		}
	}
	return true;
}

static void
do_nothing(int signal)
{
	(void)signal;
}

static struct thread *
start_threads(struct worker *worker)
{
	struct thread *threads = calloc(worker->threads, sizeof(*threads));
	struct sigaction interrupt = {.sa_handler = do_nothing};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	pthread_attr_t attributes;
	sigset_t set;

	if (threads == NULL)
		out_of_memory();
	sigaction(SIGUSR2, &interrupt, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	for (unsigned i = 0; i < worker->threads; i++) {
		threads[i].worker = worker;
		threads[i].seat.in_reserve = i >= worker->options->threads;
		atomic_fetch_add(&worker->running, 1);
		if (pthread_create(&threads[i].id, &attributes, run_thread, &threads[i]) != 0) {
			log_line(worker->options->log, LOG_ERROR, "A thread can't be started.");
			_exit(1);
		}
	}
	pthread_attr_destroy(&attributes);
	return threads;
}

static void
note_held(void *who, bool begins)
{
	idle_held(who, begins);
}

/* How many threads there are: those that were asked for, and one for each that may be held up at a gate. */
static void
count_threads(struct worker *worker)
{
	const struct serve_app *app = &worker->options->app;
	const struct gate_watcher watcher = {note_held, worker->idle};

	if (app->watch != NULL)
		worker->in_reserve = app->watch(worker->site, &watcher);
	worker->threads = worker->options->threads + worker->in_reserve;
	idle_reserve(worker->idle, worker->in_reserve);
}

int
worker_run(const struct serve_options *options, int listener, const struct passage *passage,
    bool accept_rest)
{
	struct worker worker = {.options = options, .clock = clock_system()};
	struct thread *threads;
	pid_t parent = getppid();

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	worker.site = options->app.open(options->app.context);
	if (worker.site == NULL)
		return 1;
	worker.idle = idle_new(listener, passage, options->log);
	if (worker.idle == NULL) {
		log_line(options->log, LOG_ERROR, "Waiting for connections: %s.", strerror(errno));
		return 1;
	}
	count_threads(&worker);
	threads = start_threads(&worker);
	kill(parent, SIGUSR1);
	if (!watch_over(&worker, threads, accept_rest))
		_exit(1);
	for (unsigned i = 0; i < worker.threads; i++)
		pthread_join(threads[i].id, NULL);
	free(threads);
	idle_free(worker.idle);
	options->app.close(worker.site);
	return 0;
}
