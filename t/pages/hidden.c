/*
 * What not everybody may see is on no page: every link from the front page is followed, with the feeds and
 * the sitemap, and everything that came is searched for it. Nor does a number tell of it: whatever people write
 * that is not for everybody, no page that a stranger gets changes by a byte. And a scheduled post is nowhere
 * before its minute, and everywhere from then on, without anybody doing anything.
 */
#include "browser.h"

#include "../tap.h"

enum { DAY_MS = 86400000 };

/* --- Everything that a stranger can reach --------------------------------------------------------- */

struct crawl {
	struct list addresses; /* found so far; those before `done` were fetched */
	struct list bodies;    /* what was fetched of each, but for those with a form's token */
	size_t done;
	struct buf all; /* everything that came, without references */
	unsigned broken, html;
};

/* A link's address on this site, without its fragment; empty when it leads elsewhere or to a file. */
static struct str
local(struct seeded *s, struct str link)
{
	struct str rest, url = unescaped(s->arena, str_cut(link, '#', &rest));

	if (str_starts(url, SEEDED_ORIGIN))
		url = str_sub(url, SEEDED_ORIGIN.len, url.len);
	if (!str_starts(url, STR("/")) || str_starts(url, STR("/static/")) ||
	    str_starts(url, STR("/media/")) || str_starts(url, STR("//")))
		return STR("");
	return url;
}

static void
collect(struct seeded *s, struct crawl *c, struct str text, struct str begin, struct str end)
{
	struct str link;

	while (between(&text, begin, end, &link)) {
		struct str url = local(s, link);

		if (url.len != 0 && !list_has(&c->addresses, url))
			list_add(s->arena, &c->addresses, url);
	}
}

static void
crawl(struct seeded *s, struct crawl *c)
{
	static const char *const from[] = {
	    "/", "/sitemap.xml", "/sitemap/fixed.xml", "/robots.txt", "/no-such-page", "/?after=x"};

	*c = (struct crawl){.all = {.arena = s->arena}};
	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++)
		list_add(s->arena, &c->addresses, str_of(from[i]));
	for (; c->done < c->addresses.count; c->done++) {
		struct str address = c->addresses.strings[c->done];
		struct answer page = visit(s, address);

		/* A form's token is another one each time. */
		list_add(s->arena, &c->bodies,
		    header(&page, "Set-Cookie").len == 0 ? page.body : STR(""));
		buf_put(&c->all, page.head);
		buf_put(&c->all, unescaped(s->arena, page.body));
		collect(s, c, page.body, STR("href=\""), STR("\""));
		collect(s, c, page.body, STR("src=\""), STR("\""));
		collect(s, c, page.body, STR("<loc>"), STR("</loc>"));
		c->html += holds(header(&page, "Content-Type"), STR("text/html"));
		/* The way back to a list's first page leads to its one address. */
		if (page.status == HTTP_SEE_OTHER && holds(address, STR("?before=")))
			continue;
		if (page.status != HTTP_OK && c->done >= sizeof(from) / sizeof(from[0])) {
			c->broken++;
			fprintf(stderr, "# %.*s is %d\n", STR_ARGS(address), (int)page.status);
		}
	}
}

/* --- What must not be there ------------------------------------------------------------------------ */

