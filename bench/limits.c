/*
 * bench/limits [--seconds N] [ACTION...]: how much readers can do at one place, where DynamoDB's limits are enforced.
 *
 * Forms are sent to the whole program, without its sockets, by somebody else each, at random moments, so many a second
 * for N seconds (60): likes of one post, comments on one post, follows of one person, new posts on the site, in one category
 * with the same two tags. The table is bench/service.h, a simulation of DynamoDB's limits in virtual time, in
 * front of the embedded one: 1,000 write units and 3,000 read units a second for each partition of the table and of each index,
 * and transactions that hold their items for 10 ms and cancel those that meet them. What is counted is what is
 * refused in the end, after the program's own retries. Counts are folded every 30 seconds meanwhile.
 *
 * Wanted: with fewer than 1 % refused, at least 400 likes, 50 comments, 50 follows and 20 posts a second. Then the rate
 * goes up by a quarter at a time, a third as long each, until more is refused, and it says where that was. Time is virtual: the
 * figures are the same on every machine. What a browser asks for next, the page that it is led to, is not in it.
 *
 *	script/build opt bench/limits && build/opt/bench/limits
 */
#include "../t/pages/browser.h"
#include "service.h"

#include "../t/lib/tap.h"
#include "base/buf.h"
#include "model/people/session.h"
#include "model/people/user.h"
#include "model/post/count.h"
#include "text/url.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 26000, AT_ONCE = 500, FOLD_US = 30000000, STEPS_MAX = 12, FORM_AGE_MS = 60000 };

struct person {
	struct str name, cookie, csrf;
};

struct bench {
	struct seeded s;
	struct virtual_time *time;
	struct service *service;
	struct person *people;
	struct list posts; /* ids of articles that are not those people's */
	unsigned next_person, next_subject;
	uint64_t state;
	double seconds;
};

/* What is sent: where, and what besides the token. */
struct sent {
	struct str path;
	struct buf body;
};

struct deed {
	const char *name;
	double wanted;
	void (*fill)(struct bench *b, struct arena *arena, struct str subject, unsigned n,
	    struct sent *form);
	struct str (*subject)(struct bench *b);
};

struct run {
	struct bench *b;
	const struct deed *deed;
	struct str subject;
	unsigned sent, refused;
	double *took; /* of each, in milliseconds */
	double end;
};

struct op {
	struct run *run;
	struct person *by;
	unsigned n;
};

static double
chance(struct bench *b)
{
	b->state = b->state * 6364136223846793005U + 1442695040888963407U;
	return (double)((b->state >> 33) + 1) / (1U << 31);
}

/* --- What they do ------------------------------------------------------------------------------------- */

static struct str
next_post(struct bench *b)
{
	return b->posts.strings[b->next_subject++ % b->posts.count];
}

static struct str
next_author(struct bench *b)
{
	return b->people[PEOPLE - 1 - b->next_subject++].name;
}

static struct str
nothing(struct bench *b)
{
	(void)b;
	return STR("");
}

static void
like(struct bench *b, struct arena *arena, struct str post, unsigned n, struct sent *form)
{
	(void)b;
	(void)n;
	form->path = STR_CONCAT(arena, STR("/react/"), post);
	put_field(&form->body, STR("like"), STR("like"));
}

static void
comment(struct bench *b, struct arena *arena, struct str post, unsigned n, struct sent *form)
{
	form->path = STR_CONCAT(arena, STR("/post/"), post, STR("/comment"));
	put_field(&form->body, STR("do"), STR("send"));
	put_field(&form->body, STR("once"),
	    id_make(arena, b->s.clock.fixed_now - FORM_AGE_MS, n));
	put_field(&form->body, STR("text"),
	    STR("The tide turns when it turns, and not when the table says so. I have stood on the "
		"ferry steps with the table in my hand and watched the river stand still a quarter of "
		"an hour before its time, with the wind behind it, and my father before me. What the "
		"table is good for is knowing when to leave the house."));
}

static void
follow(struct bench *b, struct arena *arena, struct str person, unsigned n, struct sent *form)
{
	(void)b;
	(void)n;
	form->path = STR_CONCAT(arena, STR("/author/"), person, STR("/follow"));
	put_field(&form->body, STR("do"), STR("follow"));
}

static void
publish(struct bench *b, struct arena *arena, struct str nothing_else, unsigned n, struct sent *form)
{
	(void)nothing_else;
	form->path = STR("/write/article");
	put_field(&form->body, STR("once"),
	    id_make(arena, b->s.clock.fixed_now - FORM_AGE_MS, n));
	put_field(&form->body, STR("do"), STR("publish-anyway"));
	put_field(&form->body, STR("title"), str_fmt(arena, "The ferry on day %u, %u", b->next_person, n));
	put_field(&form->body, STR("excerpt"), STR("What it carried, and what it did not."));
	put_field(&form->body, STR("markdown"),
	    STR("It went over in the quarter of an hour in which the river stands still.\n\nNobody "
		"was late, and nobody was early."));
	put_field(&form->body, STR("category"), STR("town"));
	put_field(&form->body, STR("tag"), STR("ferry"));
	put_field(&form->body, STR("tag"), STR("river"));
	put_field(&form->body, STR("visibility"), STR("public"));
}

