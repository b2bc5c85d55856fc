#include "web/http/request.h"

#include "base/arena.h"
#include "base/unicode.h"
#include "text/url.h"

#include <string.h>

struct str
request_param(const struct request *rq, const char *name)
{
	return pairs_get(&rq->params, str_of(name));
}

struct str
request_query(const struct request *rq, const char *name)
{
	return pairs_get(&rq->query, str_of(name));
}

/* Bytes that no address here has, and that have been used to confuse other software. */
static bool
has_odd_byte(struct str path)
{
	for (size_t i = 0; i < path.len; i++) {
		unsigned char c = (unsigned char)path.base[i];

		if (c < 0x20 || c == 0x7f || c == '\\')
			return true;
	}
	return false;
}

static bool
has_dot_segment(struct str path)
{
	while (path.len != 0) {
		struct str segment = str_cut(path, '/', &path);

		if (str_eq(segment, STR(".")) || str_eq(segment, STR("..")))
			return true;
	}
	return false;
}

/* An escaped slash would be a slash after decoding, and split the segment. */
static bool
has_escaped_slash(struct str sent)
{
	while (sent.len >= 3) {
		str_cut(sent, '%', &sent);
		if (sent.len >= 2 && sent.base[0] == '2' &&
		    (sent.base[1] == 'f' || sent.base[1] == 'F'))
			return true;
	}
	return false;
}

enum http_status
path_decode(struct arena *arena, struct str sent, struct str *out)
{
	struct str path;

	if (sent.len > REQUEST_URI_MAX)
		return HTTP_URI_TOO_LONG;
	if (sent.len == 0 || sent.base[0] != '/' || has_escaped_slash(sent))
		return HTTP_BAD_REQUEST;
	if (!url_decode(arena, sent, false, &path) || !str_utf8(path) || has_odd_byte(path) ||
	    has_dot_segment(path))
		return HTTP_BAD_REQUEST;
	*out = path;
	return HTTP_OK;
}

static bool
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_canonical(struct str path, bool fold)
{
	for (size_t i = 0; i < path.len; i++) {
		if (path.base[i] == '/' && i != 0 && (i + 1 == path.len || path.base[i - 1] == '/'))
			return false;
		if (fold && (is_capital(path.base[i]) || (path.base[i] & 0x80) != 0))
			return false;
	}
	return path.len != 0 && path.base[0] == '/';
}

struct str
path_canonical(struct arena *arena, struct str path, bool fold)
{
	char *base, *end;

	if (is_canonical(path, fold))
		return path;
	if (fold)
		path = unicode_fold(arena, path);
	base = end = arena_alloc(arena, path.len + 1);
	while (path.len != 0) {
		struct str segment = str_cut(path, '/', &path);

		if (segment.len == 0)
			continue;
		*end++ = '/';
		memcpy(end, segment.base, segment.len);
		end += segment.len;
	}
	if (end == base)
		*end++ = '/';
	return (struct str){base, (size_t)(end - base)};
}
