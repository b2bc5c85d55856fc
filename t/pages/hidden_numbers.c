/*
 * No number reveals what is not for everybody: whatever people write that is not, no page of a
 * stranger changes by a byte. And a scheduled post counts from its time on.
 */
#include "browser.h"
#include "crawl.h"
#include "writer.h"

#include "lib/tap.h"

enum { DAY_MS = 86400000 };

/* What kofi writes that is not for everybody, or not yet. */
static const struct {
	const char *slug, *visibility, *when, *first, *then;
} secret_posts[] = {
    {"to-come", "public", "2026-11-18T10:00", "publish", NULL},
    {"to-come-for-followers", "followers", "2026-11-18T10:00", "publish", NULL},
    {"for-followers", "followers", "", "publish", NULL},
    {"for-proofreaders", "group", "", "publish", NULL},
    {"for-me", "private", "", "publish", NULL},
    {"unfinished", "public", "", "save", NULL},
    {"planned", "public", "2026-11-18T10:00", "save", NULL},
    {"taken-back", "public", "", "publish", "unpublish"},
    {"deleted", "public", "", "publish", "delete"},
};

static void
write_secrets(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), noor = browser_of(s, "noor");

	for (size_t i = 0; i < sizeof(secret_posts) / sizeof(secret_posts[0]); i++) {
		const char *then = secret_posts[i].then, *slug = secret_posts[i].slug;
		const char *edit = str_cstring(s->arena, str_fmt(s->arena, "/edit/%s", slug));
		const char *away = str_cstring(s->arena, str_fmt(s->arena, "%s/delete", edit));

		get(&b, "/write/note");
		is_int(
		    SUBMIT(&b, "/write/note", "do", secret_posts[i].first, "markdown", "Not yet.",
			"slug", slug, "category", "tides", "tag", "moon", "tag", "not-a-tag-yet",
			"others", "noor", "visibility", secret_posts[i].visibility, "group",
			"proofreaders", "when", secret_posts[i].when),
		    HTTP_SEE_OTHER, "kofi writes with noor: %s", slug);
		get(&noor, "/desk/requests");
		is_int(SUBMIT(&noor, text_in(s, "/edit/%s/accept", slug), "x", "y"), HTTP_SEE_OTHER,
		    "... who says yes");
		if (then == NULL)
			continue;
		get(&b, strcmp(then, "delete") == 0 ? away : edit);
		is_int(strcmp(then, "delete") == 0
			   ? SUBMIT(&b, away, NULL)
			   : SUBMIT(&b, edit, "do", then, "markdown", "Not yet.", "slug", slug),
		    HTTP_SEE_OTHER, "... and does this: %s", then);
	}
}

/* Puts it into a public collection, at the end. */
static void
collect_secret(struct seeded *s, const char *slug)
{
	struct str id = id_make(s->arena, s->clock.fixed_now - 90 * (int64_t)DAY_MS, 111);
	struct str pk = STR_CONCAT(s->arena, STR("COLLECTION#"), id);
	struct item items[2] = {seeded_item(s, str_cstring(s->arena, pk), "METADATA"),
	    seeded_item(s, str_cstring(s->arena, pk), "POST#0001#the-bell-that-nobody-rings")};

	item_set(s->arena, &items[0], STR("Posts"),
	    value_number(item_number(&items[0], STR("Posts")) + 1));
	item_set(
	    s->arena, &items[1], STR("SK"), value_string(str_fmt(s->arena, "POST#0099#%s", slug)));
	item_set(s->arena, &items[1], STR("Post"), value_string(str_of(slug)));
	seeded_put(s, items, 2);
}

/* More scheduled posts of kofi's than one query returns. */
static void
schedule_many(struct seeded *s)
{
	enum { MANY = 1100 };
	struct item *posts = ARENA_ARRAY(s->arena, MANY, struct item);
	struct item counts = seeded_item(s, "USER#kofi", "COUNTS");
	struct item post = seeded_item(s, "POST#to-come", "METADATA");

	for (int i = 0; i < MANY; i++) {
		struct str id = str_fmt(s->arena, "to-come-%d", i);

		posts[i] = item_shallow(s->arena, &post);
		item_remove(&posts[i], STR("Category"));
		item_remove(&posts[i], STR("GSI2PK"));
		item_remove(&posts[i], STR("Tags"));
		item_remove(&posts[i], STR("Coauthors"));
		item_set(s->arena, &posts[i], STR("Id"), value_string(id));
		item_set(s->arena, &posts[i], STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("POST#"), id)));
		item_set(s->arena, &posts[i], STR("GSI3SK"),
		    value_string(str_fmt(s->arena, "2026-11-18T10:00:00.000Z#to-come-%d", i)));
	}
	item_set(s->arena, &counts, STR("Posts"),
	    value_number(item_number(&counts, STR("Posts")) + MANY));
	seeded_put(s, posts, MANY);
	seeded_put(s, &counts, 1);
}

/* Every page that was there is as it was, and there is no other. */
static void
same_as(struct seeded *s, const struct crawl *before, const char *when)
{
	struct crawl now;
	size_t changed = 0;

	crawl(s, &now);
	is_int((int64_t)now.addresses.count, (int64_t)before->addresses.count,
	    "%s there are as many pages as before", when);
	for (size_t i = 0; i < now.addresses.count && i < before->addresses.count; i++) {
		if (str_eq(now.bodies.strings[i], before->bodies.strings[i]))
			continue;
		changed++;
		fprintf(stderr, "# %.*s has changed\n", STR_ARGS(now.addresses.strings[i]));
	}
	is_int((int64_t)changed, 0, "... and every one is the same, to a stranger");
}