static const struct deed deeds[] = {
    {"likes", 400, like, next_post},
    {"comments", 50, comment, next_post},
    {"follows", 50, follow, next_author},
    {"posts", 20, publish, nothing},
};
enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

/* --- People ------------------------------------------------------------------------------------------- */

static struct response
ask(struct bench *b, struct arena *arena, const struct person *p, const char *method, struct str uri,
    struct str body)
{
	unsigned n = (unsigned)(p - b->people);
	struct request_input in = {.method = str_of(method),
	    .uri = uri,
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .remote_addr = str_fmt(arena, "10.%u.%u.1", n >> 8, n & 255),
	    .sec_fetch_site = STR("same-origin"),
	    .cookie = p->cookie,
	    .content_length = -1};
	struct response rs;

	if (body.len != 0) {
		in.content_type = STR("application/x-www-form-urlencoded");
		in.body = body;
		in.content_length = (int64_t)body.len;
	}
	site_respond(&b->s.site, &in, arena, &rs);
	return rs;
}

/* Somebody whom nobody has to trust first: they may publish, so what they say is seen at once. */
static void
add_person(struct bench *b, unsigned n, struct item *user, struct item *session)
{
	struct arena *arena = b->s.arena;
	struct person *p = &b->people[n];
	struct str token = session_token(arena, &b->s.clock);
	struct session of = {.hash = session_hash(arena, token),
	    .agent = STR("Bench/1"),
	    .role = STR("author"),
	    .created = b->s.clock.fixed_now,
	    .used = b->s.clock.fixed_now};
	struct item template = seeded_item(&b->s, "USER#kofi", "METADATA");

	p->name = of.username = str_fmt(arena, "person%05u", n);
	p->cookie = str_fmt(arena, "__Host-session=%.*s.%.*s", STR_ARGS(p->name), STR_ARGS(token));
	*user = template;
	item_set(arena, user, STR("PK"), value_string(STR_CONCAT(arena, STR("USER#"), p->name)));
	item_set(arena, user, STR("Username"), value_string(p->name));
	item_set(arena, user, STR("GSI2SK"), value_string(p->name));
	item_set(arena, user, STR("GSI3SK"), value_string(p->name));
	item_remove(user, STR("GSI4PK"));
	item_remove(user, STR("GSI4SK"));
	item_remove(user, STR("Email"));
	item_set(arena, user, STR("Posts"), value_number(0));
	*session = session_put(arena, &of).item;
}

static void
add_people(struct bench *b)
{
	struct item items[2 * AT_ONCE];
	struct arena *arena = arena_new();

	b->people = ARENA_ARRAY(b->s.arena, PEOPLE, struct person);
	for (unsigned n = 0; n < PEOPLE; n += AT_ONCE) {
		for (unsigned i = 0; i < AT_ONCE; i++)
			add_person(b, n + i, &items[2 * i], &items[2 * i + 1]);
		seeded_put(&b->s, items, (size_t)2 * AT_ONCE);
	}
	for (unsigned n = 0; n < PEOPLE; n++) {
		struct str uri = STR_CONCAT(
		    arena, STR("/react/"), b->posts.strings[0], STR("?like=like"));
		struct response rs = ask(b, arena, &b->people[n], "GET", uri, STR(""));
		struct str csrf = part(buf_str(&rs.body), "name=\"csrf\" value=\"", "\"");

		if (csrf.len == 0)
			bail_out("no form: %d", (int)rs.status);
		b->people[n].csrf = str_dup(b->s.arena, csrf);
		response_release(&rs);
		arena_reset(arena);
	}
	arena_free(arena);
}

/* --- A run -------------------------------------------------------------------------------------------- */

static void
send_form(void *data)
{
	struct op *op = data;
	struct run *run = op->run;
	struct bench *b = run->b;
	struct arena *arena = arena_new();
	struct sent form = {.body = {.arena = arena}};
	int64_t began = virtual_now(b->time);
	struct response rs;

	put_field(&form.body, STR("csrf"), op->by->csrf);
	run->deed->fill(b, arena, run->subject, op->n, &form);
	rs = ask(b, arena, op->by, "POST", form.path, buf_str(&form.body));
	if (rs.status != HTTP_SEE_OTHER && rs.status != HTTP_UNAVAILABLE &&
	    rs.status != HTTP_CONFLICT)
		bail_out("%s: status %d: %.*s", run->deed->name, (int)rs.status,
		    STR_ARGS(buf_str(&rs.body)));
	run->refused += rs.status != HTTP_SEE_OTHER;
	run->took[op->n] = (double)(virtual_now(b->time) - began) / 1000;
	response_release(&rs);
	arena_free(arena);
	free(op);
}

