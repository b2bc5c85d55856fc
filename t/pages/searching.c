/*
 * The pages of the search: what a reader sees of what was found, in parts that are escaped; filters, pages, feeds, suggestions; what
 * nobody may see is in none of them, however far behind the index is; whatever is typed is answered.
 */
#include "t/derive/worker.h"
#include "writer.h"

#include "model/key_post.h"

#include "text/markdown.h"

static struct post
post_of(const char *id, const char *title)
{
	return (struct post){.id = str_of(id),
	    .slug = str_of(id),
	    .title = str_of(title),
	    .author = STR("kofi"),
	    .author_name = STR("Kofi Mensah-Boyd"),
	    .kind = KIND_ARTICLE,
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC};
}

/* A post and its text, as its author leaves them. */
static void
store(struct seeded *s, const struct post *post, const char *text)
{
	const struct post_body body = {.markdown = str_of(text),
	    .html = STR_CONCAT(s->arena, STR("<p>"), str_of(text), STR("</p>\n")),
	    .renderer = MARKDOWN_RENDERER};
	struct item items[2] = {{0}};

	key_set(s->arena, &items[0], key_post(s->arena, post->id), ITEM_POST);
	post_to_item(s->arena, post, &items[0]);
	key_index_post(s->arena, &items[0], post);
	key_set(s->arena, &items[1], key_post_body(s->arena, post->id), ITEM_BODY);
	post_body_to_item(s->arena, &body, &items[1]);
	seeded_put(s, items, 2);
}

/* The posts of a page, in their order. */
static struct str
shown(struct seeded *s, const char *address)
{
	struct answer page = visit(s, str_of(address));
	struct str text = STR(""), rest = page.body, found;

	is_int(page.status, HTTP_OK, "%s is there", address);
	rest = part(rest, "<ol class=\"hits\">", "</ol>");
	while (between(&rest, STR("<h2"), STR("</h2>"), &found))
		text = STR_CONCAT(s->arena, text, STR(" "), part(found, "href=\"", "\""));
	return text;
}

/* In the seed, of which nobody writes "quokka". */
static void
hits(struct seeded *s)
{
	struct post post = post_of("quokka", "A quokka & <its> friends");
	struct post older = post_of("quokkas", "Elsewhere");
	struct answer page;

	(void)time_parse(STR("2026-03-01T10:00:00Z"), &post.published);
	(void)time_parse(STR("2025-03-01T10:00:00Z"), &older.published);
	older.kind = KIND_NOTE;
	store(s, &post, "Of one quokka &amp; another it is told that they smile.");
	store(s, &older, "There was a quokka here, and once more a quokka, the quokka of the quokkas.");
	work(s);
	page = visit(s, STR("/search?q=quokka"));
	ok(holds(page.body, STR("<mark>quokka</mark> &amp; another")), "a passage has its words marked, and is escaped");
	ok(holds(page.body, STR("A quokka &amp; &lt;its&gt; friends</a>")), "... and so is a title");
	ok(holds(page.body, STR("2 posts")), "it says how many there are");
	ok(holds(page.body, STR("noindex")), "search engines do not list lists of hits");
	ok(holds(page.body, STR("href=\"/search?q=quokka%20kind%3Anote\"")), "a kind is a link");
	ok(holds(page.body, STR("/search/feed.atom?q=quokka")), "it has a feed");
	is_str(shown(s, "/search?q=quokka+kind:note"), STR(" /post/quokkas"), "one kind");
	is_str(shown(s, "/search?q=quokka%20after:2026"), STR(" /post/quokka"), "one year");
	is_str(shown(s, "/search?q=quokka+sort:newest"), STR(" /post/quokka /post/quokkas"), "the newest first");
	is_str(shown(s, "/search?q=quokkas"), shown(s, "/search?q=quokka"), "words are compared by their stems");
	ok(holds(visit(s, STR("/search/feed.atom?q=quokka")).body, STR("/post/quokkas")), "the feed has them");
	ok(holds(visit(s, STR("/search/suggest?q=quok")).body, STR("[\"quok\",[\"quokka\",\"quokkas\"]]")),
	    "a beginning is completed");
	ok(holds(visit(s, STR("/search?q=quoka")).body, STR("href=\"/search?q=quokka\"")), "a typo is told");
	is_int(visit(s, STR("/search/feed.atom")).status, HTTP_NOT_FOUND, "a feed of nothing is none");
}

