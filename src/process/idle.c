/*
 * One epoll for all threads: each waits in it, and gets one connection at a time.
 *
 *   1. A connection is armed once, when it comes, and epoll tells of each change (EPOLLET). It is PARKED (this
 *      file owns it), TAKEN (a thread owns it), or HEARD (the same, and epoll has told of it meanwhile). Whoever
 *      changes the state with an atomic operation owns the outcome; there is no lock, because the thread that
 *      epoll wakes would only wait for it.
 *   2. A change is told once. So whoever parks what was HEARD has epoll tell again if there is something to read;
 *      and so is a connection that is hung up HEARD when it is taken, for its end comes behind what it says.
 *   3. Nothing is claimed once the mode is IDLE_HAND_OVER. Then whatever is PARKED is sent away without a
 *      thread having read from it: by idle_leave(), or, if it was being parked as idle_leave() went by, by the
 *      thread that parked it, which looks at the mode once more.
 *   4. A taken descriptor may be closed by its thread, and its number come back from accept() at once. What a
 *      thread has yet to do about the old one does the new one no harm: it is told of once too often, and who takes
 *      it finds nothing to read.
 *   5. The wake descriptor is readable for ever after the mode has changed. A thread that finds it to be
 *      the only one knows that it is quiet.
 */
#include "process/idle.h"

#include "base/arena.h"
#include "base/log.h"
#include "process/crew.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	CONNECTIONS_MAX = 65536,
	OUT_OF_DESCRIPTORS_PAUSE = 20, /* milliseconds */
	BACKLOG = 64, /* after so many without a pause there is work for one thread more */
};

struct idle {
	int epoll, wake, listener;
	struct passage passage;
	struct crew crew;
	sem_t reserve;        /* one for each of the reserve that may work */
	atomic_uint too_many; /* how many of them are to go back to sleep */
	const struct log *log;
	_Atomic(enum idle_mode) mode;
	atomic_uchar *state; /* by descriptor */
	int capacity;
};

enum { TAKEN, HEARD, PARKED };

#define CHANGES (EPOLLIN | EPOLLRDHUP | EPOLLET)

/* From one state to another, if it is still in the first. */
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

struct idle *
idle_new(int listener, const struct passage *passage, const struct log *log)
{
	struct idle *idle = calloc(1, sizeof(*idle));
	struct rlimit limit = {.rlim_cur = 1024};

	if (idle == NULL)
		out_of_memory();
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur =
		    limit.rlim_max < CONNECTIONS_MAX ? limit.rlim_max : CONNECTIONS_MAX;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	idle->capacity = limit.rlim_cur < CONNECTIONS_MAX ? (int)limit.rlim_cur : CONNECTIONS_MAX;
	idle->state = calloc((size_t)idle->capacity, sizeof(*idle->state));
	if (idle->state == NULL)
		out_of_memory();
	idle->log = log;
	idle->listener = listener;
	idle->passage = *passage;
	idle->epoll = epoll_create1(EPOLL_CLOEXEC);
	idle->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (crew_begin(&idle->crew) && sem_init(&idle->reserve, 0, 0) == 0 && idle->epoll >= 0 &&
	    idle->wake >= 0 && watch(idle, listener, EPOLL_CTL_ADD, EPOLLIN) &&
	    watch(idle, passage->out, EPOLL_CTL_ADD, EPOLLIN) &&
	    watch(idle, idle->wake, EPOLL_CTL_ADD, EPOLLIN))
		return idle;
	idle_free(idle);
	return NULL;
}

void
idle_free(struct idle *idle)
{
	for (int fd = 0; fd < idle->capacity; fd++) {
		if (atomic_load(&idle->state[fd]) == PARKED)
			close(fd);
	}
	if (idle->epoll >= 0)
		close(idle->epoll);
	if (idle->wake >= 0)
		close(idle->wake);
	crew_end(&idle->crew);
	sem_destroy(&idle->reserve);
	free((void *)idle->state);
	free(idle);
}

/* Sends a connection that is not parked to the next worker. */
static void
hand_on(struct idle *idle, int fd)
{
	/* Its bytes may be the next worker's from now on: this epoll must not hear of them. */
	watch(idle, fd, EPOLL_CTL_DEL, 0);
	if (!passage_send(&idle->passage, fd))
		log_line(idle->log, LOG_WARNING,
		    "A connection could not be handed to the next worker: %s.", strerror(errno));
	close(fd);
}

/* Parks a connection that is the caller's, or sends it away. Has epoll told of all that there is to read? */
static void
park(struct idle *idle, int fd, bool told)
{
	if (!step(idle, fd, TAKEN, PARKED)) {
		told = false;
		atomic_store(&idle->state[fd], PARKED);
	}
	/* Whoever has the descriptor by now, it does no harm. */
	if (!told)
		watch(idle, fd, EPOLL_CTL_MOD, CHANGES);
	if (atomic_load(&idle->mode) == IDLE_HAND_OVER && step(idle, fd, PARKED, TAKEN))
		hand_on(idle, fd);
}

