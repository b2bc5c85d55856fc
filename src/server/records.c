/*
 * Parsing records. The buffer holds two of the longest:
 *
 *   | parameters of the request | … | records not yet reported | free |
 *   0        params_at               start                    end
 *
 *   1. Parameters are reported as slices, so from RECORDS_PARAMS on they do not move. They end where there is
 *      still space for a record after them.
 *   2. Parameters of several records are joined, each overwriting the header of its record.
 *   3. A record that begins where there may be too little space for it is moved when more bytes are requested.
 *
 * After a complete request nothing more should come before the answer; what comes is another request that does
 * not wait, or an error.
 */
#include "server/records.h"

#include <assert.h>

/* How many concurrent requests a web server may count on; it opens a connection for each. */
#define REQUESTS_MAX "512"

static unsigned
two_bytes(const unsigned char *at)
{
	return (unsigned)at[0] << 8 | at[1];
}

void
record_head(unsigned char to[FCGI_HEADER_LEN], unsigned type, unsigned id, size_t len)
{
	assert(len <= FCGI_MAX_LENGTH);
	to[0] = FCGI_VERSION_1;
	to[1] = (unsigned char)type;
	to[2] = (unsigned char)(id >> 8);
	to[3] = (unsigned char)id;
	to[4] = (unsigned char)(len >> 8);
	to[5] = (unsigned char)len;
	to[6] = to[7] = 0;
}

void
record_end(unsigned char to[sizeof(FCGI_EndRequestRecord)], unsigned id, unsigned status)
{
	record_head(to, FCGI_END_REQUEST, id, sizeof(FCGI_EndRequestBody));
	memset(to + FCGI_HEADER_LEN, 0, sizeof(FCGI_EndRequestBody));
	to[FCGI_HEADER_LEN + offsetof(FCGI_EndRequestBody, protocolStatus)] = (unsigned char)status;
}

/* The length of a name or value: one byte, or four if the first bit is set. */
static bool
cut_length(struct str *rest, size_t *out)
{
	const unsigned char *at = (const unsigned char *)rest->base;
	size_t bytes;

	if (rest->len == 0)
		return false;
	bytes = at[0] < 0x80 ? 1 : 4;
	if (rest->len < bytes)
		return false;
	*out = bytes == 1 ? at[0]
			  : (size_t)(at[0] & 0x7f) << 24 | (size_t)at[1] << 16 | two_bytes(at + 2);
	*rest = (struct str){rest->base + bytes, rest->len - bytes};
	return true;
}

bool
records_pair(struct str *rest, struct str *name, struct str *value)
{
	struct str at = *rest;
	size_t name_len, value_len;

	if (!cut_length(&at, &name_len) || !cut_length(&at, &value_len) || name_len > at.len ||
	    value_len > at.len - name_len)
		return false;
	*name = (struct str){at.base, name_len};
	*value = (struct str){at.base + name_len, value_len};
	*rest = (struct str){value->base + value_len, at.len - name_len - value_len};
	return true;
}

static void
forget_request(struct records *records)
{
	records->id = 0;
	records->params_at = records->params_len = 0;
}

/*
 * The invariants of the drawing above. While parameters come, they end before what is not yet
 * reported; outside of a request there are none; reported parameters leave space for a record.
 */
__attribute__((unused)) static bool
records_ok(const struct records *records)
{
	size_t params = records->params_at + records->params_len;

	if (records->id == 0 && params != 0)
		return false;
	if (records->id != 0 && records->phase != RECORDS_IN_PARAMS && params > RECORD_MAX)
		return false;
	return records->params_len <= RECORDS_PARAMS_MAX && params <= records->start &&
	       records->start <= records->end && records->end <= sizeof(records->bytes);
}

void
records_begin(struct records *records)
{
	forget_request(records);
	records->start = records->end = 0;
}

bool
records_empty(const struct records *records)
{
	return records->start == records->end;
}

