/*
 * The supervisor: it owns the listener, forks workers, and waits for signals. It never reads a request and
 * opens no store, so little can go wrong in it.
 *
 *   1. At most one worker is current; at most one is starting; any number are leaving.
 *   2. A starting worker becomes the current one when it sends SIGUSR1. Only then is the previous one
 *      told to hand over. So there is always a worker to accept connections.
 *   3. A worker that ends by itself is replaced. If it lived for less than YOUNG, the next one is delayed,
 *      longer each time.
 *   4. When no worker is current and none is about to be, a stand-in runs: a worker that needs no table and answers
 *      503. It hands over to the next one that is ready. So no client waits for longer than TIMEOUT.
 *   5. Where systemd keeps the socket, stopping hands over as well: the supervisor collects the connections and
 *      leaves them in the socket for the next start (handover.h).
 */
#include "server/serve.h"

#include "base/clock.h"
#include "base/log.h"
#include "server/handover.h"
#include "server/listener.h"
#include "server/reload.h"
#include "server/worker.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Reports the state of the service to systemd, if it wants that (NOTIFY_SOCKET): "READY=1",
 * "RELOADING=1", "STOPPING=1". Does nothing otherwise.
 */
static void
notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char message[128];
	struct timespec now;
	int fd, len;

	if (path == NULL || path[0] == '\0' || strlen(path) >= sizeof(address.sun_path))
		return;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	memcpy(address.sun_path, path, strlen(path));
	/* An address that begins with @ is in the abstract namespace: a NUL and no file. */
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	/*
	 * systemd uses the time to tell an old message from a new one, and requires it for a
	 * reload.
	 */
	clock_gettime(CLOCK_MONOTONIC, &now);
	len = snprintf(message, sizeof(message), "%s\nMONOTONIC_USEC=%" PRId64, state,
	    (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	/* A manager that does not listen is no reason to fail. */
	(void)!sendto(fd, message, (size_t)len, MSG_NOSIGNAL, (const struct sockaddr *)&address,
	    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path)));
	close(fd);
}

/* --- The supervisor ------------------------------------------------------------------------------ */

enum {
	YOUNG = 2000, /* milliseconds; a worker that lives for less has died young */
	FIRST_DELAY = 100,
	LONGEST_DELAY = 5000,
	KILL_AFTER = 5, /* seconds after the workers' own limit */
	TIMEOUT =
	    500, /* milliseconds that readers wait for a starting worker before they get 503 */
	FIRST_FALLBACK_DELAY =
	    2000,          /* the same at the program's start, so that a restart refuses nobody */
	COLLECT_EVERY = 5, /* milliseconds; the passage holds some hundreds of connections */
	FALLBACK_RETRY_DELAY = 1000, /* milliseconds before another stand-in after one that died */
	ASKERS = 8,
};

/* Processes to be told the result of a reload. */
struct askers {
	pid_t pids[ASKERS];
	size_t count;
};

struct supervisor {
	const struct serve_options *options;
	struct clock clock;
	struct listener *listener;
	struct passage passage;
	struct handover handover;
	pid_t current, starting, fallback;
	unsigned children;
	unsigned died_young; /* consecutively */
	int64_t started;     /* when the newest worker was forked */
	int64_t start_at;    /* when to start the next one, or 0 */
	int64_t fallback_at; /* when to start a stand-in, or 0 */
	int64_t kill_at;     /* when stopping: the deadline */
	int64_t collect_at; /* when stopping: when to look for connections that workers hand over */
	bool reload_again;  /* SIGHUP came while a worker was starting */
	struct askers askers, next_askers; /* of this reload, and of the one after it */
	bool served;                       /* some worker has been ready */
	bool cut; /* a worker had to be killed, or left requests unanswered */
};

/* Forks a worker with these options; -1, with errno, on failure. */
static pid_t
fork_worker(struct supervisor *sup, const struct serve_options *options)
{
	pid_t pid = fork();

	if (pid == 0) {
		/* Only the supervisor holds the lock on the path. */
		if (sup->listener->lock_fd >= 0)
			close(sup->listener->lock_fd);
		exit(worker_run(
		    options, sup->listener->fd, &sup->passage, sup->listener->path != NULL));
	}
	if (pid > 0)
		sup->children++;
	return pid;
}

