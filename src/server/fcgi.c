/*
 * Input and output for records.c.
 *
 *   1. The caller passes a connection when there is something to read, and gets it back when no request has
 *      begun on it, or nothing more can be done at the moment. All that was read stays in this struct.
 *   2. A body is read to its end before the answer, so that nothing of this request is taken for the next one.
 *      If it is far too large for that, the connection is closed.
 *   3. The records of the answer and of the request's end are one sendmsg(), without copying the answer.
 *      The number of bytes sent determines what is to be sent next.
 */
#include "server/fcgi.h"

#include "base/arena.h"
#include "base/log.h"
#include "server/records.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	RECORD_CONTENT = 65528, /* the largest record, rounded down to a multiple of eight */
	RECORD_BYTES = FCGI_HEADER_LEN + RECORD_CONTENT,
	END_BYTES = FCGI_HEADER_LEN + sizeof(FCGI_EndRequestRecord),
	BATCH = 32,            /* records of one sendmsg() */
	SKIP_LIMIT = 64 << 20, /* an unwanted body is read up to this size */
	TURN = 64,             /* so many reads before other connections get a turn */
};

struct fcgi {
	int fd;
	const struct log *log;
	bool whole;     /* the request was read to its end */
	bool more;      /* the last read filled the buffer */
	unsigned reads; /* in this turn */
	bool skips;     /* the body is discarded */
	char *body;
	size_t body_size, body_got;
	struct str answer;
	size_t sent; /* of the answer's records */
	struct records records;
};

struct fcgi *
fcgi_new(const struct log *log)
{
	struct fcgi *fcgi = calloc(1, sizeof(*fcgi));

	if (fcgi == NULL)
		out_of_memory();
	fcgi->log = log;
	return fcgi;
}

void
fcgi_free(struct fcgi *fcgi)
{
	free(fcgi);
}

/* A wanted body is no longer than announced; the reads of a turn are limited. */
__attribute__((unused)) static bool
fcgi_ok(const struct fcgi *fcgi)
{
	return (fcgi->skips || fcgi->body_got <= fcgi->body_size) &&
	       (fcgi->body != NULL) == (fcgi->body_size != 0) && fcgi->reads <= TURN;
}

enum fcgi_rc
fcgi_close(struct fcgi *fcgi)
{
	close(fcgi->fd);
	return FCGI_CLOSED;
}

enum fcgi_rc
fcgi_refuse(struct fcgi *fcgi, struct str why)
{
	log_line(fcgi->log, LOG_WARNING, "A FastCGI request was refused: %.*s.", STR_ARGS(why));
	return fcgi_close(fcgi);
}

enum got { GOT_BYTES, GOT_NOTHING, GOT_END };

/* Reads what there is, unless the turn is over. */
static enum got
fill(struct fcgi *fcgi)
{
	size_t room;
	void *to = records_room(&fcgi->records, &room);
	ssize_t got;

	if (fcgi->reads == TURN)
		return GOT_NOTHING;
	fcgi->reads++;
	do
		got = recv(fcgi->fd, to, room, MSG_DONTWAIT);
	while (got < 0 && errno == EINTR);
	fcgi->more = got > 0 && (size_t)got == room;
	if (got < 0 && errno == EAGAIN)
		return GOT_NOTHING;
	if (got <= 0)
		return GOT_END;
	records_add(&fcgi->records, (size_t)got);
	return GOT_BYTES;
}

/*
 * Sends a few bytes: if the socket has no space for them, the peer has not read what was sent
 * before.
 */
static bool
reply(struct fcgi *fcgi, struct str text)
{
	ssize_t sent = send(fcgi->fd, text.base, text.len, MSG_DONTWAIT | MSG_NOSIGNAL);

	return sent == (ssize_t)text.len;
}

/*
 * The next event, after sending replies. RECORDS_MORE: none yet. RECORDS_WRONG: the connection is
 * closed, and the log says why if it is known.
 */
