/*
 * Every list, walked from its newest page to its oldest and back: each public post is there exactly once,
 * newest first, both ways. And what is not a cursor of this list is refused.
 */
#include "seeded.h"

#include "lib/tap.h"

enum { PAGES_MAX = 80 };

/* The address of the link of this class; empty when there is none. */
static struct str
way(struct seeded *s, const struct answer *page, const char *class)
{
	struct str begin = str_fmt(s->arena, "<a class=\"%s\" href=\"", class);

	return unescaped(s->arena, part(page->body, begin.base, "\""));
}

static struct list
posts_of(struct seeded *s, const struct answer *page)
{
	return listed(s->arena, page->body);
}

static size_t
times_in(const struct list *list, struct str post)
{
	size_t times = 0;

	for (size_t i = 0; i < list->count; i++)
		times += str_eq(list->strings[i], post);
	return times;
}

static void
list_put_all(struct seeded *s, struct list *to, const struct list *from)
{
	for (size_t i = 0; i < from->count; i++)
		list_add(s->arena, to, from->strings[i]);
}

static struct list
reversed(struct seeded *s, const struct list *list)
{
	struct list out = {.count = 0};

	for (size_t i = list->count; i-- > 0;)
		list_add(s->arena, &out, list->strings[i]);
	return out;
}

/* A list to walk, and what is to be met on the way. */
struct tour {
	struct str address;
	struct list wanted;
	size_t size; /* of a page */
	bool sheet;  /* the first page has an order of its own */
	struct str last;
	size_t pages;
};

static struct list
newest(const struct tour *tour)
{
	struct list list = tour->wanted;

	list.count = list.count < tour->size ? list.count : tour->size;
	return list;
}

/* The sheet is not sorted by time, and older posts fill it; the newest are on it. Their order is used for it. */
static struct list
unfold(const struct tour *tour, struct list posts)
{
	struct list begin = newest(tour);
	size_t there = 0, twice = 0;

	for (size_t i = 0; i < begin.count; i++)
		there += times_in(&posts, begin.strings[i]) == 1;
	for (size_t i = 0; i < posts.count; i++)
		twice += times_in(&posts, posts.strings[i]) > 1;
	is_int((int64_t)there, (int64_t)begin.count, "%.*s: the sheet has the newest %zu",
	    STR_ARGS(tour->address), tour->size);
	is_int((int64_t)twice, 0, "... and no post twice");
	return begin;
}

static void
walk_down(struct seeded *s, struct tour *tour)
{
	struct list met = {.count = 0};
	struct str url = tour->address;
	size_t full = 0;

	for (; url.len != 0 && tour->pages < PAGES_MAX; tour->pages++) {
		struct answer page = visit(s, url);
		struct list posts = posts_of(s, &page);

		if (page.status != HTTP_OK)
			break;
		if (tour->pages == 0)
			ok(way(s, &page, "newer").len == 0,
			    "%.*s: nothing is newer than its first page", STR_ARGS(tour->address));
		if (tour->pages == 0 && tour->sheet)
			posts = unfold(tour, posts);
		full += posts.count == tour->size;
		list_put_all(s, &met, &posts);
		tour->last = url;
		url = way(s, &page, "older");
	}
	is_str(list_text(s->arena, &met), list_text(s->arena, &tour->wanted),
	    "%.*s, %zu a page: every post once, newest first", STR_ARGS(tour->address), tour->size);
	ok(full + 1 >= tour->pages, "... and every page but the last is full");
}

static void
walk_up(struct seeded *s, struct tour *tour)
{
	struct list met = {.count = 0}, posts;
	struct str url = tour->last;

	for (size_t steps = 1; url.len != 0 && steps < tour->pages; steps++) {
		struct answer page = visit(s, url);

		posts = posts_of(s, &page);
		posts = reversed(s, &posts);
		list_put_all(s, &met, &posts);
		url = way(s, &page, "newer");
	}
	if (tour->pages > 1) {
		struct answer page = visit(s, url);

		is_int(page.status, HTTP_SEE_OTHER, "... the way back leads to the first page");
		is_str(header(&page, "Location"), tour->address, "... under its one address");
	}
	posts = newest(tour);
	posts = reversed(s, &posts);
	list_put_all(s, &met, &posts);
	met = reversed(s, &met);
	is_str(list_text(s->arena, &met), list_text(s->arena, &tour->wanted),
	    "... and the same on the way back");
}

static void
walk(struct seeded *s, const char *address, struct list wanted, int64_t size, bool sheet)
{
	struct tour tour = {str_of(address), wanted, (size_t)size, sheet, STR(""), 0};

	walk_down(s, &tour);
	walk_up(s, &tour);
}

