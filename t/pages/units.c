/*
 * What each page costs at the table, as docs/costs.md shows it: requests, round trips that wait for one
 * another, and DynamoDB's own units. Every row of the table of routes has its line there; on DynamoDB the
 * whole document must be what is measured here; on the other store every row must be there.
 *
 *	make costs    writes the document anew
 */
#include "submit.h"
#include "units.h"

#include "base/clock.h"
#include "derive/derivation.h"
#include "derive/rebuild.h"
#include "lib/tap.h"
#include "web/http/route.h"
#include "lib/paths.h"

#include <stdlib.h>
#include <string.h>

#define ADMIN "marta"

/* The pattern with values in place of its captures. */
static struct str
address_of(struct arena *arena, const char *pattern)
{
	struct str rest = str_of(pattern);
	struct buf out = {.arena = arena};

	rest = str_sub(rest, 1, rest.len);
	do {
		buf_putc(&out, '/');
		buf_put(&out, sample_capture(str_cut(rest, '/', &rest)));
	} while (rest.len != 0);
	return str_dup(arena, buf_str(&out));
}

/* --- Measuring -------------------------------------------------------------------------------------- */

/* The sample's fields, and what its button says. */
static const char *const *
fields_of(struct arena *arena, const struct sample *sample)
{
	const char **fields = ARENA_ARRAY(arena, SAMPLE_FIELDS + 3, const char *);
	size_t count = 0;

	for (; sample != NULL && count < SAMPLE_FIELDS && sample->fields[count] != NULL; count++)
		fields[count] = sample->fields[count];
	if (sample != NULL && sample->button != NULL) {
		fields[count++] = "do";
		fields[count++] = sample->button;
	}
	fields[count] = NULL;
	return fields;
}

/* Sends what the sample says; the browser's last answer is the one to measure. */
static enum http_status
send(struct browser *b, const struct sample *sample, bool post, const char *address)
{
	if (sample != NULL && sample->prepare != NULL)
		sample->prepare(b);
	if (sample != NULL && sample->send != NULL)
		return sample->send(b);
	if (post)
		return submit_form(b,
		    sample != NULL && sample->page != NULL ? sample->page : address, address,
		    fields_of(b->s->arena, sample));
	/* The second time all pages have what they share, as nearly always. */
	get(b, address);
	return get(b, address);
}

struct row {
	struct str route, button, who;
	enum http_status status;
	struct table_cost cost;
};

/* What was refused costs less than what was done, and says nothing of it. */
static struct row
measure(struct seeded *s, const struct route *route, struct str name, const struct sample *sample)
{
	bool post = name.base[0] == 'P';
	struct str address = sample != NULL && sample->address != NULL
				 ? str_of(sample->address)
				 : address_of(s->arena, route->pattern);
	const char *who = sample != NULL && sample->who != NULL ? sample->who
			  : route->needs != MAY_VISIT           ? ADMIN
								: NULL;
	struct browser b = who != NULL ? browser_of(s, who) : browser(s, "192.0.2.9");
	enum http_status status = send(&b, sample, post, address.base);
	struct row row = {.route = name,
	    .who = str_of(who != NULL ? who : "a stranger"),
	    .status = status,
	    .cost = b.last.cost};

	if (sample != NULL && sample->button != NULL)
		row.button = str_of(sample->button);
	ok(status >= HTTP_OK && status < HTTP_BAD_REQUEST, "%.*s%s%.*s does what it is for: %d",
	    STR_ARGS(name), row.button.len != 0 ? ", " : "", STR_ARGS(row.button), (int)status);
	return row;
}

/* All that a method of a route is measured with. */
static size_t
measure_route(struct seeded *s, const struct route *route, const char *method, struct row *rows)
{
	struct str name = str_fmt(s->arena, "%s %s", method, route->pattern);
	size_t count = 0;

	for (size_t i = 0; i < sample_count; i++)
		if (str_eq(str_of(samples[i].route), name))
			rows[count++] = measure(s, route, name, &samples[i]);
	if (count == 0)
		rows[count++] = measure(s, route, name, NULL);
	return count;
}

