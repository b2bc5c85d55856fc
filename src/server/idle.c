/*
 * One epoll for all threads: each waits in it, and gets one connection at a time.
 *
 *   1. A connection is added once, when it comes, and epoll reports each change (EPOLLET). It is PARKED (this
 *      file owns it), TAKEN (a thread owns it), or HEARD (the same, and epoll has reported it meanwhile). Whoever
 *      changes the state with an atomic operation owns the outcome; there is no lock, because the thread that
 *      epoll wakes would only wait for it.
 *   2. A change is reported once. So whoever parks a connection that was HEARD makes epoll report it again if there
 *      is something to read; and a connection that was closed by its peer is HEARD when it is taken, because the
 *      end comes after the data.
 *   3. Once the mode is IDLE_HAND_OVER, whatever is PARKED and not unfinished is handed over without a thread having
 *      read from it: by idle_leave(), by a thread to which epoll reports it, or, if it was being parked during
 *      idle_leave(), by the thread that parked it, which checks the mode again.
 *   4. A taken descriptor may be closed by its thread, and accept() may reuse its number at once. A pending action
 *      on the old one does the new one no harm: it is reported once too often, and whoever takes it finds nothing
 *      to read.
 *   5. Once the mode has changed, the wake descriptor is readable while nothing is unfinished. A thread that gets
 *      no other event knows that nothing is pending.
 *   6. What is kept with a connection is stored before it is PARKED, and belongs to whoever takes it out of that
 *      state; so to drop it one takes the connection first. What is unfinished is never handed over.
 */
#include "server/idle.h"

#include "base/arena.h"
#include "base/check.h"
#include "base/log.h"
#include "server/listener.h"
#include "server/handover.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	CONNECTIONS_MAX = 65536,
	BACKLOG = 64, /* after so many events without a pause another thread is called */
	UNFINISHED_BYTES = 128 << 20, /* limit for all unfinished exchanges */
	SPARE_MAX = 256,              /* descriptors reserved for the table and for pictures */
	NOT_YET =
	    1000, /* milliseconds during which no connection is called slow, and no new one idle */
	TRIES = 64,        /* connections examined to find an idle one */
	SAY_AGAIN = 60000, /* milliseconds between two log lines on the same trouble */
};

struct idle {
	int epoll, wake, listener;
	struct passage passage;
	struct listeners listeners;
	sem_t reserve;        /* posted once for each thread of the reserve that may work */
	atomic_uint too_many; /* how many of them should go back to sleep */
	const struct log *log;
	_Atomic(enum idle_mode) mode;
	int capacity,
	    comfortable;  /* the limit of descriptors, and how many of them connections may use */
	atomic_bool full; /* no descriptors left for connections: nobody accepts */
	int64_t timeout;
	_Atomic int64_t now;        /* the time of the last idle_tick() */
	_Atomic int64_t said[2];    /* when each trouble was last logged */
	atomic_uchar *state;        /* by descriptor, like the next two */
	_Atomic int64_t *parked_at; /* since when */
	struct unfinished *_Atomic *kept;

	pthread_mutex_t mutex; /* of the list of unfinished exchanges */
	struct unfinished *first;
	size_t bytes;
};

enum { TAKEN, HEARD, PARKED };

enum trouble { FEW_DESCRIPTORS, MUCH_MEMORY };

#define CHANGES (EPOLLIN | EPOLLRDHUP | EPOLLET)
#define TAKES_MORE (EPOLLOUT | EPOLLET)

/* Changes the state, if it still is `from`. */
static bool
step(struct idle *idle, int fd, unsigned char from, unsigned char to)
{
	return atomic_compare_exchange_strong(&idle->state[fd], &from, to);
}

static bool
watch(struct idle *idle, int fd, int how, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return epoll_ctl(idle->epoll, how, fd, &event) == 0;
}

/* Is the log to be written? At most once a minute for each trouble. */
static bool
says(struct idle *idle, enum trouble trouble)
{
	int64_t now = atomic_load(&idle->now), said = atomic_load(&idle->said[trouble]);

	return (said == 0 || now - said > SAY_AGAIN) &&
	       atomic_compare_exchange_strong(&idle->said[trouble], &said, now);
}

