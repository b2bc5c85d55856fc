/* The pages of figures: how often a post and the publication were read, by day, and the same as files. */
#include "browser.h"

#include "lib/tap.h"
#include "model/key_post.h"
#include "model/post/figures.h"

#define POST "bread-for-a-wet-week" /* which six people liked yesterday, and three bookmarked */
#define FILE_OF "/figures/" POST

static const int64_t day_ms = INT64_C(24) * 60 * 60 * 1000;

enum { MANY = 1001 };

/* Counts views of a post, or of the site, on a day. */
static void
count(struct seeded *s, const char *day, struct counted_views counted)
{
	struct table_call call = {.arena = s->arena};

	if (figures_add(s->table, &call, str_of(day), &counted, 1) != TABLE_OK)
		bail_out("counting failed: %s", call.why);
}

static struct browser
author_of(struct seeded *s, const char *post)
{
	struct item head = seeded_item(s, str_fmt(s->arena, "POST#%s", post).base, "METADATA");

	return browser_of(s, str_cstring(s->arena, item_string(&head, STR("Author"))));
}

static void
nothing_yet(struct seeded *s)
{
	struct browser author = author_of(s, POST), marta = browser_of(s, "marta");

	is_int(get(&author, FILE_OF), HTTP_OK, "a post that nobody has read");
	ok(says(&author, "Views in all") && says(&author, "None in these days."), "says so");
	ok(says(&author, "No other site has led anybody here in these days."), "... of hosts, too");
	is_int(get(&marta, "/admin/figures"), HTTP_OK, "the publication");
	ok(says(&marta, "No post was read in these days.") &&
		says(&marta, "Nothing was counted in these days."),
	    "nobody has read that either");
}

static void
shows_views(struct seeded *s)
{
	const struct views_of hosts[] = {{STR("news.example"), 3}, {STR("b.example"), 1}};
	struct browser author = author_of(s, POST);

	count(s, "2026-11-18",
	    (struct counted_views){.post = STR(POST), .views = 7, .hosts = hosts, .host_count = 2});
	count(s, "2026-11-10",
	    (struct counted_views){.post = STR(POST), .views = 1234, .hosts = hosts, .host_count = 1});
	count(s, "2026-10-20", (struct counted_views){.post = STR(POST), .views = 2});
	count(s, "2026-10-19", (struct counted_views){.post = STR(POST), .views = 5000});
	get(&author, FILE_OF);
	ok(says(&author, "<dt>Views in all</dt><dd>6,243</dd>"), "all views there were");
	ok(says(&author, "1,243 in these days, at most 1,234 on 10 November."),
	    "of thirty days, of which today is the last");
	ok(says(&author, "<span>20 October</span> <span>18 November</span>"), "... which are named");
	ok(says(&author, "d=\"M0 100v-1h9v1zM210 100v-100h9v100zM290 100v-1h9v1z\""),
	    "a plot: the most is as high as it, and no view is without a bar");
	ok(says(&author, "<th scope=\"row\"><time datetime=\"2026-11-10\">10 November</time></th><td "
			 "class=\"right\">1,234</td>"),
	    "... and the numbers");
	ok(says(&author, "<li><span>news.example</span> <span class=\"count\">6</span></li>"),
	    "from where they came, all days together");
	ok(says(&author, "1,236 views came from this site, or their browsers did not say from where."),
	    "... and how many came from nowhere");
	get(&author, FILE_OF "?days=90");
	ok(says(&author, "6,243 in these days"), "more days");
	ok(says(&author, "href=\"" FILE_OF "/days.csv?days=90\""), "... also as a file");
	is_int(get(&author, FILE_OF "?days=31"), HTTP_BAD_REQUEST, "as many as nobody offers");
}

