/*
 * The two ends of records.c: what is read for it, and what is written.
 *
 *   1. A connection comes from outside, when there is something to read, and goes back there when nothing is
 *      begun on it. The buffer belongs to the thread; so what was read must have been told of before the
 *      connection is given back, or it is closed.
 *   2. A body is read to its end before the answer, so that nothing of this request is left for the next one to
 *      stumble on. Where it is not (far too large), the connection does not live on.
 *   3. The records of the answer and of the request's end are one writev(), in which the answer lies where
 *      it was made.
 */
#include "process/fcgi.h"

#include "base/arena.h"
#include "base/log.h"
#include "process/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	RECORD_CONTENT = 65528, /* the most that a record holds, rounded down to eight */
	BATCH = 32,             /* records of one writev() */
	SKIP_LIMIT = 64 << 20,  /* a body that nobody wants is read as far as this */
};

struct fcgi {
	int fd;
	const struct log *log;
	const atomic_bool *give_up;
	bool whole; /* the request was read to its end */
	bool more;  /* the last read() took all that there was room for */
	struct records records;
};

struct fcgi *
fcgi_new(const struct log *log, const atomic_bool *give_up)
{
	struct fcgi *fcgi = calloc(1, sizeof(*fcgi));

	if (fcgi == NULL)
		out_of_memory();
	fcgi->log = log;
	fcgi->give_up = give_up;
	return fcgi;
}

void
fcgi_free(struct fcgi *fcgi)
{
	free(fcgi);
}

static enum fcgi_rc
close_connection(struct fcgi *fcgi)
{
	close(fcgi->fd);
	return FCGI_CLOSED;
}

enum fcgi_rc
fcgi_refuse(struct fcgi *fcgi, struct str why)
{
	log_line(fcgi->log, LOG_WARNING, "A FastCGI request was refused: %.*s.", STR_ARGS(why));
	return close_connection(fcgi);
}

/* Was the call interrupted, and is there time to go on? */
static bool
go_on(const struct fcgi *fcgi)
{
	return errno == EINTR && !atomic_load(fcgi->give_up);
}

enum got { GOT_BYTES, GOT_NOTHING, GOT_END };

/* Reads what there is, and waits for it unless the flags say not to. */
static enum got
fill(struct fcgi *fcgi, int flags)
{
	size_t room;
	void *to = records_room(&fcgi->records, &room);
	ssize_t got;

	do
		got = recv(fcgi->fd, to, room, flags);
	while (got < 0 && go_on(fcgi));
	if (got < 0 && errno == EAGAIN)
		return GOT_NOTHING;
	if (got <= 0 || atomic_load(fcgi->give_up))
		return GOT_END;
	fcgi->more = (size_t)got == room;
	records_add(&fcgi->records, (size_t)got);
	return GOT_BYTES;
}