/* What the sweeper of one process does. */
static void
fold(void *data)
{
	struct run *run = data;
	struct arena *arena = arena_new();

	while ((double)virtual_now(run->b->time) + FOLD_US < run->end) {
		size_t folded = 1;

		virtual_sleep(run->b->time, FOLD_US);
		while (folded != 0) {
			struct table_call call = {.arena = arena};

			if (count_fold_marked(service_table(run->b->service), &call, &folded) != TABLE_OK)
				break;
			arena_reset(arena);
		}
	}
	arena_free(arena);
}

static int
compare(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The percentage that is refused; `why` also says where. */
static double
measure(struct bench *b, const struct deed *deed, double rate, double seconds, bool why)
{
	struct run run = {.b = b, .deed = deed, .subject = deed->subject(b)};
	double at = (double)virtual_now(b->time), share, most = rate * seconds * 1.2 + 100;
	struct service_report r;

	service_report(b->service, &r);
	run.took = calloc((size_t)most, sizeof(double));
	run.end = at + seconds * 1e6;
	for (at += -log(chance(b)) / rate * 1e6; at < run.end && run.sent < most;
	     at += -log(chance(b)) / rate * 1e6) {
		struct op *op = malloc(sizeof(*op));

		*op = (struct op){&run, &b->people[b->next_person++ % (PEOPLE - 100)], run.sent++};
		virtual_start(b->time, (int64_t)at, send_form, op);
	}
	virtual_start(b->time, virtual_now(b->time), fold, &run);
	service_enforce(b->service, true);
	virtual_run(b->time);
	service_enforce(b->service, false);
	service_report(b->service, &r);
	share = 100.0 * run.refused / run.sent;
	qsort(run.took, run.sent, sizeof(double), compare);
	printf("%-9s %6.0f a second: %5.2f %% refused, 50 %% within %4.0f ms, 99 %% within %5.0f ms; "
	       "%.2f attempts each\n",
	    deed->name, rate, share, run.took[run.sent / 2], run.took[run.sent * 99 / 100],
	    (double)r.transactions / run.sent);
	printf("%26smost is written to %.*s: %.0f units a second\n", "", STR_ARGS(r.busiest),
	    r.busiest_units / seconds);
	if (why && r.conflicts != 0)
		printf("%26s%llu conflicts, most at %.*s: %llu\n", "", (unsigned long long)r.conflicts,
		    STR_ARGS(r.item), (unsigned long long)r.item_conflicts);
	if (why && r.throttled != 0)
		printf("%26s%llu throttled, most by %.*s: %llu\n", "", (unsigned long long)r.throttled,
		    STR_ARGS(r.partition), (unsigned long long)r.partition_throttled);
	fflush(stdout);
	free(run.took);
	return share;
}

static void
try(struct bench *b, const struct deed *deed)
{
	double rate = deed->wanted;
	double share = measure(b, deed, rate, b->seconds, true);

	printf("%26s%s: at least %.0f are wanted\n", "", share < 1 ? "enough" : "TOO FEW", rate);
	for (int i = 0; share < 1 && i < STEPS_MAX; i++) {
		rate *= 1.25;
		share = measure(b, deed, rate, b->seconds / 3, true);
	}
}

static bool
is_wanted(int argc, char **argv, const char *name)
{
	bool all = true;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--seconds") == 0) {
			i++;
			continue;
		}
		all = false;
		if (strcmp(argv[i], name) == 0)
			return true;
	}
	return all;
}

int
main(int argc, char **argv)
{
	static struct bench b = {.state = 1, .seconds = 60};

	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], "--seconds") == 0)
			b.seconds = atof(argv[i + 1]);
	browsers_open(&b.s);
	for (size_t i = 0; i < b.s.seed.count; i++) {
		const struct item *item = &b.s.seed.items[i];

		if (str_eq(item_string(item, STR("Kind")), STR("article")) &&
		    str_eq(item_string(item, STR("GSI3PK")), STR("POST")) &&
		    str_cmp(item_string(item, STR("GSI3SK")), SEEDED_NOW) < 0)
			list_add(b.s.arena, &b.posts, item_string(item, STR("Id")));
	}
	add_people(&b);
	b.time = virtual_new(&b.s.clock);
	b.service = service_new(b.time, b.s.table, &b.s.clock);
	b.s.site.table = service_table(b.service);
	b.s.site.deadline_ms = 0;
	for (size_t i = 0; i < DEEDS; i++)
		if (is_wanted(argc, argv, deeds[i].name))
			try(&b, &deeds[i]);
	b.s.site.table = b.s.table;
	service_free(b.service);
	virtual_free(b.time);
	browsers_close(&b.s);
	return 0;
}
