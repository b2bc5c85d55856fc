#ifndef PROCESS_SUPERVISOR_H
#define PROCESS_SUPERVISOR_H

#include "process/listener.h"
#include "process/serve.h"

/*
 * Keeps one worker process at work on the listener, and replaces it on SIGHUP and when it dies; see
 * serve.h. Closes the listener. Returns the program's exit status.
 */
int supervise(const struct serve_options *options, struct listener *listener);

#endif