static void
start_worker(struct supervisor *sup)
{
	pid_t pid = fork_worker(sup, sup->options);

	sup->start_at = 0;
	sup->started = clock_monotonic(&sup->clock);
	if (pid < 0) {
		log_line(sup->options->log, LOG_ERROR, "A worker can't be started: %s.",
		    strerror(errno));
		sup->start_at = sup->started + LONGEST_DELAY;
		return;
	}
	sup->starting = pid;
}

static void
start_fallback(struct supervisor *sup)
{
	struct serve_options options = *sup->options;
	pid_t pid;

	options.app.open = options.app.fallback;
	options.app.watch = NULL;
	options.app.begin = NULL;
	pid = fork_worker(sup, &options);
	sup->fallback_at = 0;
	if (pid < 0) {
		log_line(sup->options->log, LOG_ERROR, "The fallback server can't be started: %s.",
		    strerror(errno));
		sup->fallback_at = clock_monotonic(&sup->clock) + FALLBACK_RETRY_DELAY;
		return;
	}
	sup->fallback = pid;
	log_line(sup->options->log, LOG_WARNING,
	    "No worker can start: process %d answers with status 503 until one can.", (int)pid);
}

/*
 * There is no current worker: starts a stand-in after so many milliseconds, unless there is one by
 * then.
 */
static void
plan_fallback(struct supervisor *sup, int64_t wait)
{
	int64_t at = clock_monotonic(&sup->clock) + wait;

	if (sup->options->app.fallback == NULL || sup->fallback != 0)
		return;
	if (sup->fallback_at == 0 || at < sup->fallback_at)
		sup->fallback_at = at;
}

/* A worker that was needed has ended: plans the start of the next. */
static void
plan_start(struct supervisor *sup)
{
	int64_t now = clock_monotonic(&sup->clock), delay = 0;

	sup->died_young = now - sup->started < YOUNG ? sup->died_young + 1 : 0;
	/* A single death does not count. */
	if (sup->died_young > 1) {
		delay = FIRST_DELAY << (sup->died_young < 8 ? sup->died_young - 2 : 6);
		if (delay > LONGEST_DELAY)
			delay = LONGEST_DELAY;
		log_line(sup->options->log, LOG_ERROR,
		    "%u workers in a row ended right after their start; the next one starts in %d "
		    "ms.",
		    sup->died_young, (int)delay);
	}
	sup->start_at = now + delay;
	plan_fallback(sup, delay < TIMEOUT ? TIMEOUT - delay : 0);
}

static void
tell_askers(struct askers *askers, int signal)
{
	for (size_t i = 0; i < askers->count; i++)
		kill(askers->pids[i], signal);
	askers->count = 0;
}

/* Signals the processes that asked for the reload before the worker was forked. */
static void
tell_of_reload(struct supervisor *sup, int signal)
{
	tell_askers(&sup->askers, signal);
	sup->askers = sup->next_askers;
	sup->next_askers.count = 0;
}

static void
note_asker(struct supervisor *sup, const siginfo_t *info)
{
	struct askers *askers = sup->starting != 0 ? &sup->next_askers : &sup->askers;

	if (info->si_code != SI_QUEUE || info->si_value.sival_int != RELOAD_ANSWERED)
		return;
	if (sup->kill_at != 0 || askers->count == ASKERS)
		kill(info->si_pid, RELOAD_FAILED);
	else
		askers->pids[askers->count++] = info->si_pid;
}

/* Starts a reload that was requested during another one; the files may be right by now. */
static bool
reload_again(struct supervisor *sup)
{
	bool again = sup->reload_again;

	sup->reload_again = false;
	if (again)
		start_worker(sup);
	return again;
}