/* A category's posts and those of all under it. */
static bool
under_workshop(const struct item *post, const char *name)
{
	(void)name;
	return in_category(post, "workshop") || in_category(post, "boats") ||
	       in_category(post, "rigging") || in_category(post, "machines");
}

static bool
under_water(const struct item *post, const char *name)
{
	(void)name;
	return in_category(post, "tides") || in_category(post, "instruments") ||
	       in_category(post, "wildlife");
}

static bool
in_time(const struct item *post, const char *name)
{
	return str_starts(item_string(post, STR("PublishedAt")), str_of(name));
}

static void
walks(struct seeded *s, int64_t size)
{
	static const struct {
		const char *address;
		bool (*chosen)(const struct item *post, const char *name);
		const char *name;
	} cases[] = {
	    {"/", every_post, NULL},
	    {"/category/kitchen", in_category, "kitchen"},
	    {"/category/workshop", under_workshop, NULL},
	    {"/category/water", under_water, NULL},
	    {"/author/kofi", by_author, "kofi"},
	    {"/author/pascal", by_author, "pascal"},
	    {"/tag/tides", with_tag, "tides"},
	    {"/tag/moon", with_tag, "moon"},
	    {"/archive/2026/11", in_time, "2026-11"},
	    {"/archive/2026/11/17", in_time, "2026-11-17"},
	};

	seeded_page_size(s, size);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		walk(s, cases[i].address, wanted_posts(s, cases[i].chosen, cases[i].name), size,
		    i == 0);
}

/* Cursors that are not this list's. */
static void
refusals(struct seeded *s)
{
	static const char *const lists[] = {"/", "/category/workshop", "/category/kitchen",
	    "/author/kofi", "/tag/tides", "/archive/2026/11"};
	struct answer page;
	struct str cursor[8];
	size_t count = sizeof(lists) / sizeof(lists[0]);

	seeded_page_size(s, 2);
	for (size_t i = 0; i < count; i++) {
		page = visit(s, str_of(lists[i]));
		str_cut(way(s, &page, "older"), '=', &cursor[i]);
		ok(cursor[i].len > 20, "%s has a cursor", lists[i]);
	}
	for (size_t i = 0; i < count; i++) {
		char *changed = str_cstring(s->arena, cursor[i]);
		struct str one = str_of(lists[i]), other = cursor[(i + 1) % count];
		size_t middle = cursor[i].len / 2;
		unsigned refused = 0;
		struct str cases_[7];

		changed[middle] = changed[middle] == 'A' ? 'B' : 'A';
		cases_[0] = str_of(changed);
		cases_[1] = other;
		cases_[2] = str_sub(cursor[i], 0, cursor[i].len - 4);
		cases_[3] = STR("x");
		cases_[4] = STR("%00");
		cases_[5] = STR("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
		cases_[6] = STR_CONCAT(s->arena, cursor[i], STR("AAAA"));
		for (size_t j = 0; j < 7; j++) {
			page = visit(s, STR_CONCAT(s->arena, one, STR("?after="), cases_[j]));
			refused += page.status == HTTP_BAD_REQUEST;
			page = visit(s, STR_CONCAT(s->arena, one, STR("?before="), cases_[j]));
			refused += page.status == HTTP_BAD_REQUEST;
		}
		is_int(refused, 14, "%s refuses changed, foreign and invented cursors", lists[i]);
		/* One that goes the other way is of this list and still none of this question. */
		page = visit(s, STR_CONCAT(s->arena, one, STR("?before="), cursor[i]));
		is_int(page.status, HTTP_BAD_REQUEST, "... and one that leads the other way");
	}
}

/* The very first page of a process, which is kept, is as long as the settings say. */
static void
first_page(struct seeded *s)
{
	struct answer answer;
	struct list posts;

	seeded_page_size(s, 3);
	seeded_restart(s, 1 << 20);
	answer = visit(s, STR("/author/kofi"));
	posts = listed(s->arena, answer.body);
	is_int((int64_t)posts.count, 3,
	    "the first page of a process has as many posts as the settings say");
	seeded_page_size(s, 5);
	answer = visit(s, STR("/author/kofi"));
	posts = listed(s->arena, answer.body);
	is_int((int64_t)posts.count, 5, "and so has the first one after they have changed");
	seeded_restart(s, 0);
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	walks(&s, 1);
	walks(&s, 3);
	walks(&s, 12);
	walks(&s, 100);
	refusals(&s);
	first_page(&s);
	seeded_close(&s);
	return tap_done();
}
