/*
 * The worker: threads that take a readable connection, answer one request and return it; and the
 * first thread, which waits for signals and checks deadlines.
 *
 * A cached page takes no time: the thread answers and listens again. Before anything slower it yields, so
 * that another thread listens meanwhile. If a thread blocks without having yielded, the first thread calls another one
 * when nobody listens. For threads that wait at a limiter or for a write (passwords, pictures, large texts, the disk)
 * there is a reserve: however many wait there, others continue.
 *
 * No thread waits for a peer. A request that is half received, and an answer that is half sent, are kept with their
 * connection as they are (struct exchange) until the socket is readable, or writable; for transfer_seconds, and
 * within limits (idle.c). The thread continues with another exchange.
 */
#include "server/worker.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/limiter.h"
#include "base/log.h"
#include "server/fcgi.h"
#include "server/gateway.h"

#include <assert.h>
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
	TICK = 100,        /* milliseconds between two checks of deadlines */
	LEAVING_TICK = 20, /* the same while the threads end */
	QUICK =
	    64 * 1024,   /* a socket accepts so many bytes at once, without waiting for the peer */
	STACK = 1 << 20, /* mostly never touched; there may be hundreds */
};

struct worker {
	const struct serve_options *options;
	struct idle *idle;
	struct site *site;
	struct clock clock;
	unsigned threads, in_reserve; /* all of them, and those in reserve */
	atomic_uint running;          /* threads that have not ended */
};

/* A request, its answer, and their memory. */
struct exchange {
	struct unfinished unfinished; /* the first member; valid while it is kept */
	enum { AT_PARAMETERS, AT_BODY, AT_ANSWER } stage;
	bool logged; /* the answer may never be taken by the peer */
	struct fcgi *fcgi;
	struct arena *arena;
	struct request_input in;
	struct response rs;
	const struct serve_app *app;
};

struct thread {
	struct worker *worker;
	pthread_t id;
	struct exchange *exchange; /* the current one */
	struct idle_seat seat;
	struct log_lines lines;
};

/* An exchange that is kept with a connection is found by its first member. */
_Static_assert(offsetof(struct exchange, unfinished) == 0, "it is the first");

static struct exchange *
exchange_new(const struct worker *worker)
{
	struct exchange *ex = calloc(1, sizeof(*ex));

	if (ex == NULL)
		out_of_memory();
	ex->fcgi = fcgi_new(worker->options->log);
	ex->arena = arena_new();
	ex->app = &worker->options->app;
	return ex;
}

static void
exchange_free(struct exchange *ex)
{
	arena_free(ex->arena);
	fcgi_free(ex->fcgi);
	free(ex);
}

/* Its connection was closed. */
static void
drop_exchange(struct unfinished *u)
{
	struct exchange *ex = (struct exchange *)u;

	if (ex->stage == AT_ANSWER)
		ex->app->release(&ex->rs);
	exchange_free(ex);
}

/* The parameters are complete: is the body wanted? One that is too large is discarded. */
static enum fcgi_rc
begin_body(struct thread *thread, struct str params)
{
	const struct worker *worker = thread->worker;
	struct exchange *ex = thread->exchange;
	struct request_input *in = &ex->in;
	size_t wanted;

	if (!gateway_input(params, in))
		return fcgi_refuse(
		    ex->fcgi, STR("its parameters are torn, or have no REQUEST_METHOD"));
	wanted = in->content_length > 0 ? (size_t)in->content_length : 0;
	if (wanted > 0)
		idle_yield(worker->idle, &thread->seat);
	in->body_too_large = wanted > 0 && wanted > ex->app->body_max(worker->site, in, ex->arena);
	/* A body of unknown length is not read either. */
	if (in->body_too_large || in->content_length < 0)
		fcgi_skip_body(ex->fcgi);
	else
		fcgi_take_body(ex->fcgi, wanted, ex->arena);
	ex->stage = AT_BODY;
	return FCGI_KEPT;
}

/* Reads what there is of a request; FCGI_KEPT when it is complete. */
static enum fcgi_rc
receive(struct thread *thread)
{
	struct exchange *ex = thread->exchange;
	struct request_input *in = &ex->in;
	struct str params;
	enum fcgi_rc rc = FCGI_KEPT;

	if (ex->stage == AT_PARAMETERS) {
		rc = fcgi_receive(ex->fcgi, &params);
		if (rc == FCGI_KEPT)
			rc = begin_body(thread, params);
	}
	if (rc == FCGI_KEPT)
		rc = fcgi_read_body(ex->fcgi);
	if (rc == FCGI_KEPT && !in->body_too_large && in->content_length >= 0) {
		in->body = fcgi_body(ex->fcgi);
		in->body_short = in->body.len < (size_t)in->content_length;
	}
	return rc;
}

/* So that another thread listens. */
static void
yield(void *who)
{
	struct thread *thread = who;

	idle_yield(thread->worker->idle, &thread->seat);
}

/* Makes the answer. */
static void
respond(struct thread *thread)
{
	struct exchange *ex = thread->exchange;

	assert(ex->stage == AT_BODY);
	ex->in.takes_time = yield;
	ex->in.who = thread;
	ex->app->respond(thread->worker->site, &ex->in, ex->arena, &ex->rs);
	if (ex->rs.bytes.len > QUICK)
		yield(thread);
	ex->stage = AT_ANSWER;
	ex->unfinished.since = 0;
}