static void
shows_deeds(struct seeded *s)
{
	struct browser author = author_of(s, POST), tobias = browser_of(s, "tobias");
	struct browser reader = browser_of(s, "pascal");
	struct str days;

	for (int i = 0; i < 2; i++) {
		get(&reader, "/post/" POST);
		SUBMIT(&reader, "/react/" POST, "like", i == 0 ? "off" : "love");
		get(&reader, "/post/" POST);
		SUBMIT(&reader, "/react/" POST, "bookmark", i == 0 ? "off" : "on");
	}
	get(&author, FILE_OF "/days.csv");
	days = author.last.body;
	ok(holds(days, STR("day,views,likes,bookmarks\r\n2026-10-20,2,0,0\r\n")), "a file: what is in it");
	ok(holds(days, STR("\r\n2026-11-10,1234,")) && count_of(days, STR("\r\n")) == 31,
	    "... and each of the days");
	ok(holds(days, STR("\r\n2026-11-17,0,5,2\r\n2026-11-18,7,1,1\r\n")),
	    "... with what readers did, when they did it last");
	ok(holds(header(&author.last, "Content-Disposition"), STR("attachment; filename=\"days.csv\"")) &&
		str_eq(header(&author.last, "Content-Type"), STR("text/csv; charset=utf-8")),
	    "... to be kept");
	get(&tobias, FILE_OF);
	ok(says(&tobias, "Likes") && !says(&tobias, "Bookmarks"),
	    "bookmarks are for its authors alone");
	get(&tobias, FILE_OF "/days.csv");
	ok(holds(tobias.last.body, STR("day,views,likes\r\n")), "... in the file, too");
	get(&author, FILE_OF "/hosts.csv");
	is_str(author.last.body, STR("host,views\r\nnews.example,6\r\nb.example,1\r\n"), "the hosts");
	is_int(get(&author, FILE_OF "/people.csv"), HTTP_NOT_FOUND, "there is no other file");
	is_int(get(&reader, FILE_OF), HTTP_NOT_FOUND, "it is not for readers,");
	is_int(get(&reader, FILE_OF "/days.csv"), HTTP_NOT_FOUND, "... nor is the file");
}

/* Each kind of post has the numbers that it has. */
static void
knows_kinds(struct seeded *s)
{
	static const struct {
		const char *post, *head;
	} kinds[] = {{"noaa-tides-and-currents", "day,views,ratings,bookmarks\r\n"},
	    {"splice-an-eye", "day,views,votes,bookmarks\r\n"}, {"about", "day,views\r\n"}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct browser author = author_of(s, kinds[i].post);
		const char *page = str_fmt(s->arena, "/figures/%s", kinds[i].post).base;

		if (i == 2)
			author = browser_of(s, "marta");
		is_int(get(&author, page), HTTP_OK, "the figures of “%s”", kinds[i].post);
		get(&author, str_fmt(s->arena, "%s/days.csv", page).base);
		ok(holds(author.last.body, str_of(kinds[i].head)), "have what readers can do with it");
	}
}

/* What readers did is read up to a bound, and the page says when that is not all. */
static void
says_when_not_all(struct seeded *s)
{
	struct item *items = ARENA_ARRAY(s->arena, MANY, struct item);
	struct browser author = author_of(s, "soup-for-nine");

	for (int i = 0; i < MANY; i++) {
		struct str who = str_fmt(s->arena, "crowd_%04d", i);
		struct item *like = &items[i];

		key_set(s->arena, like, key_reaction(s->arena, who, STR("soup-for-nine"), "LIKE"),
		    ITEM_LIKE);
		item_set(s->arena, like, STR("GSI2PK"), value_string(STR("ABOUT#soup-for-nine")));
		item_set(s->arena, like, STR("GSI2SK"),
		    value_string(STR_CONCAT(s->arena, STR("LIKE#"), who)));
		item_set(s->arena, like, STR("CreatedAt"), value_string(SEEDED_NOW));
	}
	get(&author, "/figures/soup-for-nine");
	ok(!says(&author, "only a thousand"), "some likes are all counted");
	seeded_put(s, items, MANY);
	get(&author, "/figures/soup-for-nine");
	ok(says(&author, "There are many: only a thousand of them are counted by day."),
	    "of too many the page says that they are not all");
}