/* What all pages share, when it has to be read: what the front page then costs more. */
static struct row
measure_shared(struct seeded *s)
{
	struct row row = {
	    .route = STR("(what all pages share)"), .who = STR("anybody"), .status = HTTP_OK};
	struct answer cold, warm;

	seeded_restart(s, 0);
	cold = visit(s, STR("/"));
	warm = visit(s, STR("/"));
	row.cost.requests = cold.cost.requests - warm.cost.requests;
	row.cost.round_trips = cold.cost.round_trips - warm.cost.round_trips;
	row.cost.read_half_units = cold.cost.read_half_units - warm.cost.read_half_units;
	return row;
}

/* --- The worker --------------------------------------------------------------------------------------- */

/* A derivation, made anew for the whole table. */
static struct str
measure_derivation(struct seeded *s, const struct derivation *derivation)
{
	static struct rebuild rebuild;
	struct table_call call = {.arena = s->arena};
	struct derive derive = {
	    .table = s->table, .call = &call, .clock = &s->clock, .site = s->site.origin};
	int64_t halves = s->table->spent_halves, writes = s->table->spent_writes;
	bool done = false;

	rebuild = (struct rebuild){.derive = &derive,
	    .arena = arena_new(),
	    .state = {.names = {&derivation->name, 1}, .begun = clock_now(&s->clock)}};
	while (!done)
		if (rebuild_step(&rebuild, &done) != TABLE_OK)
			bail_out("%s: %s", derivation->name.base, call.why);
	arena_free(rebuild.arena);
	halves = s->table->spent_halves - halves;
	return str_fmt(s->arena, "| `%.*s` | %" PRId64 " | %" PRId64 "%s | %" PRId64 " |\n",
	    STR_ARGS(derivation->name), rebuild.state.differences, halves / 2, halves % 2 != 0 ? ".5" : "",
	    s->table->spent_writes - writes);
}

/* After all forms were sent. */
static struct str
measure_worker(struct seeded *s)
{
	struct buf out = {.arena = s->arena};

	buf_put(&out, STR("\n## What the worker derives\n\n"
			  "Each derivation, made anew for that publication when all of the above had been done: how "
			  "many items it\nwrote, and what reading the table as a whole, the facts of each subject and "
			  "these writes cost. A change\nlater costs its share.\n\n"
			  "| derivation | items written | read units | write units |\n|---|---|---|---|\n"));
	for (size_t i = 0; i < derivation_count; i++)
		buf_put(&out, measure_derivation(s, &derivations[i]));
	return buf_str(&out);
}

/* --- The document ------------------------------------------------------------------------------------ */

static const char head[] =
    "# What pages cost\n"
    "\n"
    "Each page of the program, and what it asks of the table: requests, round trips that wait for "
    "one\n"
    "another, and Amazon DynamoDB's units, as DynamoDB Local counts them "
    "(`ReturnConsumedCapacity`), with\n"
    "the publication of `migrations-free-seed`. A read unit is 4 KB read with certainty, or 8 KB "
    "without; a\n"
    "write unit is 1 KB written, in the table and in each index that the item is in. What a page "
    "writes is a\n"
    "transaction, which Amazon counts twice and DynamoDB Local four times: of the write units "
    "below, "
    "half are\n"
    "paid for. A stranger's page that the page cache has costs nothing at all.\n"
    "\n"
    "What all pages share (settings, categories, static pages, what is scheduled) is read again "
    "when it is a second "
    "old or\n"
    "this process has written; the page that does so pays for it, in the first of its round trips "
    "where it\n"
    "reads anything anyhow.\n"
    "\n"
    "Each form is sent as somebody would who means it, and does what it is for; the answer is its "
    "status. Behind a\n"
    "form with several buttons stands the one that was pressed. What moves many items costs by "
    "their number: these\n"
    "are the seed's.\n"
    "\n"
    "This file is written by `make costs`, and a test fails when it is not what is measured.\n"
    "\n"
    "| page | asked by | answer | requests | round trips | read units | write units |\n"
    "|---|---|---|---|---|---|---|\n";

/* A row up to its numbers, which are one store's. */
static struct str
row_begin(struct arena *arena, const struct row *row)
{
	return str_fmt(arena, "| `%.*s`%s%.*s | %.*s | %d |", STR_ARGS(row->route),
	    row->button.len != 0 ? ", " : "", STR_ARGS(row->button), STR_ARGS(row->who),
	    (int)row->status);
}

