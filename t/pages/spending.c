/* What routes cost where the store bills it: counted, added to the table, and shown to admins with its price. */
#include "staff.h"

#include "base/log.h"
#include "model/site/units.h"
#include "web/http/spending.h"

#include <unistd.h>

static const struct log quiet = {.fd = STDERR_FILENO, .level = LOG_ERROR};

static struct units
counted(struct seeded *s, int which, const char *what)
{
	struct table_call call = {.arena = s->arena};
	struct read reads[UNITS_READS];
	struct units all, *units;

	units_reads(s->arena, clock_now(s->table->clock), reads);
	if (table_read(s->table, &call, reads, UNITS_READS) != TABLE_OK)
		bail_out("no units: %s", call.why);
	units = units_take(s->arena, &reads[which], &all);
	for (size_t i = 0; what != NULL && i < reads[which].found_count; i++)
		if (str_eq(units[i].what, str_of(what)))
			return units[i];
	return what == NULL ? all : (struct units){.requests = -1};
}

static const struct route *
route_of(const char *pattern)
{
	for (size_t i = 0; i < site_route_count; i++)
		if (strcmp(site_routes[i].pattern, pattern) == 0)
			return &site_routes[i];
	bail_out("no route %s", pattern);
}

static void
test_counted(struct seeded *s)
{
	const struct table_cost page = {.read_half_units = 30, .write_units = 2}, nothing = {0};
	struct spending *spending = spending_new(s->table, site_routes, site_route_count, &quiet);
	int64_t halves = s->table->spent_halves, writes = s->table->spent_writes;

	/* The store of this test may tell of units by itself. */
	spending_add(spending);
	spending_note(spending, route_of("/archive"), &page);
	spending_note(spending, route_of("/archive"), &page);
	spending_note(spending, route_of("/tags"), &nothing);
	s->table->spent_halves += 100;
	s->table->spent_writes += 4000000;
	spending_add(spending);
	is_int(counted(s, UNITS_TODAY, "/archive").read_halves, 60, "What a route reads is added,");
	is_int(counted(s, UNITS_MONTH, "/archive").writes, 4, "... and what it writes, to the month, too,");
	is_int(counted(s, UNITS_MONTH, "/archive").requests, 2, "... and how often.");
	is_int(counted(s, UNITS_TODAY, "/tags").requests, -1, "What costs nothing is not there.");
	ok(counted(s, UNITS_TODAY, "-").writes >= 4000000 - 4, "What no request caused is told apart.");
	spending_note(spending, route_of("/archive"), &page);
	spending_start(spending);
	spending_stop(spending);
	is_int(counted(s, UNITS_TODAY, "/archive").requests, 3, "At the end the last is added.");
	ok(counted(s, UNITS_TODAY, NULL).writes >= 4000000, "It is summed up.");
	ok(s->table->spent_halves >= halves + 100 && s->table->spent_writes >= writes + 4000000,
	    "The table's own sums go on.");
}

#define PRICES(b, reads, currency)                                                                  \
	SUBMIT((b), "/admin/settings", "name", "Slack Water", "language", "en", "registration", "open", \
	    "posts_per_page", "20", "time_zone", "UTC", "reads_price", reads, "writes_price", "62.50",  \
	    "price_currency", currency)

static void
test_shown(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), editor = browser_of(s, "tobias");

	get(&b, "/admin");
	ok(says(&b, "What the table costs") && says(&b, "/archive") && says(&b, "write units"),
	    "Admins see what the table costs,");
	ok(says(&b, "today 45 read and 6 write units; this month 45 read"), "... by route,");
	ok(!says(&b, "write units, "), "... without a price as long as there is none.");
	get(&editor, "/admin");
	ok(!says(&editor, "What the table costs"), "Editors do not.");
	get(&b, "/admin/settings");
	is_int(PRICES(&b, "twelve", "dollars"), HTTP_UNPROCESSABLE, "Prices are amounts,");
	ok(says(&b, "Write an amount, such as 12 or 12.50.") && says(&b, "value=\"twelve\""),
	    "... and what was typed is kept.");
	is_int(PRICES(&b, "12.50", "EUR"), HTTP_SEE_OTHER, "They are set,");
	get(&b, "/admin");
	/* 4,000,000 write units, and a few more. */
	ok(says(&b, "€2.5"), "... and the page says what it was.");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	test_counted(&s);
	test_shown(&s);
	browsers_close(&s);
	return tap_done();
}
