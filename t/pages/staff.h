#ifndef T_PAGES_STAFF_H
#define T_PAGES_STAFF_H

#include "browser.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/site/audit.h"

/* Shared by the tests of the staff's pages. The staff of the seed is marta, its one admin. */

static inline struct str
content(const struct browser *b)
{
	return part(b->last.body, "<main id=\"content\">", "</main>");
}

/* The lines of this month's log. */
static inline const struct item *
last_line(struct seeded *s, size_t *count)
{
	struct table_call call = {.arena = s->arena};
	struct query query =
	    query_audit(s->arena, str_sub(time_format(s->arena, s->clock.fixed_now), 0, 7));
	struct item *found;
	struct str next;

	query.limit = 1000;
	if (table_query(s->table, &call, &query, &found, count, &next) != TABLE_OK)
		bail_out("no log");
	table_release(s->table, &call);
	s->clock.fixed_now++; /* so that what follows is later */
	return *count != 0 ? &found[*count - 1] : NULL;
}

static inline size_t
logged(struct seeded *s, struct audit_entry *last)
{
	size_t count;
	const struct item *item = last_line(s, &count);

	*last = (struct audit_entry){.created = 0};
	if (item != NULL)
		audit_from_item(s->arena, item, last);
	return count;
}

/* Was exactly this logged since `before`? */
static inline void
one_line(
    struct seeded *s, size_t before, const char *action, const char *target, const char *change)
{
	struct audit_entry last;
	size_t count;
	const struct item *item = last_line(s, &count);

	is_int((int64_t)(count - before), 1, "... is logged once");
	is_str(item_string(item, STR("Action")), str_of(action), "... as %s", action);
	audit_from_item(s->arena, item, &last);
	is_str(last.actor, STR("marta"), "... by whom");
	is_str(last.target, str_of(target), "... to whom");
	is_str(last.change, str_of(change), "... and what");
}

static inline size_t
lines(struct seeded *s)
{
	struct audit_entry last;

	return logged(s, &last);
}

#endif
