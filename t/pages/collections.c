/*
 * Collections on their pages: created, filled from a post's page, ordered, made private and
 * deleted, each by its forms; what strangers see of them meanwhile; what is refused, and shown
 * again as it was typed.
 */
#include "writer.h"

#include "lib/tap.h"

#define POST "the-tide-in-forty-lines-of-c"
#define SECOND "noaa-tides-and-currents"
#define THIRD "first-brent-geese"

/* "/collection/<id>", where the last answer leads to below it. */
static const char *
led_to(struct browser *b)
{
	struct str to = leads_to(b), rest = str_sub(to, strlen("/collection/"), to.len);

	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/collection/"), str_cut(rest, '/', &rest)));
}

static enum http_status
follow(struct browser *b)
{
	return get(b, str_cstring(b->s->arena, leads_to(b)));
}

static const char *
below(struct browser *b, const char *path, const char *what)
{
	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, str_of(path), str_of(what)));
}

/* The posts of a page, as "<first> <second>": where their headings lead. */
static struct str
titles(struct seeded *s, const char *path)
{
	struct list posts = listed(s->arena, visit(s, str_of(path)).body);

	return list_text(s->arena, &posts);
}

/* Sends the form of one post on the page of editing. */
static enum http_status
arrange(struct browser *b, const char *path, const char *post, const char *note, const char *place,
    const char *what)
{
	struct buf body = {.arena = b->s->arena};
	struct str form;

	get(b, below(b, path, "/edit"));
	form = part(b->last.body, text_in(b->s, "name=\"post\" value=\"%s\"", post), "</form>");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("post"), str_of(post));
	put_field(&body, STR("at"), part(form, "name=\"at\" value=\"", "\""));
	put_field(&body, STR("note"), str_of(note));
	put_field(&body, STR("place"), str_of(place));
	put_field(&body, STR("do"), str_of(what));
	return fetch(b, "POST", below(b, path, "/posts"), buf_str(&body));
}

static const char *
making(struct seeded *s, struct browser *b)
{
	const char *path;
	struct answer page;

	is_int(get(b, "/account/collections"), HTTP_OK, "one's collections have a page");
	is_int(SUBMIT(b, "/account/collections", "name", "", "description", "A *typed* text"),
	    HTTP_UNPROCESSABLE, "without a name there is none");
	ok(says(b, "Give it a name.") && says(b, "A *typed* text"), "... nothing typed is lost");
	is_int(SUBMIT(b, "/account/collections", "name", "Bread & water", "description",
		   "Read *slowly*. <b>No HTML</b>"),
	    HTTP_SEE_OTHER, "one is made");
	path = led_to(b);
	is_int(follow(b), HTTP_OK, "... which leads to where it is edited");
	ok(says(b, "It is made."), "... and says so");
	page = visit(s, str_of(path));
	is_int(page.status, HTTP_OK, "everybody sees it");
	ok(holds(page.body, STR("Read <em>slowly</em>. &lt;b&gt;No HTML")),
	    "... its description is Markdown, and safe");
	ok(!holds(page.body, STR("/edit")), "... only its owner is led to editing it");
	ok(stranger_sees(s, "/collections", "Read slowly."), "... and it is among all");
	get(b, path);
	ok(holds(b->last.body, str_of(below(b, path, "/edit"))), "... as its owner is");
	return path;
}

/* The same form, sent by two clicks. */
static void
twice(struct browser *b)
{
	struct answer form;
	struct str first;

	get(b, "/account/collections");
	form = b->last;
	SUBMIT(b, "/account/collections", "name", "Once");
	first = leads_to(b);
	b->last = form;
	is_int(SUBMIT(b, "/account/collections", "name", "Once"), HTTP_SEE_OTHER,
	    "a form that is sent twice");
	is_str(leads_to(b), first, "... makes one collection");
	get(b, "/account/collections");
	is_int((int64_t)count_of(b->last.body, STR(">Once</a>")), 1, "... which is there once");
}

