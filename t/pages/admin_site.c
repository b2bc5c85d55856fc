/*
 * The staff's pages about the publication: its settings, which are on every page at once, its categories, and
 * everybody's posts.
 */
#include "staff.h"
#include "writer.h"

#include "model/site/colour.h"
#include "model/site/settings.h"

/* --- Settings --------------------------------------------------------------------------------------- */

#define SETTINGS(b, name, language, posts, zone)                                           \
	SUBMIT((b), "/admin/settings", "name", name, "tagline", "Twice a day", "language", \
	    language, "registration", "open", "posts_per_page", posts, "time_zone", zone,  \
	    "picture", "/media/front.png", "footer", "Printed *here*.")

#define NEWNESS(b, percent)                                                                  \
	SUBMIT((b), "/admin/settings", "name", "High Water", "language", "en", "registration", \
	    "open", "posts_per_page", "7", "time_zone", "UTC", "search_newness", percent)

static void
settings(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), stranger = browser(s, "192.0.2.60");
	struct audit_entry last;
	size_t before = lines(s);

	get(&b, "/admin/settings");
	ok(says(&b, "<select id=\"settings-time_zone\"") &&
		says(&b, "<option value=\"Europe/Vienna\">"),
	    "all time zones are there to choose from");
	ok(says(&b, "value=\"Slack Water\"") && says(&b, "value=\"approval\" selected"),
	    "the settings as they are");
	is_int(SETTINGS(&b, "", "english!", "101", "Lisbon time"), HTTP_UNPROCESSABLE,
	    "settings that are wrong");
	ok(says(&b, "A publication has a name."), "... each says how: the name");
	ok(says(&b, "value=\"101\""), "... and keeps what was typed");
	is_int(SETTINGS(&b, "High Water", "english!", "7", "Lisbon time"), HTTP_UNPROCESSABLE,
	    "a language and a time zone that are none");
	is_int(SETTINGS(&b, "High Water", "en", "7", "Europe/Nowhere"), HTTP_UNPROCESSABLE,
	    "a time zone that looks like one, and is not known");
	ok(says(&b, "This zone is not known here.") && says(&b, "value=\"Europe/Nowhere\""),
	    "... says so, and keeps it");
	ok(!says(&b, "href=\"#settings-language\""), "... of nothing else");
	is_int(
	    SETTINGS(&b, "High Water", "english!", "7", "Lisbon time"), HTTP_UNPROCESSABLE, "both");
	ok(says(&b, "href=\"#settings-language\"") && says(&b, "href=\"#settings-time_zone\""),
	    "... say so");
	is_int((int64_t)lines(s), (int64_t)before, "... nothing is done");
	get(&stranger, "/");
	ok(says(&stranger, "Slack Water"), "the site has its name still");
	is_int(SETTINGS(&b, "High Water", "pt-PT", "7", "Europe/Lisbon"), HTTP_SEE_OTHER,
	    "settings that are right");
	is_int((int64_t)(logged(s, &last) - before), 1, "... are logged");
	ok(str_starts(last.change, STR("name: Slack Water → High Water; tagline: ")),
	    "... as what changed");
	get(&stranger, "/tags");
	ok(says(&stranger, "High Water") && says(&stranger, "Twice a day") &&
		says(&stranger, "lang=\"pt-PT\"") && says(&stranger, "Printed <em>here</em>.") &&
		says(&stranger, "/media/front.png\">"),
	    "... and are on every page at once");
	is_int((int64_t)listed(s->arena, (get(&stranger, "/tag/tides"), stranger.last.body)).count,
	    7, "... lists have their length");
	is_int(get(&stranger, "/register"), HTTP_OK, "... and all may register");
	before = lines(s);
	get(&b, "/admin/settings");
	is_int(SETTINGS(&b, "High Water", "pt-PT", "7", "Europe/Lisbon"), HTTP_SEE_OTHER,
	    "the same once more");
	is_int((int64_t)lines(s), (int64_t)before, "... is nothing to log");
}