/* All of it, in as few writes as the socket allows; who takes it in sips has no more time than others. */
static bool
write_all(struct fcgi *fcgi, struct iovec *iov, size_t count)
{
	while (count > 0) {
		ssize_t sent = writev(fcgi->fd, iov, (int)count);

		if (sent < 0 && go_on(fcgi))
			continue;
		if (sent < 0 || atomic_load(fcgi->give_up))
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

static struct iovec
piece(struct str s)
{
	return (struct iovec){(void *)(uintptr_t)s.base, s.len};
}

/*
 * The next event that there is, after replies have been sent. RECORDS_MORE: the connection is idle. RECORDS_WRONG:
 * it is closed, and the log says why if it knows.
 */
static enum records_event
next_event(struct fcgi *fcgi, struct str *text)
{
	struct records *records = &fcgi->records;

	for (;;) {
		enum records_event event = records_next(records, text);
		struct iovec iov = {0};

		switch (event) {
		case RECORDS_MORE:
			if (records_idle(records))
				return RECORDS_MORE;
			if (fill(fcgi, 0) == GOT_BYTES)
				continue;
			if (records->id == 0 || atomic_load(fcgi->give_up))
				break;
			fcgi_refuse(fcgi, STR("it broke off"));
			return RECORDS_WRONG;
		case RECORDS_REPLY:
		case RECORDS_ENDED:
			iov = piece(*text);
			if (!write_all(fcgi, &iov, 1) || (event == RECORDS_ENDED && !records->keep))
				break;
			if (event == RECORDS_REPLY)
				continue;
			return RECORDS_ENDED;
		case RECORDS_WRONG: fcgi_refuse(fcgi, *text); return RECORDS_WRONG;
		default: return event;
		}
		close_connection(fcgi);
		return RECORDS_WRONG;
	}
}

enum fcgi_rc
fcgi_receive(struct fcgi *fcgi, int fd, struct str *params)
{
	enum records_event event;

	fcgi->fd = fd;
	fcgi->whole = fcgi->more = false;
	records_begin(&fcgi->records);
	switch (fill(fcgi, MSG_DONTWAIT)) {
	case GOT_BYTES: break;
	case GOT_NOTHING: return FCGI_IDLE;
	case GOT_END: return close_connection(fcgi);
	}
	do
		event = next_event(fcgi, params);
	while (event == RECORDS_ENDED);
	return event == RECORDS_PARAMS ? FCGI_KEPT
	       : event == RECORDS_MORE ? FCGI_IDLE
				       : FCGI_CLOSED;
}

bool
fcgi_more(const struct fcgi *fcgi)
{
	return fcgi->more;
}

/* What is behind the last part of the body: mostly the end of the request, and nothing behind that. */
static enum fcgi_rc
end_body(struct fcgi *fcgi, enum records_event event)
{
	struct str text;

	if (event == RECORDS_WRONG)
		return FCGI_CLOSED;
	if (event == RECORDS_ENDED)
		return records_empty(&fcgi->records) ? FCGI_IDLE : close_connection(fcgi);
	fcgi->whole = true;
	while ((event = records_next(&fcgi->records, &text)) == RECORDS_REPLY) {
		struct iovec iov = piece(text);

		if (!write_all(fcgi, &iov, 1))
			return close_connection(fcgi);
	}
	return event == RECORDS_WRONG ? fcgi_refuse(fcgi, text) : FCGI_KEPT;
}

enum fcgi_rc
fcgi_read_body(struct fcgi *fcgi, size_t size, struct arena *arena, struct str *out)
{
	char *bytes = size > 0 ? arena_room(arena, size) : NULL;
	enum records_event event;
	struct str part;
	size_t got = 0;

	while ((event = next_event(fcgi, &part)) == RECORDS_BODY) {
		if (part.len > size - got)
			return fcgi_refuse(fcgi, STR("its body is longer than CONTENT_LENGTH"));
		memcpy(bytes + got, part.base, part.len);
		got += part.len;
	}
	*out = (struct str){bytes, got};
	return end_body(fcgi, event);
}

enum fcgi_rc
fcgi_skip_body(struct fcgi *fcgi)
{
	enum records_event event;
	struct str part;
	size_t total = 0;

	while ((event = next_event(fcgi, &part)) == RECORDS_BODY) {
		total += part.len;
		if (total > SKIP_LIMIT)
			return FCGI_KEPT;
	}
	return end_body(fcgi, event);
}

/*
 * The records of standard output, then its end and the request's. Each turn fills BATCH records at most
 * and writes them; a page is one turn.
 */
static bool
write_answer(struct fcgi *fcgi, struct str answer)
{
	unsigned char heads[BATCH][FCGI_HEADER_LEN];
	unsigned char end[FCGI_HEADER_LEN + sizeof(FCGI_EndRequestRecord)];
	struct iovec iov[2 * BATCH + 1];
	unsigned id = fcgi->records.id;
	bool last;

	do {
		size_t count = 0;

		for (int i = 0; i < BATCH && answer.len > 0; i++) {
			struct str part = str_sub(answer, 0, RECORD_CONTENT);

			record_head(heads[i], FCGI_STDOUT, id, part.len);
			iov[count++] = (struct iovec){heads[i], FCGI_HEADER_LEN};
			iov[count++] = piece(part);
			answer = str_sub(answer, part.len, answer.len);
		}
		last = answer.len == 0;
		if (last) {
			record_head(end, FCGI_STDOUT, id, 0);
			record_end(end + FCGI_HEADER_LEN, id, FCGI_REQUEST_COMPLETE);
			iov[count++] = (struct iovec){end, sizeof(end)};
		}
		if (!write_all(fcgi, iov, count))
			return false;
	} while (!last);
	return true;
}

enum fcgi_rc
fcgi_send(struct fcgi *fcgi, struct str answer)
{
	const struct records *records = &fcgi->records;

	if (write_answer(fcgi, answer) && fcgi->whole && records->keep && records_empty(records))
		return FCGI_KEPT;
	return close_connection(fcgi);
}
