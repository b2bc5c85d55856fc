/*
 * Ratings: one person has one of a post, whatever they send and however often; what counts them is right, shard by shard;
 * and a note shows to nobody who may not read the post, or before it is approved.
 */
#include "past.h"
#include "signing.h"
#include "writer.h"

#include "lib/failing_table.h"
#include "lib/tap.h"

#include "model/key_post.h"
#include "model/key_rating.h"
#include "model/post/count.h"
#include "model/reader/rating.h"
#include "model/site/moderation.h"

#include <pthread.h>

#define ID "dates-that-sort"
#define POST "/post/" ID
#define RATE POST "/rating"
#define REVIEWS POST "/reviews"

static struct item *
item_at(struct seeded *s, struct key key)
{
	struct table_call call = {.arena = s->arena};
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};

	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("%s", call.why);
	table_release(s->table, &call);
	return read.item;
}

/* What somebody gave; 0: nothing. */
static int64_t
stars_of(struct seeded *s, struct str who)
{
	struct item *item = item_at(s, key_rating(s->arena, who, STR(ID)));

	return item != NULL ? item_number(item, STR("Stars")) : 0;
}

/* What a shard says of so many stars. */
static int64_t
shard_says(struct seeded *s, unsigned shard, int64_t stars)
{
	struct item *item = item_at(s, key_count(s->arena, STR(ID), shard));

	return item != NULL ? item_number(item, str_fmt(s->arena, "Stars%d", (int)stars)) : 0;
}

static int64_t
counted(struct seeded *s, int64_t stars)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < COUNT_SHARDS; i++)
		sum += shard_says(s, i, stars);
	return sum;
}

static void
fold_all(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	size_t folded = 1;

	while (folded != 0)
		if (count_fold_marked(s->table, &call, &folded) != TABLE_OK)
			bail_out("%s", call.why);
	table_release(s->table, &call);
}

static int64_t
figure(struct seeded *s, const char *sk, const char *name)
{
	struct item item = seeded_item(s, "POST#" ID, sk);

	return item_number(&item, str_of(name));
}

static enum http_status
rate(struct browser *b, const char *stars, const char *note)
{
	get(b, RATE);
	b->s->clock.fixed_now += 4000; /* sent sooner, a note would wait */
	return SUBMIT(b, RATE, "do", "send", "stars", stars, "note", note);
}

/* --- Giving, changing, taking back ------------------------------------------------------------------- */