static enum records_event
next_event(struct fcgi *fcgi, struct str *text)
{
	struct records *records = &fcgi->records;

	for (;;) {
		enum records_event event = records_next(records, text);
		enum got got;

		switch (event) {
		case RECORDS_MORE:
			if (records_idle(records))
				return RECORDS_MORE;
			got = fill(fcgi);
			if (got == GOT_NOTHING)
				return RECORDS_MORE;
			if (got == GOT_BYTES)
				continue;
			if (records->id == 0)
				break;
			fcgi_refuse(fcgi, STR("it broke off"));
			return RECORDS_WRONG;
		case RECORDS_REPLY:
		case RECORDS_ENDED:
			if (!reply(fcgi, *text) || (event == RECORDS_ENDED && !records->keep))
				break;
			if (event == RECORDS_REPLY)
				continue;
			return RECORDS_ENDED;
		case RECORDS_WRONG: fcgi_refuse(fcgi, *text); return RECORDS_WRONG;
		default: return event;
		}
		fcgi_close(fcgi);
		return RECORDS_WRONG;
	}
}

void
fcgi_begin(struct fcgi *fcgi, int fd)
{
	fcgi->fd = fd;
	fcgi->whole = fcgi->more = fcgi->skips = false;
	fcgi->reads = 0;
	fcgi->body = NULL;
	fcgi->body_size = fcgi->body_got = 0;
	fcgi->answer = STR("");
	records_begin(&fcgi->records);
}

/* Nothing more can be done at the moment. The next call is another turn. */
static enum fcgi_rc
later(struct fcgi *fcgi)
{
	/* If the turn is over, there may be more to read. */
	fcgi->more = fcgi->more || fcgi->reads == TURN;
	fcgi->reads = 0;
	return FCGI_LATER;
}

enum fcgi_rc
fcgi_receive(struct fcgi *fcgi, struct str *params)
{
	enum records_event event;

	if (records_idle(&fcgi->records)) {
		switch (fill(fcgi)) {
		case GOT_BYTES: break;
		case GOT_NOTHING: return FCGI_IDLE;
		case GOT_END: return fcgi_close(fcgi);
		}
	}
	do
		event = next_event(fcgi, params);
	while (event == RECORDS_ENDED);
	if (event == RECORDS_PARAMS)
		return FCGI_KEPT;
	if (event != RECORDS_MORE)
		return FCGI_CLOSED;
	return records_idle(&fcgi->records) ? FCGI_IDLE : later(fcgi);
}

bool
fcgi_more(const struct fcgi *fcgi)
{
	return fcgi->more;
}

void
fcgi_take_body(struct fcgi *fcgi, size_t size, struct arena *arena)
{
	assert(!fcgi->skips && fcgi->body == NULL);
	fcgi->body = size > 0 ? arena_room(arena, size) : NULL;
	fcgi->body_size = size;
}

void
fcgi_skip_body(struct fcgi *fcgi)
{
	assert(fcgi->body == NULL);
	fcgi->skips = true;
}

struct str
fcgi_body(const struct fcgi *fcgi)
{
	return (struct str){fcgi->body, fcgi->body_got};
}

/* After the last part of the body: usually the end of the request, and then nothing. */
static enum fcgi_rc
end_body(struct fcgi *fcgi, enum records_event event)
{
	struct str text;

	if (event == RECORDS_WRONG)
		return FCGI_CLOSED;
	if (event == RECORDS_ENDED)
		return records_empty(&fcgi->records) ? FCGI_IDLE : fcgi_close(fcgi);
	fcgi->whole = true;
	while ((event = records_next(&fcgi->records, &text)) == RECORDS_REPLY)
		if (!reply(fcgi, text))
			return fcgi_close(fcgi);
	return event == RECORDS_WRONG ? fcgi_refuse(fcgi, text) : FCGI_KEPT;
}

enum fcgi_rc
fcgi_read_body(struct fcgi *fcgi)
{
	enum records_event event;
	struct str part;

	assert(fcgi_ok(fcgi));
	while ((event = next_event(fcgi, &part)) == RECORDS_BODY) {
		if (fcgi->skips) {
			fcgi->body_got += part.len;
			if (fcgi->body_got > SKIP_LIMIT)
				return FCGI_KEPT;
			continue;
		}
		if (part.len > fcgi->body_size - fcgi->body_got)
			return fcgi_refuse(fcgi, STR("its body is longer than CONTENT_LENGTH"));
		memcpy(fcgi->body + fcgi->body_got, part.base, part.len);
		fcgi->body_got += part.len;
	}
	assert(fcgi_ok(fcgi));
	return event == RECORDS_MORE ? later(fcgi) : end_body(fcgi, event);
}

