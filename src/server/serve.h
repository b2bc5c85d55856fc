#ifndef SERVER_SERVE_H
#define SERVER_SERVE_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct limiter_watcher;
struct log;
struct request_input;
struct response;
struct site;

/*
 * The program behind the web server: a supervisor, and one worker process with a number of threads
 * that answer FastCGI requests.
 *
 *   SIGTERM, SIGINT  answer what is in flight, then end; where systemd keeps the socket, connections wait in it for the
 *                    next start
 *   SIGHUP           start a new worker; when it is ready, the old one hands over its connections,
 *                    answers what it has begun, and ends. When it can't start, the old one goes on.
 *   a worker dies    another one is started at once; later each time, when they die young; while none can
 *                    start, a stand-in answers 503
 */

/* What answers the requests: the web layer's functions, or a test's. */
struct serve_app {
	void *context;
	/*
	 * Called in each new worker process before it takes requests: opens the store, reads templates.
	 * NULL when it can't; it has logged why.
	 */
	struct site *(*open)(void *context);
	/*
	 * The same for the fallback server, which needs no store, nor anything else that may
	 * prevent open(): it answers every request with 503. NULL instead of the function: there is
	 * none, and readers wait.
	 */
	struct site *(*fallback)(void *context);
	void (*close)(struct site *site); /* called when all threads have ended */
	/*
	 * Has the watcher told of threads that are blocked at the site's limiters; returns how many
	 * that may be. There are so many spare threads, one for each that is blocked. NULL: there
	 * are no limiters.
	 */
	unsigned (*watch)(struct site *site, const struct limiter_watcher *watcher);
	/* Called behind that: starts what goes on beside requests, until close(). NULL: nothing does. */
	void (*begin)(struct site *site);

	/* site_body_max(), site_respond() and response_release() of the web layer. */
	size_t (*body_max)(struct site *site, const struct request_input *in, struct arena *arena);
	void (*respond)(struct site *site, const struct request_input *in, struct arena *arena,
	    struct response *out);
	void (*release)(struct response *rs);
};

struct serve_options {
	const char *socket;   /* the path to listen at; NULL for a socket that was handed over */
	unsigned threads;     /* at least one */
	int transfer_seconds; /* to receive a request, and to send an answer; 0: 30 */
	int drain_seconds;    /* to end what is in flight when a worker leaves; 0: 30 */
	const struct log *log;
	struct serve_app app;
};

/*
 * Serves until a signal ends it. To be called before the program starts a thread. Returns the
 * program's exit status: 0 after an orderly shutdown, 1 if it could not start or had to abort
 * requests.
 */
int serve(const struct serve_options *options);

#endif
