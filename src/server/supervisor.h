#ifndef SERVER_SUPERVISOR_H
#define SERVER_SUPERVISOR_H

#include "server/listener.h"
#include "server/serve.h"

/*
 * Keeps one worker process running on the listener, and replaces it on SIGHUP and when it dies; see
 * serve.h. Closes the listener. Returns the program's exit status.
 */
int supervise(const struct serve_options *options, struct listener *listener);

#endif