/* --- Answering -------------------------------------------------------------------------------------- */

/* The parts of a sendmsg(). */
struct batch {
	unsigned char heads[BATCH][FCGI_HEADER_LEN], end[END_BYTES];
	struct iovec iov[2 * BATCH + 1];
	size_t count;
};

static void
batch_add(struct batch *batch, struct str bytes)
{
	assert(batch->count < sizeof(batch->iov) / sizeof(batch->iov[0]));
	batch->iov[batch->count++] = (struct iovec){(void *)(uintptr_t)bytes.base, bytes.len};
}

/*
 * The next records, at most BATCH; one batch is enough for a page. The last one is followed by the
 * ends of standard output and of the request. Returns how many bytes of the first record have been
 * sent.
 */
static size_t
next_records(const struct fcgi *fcgi, struct batch *batch)
{
	size_t first = fcgi->sent / RECORD_BYTES, records = fcgi->answer.len / RECORD_CONTENT, at;
	unsigned id = fcgi->records.id;

	/* All are full except the last one; there is no empty one. */
	if (first > records)
		first = records;
	at = first * RECORD_CONTENT;
	batch->count = 0;
	for (int i = 0; i < BATCH && at < fcgi->answer.len; i++) {
		struct str part = str_sub(fcgi->answer, at, RECORD_CONTENT);

		record_head(batch->heads[i], FCGI_STDOUT, id, part.len);
		batch_add(batch, (struct str){(char *)batch->heads[i], FCGI_HEADER_LEN});
		batch_add(batch, part);
		at += part.len;
	}
	if (at == fcgi->answer.len) {
		record_head(batch->end, FCGI_STDOUT, id, 0);
		record_end(batch->end + FCGI_HEADER_LEN, id, FCGI_REQUEST_COMPLETE);
		batch_add(batch, (struct str){(char *)batch->end, END_BYTES});
	}
	return fcgi->sent - first * RECORD_BYTES;
}

/* The batch without its first bytes. */
static struct iovec *
cut(struct batch *batch, size_t bytes)
{
	struct iovec *iov = batch->iov;

	while (bytes > 0 && bytes >= iov->iov_len) {
		assert(batch->count > 0);
		bytes -= iov->iov_len;
		iov++;
		batch->count--;
	}
	iov->iov_base = (char *)iov->iov_base + bytes;
	iov->iov_len -= bytes;
	return iov;
}

enum fcgi_rc
fcgi_send_rest(struct fcgi *fcgi)
{
	const struct records *records = &fcgi->records;
	size_t heads = (fcgi->answer.len + RECORD_CONTENT - 1) / RECORD_CONTENT * FCGI_HEADER_LEN;
	size_t whole = heads + fcgi->answer.len + END_BYTES;

	while (fcgi->sent < whole) {
		struct batch batch;
		struct iovec *iov = cut(&batch, next_records(fcgi, &batch));
		struct msghdr message = {.msg_iov = iov, .msg_iovlen = batch.count};
		ssize_t sent = sendmsg(fcgi->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno == EAGAIN)
			return FCGI_LATER;
		if (sent < 0 && errno != EINTR)
			return fcgi_close(fcgi);
		fcgi->sent += sent > 0 ? (size_t)sent : 0;
	}
	assert(fcgi->sent == whole);
	return fcgi->whole && records->keep && records_empty(records) ? FCGI_KEPT
								      : fcgi_close(fcgi);
}

enum fcgi_rc
fcgi_send(struct fcgi *fcgi, struct str answer)
{
	assert(answer.len != 0);
	fcgi->answer = answer;
	fcgi->sent = 0;
	return fcgi_send_rest(fcgi);
}

size_t
fcgi_size(const struct fcgi *fcgi)
{
	return sizeof(*fcgi) + (fcgi->skips ? 0 : fcgi->body_got) + fcgi->answer.len;
}
