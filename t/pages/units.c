/*
 * What each page costs at the table, as docs/costs.md shows it: requests, round trips that wait for one
 * another, and DynamoDB's own units. Every row of the table of routes has its line there; on DynamoDB the
 * whole document must be what is measured here; on the other store every row must be there.
 *
 *	make costs    writes the document anew
 *
 * A row needs no sample below when its address is its pattern, with the values of `captures`, when a
 * stranger, or an admin where somebody must be signed in, may come there, and when its form, if it is one,
 * stands at its own address and is sent as it stands. A row whose answer in the document is 404 or 422 is one
 * whose sample should be better.
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
    {":id", "the-tide-in-forty-lines-of-c"},
    {":kind", "note"},
    {":section", "published"},
    {":group", "proofreaders"},
    {":code", "none"},
    {":hash", "none"},
};

enum { FIELDS = 12 };

struct sample {
	const char *route;          /* as the document names it */
	const char *who;            /* NULL: whoever may: a stranger or an admin */
	const char *address;        /* NULL: the pattern's own */
	const char *page;           /* of a POST: where its form stands; NULL: at its own address */
	const char *fields[FIELDS]; /* what is filled into that form: names and values, to NULL */
	enum http_status (*send)(
	    struct browser *b); /* in place of all that; its last request counts */
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

#define CATEGORY "/admin/categories/rigging"
#define PERSON "/admin/users/kofi"
#define POST_ID "the-tide-in-forty-lines-of-c"

