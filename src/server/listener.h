#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

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

#endif
