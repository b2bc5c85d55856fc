/*
 * The cached publication is never older than the table, even when somebody writes while a page is
 * being made: between the read of the viewer, with which the page's snapshot begins, and its other
 * reads.
 */
#include "browser.h"
#include "lib/failing_table.h"

#include "lib/tap.h"

static struct item
named(struct seeded *s, const char *name)
{
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	item_set(s->arena, &settings, STR("Name"), value_string(str_of(name)));
	return settings;
}

int
main(void)
{
	struct failing_table between;
	struct write third = {.kind = WRITE_PUT};
	struct item second;
	struct browser b;
	struct seeded s;

	browsers_open(&s);
	b = browser_of(&s, "kofi");
	failing_table_begin(&between, s.table);
	s.site.table = &between.table;
	second = named(&s, "Second name");
	third.item = named(&s, "Third name");
	get(&b, "/");
	ok(says(&b, "Slack Water"), "the publication has a name");
	seeded_put(&s, &second, 1);
	get(&b, "/");
	ok(says(&b, "Second name"), "a new name is on the very next page");
	seeded_restart(&s, 0);
	between.behind = &third;
	is_int(get(&b, "/"), HTTP_OK, "a page behind whose first read it is named anew");
	ok(between.behind == NULL, "... which it was");
	get(&b, "/");
	ok(says(&b, "Third name"), "... does not keep the name from before");
	s.site.table = s.table;
	browsers_close(&s);
	return tap_done();
}