/* Of two posts the older has the word twice: whether that or the newer one is better, the settings say. */
static void
newness(struct seeded *s)
{
	struct post older = post_of("x-older", "Elsewhere"), newer = post_of("x-newer", "Elsewhere");
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	(void)time_parse(STR("2016-03-01T10:00:00Z"), &older.published);
	(void)time_parse(STR("2026-11-01T10:00:00Z"), &newer.published);
	store(s, &older, "A numbat and a numbat, which eats termites and nothing else at all.");
	store(s, &newer, "A numbat and another one, which eats termites and nothing else at all.");
	work(s);
	item_set(s->arena, &settings, STR("SearchNewness"), value_number(0));
	seeded_put(s, &settings, 1);
	is_str(shown(s, "/search?q=numbat"), STR(" /post/x-older /post/x-newer"), "when age does not count, the best is first");
	item_set(s->arena, &settings, STR("SearchNewness"), value_number(50));
	seeded_put(s, &settings, 1);
	is_str(shown(s, "/search?q=numbat"), STR(" /post/x-newer /post/x-older"), "... when it does, the newer one is");
}

/* Each way in which others may not see it, before the worker knows. */
static void
unseen(struct seeded *s)
{
	static const struct {
		const char *what;
		enum post_status status;
		enum visibility visibility;
		const char *published;
	} ways[] = {
	    {"a draft", STATUS_DRAFT, VISIBILITY_PUBLIC, "2026-03-02T10:00:00Z"},
	    {"an unpublished one", STATUS_UNPUBLISHED, VISIBILITY_PUBLIC, "2026-03-02T10:00:00Z"},
	    {"a deleted one", STATUS_DELETED, VISIBILITY_PUBLIC, "2026-03-02T10:00:00Z"},
	    {"one for followers", STATUS_PUBLISHED, VISIBILITY_FOLLOWERS, "2026-03-02T10:00:00Z"},
	    {"one for a group", STATUS_PUBLISHED, VISIBILITY_GROUP, "2026-03-02T10:00:00Z"},
	    {"a private one", STATUS_PUBLISHED, VISIBILITY_PRIVATE, "2026-03-02T10:00:00Z"},
	    {"one that is yet to come", STATUS_PUBLISHED, VISIBILITY_PUBLIC, "2026-12-02T10:00:00Z"},
	};
	static const char *const places[] = {"/search?q=wombat", "/search?q=wonbat", "/search?q=wombat+sort:newest",
	    "/search?q=author:kofi", "/search/feed.atom?q=wombat", "/search/suggest?q=womb", "/search?q=womb*",
	    "/search?q=%22the+wombat+sings%22", "/search?q=in:titles+wombat"};

	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
		struct post post = post_of("x-secret", "The Wombat");
		struct str told = STR("");

		(void)time_parse(STR("2026-03-02T10:00:00Z"), &post.published);
		store(s, &post, "The wombat sings.");
		work(s);
		if (w == 0)
			is_str(shown(s, "/search?q=wombat"), STR(" /post/x-secret"), "it is found while all may see it");
		post.status = ways[w].status;
		post.visibility = ways[w].visibility;
		(void)time_parse(str_of(ways[w].published), &post.published);
		store(s, &post, "The wombat sings.");
		for (int known = 0; known < 2; known++) {
			for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
				struct answer page = visit(s, str_of(places[i]));

				if (holds(page.body, STR("x-secret")) || holds(page.body, STR("The Wombat")) ||
				    holds(page.body, STR("sings.")) || holds(page.body, STR("\"wombat\"]")) ||
				    holds(page.body, STR("Did you mean <a href=\"/search?q=wombat")))
					told = STR_CONCAT(s->arena, told, STR(" "), str_of(places[i]));
			}
			is_str(told, STR(""), "%s is nowhere, %s", ways[w].what,
			    known ? "when the index knows" : "however far behind the index is");
			work(s);
		}
	}
}

static void
many(struct seeded *s)
{
	for (int i = 0; i < 45; i++) {
		const char *id = str_cstring(s->arena, str_fmt(s->arena, "axolotl-%02d", i));
		struct post post = post_of(id, id);

		(void)time_parse(str_fmt(s->arena, "2026-02-01T10:%02d:00Z", i), &post.published);
		store(s, &post, "An axolotl.");
	}
	work(s);
	ok(holds(visit(s, STR("/search?q=axolotl+sort:newest")).body, STR("45 posts")), "there are 45");
	is_int((int64_t)count_of(shown(s, "/search?q=axolotl+sort:newest"), STR("/post/")), 20, "a page has 20");
	is_int((int64_t)count_of(shown(s, "/search?q=axolotl+sort:newest&from=20"), STR("/post/")), 20, "... the second, too");
	is_str(shown(s, "/search?q=axolotl+sort:newest&from=40"),
	    STR(" /post/axolotl-04 /post/axolotl-03 /post/axolotl-02 /post/axolotl-01 /post/axolotl-00"),
	    "... the third the rest");
	ok(!holds(visit(s, STR("/search?q=axolotl+sort:newest&from=40")).body, STR("More hits")), "... and no more");
	is_int(visit(s, STR("/search?q=axolotl&from=100000")).status, HTTP_OK, "beyond the last one it begins anew");
}

