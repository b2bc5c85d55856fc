#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct log;

/*
 * The UNIX socket that the web server connects to: made here, or handed over by systemd or by a
 * program like spawn-fcgi.
 */
struct listener {
	int fd;
	const char *path; /* NULL when it was handed over: then it is not ours to remove */
	bool kept;        /* by systemd, while the program restarts */
	int lock_fd;      /* holds PATH.lock while this program owns the path; else -1 */
	dev_t device;     /* which file we made at the path */
	ino_t inode;
};

/*
 * Finds or makes the socket. In this order: what systemd passes (LISTEN_FDS); a new socket at
 * `path`, mode 0660; a listening socket as descriptor 0. `path` may be NULL and must outlive the
 * listener. A socket file that nobody listens on is replaced; one that is in use is left alone.
 *
 * False when there is none to be had; the log says why. The descriptor is non-blocking and is closed
 * on exec.
 */
bool listener_open(struct listener *out, const char *path, const struct log *log);

/* Closes it, after removing the file at the path if that is still the one that we made. */
void listener_close(struct listener *listener);

/* --- Which threads listen --------------------------------------------------------------------- */

/*
 * Which threads listen for what comes, and which rest. To wake a thread costs as much as a ready page does,
 * and each event wakes one of those that listen. So as long as answers take no time, one thread listens and
 * answers, and the others rest; one of them is called before anything that may take long.
 *
 *   A thread works, listens or rests. It begins to rest only while another one listens, and whoever begins
 *   long work while nobody listens calls one that rests. So what comes is heard at once, or as soon as
 *   some quick work is done.
 *
 * All functions are safe for threads, except the first two.
 */
struct listeners {
	atomic_uint state; /* how many listen, how many rest, and whether all are dismissed */
	sem_t called;
};

/* False, with errno, when the system refuses. */
bool listeners_begin(struct listeners *listeners);
void listeners_end(struct listeners *listeners);

/* The thread listens from now on; it has heard something and works. */
void listeners_listen(struct listeners *listeners);
void listeners_heard(struct listeners *listeners);

/* Does any thread listen? */
bool listeners_listens(const struct listeners *listeners);

/*
 * The thread rests until it is called; then it listens: true. False at once when nobody else
 * listens, or all are dismissed.
 */
bool listeners_rest(struct listeners *listeners);

/* Sees to it that some thread listens, if one rests. */
void listeners_call(struct listeners *listeners);

/* Calls all threads; none rests any more. */
void listeners_dismiss(struct listeners *listeners);

#endif
