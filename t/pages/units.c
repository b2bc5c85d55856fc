/*
 * What each page costs at the table, as docs/costs.md shows it: requests, round trips that wait for one
 * another, and DynamoDB's own units. Every row of the table of routes has its line there; on DynamoDB the
 * whole document must be what is measured here, on the other store all but its units.
 *
 *	make costs    writes the document anew
 *
 * A GET needs no sample below when its address is its pattern, with the values of `captures`, and a
 * stranger, or an admin where somebody must be signed in, gets a page there.
 */
#include "browser.h"

#include "../picture.h"
#include "../tap.h"

#include "web/media_store.h"

#include <sys/stat.h>
#include <unistd.h>

#define PASSWORD "four words in a row"
#define ADMIN "marta"

/* --- Samples ---------------------------------------------------------------------------------------- */

/* What stands for a captured segment. */
static const struct {
	const char *name, *value;
} captures[] = {
    {":slug", "the-tide-in-forty-lines-of-c"},
    {":username", "kofi"},
    {":tag", "tides"},
    {":year", "2026"},
    {":month", "11"},
    {":day", "18"},
};

enum { FIELDS = 24 };

struct sample {
	const char *route;          /* as the document names it */
	const char *who;            /* NULL: a stranger */
	const char *address;        /* NULL: the pattern's own */
	const char *page;           /* of a POST: where its form stands */
	const char *fields[FIELDS]; /* of that form: names and values, to NULL */
	enum http_status (*send)(
	    struct browser *b); /* in place of all that; measured is its last request */
};

static char media_folder[] = "/tmp/broadsheet-units-XXXXXX";

/* Its address depends on the time; the list knows it. */
static enum http_status
see_collection(struct browser *b)
{
	struct str path;

	get(b, "/collections");
	path = part(b->last.body, "<a href=\"/collection/", "\"");
	path = STR_CONCAT(b->s->arena, STR("/collection/"), path);
	get(b, path.base);
	return get(b, path.base);
}

/* A picture of one size; what makes it smaller is nobody's cost here, and may not be installed. */
static enum http_status
send_picture(struct browser *b)
{
	const struct upload sent[] = {{"a.png", picture_png(b->s->arena, 30, 20, 1)}, {NULL}};
	struct media_store_options options = {.directory = media_folder, .file_max = 1000000};
	struct str program;
	FILE *script;

	if (mkdtemp(media_folder) == NULL)
		bail_out("no folder for pictures");
	program = str_fmt(b->s->arena, "%s/program", media_folder);
	script = fopen(program.base, "w");
	fputs("#!/bin/sh\necho picture >&3\n", script);
	fchmod(fileno(script), 0755);
	fclose(script);
	options.program = program.base;
	b->s->site.media = media_store_new(&options);
	get(b, "/uploads");
	return upload_files(b, part(b->last.body, "name=\"csrf\" value=\"", "\""), NULL, sent);
}

static struct str
picture_of(struct browser *b)
{
	get(b, "/uploads");
	return STR_CONCAT(b->s->arena, STR("/uploads/"),
	    part(b->last.body, "class=\"thumb\" href=\"/uploads/", "\""));
}

static enum http_status
see_picture(struct browser *b)
{
	return get(b, picture_of(b).base);
}

static enum http_status
delete_picture(struct browser *b)
{
	struct str page = picture_of(b);

	get(b, page.base);
	return submit(
	    b, STR_CONCAT(b->s->arena, page, STR("/delete")).base, (const char *const[]){NULL});
}

static const struct sample samples[] = {
    {"GET /page/:slug", NULL, "/page/about"},
    {"GET /category/:slug", NULL, "/category/kitchen"},
    {"GET /category/:slug/feed.atom", NULL, "/category/kitchen/feed.atom"},
    {"GET /collection/:id", .send = see_collection},
    {"GET /sitemap/:file", NULL, "/sitemap/2026-11.xml"},
    {"POST /login", NULL, NULL, "/login", {"name", "noor", "password", PASSWORD}},
    {"POST /logout", "noor", NULL, "/account"},
    {"POST /register", NULL, NULL, "/register",
	{"username", "newcomer", "email", "newcomer@example.org", "password", PASSWORD}},
    {"POST /account/profile", "noor", NULL, "/account", {"display_name", "Noor", "bio", "Bread."}},
    {"POST /account/email", "noor", NULL, "/account",
	{"email", "bread@example.org", "email_password", PASSWORD}},
    {"POST /account/password", "noor", NULL, "/account",
	{"old_password", PASSWORD, "new_password", PASSWORD " more"}},
    {"POST /account/sessions", "noor", NULL, "/account", {"session", "others"}},
    {"POST /uploads", ADMIN, .send = send_picture},
    {"GET /uploads/:hash", ADMIN, .send = see_picture},
    {"POST /uploads/:hash/delete", ADMIN, .send = delete_picture},
};

static const struct sample *
sample_of(struct str route)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		if (str_eq(str_of(samples[i].route), route))
			return &samples[i];
	return NULL;
}

/* The pattern with values in the place of what it captures. */
static struct str
address_of(struct arena *arena, const char *pattern)
{
	struct str rest = str_of(pattern), segment;
	struct buf out = {.arena = arena};

	rest = str_sub(rest, 1, rest.len);
	do {
		size_t i = 0;

		segment = str_cut(rest, '/', &rest);
		while (i < sizeof(captures) / sizeof(captures[0]) &&
		       !str_eq(str_of(captures[i].name), segment))
			i++;
		buf_putc(&out, '/');
		buf_put(&out, i < sizeof(captures) / sizeof(captures[0]) ? str_of(captures[i].value)
									 : segment);
	} while (rest.len != 0);
	return str_dup(arena, buf_str(&out));
}

