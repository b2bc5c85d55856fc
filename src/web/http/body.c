#include "web/http/body.h"

#include "base/arena.h"
#include "web/form/form.h"

/* Names are ours, and short. Values are limited by their fields, and by the body. */
enum { NAME_MAX_BYTES = 100, FILENAME_MAX = 500, HEAD_MAX = 2000 };

static enum http_status
read_urlencoded(struct request *rq)
{
	const struct pairs_limits limits = {FORM_INPUTS_MAX, NAME_MAX_BYTES, REQUEST_BODY_MAX};
	struct pairs pairs;

	switch (pairs_parse(rq->arena, rq->in->body, &limits, &pairs)) {
	case PAIRS_OK: break;
	case PAIRS_MALFORMED: return HTTP_BAD_REQUEST;
	case PAIRS_TOO_MANY:
	case PAIRS_TOO_LONG: return HTTP_TOO_LARGE;
	}
	rq->inputs.parts = ARENA_ARRAY(rq->arena, pairs.count, struct part);
	for (; rq->inputs.count < pairs.count; rq->inputs.count++) {
		const struct pair *pair = &pairs.pairs[rq->inputs.count];

		rq->inputs.parts[rq->inputs.count] =
		    (struct part){.name = pair->name, .content = pair->value};
	}
	return HTTP_OK;
}

static enum http_status
read_multipart(struct request *rq, struct str boundary)
{
	const struct multipart_limits limits = {FORM_INPUTS_MAX, FILENAME_MAX, HEAD_MAX};

	switch (multipart_parse(rq->arena, rq->in->body, boundary, &limits, &rq->inputs)) {
	case MULTIPART_OK: return HTTP_OK;
	case MULTIPART_MALFORMED: return HTTP_BAD_REQUEST;
	case MULTIPART_TOO_MANY:
	case MULTIPART_TOO_LONG: return HTTP_TOO_LARGE;
	}
	return HTTP_BAD_REQUEST;
}

enum http_status
body_read(struct request *rq, size_t max)
{
	const struct request_input *in = rq->in;
	struct str boundary, rest, type = str_trim(str_cut(in->content_type, ';', &rest));

	if (in->content_length < 0)
		return HTTP_LENGTH_REQUIRED;
	if (in->body_too_large || in->body.len > max)
		return HTTP_TOO_LARGE;
	if (in->body_short)
		return HTTP_BAD_REQUEST;
	if (str_eq_nocase(type, STR("application/x-www-form-urlencoded")))
		return read_urlencoded(rq);
	if (multipart_boundary(in->content_type, &boundary))
		return read_multipart(rq, boundary);
	return in->body.len == 0 && type.len == 0 ? HTTP_OK : HTTP_UNSUPPORTED_TYPE;
}
