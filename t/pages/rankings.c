/*
 * The pages of rankings: in the order of scores, of the spans that the site's zone has, page by page; and nothing in them
 * that may not be seen, even before the worker knows.
 */
#include "t/derive/worker.h"

#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/reader/comment.h"

enum { MANY = 45, HOUR = 3600 * 1000 };

/* A post of that many likes, as its author and the fold of counts leave it. */
static struct post
put(struct seeded *s, const char *id, const char *published, int64_t likes, int64_t comments)
{
	struct post post = {.id = str_of(id),
	    .slug = str_of(id),
	    .title = str_of(id),
	    .author = STR("kofi"),
	    .kind = KIND_HOWTO,
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .likes = likes,
	    .comments = comments};
	struct item item = {0};

	(void)time_parse(str_of(published), &post.published);
	key_set(s->arena, &item, key_post(s->arena, post.id), ITEM_POST);
	post_to_item(s->arena, &post, &item);
	key_index_post(s->arena, &item, &post);
	seeded_put(s, &item, 1);
	return post;
}

/* A post that was put is taken back. */
static void
withdraw(struct seeded *s, struct post post)
{
	struct item head = seeded_item(s, str_fmt(s->arena, "POST#%.*s", STR_ARGS(post.id)).base, "METADATA");

	post.status = STATUS_UNPUBLISHED;
	post_to_item(s->arena, &post, &head);
	key_index_post(s->arena, &head, &post);
	seeded_put(s, &head, 1);
}

/* The posts of a page, by the ends of their addresses. */
static struct str
shown(struct seeded *s, const char *address)
{
	struct answer page = visit(s, str_of(address));
	struct list posts = listed(s->arena, page.body);
	struct str text = STR("");

	is_int(page.status, HTTP_OK, "%s is there", address);
	for (size_t i = 0; i < posts.count; i++)
		text = STR_CONCAT(s->arena, text, STR(" "),
		    str_sub(posts.strings[i], sizeof("/post/") - 1, posts.strings[i].len));
	return text;
}

/* Years ago, where the seed has nothing. In Dublin clocks show an hour more in summer. */
static void
spans(struct seeded *s)
{
	put(s, "monday", "2019-07-01T10:00:00Z", 5, 0);
	put(s, "late", "2019-06-30T23:30:00Z", 7, 1);
	put(s, "sunday", "2019-06-30T22:30:00Z", 6, 2);
	put(s, "winter", "2019-01-05T10:00:00Z", 9, 3);
	put(s, "unloved", "2019-07-01T11:00:00Z", 0, 0);
	work(s);
	is_str(shown(s, "/top/2019-07-01"), STR(" late monday"), "a day is one of the site's zone");
	is_str(shown(s, "/top/2019-06-30"), STR(" sunday"), "... and so is the day before");
	is_str(shown(s, "/top/2019-w26"), STR(" sunday"), "a week ends on Sunday");
	is_str(shown(s, "/top/2019-w27"), STR(" late monday"), "... and begins on Monday");
	is_str(shown(s, "/top/2019-07"), STR(" late monday"), "a month");
	is_str(shown(s, "/top/2019"), STR(" winter late sunday monday"), "a year, best first");
	is_str(shown(s, "/discussed/2019"), STR(" winter sunday late"), "by comments");
	is_str(shown(s, "/discussed/2019-06"), STR(" sunday"), "... of a month");
	is_str(shown(s, "/discussed/2019-w27"), STR(" late"), "... of a week");
	is_int(visit(s, STR("/discussed/2019-07-01")).status, HTTP_NOT_FOUND, "... not of a day");
	ok(holds(visit(s, STR("/top/2019-w27")).body, STR(">Top posts of the week of 1 July 2019</h1>")),
	    "a page says of which week it is");
	ok(holds(visit(s, STR("/top/2019-07-01")).body, STR("href=\"/top/2019-06-30\"")),
	    "... and leads to the day before that has posts");
	ok(holds(visit(s, STR("/top/2019-01")).body, STR("href=\"/top/2019-06\"")),
	    "... and to the month after, across some without any");
	ok(holds(visit(s, STR("/top/2019-03")).body, STR("noindex")), "an empty one is not indexed");
	ok(!holds(visit(s, STR("/top/2019-07")).body, STR("noindex")), "... one with posts is");
}

