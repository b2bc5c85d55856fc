/* Addresses: what is decoded and made canonical is its own canonical form when it comes again. */
#include "fuzz.h"

#include "base/arena.h"
#include "model/text_rule.h"
#include "text/url.h"
#include "web/http/query.h"
#include "web/http/request.h"

static const char *const known[] = {"after", "q", "page", NULL};

static bool
address(struct arena *arena, struct str uri, struct str *out)
{
	struct buf text = {.arena = arena};
	struct str sent_query, path, sent = str_cut(uri, '?', &sent_query);
	struct pairs query;

	if (path_decode(arena, sent, &path) != HTTP_OK)
		return false;
	MUST(path.len != 0 && path.base[0] == '/' && str_utf8(path));
	MUST(str_find(path, '\0') == path.len && str_find(path, '\\') == path.len);
	path = path_canonical(arena, path, true);
	if (!query_read(arena, sent_query, known, false, &query))
		return false;
	MUST(query.count <= 3);
	for (size_t i = 0; i < query.count; i++)
		MUST(query.pairs[i].value.len != 0 && str_utf8(query.pairs[i].value));
	url_put_path(&text, path);
	query_put(&text, &query);
	*out = buf_str(&text);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str once, twice;

	if (address(arena, fuzz_str(data, size), &once)) {
		/* Escapes make it longer, and maybe too long to come again. */
		if (once.len <= REQUEST_URI_MAX) {
			MUST(address(arena, once, &twice));
			MUST(str_eq(once, twice));
		}
		MUST(url_is_local(once));
	}
	arena_free(arena);
	return 0;
}