static void
filling(struct seeded *s, struct browser *b, const char *path)
{
	const char *id = path + strlen("/collection/");
	const char *new;

	get(b, "/post/" POST);
	ok(holds(b->last.body, STR("href=\"/collect/" POST "\"")), "a post leads to adding it");
	ok(!stranger_sees(s, "/post/" POST, "/collect/"), "... but for strangers");
	get(b, "/collect/" POST);
	is_int(SUBMIT(b, "/collect/" POST, "collection", id, "note", "Read this <first>."),
	    HTTP_SEE_OTHER, "a post is added");
	follow(b);
	ok(says(b, "It is in the collection."), "... the next page says so");
	ok(stranger_sees(s, path, "Read this &lt;first&gt;."), "... with its note");
	get(b, "/collect/" POST);
	is_int(SUBMIT(b, "/collect/" POST, "collection", id, "note", ""), HTTP_SEE_OTHER,
	    "... a second time, from another tab");
	is_str(titles(s, path), STR("/post/" POST), "... it is there once");
	get(b, "/collect/" POST);
	is_int(SUBMIT(b, "/collect/" POST, "collection", id, "note", "Another note"),
	    HTTP_UNPROCESSABLE, "... another note is not dropped");
	ok(says(b, "with another note") && says(b, "Another note"), "... it is shown again");
	get(b, "/collect/" SECOND);
	is_int(SUBMIT(b, "/collect/" SECOND, "collection", id, "name", "Both", "note", "Kept"),
	    HTTP_UNPROCESSABLE, "a collection and the name of a new one");
	ok(says(b, "You have named a new one") && says(b, "Both"), "... nothing is guessed");
	is_int(SUBMIT(b, "/collect/" SECOND, "collection", "", "name", "", "note", "Kept"),
	    HTTP_UNPROCESSABLE, "a new one needs a name");
	ok(says(b, "Give the new one a name.") && says(b, "Kept"), "... nothing typed is lost");
	is_int(SUBMIT(b, "/collect/" SECOND, "collection", "", "name", "Mine alone", "private", "1",
		   "note", "Kept"),
	    HTTP_SEE_OTHER, "a new one is made in the same step");
	new = led_to(b);
	get(b, new);
	ok(b->last.status == HTTP_OK && says(b, "Kept") && says(b, "Private"),
	    "... with the post and its note");
	is_int(stranger_gets(s, new), HTTP_NOT_FOUND, "... and strangers don't find it");
	is_int(get(b, "/collect/no-such-post"), HTTP_NOT_FOUND, "what is no post is not added");
	is_int(
	    get(b, "/collect/fog-a-first-attempt"), HTTP_NOT_FOUND, "... nor is a draft of others");
}

static void
ordering(struct seeded *s, struct browser *b, const char *path)
{
	const char *id = path + strlen("/collection/");

	get(b, "/collect/" SECOND);
	SUBMIT(b, "/collect/" SECOND, "collection", id);
	get(b, "/collect/" THIRD);
	SUBMIT(b, "/collect/" THIRD, "collection", id);
	is_str(titles(s, path), STR("/post/" POST "\n/post/" SECOND "\n/post/" THIRD),
	    "three posts in the order in which they were added");
	is_int(arrange(b, path, THIRD, "", "3", "up"), HTTP_SEE_OTHER, "one goes up");
	is_str(titles(s, path), STR("/post/" POST "\n/post/" THIRD "\n/post/" SECOND),
	    "... by one place");
	is_int(arrange(b, path, SECOND, "Typed", "1", "save"), HTTP_SEE_OTHER, "to a place");
	is_str(titles(s, path), STR("/post/" SECOND "\n/post/" POST "\n/post/" THIRD),
	    "... which is the first");
	ok(stranger_sees(s, path, "Typed"), "... with what was typed beside it");
	is_int(arrange(b, path, SECOND, "Typed too", "nowhere", "save"), HTTP_UNPROCESSABLE,
	    "what is no place");
	ok(says(b, "Write a place from 1 to 500.") && says(b, "Typed too"),
	    "... is said, and nothing typed is lost");
	is_int(arrange(b, path, SECOND, "", "1", "remove"), HTTP_SEE_OTHER, "one is taken out");
	is_int(arrange(b, path, SECOND, "", "1", "remove"), HTTP_SEE_OTHER, "... twice");
	is_str(titles(s, path), STR("/post/" POST "\n/post/" THIRD), "... and is not there");
	is_int(arrange(b, path, SECOND, "", "1", "up"), HTTP_NOT_FOUND, "... nor moved any more");
}

