#ifndef PROCESS_FCGI_H
#define PROCESS_FCGI_H

#include "base/str.h"

#include <stdatomic.h>

struct arena;
struct log;

/*
 * FastCGI requests over connections that somebody else accepted: read into one buffer, mostly at once, and
 * answered with one writev(). One request after the other:
 *
 *   fcgi_receive(), fcgi_read_body() or fcgi_skip_body(), fcgi_send()
 *
 * Whoever may write to the socket speaks for the web server. They can waste a thread's time, up to its
 * limit, and nothing else: what is malformed, too long or out of order ends their connection.
 */
struct fcgi;

enum fcgi_rc {
	FCGI_KEPT, /* all is well; after fcgi_send(): the peer wants to use the connection again */
	FCGI_IDLE, /* there is no request, or it was taken back; the connection is to be waited on */
	FCGI_CLOSED, /* the connection is closed: done with it, gone, or what came was refused and logged */
};

/*
 * A reader and writer for one thread. When *give_up is set, a signal that interrupts the thread ends the
 * connection, as does all that passes from then on. The caller ends it with fcgi_free().
 */
struct fcgi *fcgi_new(const struct log *log, const atomic_bool *give_up);
void fcgi_free(struct fcgi *fcgi);

/*
 * Reads from `fd`, a blocking socket, a request up to its body. *params are its parameters, pairs for
 * records_pair(), valid until the next fcgi_receive(). FCGI_IDLE when something else came, or nothing.
 */
enum fcgi_rc fcgi_receive(struct fcgi *fcgi, int fd, struct str *params);

/*
 * Reads the body, `size` bytes, into the arena. Where fewer come, *out is what came. FCGI_CLOSED when it
 * breaks off or there is more.
 */
enum fcgi_rc fcgi_read_body(struct fcgi *fcgi, size_t size, struct arena *arena, struct str *out);

/* Reads a body and throws it away, so that the connection can be kept; within bounds. */
enum fcgi_rc fcgi_skip_body(struct fcgi *fcgi);

/* May there be more to read than was read of late? For who gives the connection back. */
bool fcgi_more(const struct fcgi *fcgi);

/* Closes the connection without an answer, and logs why. Always FCGI_CLOSED. */
enum fcgi_rc fcgi_refuse(struct fcgi *fcgi, struct str why);

/*
 * Sends the answer: CGI header lines, an empty line, a body. FCGI_CLOSED also when the body was not read to
 * its end.
 */
enum fcgi_rc fcgi_send(struct fcgi *fcgi, struct str answer);

#endif