/* Continues a request as far as possible at the moment. */
static enum fcgi_rc
go_on(struct thread *thread)
{
	struct exchange *ex = thread->exchange;
	enum fcgi_rc rc;

	if (ex->stage == AT_ANSWER)
		return fcgi_send_rest(ex->fcgi);
	rc = receive(thread);
	if (rc != FCGI_KEPT)
		return rc;
	respond(thread);
	return fcgi_send(ex->fcgi, ex->rs.bytes);
}

/* Returns the connection with the unfinished exchange; the thread needs another one. */
static void
put_off(struct thread *thread, int fd)
{
	struct exchange *ex = thread->exchange;
	bool sends = ex->stage == AT_ANSWER;

	if (sends && !ex->logged) {
		gateway_log(&thread->lines, ex->arena, &ex->in, &ex->rs);
		ex->logged = true;
	}
	ex->unfinished.sends = sends;
	ex->unfinished.bytes = fcgi_size(ex->fcgi);
	ex->unfinished.drop = drop_exchange;
	thread->exchange = exchange_new(thread->worker);
	idle_keep(thread->worker->idle, fd, &ex->unfinished, !sends && fcgi_more(ex->fcgi));
}

/* Continues one request, whether new or kept. */
static void
answer_one(struct thread *thread, int fd, struct unfinished *unfinished)
{
	struct worker *worker = thread->worker;
	struct exchange *ex = (struct exchange *)unfinished;
	bool waited = ex != NULL;
	enum fcgi_rc rc;

	if (waited) {
		exchange_free(thread->exchange);
		thread->exchange = ex;
	} else {
		ex = thread->exchange;
		ex->stage = AT_PARAMETERS;
		ex->logged = false;
		ex->unfinished.since = 0;
		fcgi_begin(ex->fcgi, fd);
	}
	rc = go_on(thread);
	if (rc == FCGI_LATER) {
		put_off(thread, fd);
		return;
	}
	/*
	 * First the connection, then the log: the next request may be waiting on it. While an
	 * answer was being sent, nobody read from the connection.
	 */
	if (rc != FCGI_CLOSED)
		idle_give(
		    worker->idle, fd, fcgi_more(ex->fcgi) || (waited && ex->stage == AT_ANSWER));
	if (ex->stage == AT_ANSWER) {
		if (!ex->logged)
			gateway_log(&thread->lines, ex->arena, &ex->in, &ex->rs);
		ex->app->release(&ex->rs);
	}
	arena_reset(ex->arena);
}

static void *
run_thread(void *arg)
{
	struct thread *thread = arg;
	struct worker *worker = thread->worker;
	struct unfinished *unfinished;
	int fd;

	thread->exchange = exchange_new(worker);
	thread->lines.log = worker->options->log;
	thread->seat.lines = &thread->lines;
	while ((fd = idle_take(worker->idle, &thread->seat, &unfinished)) >= 0)
		answer_one(thread, fd, unfinished);
	log_lines_flush(&thread->lines);
	exchange_free(thread->exchange);
	atomic_fetch_sub(&worker->running, 1);
	return NULL;
}

/* Waits for a signal that ends the worker, or for the next check: then 0. */
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

/* The first thread's work until all others have ended. False when some had to be abandoned. */
static bool
watch_over(struct worker *worker, bool accept_rest)
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
		idle_tick(worker->idle, clock_monotonic(&worker->clock));
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

static struct thread *
start_threads(struct worker *worker)
{
	struct thread *threads = calloc(worker->threads, sizeof(*threads));
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	pthread_attr_t attributes;
	int error;

	if (threads == NULL)
		out_of_memory();
	sigaction(SIGPIPE, &ignore, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	for (unsigned i = 0; i < worker->threads; i++) {
		threads[i].worker = worker;
		threads[i].seat.in_reserve = i >= worker->options->threads;
		atomic_fetch_add(&worker->running, 1);
		error = pthread_create(&threads[i].id, &attributes, run_thread, &threads[i]);
		if (error != 0) {
			log_line(worker->options->log, LOG_ERROR,
			    "Thread %u of %u can't be started: %s. Raise what limits threads or "
			    "memory (ulimit -u, ulimit -v, TasksMax=), or set fewer --threads.",
			    i + 1, worker->threads, strerror(error));
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

/* The number of threads: the configured ones, and one for each that may be blocked at a limiter. */
static void
count_threads(struct worker *worker)
{
	const struct serve_app *app = &worker->options->app;
	const struct limiter_watcher watcher = {note_held, worker->idle};

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
	worker.idle =
	    idle_new(listener, passage, options->transfer_seconds * INT64_C(1000), options->log);
	if (worker.idle == NULL) {
		log_line(options->log, LOG_ERROR, "Waiting for connections: %s.", strerror(errno));
		return 1;
	}
	idle_tick(worker.idle, clock_monotonic(&worker.clock));
	count_threads(&worker);
	threads = start_threads(&worker);
	if (options->app.begin != NULL)
		options->app.begin(worker.site);
	/* Two pending signals of this kind are one to the supervisor: so a stand-in sends none. */
	if (options->app.open != options->app.fallback)
		kill(parent, SIGUSR1);
	if (!watch_over(&worker, accept_rest))
		_exit(1);
	for (unsigned i = 0; i < worker.threads; i++)
		pthread_join(threads[i].id, NULL);
	free(threads);
	/* The limiters report blocked threads until the site is closed. */
	options->app.close(worker.site);
	idle_free(worker.idle);
	return 0;
}