static void
rating(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), stranger = browser(s, "192.0.2.9");
	int64_t fours = counted(s, 4), twos = counted(s, 2), all = figure(s, "METADATA", "Ratings");
	int64_t sum = figure(s, "METADATA", "Stars");

	is_int(rate(&b, "4", "It *sorts*."), HTTP_SEE_OTHER, "ingrid gives four stars and a note");
	is_str(leads_to(&b), STR(POST "#reviews"), "... and is led to the reviews");
	is_int(stars_of(s, STR("ingrid")), 4, "they are in the table");
	is_int(counted(s, 4), fours + 1, "... counted");
	get(&b, POST);
	ok(says(&b, "You gave it 4 stars"), "the post tells her what she gave");
	ok(says(&b, "It <em>sorts</em>."), "... and shows her note, as Markdown");
	get(&stranger, POST);
	ok(says(&stranger, "It <em>sorts</em>.") && !says(&stranger, "You gave it"),
	    "... to everybody");
	is_int(figure(s, "METADATA", "Ratings"), all, "the numbers that strangers see");
	fold_all(s);
	is_int(figure(s, "METADATA", "Ratings"), all + 1, "... follow when they are folded");
	is_int(figure(s, "METADATA", "Stars"), sum + 4, "... with the sum of the stars");
	get(&stranger, POST);
	ok(says(&stranger,
	       str_cstring(s->arena, str_fmt(s->arena, "\"ratingCount\":%d}", (int)all + 1))),
	    "... as what search engines are told");
	is_int(rate(&b, "2", "It *sorts*."), HTTP_SEE_OTHER, "she changes it");
	is_int(counted(s, 4), fours, "... which is four no more");
	is_int(counted(s, 2), twos + 1, "... but two");
	is_int(rate(&b, "2", "It *sorts*."), HTTP_SEE_OTHER, "the same again");
	is_int(counted(s, 2), twos + 1, "... changes nothing");
	is_int(get(&b, RATE "/withdraw"), HTTP_OK, "withdrawing asks first");
	is_int(stars_of(s, STR("ingrid")), 2, "... and does nothing yet");
	is_int(submit(&b, RATE "/withdraw", (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "she withdraws it");
	is_int(stars_of(s, STR("ingrid")), 0, "... and it is gone");
	is_int(counted(s, 2), twos, "... uncounted");
	is_int(get(&b, RATE "/withdraw"), HTTP_SEE_OTHER, "... once");
	fold_all(s);
	is_int(figure(s, "METADATA", "Stars"), sum, "... for everybody");
}

/* Two windows: the second one does not overwrite what it has not seen. */
static void
two_windows(struct seeded *s)
{
	struct browser one = browser_of(s, "ingrid"), two = browser_of(s, "ingrid");

	get(&one, RATE);
	get(&two, RATE);
	SUBMIT(&one, RATE, "do", "send", "stars", "5", "note", "From the first window.");
	is_int(SUBMIT(&two, RATE, "do", "send", "stars", "3", "note", "From the second."),
	    HTTP_CONFLICT, "another window is told that there is a rating");
	ok(says(&two, "5 stars, and “From the first window.”"), "... which");
	is_str(text_of(&two, "note"), STR("From the second."), "... what was typed is there");
	is_int(stars_of(s, STR("ingrid")), 5, "... and nothing is overwritten");
	is_int(SUBMIT(&two, RATE, "do", "send", "stars", "3", "note", "From the second."),
	    HTTP_SEE_OTHER, "... until it is sent again");
	is_int(stars_of(s, STR("ingrid")), 3, "... which replaces it");
	get(&one, RATE);
	get(&two, RATE "/withdraw");
	submit(&two, RATE "/withdraw", (const char *const[]){NULL});
	is_int(SUBMIT(&one, RATE, "do", "send", "stars", "1", "note", ""), HTTP_CONFLICT,
	    "what was withdrawn meanwhile is told as well");
}

static void
bad_input(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	char *text = arena_alloc(s->arena, 2002);

	get(&b, RATE);
	is_int(SUBMIT(&b, RATE, "do", "send", "note", "No stars."), HTTP_UNPROCESSABLE,
	    "without stars it is none");
	ok(says(&b, "Choose from one to five stars."), "... it says so beside them");
	is_str(text_of(&b, "note"), STR("No stars."), "... with the note still there");
	is_int(SUBMIT(&b, RATE, "do", "send", "stars", "6", "note", "Six."), HTTP_UNPROCESSABLE,
	    "six stars are none either");
	memset(text, 'a', 2001);
	text[2001] = '\0';
	is_int(SUBMIT(&b, RATE, "do", "send", "stars", "3", "note", text), HTTP_UNPROCESSABLE,
	    "a note that is too long");
	ok(has_value(&b, "stars", "3") && holds(b.last.body, STR("value=\"3\" checked")),
	    "... comes back with the stars");
	is_int(SUBMIT(&b, RATE, "do", "preview", "stars", "3", "note", "A *look*."), HTTP_OK,
	    "a preview of the note");
	ok(says(&b, "A <em>look</em>."), "... shows it");
	ok(holds(b.last.body, STR("value=\"3\" checked")), "... and keeps the stars");
	is_int(stars_of(s, STR("ingrid")), 0, "... and writes nothing");
}

/* What a stranger clicks is asked once, behind the sign-in. */
static void
strangers(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.8");

	give_password(s, "pascal", PASSWORD);
	get(&b, POST);
	ok(says(&b, RATE "?stars=5"), "a stranger has stars to click");
	is_int(get(&b, RATE "?stars=5"), HTTP_SEE_OTHER, "they lead to the sign-in");
	get(&b, str_cstring(s->arena, leads_to(&b)));
	is_int(SUBMIT(&b, "/login", "name", "pascal", "password", PASSWORD), HTTP_SEE_OTHER,
	    "who signs in");
	is_int(get(&b, str_cstring(s->arena, leads_to(&b))), HTTP_OK, "... is asked");
	ok(holds(b.last.body, STR("value=\"5\" checked")), "... with the stars that they clicked");
	is_int(stars_of(s, STR("pascal")), 0, "nothing is done before");
	is_int(SUBMIT(&b, RATE, "do", "send", "stars", "5", "note", ""), HTTP_SEE_OTHER, "yes");
	is_int(stars_of(s, STR("pascal")), 5, "... it is done");
}

static void
who_may(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), b = browser_of(s, "ingrid");

	get(&kofi, POST);
	ok(!says(&kofi, RATE "?"), "its author has nothing to rate it with");
	is_int(get(&kofi, RATE), HTTP_FORBIDDEN, "... nor may he");
	is_int(get(&b, "/post/the-tide-in-forty-lines-of-c/rating"), HTTP_NOT_FOUND,
	    "an article is not rated");
	is_int(get(&b, "/post/the-tide-in-forty-lines-of-c/reviews"), HTTP_NOT_FOUND,
	    "... and has no reviews");
}