static const struct sample samples[] = {
    {"GET /page/:slug", .address = "/page/about"},
    {"GET /category/:slug", .address = "/category/kitchen"},
    {"GET /category/:slug/feed.atom", .address = "/category/kitchen/feed.atom"},
    {"GET /collection/:id", .send = see_collection},
    {"GET /sitemap/:file", .address = "/sitemap/2026-11.xml"},
    {"POST /login", .page = "/login", .fields = {"name", "noor", "password", PASSWORD}},
    {"POST /logout", "noor", .page = "/account"},
    {"POST /register", .page = "/register",
	.fields = {"username", "newcomer", "email", "newcomer@example.org", "password", PASSWORD}},
    {"POST /account/profile", "noor", .page = "/account", .fields = {"bio", "Bread."}},
    {"POST /account/email", "noor", .page = "/account",
	.fields = {"email", "bread@example.org", "email_password", PASSWORD}},
    {"POST /account/password", "noor", .page = "/account",
	.fields = {"old_password", PASSWORD, "new_password", PASSWORD " more"}},
    {"POST /account/sessions", "noor", .page = "/account", .fields = {"session", "others"}},
    {"POST /uploads", ADMIN, .send = send_picture},
    {"GET /uploads/:hash", ADMIN, .send = see_picture},
    {"POST /uploads/:hash/delete", ADMIN, .send = delete_picture},
    {"POST /account/export", "noor", .page = "/account/data"},
    {"POST /account/delete", "noor", .page = "/account/data",
	.fields = {"delete_password", PASSWORD " more", "posts", "keep"}},
    {"POST /admin/categories", .page = "/admin/categories",
	.fields = {"name", "A sample", "slug", "a-sample"}},
    {"POST /admin/category-order", .page = "/admin/categories", .fields = {"up", "kitchen"}},
    {"GET /admin/categories/:slug", .address = CATEGORY},
    {"POST /admin/categories/:slug", .address = CATEGORY},
    {"POST /admin/categories/:slug/merge", .address = CATEGORY "/merge", .page = CATEGORY,
	.fields = {"into", "workshop"}},
    {"POST /admin/categories/:slug/move", .address = CATEGORY "/move", .page = CATEGORY},
    {"GET /admin/categories/:slug/delete", .address = "/admin/categories/a-sample/delete"},
    {"POST /admin/categories/:slug/delete", .address = "/admin/categories/a-sample/delete"},
    {"POST /admin/users/:username/role", .page = PERSON, .fields = {"role", "editor"}},
    {"POST /admin/users/:username/enable", .page = PERSON},
    {"POST /admin/users/:username/sessions", .page = PERSON},
    {"POST /admin/users/:username/reset", .page = PERSON},
    {"POST /admin/users/:username/groups", .page = PERSON, .fields = {"group", "proofreaders"}},
    {"POST /admin/users/:username/leave", .page = PERSON, .fields = {"group", "proofreaders"}},
    {"POST /admin/groups", .page = "/admin/groups",
	.fields = {"name", "sample", "title", "A sample"}},
    {"POST /admin/groups/:group/members", .page = "/admin/groups/proofreaders",
	.fields = {"username", "noor"}},
    {"POST /admin/groups/:group/leave", .page = "/admin/groups/proofreaders",
	.fields = {"username", "noor"}},
    {"POST /revisions/:id/restore", .page = "/revisions/" POST_ID},
    {"POST /share/:id", .fields = {"days", "7"}},
    {"POST /share/:id/revoke", .page = "/share/" POST_ID},
    {"POST /write/page",
	.fields = {"title", "A sample page", "slug", "a-sample-page", "markdown", "Text."}},
    {"POST /write/:kind",
	.fields = {"title", "A sample", "markdown", "Text.", "tags", "tides", "category", "water"}},
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

/* A tag's attribute; empty when it has none. */
static struct str
attribute(struct arena *arena, struct str tag, const char *name)
{
	return unescaped(arena, part(tag, str_fmt(arena, " %s=\"", name).base, "\""));
}

static bool
is_filled(const struct sample *sample, struct str name)
{
	for (size_t i = 0; sample != NULL && i < FIELDS && sample->fields[i] != NULL; i += 2)
		if (str_eq(str_of(sample->fields[i]), name))
			return true;
	return false;
}

/* What a browser would send of a form as it stands, but for what the sample fills in. */
static void
put_standing(struct arena *arena, struct buf *body, struct str form, const struct sample *sample)
{
	struct str rest = form, tag, inner;

	while (between(&rest, STR("<input"), STR(">"), &tag)) {
		struct str name = attribute(arena, tag, "name"),
			   type = attribute(arena, tag, "type");
		bool box = str_eq(type, STR("checkbox")) || str_eq(type, STR("radio"));

		if (name.len != 0 && !is_filled(sample, name) &&
		    (!box || holds(tag, STR(" checked"))))
			put(body, name, attribute(arena, tag, "value"));
	}
	for (rest = form; between(&rest, STR("<textarea"), STR("</textarea"), &tag);) {
		struct str name = attribute(arena, tag, "name");

		str_cut(tag, '>', &inner);
		if (!is_filled(sample, name))
			put(body, name, unescaped(arena, inner));
	}
	for (rest = form; between(&rest, STR("<select"), STR("</select"), &tag);) {
		struct str name = attribute(arena, tag, "name"), option, options = tag;
		struct str chosen = part(tag, "<option value=\"", "\"");

		while (between(&options, STR("<option"), STR(">"), &option))
			if (holds(option, STR(" selected")))
				chosen = attribute(arena, option, "value");
		if (!is_filled(sample, name))
			put(body, name, unescaped(arena, chosen));
	}
}

/* Sends the form of this address from the page where it stands; where there is none, its token alone. */
static enum http_status
send_form(struct browser *b, const struct sample *sample, const char *address)
{
	struct arena *arena = b->s->arena;
	const char *page = sample != NULL && sample->page != NULL ? sample->page : address;
	struct buf body = {.arena = arena};
	struct str form;

	get(b, page);
	get(b, page);
	form = part(b->last.body, str_fmt(arena, "action=\"%s\"", address).base, "</form>");
	if (form.len == 0) {
		get(b, b->session.len != 0 ? "/account" : "/login");
		put(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	}
	for (size_t i = 0; sample != NULL && i < FIELDS && sample->fields[i] != NULL; i += 2)
		put(&body, str_of(sample->fields[i]), str_of(sample->fields[i + 1]));
	put_standing(arena, &body, form, sample);
	return fetch(b, "POST", address, buf_str(&body));
}

/* Sends what the sample says; the browser's last answer is the one to measure. */
static enum http_status
send(struct browser *b, const struct sample *sample, bool post, const char *address)
{
	if (sample != NULL && sample->send != NULL)
		return sample->send(b);
	if (post)
		return send_form(b, sample, address);
	/* The second time all pages have what they share, as nearly always. */
	get(b, address);
	return get(b, address);
}

struct row {
	struct str route, who;
	enum http_status status;
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
	const char *who = sample != NULL && sample->who != NULL ? sample->who
			  : route->needs != MAY_VISIT           ? ADMIN
								: NULL;
	struct browser b = who != NULL ? browser_of(s, who) : browser(s, "192.0.2.9");
	enum http_status status = send(&b, sample, post, address.base);

	ok(status >= HTTP_OK && status < HTTP_FAILED, "%.*s is answered: %d", STR_ARGS(name),
	    (int)status);
	return (struct row){name, str_of(who != NULL ? who : "a stranger"), status, b.last.cost};
}

/* What all pages share, when it has to be read: what the front page then costs more. */
static struct row
measure_shared(struct seeded *s)
{
	struct row row = {STR("(what all pages share)"), STR("anybody"), HTTP_OK, {0}};
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
    "The answer is its status: 422 and 404 are what a sample gets that can't go all the way, as "
    "when it takes a\n"
    "code from somebody's telephone; such a page costs more when it is answered well.\n"
    "\n"
    "This file is written by `make costs`, and a test fails when it is not what is measured.\n"
    "\n"
    "| page | asked by | answer | requests | round trips | read units | write units |\n"
    "|---|---|---|---|---|---|---|\n";

/* A row up to its numbers, which are one store's. */
static struct str
row_begin(struct arena *arena, const struct row *row)
{
	return str_fmt(arena, "| `%.*s` | %.*s | %d |", STR_ARGS(row->route), STR_ARGS(row->who),
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
