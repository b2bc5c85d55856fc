/*
 * The publication by mail, without an account: nobody learns whether letters go to an address, nothing goes before its
 * owner has confirmed it, and one click ends it. And what admins see of it.
 */
#include "staff.h"

#include "lib/failing_table.h"

#include "model/key_subscriber.h"
#include "model/site/mailing.h"
#include "model/site/subscriber.h"
#include "web/mail/mail.h"

#define DAY_MS (INT64_C(86400) * 1000)

/* The letters that were sent; the mailer rests before the test looks. */
static struct {
	unsigned count;
	char to[100], subject[200], text[2000];
} post;

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	post.count++;
	snprintf(post.to, sizeof(post.to), "%.*s", STR_ARGS(mail->to));
	snprintf(post.subject, sizeof(post.subject), "%.*s", STR_ARGS(mail->subject));
	snprintf(post.text, sizeof(post.text), "%.*s", STR_ARGS(mail->text));
	return NULL;
}

/* Asks for letters, and says how many came. */
static unsigned
ask(struct browser *b, const char *email, const char *rhythm)
{
	unsigned before = post.count;

	get(b, "/subscribe");
	SUBMIT(b, "/subscribe", "email", email, "rhythm", rhythm);
	mailer_rest(b->s->site.mailer);
	return post.count - before;
}

/* The link in the last letter. */
static const char *
link_in(struct seeded *s)
{
	return str_cstring(
	    s->arena, STR_CONCAT(s->arena, STR("/subscribe/"),
			  part(str_of(post.text), "https://slack.example/subscribe/", "\n")));
}

static const char *
one_click(struct seeded *s, const char *link)
{
	return str_cstring(s->arena, STR_CONCAT(s->arena, str_of(link), STR("/end")));
}

static const struct item *
stored(struct seeded *s, struct key key)
{
	struct table_call call = {.arena = s->arena};
	struct item *item = NULL;

	if (table_get(s->table, &call, key, &item) != TABLE_OK)
		bail_out("no table");
	table_release(s->table, &call);
	return item;
}

static const struct item *
subscriber(struct seeded *s, const char *email)
{
	return stored(s, key_subscriber(s->arena, subscriber_hash(s->arena, str_of(email))));
}

static void
counts_are(struct seeded *s, int64_t each, int64_t weekly, const char *what)
{
	struct subscriber_counts counts;

	subscriber_counts_from_item(stored(s, key_subscriber_counts()), &counts);
	ok(counts.each == each && counts.weekly == weekly, "%s", what);
}

/* Somebody new, with limits of their own; an hour later, so that those of the address are over, too. */
static struct browser
somebody(struct seeded *s)
{
	static int n;

	s->clock.fixed_now += 3600 * 1000;
	return browser(s, str_cstring(s->arena, str_fmt(s->arena, "198.51.%d.7", ++n)));
}

static const char *
confirmed_as(struct seeded *s, const char *email, const char *rhythm)
{
	struct browser b = somebody(s);
	const char *link;

	ask(&b, email, rhythm);
	link = link_in(s);
	get(&b, link);
	SUBMIT(&b, link, "x", "y");
	return link;
}

static void
beginning(struct seeded *s)
{
	struct browser b = somebody(s), other = somebody(s), again = somebody(s);
	struct table_cost cost;
	struct str page;
	const char *link;

	is_int(ask(&b, " Reader@Example.org ", "weekly"), 1, "somebody names an address: a letter goes");
	is_int(b.last.status, HTTP_OK, "... as they are told");
	page = b.last.body;
	cost = b.last.cost;
	is_str(str_of(post.to), STR("reader@example.org"), "... to it");
	ok(holds(str_of(post.text), STR("Slack Water by mail, at this address: one letter a week")),
	    "... which says for what");
	link = link_in(s);
	counts_are(s, 0, 0, "... they do not count yet");
	is_str(item_string(subscriber(s, "reader@example.org"), STR("Status")), STR("waiting"),
	    "... they wait");

	is_int(get(&other, link), HTTP_OK, "the link asks");
	ok(says(&other, "A letter a week is to go to reader@example.org."), "... for what");
	is_str(header(&other.last, "Cache-Control"), STR("no-store"), "... is kept by nobody");
	ok(holds(other.last.head, STR("Referrer-Policy: strict-origin\r\n")), "... and told to nobody");
	counts_are(s, 0, 0, "... who only looks confirms nothing");
	is_int(SUBMIT(&other, link, "x", "y"), HTTP_OK, "the button does");
	ok(says(&other, "Your address is confirmed"), "... and says so");
	counts_are(s, 0, 1, "... they count");
	is_int(get(&other, link), HTTP_OK, "the link stays good");
	ok(says(&other, "A letter a week goes to reader@example.org."), "... and says how it is");

	is_int(ask(&again, "reader@example.org", "each"), 1, "somebody names it again: a letter goes");
	is_str(again.last.body, page, "... the answer is the same");
	ok(again.last.cost.requests == cost.requests && again.last.cost.round_trips == cost.round_trips,
	    "... and its cost");
	ok(holds(str_of(post.text), STR("You have it already: one letter a week")) &&
		!holds(str_of(post.text), STR("confirm")),
	    "... its owner is told");
	is_str(str_of(link_in(s)), str_of(link), "... by the same link");
	counts_are(s, 0, 1, "... nothing has changed");
}