static void
named_on_posts(struct seeded *s, struct browser *b, const char *path)
{
	const char *link = text_in(s, "<a href=\"%s\">Bread &amp; water</a>", path);

	ok(stranger_sees(s, "/post/" POST, link), "a post names the collections that it is in");
	ok(!stranger_sees(s, "/post/" SECOND, link), "... and none that it was taken out of");
	ok(!stranger_sees(s, "/post/" SECOND, "Mine alone"), "... nor a private one");
	get(b, "/post/" SECOND);
	ok(!says(b, "Mine alone"), "... to its owner either");
}

static void
feed(struct seeded *s, struct browser *b, const char *path)
{
	const char *address = below(b, path, "/feed.atom");
	struct str xml = visit(s, str_of(address)).body;

	ok(holds(xml, STR("<title>Slack Water: Bread &amp; water</title>")) &&
		holds(xml, STR("<subtitle>Read slowly.")),
	    "it has a feed");
	is_int((int64_t)count_of(xml, STR("<entry>")), 2, "... of its posts");
	ok(stranger_sees(s, path, address), "... to which its page leads");
	is_int(stranger_gets(s, below(b, path, "/rss")), HTTP_MOVED,
	    "... as do addresses that are guessed");
	get(b, below(b, path, "/edit"));
	SUBMIT(b, below(b, path, "/edit"), "name", "Bread & water", "series", "1");
	get(b, below(b, path, "/edit"));
	ok(holds(part(b->last.body, "name=\"series\"", ">"), STR("checked")) && stranger_sees(s, path, "A series"),
	    "one is marked as a series");
	SUBMIT(b, below(b, path, "/edit"), "name", "Bread & water", "private", "1");
	is_int(get(b, address), HTTP_NOT_FOUND, "a private one has none, for its owner either");
	get(b, below(b, path, "/edit"));
	SUBMIT(b, below(b, path, "/edit"), "name", "Bread & water");
	is_int(stranger_gets(s, address), HTTP_OK, "... until it is public");
}

/* A store whose reads are no snapshots has a post that moves just now at both of its positions. */
static void
moving(struct seeded *s, struct browser *b, const char *path)
{
	const char *pk = text_in(s, "COLLECTION#%s", path + strlen("/collection/"));
	struct item twice = {.count = 0};

	item_set(s->arena, &twice, STR("PK"), value_string(str_of(pk)));
	item_set(s->arena, &twice, STR("SK"), value_string(STR("POST#9000#" POST)));
	item_set(s->arena, &twice, STR("Type"), value_string(STR("CollectionPost")));
	item_set(s->arena, &twice, STR("Collection"), value_string(str_sub(str_of(pk), 11, 99)));
	item_set(s->arena, &twice, STR("Post"), value_string(STR(POST)));
	item_set(s->arena, &twice, STR("Position"), value_number(9000));
	seeded_put(s, &twice, 1);
	is_str(titles(s, path), STR("/post/" POST "\n/post/" THIRD),
	    "a post that is read at two positions is shown once");
	is_int(get(b, below(b, path, "/edit")), HTTP_OK, "... where it is edited, too");
	is_int(stranger_gets(s, below(b, path, "/feed.atom")), HTTP_OK, "... and in the feed");
}

