/* bench/render FILE...: the HTML of each file, as of an author's text, with a line "== FILE" before it. For bench/readmes. */
#include "base/arena.h"
#include "base/buf.h"
#include "text/markdown.h"

#include <stdio.h>

int
main(int argc, char **argv)
{
	const struct markdown_options options = {.trust = MARKDOWN_AUTHOR};

	for (int i = 1; i < argc; i++) {
		struct arena *arena = arena_new();
		struct buf source = {.arena = arena};
		FILE *file = fopen(argv[i], "r");
		struct markdown out;
		size_t got = 1;

		if (file == NULL) {
			perror(argv[i]);
			return 1;
		}
		while (got != 0) {
			got = fread(buf_room(&source, 65536), 1, 65536, file);
			source.len += got;
		}
		fclose(file);
		markdown_render(arena, buf_str(&source), &options, &out);
		printf("== %s\n%.*s", argv[i], STR_ARGS(out.html.text));
		arena_free(arena);
	}
	return 0;
}