static void
on_ready(struct supervisor *sup, pid_t pid)
{
	if (pid != sup->starting)
		return;
	log_line(sup->options->log, LOG_NOTICE, "Worker %d is ready.", (int)pid);
	if (sup->current != 0)
		kill(sup->current, SIGUSR1);
	if (sup->fallback != 0)
		kill(sup->fallback, SIGUSR1);
	sup->fallback = 0;
	sup->fallback_at = 0;
	sup->current = pid;
	sup->starting = 0;
	sup->served = true;
	notify("READY=1");
	tell_of_reload(sup, RELOAD_DONE);
	reload_again(sup);
}

static void
on_reload(struct supervisor *sup, const siginfo_t *info)
{
	note_asker(sup, info);
	if (sup->kill_at != 0)
		return;
	log_line(sup->options->log, LOG_NOTICE, "Reload: a new worker takes over.");
	notify("RELOADING=1");
	if (sup->starting != 0)
		sup->reload_again = true;
	else
		start_worker(sup);
}

static void
log_death(const struct supervisor *sup, pid_t pid, int status)
{
	if (WIFSIGNALED(status))
		log_line(sup->options->log, LOG_ERROR, "Worker %d was ended by signal %d (%s).",
		    (int)pid, WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		log_line(sup->options->log, LOG_ERROR, "Worker %d ended with status %d.", (int)pid,
		    WEXITSTATUS(status));
	else
		log_line(sup->options->log, LOG_NOTICE, "Worker %d has ended.", (int)pid);
}

/* False when it is pointless to continue: the very first worker could not start. */
static bool
on_death(struct supervisor *sup, pid_t pid, int status)
{
	bool stopping = sup->kill_at != 0;

	sup->children--;
	log_death(sup, pid, status);
	/* A worker that was not ready yet has cut off nobody. */
	if (stopping && pid != sup->starting)
		sup->cut |= status != 0;
	if (pid == sup->starting) {
		sup->starting = 0;
		if (stopping)
			return true;
		tell_of_reload(sup, RELOAD_FAILED);
		if (sup->current != 0) {
			log_line(sup->options->log, LOG_ERROR,
			    "The reload failed; worker %d goes on as it was.", (int)sup->current);
			if (!reload_again(sup))
				notify("READY=1");
			return true;
		}
		if (!sup->served) {
			log_line(sup->options->log, LOG_ERROR, "The server could not start.");
			return false;
		}
		/* What has failed may fail again, so a stand-in starts at once. */
		plan_start(sup);
		plan_fallback(sup, 0);
	} else if (pid == sup->current) {
		sup->current = 0;
		if (!stopping && sup->starting == 0)
			plan_start(sup);
		else if (!stopping)
			plan_fallback(sup, TIMEOUT);
	} else if (pid == sup->fallback) {
		sup->fallback = 0;
		if (!stopping)
			plan_fallback(sup, FALLBACK_RETRY_DELAY);
	}
	return true;
}

static bool
reap(struct supervisor *sup)
{
	bool go_on = true;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		go_on &= on_death(sup, pid, status);
	return go_on;
}

/* A worker that is leaving has been told already. */
static void
signal_workers(const struct supervisor *sup, int signal)
{
	if (sup->current != 0)
		kill(sup->current, signal);
	if (sup->starting != 0)
		kill(sup->starting, signal);
	if (sup->fallback != 0)
		kill(sup->fallback, signal);
}

static void
on_stop(struct supervisor *sup)
{
	if (sup->kill_at != 0)
		return;
	log_line(sup->options->log, LOG_NOTICE, "Stopping: requests in flight are answered first.");
	notify("STOPPING=1");
	sup->kill_at =
	    clock_monotonic(&sup->clock) + (sup->options->drain_seconds + KILL_AFTER) * 1000;
	sup->start_at = sup->fallback_at = 0;
	sup->reload_again = false;
	tell_of_reload(sup, RELOAD_FAILED);
	tell_of_reload(sup, RELOAD_FAILED);
	if (sup->listener->kept) {
		sup->collect_at = clock_monotonic(&sup->clock);
		signal_workers(sup, SIGUSR1);
		return;
	}
	/* New connections are refused at once rather than left waiting. */
	listener_close(sup->listener);
	signal_workers(sup, SIGTERM);
}

static void
collect(struct supervisor *sup)
{
	handover_collect(&sup->handover, &sup->passage);
	sup->collect_at = clock_monotonic(&sup->clock) + COLLECT_EVERY;
}

/* When to act next; 0: at the next signal. */
static int64_t
next_time(const struct supervisor *sup)
{
	const int64_t times[] = {sup->kill_at, sup->start_at, sup->fallback_at, sup->collect_at};
	int64_t next = 0;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (times[i] != 0 && (next == 0 || times[i] < next))
			next = times[i];
	return next;
}

/* The next signal, or 0 when it is time to act. */
static int
wait_signal(struct supervisor *sup, const sigset_t *set, siginfo_t *info)
{
	int64_t until = next_time(sup);
	int64_t ms = until - clock_monotonic(&sup->clock);
	struct timespec timeout;
	int signal;

	if (ms < 0)
		ms = 0;
	timeout = (struct timespec){ms / 1000, ms % 1000 * 1000000};
	signal = until == 0 ? sigwaitinfo(set, info) : sigtimedwait(set, info, &timeout);
	return signal > 0 ? signal : 0;
}

/* One round of the loop; false when the supervisor's work is over. */
static bool
turn(struct supervisor *sup, const sigset_t *set)
{
	siginfo_t info;

	switch (wait_signal(sup, set, &info)) {
	case SIGUSR1: on_ready(sup, info.si_pid); break;
	case SIGHUP: on_reload(sup, &info); break;
	case SIGCHLD:
		if (!reap(sup))
			return false;
		break;
	case SIGTERM:
	case SIGINT: on_stop(sup); break;
	default: break;
	}
	if (sup->start_at != 0 && clock_monotonic(&sup->clock) >= sup->start_at)
		start_worker(sup);
	if (sup->fallback_at != 0 && clock_monotonic(&sup->clock) >= sup->fallback_at)
		start_fallback(sup);
	if (sup->collect_at != 0 && clock_monotonic(&sup->clock) >= sup->collect_at)
		collect(sup);
	if (sup->kill_at != 0 && clock_monotonic(&sup->clock) >= sup->kill_at) {
		signal_workers(sup, SIGKILL);
		sup->cut = true;
		return false;
	}
	return sup->kill_at == 0 || sup->children > 0;
}

/*
 * Keeps one worker process running on the listener, and replaces it on SIGHUP and when it dies; see
 * serve.h. Closes the listener. Returns the program's exit status.
 */
static int
supervise(const struct serve_options *options, struct listener *listener)
{
	struct supervisor sup = {.options = options, .clock = clock_system(), .listener = listener};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (!passage_open(&sup.passage)) {
		log_line(options->log, LOG_ERROR, "The sockets between workers can't be made: %s.",
		    strerror(errno));
		listener_close(listener);
		return 1;
	}
	/* The limit must suffice for the connections that workers hand over. */
	idle_descriptors();
	start_worker(&sup);
	plan_fallback(&sup, FIRST_FALLBACK_DELAY);
	while (turn(&sup, &set))
		;
	if (sup.collect_at != 0) {
		collect(&sup);
		handover_send(&sup.handover, listener->fd, options->log);
	}
	listener_close(listener);
	close(sup.passage.in);
	close(sup.passage.out);
	log_line(options->log, LOG_NOTICE, "Stopped.");
	return sup.kill_at != 0 && !sup.cut ? 0 : 1;
}

/* --- Serving ------------------------------------------------------------------------------------- */

enum {
	TRANSFER_SECONDS = 30,
	DRAIN_SECONDS = 30,
};

int
serve(const struct serve_options *options)
{
	struct serve_options complete = *options;
	struct listener listener;

	/* The reader of the log may end, and this continues. */
	signal(SIGPIPE, SIG_IGN);
	if (complete.transfer_seconds == 0)
		complete.transfer_seconds = TRANSFER_SECONDS;
	if (complete.drain_seconds == 0)
		complete.drain_seconds = DRAIN_SECONDS;
	if (!listener_open(&listener, complete.socket, complete.log))
		return 1;
	return supervise(&complete, &listener);
}
