#include "bad_network.h"

#include "../tap.h"

void
bad_network_begin(struct child *server)
{
	char port[16], url[64];

	if (!child_start(server, (const char *const[]){"node", TOP_SRCDIR "/t/fault/dynamodb.js",
				     getenv("AWS_ENDPOINT_URL_DYNAMODB"), NULL}) ||
	    !child_line(server, port, sizeof(port))) {
		printf("1..0 # SKIP the fault server needs Node.js\n");
		exit(0);
	}
	snprintf(url, sizeof(url), "http://127.0.0.1:%s", port);
	setenv("AWS_ENDPOINT_URL_DYNAMODB", url, 1);
}

void
bad_network_tell(struct child *server, const char *line)
{
	char answer[100];

	fprintf(server->in, "%s\n", line);
	fflush(server->in);
	if (!child_line(server, answer, sizeof(answer)) || strncmp(answer, "ok", 2) != 0)
		bail_out("the fault server does not obey: %s", line);
	if (answer[2] != '\0')
		printf("# %s:%s\n", line, answer + 2);
}