/* How much the search prefers new posts; what that does is tried in searching.c. */
static void
newness(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");
	struct item item;
	struct settings is;

	settings_from_item(s->arena, NULL, &is);
	is_int(is.search_newness, 20, "a search prefers what is new, by 20 percent");
	for (int i = 0; i < 3; i++) {
		static const char *const typed[] = {"51", "-1", "half"};

		get(&b, "/admin/settings");
		is_int(NEWNESS(&b, typed[i]), HTTP_UNPROCESSABLE, "by “%s” it can’t", typed[i]);
		ok(says(&b, "Write a whole number from 0 to 50.") &&
			says(&b, str_cstring(s->arena, str_fmt(s->arena, "value=\"%s\"", typed[i]))),
		    "... which is said, and kept");
	}
	is_int(NEWNESS(&b, "50"), HTTP_SEE_OTHER, "by 50 it can");
	get(&b, "/admin/settings");
	ok(says(&b, "name=\"search_newness\" value=\"50\""), "... which is shown");
	is_int(NEWNESS(&b, "0"), HTTP_SEE_OTHER, "by 0, too");
	item = seeded_item(s, "SITE", "SETTINGS");
	settings_from_item(s->arena, &item, &is);
	is_int(is.search_newness, 0, "... which is not the default");
}

/* --- How it looks ----------------------------------------------------------------------------------- */

#define LOOK(b, colour)                                                                  \
	(get((b), "/admin/settings"), SUBMIT((b), "/admin/settings", "name", "High Water", "language", "en", \
	    "registration", "open", "posts_per_page", "7", "time_zone", "UTC", "colour", colour))

static bool
kept_for_an_hour(struct seeded *s, struct str query)
{
	const struct answer css = visit(s, STR_CONCAT(s->arena, STR("/colours.css"), query));

	return holds(header(&css, "Cache-Control"), STR("max-age=3600"));
}

static void
unreadable(struct seeded *s, struct browser *b)
{
	static const char *const colours[] = {"#ffcc00", "#ffffff", "#c8c1b1", "#7f7f7f", "#ff0000"};

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++) {
		struct str better = colour_for_light(s->arena, str_of(colours[i]));

		is_int(LOOK(b, colours[i]), HTTP_UNPROCESSABLE, "%s can’t be read on light paper", colours[i]);
		ok(says(b, "Nobody could read this on light paper: its contrast is ") &&
			has_value(b, "colour", colours[i]) && has_value(b, "name", "High Water"),
		    "... which is said, and nothing is lost");
		ok(holds(b->last.body, better) && colour_contrast(better) >= COLOUR_CONTRAST_MIN,
		    "... with one that can");
	}
	is_int(LOOK(b, "yellow"), HTTP_UNPROCESSABLE, "a word is no colour");
	ok(says(b, "Write a colour as # and six digits"), "... which is said");
}

static void
look(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");
	struct str url, css;

	is_int(LOOK(&b, ""), HTTP_SEE_OTHER, "no colour is chosen");
	ok(!stranger_sees(s, "/", "/colours.css"), "... and the site has the style's own");
	unreadable(s, &b);
	is_int(LOOK(&b, "#1F4E79"), HTTP_SEE_OTHER, "a colour that can be read");
	url = part(visit(s, STR("/")).body, "<link rel=\"stylesheet\" href=\"/colours.css", "\"");
	css = visit(s, STR_CONCAT(s->arena, STR("/colours.css"), url)).body;
	ok(kept_for_an_hour(s, url) && !kept_for_an_hour(s, STR("")) && !kept_for_an_hour(s, str_sub(url, 0, url.len - 1)) &&
		!kept_for_an_hour(s, STR_CONCAT(s->arena, STR("?v="), str_sub(url, url.len - 1, url.len))),
	    "only the address that pages name is kept for an hour");
	ok(holds(css, STR(":root { --second: #1f4e79;")), "... the colour is in a stylesheet");
	ok(holds(css, colour_for_dark(s->arena, STR("#1f4e79"))) &&
		!str_eq(colour_for_dark(s->arena, STR("#1f4e79")), STR("#1f4e79")),
	    "... and a lighter one for the dark");
	get(&b, "/admin/categories/town");
	is_int(SUBMIT(&b, "/admin/categories/town", "name", "The Town", "colour", "#eeeeee"), HTTP_UNPROCESSABLE,
	    "a section's colour has to be read, too");
	ok(says(&b, "Nobody could read this") && has_value(&b, "colour", "#eeeeee"), "... which is said, and kept");
	is_int(SUBMIT(&b, "/admin/categories/town", "name", "The Town", "colour", "#2a5a31"), HTTP_SEE_OTHER,
	    "one that can be");
	css = visit(s, STR("/colours.css")).body;
	ok(holds(css, STR("[data-section=\"town\"] { --second: #2a5a31;")), "... is in the stylesheet");
	ok(stranger_sees(s, "/category/town", "<body class=\"inner\" data-section=\"town\">"), "... of its page");
	is_int(LOOK(&b, ""), HTTP_SEE_OTHER, "it is taken back");
	ok(!holds(visit(s, STR("/colours.css")).body, STR("--second: #1f4e79")), "... and gone");
}

