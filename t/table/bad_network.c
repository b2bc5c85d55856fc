#include "bad_network.h"

#include "lib/tap.h"
#include "lib/paths.h"

#include "base/clock.h"

#include <time.h>

void
bad_network_begin(struct child *server)
{
	const char *tls = getenv("TEST_TLS");
	char port[16], url[64], key[200] = "", pem[200] = "";

	if (tls != NULL) {
		snprintf(key, sizeof(key), "%s/localhost.key", tls);
		snprintf(pem, sizeof(pem), "%s/localhost.pem", tls);
		setenv("AWS_CA_BUNDLE", pem, 1);
	}
	if (!child_start(server,
		(const char *const[]){"node", TOP_SRCDIR "/t/fault/dynamodb.js",
		    getenv("AWS_ENDPOINT_URL_DYNAMODB"), tls != NULL ? key : NULL, pem, NULL}) ||
	    !child_line(server, port, sizeof(port))) {
		printf("1..0 # SKIP the fault server needs Node.js\n");
		exit(0);
	}
	snprintf(url, sizeof(url), "%s:%s", tls != NULL ? "https://localhost" : "http://127.0.0.1",
	    port);
	setenv("AWS_ENDPOINT_URL_DYNAMODB", url, 1);
}

static void
tell(struct child *server, const char *line, char *answer, size_t size)
{
	fprintf(server->in, "%s\n", line);
	fflush(server->in);
	if (!child_line(server, answer, size) || strncmp(answer, "ok", 2) != 0)
		bail_out("the fault server does not obey: %s", line);
}

void
bad_network_tell(struct child *server, const char *line)
{
	char answer[100];

	tell(server, line, answer, sizeof(answer));
	if (answer[2] != '\0')
		printf("# %s:%s\n", line, answer + 2);
}

int
bad_network_number(struct child *server, const char *line)
{
	char answer[100];

	tell(server, line, answer, sizeof(answer));
	return atoi(answer + 2);
}

double
bad_network_slowness(double before)
{
	int64_t began = clock_micros();
	clock_t busy = clock();
	double now;

	while (clock() - busy < CLOCKS_PER_SEC / 20)
		continue;
	now = (double)(clock_micros() - began) / 1e6 * CLOCKS_PER_SEC / (double)(clock() - busy);
	return now > before ? now : before;
}
