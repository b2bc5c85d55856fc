#include "server/serve.h"

#include "base/log.h"
#include "server/listener.h"
#include "server/supervisor.h"

#include <signal.h>

enum {
	TRANSFER_SECONDS = 30,
	DRAIN_SECONDS = 30,
};

int
serve(const struct serve_options *options)
{
	struct serve_options complete = *options;
	struct listener listener;

	/* Who reads the log may end, and this goes on. */
	signal(SIGPIPE, SIG_IGN);
	if (complete.transfer_seconds == 0)
		complete.transfer_seconds = TRANSFER_SECONDS;
	if (complete.drain_seconds == 0)
		complete.drain_seconds = DRAIN_SECONDS;
	if (!listener_open(&listener, complete.socket, complete.log))
		return 1;
	return supervise(&complete, &listener);
}
