/*
 * One's own feed as people read it: what whom they follow has published, for everybody or for followers, whether a worker
 * has made it or not; what they have muted is gone at once; and who follows nobody is shown whom they could.
 */
#include "submit.h"
#include "writer.h"

#include "t/derive/worker.h"

#include "model/key.h"
#include "model/key_feed.h"

#define FEED "/account/feed"
#define CLOSED "/post/before-the-deadline" /* tobias, for his followers */
#define SCHEDULED "/post/the-longest-low-water" /* kofi, in two days */
#define DAY_MS (INT64_C(86400000))

/* All posts of a feed, page by page. */
static struct list
whole_feed(struct browser *b)
{
	struct list all = {.count = 0};
	const char *address = FEED;

	for (int pages = 0; address != NULL && pages < 20; pages++) {
		struct list page;
		struct str next;

		get(b, address);
		if (b->last.status != HTTP_OK)
			bail_out("%s is not there", address);
		page = listed(b->s->arena, b->last.body);
		for (size_t i = 0; i < page.count; i++)
			list_add(b->s->arena, &all, page.strings[i]);
		next = part(b->last.body, "<a class=\"older\" href=\"", "\"");
		address = next.len != 0
			      ? str_cstring(b->s->arena, unescaped(b->s->arena, next))
			      : NULL;
	}
	return all;
}

static bool
by_followed(const struct item *post, const char *name)
{
	(void)name;
	return by_author(post, "noor") || by_author(post, "kofi") || by_author(post, "tobias");
}

/* What of lowri's feed strangers may see as well, in its order. */
static struct str
public_part(struct seeded *s, const struct list *feed)
{
	struct list public = {.count = 0};

	for (size_t i = 0; i < feed->count; i++)
		if (!str_eq(feed->strings[i], STR(CLOSED)))
			list_add(s->arena, &public, feed->strings[i]);
	return list_text(s->arena, &public);
}

static void
reads(struct seeded *s, const char *when)
{
	struct browser lowri = browser_of(s, "lowri");
	struct list is = whole_feed(&lowri), wanted = wanted_posts(s, by_followed, "");

	is_str(public_part(s, &is), list_text(s->arena, &wanted), "%s: a feed has all posts of whom one follows, newest first",
	    when);
	is_int((int64_t)(is.count - wanted.count), 1, "... and what one of them has published for followers");
	get(&lowri, FEED);
	ok(lowri.last.cost.round_trips <= 5, "... in two trips beside those for its reader and her group, and one that notes the visit");
	get(&lowri, FEED);
	is_int(lowri.last.cost.round_trips, 4, "... which the next visit does not take");
	ok(holds(lowri.last.head, STR("no-store")), "... and nobody keeps it");
}

static void
is_for_members(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");

	ok(!stranger_sees(s, "/", "href=\"/account/feed\""), "strangers have no feed");
	ok(stranger_gets(s, FEED) != HTTP_OK, "... at no address");
	get(&lowri, "/");
	ok(says(&lowri, "href=\"/account/feed\""), "each page leads members to theirs");
	is_int(get(&lowri, FEED "?after=abc"), HTTP_BAD_REQUEST, "no other place is understood than those given out");
}

/* At once, before the worker has come. */
static void
mutes(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");
	struct list feed;

	get(&lowri, "/author/kofi");
	SUBMIT(&lowri, "/author/kofi/mute", "do", "mute");
	feed = whole_feed(&lowri);
	ok(feed.count != 0 && !list_has(&feed, STR("/post/the-tide-in-forty-lines-of-c")),
	    "what somebody has written whom one has muted is not in it");
	get(&lowri, "/author/kofi");
	SUBMIT(&lowri, "/author/kofi/mute", "do", "unmute");
	feed = whole_feed(&lowri);
	ok(list_has(&feed, STR("/post/the-tide-in-forty-lines-of-c")), "... until that is undone");
	get(&lowri, "/author/tobias");
	SUBMIT(&lowri, "/author/tobias/follow", "do", "unfollow");
	feed = whole_feed(&lowri);
	ok(!list_has(&feed, STR("/post/the-beaufort-scale")) && !list_has(&feed, STR(CLOSED)),
	    "whom one does not follow any more is gone at once");
	get(&lowri, "/author/tobias");
	SUBMIT(&lowri, "/author/tobias/follow", "do", "follow");
	feed = whole_feed(&lowri);
	ok(list_has(&feed, STR("/post/the-library-of-small-screws")), "... and there again, as far as it is old");
	work(s);
	reads(s, "after all that");
}

