#include "process/gateway.h"

#include "base/log.h"
#include "process/fcgi.h"

#include <inttypes.h>

static const struct field {
	struct str param;
	size_t offset;
} fields[] = {
    {STR_INIT("REQUEST_METHOD"), offsetof(struct request_input, method)},
    {STR_INIT("REQUEST_URI"), offsetof(struct request_input, uri)},
    {STR_INIT("REQUEST_SCHEME"), offsetof(struct request_input, scheme)},
    {STR_INIT("HTTP_HOST"), offsetof(struct request_input, host)},
    {STR_INIT("REMOTE_ADDR"), offsetof(struct request_input, remote_addr)},
    {STR_INIT("REQUEST_ID"), offsetof(struct request_input, request_id)},
    {STR_INIT("CONTENT_TYPE"), offsetof(struct request_input, content_type)},
    {STR_INIT("HTTP_COOKIE"), offsetof(struct request_input, cookie)},
    {STR_INIT("HTTP_ORIGIN"), offsetof(struct request_input, origin)},
    {STR_INIT("HTTP_REFERER"), offsetof(struct request_input, referer)},
    {STR_INIT("HTTP_SEC_FETCH_SITE"), offsetof(struct request_input, sec_fetch_site)},
    {STR_INIT("HTTP_ACCEPT"), offsetof(struct request_input, accept)},
    {STR_INIT("HTTP_ACCEPT_ENCODING"), offsetof(struct request_input, accept_encoding)},
    {STR_INIT("HTTP_IF_NONE_MATCH"), offsetof(struct request_input, if_none_match)},
    {STR_INIT("HTTP_IF_MODIFIED_SINCE"), offsetof(struct request_input, if_modified_since)},
    {STR_INIT("HTTP_USER_AGENT"), offsetof(struct request_input, user_agent)},
};

void
gateway_input(const struct fcgi *fcgi, struct request_input *in)
{
	struct str name, value;

	*in = (struct request_input){.content_length = -1};
	for (size_t at = 0; fcgi_next_param(fcgi, &at, &name, &value);) {
		if (str_eq(name, STR("CONTENT_LENGTH")) &&
		    (!str_int(value, &in->content_length) || in->content_length < 0))
			in->content_length = -1;
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
			if (str_eq(name, fields[i].param)) {
				*(struct str *)(void *)((char *)in + fields[i].offset) = value;
				break;
			}
		}
	}
}

void
gateway_log(const struct log *log, const struct request_input *in, const struct response *rs)
{
	struct str id = in->request_id.len > 0 ? in->request_id : STR("-");

	log_line(log, LOG_INFO,
	    "id=%.*s method=%.*s status=%d bytes=%zu us=%" PRId64
	    " requests=%u trips=%u cache=%s address=%.*s",
	    STR_ARGS(id), STR_ARGS(in->method), (int)rs->status, rs->bytes.len, rs->micros,
	    rs->cost.requests, rs->cost.round_trips, rs->cached ? "hit" : "-", STR_ARGS(in->uri));
}
