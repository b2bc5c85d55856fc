/*
 * FastCGI: reading by libfcgi, writing by ourselves.
 *
 * libfcgi wants to accept connections itself and then owns a thread for each. Here a connection comes
 * from outside, when there is something to read:
 *
 *   1. `ipcFd` is the connection and `keepConnection` is set, so that FCGX_Accept_r(), which begins by
 *      ending the request before, leaves the connection open and reads from it.
 *   2. There is no listening socket (-1): when the connection is dead, FCGX_Accept_r() closes it, tries to
 *      accept another, fails, and comes back to us.
 *   3. `detached` is set: libfcgi then closes plainly. Otherwise it would wait in select() for the
 *      peer, up to two seconds, and overrun its set from descriptor 1024 on.
 *   4. Its writers are never used. They would copy everything through 8 KB, a write each. The records of the
 *      answer and of the request's end are one writev(), and FCGX_Free() drops the writers unused.
 *   5. Standard input is read to its end before the answer, so that nothing of this request is left for
 *      the next one to stumble on. Where it is not (far too large), the connection does not live on.
 */
#include "process/fcgi.h"

#include "base/arena.h"
#include "base/log.h"

#include <errno.h>
#include <fcgiapp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	RECORD_HEADER = 8,
	RECORD_CONTENT = 65528, /* the most that a record holds, rounded down to eight */
	TYPE_END_REQUEST = 3,
	TYPE_STDOUT = 6,
	ROLE_RESPONDER = 1,
	BATCH = 32,            /* records of one writev() */
	SKIP_LIMIT = 64 << 20, /* a body that nobody wants is read as far as this */
};

struct fcgi {
	FCGX_Request request;
	const struct log *log;
	bool read; /* the body, to its end */
};

struct fcgi *
fcgi_new(const struct log *log)
{
	struct fcgi *fcgi = calloc(1, sizeof(*fcgi));

	if (fcgi == NULL)
		out_of_memory();
	FCGX_Init();
	FCGX_InitRequest(&fcgi->request, -1, 0);
	fcgi->request.ipcFd = -1;
	fcgi->log = log;
	return fcgi;
}

void
fcgi_free(struct fcgi *fcgi)
{
	fcgi_end(fcgi);
	free(fcgi);
}

bool
fcgi_next_param(const struct fcgi *fcgi, size_t *at, struct str *name, struct str *value)
{
	const char *pair = fcgi->request.envp[*at];

	if (pair == NULL)
		return false;
	*name = str_cut(str_of(pair), '=', value);
	++*at;
	return true;
}

struct str
fcgi_param(const struct fcgi *fcgi, const char *name)
{
	return str_of(FCGX_GetParam(name, fcgi->request.envp));
}

void
fcgi_end(struct fcgi *fcgi)
{
	fcgi->request.ipcFd = -1;
	FCGX_Free(&fcgi->request, 0);
}

static enum fcgi_rc
refuse(struct fcgi *fcgi, const char *why)
{
	log_line(fcgi->log, LOG_WARNING, "A FastCGI request was refused: %s.", why);
	close(fcgi->request.ipcFd);
	fcgi_end(fcgi);
	return FCGI_CLOSED;
}

enum fcgi_rc
fcgi_receive(struct fcgi *fcgi, int fd)
{
	FCGX_Request *rq = &fcgi->request;

	rq->ipcFd = fd;
	rq->keepConnection = 1;
	rq->detached = 1;
	fcgi->read = false;
	/* An idle connection that the peer closed ends here too, so there is nothing to log. */
	if (FCGX_Accept_r(rq) != 0)
		return FCGI_CLOSED;
	if (rq->role != ROLE_RESPONDER)
		return refuse(fcgi, "its role is not that of a responder");
	/* What begins with standard input, or is aborted, arrives as a request with nothing in it. */
	if (fcgi_param(fcgi, "REQUEST_METHOD").len == 0)
		return refuse(fcgi, "it has no REQUEST_METHOD");
	return FCGI_KEPT;
}