static void
failures(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	enum http_status status = HTTP_UNAVAILABLE;
	struct failing_table failing;
	unsigned lost = 0, calls = 1;

	failing_table_begin(&failing, s->table);
	for (; status == HTTP_UNAVAILABLE && calls < 20; calls++) {
		get(&b, RATE);
		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		status = SUBMIT(&b, RATE, "do", "send", "stars", "2", "note", "Kept.");
		s->site.table = s->table;
		lost += status == HTTP_UNAVAILABLE && !holds(b.last.body, STR("Kept."));
	}
	is_int(status, HTTP_SEE_OTHER, "it is sent when the table works again");
	ok(calls > 3, "... having failed at each call");
	is_int(lost, 0, "... with the text there each time");
	is_int(stars_of(s, STR("ingrid")), 2, "... and written");
}

/* --- Notes that wait --------------------------------------------------------------------------------- */

/* Is a text on one of the pages where reviews are? */
static bool
shown(struct browser *b, const char *text)
{
	static const char *const pages[] = {POST, REVIEWS, REVIEWS "?order=highest",
	    REVIEWS "?order=lowest", "/stars/1", "/stars/2", "/stars/3", "/stars/4", "/stars/5",
	    "/author/newcomer/reviews", "/author/ingrid/reviews"};
	bool found = false;

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		get(b, pages[i]);
		found |= says(b, text);
	}
	return found;
}

/* Whose note was held back by somebody reads why, and answers once; whoever decides reads that. */
static void
answers_hold(struct browser *b, struct browser *editor)
{
	struct arena *arena = b->s->arena;
	const char *answer;

	get(b, REVIEWS);
	ok(says(b, "The note waits for an editor: why"), "its author has a way to the reason");
	get(b, "/account/restricted");
	ok(says(b, "Held back until an editor decides") && says(b, "This is <no> shop.") &&
		!says(b, "kofi"),
	    "... and reads it, not whose it is");
	answer = str_cstring(arena, unescaped(arena, STR_CONCAT(arena, STR("/account/restricted/answer?of="),
	    part(b->last.body, "/account/restricted/answer?of=", "\""))));
	is_int(get(b, answer), HTTP_OK, "... can answer");
	is_int(SUBMIT(b, answer, "answer", "They are my own dials."), HTTP_SEE_OTHER, "... does");
	is_int(get(b, answer), HTTP_NOT_FOUND, "... once");
	get(editor, "/admin/comments");
	ok(says(editor, "Held back by kofi") && says(editor, "Their answer: They are my own dials."),
	    "the queue has the reason and the answer");
	get(editor, "/moderation");
	ok(says(editor, "held back by the author of the post"), "... the public log that it is held");
}

