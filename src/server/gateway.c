#include "server/gateway.h"

#include "base/log.h"
#include "server/records.h"

/* In the order of nginx/broadsheet_fastcgi.conf, so that each is usually found at once. */
static const struct field {
	struct str param;
	size_t offset;
} fields[] = {
    {STR_INIT("REQUEST_METHOD"), offsetof(struct request_input, method)},
    {STR_INIT("REQUEST_URI"), offsetof(struct request_input, uri)},
    {STR_INIT("REQUEST_SCHEME"), offsetof(struct request_input, scheme)},
    {STR_INIT("REQUEST_ID"), offsetof(struct request_input, request_id)},
    {STR_INIT("REMOTE_ADDR"), offsetof(struct request_input, remote_addr)},
    {STR_INIT("CONTENT_TYPE"), offsetof(struct request_input, content_type)},
    {STR_INIT("HTTP_HOST"), offsetof(struct request_input, host)},
    {STR_INIT("HTTP_COOKIE"), offsetof(struct request_input, cookie)},
    {STR_INIT("HTTP_ORIGIN"), offsetof(struct request_input, origin)},
    {STR_INIT("HTTP_REFERER"), offsetof(struct request_input, referer)},
    {STR_INIT("HTTP_SEC_FETCH_SITE"), offsetof(struct request_input, sec_fetch_site)},
    {STR_INIT("HTTP_ACCEPT_ENCODING"), offsetof(struct request_input, accept_encoding)},
    {STR_INIT("HTTP_IF_NONE_MATCH"), offsetof(struct request_input, if_none_match)},
    {STR_INIT("HTTP_IF_MODIFIED_SINCE"), offsetof(struct request_input, if_modified_since)},
    {STR_INIT("HTTP_USER_AGENT"), offsetof(struct request_input, user_agent)},
    {STR_INIT("HTTP_SEC_PURPOSE"), offsetof(struct request_input, sec_purpose)},
    {STR_INIT("HTTP_PURPOSE"), offsetof(struct request_input, purpose)},
};

enum { LINE_GUESS = 512 };

enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

/*
 * The field of that name, searched from `from` on and then from the start; FIELDS when there is
 * none.
 */
static size_t
find_field(struct str name, size_t from)
{
	for (size_t i = from; i < FIELDS; i++)
		if (str_eq(name, fields[i].param))
			return i;
	for (size_t i = 0; i < from; i++)
		if (str_eq(name, fields[i].param))
			return i;
	return FIELDS;
}

bool
gateway_input(struct str params, struct request_input *in)
{
	struct str name, value;
	size_t next = 0;

	*in = (struct request_input){.content_length = -1};
	while (params.len > 0) {
		size_t i;

		if (!records_pair(&params, &name, &value))
			return false;
		i = find_field(name, next);
		if (i < FIELDS) {
			*(struct str *)(void *)((char *)in + fields[i].offset) = value;
			next = i + 1;
		} else if (str_eq(name, STR("CONTENT_LENGTH")) &&
			   (!str_int(value, &in->content_length) || in->content_length < 0)) {
			in->content_length = -1;
		}
	}
	return in->method.len > 0;
}

/* An error for our own faults; a warning when the table is unavailable or full. */
static enum log_level
level_of(enum http_status status)
{
	return status == HTTP_FAILED ? LOG_ERROR : http_is_failure(status) ? LOG_WARNING : LOG_INFO;
}

/* What the answer cost at the table. A page from the cache, like most, cost nothing. */
static void
put_costs(struct buf *line, const struct response *rs)
{
	if (rs->cached) {
		BUF_PUT(line, " requests=0 trips=0 table=0 markdown=0 template=0");
		return;
	}
	BUF_PUT(line, " requests=");
	buf_int(line, rs->cost.requests);
	BUF_PUT(line, " trips=");
	buf_int(line, rs->cost.round_trips);
	BUF_PUT(line, " table=");
	buf_int(line, rs->cost.micros);
	BUF_PUT(line, " markdown=");
	buf_int(line, rs->markdown_micros);
	BUF_PUT(line, " template=");
	buf_int(line, rs->template_micros);
}

void
gateway_log(struct log_lines *lines, struct arena *arena, const struct request_input *in,
    const struct response *rs)
{
	struct buf line = {.arena = arena};
	enum log_level level = level_of(rs->status);

	if (lines->log->level < level)
		return;
	buf_room(&line, LINE_GUESS);
	BUF_PUT(&line, "id=");
	buf_put(&line, in->request_id.len > 0 ? in->request_id : STR("-"));
	BUF_PUT(&line, " method=");
	buf_put(&line, in->method);
	BUF_PUT(&line, " status=");
	buf_int(&line, (int64_t)rs->status);
	BUF_PUT(&line, " bytes=");
	buf_int(&line, (int64_t)rs->bytes.len);
	BUF_PUT(&line, " us=");
	buf_int(&line, rs->micros);
	put_costs(&line, rs);
	if (rs->why != NULL) {
		BUF_PUT(&line, " why=\"");
		buf_put(&line, str_of(rs->why));
		BUF_PUT(&line, "\"");
	}
	buf_put(&line, rs->cached ? STR(" cache=hit address=") : STR(" cache=- address="));
	buf_put(&line, rs->secret ? str_of(rs->route) : in->uri);
	log_lines_put(lines, level, buf_str(&line));
}
