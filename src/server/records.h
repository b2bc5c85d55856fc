#ifndef SERVER_RECORDS_H
#define SERVER_RECORDS_H

#include "base/str.h"

#include <fastcgi.h>

/*
 * Parses the records of FastCGI from a web server, one request at a time over a connection. There
 * is no socket here: bytes come in, events go out, and nothing is allocated.
 *
 * Records are parsed whole, in the buffer that they were read into; so a usual request is read at
 * once, and its parameters stay in place. All input is bounded: a record by its format, the
 * parameters by RECORDS_PARAMS_MAX; each part of a body is dropped when the next bytes come.
 */
enum {
	RECORD_MAX = FCGI_HEADER_LEN + FCGI_MAX_LENGTH + 255, /* with its padding */
	RECORDS_PARAMS_MAX = FCGI_MAX_LENGTH, /* of a request: nginx sends one record of them */
	RECORDS_REPLY_MAX = 128,
};

enum records_event {
	RECORDS_MORE,   /* nothing: more bytes are needed */
	RECORDS_PARAMS, /* a request has begun: its parameters, valid until records_begin() */
	RECORDS_BODY,   /* a part of its body, valid until records_room() */
	RECORDS_WHOLE,  /* its body has ended: it may be answered */
	RECORDS_REPLY,  /* what is to be sent at once; else all is as before */
	RECORDS_ENDED,  /* the same, and the request is over: it was aborted, or is none for us */
	RECORDS_WRONG,  /* why the connection can't go on, in words */
};

/* Of one connection at a time. A new one is all zeros. */
struct records {
	unsigned id; /* of the request; 0: there is none */
	bool keep;   /* is the connection to live on behind it? Valid after RECORDS_ENDED, too */

	/* Private to records.c. */
	enum { RECORDS_IN_PARAMS, RECORDS_IN_BODY, RECORDS_AT_END } phase;
	size_t params_at, params_len; /* in bytes, like all offsets */
	size_t start, end;            /* what was read and not yet told of */
	unsigned char reply[RECORDS_REPLY_MAX];
	unsigned char bytes[2 * RECORD_MAX];
};

/* Resets it for another request, or another connection. */
void records_begin(struct records *records);

/* Where the next bytes are to be read to, and how many: at least one. To be called after RECORDS_MORE. */
void *records_room(struct records *records, size_t *size);

/* So many bytes have been read there. */
void records_add(struct records *records, size_t count);

/* What comes next, and what there is to say of it. */
enum records_event records_next(struct records *records, struct str *text);

/* Is there neither a request nor the beginning of a record? */
bool records_idle(const struct records *records);

/* Has all been told of that was read? */
bool records_empty(const struct records *records);

/*
 * Cuts the first pair off parameters that are not empty. False, and *rest untouched, when it does not
 * fit into them.
 */
bool records_pair(struct str *rest, struct str *name, struct str *value);

/* The two records that answers are made of: a head for `len` bytes, and the end of a request. */
void record_head(unsigned char to[FCGI_HEADER_LEN], unsigned type, unsigned id, size_t len);
void record_end(unsigned char to[sizeof(FCGI_EndRequestRecord)], unsigned id, unsigned status);

#endif
