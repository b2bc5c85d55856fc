#ifndef SERVER_WORKER_H
#define SERVER_WORKER_H

#include "server/idle.h"
#include "server/serve.h"

/*
 * What a worker process does from its fork to its end; returns its exit status. It tells its parent by
 * SIGUSR1 that it is ready. SIGUSR1 to itself: hand over to the next worker and end. SIGTERM: answer
 * what has been sent, and end; `accept_rest` says whether connections that wait at the listener are
 * to be answered too. It ends as by SIGTERM when its parent dies.
 *
 * Signals must be blocked.
 */
int worker_run(const struct serve_options *options, int listener, const struct passage *passage,
    bool accept_rest);

#endif