int
idle_descriptors(void)
{
	struct rlimit limit = {.rlim_cur = 1024};

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur =
		    limit.rlim_max < CONNECTIONS_MAX ? limit.rlim_max : CONNECTIONS_MAX;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	return limit.rlim_cur < CONNECTIONS_MAX ? (int)limit.rlim_cur : CONNECTIONS_MAX;
}

static void *
for_each_descriptor(const struct idle *idle, size_t size)
{
	void *array = calloc((size_t)idle->capacity, size);

	if (array == NULL)
		out_of_memory();
	return array;
}

struct idle *
idle_new(int listener, const struct passage *passage, int64_t timeout, const struct log *log)
{
	struct idle *idle = calloc(1, sizeof(*idle));

	if (idle == NULL)
		out_of_memory();
	idle->capacity = idle_descriptors();
	idle->comfortable =
	    idle->capacity - (idle->capacity / 4 < SPARE_MAX ? idle->capacity / 4 : SPARE_MAX);
	idle->state = for_each_descriptor(idle, sizeof(*idle->state));
	idle->parked_at = for_each_descriptor(idle, sizeof(*idle->parked_at));
	idle->kept = for_each_descriptor(idle, sizeof(*idle->kept));
	pthread_mutex_init(&idle->mutex, NULL);
	idle->timeout = timeout;
	idle->log = log;
	idle->listener = listener;
	idle->passage = *passage;
	idle->epoll = epoll_create1(EPOLL_CLOEXEC);
	idle->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (listeners_begin(&idle->listeners) && sem_init(&idle->reserve, 0, 0) == 0 &&
	    idle->epoll >= 0 && idle->wake >= 0 && watch(idle, listener, EPOLL_CTL_ADD, EPOLLIN) &&
	    watch(idle, passage->out, EPOLL_CTL_ADD, EPOLLIN) &&
	    watch(idle, idle->wake, EPOLL_CTL_ADD, EPOLLIN))
		return idle;
	idle_free(idle);
	return NULL;
}

void
idle_free(struct idle *idle)
{
	assert(idle->first == NULL && idle->bytes == 0);
	for (int fd = 0; fd < idle->capacity; fd++) {
		if (atomic_load(&idle->state[fd]) == PARKED)
			close(fd);
	}
	if (idle->epoll >= 0)
		close(idle->epoll);
	if (idle->wake >= 0)
		close(idle->wake);
	listeners_end(&idle->listeners);
	sem_destroy(&idle->reserve);
	pthread_mutex_destroy(&idle->mutex);
	free((void *)idle->state);
	free((void *)idle->parked_at);
	free((void *)idle->kept);
	free(idle);
}

/* --- What is unfinished ----------------------------------------------------------------------------- */

/* Wakes the threads for good when nothing is unfinished any more. With the mutex. */
static void
wake_or_not(struct idle *idle)
{
	uint64_t count = 1;

	if (atomic_load(&idle->mode) == IDLE_SERVE)
		return;
	if (idle->first == NULL)
		(void)!write(idle->wake, &count, sizeof(count));
	else
		(void)!read(idle->wake, &count, sizeof(count));
}

/*
 * With the mutex: the list is consistent in both directions, each element is kept with its
 * connection, and the bytes add up.
 */
static bool
kept_ok(const struct idle *idle)
{
	const struct unfinished *before = NULL;
	size_t bytes = 0;

	for (const struct unfinished *u = idle->first; u != NULL; before = u, u = u->next) {
		if (u->before != before || u->fd < 0 || u->fd >= idle->capacity ||
		    atomic_load(&idle->kept[u->fd]) != u || u->drop == NULL)
			return false;
		bytes += u->bytes;
	}
	return bytes == idle->bytes;
}