/* A few words from the middle of a text, as they stand on a page: no marks of Markdown among them. */
static struct str
words_of(struct str markdown)
{
	struct str best = STR("");
	size_t from = 0;

	for (size_t i = 0; i <= markdown.len; i++) {
		char c = i < markdown.len ? markdown.base[i] : '\n';

		if (c == ' ' || c == ',' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
			continue;
		if (i - from > best.len)
			best = str_sub(markdown, from, i - from);
		from = i + 1;
	}
	return best;
}

static bool
is_hidden_post(struct seeded *s, const struct item *item)
{
	return str_eq(item_string(item, STR("Type")), STR("Post")) &&
	       (!str_eq(item_string(item, STR("Status")), STR("published")) ||
		   !str_eq(item_string(item, STR("Visibility")), STR("public")) ||
		   str_cmp(item_string(item, STR("PublishedAt")),
		       time_format(s->arena, s->clock.fixed_now)) > 0);
}

/* The head of the post that a body is of. */
static const struct item *
head_of(struct seeded *s, const struct item *body)
{
	for (size_t i = 0; i < s->seed.count; i++)
		if (str_eq(item_key(&s->seed.items[i]).pk, item_key(body).pk) &&
		    str_eq(item_string(&s->seed.items[i], STR("Type")), STR("Post")))
			return &s->seed.items[i];
	return body;
}

struct secrets {
	struct list texts, kinds;
};

static void
keep(struct seeded *s, struct secrets *secrets, const char *kind, struct str text)
{
	if (text.len < 5)
		return;
	list_add(s->arena, &secrets->kinds, str_of(kind));
	list_add(s->arena, &secrets->texts, text);
}

static void
find_secrets(struct seeded *s, struct secrets *out)
{
	*out = (struct secrets){.texts = {.count = 0}};
	for (size_t i = 0; i < s->seed.count; i++) {
		const struct item *item = &s->seed.items[i];
		struct str type = item_string(item, STR("Type"));

		if (is_hidden_post(s, item)) {
			keep(s, out, "a hidden post's title", item_string(item, STR("Title")));
			keep(s, out, "a hidden post's id", item_string(item, STR("Id")));
			keep(s, out, "a hidden post's excerpt",
			    words_of(item_string(item, STR("Excerpt"))));
		}
		if (str_eq(type, STR("Body")) && is_hidden_post(s, head_of(s, item)))
			keep(s, out, "a hidden post's text",
			    words_of(item_string(item, STR("Markdown"))));
		if (str_eq(type, STR("Comment")) &&
		    str_eq(item_string(item, STR("Status")), STR("held"))) {
			keep(
			    s, out, "a held comment", words_of(item_string(item, STR("Markdown"))));
			keep(s, out, "a held comment's id", item_string(item, STR("Id")));
		}
		if (str_eq(type, STR("Collection")) &&
		    str_eq(item_string(item, STR("Visibility")), STR("private"))) {
			keep(s, out, "a private collection's name", item_string(item, STR("Name")));
			keep(s, out, "a private collection's id", item_string(item, STR("Id")));
			keep(s, out, "a private collection's description",
			    item_string(item, STR("Description")));
		}
		keep(s, out, "an e-mail address", item_string(item, STR("Email")));
	}
}

static void
nothing_leaks(struct seeded *s)
{
	struct secrets secrets;
	struct crawl c;

	find_secrets(s, &secrets);
	crawl(s, &c);
	ok(c.html > 150, "%u pages are reached from the front page", c.html);
	is_int(c.broken, 0, "... and no link is broken");
	ok(secrets.texts.count > 30, "%zu texts are not for everybody", secrets.texts.count);
	for (size_t i = 0; i < secrets.texts.count; i++)
		ok(!holds(buf_str(&c.all), secrets.texts.strings[i]), "no page has %.*s: %.*s",
		    STR_ARGS(secrets.kinds.strings[i]), STR_ARGS(secrets.texts.strings[i]));
	ok(!holds(buf_str(&c.all), STR("{{")) && !holds(buf_str(&c.all), STR("(null)")),
	    "no page has what a program forgot to fill in");
}

static void
private_collection(struct seeded *s)
{
	struct str id = id_make(s->arena, s->clock.fixed_now - 110 * (int64_t)DAY_MS, 114);

	is_int(visit(s, STR_CONCAT(s->arena, STR("/collection/"), id)).status, HTTP_NOT_FOUND,
	    "a private collection is not found");
}

/* --- By its state ----------------------------------------------------------------------------------- */

/* One post in every state that it can have; its address says no more than it must. */
static void
states(struct seeded *s)
{
	static const struct {
		const char *status, *visibility, *published;
		enum http_status answer;
	} cases[] = {
	    {"published", "public", "2026-11-01T00:00:00.000Z", HTTP_OK},
	    {"published", "public", "2026-11-18T09:30:00.000Z", HTTP_OK},
	    {"published", "public", "2026-11-18T09:30:00.001Z", HTTP_NOT_FOUND},
	    {"published", "followers", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "group", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "private", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "else", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"published", "public", "", HTTP_NOT_FOUND},
	    {"draft", "public", "", HTTP_NOT_FOUND},
	    {"draft", "public", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"unpublished", "public", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"else", "public", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "public", "2026-11-01T00:00:00.000Z", HTTP_GONE},
	    {"deleted", "public", "", HTTP_NOT_FOUND},
	    {"deleted", "private", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "followers", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "group", "2026-11-01T00:00:00.000Z", HTTP_NOT_FOUND},
	    {"deleted", "public", "2026-11-19T00:00:00.000Z", HTTP_NOT_FOUND},
	};
	/* A renamed one, so that both of its addresses can be asked for. */
	struct item post = seeded_item(s, "POST#a-clock-for-the-tide", "METADATA"), before = post;
	struct answer nothing = visit(s, STR("/post/what-nobody-ever-wrote"));

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct answer now, old;

		post = item_shallow(s->arena, &before);
		item_set(s->arena, &post, STR("Status"), value_string(str_of(cases[i].status)));
		item_set(
		    s->arena, &post, STR("Visibility"), value_string(str_of(cases[i].visibility)));
		item_remove(&post, STR("PublishedAt"));
		if (cases[i].published[0] != '\0')
			item_set(s->arena, &post, STR("PublishedAt"),
			    value_string(str_of(cases[i].published)));
		seeded_put(s, &post, 1);
		now = visit(s, STR("/post/a-clock-that-runs-on-the-moon"));
		old = visit(s, STR("/post/a-clock-for-the-tide"));
		is_int(now.status, cases[i].answer, "a post %s, %s, of '%s' is %d", cases[i].status,
		    cases[i].visibility, cases[i].published, (int)cases[i].answer);
		is_int(old.status, cases[i].answer == HTTP_OK ? HTTP_MOVED : cases[i].answer,
		    "... and so under its old address");
		if (cases[i].answer != HTTP_OK)
			ok(!holds(now.body, STR("A clock that runs")) &&
				!holds(old.body, STR("A clock that runs")),
			    "... where nothing of it is told");
		if (cases[i].answer == HTTP_NOT_FOUND) {
			ok(str_eq(now.head, nothing.head) && str_eq(old.head, nothing.head) &&
				str_eq(now.body, nothing.body) && str_eq(old.body, nothing.body),
			    "... as where there is nothing");
			ok(now.cost.round_trips == nothing.cost.round_trips &&
				old.cost.round_trips == nothing.cost.round_trips,
			    "... and no sooner");
		}
		/* Its keys in the lists still stand: a wrong key must not show it either. */
		if (cases[i].answer != HTTP_OK)
			ok(!holds(
			       visit(s, STR("/category/machines")).body, STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/tag/moon")).body, STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/feed.atom")).body, STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/tag/moon/feed.atom")).body,
				    STR("runs-on-the-moon")) &&
				!holds(visit(s, STR("/sitemap.xml")).body, STR("runs-on-the-moon")),
			    "... and no list has it, even where its keys were left");
	}
	seeded_put(s, &before, 1);
}

