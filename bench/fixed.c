/*
 * The yardstick: the least that a FastCGI program can do. A fixed body of 12 KB, through libfcgi as its
 * manual has it: a thread a connection, FCGX_Accept_r(), one FCGX_PutStr().
 *
 *   fixed SOCKET [THREADS [BYTES]]
 */
#include <fcgiapp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 12 * 1024, THREADS = 8 };

struct fixed {
	int socket, length;
	char *answer;
};

static void *
run_thread(void *arg)
{
	const struct fixed *fixed = arg;
	FCGX_Request request;

	FCGX_InitRequest(&request, fixed->socket, 0);
	while (FCGX_Accept_r(&request) == 0)
		FCGX_PutStr(fixed->answer, fixed->length, request.out);
	return NULL;
}

int
main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : THREADS, bytes = argc > 3 ? atoi(argv[3]) : BYTES;
	struct fixed fixed;
	size_t room;

	if (argc < 2 || threads < 1 || bytes < 0 || FCGX_Init() != 0)
		return 2;
	fixed.socket = FCGX_OpenSocket(argv[1], 1024);
	room = (size_t)bytes + 256;
	fixed.answer = malloc(room);
	if (fixed.socket < 0 || fixed.answer == NULL)
		return 1;
	fixed.length = snprintf(
	    fixed.answer, room, "Content-Type: text/html\r\nContent-Length: %d\r\n\r\n", bytes);
	memset(fixed.answer + fixed.length, 'x', (size_t)bytes);
	fixed.length += bytes;
	for (int i = 1; i < threads; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run_thread, &fixed) != 0)
			return 1;
	}
	run_thread(&fixed);
	return 1;
}
