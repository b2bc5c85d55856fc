/*
 * What an admin turns off for the whole site, and networks from which nobody writes for a time: nobody does it then, all
 * read, and what was typed is there.
 */
#include "signing.h"
#include "staff.h"
#include "submit.h"
#include "writer.h"

#define POST "the-tide-in-forty-lines-of-c"
#define TIDE "/post/" POST
#define WRITE TIDE "/comment"
#define HERE "192.0.2.9"

static void
turn(struct seeded *s, const char *what, bool off)
{
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	item_set(s->arena, &settings, str_of(what), value_boolean(off));
	seeded_put(s, &settings, 1);
	s->clock.fixed_now += 60000;
}

static void
by_settings(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");
	struct item settings;
	size_t before = lines(s);

	get(&marta, "/admin/settings");
	is_int(SUBMIT(&marta, "/admin/settings", "name", "Slack Water", "language", "en",
		   "registration", "open", "two_step_for", "nobody", "posts_per_page", "20",
		   "time_zone", "UTC", "comments_off", "1", "follows_off", "1"),
	    HTTP_SEE_OTHER, "an admin turns comments and follows off");
	settings = seeded_item(s, "SITE", "SETTINGS");
	ok(item_boolean(&settings, STR("CommentsOff")) &&
		item_boolean(&settings, STR("FollowsOff")) &&
		!item_boolean(&settings, STR("VotesOff")) &&
		!item_boolean(&settings, STR("RatingsOff")),
	    "... which is stored");
	ok(lines(s) > before, "... and logged");
	get(&marta, "/admin/settings");
	ok(says(&marta, "name=\"comments_off\" value=\"1\" checked"), "... and shown");
	turn(s, "CommentsOff", false);
	turn(s, "FollowsOff", false);
}

static void
comments(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");

	get(&b, WRITE);
	turn(s, "CommentsOff", true);
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "Half a sentence"), HTTP_FORBIDDEN,
	    "with comments off nobody comments");
	ok(says(&b, "Comments are turned off") && says(&b, "Half a sentence"),
	    "... is told so, and loses nothing");
	get(&b, TIDE);
	ok(says(&b, "class=\"comment") && !says(&b, "href=\"" WRITE "\""),
	    "those there stay, with no way on");
	ok(!holds(visit(s, STR(TIDE)).body, STR(WRITE)), "... nor for a stranger");
	get(&b, WRITE);
	ok(!says(&b, "value=\"send\""), "... nor by the address");
	turn(s, "CommentsOff", false);
	get(&b, WRITE);
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "A whole sentence"), HTTP_SEE_OTHER,
	    "turned on again they do");
}

static void
follows(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");

	get(&b, "/author/marta");
	turn(s, "FollowsOff", true);
	is_int(SUBMIT(&b, "/author/marta/follow", "do", "follow"), HTTP_NOT_FOUND,
	    "with follows off nobody follows");
	get(&b, "/author/marta");
	ok(!says(&b, "value=\"follow\"") && says(&b, "value=\"mute\""), "... has no button for it");
	ok(!holds(visit(s, STR("/author/marta")).body, STR("/follow\"")), "... nor has a stranger");
	get(&b, "/author/ingrid");
	is_int(SUBMIT(&b, "/author/ingrid/follow", "do", "unfollow"), HTTP_SEE_OTHER,
	    "... but ends what there is");
	turn(s, "FollowsOff", false);
}

static void
votes(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");

	get(&b, TIDE);
	ok(says(&b, "/react/the-tide-in-forty-lines-of-c"), "a post can be liked");
	turn(s, "VotesOff", true);
	is_int(SUBMIT(&b, "/react/the-tide-in-forty-lines-of-c", "like", "like"), HTTP_FORBIDDEN,
	    "with votes off nobody likes");
	get(&b, TIDE);
	ok(!says(&b, "name=\"like\""), "... has no button for it");
	ok(!holds(visit(s, STR(TIDE)).body, STR("?like=")), "... nor has a stranger");
	turn(s, "VotesOff", false);
}

static void
ratings(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri");

	is_int(get(&b, "/post/commonmark-for-manuscripts/rating"), HTTP_OK, "a link can be rated");
	turn(s, "RatingsOff", true);
	ok(get(&b, "/post/commonmark-for-manuscripts/rating") != HTTP_OK, "with ratings off it can't");
	turn(s, "RatingsOff", false);
}