static void
link_kept(struct idle *idle, struct unfinished *u)
{
	pthread_mutex_lock(&idle->mutex);
	assert(atomic_load(&idle->kept[u->fd]) == NULL);
	u->before = NULL;
	u->next = idle->first;
	if (u->next != NULL)
		u->next->before = u;
	idle->first = u;
	idle->bytes += u->bytes;
	atomic_store(&idle->kept[u->fd], u);
	assert_whole(kept_ok(idle));
	wake_or_not(idle);
	pthread_mutex_unlock(&idle->mutex);
}

/* With the mutex. */
static void
unlink_kept(struct idle *idle, struct unfinished *u)
{
	assert(atomic_load(&idle->kept[u->fd]) == u && idle->bytes >= u->bytes);
	if (u->next != NULL)
		u->next->before = u->before;
	if (u->before != NULL)
		u->before->next = u->next;
	else
		idle->first = u->next;
	idle->bytes -= u->bytes;
	atomic_store(&idle->kept[u->fd], NULL);
	assert_whole(kept_ok(idle));
	wake_or_not(idle);
}

/* Takes what was kept with a connection that is now the caller's. */
static struct unfinished *
take_kept(struct idle *idle, int fd)
{
	struct unfinished *u = atomic_load(&idle->kept[fd]);

	if (u != NULL) {
		pthread_mutex_lock(&idle->mutex);
		unlink_kept(idle, u);
		pthread_mutex_unlock(&idle->mutex);
	}
	return u;
}

/*
 * Takes the oldest unfinished exchange (of the same time, the first), with its connection, if it
 * began before `time` and no thread has it; else NULL.
 */
static struct unfinished *
take_oldest(struct idle *idle, int64_t time, size_t above)
{
	struct unfinished *oldest = NULL;

	pthread_mutex_lock(&idle->mutex);
	for (struct unfinished *u = idle->first; u != NULL && idle->bytes > above; u = u->next) {
		if (u->since < time && (oldest == NULL || u->since <= oldest->since) &&
		    atomic_load(&idle->state[u->fd]) == PARKED)
			oldest = u;
	}
	if (oldest != NULL && !step(idle, oldest->fd, PARKED, TAKEN))
		oldest = NULL;
	if (oldest != NULL)
		unlink_kept(idle, oldest);
	pthread_mutex_unlock(&idle->mutex);
	return oldest;
}

static void
drop(struct unfinished *u)
{
	close(u->fd);
	u->drop(u);
}

static void
drop_overdue(const struct idle *idle, struct unfinished *u)
{
	log_line(idle->log, LOG_WARNING,
	    "A request or its answer took more than %d seconds to transfer; its connection is "
	    "closed.",
	    (int)(idle->timeout / 1000));
	drop(u);
}

/* Passes a connection that is not parked to the next worker. */
static void
hand_on(struct idle *idle, int fd)
{
	/* Its bytes may be the next worker's from now on: this epoll must not report them. */
	watch(idle, fd, EPOLL_CTL_DEL, 0);
	if (!passage_send(&idle->passage, fd))
		log_line(idle->log, LOG_WARNING,
		    "A connection could not be handed to the next worker: %s.", strerror(errno));
	close(fd);
}

static void park(struct idle *idle, int fd, bool told);

/* A parked connection is handed over, unless it is unfinished. */
static void
send_away(struct idle *idle, int fd)
{
	if (atomic_load(&idle->kept[fd]) != NULL || !step(idle, fd, PARKED, TAKEN))
		return;
	/* Another thread may have taken it in between. */
	if (atomic_load(&idle->kept[fd]) == NULL)
		hand_on(idle, fd);
	else
		park(idle, fd, false);
}

/*
 * Parks the caller's connection, idle since then, or hands it over. `told`: has epoll reported all
 * that there is to read?
 */
static void
park_since(struct idle *idle, int fd, bool told, int64_t since)
{
	const struct unfinished *kept = atomic_load(&idle->kept[fd]);
	uint32_t events = kept != NULL && kept->sends ? TAKES_MORE : CHANGES;

	atomic_store_explicit(&idle->parked_at[fd], since, memory_order_relaxed);
	if (!step(idle, fd, TAKEN, PARKED)) {
		told = false;
		atomic_store(&idle->state[fd], PARKED);
	}
	/* If another connection has the descriptor by now, this does no harm. */
	if (!told || events != CHANGES)
		watch(idle, fd, EPOLL_CTL_MOD, events);
	if (atomic_load(&idle->mode) == IDLE_HAND_OVER)
		send_away(idle, fd);
}