/* --- The front page --------------------------------------------------------------------------------- */

#define CHOOSE(b, post, place, until) \
	(get((b), "/admin/front"), SUBMIT((b), "/admin/front", "post", post, "place", place, "until", until))

/* Which post leads, and which comes second. */
static struct str
leading(struct seeded *s, const char *begin)
{
	struct answer front = visit(s, STR("/"));

	return part(part(front.body, begin, "</h2>"), "<h2><a href=\"", "\"");
}
#define LEAD "<article class=\"lead"
#define SECOND "<div class=\"second\">"

static void
refused(struct browser *b)
{
	static const struct {
		const char *post, *until, *says;
	} wrong[] = {
	    {"no-such-post", "2026-11-20T10:00", "There is no public post at this address."},
	    {"notes/../x y", "2026-11-20T10:00", "There is no public post at this address."},
	    {"we-are-giving-up-paper", "2026-11-20T10:00", "There is no public post at this address."},
	    {"/page/about", "2026-11-20T10:00", "Static pages do not stand on the front page."},
	    {"the-fog-had-edges", "2026-11-17T10:00", "This is over already."},
	    {"the-fog-had-edges", "2028-11-17T10:00", "A year at most: it could be forgotten."},
	    {"the-fog-had-edges", "", "Until when?"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		is_int(CHOOSE(b, wrong[i].post, "lead", wrong[i].until), HTTP_UNPROCESSABLE,
		    "“%s” until “%s” can’t be chosen", wrong[i].post, wrong[i].until);
		ok(says(b, wrong[i].says) && has_value(b, "post", wrong[i].post), "... which is said, and kept");
	}
}

static void
front(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias");
	struct str before = leading(s, LEAD), second = leading(s, SECOND);
	int64_t now = s->clock.fixed_now;
	size_t lines_before;

	get(&b, "/post/the-fog-had-edges");
	ok(says(&b, "href=\"/admin/front?post=the-fog-had-edges\""), "a post leads to where it is chosen");
	ok(!stranger_sees(s, "/post/the-fog-had-edges", "/admin/front"), "... for who may");
	get(&b, "/admin/front?post=the-fog-had-edges");
	ok(has_value(&b, "post", "the-fog-had-edges") && has_value(&b, "until", "2026-11-21T09:30"),
	    "... with its address, for three days");
	refused(&b);
	lines_before = lines(s);
	is_int(CHOOSE(&b, "http://localhost/post/the-fog-had-edges#comments", "lead", "2026-11-20T10:00"),
	    HTTP_SEE_OTHER, "an old post is chosen to lead");
	is_int((int64_t)(lines(s) - lines_before), 1, "... which is logged");
	is_str(leading(s, LEAD), STR("/post/the-fog-had-edges"), "... and leads");
	is_str(leading(s, SECOND), before, "what led is second");
	is_int(CHOOSE(&b, "eel-elver-glass", "pinned", "2026-11-22T10:00"), HTTP_SEE_OTHER, "one is pinned");
	is_str(leading(s, SECOND), STR("/post/eel-elver-glass"), "... and second");
	is_int((int64_t)count_of(part(visit(s, STR("/")).body, "<main", "</main>"),
		   STR("><a href=\"/post/eel-elver-glass\">")), 1, "... once");
	is_int(CHOOSE(&b, "in-praise-of-the-scarf", "lead", "2026-11-22T10:00"), HTTP_SEE_OTHER,
	    "another lead");
	is_str(leading(s, LEAD), STR("/post/in-praise-of-the-scarf"), "... takes its place");
	get(&b, "/edit/in-praise-of-the-scarf");
	SUBMIT(&b, "/edit/in-praise-of-the-scarf", "do", "unpublish");
	is_str(leading(s, LEAD), before, "unpublished, it does not lead");
	get(&b, "/admin/front");
	ok(says(&b, "It is not public at present"), "... which editors are told");
	SUBMIT(&b, "/admin/front", "leave", "in-praise-of-the-scarf");
	get(&b, "/admin/front");
	ok(!says(&b, "/post/in-praise-of-the-scarf\""), "it is taken off");
	s->clock.fixed_now = now + 5 * (int64_t)86400000;
	is_str(leading(s, LEAD), before, "when its time is over");
	is_str(leading(s, SECOND), second, "... all is as it was");
	s->clock.fixed_now = now;
}

/* The only post that there is, and it is pinned. */
static void
alone(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct query query = {.index = TABLE_GSI3, .partition = STR("POST"), .limit = TABLE_QUERY_MAX};
	struct item *found;
	size_t count;
	struct str next;

	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("a query fails");
	for (size_t i = 0; i < count; i++) {
		struct write gone = {.kind = WRITE_DELETE, .key = item_key(&found[i])};

		if (!str_eq(item_string(&found[i], STR("Slug")), STR("eel-elver-glass")) &&
		    table_write(s->table, &call, &gone) != TABLE_OK)
			bail_out("a write fails");
	}
	is_str(leading(s, LEAD), STR("/post/eel-elver-glass"), "where all is pinned, the first of it leads");
}

/* --- Categories ------------------------------------------------------------------------------------- */

/* The addresses of the tree's page, in its order. */
static struct str
tree_shown(struct browser *b)
{
	struct buf out = {.arena = b->s->arena};
	struct str rest, slug;

	get(b, "/admin/categories");
	rest = content(b);
	while (between(&rest, STR("href=\"/admin/categories/"), STR("\""), &slug)) {
		buf_put(&out, slug);
		buf_putc(&out, ' ');
	}
	return buf_str(&out);
}

static void
categories(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), editor = browser_of(s, "tobias");
	struct str before_all = tree_shown(&b);
	size_t before = lines(s);

	is_int(get(&editor, "/admin/categories"), HTTP_OK, "an editor orders the categories, too");
	is_int(SUBMIT(&b, "/admin/categories", "name", "", "parent", "kitchen", "slug", "a b"),
	    HTTP_UNPROCESSABLE, "a category without a name");
	ok(says(&b, "Give it a name.") && says(&b, "<option value=\"kitchen\" selected>"),
	    "... says so, and keeps what was chosen");
	is_int(SUBMIT(&b, "/admin/categories", "name", "Again", "slug", "kitchen"),
	    HTTP_UNPROCESSABLE, "an address that is another's");
	is_int((int64_t)lines(s), (int64_t)before, "... of which nothing is logged");
	is_int(SUBMIT(&b, "/admin/categories", "name", "Pão & Brot", "parent", "kitchen"),
	    HTTP_SEE_OTHER, "a new one");
	one_line(s, before, "category.create", "pao-brot", "Pão & Brot");
	get(&b, "/category/pao-brot");
	ok(says(&b, "Pão & Brot") && says(&b, "href=\"/category/kitchen\""),
	    "... is there at once, in its place");
	get(&b, "/admin/categories/pao-brot");
	ok(says(&b, "<option value=\"kitchen\" selected>"), "its page knows where it lies");
	before = lines(s);
	is_int(SUBMIT(&b, "/admin/categories/pao-brot", "name", "Bread", "description",
		   "All of it.", "parent", ""),
	    HTTP_SEE_OTHER, "it gets another name and place");
	one_line(s, before, "category.edit", "pao-brot",
	    "name: Pão & Brot → Bread; description: – → All of it.; under: kitchen → –");
	get(&b, "/");
	ok(says(&b, "<a href=\"/category/pao-brot\">Bread</a>"), "... in the navigation at once");
	get(&b, "/admin/categories/workshop");
	ok(!says(&b, "<option value=\"workshop\""), "nothing is offered to lie under itself");
	get(&b, "/admin/categories");
	ok(says(&b, "name=\"down\" value=\"water\"") && !says(&b, "name=\"up\" value=\"water\""),
	    "the first one can only go down");
	ok(says(&b, "name=\"up\" value=\"wildlife\"") &&
		!says(&b, "name=\"down\" value=\"wildlife\""),
	    "... the last one of its parent only up");
	before = lines(s);
	is_int(
	    SUBMIT(&b, "/admin/category-order", "up", "pao-brot"), HTTP_SEE_OTHER, "one step up");
	one_line(s, before, "category.order", "pao-brot", "up");
	get(&b, "/admin/categories/pao-brot/delete");
	before = lines(s);
	is_int(SUBMIT(&b, "/admin/categories/pao-brot/delete", "x", "y"), HTTP_SEE_OTHER,
	    "it is deleted");
	one_line(s, before, "category.delete", "pao-brot", "Bread");
	is_int(get(&b, "/category/pao-brot"), HTTP_NOT_FOUND, "... and gone");
	is_str(tree_shown(&b), before_all, "the tree is as it was");
}