static void
addresses(struct seeded *s)
{
	static const char *const none[] = {"/top/2026-11-19", "/top/2026-w48", "/top/2026-12", "/top/2027",
	    "/top/2026-02-30", "/top/2026-w54", "/top/never", "/top/2026-1", "/discussed/day",
	    "/hot/day", "/rated/2026"};
	static const char *const there[] = {"/hot", "/top", "/top/day", "/top/week", "/top/month",
	    "/top/year", "/top/all", "/top/2026-11-18", "/top/2026-w47", "/discussed",
	    "/discussed/week", "/discussed/month", "/discussed/year", "/discussed/all", "/rated",
	    "/disputed", "/top/1000"};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		is_int(visit(s, str_of(none[i])).status, HTTP_NOT_FOUND, "%s is none", none[i]);
	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
		is_int(visit(s, str_of(there[i])).status, HTTP_OK, "%s is one", there[i]);
	is_int(visit(s, STR("/top/2026-W47")).status, HTTP_MOVED, "an address has small letters");
	is_int(visit(s, STR("/top?after=nonsense")).status, HTTP_BAD_REQUEST,
	    "a cursor that was tampered with is refused");
	ok(holds(visit(s, STR("/top")).body, STR("/top/week\">")) &&
		holds(visit(s, STR("/top")).body, STR("rel=\"canonical\" href=\"https://slack.example/top/week\"")),
	    "/top is that of the week");
}

/* A withdrawn post is gone at once, and a scheduled one never there, whatever the items say. */
static void
hidden(struct seeded *s)
{
	struct post post = put(s, "seen", "2018-03-01T10:00:00Z", 50, 50), other;
	struct item head;

	other = put(s, "stays", "2018-03-02T10:00:00Z", 40, 40);
	work(s);
	is_str(shown(s, "/top/2018"), STR(" seen stays"), "two posts of a year");
	withdraw(s, post);
	is_str(shown(s, "/top/2018"), STR(" stays"), "what is withdrawn is not shown, before the worker was there");
	is_str(shown(s, "/discussed/2018-03"), STR(" stays"), "... in no ranking");
	work(s);
	is_str(shown(s, "/top/2018"), STR(" stays"), "... nor after it was");
	other.published = s->clock.fixed_now + HOUR;
	head = seeded_item(s, "POST#stays", "METADATA");
	post_to_item(s->arena, &other, &head);
	key_index_post(s->arena, &head, &other);
	seeded_put(s, &head, 1);
	work(s);
	ok(!holds(shown(s, "/top/day"), STR("stays")) && !holds(shown(s, "/hot"), STR("stays")) &&
		!holds(shown(s, "/discussed/all"), STR("stays")),
	    "a scheduled one is in none");
	s->clock.fixed_now += HOUR;
	ok(holds(shown(s, "/top/day"), STR("stays")) && holds(shown(s, "/hot"), STR("stays")),
	    "... until its minute comes");
	s->clock.fixed_now -= HOUR;
}

/* Posts that are yet to come stand before all others in HOT, however many they are; nobody sees that. */
static void
scheduled(struct seeded *s)
{
	struct str before = shown(s, "/hot"), front = visit(s, STR("/")).body;

	for (int i = 0; i < MANY; i++)
		put(s, str_cstring(s->arena, str_fmt(s->arena, "soon-%02d", i)), "2026-12-24T10:00:00Z", 0, 0);
	is_str(shown(s, "/hot"), before, "%d scheduled posts change nothing of what is popular", MANY);
	is_str(visit(s, STR("/")).body, front, "... nor of the front page");
}

/* All pages of a ranking, each post once and in order. */
static void
pages(struct seeded *s)
{
	struct str address = STR("/top/2017"), rest;
	struct list seen = {0}, posts;
	unsigned count = 0, in_order = 0;

	for (int i = 0; i < MANY; i++)
		put(s, str_cstring(s->arena, str_fmt(s->arena, "many-%02d", i)), "2017-05-05T10:00:00Z",
		    100 - i, 0);
	work(s);
	while (address.len != 0 && count++ < MANY) {
		struct answer page = visit(s, address);

		posts = listed(s->arena, page.body);
		for (size_t i = 0; i < posts.count; i++) {
			in_order += str_eq(posts.strings[i], str_fmt(s->arena, "/post/many-%02zu", seen.count));
			list_add(s->arena, &seen, posts.strings[i]);
		}
		rest = part(page.body, "class=\"older\" href=\"", "\"");
		address = unescaped(s->arena, rest);
	}
	is_int(count, 3, "%d posts are three pages", MANY);
	is_int((int64_t)seen.count, MANY, "... which have all of them");
	is_int(in_order, MANY, "... in their order");
}

