/*
 * The configuration file: what is read are slices of the text, in order, and the same after writing
 * them again.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "base/buf.h"
#include "server/config.h"

static void
check_line(struct str text, const struct config_line *line)
{
	MUST(line->name.len != 0 && line->name.base >= text.base);
	MUST(line->name.base + line->name.len <= text.base + text.len);
	MUST(line->value.len == 0 || line->value.base + line->value.len <= text.base + text.len);
	MUST(str_find(line->name, '\n') == line->name.len);
	MUST(str_find(line->value, '\n') == line->value.len);
	MUST(str_eq(str_trim(line->value), line->value));
	MUST(str_utf8(line->value));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str text = fuzz_str(data, size);
	struct config_lines lines, again;
	struct buf written = {.arena = arena};
	bool good = config_parse(arena, text, &lines);

	MUST(good == (lines.wrong_line == 0) && good == (lines.why == NULL));
	for (size_t i = 0; i < lines.count; i++) {
		check_line(text, &lines.lines[i]);
		MUST(i == 0 || lines.lines[i - 1].number < lines.lines[i].number);
		buf_fmt(&written, "%.*s = %.*s\n", STR_ARGS(lines.lines[i].name),
		    STR_ARGS(lines.lines[i].value));
	}
	MUST(config_parse(arena, buf_str(&written), &again) && again.count == lines.count);
	for (size_t i = 0; i < again.count; i++)
		MUST(str_eq(again.lines[i].name, lines.lines[i].name) &&
		     str_eq(again.lines[i].value, lines.lines[i].value));
	arena_free(arena);
	return 0;
}