static void
ending(struct seeded *s, struct browser *b, const char *path)
{
	struct browser other = browser_of(s, "pascal"), open, still;

	is_int(get(&other, below(b, path, "/edit")), HTTP_FORBIDDEN, "nobody else edits it");
	get(b, below(b, path, "/edit"));
	is_int(SUBMIT(b, below(b, path, "/edit"), "name", "", "description", "Typed"),
	    HTTP_UNPROCESSABLE, "it keeps a name");
	is_int(SUBMIT(b, below(b, path, "/edit"), "name", "Hidden", "private", "1"), HTTP_SEE_OTHER,
	    "it is made private");
	is_int(stranger_gets(s, path), HTTP_NOT_FOUND, "... strangers don't find it");
	ok(!stranger_sees(s, "/collections", "Bread &amp; water") &&
		!stranger_sees(s, "/collections", "Hidden"),
	    "... nor is it among all");
	is_int(get(&other, below(b, path, "/edit")), HTTP_NOT_FOUND, "... nor do others");
	get(b, "/account/collections");
	ok(says(b, "Hidden"), "... but it is among one's own");
	open = *b;
	get(&open, below(b, path, "/edit"));
	still = open;
	get(b, below(b, path, "/delete"));
	is_int(SUBMIT(b, below(b, path, "/delete"), "x", "y"), HTTP_SEE_OTHER, "it is deleted");
	is_int(SUBMIT(&open, below(b, path, "/edit"), "name", "Hidden", "description",
		   "For <long> evenings."),
	    HTTP_NOT_FOUND, "... while it is edited in another window");
	ok(says(&open, "For <long> evenings."), "... where what was typed is there to be copied");
	is_int(SUBMIT(&still, below(b, path, "/posts"), "note", "Keep.", "place", "1"),
	    HTTP_NOT_FOUND, "... or a note on a post of it");
	ok(says(&still, "\nKeep.</textarea>") && !says(&still, "\n" POST "</textarea>"),
	    "... which is, too, and nothing that nobody has typed");
	follow(b);
	ok(says(b, "The collection is deleted.") && !says(b, "Hidden"), "... and is gone");
	is_int(get(b, path), HTTP_NOT_FOUND, "... for its owner, too");
	ok(!stranger_sees(s, "/post/" POST, path), "... and no post names it");
}

/* A post for followers may be collected by who follows its author; in the collection, who does not finds nothing of it. */
static void
for_followers(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal"), noor = browser_of(s, "noor");
	const char *post = "/post/before-the-deadline", *title = "/post/before-the-deadline\"";
	const char *path;

	get(&noor, "/author/tobias");
	if (says(&noor, "value=\"unfollow\""))
		SUBMIT(&noor, "/author/tobias/follow", "do", "unfollow");
	get(&pascal, "/author/tobias");
	if (says(&pascal, "value=\"follow\""))
		SUBMIT(&pascal, "/author/tobias/follow", "do", "follow");
	get(&pascal, post);
	ok(says(&pascal, "href=\"/collect/before-the-deadline\""),
	    "who follows is led to collecting a post for followers");
	get(&pascal, "/collect/before-the-deadline");
	is_int(SUBMIT(&pascal, "/collect/before-the-deadline", "name", "For some", "note",
		   "Mind the quincunx."),
	    HTTP_SEE_OTHER, "... and collects it");
	path = led_to(&pascal);
	follow(&pascal);
	ok(says(&pascal, title), "who edits the collection sees it");
	get(&pascal, path);
	ok(says(&pascal, title) && says(&pascal, "quincunx") && says(&pascal, "1 post<"),
	    "... as who follows does");
	get(&noor, path);
	ok(!says(&noor, "before-the-deadline") && !says(&noor, "quincunx") &&
		says(&noor, "No posts"),
	    "who does not follow does not, nor its note, nor in the number");
	ok(!stranger_sees(s, path, "before-the-deadline") && !stranger_sees(s, path, "quincunx") &&
		!stranger_sees(s, below(&pascal, path, "/feed.atom"), "before-the-deadline"),
	    "... nor does a stranger, nor a feed");
	get(&pascal, "/author/tobias");
	SUBMIT(&pascal, "/author/tobias/follow", "do", "unfollow");
	get(&pascal, path);
	ok(!says(&pascal, "before-the-deadline"), "who follows no more does not");
	get(&pascal, below(&pascal, path, "/edit"));
	ok(says(&pascal, "A post that you can’t see any more") && !says(&pascal, title),
	    "... but can take it out");
}