static void
held_notes(struct seeded *s)
{
	struct browser b = newcomer(s, "newcomer"), kofi = browser_of(s, "kofi"),
		       marta = browser_of(s, "marta"), stranger = browser(s, "192.0.2.7");
	int64_t ones = counted(s, 1);

	is_int(rate(&b, "1", "Buy *watches*."), HTTP_SEE_OTHER, "a newcomer rates with a note");
	is_int(counted(s, 1), ones + 1, "... the star counts at once");
	ok(!shown(&stranger, "Buy <em>watches"), "... the note is nowhere for strangers");
	get(&b, REVIEWS);
	ok(says(&b, "Buy <em>watches") && says(&b, "The note waits for an editor"),
	    "... but there for its author, who is told that it waits");
	get(&kofi, REVIEWS);
	ok(says(&kofi, "Buy <em>watches"), "... and for the author of the post");
	is_int(get(&marta, "/admin/reviews"), HTTP_OK, "the staff find it");
	ok(says(&marta, "Buy <em>watches"), "... in their queue");
	is_int(SUBMIT(&marta, "/admin/reviews", "approve",
		   str_cstring(s->arena, part(marta.last.body, "name=\"approve\" value=\"", "\""))),
	    HTTP_SEE_OTHER, "... and approve it");
	ok(shown(&stranger, "Buy <em>watches"), "... for everybody");
	is_int(counted(s, 1), ones + 1, "... counted once");
	rate(&b, "1", "Buy *clocks*.");
	ok(shown(&stranger, "Buy <em>clocks"), "whose note was approved is known");
	is_int(get(&kofi, RATE "/hold?of=newcomer"), HTTP_OK, "the author of the post hides it");
	is_int(SUBMIT(&kofi, RATE "/hold?of=newcomer", "why", " "), HTTP_UNPROCESSABLE,
	    "... not without a reason");
	is_int(SUBMIT(&kofi, RATE "/hold?of=newcomer", "why", "This is <no> shop."), HTTP_SEE_OTHER,
	    "... with one");
	ok(!shown(&stranger, "Buy <em>clocks"), "... from everybody");
	rate(&b, "1", "Buy *dials*.");
	ok(!shown(&stranger, "Buy <em>dials"), "what is written in its place is hidden, too");
	answers_hold(&b, &marta);
	get(&marta, "/admin/reviews");
	is_int(SUBMIT(&marta, "/admin/reviews", "hide",
		   str_cstring(s->arena, part(marta.last.body, "name=\"hide\" value=\"", "\""))),
	    HTTP_SEE_OTHER, "the staff hide it");
	is_int(stars_of(s, STR("newcomer")), 1, "... and the star stays");
	get(&b, "/account/restricted");
	ok(says(&b, "Hidden by the editors") && says(&b, "It is advertising."),
	    "... and its author is told why");
	rate(&b, "1", "");
	get(&b, "/account/restricted");
	ok(says(&b, "Nothing is held or hidden."), "... until they withdraw the note");
	is_int(counted(s, 1), ones + 1, "... counted as before");
}

static void
links(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), stranger = browser(s, "192.0.2.6");

	rate(&b, "3",
	    "<https://a.example/1> <https://a.example/2> <https://a.example/3> "
	    "<https://a.example/4> <https://a.example/5> <https://a.example/6> "
	    "<https://a.example/7> <https://a.example/8> <https://a.example/9> "
	    "<https://a.example/10> <https://a.example/11>");
	ok(!shown(&stranger, "https://a.example/1"), "a note with eleven links waits");
	rate(&b, "3", "One <https://a.example/1>.");
	get(&b, RATE "/withdraw");
	submit(&b, RATE "/withdraw", (const char *const[]){NULL});
}

/* --- Where they are shown ---------------------------------------------------------------------------- */

static void
set_text(struct seeded *s, const char *name, const char *value)
{
	struct item head = seeded_item(s, "POST#" ID, "METADATA");

	item_set(s->arena, &head, str_of(name), value_string(str_of(value)));
	seeded_put(s, &head, 1);
}

/* Where a text is in a page; SIZE_MAX: nowhere. */
static size_t
place_of(const struct browser *b, const char *text)
{
	const char *at = memmem(b->last.body.base, b->last.body.len, text, strlen(text));

	return at != NULL ? (size_t)(at - b->last.body.base) : SIZE_MAX;
}

static void
lists(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), stranger = browser(s, "192.0.2.5");

	rate(&b, "1", "The lowest of all.");
	is_int(get(&stranger, REVIEWS), HTTP_OK, "a post has a page of its reviews");
	ok(says(&stranger, "<table class=\"histogram\">") &&
		says(&stranger, "<caption class=\"hidden\">Ratings by stars</caption>"),
	    "... with a histogram that is a table");
	ok(says(&stranger, "aria-current=\"page\">Newest"), "... the newest first");
	ok(place_of(&stranger, "r-ingrid") < place_of(&stranger, "r-noor"), "... as they are");
	get(&stranger, REVIEWS "?order=highest");
	ok(place_of(&stranger, "r-ingrid") > place_of(&stranger, "r-marta") &&
		place_of(&stranger, "r-ingrid") != SIZE_MAX,
	    "... or the highest");
	get(&stranger, REVIEWS "?order=lowest");
	ok(place_of(&stranger, "r-ingrid") < place_of(&stranger, "r-marta"), "... or the lowest");
	is_int(
	    get(&stranger, REVIEWS "?after=x"), HTTP_BAD_REQUEST, "an invented way on is refused");
	get(&stranger, "/stars/1");
	ok(says(&stranger, "The lowest of all.") && says(&stranger, "href=\"" POST "\""),
	    "all reviews with one star");
	get(&stranger, "/stars/5");
	ok(!says(&stranger, "The lowest of all."), "... are not among those with five");
	is_int(get(&stranger, "/stars/6"), HTTP_NOT_FOUND, "... and six there are not");
	get(&stranger, "/author/ingrid/reviews");
	ok(says(&stranger, "The lowest of all."), "a person's reviews");
	get(&stranger, "/author/ingrid");
	ok(says(&stranger, "/author/ingrid/reviews"), "... to which their page leads");
	get(&b, "/account/ratings");
	ok(says(&b, "The lowest of all.") && says(&b, RATE "/withdraw"),
	    "one's own, each to be taken back");
}