static void
mutes_tags(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");
	struct str tag = part(visit(s, STR("/post/the-tide-in-forty-lines-of-c")).body, "href=\"/tag/", "\"");
	const char *mute = str_cstring(s->arena, str_fmt(s->arena, "/tag/%.*s/mute", STR_ARGS(tag)));
	struct list feed;

	get(&lowri, str_cstring(s->arena, str_fmt(s->arena, "/tag/%.*s", STR_ARGS(tag))));
	SUBMIT(&lowri, mute, "do", "mute");
	feed = whole_feed(&lowri);
	ok(tag.len != 0 && feed.count != 0 && !list_has(&feed, STR("/post/the-tide-in-forty-lines-of-c")),
	    "nor is what has a tag that one has muted");
	get(&lowri, str_cstring(s->arena, str_fmt(s->arena, "/tag/%.*s", STR_ARGS(tag))));
	SUBMIT(&lowri, mute, "do", "unmute");
}

/* In its minute, without anybody's doing. */
static void
schedules(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri");
	struct list before = whole_feed(&lowri), after;

	s->clock.fixed_now += 2 * DAY_MS + 60000;
	after = whole_feed(&lowri);
	ok(!list_has(&before, STR(SCHEDULED)) && list_has(&after, STR(SCHEDULED)),
	    "a scheduled post is in feeds from its minute on");
	s->clock.fixed_now -= 2 * DAY_MS + 60000;
}

static void
is_hidden(struct seeded *s)
{
	struct browser lowri = browser_of(s, "lowri"), kofi = browser_of(s, "kofi");
	struct item head = seeded_item(s, "POST#noaa-tides-and-currents", "METADATA");
	struct list feed;

	(void)kofi;
	item_set(s->arena, &head, STR("Visibility"), value_string(STR("private")));
	seeded_put(s, &head, 1);
	feed = whole_feed(&lowri);
	ok(!list_has(&feed, STR("/post/noaa-tides-and-currents")),
	    "a post that is not for everybody any more is gone at once, whatever stands in the feed");
	item_set(s->arena, &head, STR("Visibility"), value_string(STR("public")));
	seeded_put(s, &head, 1);
}

/* Who follows nobody. */
static void
suggests(struct seeded *s)
{
	struct browser ada = newcomer(s, "ada_new");
	struct str action;

	get(&ada, FEED);
	ok(says(&ada, "You follow nobody yet."), "an empty feed says why");
	ok(says(&ada, "formaction=\"/author/kofi/follow\""), "... and suggests whom to follow");
	ok(count_of(ada.last.body, STR("formaction=\"/author/kofi/follow\"")) == 1, "... each once");
	is_int((int64_t)listed(s->arena, ada.last.body).count, 0, "... without a post");
	action = part(ada.last.body, "name=\"csrf\" value=\"", "\"");
	fetch(&ada, "POST", "/author/kofi/follow",
	    str_fmt(s->arena, "csrf=%.*s&do=follow", STR_ARGS(action)));
	is_int(ada.last.status, HTTP_SEE_OTHER, "its button follows");
	get(&ada, FEED);
	ok(listed(s->arena, ada.last.body).count > 3 && !says(&ada, "formaction="),
	    "... and what they have published is there at once, before any worker comes");
	ok(says(&ada, "The tide in forty lines of C"), "... as all posts are shown");
}

/* What the worker has put there is all that it takes. */
static void
is_derived(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_feed(s->arena, STR("lowri"));
	struct item *found;
	size_t count;
	struct str next;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("a feed can't be read");
	ok(count > 10, "the worker has put into it what is new: %zu", count);
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	browsers_open(&s);
	seeded_page_size(&s, 5);
	is_for_members(&s);
	reads(&s, "before any worker");
	work(&s);
	is_derived(&s);
	reads(&s, "after the worker");
	mutes(&s);
	mutes_tags(&s);
	schedules(&s);
	is_hidden(&s);
	suggests(&s);
	work(&s);
	reads(&s, "at the end");
	browsers_close(&s);
	return tap_done();
}
