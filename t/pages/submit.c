#include "submit.h"

/* A tag's attribute; empty when it has none. */
static struct str
attribute(struct arena *arena, struct str tag, const char *name)
{
	return unescaped(arena, part(tag, str_fmt(arena, " %s=\"", name).base, "\""));
}

static bool
is_filled(const char *const *fields, struct str name)
{
	for (; *fields != NULL; fields += 2)
		if (str_eq(str_of(*fields), name))
			return true;
	return false;
}

/* The body that a browser would send of an unchanged form, except for the given fields. */
static void
put_form(struct arena *arena, struct buf *body, struct str form, const char *const *fields)
{
	struct str rest = form, tag, inner;

	while (between(&rest, STR("<input"), STR(">"), &tag)) {
		struct str name = attribute(arena, tag, "name"),
			   type = attribute(arena, tag, "type");
		bool box = str_eq(type, STR("checkbox")) || str_eq(type, STR("radio"));

		if (name.len != 0 && !is_filled(fields, name) &&
		    (!box || holds(tag, STR(" checked"))))
			put_field(body, name, attribute(arena, tag, "value"));
	}
	for (rest = form; between(&rest, STR("<textarea"), STR("</textarea"), &tag);) {
		struct str name = attribute(arena, tag, "name");

		str_cut(tag, '>', &inner);
		if (!is_filled(fields, name))
			put_field(body, name, unescaped(arena, inner));
	}
	for (rest = form; between(&rest, STR("<select"), STR("</select"), &tag);) {
		struct str name = attribute(arena, tag, "name"), option, options = tag;
		struct str chosen = part(tag, "<option value=\"", "\"");

		while (between(&options, STR("<option"), STR(">"), &option))
			if (holds(option, STR(" selected")))
				chosen = attribute(arena, option, "value");
		if (!is_filled(fields, name))
			put_field(body, name, unescaped(arena, chosen));
	}
}

/* Once more, when the answer asks whether one is sure. */
static enum http_status
say_yes(struct browser *b, const char *action, struct str mark)
{
	struct str form = part(b->last.body, mark.base, "</form>");

	if (b->last.status != HTTP_OK || !holds(form, STR("name=\"sure\"")))
		return b->last.status;
	return SUBMIT(b, action, NULL);
}

enum http_status
submit_form(struct browser *b, const char *page, const char *action, const char *const *fields)
{
	struct arena *arena = b->s->arena;
	struct str form, mark = str_fmt(arena, "method=\"post\" action=\"%s\"", action);
	struct buf body = {.arena = arena};

	get(b, page);
	get(b, page);
	form = part(b->last.body, mark.base, "</form>");
	if (form.len == 0) {
		get(b, b->session.len != 0 ? "/account" : "/login");
		put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	}
	for (const char *const *field = fields; *field != NULL; field += 2)
		put_field(&body, str_of(field[0]), str_of(field[1]));
	put_form(arena, &body, form, fields);
	fetch(b, "POST", action, buf_str(&body));
	return say_yes(b, action, mark);
}