/* Of what readers do, nothing gets through but what is for themselves. */
static void
nothing_sent(struct browser *b)
{
	static const struct {
		const char *what, *address, *page;
		const char *fields[5];
	} sent[] = {
	    {"likes", "/react/" POST, TIDE, {"reaction", "like"}},
	    {"follows", "/author/ingrid/follow", "/author/ingrid", {"do", "follow"}},
	    {"flags", "/flag/profile/ingrid", "/flag/profile/ingrid", {"reason", "spam"}},
	    {"reviews", "/post/commonmark-for-manuscripts/rating",
		"/post/commonmark-for-manuscripts/rating", {"stars", "3", "note", "As it should be."}},
	    {"collects", "/collect/" POST, "/collect/" POST, {"name", "For a bad place"}},
	    {"says who they are", "/account/profile", "/account", {"bio", "From a bad place."}},
	};

	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		get(b, sent[i].page);
		is_int(submit_form(b, sent[i].page, sent[i].address, sent[i].fields),
		    HTTP_FORBIDDEN, "... nobody %s", sent[i].what);
		ok(says(b, "From your network"), "... which they are told");
	}
	is_int(submit_form(b, "/author/ingrid", "/author/ingrid/mute",
		   (const char *const[]){"do", "mute", NULL}),
	    HTTP_SEE_OTHER, "... but everybody mutes");
}

static void
addresses(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta"), b = browser_of(s, "lowri");
	struct browser staff = browser_of(s, "marta"), new = browser(s, HERE);

	b.address = staff.address = STR(HERE);
	marta.address = STR("198.51.100.1");
	get(&b, WRITE);
	get(&new, "/register");
	get(&marta, "/admin/addresses");
	is_int(SUBMIT(&marta, "/admin/addresses", "range", "198.51.100.0/24", "hours", "24"),
	    HTTP_UNPROCESSABLE, "nobody blocks where they are");
	is_int(SUBMIT(&marta, "/admin/addresses", "range", "not/24", "hours", "24"),
	    HTTP_UNPROCESSABLE, "... nor what is no range");
	ok(says(&marta, "value=\"not/24\""), "... which they have back");
	is_int(SUBMIT(&marta, "/admin/addresses", "range", "192.0.2.77/24", "hours", "24", "why",
		   "A flood."),
	    HTTP_SEE_OTHER, "a range is blocked");
	get(&marta, "/admin/addresses?done=blocked");
	ok(says(&marta, "192.0.2.0/24") && says(&marta, "by marta: A flood."), "... and listed");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "From a bad place."), HTTP_FORBIDDEN,
	    "from there nobody comments");
	ok(says(&b, "From your network") && says(&b, "From a bad place."),
	    "... is told so, and loses nothing");
	is_int(get(&b, TIDE), HTTP_OK, "... everybody reads");
	nothing_sent(&b);
	is_int(SUBMIT(&new, "/register", "username", "newcomer", "email", "new@example.com",
		   "password", PASSWORD),
	    HTTP_FORBIDDEN, "... nobody registers");
	ok(says(&new, "From your network") && says(&new, "value=\"newcomer\""),
	    "... is told so, and need not type it again");
	get(&staff, WRITE);
	ok(says(&staff, "value=\"send\""), "... but the staff write");
	b.address = STR("192.0.3.1");
	get(&b, WRITE);
	ok(says(&b, "value=\"send\""), "from elsewhere they do");
	b.address = STR(HERE);
	get(&marta, "/admin/addresses");
	is_int(SUBMIT(&marta, "/admin/addresses", "remove", "192.0.2.0/24"), HTTP_SEE_OTHER,
	    "it is taken back");
	get(&b, WRITE);
	ok(says(&b, "value=\"send\""), "... and all is as before");
	get(&marta, "/admin/addresses");
	SUBMIT(&marta, "/admin/addresses", "range", "192.0.2.0/24", "hours", "1");
	s->clock.fixed_now += 3600000;
	b = browser_of(s, "lowri");
	b.address = STR(HERE);
	get(&b, WRITE);
	ok(says(&b, "value=\"send\""), "or it ends by itself");
}

int
main(void)
{
	struct seeded s;
	struct item settings;

	browsers_open(&s);
	settings = seeded_item(&s, "SITE", "SETTINGS");
	item_set(s.arena, &settings, STR("Registration"), value_string(STR("open")));
	seeded_put(&s, &settings, 1);
	by_settings(&s);
	comments(&s);
	follows(&s);
	votes(&s);
	ratings(&s);
	addresses(&s);
	browsers_close(&s);
	return tap_done();
}