bool
records_idle(const struct records *records)
{
	return records->id == 0 && records_empty(records);
}

void *
records_room(struct records *records, size_t *size)
{
	unsigned char *bytes = records->bytes;

	if (sizeof(records->bytes) - records->start < RECORD_MAX) {
		size_t len = records->end - records->start, to;

		if (records->phase == RECORDS_IN_PARAMS) {
			memmove(bytes, bytes + records->params_at, records->params_len);
			records->params_at = 0;
		}
		to = records->params_at + records->params_len;
		memmove(bytes + to, bytes + records->start, len);
		records->start = to;
		records->end = to + len;
	}
	*size = sizeof(records->bytes) - records->end;
	assert(records_ok(records) && *size > 0);
	return bytes + records->end;
}

void
records_add(struct records *records, size_t count)
{
	records->end += count;
	assert(records_ok(records));
}

static enum records_event
wrong(struct str *text, const char *why)
{
	*text = str_of(why);
	return RECORDS_WRONG;
}

/* A reply with so many bytes after its header. */
static struct str
reply(struct records *records, unsigned type, size_t len)
{
	record_head(records->reply, type, FCGI_NULL_REQUEST_ID, len);
	return (struct str){(const char *)records->reply, FCGI_HEADER_LEN + len};
}

static struct str
reply_end(struct records *records, unsigned id, unsigned status)
{
	record_end(records->reply, id, status);
	return (struct str){(const char *)records->reply, sizeof(FCGI_EndRequestRecord)};
}

/* Answers a FCGI_GET_VALUES: those of the requested values that exist, each once. */
static enum records_event
tell_values(struct records *records, struct str asked, struct str *text)
{
	static const struct {
		struct str name, value;
	} known[] = {
	    {STR_INIT(FCGI_MAX_CONNS), STR_INIT(REQUESTS_MAX)},
	    {STR_INIT(FCGI_MAX_REQS), STR_INIT(REQUESTS_MAX)},
	    {STR_INIT(FCGI_MPXS_CONNS), STR_INIT("0")},
	};
	enum { KNOWN = sizeof(known) / sizeof(known[0]) };
	bool told[KNOWN] = {false};
	unsigned char *at = records->reply + FCGI_HEADER_LEN;
	struct str name, value;

	while (asked.len > 0) {
		if (!records_pair(&asked, &name, &value))
			return wrong(text, "its question for values is torn");
		for (size_t i = 0; i < KNOWN; i++) {
			if (told[i] || !str_eq(name, known[i].name))
				continue;
			told[i] = true;
			*at++ = (unsigned char)known[i].name.len;
			*at++ = (unsigned char)known[i].value.len;
			memcpy(at, known[i].name.base, known[i].name.len);
			at += known[i].name.len;
			memcpy(at, known[i].value.base, known[i].value.len);
			at += known[i].value.len;
		}
	}
	assert(at <= records->reply + sizeof(records->reply));
	*text =
	    reply(records, FCGI_GET_VALUES_RESULT, (size_t)(at - records->reply) - FCGI_HEADER_LEN);
	return RECORDS_REPLY;
}

/* A management record. */
static enum records_event
manage(struct records *records, unsigned type, struct str content, struct str *text)
{
	if (type == FCGI_GET_VALUES)
		return tell_values(records, content, text);
	memset(records->reply + FCGI_HEADER_LEN, 0, sizeof(FCGI_UnknownTypeBody));
	records->reply[FCGI_HEADER_LEN] = (unsigned char)type;
	*text = reply(records, FCGI_UNKNOWN_TYPE, sizeof(FCGI_UnknownTypeBody));
	return RECORDS_REPLY;
}

