/* broadsheet serve: answers requests until a signal ends it. */
#include "process/commands.h"

#include "process/site.h"

#include <unistd.h>

enum outcome
cmd_serve(struct invocation *in)
{
	const struct log log = {.fd = STDERR_FILENO, .level = in->config.log_level};
	struct site_context context = {.config = &in->config, .log = &log};
	const struct serve_options options = {
	    .socket = in->config.socket.len != 0 ? in->config.socket.base : NULL,
	    .threads = (unsigned)in->config.threads,
	    .log = &log,
	    .app = site_app(&context),
	};

	return serve(&options) == 0 ? OUTCOME_DONE : OUTCOME_FAILED;
}
