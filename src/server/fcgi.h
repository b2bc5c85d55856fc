#ifndef SERVER_FCGI_H
#define SERVER_FCGI_H

#include "base/str.h"

struct arena;
struct log;

/*
 * FastCGI requests over accepted connections: read into one buffer, mostly at once, and answered
 * with one sendmsg(). One request after the other:
 *
 * fcgi_begin(), fcgi_receive(), fcgi_take_body() or fcgi_skip_body(), fcgi_read_body(), fcgi_send()
 *
 * Nothing here blocks. If bytes have not arrived yet, or the peer has not read enough, the result
 * is FCGI_LATER: the same function has to be called again (fcgi_send_rest() for fcgi_send()) when
 * the connection is readable, or writable; the struct belongs to that connection until then.
 *
 * Whoever can write to the socket is trusted as the web server is. Malformed, oversized or
 * unexpected records end their connection.
 */
struct fcgi;

enum fcgi_rc {
	FCGI_KEPT,  /* all is well; after sending: the peer wants to use the connection again */
	FCGI_LATER, /* it goes on when the peer does */
	FCGI_IDLE,  /* there is no request, or it was aborted; the connection is to be waited on */
	FCGI_CLOSED, /* the connection is closed: done with it, gone, or what came was refused and logged */
};

/* The caller ends it with fcgi_free(), which does not close the connection. */
struct fcgi *fcgi_new(const struct log *log);
void fcgi_free(struct fcgi *fcgi);

/* Resets it: the next request comes from `fd`. */
void fcgi_begin(struct fcgi *fcgi, int fd);

/*
 * Reads a request up to its body. *params are its parameters, pairs for records_pair(), valid until the next
 * fcgi_begin(). FCGI_IDLE when something else came, or nothing.
 */
enum fcgi_rc fcgi_receive(struct fcgi *fcgi, struct str *params);

/*
 * Reads the body into the arena, at most `size` bytes; or discards it, so that the connection can
 * be kept.
 */
void fcgi_take_body(struct fcgi *fcgi, size_t size, struct arena *arena);
void fcgi_skip_body(struct fcgi *fcgi);

/* Reads the body. FCGI_CLOSED when it breaks off or there is more. Skipping has bounds; then FCGI_KEPT, too. */
enum fcgi_rc fcgi_read_body(struct fcgi *fcgi);

/* The part of the body that has been received. */
struct str fcgi_body(const struct fcgi *fcgi);

/* May there be more to read than was read of late? For who gives the connection back. */
bool fcgi_more(const struct fcgi *fcgi);

/* Closes the connection without an answer, and logs why. Always FCGI_CLOSED. */
enum fcgi_rc fcgi_refuse(struct fcgi *fcgi, struct str why);

/* Closes the connection. Always FCGI_CLOSED. */
enum fcgi_rc fcgi_close(struct fcgi *fcgi);

/*
 * Sends the answer, which stays where it is until all is sent: CGI header lines, an empty line, a body. FCGI_CLOSED
 * also when the body was not read to its end.
 */
enum fcgi_rc fcgi_send(struct fcgi *fcgi, struct str answer);
enum fcgi_rc fcgi_send_rest(struct fcgi *fcgi);

/* The memory that it holds for its connection, what is to be sent included. */
size_t fcgi_size(const struct fcgi *fcgi);

#endif