/* What readers rate and dispute, as the fold of counts leaves it. */
static void
put_rated(struct seeded *s, const char *published)
{
	static const struct {
		const char *id;
		int64_t ratings, stars, ups, downs;
	} all[] = {{"five-of-three", 3, 15, 0, 0}, {"good-of-many", 90, 400, 0, 0},
	    {"two-only", 2, 10, 0, 0}, {"even", 0, 0, 30, 30}, {"uneven", 0, 0, 58, 2},
	    {"few", 0, 0, 2, 2}, {"liked-by-all", 0, 0, 80, 0}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct post post = put(s, all[i].id, published, 0, 0);
		struct item head = seeded_item(
		    s, str_cstring(s->arena, STR_CONCAT(s->arena, STR("POST#"), post.id)), "METADATA");

		post.ratings = all[i].ratings;
		post.stars = all[i].stars;
		post.ups = all[i].ups;
		post.downs = all[i].downs;
		post_to_item(s->arena, &post, &head);
		seeded_put(s, &head, 1);
	}
	work(s);
}

static void
rated(struct seeded *s)
{
	struct str best, disputed, of_author = part(visit(s, STR("/author/kofi")).body, "<span>Rated ", "</span>");

	put_rated(s, "2016-01-01T10:00:00Z");
	best = shown(s, "/rated");
	ok(str_starts(best, STR(" good-of-many")), "many good ratings are better than three of the best");
	ok(holds(best, STR(" five-of-three")) && !holds(best, STR("two-only")), "from three ratings on");
	disputed = shown(s, "/disputed");
	ok(str_starts(disputed, STR(" even uneven")), "the more evenly votes are split, the more disputed");
	ok(!holds(disputed, STR("few")) && !holds(disputed, STR("liked-by-all")),
	    "from five votes on, of which some are against");
	ok(holds(visit(s, STR("/disputed")).body, STR("30 for, 30 against")), "... and says how many");
	ok(!str_eq(part(visit(s, STR("/author/kofi")).body, "<span>Rated ", "</span>"), of_author),
	    "an author's page says how they are rated");
	put_rated(s, "2026-12-24T10:00:00Z");
	seeded_restart(s, 0);
	is_str(part(visit(s, STR("/author/kofi")).body, "<span>Rated ", "</span>"), of_author,
	    "... without what was put off until later");
}

/* How often the front page leads to a post. */
static int64_t
times_in(struct seeded *s, struct str page, const char *id)
{
	struct list posts = listed(s->arena, page);
	int64_t times = 0;

	for (size_t i = 0; i < posts.count; i++)
		times += str_ends(posts.strings[i], STR_CONCAT(s->arena, STR("/"), str_of(id)));
	return times;
}

/* The years and months of the archive with their numbers, by the zone of the site, without what is yet to come or was withdrawn. */
static void
archive(struct seeded *s)
{
	static const struct {
		const char *link, *count, *what;
	} counted[] = {
	    {"/archive/2019/07\">July</a>", "3 posts", "a month has the number of its posts"},
	    {"/archive/2019/06\">June</a>", "1 post", "... by the clocks of the site"},
	    {"/archive/2019\">2019</a>", "5 posts", "... a year that of its months"},
	    {"/archive/2017/05\">May</a>", "45 posts", "... however long ago"},
	    {"/archive/2026/02\">February</a>", "1 post", "... without what was withdrawn"},
	};
	struct answer page = visit(s, STR("/archive"));

	put(s, "here-first", "1850-05-06T10:00:00Z", 0, 0);
	is_int(page.cost.round_trips, 1, "the archive is made in one trip");
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		is_str(part(part(page.body, counted[i].link, "\n"), "<span class=\"count\">", "</span>"),
		    str_of(counted[i].count), "%s", counted[i].what);
	ok(holds(page.body, STR("/archive/2026/11\">")) && !holds(page.body, STR("/archive/2026/12")),
	    "... and nothing of what is yet to come");
	ok(!holds(page.body, STR("/archive/2019/03")), "... nor of what has no posts");
	withdraw(s, put(s, "soon-00", "2026-12-24T10:00:00Z", 0, 0));
	seeded_restart(s, 0);
	ok(!holds(visit(s, STR("/archive")).body, STR("/archive/2026/12")),
	    "... nor when one of that was withdrawn, before the worker was there");
	page = visit(s, STR("/sitemap/editions.xml"));
	ok(holds(page.body, STR("/edition/2017-w18<")), "the sitemap has an edition of a week with posts");
	ok(!holds(page.body, STR("/edition/2026-w52<")), "... but none of a week that is yet to come");
	work(s);
	ok(holds(visit(s, STR("/archive")).body, STR("/archive/1850/05\">")), "a post makes its month");
	put(s, "here-first", "2015-03-06T10:00:00Z", 0, 0);
	work(s);
	page = visit(s, STR("/archive"));
	ok(holds(page.body, STR("/archive/2015/03\">")) && !holds(page.body, STR("/archive/1850")),
	    "... and takes it along");
}