/* Where kofi's post is counted, with noor. */
static const struct {
	const char *address, *begin, *end;
} counts[] = {
    {"/category/tides", "class=\"meta\"", "</p>"},
    {"/category/water", "class=\"meta\"", "</p>"},
    {"/category/water", "href=\"/category/tides\"", "</li>"},
    {"/categories", "href=\"/category/tides\"", "</li>"},
    {"/author/kofi", "class=\"meta\"", "</p>"},
    {"/author/noor", "class=\"meta\"", "</p>"},
    {"/authors", "href=\"/author/noor\"", "</li>"},
    {"/tag/moon", "class=\"meta\"", "</p>"},
    {"/tags", "href=\"/tag/moon\"", "</li>"},
};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

static void
counted_in_time(struct seeded *s)
{
	int64_t now = s->clock.fixed_now, due = now + 30 * 60 * (int64_t)1000;
	struct str before[COUNTS], early, late;

	for (size_t i = 0; i < COUNTS; i++)
		before[i] =
		    part(visit(s, str_of(counts[i].address)).body, counts[i].begin, counts[i].end);
	for (size_t i = 0; i < COUNTS; i++) {
		s->clock.fixed_now = due - 1;
		early =
		    part(visit(s, str_of(counts[i].address)).body, counts[i].begin, counts[i].end);
		s->clock.fixed_now = due;
		late =
		    part(visit(s, str_of(counts[i].address)).body, counts[i].begin, counts[i].end);
		is_str(early, before[i], "a moment before its minute a post is not in what %s says",
		    counts[i].address);
		ok(late.len != 0 && !str_eq(late, before[i]), "... and at its minute it is");
	}
	s->clock.fixed_now = now;
	seeded_restart(s, 0);
}

/* A merge that broke off, with one post left that everybody sees, and with one that is to come. */
static void
half_merged(struct seeded *s, struct browser *orderer, struct browser *admin)
{
	static const char *const left[] = {"to-come", "the-beaufort-scale"};
	struct item ebb = seeded_item(s, "CATEGORY#tides", "METADATA"), post;

	item_set(s->arena, &ebb, STR("PK"), value_string(STR("CATEGORY#ebb")));
	item_set(s->arena, &ebb, STR("GSI3SK"), value_string(STR("~ebb")));
	item_set(s->arena, &ebb, STR("Slug"), value_string(STR("ebb")));
	item_set(s->arena, &ebb, STR("MergedInto"), value_string(STR("tides")));
	item_set(s->arena, &ebb, STR("Posts"), value_number(2));
	seeded_put(s, &ebb, 1);
	for (size_t i = 0; i < 2; i++) {
		post = seeded_item(s,
		    str_cstring(s->arena, STR_CONCAT(s->arena, STR("POST#"), str_of(left[i]))),
		    "METADATA");
		item_set(s->arena, &post, STR("Category"), value_string(STR("ebb")));
		item_set(s->arena, &post, STR("GSI2PK"), value_string(STR("CATEGORY#ebb")));
		seeded_put(s, &post, 1);
	}
	get(orderer, "/admin/categories");
	ok(holds(part(orderer->last.body, "/admin/categories/ebb\"", "</li>"), STR(">1 post<")),
	    "of one that was merged they see how many posts are left");
	get(orderer, "/admin/categories/ebb");
	ok(says(orderer, "1 post still to move"), "... without what is to come, on its page, too");
	get(admin, "/admin/categories/ebb");
	ok(says(admin, "2 posts still to move"), "... of which who oversees the posts knows");
}

static void
nobody_can_tell(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta"), orderer = browser_of(s, "pascal");
	struct crawl before;
	struct str posts, own;

	get(&admin, "/admin/groups");
	SUBMIT(&admin, "/admin/groups", "name", "orderers", "title", "Orderers", "permissions",
	    "categories.edit");
	get(&admin, "/admin/groups/orderers");
	SUBMIT(&admin, "/admin/groups/orderers/members", "username", "pascal");
	get(&orderer, "/admin/categories");
	posts = part(orderer.last.body, "tides · ", " posts");
	get(&orderer, "/admin/categories/tides");
	own = part(orderer.last.body, "tides · ", " public posts");
	crawl(s, &before);
	write_secrets(s);
	get(&orderer, "/admin/categories");
	ok(posts.len != 0 && str_eq(part(orderer.last.body, "tides · ", " posts"), posts),
	    "who puts categories in order sees no number of what is to come");
	get(&orderer, "/admin/categories/tides");
	ok(own.len != 0 && str_eq(part(orderer.last.body, "tides · ", " public posts"), own),
	    "... nor on the page of one");
	get(&admin, "/admin/categories");
	ok(!str_eq(part(admin.last.body, "tides · ", " posts"), posts),
	    "... but who oversees the posts does");
	collect_secret(s, "to-come");
	same_as(s, &before, "when much was written that is not for everybody");
	counted_in_time(s);
	schedule_many(s);
	same_as(s, &before, "when more is scheduled than one query answers");
	half_merged(s, &orderer, &admin);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	nobody_can_tell(&s);
	browsers_close(&s);
	return tap_done();
}
