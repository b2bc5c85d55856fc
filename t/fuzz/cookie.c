/* Cookie headers: each name once, and what looks like a session is found by both readers alike. */
#include "fuzz.h"

#include "base/arena.h"
#include "web/http/cookie.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str header = fuzz_str(data, size);
	struct pairs cookies = cookies_parse(arena, header);
	bool session = false;

	MUST(cookies.count <= COOKIES_MAX);
	for (size_t i = 0; i < cookies.count; i++) {
		struct str name = cookies.pairs[i].name;

		MUST(name.len != 0 && str_find(name, '=') == name.len);
		session |=
		    str_eq(name, COOKIE_SESSION_SECURE) || str_eq(name, COOKIE_SESSION_PLAIN);
		for (size_t j = 0; j < i; j++)
			MUST(!str_eq(cookies.pairs[j].name, name));
	}
	/* The quick look sees those beyond the limit, too. */
	if (cookies.count < COOKIES_MAX)
		MUST(session == cookies_have_session(header));
	else
		MUST(!session || cookies_have_session(header));
	arena_free(arena);
	return 0;
}
