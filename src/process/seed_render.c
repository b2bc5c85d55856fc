#include "process/seed_render.h"

#include "base/arena.h"
#include "web/escape.h"

/* Stands in for the program's renderer. Version 0 is older than any, so all of it counts as stale. */
static struct str
render(struct arena *arena, struct str markdown)
{
	struct buf out = {.arena = arena};

	BUF_PUT(&out, "<p>");
	escape_html(&out, markdown);
	BUF_PUT(&out, "</p>\n");
	return buf_str(&out);
}

static void
render_into(struct arena *arena, struct item *item)
{
	const struct value *markdown = item_get(item, STR("Markdown"));

	if (markdown != NULL && markdown->kind == VALUE_STRING)
		item_set(arena, item, STR("HTML"), value_string(render(arena, markdown->string)));
}

void
seed_render(struct arena *arena, struct item *item, struct str origin)
{
	const struct value *steps = item_get(item, STR("Instructions"));
	struct str type = item_string(item, STR("Type"));

	(void)origin;

	if (!str_eq(type, STR("Body")) && !str_eq(type, STR("Comment")))
		return;
	render_into(arena, item);
	item_set(arena, item, STR("Renderer"), value_number(0));
	if (steps == NULL || steps->kind != VALUE_LIST)
		return;
	for (size_t i = 0; i < steps->list.count; i++)
		if (steps->list.values[i].kind == VALUE_MAP)
			render_into(arena, &steps->list.values[i].map);
}