static void
hidden(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), stranger = browser(s, "192.0.2.4"),
		       noor = browser_of(s, "noor");
	static const char *const visibilities[] = {"private", "followers", "group"};

	for (size_t i = 0; i < 3; i++) {
		set_text(s, "Visibility", visibilities[i]);
		ok(!shown(&stranger, "The lowest of all."), "of a post for %s nothing is shown",
		    visibilities[i]);
		get(&b, "/stars/1");
		ok(!says(&b, "The lowest of all."), "... nor to who is signed in");
		is_int(get(&stranger, REVIEWS), HTTP_NOT_FOUND, "... and it has no page");
	}
	set_text(s, "Visibility", "private");
	get(&noor, "/author/ingrid/reviews");
	ok(!says(&noor, "The lowest of all."), "others do not see it on a person's page either");
	get(&b, "/account/ratings");
	ok(says(&b, "The lowest of all.") && !says(&b, "href=\"" POST "\""),
	    "one sees one's own, and not of what");
	is_int(get(&b, RATE), HTTP_NOT_FOUND, "it can't be changed");
	get(&b, RATE "/withdraw");
	is_int(submit(&b, RATE "/withdraw", (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "... but taken back");
	is_int(stars_of(s, STR("ingrid")), 0, "... for good");
	set_text(s, "Visibility", "public");
}

static void
private_profile(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), stranger = browser(s, "192.0.2.3");
	struct item user = seeded_item(s, "USER#ingrid", "METADATA");

	rate(&b, "5", "By somebody who is private.");
	item_set(s->arena, &user, STR("Private"), value_boolean(true));
	seeded_put(s, &user, 1);
	get(&stranger, "/author/ingrid/reviews");
	ok(!says(&stranger, "By somebody who is private."),
	    "who shows strangers their name only shows them no reviews");
	get(&b, "/author/ingrid/reviews");
	ok(says(&b, "By somebody who is private."), "... but themselves");
	item_remove(&user, STR("Private"));
	seeded_put(s, &user, 1);
}

/* --- What it writes ---------------------------------------------------------------------------------- */

/* Write units as Amazon counts them: the table twice, as it is a transaction, and each index once. */
static int64_t
units_of(const struct item *item)
{
	int64_t size = ((int64_t)item_size(item) + 1023) / 1024, indexes = 0;

	for (enum table_index i = TABLE_GSI1; i <= TABLE_GSI4; i++)
		indexes += item_get(item, table_pk_name(i)) != NULL;
	return size * (2 + indexes);
}

static void
units(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	char *note = arena_alloc(s->arena, 501);
	struct item *item;
	int64_t all;

	for (size_t i = 0; i < 500; i++)
		note[i] = "What a note says. "[i % 18];
	note[499] = '.';
	note[500] = '\0';
	is_int(rate(&b, "4", note), HTTP_SEE_OTHER, "a note of 500 bytes");
	item = item_at(s, key_rating(s->arena, STR("ingrid"), STR(ID)));
	is_int((int64_t)item_string(item, STR("Note")).len, 500, "... is written");
	/* And its shard, the mark of that, and the limit: three small items in no index. */
	all = units_of(item) + 3 * 2;
	ok(all <= 18, "... for %d write units", (int)all);
}