/* The newest comments of the front page, without one that so many readers are against. */
static void
voted_down(struct seeded *s)
{
	static const char box[] = "Newest comments</a></h2>", excerpt[] = "class=\"excerpt\"><a href=\"/post/";
	struct str front = visit(s, STR("/")).body, thread;
	struct str link = part(part(front, box, "</section>"), excerpt, "\"");
	struct str post = str_cut(str_cut(link, '#', &thread), '/', &thread);
	struct item votes = {0};

	ok(link.len != 0, "the front page has the newest comments");
	key_set(s->arena, &votes,
	    key_comment_votes(s->arena, post, str_sub(thread, sizeof("thread/") - 1, thread.len)),
	    ITEM_COMMENT_VOTES);
	item_set(s->arena, &votes, STR("Downs"), value_number(1));
	seeded_put(s, &votes, 1);
	ok(holds(visit(s, STR("/")).body, link), "... with one that somebody is against");
	item_set(s->arena, &votes, STR("Downs"), value_number(100));
	seeded_put(s, &votes, 1);
	front = visit(s, STR("/")).body;
	ok(!holds(front, link), "... but not one that readers have voted down");
	ok(holds(part(front, box, "</section>"), str_of(excerpt)), "... in whose place is another one");
	item_remove(&votes, STR("Downs"));
	seeded_put(s, &votes, 1);
}

/* The newest comments are those on posts that may be seen, though newer ones are on others. */
static void
behind_others(struct seeded *s)
{
	enum { OTHERS = 4 };

	for (int i = 0; i < OTHERS; i++) {
		struct post post = put(s, str_fmt(s->arena, "taken-%d", i).base, "2014-05-05T10:00:00Z", 0, 0);
		struct comment c = {.id = str_fmt(s->arena, "0000000008000%d", i),
		    .post = post.id,
		    .author = STR("pascal"),
		    .author_name = STR("Pascal"),
		    .markdown = STR("Of the newest."),
		    .html = STR("<p>Of the newest.</p>\n"),
		    .renderer = 1,
		    .status = COMMENT_VISIBLE,
		    .created = s->clock.fixed_now - i};
		struct item item = {0};

		withdraw(s, post);
		key_set(s->arena, &item, key_comment(s->arena, c.post, c.id), ITEM_COMMENT);
		key_index_comment(s->arena, &item, c.author, c.created, c.id, false);
		bind_write(s->arena, &comment_bindings, &c, &item);
		seeded_put(s, &item, 1);
	}
	ok(holds(part(visit(s, STR("/")).body, "Newest comments</a></h2>", "</section>"), STR("class=\"excerpt\"")),
	    "newer comments on posts that are taken back take nobody's place on the front page");
}

static void
links(struct seeded *s)
{
	struct answer archive = visit(s, STR("/archive")), front;
	struct post withdrawn = put(s, "withdrawn", "2026-02-04T10:00:00Z", 0, 80);
	struct str box;

	put(s, "quarrel", "2026-02-03T10:00:00Z", 0, 70);
	put(s, "newest", "2026-11-18T09:00:00Z", 0, 90);
	work(s);
	withdraw(s, withdrawn);
	front = visit(s, STR("/"));
	box = part(front.body, "Most discussed</a></h2>", "</section>");
	ok(holds(box, STR("/post/quarrel")) && holds(box, STR("70 comments")),
	    "the front page has the most discussed posts of the year");
	ok(!holds(box, STR("/post/newest")), "... but none that is on the sheet");
	ok(holds(front.body, STR("/post/newest")) &&
		!holds(part(front.body, "<article class=\"lead", "</article>"), STR("/post/newest")),
	    "what has no excerpt, no category and no picture does not lead");
	ok(!holds(front.body, STR("/post/withdrawn")), "... or was withdrawn, before the worker was there");
	is_int(times_in(s, front.body, "quarrel"), 1, "... each once");
	work(s);
	ok(holds(front.body, STR("href=\"/hot\"")), "the front page leads to what is popular");
	ok(holds(part(front.body, "From the archive", "</section>"), STR("/post/")),
	    "... and to posts of a year ago");
	ok(holds(archive.body, STR("href=\"/top\"")) && holds(archive.body, STR("href=\"/discussed\"")),
	    "the archive leads to rankings");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	voted_down(&s);
	behind_others(&s);
	spans(&s);
	addresses(&s);
	hidden(&s);
	scheduled(&s);
	pages(&s);
	rated(&s);
	links(&s);
	archive(&s);
	is_int(differences(&s), 0, "a rebuild would change nothing");
	seeded_close(&s);
	return tap_done();
}
