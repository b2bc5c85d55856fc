#include "process/serve.h"

#include "base/log.h"
#include "process/listener.h"
#include "process/supervisor.h"

#include <unistd.h>

enum {
	THREADS_LEAST = 4,
	THREADS_MOST = 512,
	TRANSFER_SECONDS = 30,
	DRAIN_SECONDS = 30,
};

static unsigned
default_threads(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors > THREADS_LEAST ? (unsigned)processors : THREADS_LEAST;
}

int
serve(const struct serve_options *options)
{
	struct serve_options complete = *options;
	struct listener listener;

	if (complete.threads == 0)
		complete.threads = default_threads();
	if (complete.threads > THREADS_MOST)
		complete.threads = THREADS_MOST;
	if (complete.transfer_seconds == 0)
		complete.transfer_seconds = TRANSFER_SECONDS;
	if (complete.drain_seconds == 0)
		complete.drain_seconds = DRAIN_SECONDS;
	if (!listener_open(&listener, complete.socket, complete.log))
		return 1;
	return supervise(&complete, &listener);
}