static void
changing(struct seeded *s)
{
	struct browser b = somebody(s), tab = somebody(s);
	const char *link = confirmed_as(s, "often@example.org", "each"), *click = one_click(s, link);

	counts_are(s, 1, 1, "another one gets each post");
	get(&b, link);
	get(&tab, link);
	is_int(SUBMIT(&b, link, "rhythm", "weekly"), HTTP_OK, "they want fewer letters");
	ok(says(&b, "A letter a week goes to often@example.org."), "... as is said");
	counts_are(s, 0, 2, "... and counted");
	is_int(SUBMIT(&tab, link, "rhythm", "weekly"), HTTP_OK, "the same in another tab is done already");
	counts_are(s, 0, 2, "... and counts once");
	is_int(SUBMIT(&b, link, "rhythm", "daily"), HTTP_UNPROCESSABLE, "what nobody offered is refused");
	is_int(SUBMIT(&b, link, "rhythm", "none"), HTTP_OK, "they want none");
	ok(says(&b, "Your address is deleted here"), "... as is said");
	counts_are(s, 0, 1, "... they count no more");
	ok(item_get(subscriber(s, "often@example.org"), STR("Address")) == NULL,
	    "... and their address is gone");
	is_int(get(&b, link), HTTP_OK, "the link");
	ok(says(&b, "No more letters"), "... says so");
	is_int(SUBMIT(&tab, link, "rhythm", "each"), HTTP_OK, "an old form");
	counts_are(s, 0, 1, "... begins nothing");
	is_int(fetch(&b, "POST", click, STR("List-Unsubscribe=One-Click")), HTTP_OK,
	    "ending it again is fine");

	is_int(ask(&b, "often@example.org", "each"), 1, "they may ask anew");
	ok(strcmp(link_in(s), link) != 0, "... by another link");
	is_int(get(&tab, link), HTTP_NOT_FOUND, "... the old one is over");
	is_int(ask(&b, "often@example.org", "weekly"), 1, "asking twice before confirming");
	get(&tab, link_in(s));
	ok(says(&tab, "A letter a week is to go to"), "... the last wish counts");
}

static void
one_clicking(struct seeded *s)
{
	struct browser program = somebody(s), person = somebody(s);
	const char *first = one_click(s, confirmed_as(s, "click@example.org", "each")),
		   *second = one_click(s, confirmed_as(s, "tap@example.org", "weekly"));

	program.site = STR("cross-site");
	is_int(fetch(&program, "POST", first, STR("List-Unsubscribe=One-Click")), HTTP_OK,
	    "a mail program ends it with one request, from anywhere and without a cookie");
	ok(item_get(subscriber(s, "click@example.org"), STR("Address")) == NULL, "... at once");
	is_int(get(&person, second), HTTP_OK, "who follows the link");
	ok(says(&person, "No letters will go to tap@example.org any more."), "... is asked");
	ok(item_get(subscriber(s, "tap@example.org"), STR("Address")) != NULL,
	    "... who only looks ends nothing");
	is_int(SUBMIT(&person, second, "x", "y"), HTTP_OK, "... the button does");
	ok(item_get(subscriber(s, "tap@example.org"), STR("Address")) == NULL, "... at once");
	program.site = STR("cross-site");
	get(&program, "/subscribe");
	is_int(SUBMIT(&program, "/subscribe", "email", "a@example.org", "rhythm", "each"),
	    HTTP_FORBIDDEN, "but nobody is subscribed from another site");
}