enum fcgi_rc
fcgi_read_body(struct fcgi *fcgi, size_t size, struct arena *arena, struct str *out)
{
	/* One byte more than promised: to see the end, and to see more than was promised. */
	char *bytes = arena_alloc(arena, size + 1);
	int got = FCGX_GetStr(bytes, (int)size + 1, fcgi->request.in);

	if (FCGX_GetError(fcgi->request.in) != 0)
		return refuse(fcgi, "it broke off in its body");
	if ((size_t)got > size)
		return refuse(fcgi, "its body is longer than CONTENT_LENGTH");
	*out = (struct str){bytes, (size_t)got};
	fcgi->read = true;
	return FCGI_KEPT;
}

enum fcgi_rc
fcgi_skip_body(struct fcgi *fcgi)
{
	char waste[16384];
	size_t total = 0;
	int got;

	do {
		got = FCGX_GetStr(waste, sizeof(waste), fcgi->request.in);
		total += (size_t)got;
	} while (got == sizeof(waste) && total < SKIP_LIMIT);
	if (FCGX_GetError(fcgi->request.in) != 0)
		return refuse(fcgi, "it broke off in its body");
	fcgi->read = got < (int)sizeof(waste);
	return FCGI_KEPT;
}

/* All of it, in as few writes as the socket allows. */
static bool
write_all(int fd, struct iovec *iov, size_t count, const atomic_bool *give_up)
{
	while (count > 0) {
		ssize_t sent = writev(fd, iov, (int)count);

		if (sent < 0 && errno == EINTR && !atomic_load(give_up))
			continue;
		if (sent < 0)
			return false;
		while (count > 0 && (size_t)sent >= iov->iov_len) {
			sent -= (ssize_t)iov->iov_len;
			iov++;
			count--;
		}
		if (count > 0) {
			iov->iov_base = (char *)iov->iov_base + sent;
			iov->iov_len -= (size_t)sent;
		}
	}
	return true;
}

static void
put_header(unsigned char *to, int type, int id, size_t content)
{
	const unsigned char header[RECORD_HEADER] = {1, (unsigned char)type,
	    (unsigned char)(id >> 8), (unsigned char)id, (unsigned char)(content >> 8),
	    (unsigned char)content, 0, 0};

	memcpy(to, header, sizeof(header));
}

/*
 * The records of standard output, then its end and the request's. Each turn fills BATCH records at most
 * and writes them; a page is one turn.
 */
static bool
write_records(FCGX_Request *rq, struct str answer, const atomic_bool *give_up)
{
	unsigned char headers[BATCH][RECORD_HEADER], end[3 * RECORD_HEADER] = {0};
	struct iovec iov[2 * BATCH + 1];
	bool last;

	do {
		size_t count = 0;

		for (int i = 0; i < BATCH && answer.len > 0; i++) {
			struct str part = str_sub(answer, 0, RECORD_CONTENT);

			put_header(headers[i], TYPE_STDOUT, rq->requestId, part.len);
			iov[count++] = (struct iovec){headers[i], RECORD_HEADER};
			iov[count++] = (struct iovec){(void *)(uintptr_t)part.base, part.len};
			answer = str_sub(answer, part.len, answer.len);
		}
		last = answer.len == 0;
		if (last) {
			put_header(end, TYPE_STDOUT, rq->requestId, 0);
			put_header(
			    end + RECORD_HEADER, TYPE_END_REQUEST, rq->requestId, RECORD_HEADER);
			iov[count++] = (struct iovec){end, sizeof(end)};
		}
		if (!write_all(rq->ipcFd, iov, count, give_up))
			return false;
	} while (!last);
	return true;
}

enum fcgi_rc
fcgi_send(struct fcgi *fcgi, struct str answer, const atomic_bool *give_up)
{
	FCGX_Request *rq = &fcgi->request;
	bool sent = write_records(rq, answer, give_up);

	if (sent && fcgi->read && rq->keepConnection)
		return FCGI_KEPT;
	close(rq->ipcFd);
	return FCGI_CLOSED;
}