static void
park(struct idle *idle, int fd, bool told)
{
	park_since(idle, fd, told, atomic_load_explicit(&idle->now, memory_order_relaxed));
}

/* Adds a new connection. */
static void
add(struct idle *idle, int fd)
{
	if (fd >= idle->capacity) {
		close(fd);
		return;
	}
	atomic_store(&idle->state[fd], TAKEN);
	/* A new connection has something to read, and is not idle before there was time for it. */
	if (watch(idle, fd, EPOLL_CTL_ADD, CHANGES))
		park_since(idle, fd, true, atomic_load(&idle->now) + NOT_YET);
	else
		close(fd);
}

/* Makes threads accept again, if they had stopped. */
static void
accept_again(struct idle *idle)
{
	if (atomic_exchange(&idle->full, false) && atomic_load(&idle->mode) == IDLE_SERVE)
		watch(idle, idle->listener, EPOLL_CTL_MOD, EPOLLIN);
}

void
idle_give(struct idle *idle, int fd, bool more)
{
	assert(atomic_load(&idle->state[fd]) != PARKED && atomic_load(&idle->kept[fd]) == NULL);
	/* A connection without a next worker is closed after its answer. */
	if (atomic_load(&idle->mode) == IDLE_FINISH)
		close(fd);
	else
		park(idle, fd, !more);
	if (atomic_load_explicit(&idle->full, memory_order_relaxed))
		accept_again(idle);
}

void
idle_keep(struct idle *idle, int fd, struct unfinished *u, bool more)
{
	int64_t now = atomic_load(&idle->now);

	assert(atomic_load(&idle->state[fd]) != PARKED && u->drop != NULL);
	u->fd = fd;
	if (u->since == 0)
		u->since = now;
	if (now - u->since > idle->timeout) {
		drop_overdue(idle, u);
		return;
	}
	link_kept(idle, u);
	park(idle, fd, !more);
	while ((u = take_oldest(idle, INT64_MAX, UNFINISHED_BYTES)) != NULL) {
		if (says(idle, MUCH_MEMORY))
			log_line(idle->log, LOG_WARNING,
			    "Slow requests and answers in transit hold more than %d MB; the oldest "
			    "are dropped.",
			    UNFINISHED_BYTES >> 20);
		drop(u);
	}
}

/* --- New connections -------------------------------------------------------------------------------- */

/* The connection that has been parked longest; -1: there are only new ones. */
static int
longest_parked(const struct idle *idle)
{
	int64_t least = atomic_load(&idle->now);
	int found = -1;

	for (int fd = 0; fd < idle->capacity; fd++) {
		int64_t at = atomic_load_explicit(&idle->parked_at[fd], memory_order_relaxed);

		if (at > least || (at == least && found >= 0) ||
		    atomic_load_explicit(&idle->state[fd], memory_order_relaxed) != PARKED ||
		    atomic_load_explicit(&idle->kept[fd], memory_order_relaxed) != NULL)
			continue;
		found = fd;
		least = at;
	}
	return found;
}

/* Takes the connection that has been idle longest; -1 when none is idle. */
static int
take_longest_idle(struct idle *idle)
{
	char byte;

	for (int tries = 0; tries < TRIES; tries++) {
		int fd = longest_parked(idle);

		if (fd < 0)
			return -1;
		if (!step(idle, fd, PARKED, TAKEN))
			continue;
		/* Something may have arrived that no thread has had time for. */
		if (atomic_load(&idle->kept[fd]) == NULL &&
		    recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN)
			return fd;
		park(idle, fd, false);
	}
	return -1;
}

/* Closes an idle connection, so that its descriptor is free for another one. */
static bool
spare_one(struct idle *idle)
{
	struct unfinished *slow;
	int fd = take_longest_idle(idle);

	if (fd >= 0) {
		close(fd);
		return true;
	}
	slow = take_oldest(idle, atomic_load(&idle->now) - NOT_YET, 0);
	if (slow != NULL)
		drop(slow);
	return slow != NULL;
}

