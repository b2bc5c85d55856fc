#ifndef T_PAGES_WRITER_H
#define T_PAGES_WRITER_H

#include "browser.h"

/* Shared by tests of the editor: the form as it is shown again, and what a stranger finds. */

static inline const char *
text_in(struct seeded *s, const char *format, const char *with)
{
	return str_cstring(s->arena, str_fmt(s->arena, format, with));
}

/* What a stranger gets. */
static inline enum http_status
stranger_gets(struct seeded *s, const char *address)
{
	return visit(s, str_of(address)).status;
}

static inline bool
stranger_sees(struct seeded *s, const char *address, const char *what)
{
	return holds(visit(s, str_of(address)).body, str_of(what));
}

static inline bool
has_value(const struct browser *b, const char *name, const char *value)
{
	struct str wanted = str_fmt(b->s->arena, "name=\"%s\" value=\"%s\"", name, value);

	return holds(b->last.body, wanted);
}

/* The text in its textarea. */
static inline struct str
text_of(const struct browser *b, const char *name)
{
	struct str rest =
	    part(b->last.body, text_in(b->s, "name=\"%s\" rows", name), "</textarea>");
	struct str text;

	str_cut(rest, '\n', &text);
	return unescaped(b->s->arena, text);
}

/* A reader who came today. */
static inline struct browser
newcomer(struct seeded *s, const char *name)
{
	const char *pk = text_in(s, "USER#%s", name);
	const char *const pairs[] = {"PK", pk, "SK", "METADATA", "Type", "User", "Username", name,
	    "DisplayName", name, "Email", "new@example.org", "Role", "reader", "Status", "active",
	    "CreatedAt", "2026-11-18T09:00:00.000Z", "GSI3PK", "USER", "GSI3SK", name, NULL};
	struct item item = {.count = 0};

	for (size_t i = 0; pairs[i] != NULL; i += 2)
		item_set(s->arena, &item, str_of(pairs[i]), value_string(str_of(pairs[i + 1])));
	seeded_put(s, &item, 1);
	return browser_of(s, name);
}

static inline void
become(struct seeded *s, const char *name, const char *role)
{
	struct item user = seeded_item(s, text_in(s, "USER#%s", name), "METADATA");

	item_set(s->arena, &user, STR("Role"), value_string(str_of(role)));
	seeded_put(s, &user, 1);
}

#endif