/* The text of a save that the head, or a list's copy of it, does not know of yet: it might be private since. */
static void
between_saves(struct seeded *s)
{
	struct item body = seeded_item(s, "POST#a-clock-for-the-tide", "BODY");
	struct item newer = item_shallow(s->arena, &body);

	item_set(s->arena, &newer, STR("Revision"), value_number(99));
	item_set(s->arena, &newer, STR("HTML"), value_string(STR("<p>A secret since.</p>")));
	item_set(s->arena, &newer, STR("Markdown"), value_string(STR("A secret since.")));
	seeded_put(s, &newer, 1);
	is_int(visit(s, STR("/post/a-clock-that-runs-on-the-moon")).status, HTTP_UNAVAILABLE,
	    "a post whose text is of another save is not shown");
	ok(holds(visit(s, STR("/tag/moon/feed.atom")).body, STR("runs-on-the-moon")) &&
		!holds(visit(s, STR("/tag/moon/feed.atom")).body, STR("A secret since")),
	    "... and a feed has it without that text");
	seeded_put(s, &body, 1);
	is_int(visit(s, STR("/post/a-clock-that-runs-on-the-moon")).status, HTTP_OK,
	    "... until head and text belong together");
}

/* --- By its time ------------------------------------------------------------------------------------ */

/* Where a post of the category `tides`, by kofi, with the tag `moon`, is to appear. */
static const char *const places[] = {"/", "/category/tides", "/category/water", "/author/kofi",
    "/tag/moon", "/archive/2026/11", "/archive/2026/11/20", "/feed.atom",
    "/category/tides/feed.atom", "/category/water/feed.atom", "/author/kofi/feed.atom",
    "/tag/moon/feed.atom", "/sitemap.xml"};

static void
look(struct seeded *s, bool there, const char *when)
{
	struct answer page;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		page = visit(s, str_of(places[i]));
		ok(holds(page.body, STR("the-longest-low-water")) == there,
		    "%s, %s %s the scheduled post", when, places[i],
		    there ? "has" : "does not have");
	}
	page = visit(s, STR("/post/the-longest-low-water"));
	is_int(page.status, there ? HTTP_OK : HTTP_NOT_FOUND, "%s, its address is %s", when,
	    there ? "a page" : "not found");
}

static void
scheduled(struct seeded *s, size_t cache_bytes)
{
	int64_t now = s->clock.fixed_now, due = now + 2 * (int64_t)DAY_MS;

	seeded_restart(s, cache_bytes);
	look(s, false, "two days before");
	s->clock.fixed_now = due - 1;
	look(s, false, "a millisecond before");
	s->clock.fixed_now = due;
	look(s, true, "at its moment");
	s->clock.fixed_now = now;
	seeded_restart(s, 0);
}

/* --- What a number could tell ----------------------------------------------------------------------- */

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
	struct browser b = browser_of(s, "kofi");

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

/* So many more scheduled posts of kofi's that one query does not answer them all. */
static void
schedule_many(struct seeded *s)
{
	enum { MANY = 1100 };
	struct item *posts = ARENA_ARRAY(s->arena, MANY, struct item);
	struct item user = seeded_item(s, "USER#kofi", "METADATA");
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
	item_set(
	    s->arena, &user, STR("Posts"), value_number(item_number(&user, STR("Posts")) + MANY));
	seeded_put(s, posts, MANY);
	seeded_put(s, &user, 1);
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
		post = seeded_item(s, str_cstring(s->arena, STR_CONCAT(s->arena, STR("POST#"), str_of(left[i]))), "METADATA");
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
	nothing_leaks(&s);
	private_collection(&s);
	states(&s);
	between_saves(&s);
	scheduled(&s, 0);
	scheduled(&s, 8 << 20);
	nobody_can_tell(&s);
	browsers_close(&s);
	return tap_done();
}
