/*
 * What is kept of the publication is never older than the table, even when somebody writes while a page is
 * being made: between the read that finds who asks, which the page's moment begins with, and its other reads.
 */
#include "browser.h"

#include "../tap.h"

/* An engine in front of another: something is written behind the first read, once. */
struct meddler {
	struct table table;
	struct table *inner;
	struct seeded *s;
	const struct item *pending; /* NULL: nothing more */
};

static enum table_rc
meddler_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct meddler *m = (struct meddler *)table;
	enum table_rc rc = m->inner->engine->read(m->inner, call, reads, count);
	const struct item *item = m->pending;

	m->pending = NULL;
	if (item != NULL)
		seeded_put(m->s, item, 1);
	return rc;
}

static enum table_rc
meddler_write(struct table *table, struct table_call *call, struct write *write)
{
	struct meddler *m = (struct meddler *)table;

	return m->inner->engine->write(m->inner, call, write);
}

static enum table_rc
meddler_hold(struct table *table, struct table_call *call)
{
	return table_hold(((struct meddler *)table)->inner, call);
}

static void
meddler_release(struct table *table, struct table_call *call)
{
	table_release(((struct meddler *)table)->inner, call);
}

static uint64_t
meddler_version(struct table *table)
{
	return table_version(((struct meddler *)table)->inner);
}

static const struct table_engine engine = {
    .name = "meddler",
    .deadline_ms = 5000,
    .read = meddler_read,
    .write = meddler_write,
    .hold = meddler_hold,
    .release = meddler_release,
    .version = meddler_version,
};

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
	struct meddler m = {.pending = NULL};
	struct item second, third;
	struct browser b;
	struct seeded s;

	browsers_open(&s);
	b = browser_of(&s, "kofi");
	m = (struct meddler){.table = {&engine, &s.clock}, .inner = s.table, .s = &s};
	s.site.table = &m.table;
	second = named(&s, "Second name");
	third = named(&s, "Third name");
	get(&b, "/");
	ok(says(&b, "Slack Water"), "the publication has a name");
	seeded_put(&s, &second, 1);
	get(&b, "/");
	ok(says(&b, "Second name"), "a new name is on the very next page");
	seeded_restart(&s, 0);
	m.pending = &third;
	is_int(get(&b, "/"), HTTP_OK, "a page behind whose first read it is named anew");
	ok(m.pending == NULL, "... which it was");
	get(&b, "/");
	ok(says(&b, "Third name"), "... does not keep the name from before");
	s.site.table = s.table;
	browsers_close(&s);
	return tap_done();
}
