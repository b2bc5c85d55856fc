#ifndef T_WEB_SITE_H
#define T_WEB_SITE_H

#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "web/http/dispatch.h"

/*
 * A site for tests: requests are answered in the process, without a socket. The test sets the
 * answers of its table.
 */
struct fake_table {
	struct table table;
	enum table_rc rc;
	_Atomic uint64_t version;
	_Atomic unsigned reads;
};

static inline enum table_rc
fake_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct fake_table *fake = (struct fake_table *)table;

	(void)call;
	(void)reads;
	(void)count;
	fake->reads++;
	return fake->rc;
}

static inline uint64_t
fake_version(struct table *table)
{
	return ((struct fake_table *)table)->version;
}

static const struct table_engine fake_engine = {
    .name = "fake", .deadline_ms = 1000, .read = fake_read, .version = fake_version};

/*
 * A site with these routes and a table in an unknown state. All of it is the caller's, who starts
 * it.
 */
static inline struct site
site_of(const struct route *routes, size_t count, struct fake_table *table, struct clock *clock)
{
	*clock = clock_fixed(1700000000000, 1);
	*table = (struct fake_table){.table = {&fake_engine, clock}, .version = 1};
	return (struct site){.table = &table->table,
	    .clock = clock,
	    .routes = routes,
	    .route_count = count,
	    .origin = STR("https://site.example")};
}

/* A browser's GET of an address. */
static inline struct request_input
get(struct str uri)
{
	return (struct request_input){.method = STR("GET"),
	    .uri = uri,
	    .scheme = STR("https"),
	    .host = STR("site.example"),
	    .content_length = -1};
}

/* A browser's POST of a form from a page of the same site. */
static inline struct request_input
post(struct str uri, struct str body)
{
	struct request_input in = get(uri);

	in.method = STR("POST");
	in.sec_fetch_site = STR("same-origin");
	in.content_type = STR("application/x-www-form-urlencoded");
	in.content_length = (int64_t)body.len;
	in.body = body;
	return in;
}

/* A header's value in a response; "-" when it has none, "twice" when it has two. */
static inline struct str
header_of(const struct response *rs, struct str name)
{
	struct str head = str_sub(rs->bytes, 0, rs->head_len), found = STR("-");

	while (head.len != 0) {
		struct str value, line = str_cut(head, '\n', &head);

		line = str_cut(line, ':', &value);
		if (str_eq_nocase(line, name))
			found = str_eq(found, STR("-")) ? str_trim(value) : STR("twice");
	}
	return found;
}

static inline struct str
body_of(const struct response *rs)
{
	return str_sub(rs->bytes, rs->head_len, rs->bytes.len);
}

/* Does `s` hold `part`? */
static inline bool
holds(struct str s, struct str part)
{
	return s.len >= part.len && memmem(s.base, s.len, part.base, part.len) != NULL;
}

#endif
