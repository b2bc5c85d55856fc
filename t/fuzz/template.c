/*
 * Templates: any text compiles or is refused with a message, and what compiled renders and never shows
 * text of a view unescaped. The bytes are a template and two partials, p and q, with 0xff between.
 */
#include "fuzz.h"

#include "text/library.h"

#include <string.h>

struct item_view {
	struct str s;
	bool f;
	LIST_OF(struct item_view) l;
};

struct page_view {
	struct str s;
	struct html h;
	bool f;
	int64_t n;
	struct item_view v;
	const struct item_view *o;
	LIST_OF(struct item_view) l;
	LIST_OF(struct str) t;
};

VIEW_FIELDS(item_view, STRING(s), FLAG(f), LIST(l, item_view))
VIEW_FIELDS(page_view, STRING(s), HTML(h), FLAG(f), NUMBER(n), VIEW(v, item_view),
    OPTION(o, item_view), LIST(l, item_view), STRINGS(t))

/* A byte that marks what must be escaped. */
#define MARK "\x02"
#define TEXT STR_INIT(MARK "<" MARK "'" MARK "&")

static const struct str texts[] = {TEXT, STR_INIT("")};
static const struct item_view inner[] = {{.s = TEXT, .f = true}, {.s = STR_INIT("b")}};
static const struct item_view items[] = {{.s = TEXT, .l = {inner, 2}}, {.f = true}};
static const struct page_view page = {
    .s = TEXT,
    .h = {STR_INIT("<hr>")},
    .n = INT64_MIN,
    .v = {.s = TEXT, .l = {inner, 1}},
    .o = &items[0],
    .l = {items, 2},
    .t = {texts, 2},
};

static void
check(struct arena *arena, struct str parts[3], bool lenient)
{
	struct memory_library memory = memory_library(arena, lenient);
	struct template_fault fault = {.arena = arena};
	struct buf out = {.arena = arena};
	const struct template_program *program;
	bool marked = false;

	memory_library_add(&memory, STR("t"), parts[0]);
	memory_library_add(&memory, STR("p"), parts[1]);
	memory_library_add(&memory, STR("q"), parts[2]);
	program = template_compile(arena, &memory.library, STR("t"), &page_view_type, &fault);
	MUST((program == NULL) == (fault.text.len != 0));
	if (program == NULL)
		return;
	template_run(program, &page, &out);
	for (int i = 0; i < 3; i++)
		marked = marked || str_find(parts[i], MARK[0]) != parts[i].len;
	for (size_t i = 0; !marked && i + 1 < out.len; i++)
		MUST(out.base[i] != MARK[0] || out.base[i + 1] == '&');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct str parts[3], rest = fuzz_str(data, size);

	for (int i = 0; i < 3; i++)
		parts[i] = str_cut(rest, (char)0xff, &rest);
	check(arena, parts, false);
	check(arena, parts, true);
	arena_free(arena);
	return 0;
}