/* Takes in a connection that has just come. */
static void
add(struct idle *idle, int fd)
{
	if (fd >= idle->capacity) {
		log_line(idle->log, LOG_WARNING, "There are more than %d connections.", fd);
		close(fd);
		return;
	}
	atomic_store(&idle->state[fd], TAKEN);
	if (watch(idle, fd, EPOLL_CTL_ADD, CHANGES))
		park(idle, fd, true);
	else
		close(fd);
}

void
idle_give(struct idle *idle, int fd, bool more)
{
	/* Who has been answered by a worker without a successor should not ask it again. */
	if (atomic_load(&idle->mode) == IDLE_FINISH)
		close(fd);
	else
		park(idle, fd, !more);
}

static void
accept_all(struct idle *idle)
{
	const struct timespec pause = {.tv_nsec = OUT_OF_DESCRIPTORS_PAUSE * 1000000};
	int fd;

	while ((fd = accept4(idle->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		add(idle, fd);
	if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
		log_line(
		    idle->log, LOG_ERROR, "Accepting a connection failed: %s.", strerror(errno));
		/* Out of descriptors, the listener stays readable: don't spin. */
		nanosleep(&pause, NULL);
	}
}

/* Makes a connection that epoll told of the caller's, unless it is somebody's or to be handed over. */
static bool
claim(struct idle *idle, int fd, bool hung_up)
{
	if (atomic_load(&idle->mode) == IDLE_HAND_OVER)
		return false;
	while (!step(idle, fd, PARKED, hung_up ? HEARD : TAKEN)) {
		/* Its owner is to know, unless it has been parked just now. */
		if (step(idle, fd, TAKEN, HEARD) || atomic_load(&idle->state[fd]) == HEARD)
			return false;
	}
	return true;
}

/* What an event is about: a connection for the caller; -1 when it was something else and has been done. */
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

/* One event, or none: false. Of two, the wake descriptor is the less interesting. */
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
	/* The other one gets its turn. */
	else if (count == 2 && events[1].data.fd != idle->wake &&
		 events[1].data.fd != idle->passage.out)
		watch(idle, events[1].data.fd, EPOLL_CTL_MOD, CHANGES);
	return true;
}

/* The thread is about to wait for something: what it still has to do is done first. */
static bool
listen_for(struct idle *idle, struct idle_seat *seat, bool rest)
{
	log_lines_flush(seat->lines);
	seat->streak = 0;
	if (rest)
		return crew_rest(&idle->crew);
	crew_listen(&idle->crew);
	return true;
}

void
idle_reserve(struct idle *idle, unsigned count)
{
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
	/* Who has stood in for somebody and is still awake stands in for the next: that costs no system call. */
	if (!begins)
		atomic_fetch_add(&idle->too_many, 1);
	else if (!take_one_of_too_many(idle))
		sem_post(&idle->reserve);
}

/* Of the reserve, and nobody is held up for whom it would stand in? Then it sleeps until somebody is. */
static void
stay_in_reserve(struct idle *idle, struct idle_seat *seat)
{
	if (!take_one_of_too_many(idle))
		return;
	log_lines_flush(seat->lines);
	while (sem_wait(&idle->reserve) < 0)
		;
	/* At the end all wake: each wakes the next. */
	if (atomic_load(&idle->mode) != IDLE_SERVE)
		sem_post(&idle->reserve);
}

int
idle_take(struct idle *idle, struct idle_seat *seat)
{
	bool leaving = false, listens = false;
	int fd = -1;

	if (seat->in_reserve)
		stay_in_reserve(idle, seat);
	if (seat->quick && crew_listens(&idle->crew))
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
		crew_heard(&idle->crew);
	else if (++seat->streak % BACKLOG == 0)
		crew_call(&idle->crew);
	seat->quick = true;
	return fd;
}

void
idle_yield(struct idle *idle, struct idle_seat *seat)
{
	seat->quick = false;
	crew_call(&idle->crew);
}

void
idle_call(struct idle *idle)
{
	crew_call(&idle->crew);
}

void
idle_leave(struct idle *idle, enum idle_mode mode, bool accept_rest)
{
	const uint64_t one = 1;

	watch(idle, idle->listener, EPOLL_CTL_DEL, 0);
	/* Who finishes still answers what a worker before it hands over. */
	if (mode == IDLE_HAND_OVER)
		watch(idle, idle->passage.out, EPOLL_CTL_DEL, 0);
	atomic_store(&idle->mode, mode);
	crew_dismiss(&idle->crew);
	sem_post(&idle->reserve);
	if (mode == IDLE_FINISH && accept_rest)
		accept_all(idle);
	(void)!write(idle->wake, &one, sizeof(one));
	/* From here on no thread claims anything: what is parked stays parked. */
	for (int fd = 0; mode == IDLE_HAND_OVER && fd < idle->capacity; fd++) {
		if (step(idle, fd, PARKED, TAKEN))
			hand_on(idle, fd);
	}
}