/* Takes over the connections that the previous process kept. */
static void
take_over(struct idle *idle, int fd)
{
	int fds[HANDOVER_MAX];
	size_t count = handover_receive(fd, fds);

	for (size_t i = 0; i < count; i++)
		add(idle, fds[i]);
	close(fd);
}

static int
accept_one(struct idle *idle)
{
	for (;;) {
		struct sockaddr_un from;
		socklen_t len = sizeof(from);
		int fd = accept4(idle->listener, (struct sockaddr *)&from, &len, SOCK_CLOEXEC);

		if (fd < 0 || !handover_is(fd, &from, len))
			return fd;
		take_over(idle, fd);
	}
}

static void
accept_all(struct idle *idle)
{
	bool room = true;
	int fd = 0;

	while (room && (fd = accept_one(idle)) >= 0) {
		bool few = fd >= idle->comfortable;

		if (few && says(idle, FEW_DESCRIPTORS))
			log_line(idle->log, LOG_WARNING,
			    "Of %d descriptors no more than %d are for connections: those that "
			    "have been "
			    "idle for longest are closed. Raise the limit (LimitNOFILE).",
			    idle->capacity, idle->comfortable);
		/* Before adding: the new one is not to be closed. */
		room = !few || spare_one(idle);
		add(idle, fd);
	}
	if (fd < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED))
		return;
	if (fd < 0 && says(idle, FEW_DESCRIPTORS))
		log_line(
		    idle->log, LOG_ERROR, "Accepting a connection failed: %s.", strerror(errno));
	/* The listener stays readable; it is watched again when there may be descriptors. */
	if (fd < 0 && spare_one(idle))
		return;
	if (atomic_load(&idle->mode) == IDLE_SERVE) {
		watch(idle, idle->listener, EPOLL_CTL_MOD, 0);
		atomic_store(&idle->full, true);
	}
}

/* Takes a connection that epoll reported, unless a thread has it or it is to be handed over. */
static bool
claim(struct idle *idle, int fd, bool hung_up)
{
	while (!step(idle, fd, PARKED, hung_up ? HEARD : TAKEN)) {
		/* Its owner is to know, unless it has just parked it. */
		if (step(idle, fd, TAKEN, HEARD) || atomic_load(&idle->state[fd]) == HEARD)
			return false;
	}
	if (atomic_load(&idle->mode) == IDLE_HAND_OVER && atomic_load(&idle->kept[fd]) == NULL) {
		hand_on(idle, fd);
		return false;
	}
	return true;
}

/* Handles an event: returns a connection for the caller, or -1 when it was something else. */
static int
see_to(struct idle *idle, const struct epoll_event *event)
{
	int fd = event->data.fd;

	if (fd == idle->listener) {
		accept_all(idle);
	} else if (fd == idle->passage.out) {
		if ((fd = passage_receive(&idle->passage)) >= 0)
			add(idle, fd);
	} else if (claim(idle, fd, (event->events & (EPOLLRDHUP | EPOLLHUP)) != 0)) {
		return fd;
	}
	return -1;
}

/* Gets one event; false: none. Of two, the wake descriptor comes last. */
static bool
next_event(struct idle *idle, bool leaving, bool wait, struct epoll_event *event)
{
	struct epoll_event events[2];
	int count = epoll_wait(idle->epoll, events, leaving ? 2 : 1, wait ? -1 : 0);

	if (count < 1)
		return false;
	*event = events[0];
	if (count == 2 && events[0].data.fd == idle->wake)
		*event = events[1];
	/* The other one is left for another thread. */
	else if (count == 2 && events[1].data.fd != idle->wake &&
		 events[1].data.fd != idle->passage.out)
		watch(idle, events[1].data.fd, EPOLL_CTL_MOD, CHANGES | TAKES_MORE);
	return true;
}

