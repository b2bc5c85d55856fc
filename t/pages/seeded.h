#ifndef T_PAGES_SEEDED_H
#define T_PAGES_SEEDED_H

#include "lib/store.h"

#include "base/arena.h"
#include "base/clock.h"
#include "cli/seed.h"
#include "web/http/dispatch.h"

/*
 * The whole program without its sockets, for tests of pages: its routes and templates with a table
 * that has the seed (see lib/store.h: tests run on both stores), at a fixed time.
 */
#define SEEDED_ORIGIN STR("https://slack.example")
#define SEEDED_NOW STR("2026-11-18T09:30:00.000Z")

struct seeded {
	struct site site;
	struct clock clock;  /* fixed_now may be moved */
	struct arena *arena; /* of everything here, and of all answers */
	struct test_store store;
	struct table *table; /* of the store */
	struct seed seed;    /* what was loaded */
};

/*
 * Ends the test when anything goes wrong; seeded_close() removes the table, of which each item must be what its kind
 * says, whatever was done to it.
 */
void seeded_open(struct seeded *s);
void seeded_close(struct seeded *s);

/* Gives the site a page cache of that many bytes, or none, and drops the cached publication. */
void seeded_restart(struct seeded *s, size_t cache_bytes);

/* Puts items past the program, as a new load would. */
void seeded_put(struct seeded *s, const struct item *items, size_t count);

/* A stored item; the test ends when it is not there. */
struct item seeded_item(struct seeded *s, const char *pk, const char *sk);

/* What an item has that its kind does not say (model/kinds.h), and in *name where; NULL: nothing. */
const char *seeded_kind_wrong(const struct item *item, struct str *name);

/* Sets PostsPerPage. */
void seeded_page_size(struct seeded *s, int64_t posts);

/* An answer, in the site's arena. */
struct answer {
	enum http_status status;
	struct str head, body;
	struct table_cost cost;
	bool cached;
	const char *why; /* what the log says of a 429, 500 or 503; NULL: nothing */
};

/* A stranger's GET of an address, or whatever `in` says. */
struct answer visit(struct seeded *s, struct str address);
struct answer visit_as(struct seeded *s, const struct request_input *in);

/* A header's value; empty when there is none. */
struct str header(const struct answer *answer, const char *name);

/* --- Reading what came ---------------------------------------------------------------------------- */

/*
 * The text between two marks, the first one in *rest, which is moved past it. False: there is none.
 */
bool between(struct str *rest, struct str begin, struct str end, struct str *found);

/* The same in the whole text; empty when it is nowhere. */
struct str part(struct str text, const char *begin, const char *end);

/* How often a part occurs. */
size_t count_of(struct str text, struct str part);
static inline bool
holds(struct str text, struct str what)
{
	return count_of(text, what) != 0;
}

/* The text of HTML or XML without its references: &amp; and its like. */
struct str unescaped(struct arena *arena, struct str text);

/* Strings one after another, in an arena. */
struct list {
	struct str *strings;
	size_t count, capacity;
};
void list_add(struct arena *arena, struct list *list, struct str string);
bool list_has(const struct list *list, struct str string);
void list_sort(struct list *list);
/* All of them, each on a line, for comparing. */
struct str list_text(struct arena *arena, const struct list *list);

/* The addresses of the posts that a page lists, in their order: where their headings lead. */
struct list listed(struct arena *arena, struct str page);

/* The addresses of the public posts of the seed that the test chooses, newest first, at this moment. */
struct list wanted_posts(
    struct seeded *s, bool (*chosen)(const struct item *post, const char *name), const char *name);
bool every_post(const struct item *post, const char *name);
bool by_author(const struct item *post, const char *name);
bool with_tag(const struct item *post, const char *name);
bool in_category(const struct item *post, const char *name);

#endif