static void
odd(struct seeded *s)
{
	static const char *const typed[] = {"", "%20", "%22", "%22%22%22", "-", "-tide", "the+of+and", "a%00b", "%ff%fe%c3",
	    "%zz", "kind:nonsense", "stars:>9", "before:never", "tag:", ":::", "in:nowhere+tide", "%D7%A9%D7%9C%D7%95%D7%9D",
	    "%F0%9F%98%80", "*", "tide*", "(((((((", "%3Cscript%3Ealert(1)%3C/script%3E", "after:2027", "author:nobody"};
	struct buf large = {.arena = s->arena}, wide = {.arena = s->arena};
	struct item settings = seeded_item(s, "SITE", "SETTINGS");
	struct answer answered;

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		struct answer page =
		    visit(s, STR_CONCAT(s->arena, STR("/search?q="), str_of(typed[i])));

		ok(page.status == HTTP_OK && !holds(page.body, STR("<script>alert")), "“%s” is answered", typed[i]);
	}
	BUF_PUT(&large, "/search?q=");
	while (large.len < 10 * 1024)
		buf_fmt(&large, "w%zu+", large.len);
	answered = visit(s, buf_str(&large));
	ok(answered.status == HTTP_OK && holds(answered.body, STR("Posts with w10")), "10 KB of words are answered");
	ok(holds(answered.body, STR("What was longer than a query can be is left out")), "... and it says that not all of them count");
	ok(holds(visit(s, STR("/search?q=nothingatall")).body, STR("Nothing was found.")) &&
		holds(visit(s, STR("/search?q=nothingatall")).body, STR("href=\"/tags\"")),
	    "nothing is said to be nothing, with ways on");
	ok(holds(visit(s, STR("/search?q=nothingatall+kind:note")).body, STR("href=\"/search?q=nothingatall\"")),
	    "... and to the words without their filters");
	ok(holds(visit(s, STR("/opensearch.xml")).body, STR("/search?q={searchTerms}")), "browsers are told of it");
	ok(holds(visit(s, STR("/")).body, STR("<link rel=\"search\"")) &&
		holds(visit(s, STR("/")).body, STR("action=\"/search\"")),
	    "each page has the box, and leads to the description");
	for (size_t i = 0; i < 40; i++)
		BUF_PUT(&wide, "\xe4\xb8\xad");
	ok(str_utf8(visit(s, STR_CONCAT(s->arena, STR("/search?q="), buf_str(&wide))).body), "a title is cut between characters");
	for (size_t i = 0; i < 250; i++)
		BUF_PUT(&wide, "+a");
	ok(!holds(visit(s, STR_CONCAT(s->arena, STR("/search?q=tide+"), buf_str(&wide))).body, STR("rel=\"nofollow\"")),
	    "a long query is not repeated in links that choose");
	item_set(s->arena, &settings, STR("Name"), value_string(STR("ab \xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad of all that is worth it")));
	seeded_put(s, &settings, 1);
	ok(holds(visit(s, STR("/opensearch.xml")).body, STR("<ShortName>ab \xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad of all</ShortName>")),
	    "a long name is the words of it that fit");
	is_str(visit(s, STR("/search/suggest?q=t")).body, STR("[\"\",[]]\n"), "a letter is not completed");
	is_str(visit(s, STR("/search/suggest?q=tide+")).body, STR("[\"\",[]]\n"), "... nor what is no beginning");
}

/* Whom a reader has blocked is not named to them, as in other lists. */
static void
blocked(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor");

	get(&noor, "/search?q=quokka");
	ok(says(&noor, "Kofi Mensah-Boyd"), "an author is named");
	get(&noor, "/search?q=in:comments+tide");
	ok(says(&noor, "Kofi Mensah-Boyd") && !says(&noor, "By somebody you have blocked"), "... where they comment, too");
	get(&noor, "/author/kofi/block");
	SUBMIT(&noor, "/author/kofi/block", "sure", "1");
	get(&noor, "/search?q=quokka");
	ok(says(&noor, "A quokka") && !says(&noor, "Kofi Mensah-Boyd"), "... and not to who has blocked them");
	get(&noor, "/search?q=in:comments+tide");
	ok(says(&noor, "By somebody you have blocked.") && !says(&noor, "Kofi Mensah-Boyd"),
	    "... nor is what they comment read there");
	ok(count_of(noor.last.body, STR("<li class=\"comment\">")) == count_of(noor.last.body, STR("class=\"passage\"")),
	    "... where others are");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	work(&s);
	hits(&s);
	unseen(&s);
	many(&s);
	odd(&s);
	blocked(&s);
	newness(&s);
	browsers_close(&s);
	return tap_done();
}