/* The thread is about to wait: it does its pending work first. */
static bool
listen_for(struct idle *idle, struct idle_seat *seat, bool rest)
{
	log_lines_flush(seat->lines);
	seat->streak = 0;
	if (rest)
		return listeners_rest(&idle->listeners);
	listeners_listen(&idle->listeners);
	return true;
}

void
idle_reserve(struct idle *idle, unsigned count)
{
	assert(atomic_load(&idle->too_many) == 0);
	atomic_store(&idle->too_many, count);
}

/* One fewer is to go back to sleep, if any is. */
static bool
take_one_of_too_many(struct idle *idle)
{
	unsigned many = atomic_load(&idle->too_many);

	do {
		if (many == 0)
			return false;
	} while (!atomic_compare_exchange_weak(&idle->too_many, &many, many - 1));
	return true;
}

void
idle_held(struct idle *idle, bool begins)
{
	/*
	 * A thread that has stood in for another and is still awake stands in for the next: that
	 * costs no system call.
	 */
	if (!begins)
		atomic_fetch_add(&idle->too_many, 1);
	else if (!take_one_of_too_many(idle))
		sem_post(&idle->reserve);
}

/*
 * Of the reserve, and no thread is blocked for which it would stand in? Then it sleeps until one
 * is.
 */
static void
stay_in_reserve(struct idle *idle, struct idle_seat *seat)
{
	if (!take_one_of_too_many(idle))
		return;
	log_lines_flush(seat->lines);
	while (sem_wait(&idle->reserve) < 0)
		;
	/* At the end each wakes the next. */
	if (atomic_load(&idle->mode) != IDLE_SERVE)
		sem_post(&idle->reserve);
}

int
idle_take(struct idle *idle, struct idle_seat *seat, struct unfinished **unfinished)
{
	bool leaving = false, listens = false;
	int fd = -1;

	if (seat->in_reserve)
		stay_in_reserve(idle, seat);
	if (seat->quick && listeners_listens(&idle->listeners))
		listens = listen_for(idle, seat, true);
	while (fd < 0) {
		struct epoll_event event;

		if (!next_event(idle, leaving, listens, &event)) {
			listens = listens || listen_for(idle, seat, false);
		} else if (event.data.fd == idle->wake) {
			if (leaving || atomic_load(&idle->mode) == IDLE_HAND_OVER)
				break;
			leaving = true;
		} else {
			fd = see_to(idle, &event);
		}
	}
	if (listens)
		listeners_heard(&idle->listeners);
	else if (++seat->streak % BACKLOG == 0)
		listeners_call(&idle->listeners);
	seat->quick = true;
	*unfinished = fd >= 0 ? take_kept(idle, fd) : NULL;
	return fd;
}

void
idle_yield(struct idle *idle, struct idle_seat *seat)
{
	seat->quick = false;
	listeners_call(&idle->listeners);
}

void
idle_tick(struct idle *idle, int64_t now)
{
	struct unfinished *u;

	atomic_store(&idle->now, now);
	listeners_call(&idle->listeners);
	accept_again(idle);
	while ((u = take_oldest(idle, now - idle->timeout, 0)) != NULL)
		drop_overdue(idle, u);
}

void
idle_leave(struct idle *idle, enum idle_mode mode, bool accept_rest)
{
	assert(atomic_load(&idle->mode) == IDLE_SERVE && mode != IDLE_SERVE);
	watch(idle, idle->listener, EPOLL_CTL_DEL, 0);
	/* A worker in IDLE_FINISH still serves what the one before it hands over. */
	if (mode == IDLE_HAND_OVER)
		watch(idle, idle->passage.out, EPOLL_CTL_DEL, 0);
	atomic_store(&idle->mode, mode);
	listeners_dismiss(&idle->listeners);
	sem_post(&idle->reserve);
	if (mode == IDLE_FINISH && accept_rest)
		accept_all(idle);
	pthread_mutex_lock(&idle->mutex);
	wake_or_not(idle);
	pthread_mutex_unlock(&idle->mutex);
	for (int fd = 0; mode == IDLE_HAND_OVER && fd < idle->capacity; fd++)
		send_away(idle, fd);
}