static void
shows_the_site(struct seeded *s)
{
	const struct views_of posts[] = {{STR(POST), 7}, {STR("no-such-post"), 2}},
			      hosts[] = {{STR("news.example"), 3}};
	struct browser marta = browser_of(s, "marta"), tobias = browser_of(s, "tobias");

	count(s, "2026-11-18", (struct counted_views){.views = 20, .post_views = 9, .deeds = {4, 3, -2}, .posts = posts,
				   .post_count = 2, .hosts = hosts, .host_count = 1});
	count(s, "2026-11-17", (struct counted_views){.views = 5, .post_views = 1, .posts = posts + 1,
				   .post_count = 1});
	get(&marta, "/admin/figures");
	ok(says(&marta, "<dt>Views in all</dt><dd>25</dd>") && says(&marta, "25 in these days"),
	    "the views of all pages");
	ok(says(&marta, "10 in these days, at most 9 on 18 November."), "... and those of posts");
	ok(says(&marta, "<span><a href=\"/figures/" POST "\">") &&
		says(&marta, "<span class=\"count\">7</span>"),
	    "the posts that were read most, by their titles");
	ok(says(&marta, "<span>A post that you may not read</span> <span class=\"count\">4</span>"),
	    "what is not there has no name");
	ok(says(&marta, "4 in these days, at most 4 on 18 November. Likes, votes on posts, ratings."),
	    "... and what readers did");
	ok(says(&marta, "<td class=\"right\">-2</td>"), "more may be taken back than done");
	get(&marta, "/admin/figures/posts.csv");
	is_str(marta.last.body, STR("post,views\r\n" POST ",7\r\nno-such-post,4\r\n"), "as a file");
	get(&marta, "/admin/figures/hosts.csv");
	is_str(marta.last.body, STR("host,views\r\nnews.example,3\r\n"), "... and the hosts");
	get(&marta, "/admin/figures/days.csv");
	ok(holds(marta.last.body, STR("\r\n2026-11-18,20,9,4,3,-2\r\n")) &&
		holds(marta.last.body, STR("day,views,views of posts,reactions,comments,bookmarks\r\n")),
	    "... and the days");
	is_int(get(&marta, "/admin/figures/people.csv"), HTTP_NOT_FOUND, "there is no other file");
	is_int(get(&tobias, "/admin/figures"), HTTP_FORBIDDEN, "it is for admins");
}

/* Of the site's zone: in summer, Lisbon is an hour ahead. */
static void
follows_the_zone(struct seeded *s)
{
	struct browser author;
	int64_t now = s->clock.fixed_now;

	if (!time_parse(STR("2027-07-01T23:30:00.000Z"), &s->clock.fixed_now))
		bail_out("a time");
	author = author_of(s, POST);
	count(s, "2027-07-02", (struct counted_views){.post = STR(POST), .views = 3});
	get(&author, FILE_OF "/days.csv");
	ok(holds(author.last.body, STR("\r\n2027-07-02,3,0,0\r\n")), "the last day is that of the site");
	ok(!holds(author.last.body, STR("2027-06-02")), "... and the first one follows from it");
	s->clock.fixed_now = now;
}

/* Authors find their way; others are not shown one. */
static void
has_links(struct seeded *s)
{
	struct browser author = author_of(s, POST), reader = browser_of(s, "pascal");
	struct browser stranger = browser(s, "198.51.100.7");

	get(&author, "/post/" POST);
	ok(says(&author, "href=\"" FILE_OF "\""), "a post leads its author to its figures");
	get(&author, "/desk/published");
	ok(says(&author, "href=\"" FILE_OF "\""), "... and so does the desk");
	get(&reader, "/post/" POST);
	ok(!says(&reader, "/figures/"), "but no reader");
	get(&stranger, "/post/" POST);
	ok(!says(&stranger, "/figures/"), "... and no stranger");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	nothing_yet(&s);
	shows_views(&s);
	shows_deeds(&s);
	knows_kinds(&s);
	shows_the_site(&s);
	says_when_not_all(&s);
	has_links(&s);
	s.clock.fixed_now += day_ms;
	follows_the_zone(&s);
	browsers_close(&s);
	return tap_done();
}