static void
put_row(struct buf *out, const struct row *row)
{
	buf_put(out, row_begin(out->arena, row));
	buf_fmt(out, " %u | %u | %u%s | %u |\n", row->cost.requests, row->cost.round_trips,
	    row->cost.read_half_units / 2, row->cost.read_half_units % 2 != 0 ? ".5" : "",
	    row->cost.write_units);
}

static struct str
read_document(struct arena *arena)
{
	FILE *file = fopen(TOP_SRCDIR "/docs/costs.md", "r");
	struct buf text = {.arena = arena};
	int c;

	while (file != NULL && (c = getc(file)) != EOF)
		buf_putc(&text, (char)c);
	if (file != NULL)
		fclose(file);
	return buf_str(&text);
}

static void
write_document(struct str text)
{
	FILE *file = fopen(TOP_SRCDIR "/docs/costs.md", "w");

	if (file == NULL || fwrite(text.base, 1, text.len, file) != text.len || fclose(file) != 0)
		bail_out("docs/costs.md can't be written");
}

/* The read units of a derivation in the table of the worker. */
static int64_t
units_of_derivation(struct str table, struct str name, struct arena *arena)
{
	struct str begin = str_fmt(arena, "| `%.*s` | ", STR_ARGS(name));
	const char *row = strstr(str_dup(arena, table).base, begin.base), *units;

	if (row == NULL)
		return 0;
	units = strchr(row + begin.len, '|');
	return units != NULL ? strtoll(units + 1, NULL, 10) : 0;
}

/* Where the pages of a walk end, and so what it costs, depends on the sizes of all items: by a tenth it may differ. */
static void
compare_worker(struct seeded *s, struct str document, struct str worker)
{
	for (size_t i = 0; i < derivation_count; i++) {
		struct str name = derivations[i].name;
		int64_t is = units_of_derivation(worker, name, s->arena),
			says = units_of_derivation(document, name, s->arena);

		ok(is * 9 <= says * 10 && says * 9 <= is * 10,
		    "docs/costs.md says that %.*s takes %" PRId64 " read units, measured are %" PRId64,
		    STR_ARGS(name), says, is);
	}
}

static void
compare(struct seeded *s, const struct row *rows, size_t count, struct str worker, bool units)
{
	struct str document = read_document(s->arena);
	struct buf text = {.arena = s->arena};

	buf_put(&text, STR(head));
	for (size_t i = 0; i < count; i++)
		put_row(&text, &rows[i]);
	if (units && getenv("WRITE_COSTS") != NULL) {
		buf_put(&text, worker);
		write_document(buf_str(&text));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct str begin = row_begin(s->arena, &rows[i]);
		struct buf line = {.arena = s->arena};

		put_row(&line, &rows[i]);
		ok(holds(document, units ? buf_str(&line) : begin),
		    "docs/costs.md has the line %.*s", STR_ARGS(begin));
	}
	if (units) {
		ok(str_starts(document, buf_str(&text)),
		    "docs/costs.md is what is measured; else `make costs`");
		compare_worker(s, document, worker);
	}
}

/* A sample of a removed route would never be measured. */
static void
samples_lead_somewhere(void)
{
	for (size_t n = 0; n < sample_count; n++) {
		struct str pattern;
		unsigned method =
		    str_eq(str_cut(str_of(samples[n].route), ' ', &pattern), STR("GET"))
			? METHOD_GET
			: METHOD_POST;
		size_t i = 0;

		while (i < site_route_count && !((route_methods(&site_routes[i]) & method) &&
						   str_eq(str_of(site_routes[i].pattern), pattern)))
			i++;
		ok(i < site_route_count, "there is a page %s", samples[n].route);
	}
}

int
main(void)
{
	static struct row rows[1000];
	struct seeded s;
	size_t count = 0;

	browsers_open(&s);
	samples_open(&s);
	samples_lead_somewhere();
	rows[count++] = measure_shared(&s);
	for (size_t i = 0; i < site_route_count; i++) {
		if (site_routes[i].page->get != NULL)
			count += measure_route(&s, &site_routes[i], "GET", &rows[count]);
		if (site_routes[i].page->post != NULL)
			count += measure_route(&s, &site_routes[i], "POST", &rows[count]);
	}
	compare(&s, rows, count, measure_worker(&s), s.store.name[0] != '\0');
	samples_close(&s);
	browsers_close(&s);
	return tap_done();
}
