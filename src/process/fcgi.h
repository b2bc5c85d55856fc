#ifndef PROCESS_FCGI_H
#define PROCESS_FCGI_H

#include "base/str.h"

#include <stdatomic.h>

struct arena;
struct log;

/*
 * FastCGI requests over connections that somebody else accepted, read through libfcgi and answered with
 * one writev(). One request after the other:
 *
 *   fcgi_receive(), fcgi_read_body() or fcgi_skip_body(), fcgi_send(), fcgi_end()
 *
 * What is read is checked, yet libfcgi itself can be crashed by whoever may write to the socket; so
 * the socket is for the web server alone, and a supervisor replaces a worker that dies.
 */
struct fcgi;

enum fcgi_rc {
	FCGI_KEPT, /* all is well; after fcgi_send(): the peer wants to use the connection again */
	FCGI_CLOSED, /* the connection is closed: done with it, gone, or what came was refused and logged */
};

/* A reader and writer for one thread. The caller ends it with fcgi_free(). */
struct fcgi *fcgi_new(const struct log *log);
void fcgi_free(struct fcgi *fcgi);

/*
 * Reads a request up to its body from `fd`, a blocking socket. A signal that interrupts the read ends the
 * connection.
 */
enum fcgi_rc fcgi_receive(struct fcgi *fcgi, int fd);

/* A parameter of the request, valid until fcgi_end(); empty when there is none. */
struct str fcgi_param(const struct fcgi *fcgi, const char *name);

/* Each parameter in turn, from *at = 0 on; false behind the last. */
bool fcgi_next_param(const struct fcgi *fcgi, size_t *at, struct str *name, struct str *value);

/*
 * Reads the body, `size` bytes, into the arena. Where fewer come, *out is what came. FCGI_CLOSED when it
 * breaks off or there is more.
 */
enum fcgi_rc fcgi_read_body(struct fcgi *fcgi, size_t size, struct arena *arena, struct str *out);

/* Reads a body and throws it away, so that the connection can be kept; within bounds. */
enum fcgi_rc fcgi_skip_body(struct fcgi *fcgi);

/*
 * Sends the answer: CGI header lines, an empty line, a body. A signal stops the sending when *give_up
 * is set, else it goes on. FCGI_CLOSED also when the body was not read to its end.
 */
enum fcgi_rc fcgi_send(struct fcgi *fcgi, struct str answer, const atomic_bool *give_up);

/* Forgets the request; the connection is left as it is. */
void fcgi_end(struct fcgi *fcgi);

#endif