/* Sends the form of a post on the last page, by one of its buttons. */
static struct str
posted(struct browser *b, const char *deed)
{
	struct buf body = {.arena = b->s->arena};
	struct str rest = b->last.body, field;

	while (between(&rest, STR("<input type=\"hidden\" name=\""), STR("\">"), &field)) {
		struct str value, name = str_cut(field, '"', &value);

		put_field(&body, name, unescaped(b->s->arena, str_sub(value, 8, value.len)));
	}
	put_field(&body, STR("title"), STR("Fog"));
	put_field(&body, STR("markdown"), STR("Thick."));
	put_field(&body, STR("slug"), STR("fog-a-first-attempt"));
	put_field(&body, STR("category"), STR("kitchen"));
	put_field(&body, STR("visibility"), STR("public"));
	put_field(&body, STR("do"), str_of(deed));
	return buf_str(&body);
}

static void
merging(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), stranger = browser(s, "192.0.2.61");
	struct list kitchen = wanted_posts(s, in_category, "kitchen");
	struct item moved, draft = seeded_item(s, "POST#fog-a-first-attempt", "METADATA");
	size_t before = lines(s);

	item_set(s->arena, &draft, STR("Category"), value_string(STR("kitchen")));
	seeded_put(s, &draft, 1);
	seeded_page_size(s, 100);
	get(&b, "/admin/categories/kitchen");
	is_int(SUBMIT(&b, "/admin/categories/kitchen/merge", "into", ""), HTTP_UNPROCESSABLE,
	    "merging into nothing");
	get(&b, "/admin/categories/kitchen");
	is_int(SUBMIT(&b, "/admin/categories/kitchen/merge", "into", "town"), HTTP_OK,
	    "merging is asked first");
	is_int((int64_t)lines(s), (int64_t)before, "... nothing is done");
	is_int(get(&stranger, "/category/kitchen"), HTTP_OK, "... it is there still");
	is_int(
	    SUBMIT(&b, "/admin/categories/kitchen/merge", "x", "y"), HTTP_SEE_OTHER, "then it is");
	one_line(s, before, "category.merge", "kitchen", "into town");
	is_int(get(&stranger, "/category/kitchen"), HTTP_MOVED, "its address");
	is_str(leads_to(&stranger), STR("/category/town"), "... leads to the other");
	get(&stranger, "/category/kitchen/feed.atom");
	is_str(leads_to(&stranger), STR("/category/town/feed.atom"), "... and its feed's");
	get(&stranger, "/category/town");
	for (size_t i = 0; i < kitchen.count; i++) {
		struct list there = listed(s->arena, stranger.last.body);

		if (!list_has(&there, kitchen.strings[i]))
			ok(false, "%.*s is listed there", STR_ARGS(kitchen.strings[i]));
	}
	ok(kitchen.count > 3, "%zu posts were looked for there", kitchen.count);
	moved = seeded_item(s, "CATEGORIES", "kitchen");
	is_int(item_number(&moved, STR("Posts")), 0, "none is left");
	get(&b, "/admin/categories/kitchen");
	ok(says(&b, "Was merged into") && says(&b, "All of its posts have moved."),
	    "its page says so");
	get(&b, "/edit/fog-a-first-attempt");
	ok(says(&b, "<option value=\"kitchen\" selected>The Town"),
	    "a draft that names it is the other's where it is edited");
	before = lines(s);
	fetch(&b, "POST", "/edit/fog-a-first-attempt", posted(&b, "save"));
	is_int(b.last.status, HTTP_SEE_OTHER, "... and saved");
	one_line(s, before, "post.edit", "fog-a-first-attempt", "");
	draft = seeded_item(s, "POST#fog-a-first-attempt", "METADATA");
	is_str(item_string(&draft, STR("Category")), STR("town"), "... so");
	get(&b, "/edit/fog-a-first-attempt/delete");
	before = lines(s);
	SUBMIT(&b, "/edit/fog-a-first-attempt/delete", "x", "y");
	one_line(s, before, "post.edit", "fog-a-first-attempt", "status: draft → deleted");
	seeded_page_size(s, 7);
}