static void
wrong_links(struct seeded *s)
{
	static const char *const links[] = {"/subscribe/x", "/subscribe/x.y", "/subscribe/x/end",
	    "/subscribe/0123456789abcdef0123456789abcdef.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    "/subscribe/0123456789ABCDEF0123456789abcdef.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"};
	const char *link = confirmed_as(s, "safe@example.org", "each");
	struct browser b = somebody(s);
	char guess[200];

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		is_int(get(&b, links[i]), HTTP_NOT_FOUND, "no link: %s", links[i]);
	snprintf(guess, sizeof(guess), "%s", link);
	guess[strlen(guess) - 2] ^= 1;
	is_int(get(&b, guess), HTTP_NOT_FOUND, "a guess that is nearly right");
	is_int(fetch(&b, "POST", one_click(s, guess), STR("List-Unsubscribe=One-Click")),
	    HTTP_NOT_FOUND, "... ends nothing");
	ok(item_get(subscriber(s, "safe@example.org"), STR("Address")) != NULL, "... of theirs");
}

static void
waiting(struct seeded *s)
{
	struct browser b = somebody(s);
	const char *link;

	ask(&b, "late@example.org", "each");
	link = link_in(s);
	s->clock.fixed_now += SUBSCRIBER_WAITS_DAYS * DAY_MS - 5000;
	is_int(get(&b, link), HTTP_OK, "a link is good for a week");
	s->clock.fixed_now += 10 * 1000;
	is_int(get(&b, link), HTTP_NOT_FOUND, "... and no longer");
	is_int(ask(&b, "late@example.org", "each"), 1, "one may ask again");
	is_int(get(&b, link_in(s)), HTTP_OK, "... for a link that is good");
}

static void
limits(struct seeded *s)
{
	struct browser b = somebody(s);
	unsigned sent = 0;

	for (int i = 0; i < 3; i++)
		sent += ask(&b, "flood@example.org", "each");
	is_int(sent, 3, "three letters go to an address in ten minutes");
	b = browser(s, "203.0.113.9");
	is_int(ask(&b, "flood@example.org", "weekly"), 0, "... and no more, whoever asks");
	is_int(b.last.status, HTTP_TOO_MANY, "... which is said");
	ok(says(&b, "value=\"flood@example.org\""), "... with what was typed");
	is_int(ask(&b, "no address", "each"), 0, "what is no address");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "... is refused");
	ok(says(&b, "value=\"no address\""), "... and kept");
}

static void
failing(struct seeded *s)
{
	struct browser b = somebody(s);
	struct failing_table failing;
	struct table *table = s->site.table;
	unsigned n, wrong = 0;

	get(&b, "/subscribe");
	failing_table_begin(&failing, table);
	s->site.table = &failing.table;
	for (n = 1; n < 20; n++) {
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		SUBMIT(&b, "/subscribe", "email", "down@example.org", "rhythm", "weekly");
		if (failing.calls < n)
			break;
		wrong += b.last.status != HTTP_UNAVAILABLE || !says(&b, "value=\"down@example.org\"");
		get(&b, "/subscribe");
	}
	s->site.table = table;
	mailer_rest(s->site.mailer);
	ok(n > 2, "each of %u calls may fail", n - 1);
	is_int(wrong, 0, "... with 503, and what was typed");
}

/* --- The staff ---------------------------------------------------------------------------------------- */

static void
mailed(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	const struct mailing mailing = {.what = MAILING_POST,
	    .thing = STR("the-tide-in-forty-lines-of-c"),
	    .title = STR("The tide"),
	    .made = s->clock.fixed_now,
	    .letters = 1200};

	if (mailing_store(s->table, &call, NULL, &mailing) != TABLE_OK)
		bail_out("no mailing");
}

