#include "web/http/http.h"

enum http_method
http_method_of(struct str name)
{
	static const struct {
		struct str name;
		enum http_method method;
	} methods[] = {
	    {STR_INIT("GET"), METHOD_GET},
	    {STR_INIT("HEAD"), METHOD_HEAD},
	    {STR_INIT("POST"), METHOD_POST},
	    {STR_INIT("PUT"), METHOD_OTHER},
	    {STR_INIT("DELETE"), METHOD_OTHER},
	    {STR_INIT("OPTIONS"), METHOD_OTHER},
	    {STR_INIT("PATCH"), METHOD_OTHER},
	    {STR_INIT("TRACE"), METHOD_OTHER},
	    {STR_INIT("CONNECT"), METHOD_OTHER},
	};

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (str_eq(methods[i].name, name))
			return methods[i].method;
	return METHOD_UNKNOWN;
}

struct str
http_reason(enum http_status status)
{
	switch (status) {
	case HTTP_OK: return STR("OK");
	case HTTP_MOVED: return STR("Moved Permanently");
	case HTTP_SEE_OTHER: return STR("See Other");
	case HTTP_NOT_MODIFIED: return STR("Not Modified");
	case HTTP_MOVED_SAME_METHOD: return STR("Permanent Redirect");
	case HTTP_BAD_REQUEST: return STR("Bad Request");
	case HTTP_FORBIDDEN: return STR("Forbidden");
	case HTTP_NOT_FOUND: return STR("Not Found");
	case HTTP_METHOD_NOT_ALLOWED: return STR("Method Not Allowed");
	case HTTP_CONFLICT: return STR("Conflict");
	case HTTP_GONE: return STR("Gone");
	case HTTP_LENGTH_REQUIRED: return STR("Length Required");
	case HTTP_TOO_LARGE: return STR("Content Too Large");
	case HTTP_URI_TOO_LONG: return STR("URI Too Long");
	case HTTP_UNSUPPORTED_TYPE: return STR("Unsupported Media Type");
	case HTTP_UNPROCESSABLE: return STR("Unprocessable Content");
	case HTTP_TOO_MANY: return STR("Too Many Requests");
	case HTTP_FAILED: return STR("Internal Server Error");
	case HTTP_NOT_IMPLEMENTED: return STR("Not Implemented");
	case HTTP_UNAVAILABLE: return STR("Service Unavailable");
	}
	return STR("Unknown");
}

bool
http_is_failure(enum http_status status)
{
	return status == HTTP_FAILED || status == HTTP_UNAVAILABLE;
}

enum http_status
status_of(enum table_rc rc)
{
	switch (rc) {
	case TABLE_OK: return HTTP_OK;
	/* An unexpected condition failure: somebody else changed the item first. */
	case TABLE_CONDITION:
	case TABLE_CANCELLED:
	case TABLE_TOKEN_USED: return HTTP_CONFLICT;
	case TABLE_BAD_CURSOR: return HTTP_BAD_REQUEST;
	case TABLE_CONFLICT:
	case TABLE_DEADLINE:
	case TABLE_THROTTLED:
	case TABLE_FULL:
	case TABLE_UNAVAILABLE: return HTTP_UNAVAILABLE;
	case TABLE_INVALID:
	case TABLE_TRIMMED:
	case TABLE_CORRUPT: return HTTP_FAILED;
	}
	return HTTP_FAILED;
}