/* --- Measuring -------------------------------------------------------------------------------------- */

/* Sends what the sample says; the browser's last answer is the one to measure. */
static enum http_status
send(struct browser *b, const struct sample *sample, bool post, const char *address)
{
	static const char *const nothing[] = {NULL};

	if (sample != NULL && sample->send != NULL)
		return sample->send(b);
	/* The second time all pages have what they share, as nearly always. */
	if (!post && get(b, address) < HTTP_BAD_REQUEST)
		return get(b, address);
	if (!post || sample == NULL || sample->page == NULL)
		return b->last.status;
	get(b, sample->page);
	if (get(b, sample->page) != HTTP_OK)
		return b->last.status;
	return submit(b, address, sample->fields[0] != NULL ? sample->fields : nothing);
}

struct row {
	struct str route, who;
	struct table_cost cost;
};

static struct row
measure(struct seeded *s, const struct route *route, bool post)
{
	struct str name = str_fmt(s->arena, "%s %s", post ? "POST" : "GET", route->pattern);
	const struct sample *sample = sample_of(name);
	struct str address = sample != NULL && sample->address != NULL
				 ? str_of(sample->address)
				 : address_of(s->arena, route->pattern);
	const char *who = sample != NULL ? sample->who : route->needs != MAY_VISIT ? ADMIN : NULL;
	struct browser b = who != NULL ? browser_of(s, who) : browser(s, "192.0.2.9");
	enum http_status status = send(&b, sample, post, address.base);

	ok((sample != NULL || !post) && status >= 200 && status < 400,
	    "%.*s has a sample request that is answered well (%d); see t/pages/units.c",
	    STR_ARGS(name), (int)status);
	return (struct row){name, str_of(who != NULL ? who : "a stranger"), b.last.cost};
}

/* What all pages share, when it has to be read: what the front page then costs more. */
static struct row
measure_shared(struct seeded *s)
{
	struct row row = {STR("(what all pages share)"), STR("anybody"), {0}};
	struct answer cold, warm;

	seeded_restart(s, 0);
	cold = visit(s, STR("/"));
	warm = visit(s, STR("/"));
	row.cost.requests = cold.cost.requests - warm.cost.requests;
	row.cost.round_trips = cold.cost.round_trips - warm.cost.round_trips;
	row.cost.read_half_units = cold.cost.read_half_units - warm.cost.read_half_units;
	return row;
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
    "write unit is 1 KB written, in the table and in each index that the item is in; a transaction "
    "counts\n"
    "twice. A stranger's page that the page cache has costs nothing at all.\n"
    "\n"
    "What all pages share (settings, categories, static pages) is read again when it is a second "
    "old or\n"
    "this process has written; the page that does so pays for it, in the first of its round trips "
    "where it\n"
    "reads anything anyhow.\n"
    "\n"
    "This file is written by `make costs`, and a test fails when it is not what is measured.\n"
    "\n"
    "| page | asked by | requests | round trips | read units | write units |\n"
    "|---|---|---|---|---|---|\n";

/* A row up to its units, which only one store has. */
static struct str
row_begin(struct arena *arena, const struct row *row)
{
	return str_fmt(arena, "| `%.*s` | %.*s | %u | %u |", STR_ARGS(row->route),
	    STR_ARGS(row->who), row->cost.requests, row->cost.round_trips);
}

static void
put_row(struct buf *out, const struct row *row)
{
	buf_put(out, row_begin(out->arena, row));
	buf_fmt(out, " %u%s | %u |\n", row->cost.read_half_units / 2,
	    row->cost.read_half_units % 2 != 0 ? ".5" : "", row->cost.write_units);
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

static void
compare(struct seeded *s, const struct row *rows, size_t count, bool units)
{
	struct str document = read_document(s->arena);
	struct buf text = {.arena = s->arena};

	buf_put(&text, STR(head));
	for (size_t i = 0; i < count; i++)
		put_row(&text, &rows[i]);
	if (units && getenv("WRITE_COSTS") != NULL) {
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
	if (units)
		ok(str_eq(document, buf_str(&text)),
		    "docs/costs.md is what is measured; else `make costs`");
}

int
main(void)
{
	static struct row rows[1000];
	struct item noor;
	struct str hash;
	struct seeded s;
	size_t count = 0;

	browsers_open(&s);
	noor = seeded_item(&s, "USER#noor", "METADATA");
	password_hash(s.site.passwords, s.arena, STR(PASSWORD), &hash);
	item_set(s.arena, &noor, STR("PasswordHash"), value_string(hash));
	seeded_put(&s, &noor, 1);
	rows[count++] = measure_shared(&s);
	for (size_t i = 0; i < site_route_count; i++) {
		if (site_routes[i].methods & METHOD_GET)
			rows[count++] = measure(&s, &site_routes[i], false);
		if (site_routes[i].methods & METHOD_POST)
			rows[count++] = measure(&s, &site_routes[i], true);
	}
	compare(&s, rows, count, s.store.name[0] != '\0');
	unlink(str_fmt(s.arena, "%s/program", media_folder).base);
	rmdir(media_folder);
	media_store_free(s.site.media);
	browsers_close(&s);
	return tap_done();
}