static enum records_event
begin_request(struct records *records, unsigned id, struct str content, struct str *text)
{
	const unsigned char *body = (const unsigned char *)content.base;

	if (content.len != sizeof(FCGI_BeginRequestBody))
		return wrong(text, "its beginning is of the wrong length");
	if (records->id == id)
		return wrong(text, "it begins twice");
	if (records->id != 0) {
		*text = reply_end(records, id, FCGI_CANT_MPX_CONN);
		return RECORDS_REPLY;
	}
	records->keep = (body[2] & FCGI_KEEP_CONN) != 0;
	if (two_bytes(body) != FCGI_RESPONDER) {
		*text = reply_end(records, id, FCGI_UNKNOWN_ROLE);
		return RECORDS_ENDED;
	}
	records->id = id;
	records->phase = RECORDS_IN_PARAMS;
	return RECORDS_MORE;
}

static enum records_event
end_params(struct records *records, struct str *text)
{
	unsigned char *bytes = records->bytes;

	if (records->params_at + records->params_len > RECORD_MAX) {
		memmove(bytes, bytes + records->params_at, records->params_len);
		records->params_at = 0;
	}
	records->phase = RECORDS_IN_BODY;
	*text = (struct str){(const char *)bytes + records->params_at, records->params_len};
	return RECORDS_PARAMS;
}

static enum records_event
take_params(struct records *records, struct str content, struct str *text)
{
	unsigned char *bytes = records->bytes;

	if (records->phase != RECORDS_IN_PARAMS)
		return wrong(text, "parameters come behind their end");
	if (content.len == 0)
		return end_params(records, text);
	if (content.len > RECORDS_PARAMS_MAX - records->params_len)
		return wrong(text, "its parameters are too long");
	if (records->params_len == 0)
		records->params_at = (size_t)((const unsigned char *)content.base - bytes);
	else
		memmove(
		    bytes + records->params_at + records->params_len, content.base, content.len);
	records->params_len += content.len;
	return RECORDS_MORE;
}

static enum records_event
take_body(struct records *records, struct str content, struct str *text)
{
	if (records->phase != RECORDS_IN_BODY)
		return wrong(text, "a body comes where there is none");
	if (content.len == 0) {
		records->phase = RECORDS_AT_END;
		return RECORDS_WHOLE;
	}
	*text = content;
	return RECORDS_BODY;
}

static enum records_event
abort_request(struct records *records, struct str *text)
{
	/* A complete request is being answered already. */
	if (records->phase == RECORDS_AT_END)
		return RECORDS_MORE;
	*text = reply_end(records, records->id, FCGI_REQUEST_COMPLETE);
	forget_request(records);
	return RECORDS_ENDED;
}

static enum records_event
take_record(
    struct records *records, const unsigned char *head, struct str content, struct str *text)
{
	unsigned type = head[1], id = two_bytes(head + 2);

	if (id == FCGI_NULL_REQUEST_ID)
		return manage(records, type, content, text);
	if (type == FCGI_BEGIN_REQUEST)
		return begin_request(records, id, content, text);
	if (id != records->id)
		return RECORDS_MORE;
	switch (type) {
	case FCGI_PARAMS: return take_params(records, content, text);
	case FCGI_STDIN: return take_body(records, content, text);
	case FCGI_ABORT_REQUEST: return abort_request(records, text);
	default:
		/* Data for a filter, or something of a later version. */
		return RECORDS_MORE;
	}
}

enum records_event
records_next(struct records *records, struct str *text)
{
	enum records_event event = RECORDS_MORE;

	while (event == RECORDS_MORE && records->start < records->end) {
		const unsigned char *head = records->bytes + records->start;
		size_t have = records->end - records->start, len;

		if (head[0] != FCGI_VERSION_1)
			return wrong(text, "it is no FastCGI of version 1");
		if (have < FCGI_HEADER_LEN)
			break;
		len = two_bytes(head + 4);
		if (have < FCGI_HEADER_LEN + len + head[6])
			break;
		records->start += FCGI_HEADER_LEN + len + head[6];
		event = take_record(
		    records, head, (struct str){(const char *)head + FCGI_HEADER_LEN, len}, text);
	}
	assert(records_ok(records));
	return event;
}