/* --- Posts ------------------------------------------------------------------------------------------ */

static size_t
seed_posts(struct seeded *s, const char *author, const char *status)
{
	size_t count = 0;

	for (size_t i = 0; i < s->seed.count; i++)
		count += str_eq(item_string(&s->seed.items[i], STR("Type")), STR("Post")) &&
			 by_author(&s->seed.items[i], author) &&
			 str_eq(item_string(&s->seed.items[i], STR("Status")), str_of(status)) &&
			 !str_eq(item_string(&s->seed.items[i], STR("Kind")), STR("page"));
	return count;
}

static size_t
yet_to_come(struct seeded *s)
{
	struct str now = time_format(s->arena, s->clock.fixed_now);
	size_t count = 0;

	for (size_t i = 0; i < s->seed.count; i++)
		count += str_eq(item_string(&s->seed.items[i], STR("GSI3PK")), STR("POST")) &&
			 str_cmp(item_string(&s->seed.items[i], STR("PublishedAt")), now) > 0;
	return count;
}

static size_t
rows(struct browser *b, const char *address)
{
	get(b, address);
	return count_of(content(b), STR("<li")) -
	       count_of(part(content(b), "<nav", "</nav>"), STR("<li"));
}

static void
all_posts(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias"), kofi = browser_of(s, "kofi");
	struct browser noor = browser_of(s, "noor");
	struct list public = wanted_posts(s, every_post, "");
	size_t drafts = seed_posts(s, "lowri", "draft");
	const char *draft = NULL;

	is_int((int64_t)rows(&b, "/admin/posts"), (int64_t)(public.count < 50 ? public.count : 50),
	    "all that is public");
	ok(public.count <= 50 || says(&b, "Older"), "... page by page");
	ok(drafts != 0, "she has drafts");
	get(&b, "/admin/posts?state=drafts");
	ok(says(&b, "These are found by their author."), "of drafts nobody has a list");
	is_int((int64_t)rows(&b, "/admin/posts?state=drafts&author=Lowri"), (int64_t)drafts,
	    "... but each author's is found");
	draft = str_cstring(s->arena,
	    STR_CONCAT(s->arena, STR("/edit/"), part(content(&b), "href=\"/edit/", "\"")));
	is_int(get(&b, draft), HTTP_OK, "... and leads to where one works on it");
	is_int((int64_t)rows(&kofi, "/admin/posts?state=drafts&author=lowri"), (int64_t)drafts,
	    "a member of a group that edits sees them, too");
	is_int(get(&noor, "/admin/posts"), HTTP_FORBIDDEN, "... an author does not see the list");
	is_int(rows(&b, "/admin/posts?author=%23&state=drafts") == 0 && says(&b, "There is none."),
	    true, "what is no name has none");
	is_int((int64_t)rows(&b, "/admin/posts?state=scheduled"), (int64_t)yet_to_come(s),
	    "what is yet to come");
	ok(says(&b, "Appears "), "... says when");
}