static void
limits(struct seeded *s)
{
	struct browser b = newcomer(s, "eager");
	struct moderation m;
	int64_t most, done = 0;

	moderation_defaults(&m);
	most = moderation_numbers(&m, TRUST_NEW).reactions;
	while (done <= most && rate(&b, done % 2 == 0 ? "5" : "4", "") == HTTP_SEE_OTHER)
		done++;
	is_int(done, most, "so many a day");
	is_int(b.last.status, HTTP_TOO_MANY, "... and no more");
	ok(header(&b.last, "Retry-After").len != 0 && says(&b, "You can send it in"),
	    "... is told when");
	get(&b, RATE);
	SUBMIT(&b, RATE, "do", "send", "stars", "1", "note", "Again.");
	is_str(text_of(&b, "note"), STR("Again."), "... and loses nothing");
	get(&b, RATE "/withdraw");
	is_int(submit(&b, RATE "/withdraw", (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "taking back is always possible");
}

/* --- Many at once ------------------------------------------------------------------------------------ */

enum { CLIENTS = 64, ACTS = 6, PEOPLE = 16 };

struct client {
	pthread_t thread;
	struct seeded *s;
	struct table *table;
	struct post post;
	unsigned seed;
	int failed;
};

/* Several of them are the same person. */
static struct str
person(struct arena *arena, unsigned i)
{
	return str_fmt(arena, "storm%u", i % PEOPLE);
}

/* Rates it, otherwise each time, or takes that back. */
static enum plan_rc
act(struct client *c, struct plan *plan, unsigned n)
{
	struct read read = rating_read(plan->call->arena, plan->by, c->post.id);
	struct new_rating is = {.post = &c->post,
	    .stars = 1 + n % 5,
	    .limit = {
		.what = STR("react"), .who = plan->by, .most = 1000, .window = RATE_DAY_SECONDS}};
	struct rating was = {.updated = 0};
	uint32_t wait;

	if (n % 6 == 5)
		return rating_withdraw(plan, c->post.id);
	if (table_read(c->table, plan->call, &read, 1) != TABLE_OK)
		return PLAN_CHANGED;
	if (read.item != NULL)
		rating_from_item(plan->call->arena, read.item, &was);
	is.seen = was.updated;
	return rating_set(plan, &is, &read, &wait);
}

static void *
act_much(void *context)
{
	struct client *c = context;
	struct arena *arena = arena_new();

	for (unsigned i = 0; i < ACTS; i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = {.table = c->table, .call = &call, .now = c->s->clock.fixed_now};
		enum plan_rc rc;

		plan.by = plan.by_name = person(arena, c->seed);
		rc = act(c, &plan, c->seed / PEOPLE + i);
		/* Whoever acts in four places at once may be told that they were faster elsewhere. */
		c->failed += rc != PLAN_DONE && rc != PLAN_CHANGED &&
			     !(rc == PLAN_TABLE && plan.failed == TABLE_CONFLICT);
		table_release(c->table, &call);
	}
	arena_free(arena);
	return NULL;
}

static void
storm(struct seeded *s)
{
	struct client *clients = ARENA_ARRAY(s->arena, CLIENTS, struct client);
	struct item head = seeded_item(s, "POST#" ID, "METADATA");
	int64_t there[COUNT_SHARDS][6] = {{0}}, before[COUNT_SHARDS][6] = {{0}}, sum = 0;
	int failed = 0, wrong = 0;

	for (unsigned h = 0; h < COUNT_SHARDS; h++)
		for (int n = 1; n <= 5; n++)
			before[h][n] = shard_says(s, h, n);
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i] = (struct client){.s = s, .table = s->table, .seed = i};
		post_from_item(s->arena, &head, &clients[i].post);
		if (pthread_create(&clients[i].thread, NULL, act_much, &clients[i]) != 0)
			bail_out("no thread");
	}
	for (unsigned i = 0; i < CLIENTS; i++) {
		pthread_join(clients[i].thread, NULL);
		failed += clients[i].failed;
	}
	is_int(failed, 0, "%d clients, four of each person, rate and withdraw at once", CLIENTS);
	for (unsigned i = 0; i < PEOPLE; i++) {
		struct str who = person(s->arena, i);

		there[count_shard(who)][stars_of(s, who)]++;
	}
	for (unsigned h = 0; h < COUNT_SHARDS; h++)
		for (int n = 1; n <= 5; n++) {
			wrong += shard_says(s, h, n) != before[h][n] + there[h][n];
			sum += shard_says(s, h, n);
		}
	is_int(wrong, 0, "each shard equals its items, of which a person has one");
	fold_all(s);
	is_int(figure(s, "METADATA", "Ratings"), sum, "... and what is folded equals the shards");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	rating(&s);
	two_windows(&s);
	bad_input(&s);
	who_may(&s);
	strangers(&s);
	failures(&s);
	held_notes(&s);
	links(&s);
	lists(&s);
	hidden(&s);
	private_profile(&s);
	units(&s);
	limits(&s);
	storm(&s);
	browsers_close(&s);
	return tap_done();
}