static void
collect_into(struct browser *b, const char *post, const char *name)
{
	const char *page = text_in(b->s, "/collect/%s", post);

	b->s->clock.fixed_now += 1000; /* the newest of all */
	get(b, page);
	SUBMIT(b, page, "collection", "", "name", name, "note", "");
}

static void
add_to(struct browser *b, const char *path, const char *post)
{
	const char *page = text_in(b->s, "/collect/%s", post);

	get(b, page);
	SUBMIT(b, page, "collection", path + strlen("/collection/"), "note", "");
}

/* The front page shows the newest, but not what nobody has looked at, nor what strangers would find empty. */
static void
on_front(struct seeded *s)
{
	struct browser fresh = newcomer(s, "awning"), noor = browser_of(s, "noor");
	struct browser tobias = browser_of(s, "tobias");
	const char *path, *his;

	collect_into(&noor, POST, "Worth an evening");
	path = led_to(&noor);
	ok(stranger_sees(s, "/", "Worth an evening"), "the newest collection is on the front page");
	for (int i = 0; i < 4; i++)
		collect_into(&fresh, SECOND, "Cheap awnings");
	ok(stranger_sees(s, "/collections", "Cheap awnings") && !stranger_sees(s, "/", "Cheap awnings"),
	    "... that of somebody of whom nothing was approved yet is not");
	ok(stranger_sees(s, "/", "Worth an evening"), "... and however many they make, displaces none");
	collect_into(&tobias, "before-the-deadline", "Followers only");
	his = led_to(&tobias);
	ok(!stranger_sees(s, "/", "Followers only") && stranger_sees(s, "/", "Worth an evening"),
	    "... nor is one in which strangers would find nothing");
	is_int(arrange(&noor, path, POST, "", "1", "remove"), HTTP_SEE_OTHER, "its post is taken out");
	ok(!stranger_sees(s, "/", "Worth an evening"), "... and it is not on the front page any more");
	add_to(&noor, path, THIRD);
	add_to(&noor, path, POST);
	is_int(arrange(&noor, path, POST, "", "2", "remove"), HTTP_SEE_OTHER,
	    "of two that are added the later one is taken out");
	ok(stranger_sees(s, "/", "Worth an evening"), "... for the other one it is on it again");
	add_to(&tobias, his, POST);
	ok(stranger_sees(s, "/", "Followers only"), "a post that strangers see brings a collection to it");
	arrange(&tobias, his, POST, "", "1", "save");
	add_to(&tobias, his, THIRD);
	arrange(&tobias, his, THIRD, "", "3", "remove");
	ok(stranger_sees(s, "/", "Followers only"), "... for which it stays, whatever it has last");
}

int
main(void)
{
	struct browser noor, nobody;
	struct seeded s;
	const char *path;

	browsers_open(&s);
	noor = browser_of(&s, "noor");
	nobody = browser(&s, "203.0.113.9");
	is_int(get(&nobody, "/collect/" POST), HTTP_SEE_OTHER, "a stranger is led to sign in");
	path = making(&s, &noor);
	twice(&noor);
	filling(&s, &noor, path);
	ordering(&s, &noor, path);
	named_on_posts(&s, &noor, path);
	feed(&s, &noor, path);
	moving(&s, &noor, path);
	ending(&s, &noor, path);
	for_followers(&s);
	on_front(&s);
	browsers_close(&s);
	return tap_done();
}