/* Drafts of pages are not for people who may edit only posts. */
static void
pages_apart(struct seeded *s)
{
	struct item page = seeded_item(s, "POST#about", "METADATA"), group;
	struct browser kofi = browser_of(s, "kofi");
	struct str only[] = {STR("posts.edit")};

	group = seeded_item(s, "GROUP#proofreaders", "METADATA");
	item_set(s->arena, &group, STR("Permissions"), value_set(s->arena, only, 1));
	seeded_put(s, &group, 1);
	item_set(s->arena, &page, STR("PK"), value_string(STR("POST#secret-page")));
	item_set(s->arena, &page, STR("Id"), value_string(STR("secret-page")));
	item_set(s->arena, &page, STR("Title"), value_string(STR("A secret page")));
	item_set(s->arena, &page, STR("Status"), value_string(STR("draft")));
	item_set(s->arena, &page, STR("Author"), value_string(STR("pascal")));
	item_set(s->arena, &page, STR("GSI1PK"), value_string(STR("USER#pascal")));
	item_set(s->arena, &page, STR("GSI1SK"),
	    value_string(STR("DRAFT#2026-11-18T00:00:00.000Z#secret-page")));
	item_remove(&page, STR("GSI3PK"));
	item_remove(&page, STR("GSI3SK"));
	seeded_put(s, &page, 1);
	get(&kofi, "/admin/posts?state=drafts&author=pascal");
	ok(!says(&kofi, "A secret page"), "who may not work on pages sees no drafts of them");
	kofi = browser_of(s, "marta");
	get(&kofi, "/admin/posts?state=drafts&author=pascal");
	ok(says(&kofi, "A secret page"), "... who may does");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	all_posts(&s);
	pages_apart(&s);
	settings(&s);
	newness(&s);
	categories(&s);
	merging(&s);
	front(&s);
	look(&s);
	alone(&s);
	browsers_close(&s);
	return tap_done();
}
