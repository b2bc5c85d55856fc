#include "web/http/cookie.h"

#include "base/arena.h"

#include <inttypes.h>

/* The next valid `name=value`; false at the end. */
static bool
next_cookie(struct str *rest, struct pair *out)
{
	while (rest->len != 0) {
		struct str piece = str_cut(*rest, ';', rest), value, name;
		size_t equals = str_find(piece, '=');

		if (equals == piece.len)
			continue;
		name = str_trim(str_cut(piece, '=', &value));
		value = str_trim(value);
		/* A server may quote a value, and browsers return the quotes. */
		if (value.len >= 2 && value.base[0] == '"' && value.base[value.len - 1] == '"')
			value = str_sub(value, 1, value.len - 2);
		if (name.len == 0)
			continue;
		*out = (struct pair){name, value};
		return true;
	}
	return false;
}

struct pairs
cookies_parse(struct arena *arena, struct str header)
{
	struct pairs out = {NULL, 0};
	struct pair cookie;

	while (out.count < COOKIES_MAX && next_cookie(&header, &cookie)) {
		if (pairs_has(&out, cookie.name))
			continue;
		if (out.pairs == NULL)
			out.pairs = ARENA_ARRAY(arena, COOKIES_MAX, struct pair);
		out.pairs[out.count++] = cookie;
	}
	return out;
}

bool
cookies_have_session(struct str header)
{
	struct pair cookie;

	while (next_cookie(&header, &cookie))
		if (str_eq(cookie.name, COOKIE_SESSION_SECURE) ||
		    str_eq(cookie.name, COOKIE_SESSION_PLAIN))
			return true;
	return false;
}

struct str
cookie_make(struct arena *arena, struct str name, struct str value, int64_t max_age, bool secure)
{
	return str_fmt(arena, "%.*s=%.*s; Path=/; Max-Age=%" PRId64 "; HttpOnly; SameSite=Lax%s",
	    STR_ARGS(name), STR_ARGS(value), max_age, secure ? "; Secure" : "");
}
