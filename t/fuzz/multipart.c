/*
 * Multipart: the first line is a Content-Type, the rest a body. Parts lie inside it, in order,
 * apart.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "web/form/multipart.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct multipart_limits limits = {
	    .count = 8, .name_size = 40, .head_size = 200};
	struct arena *arena = arena_new();
	struct str body, type = str_cut(fuzz_str(data, size), '\n', &body), boundary;
	struct parts parts;
	const char *behind = body.base;

	if (!multipart_boundary(type, &boundary)) {
		arena_free(arena);
		return 0;
	}
	MUST(boundary.len >= 1 && boundary.len <= 70);
	if (multipart_parse(arena, body, boundary, &limits, &parts) == MULTIPART_OK) {
		MUST(parts.count <= limits.count);
		for (size_t i = 0; i < parts.count; i++) {
			const struct part *part = &parts.parts[i];

			MUST(part->name.len != 0 && part->name.len <= limits.name_size);
			MUST(str_utf8(part->name) && str_utf8(part->filename));
			MUST(str_find(part->filename, '/') == part->filename.len);
			MUST(part->file || part->filename.len == 0);
			if (part->content.len == 0)
				continue;
			MUST(part->content.base > behind);
			behind = part->content.base + part->content.len;
			MUST(behind < body.base + body.len);
		}
	} else {
		MUST(parts.count == 0);
	}
	arena_free(arena);
	return 0;
}
