/* What does not fit on one page goes on behind a link: a long thread, a long collection. */
#include "seeded.h"

#include "../tap.h"

enum { COMMENTS = 230, ENTRIES = 120, DAY_MS = 86400000 };

static struct str
comment_id(struct seeded *s, int n)
{
	return id_make(s->arena, s->clock.fixed_now - DAY_MS + n, (uint32_t)n);
}

/* Every other comment answers the one before it. */
static void
put_thread(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, COMMENTS, struct item);

	for (int i = 0; i < COMMENTS; i++) {
		struct str id = comment_id(s, i), path = id;

		if (i % 2 != 0)
			path = STR_CONCAT(s->arena, comment_id(s, i - 1), STR("."), id);
		item_set(s->arena, &items[i], STR("PK"), value_string(STR("POST#green-flash")));
		item_set(s->arena, &items[i], STR("SK"),
		    value_string(STR_CONCAT(s->arena, STR("COMMENT#"), path)));
		item_set(s->arena, &items[i], STR("Type"), value_string(STR("Comment")));
		item_set(s->arena, &items[i], STR("Id"), value_string(id));
		item_set(s->arena, &items[i], STR("Author"), value_string(STR("pascal")));
		item_set(s->arena, &items[i], STR("Status"), value_string(STR("visible")));
		item_set(s->arena, &items[i], STR("Markdown"),
		    value_string(str_fmt(s->arena, "This is comment %d.", i)));
		item_set(s->arena, &items[i], STR("CreatedAt"),
		    value_string(STR("2026-11-17T09:30:00.000Z")));
	}
	seeded_put(s, items, COMMENTS);
}

static void
long_thread(struct seeded *s)
{
	struct str url = STR("/post/green-flash"), comments, text;
	struct buf met = {.arena = s->arena}, wanted = {.arena = s->arena};
	unsigned pages = 0;

	put_thread(s);
	for (int i = 0; i < COMMENTS; i++)
		buf_fmt(&wanted, "This is comment %d.\n", i);
	for (; url.len != 0 && pages < 10; pages++) {
		struct answer page = visit(s, url);

		is_int(page.status, HTTP_OK, "a part of a long thread is there");
		is_int(holds(page.body, STR("<link rel=\"canonical\" "
					    "href=\"https://slack.example/post/green-flash\">")),
		    pages == 0, "... the first under its post's name");
		is_int(holds(page.body, STR("noindex")), pages != 0,
		    "... which is the one for search engines");
		comments = part(page.body, "<ol class=\"thread\">", "</ol>");
		while (between(&comments, STR("<p>This"), STR("</p>"), &text))
			buf_fmt(&met, "This%.*s\n", STR_ARGS(text));
		url = unescaped(
		    s->arena, part(page.body, "<a class=\"button\" href=\"", "#comments\""));
	}
	is_int(pages, 3, "230 comments are on three pages");
	is_str(buf_str(&met), buf_str(&wanted), "... each of them once, in reading order");
	is_int(visit(s, STR("/post/green-flash?after=x")).status, HTTP_BAD_REQUEST,
	    "... and an invented way on is refused");
}

/* A collection whose first and last posts there are, and between them what has gone. */
static void
long_collection(struct seeded *s)
{
	struct str id = id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)DAY_MS, 111), url;
	struct item *items = ARENA_ARRAY(s->arena, ENTRIES, struct item);
	struct list met = {.count = 0};
	unsigned pages = 0;

	for (int i = 0; i < ENTRIES; i++) {
		struct str post =
		    i == ENTRIES - 1 ? STR("green-flash") : str_fmt(s->arena, "gone-%d", i);

		item_set(s->arena, &items[i], STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("COLLECTION#"), id)));
		item_set(s->arena, &items[i], STR("SK"),
		    value_string(str_fmt(s->arena, "POST#%04d#%.*s", i + 100, STR_ARGS(post))));
		item_set(s->arena, &items[i], STR("Type"), value_string(STR("CollectionPost")));
		item_set(s->arena, &items[i], STR("Post"), value_string(post));
		item_set(s->arena, &items[i], STR("Note"), value_string(STR("a note about it")));
	}
	seeded_put(s, items, ENTRIES);
	url = STR_CONCAT(s->arena, STR("/collection/"), id);
	for (; url.len != 0 && pages < 10; pages++) {
		struct answer page = visit(s, url);
		struct list posts = listed(s->arena, page.body);

		is_int((int64_t)count_of(page.body, STR("a note about it")), pages == 2,
		    "a note is shown with its post, or not at all");
		for (size_t i = 0; i < posts.count; i++)
			list_add(s->arena, &met, posts.strings[i]);
		url = unescaped(s->arena, part(page.body, "<a class=\"older\" href=\"", "\""));
	}
	is_int(pages, 3, "a long collection goes on behind a link");
	is_int((int64_t)met.count, 7, "... with all posts that there are");
	is_str(met.strings[met.count - 1], STR("/post/green-flash"), "... to the last");
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	long_thread(&s);
	long_collection(&s);
	seeded_close(&s);
	return tap_done();
}