static void
managing(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta"), tab = browser_of(s, "marta"),
		       reader = somebody(s);
	size_t before = lines(s);
	const char *link, *hash = str_cstring(s->arena,
			      subscriber_hash(s->arena, STR("leaves@example.org")));
	struct audit_entry last;

	confirmed_as(s, "=odd@example.org", "weekly");
	confirmed_as(s, "kept@example.org", "each");
	link = confirmed_as(s, "leaves@example.org", "each");
	ask(&reader, "slow@example.org", "each");
	is_int(get(&admin, "/admin/subscribers"), HTTP_OK, "an admin sees");
	ok(says(&admin, "kept@example.org") && says(&admin, "leaves@example.org") &&
		!says(&admin, "=odd@example.org"),
	    "... who gets each post");
	get(&admin, "/admin/subscribers?list=weekly");
	ok(says(&admin, "=odd@example.org") && !says(&admin, "kept@example.org"),
	    "... who gets a letter a week");
	get(&admin, "/admin/subscribers?list=waiting");
	ok(says(&admin, "slow@example.org"), "... and who has not confirmed");

	ok(says(&admin, "Nothing so far."), "nothing was mailed");
	mailed(s);
	get(&admin, "/admin/subscribers");
	ok(says(&admin, "The tide") && says(&admin, "1,200 letters") && !says(&admin, "Nothing so far."),
	    "... and what was mailed");
	is_int(SUBMIT(&admin, "/admin/subscribers", "address", "Leaves@example.org"), HTTP_OK,
	    "they find an address");
	get(&tab, "/admin/subscribers");
	SUBMIT(&tab, "/admin/subscribers/remove", "remove", hash);
	is_int(SUBMIT(&admin, "/admin/subscribers/remove", "remove", hash), HTTP_OK,
	    "... are asked before it is removed");
	ok(says(&admin, "Remove this address?") && says(&admin, "leaves@example.org"), "... which it is");
	ok(item_get(subscriber(s, "leaves@example.org"), STR("Address")) != NULL, "... as it still is");
	is_int(SUBMIT(&admin, "/admin/subscribers/remove", "x", "y"), HTTP_SEE_OTHER,
	    "... and remove it");
	is_int(SUBMIT(&tab, "/admin/subscribers/remove", "x", "y"), HTTP_SEE_OTHER,
	    "... twice is the same");
	get(&admin, "/admin/subscribers?done=removed");
	ok(says(&admin, "No letter goes there any more.") && !says(&admin, "leaves@example.org"),
	    "... which is said");
	get(&reader, link);
	ok(says(&reader, "No more letters"), "... also by the link");
	one_line(s, before, "subscribers", "", "removed one");
	is_int(SUBMIT(&admin, "/admin/subscribers", "address", "leaves@example.org"),
	    HTTP_UNPROCESSABLE, "... it is not found any more");

	get(&admin, "/admin/subscribers");
	is_int(SUBMIT(&admin, "/admin/subscribers/export", "export", "1"), HTTP_OK, "a file");
	is_str(header(&admin.last, "Content-Type"), STR("text/csv; charset=utf-8"), "... of values");
	ok(str_starts(admin.last.body, STR("\"address\",\"rhythm\",\"confirmed\"\r\n")),
	    "... says what they are");
	ok(holds(admin.last.body, STR("\"kept@example.org\",\"each\",\"2026-")), "... has addresses");
	ok(holds(admin.last.body, STR("\"'=odd@example.org\",\"weekly\"")), "... which are no formulas");
	ok(!holds(admin.last.body, STR("slow@")) && !holds(admin.last.body, STR("leaves@")),
	    "... of the confirmed alone");
	is_int((int64_t)(logged(s, &last) - before), 2, "... and is logged");
	is_str(last.change, STR("downloaded"), "... as that");
}

static void
without_mail(struct seeded *s)
{
	struct browser b = somebody(s);
	struct mailer *mailer = s->site.mailer;

	get(&b, "/archive");
	ok(says(&b, "href=\"/subscribe\""), "each page leads to it");
	s->site.mailer = NULL;
	get(&b, "/archive");
	ok(!says(&b, "href=\"/subscribe\""), "without a mail server none does");
	is_int(get(&b, "/subscribe"), HTTP_OK, "... and the page");
	ok(says(&b, "This site sends no letters") && !says(&b, "action=\"/subscribe\""), "... says so");
	s->site.mailer = mailer;
}

int
main(void)
{
	static const struct mail_transport transport = {.send = send_letter};
	struct mailer *mailer;
	struct seeded s;
	struct site behind; /* the mailer's: its table never fails */

	browsers_open(&s);
	behind = s.site;
	mailer = s.site.mailer = mailer_start(&transport, &behind, NULL);
	beginning(&s);
	changing(&s);
	one_clicking(&s);
	wrong_links(&s);
	waiting(&s);
	limits(&s);
	failing(&s);
	managing(&s);
	without_mail(&s);
	mailer_stop(mailer);
	browsers_close(&s);
	return tap_done();
}
