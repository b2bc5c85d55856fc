/*
 * A new password for somebody who forgot theirs: requesting a link looks and costs the same for
 * everybody; the letter; and the link, which works once, for half an hour, and ends all sessions.
 */
#include "browser.h"

#include "lib/failing_table.h"
#include "lib/tap.h"

#include "model/people/account.h"
#include "model/people/reset.h"
#include "web/mail/mail.h"

#define PASSWORD "four words in a row"
#define ANOTHER "another four words"

/* The letters that were sent; the mailer rests before the test looks. */
static struct {
	unsigned count;
	char to[100], text[2000];
} post;

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	post.count++;
	snprintf(post.to, sizeof(post.to), "%.*s", STR_ARGS(mail->to));
	snprintf(post.text, sizeof(post.text), "%.*s", STR_ARGS(mail->text));
	return NULL;
}

/* Asks, and says how many letters were sent. */
static unsigned
ask(struct browser *b, const char *name)
{
	unsigned before;

	/* The notice about the previous password is another letter. */
	mailer_rest(b->s->site.mailer);
	before = post.count;
	get(b, "/forgot");
	SUBMIT(b, "/forgot", "name", name);
	mailer_rest(b->s->site.mailer);
	return post.count - before;
}

/* The address in the last letter. */
static const char *
link_in(struct seeded *s)
{
	return str_cstring(
	    s->arena, STR_CONCAT(s->arena, STR("/reset/"),
			  part(str_of(post.text), "https://slack.example/reset/", "\n")));
}

static void
asking(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.1");
	struct str answer;
	struct table_cost cost;

	get(&b, "/login");
	ok(says(&b, "href=\"/forgot\""), "the sign-in page leads to it");
	is_int(ask(&b, "noor"), 1, "who is there gets a letter");
	is_str(str_of(post.to), STR("noor@example.org"), "... to their address");
	ok(holds(str_of(post.text), STR("Hello Noor Haddad")), "... with their name");
	is_int(b.last.status, HTTP_OK, "... and is told to look");
	answer = part(b.last.body, "<main", "</main>");
	cost = b.last.cost;
	is_int(ask(&b, "nobody_at_all"), 0, "who is not gets none");
	is_str(part(b.last.body, "<main", "</main>"), answer, "... and the same answer");
	ok(b.last.cost.requests == cost.requests && b.last.cost.round_trips == cost.round_trips,
	    "... at the same cost");
	is_int(ask(&b, " Kofi@Example.org "), 1, "an address will do");
	is_int(ask(&b, "lowri"), 0, "who is disabled gets none");
	is_int(ask(&b, ""), 0, "an empty name");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "... is refused");
	is_int(ask(&b, "ingrid") + ask(&b, "ingrid") + ask(&b, "INGRID"), 3,
	    "three letters to one account");
	is_int(ask(&b, "ingrid@example.org"), 0, "... by whatever name");
	is_int(b.last.status, HTTP_OK, "... of which nothing is said");
	is_int(ask(&b, "ingrid"), 0, "... and no more");
	is_int(b.last.status, HTTP_TOO_MANY, "... for a while");
	ok(header(&b.last, "Retry-After").len != 0, "... that is told");
}

static void using(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.2"), in = browser_of(s, "noor");
	const char *address;
	struct item user;

	is_int(get(&in, "/account"), HTTP_OK, "noor is in somewhere");
	ask(&b, "noor");
	address = link_in(s);
	is_int(get(&b, address), HTTP_OK, "the link leads to a form");
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... that nobody keeps");
	is_int(SUBMIT(&b, address, "new_password", "short"), HTTP_UNPROCESSABLE, "a bad password");
	ok(says(&b, "A password needs 10"), "... is told beside it");
	is_int(get(&in, "/account"), HTTP_OK, "nothing has happened so far");
	get(&b, address);
	is_int(SUBMIT(&b, address, "new_password", ANOTHER), HTTP_OK, "a good one is taken");
	ok(b.session.len == 0, "... which signs nobody in");
	is_int(get(&in, "/account"), HTTP_SEE_OTHER, "... and everybody out");
	is_int(get(&b, address), HTTP_NOT_FOUND, "the link is good once");
	ok(says(&b, "This link is over"), "... as it says");
	is_int(
	    sign_in(&b, "noor", PASSWORD), HTTP_UNPROCESSABLE, "the old password is none any more");
	is_int(sign_in(&b, "noor", ANOTHER), HTTP_SEE_OTHER, "... and the new one is");
	user = seeded_item(s, "USER#noor", "METADATA");
	ok(!holds(item_encode(s->arena, &user), STR(ANOTHER)), "the table has its hash");
}

/* What makes a link void. */
static void
over(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.3"), two;
	const char *first, *second;
	struct item user;

	s->clock.fixed_now += 600000;
	ask(&b, "noor");
	first = link_in(s);
	is_int(get(&b, first), HTTP_OK, "a link");
	s->clock.fixed_now += RESET_SECONDS * 1000 - 1000;
	is_int(get(&b, first), HTTP_OK, "... is good for half an hour");
	two = b;
	s->clock.fixed_now += 1000;
	is_int(get(&b, first), HTTP_NOT_FOUND, "... and no longer");
	is_int(SUBMIT(&two, first, "new_password", PASSWORD), HTTP_NOT_FOUND,
	    "... with a form from before, too");
	ask(&b, "noor");
	first = link_in(s);
	ask(&b, "noor");
	second = link_in(s);
	two = b;
	is_int(get(&b, first), HTTP_NOT_FOUND, "of two links only the newest is good");
	is_int(get(&two, second), HTTP_OK, "... which is");
	is_int(SUBMIT(&two, second, "new_password", PASSWORD), HTTP_OK, "... used");
	is_int(get(&b, second), HTTP_NOT_FOUND, "... once");
	s->clock.fixed_now += 600000;
	ask(&b, "noor");
	first = link_in(s);
	user = seeded_item(s, "USER#noor", "METADATA");
	item_set(s->arena, &user, STR("Status"), value_string(STR("disabled")));
	seeded_put(s, &user, 1);
	is_int(get(&b, first), HTTP_NOT_FOUND, "it is void for who was disabled meanwhile");
	item_set(s->arena, &user, STR("Status"), value_string(STR("active")));
	seeded_put(s, &user, 1);
	is_int(get(&b, first), HTTP_OK, "... and only then");
	user = seeded_item(s, "USER#noor", "METADATA");
	item_set(s->arena, &user, STR("Email"), value_string(STR("noor@example.com")));
	seeded_put(s, &user, 1);
	is_int(get(&b, first), HTTP_NOT_FOUND, "a letter to an address that was given up is void");
	item_set(s->arena, &user, STR("Email"), value_string(STR("noor@example.org")));
	seeded_put(s, &user, 1);
	is_int(get(&b, first), HTTP_OK, "it is good again");
	item_set(s->arena, &user, STR("Role"), value_string(STR("editor")));
	seeded_put(s, &user, 1);
	is_int(get(&b, first), HTTP_NOT_FOUND, "a link from before another role is void");
	item_set(s->arena, &user, STR("Role"), value_string(STR("author")));
	seeded_put(s, &user, 1);
	is_int(get(&b, "/reset/short"), HTTP_NOT_FOUND, "what is no code");
	ok(says(&b, "This link is over"), "... looks the same");
}

/* A link used twice at once: the second form comes when the first is done. */
static void
race(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct account account;
	struct str code, older, token, noors;

	account_find(&plan, STR("kofi"), &account);
	is_int(account_reset_begin(&plan, &s->clock, &account.user, &older), PLAN_DONE, "a link");
	is_int(account_reset_begin(&plan, &s->clock, &account.user, &code), PLAN_DONE, "another");
	is_int(account_reset_finish(&plan, older, &account.user, STR("none")), PLAN_CHANGED,
	    "... that came while a form of the first was open, which is good no more");
	str_cut(code, '.', &token);
	noors = STR_CONCAT(s->arena, STR("noor."), token);
	is_int(account_reset_find(&plan, noors, &account), PLAN_NOT_THERE,
	    "... is of no use under another name");
	is_int(account_reset_find(&plan, code, &account), PLAN_DONE, "... is found");
	account_set_role_and_status(&plan, STR("kofi"), ROLE_ADMIN, AS_IT_IS);
	is_int(account_reset_finish(&plan, code, &account.user, STR("none")), PLAN_CHANGED,
	    "... is no way to the role that they were given meanwhile");
	account_set_role_and_status(&plan, STR("kofi"), (int)account.user.role, AS_IT_IS);
	is_int(account_reset_finish(&plan, code, &account.user, STR("one")), PLAN_DONE, "... used");
	is_int(
	    account_reset_finish(&plan, code, &account.user, STR("two")), PLAN_CHANGED, "... once");
	account_find(&plan, STR("kofi"), &account);
	is_str(account.password, STR("one"), "... by the first");
	is_int(account_reset_finish(&plan, code, &account.user, STR("two")), PLAN_CHANGED,
	    "... whatever has changed since");
	table_release(s->table, &call);
}

/* The table fails at each call of the form in turn: no false success, and the link stays good. */
static void
failing(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.4");
	struct failing_table failing;
	struct table *table = s->site.table;
	struct mailer *mailer = s->site.mailer;
	unsigned wrong = 0, calls = 1;
	const char *address;

	s->clock.fixed_now += 600000;
	ask(&b, "noor");
	address = link_in(s);
	failing_table_begin(&failing, table);
	s->site.table = &failing.table;
	/* The mailer would use the table meanwhile. */
	s->site.mailer = NULL;
	for (unsigned n = 1; n <= calls; n++) {
		failing_table_arm(&failing, 0, TABLE_OK);
		get(&b, address);
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		SUBMIT(&b, address, "new_password", ANOTHER);
		if (failing.calls < n)
			break;
		wrong += b.last.status != HTTP_UNAVAILABLE;
		calls = n + 1;
	}
	s->site.table = table;
	s->site.mailer = mailer;
	ok(calls > 3, "the form makes %u calls", calls - 1);
	is_int(wrong, 0, "... each of which may fail: 503");
	is_int(b.last.status, HTTP_OK, "... and the link is good until it is used");
	is_int(get(&b, address), HTTP_NOT_FOUND, "... once");
}

static void
without_mail(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.5");

	s->site.mailer = NULL;
	is_int(get(&b, "/forgot"), HTTP_OK, "without a mail server");
	ok(says(&b, "This site sends no letters") && !says(&b, "action=\"/forgot\""),
	    "... one is told whom to ask");
}

int
main(void)
{
	static const struct mail_transport transport = {.send = send_letter};
	struct mailer *mailer;
	struct item lowri;
	struct seeded s;

	browsers_open(&s);
	lowri = seeded_item(&s, "USER#lowri", "METADATA");
	item_set(s.arena, &lowri, STR("Status"), value_string(STR("disabled")));
	seeded_put(&s, &lowri, 1);
	mailer = s.site.mailer = mailer_start(&transport, &s.site, NULL);
	asking(&s);
	using(&s);
	over(&s);
	race(&s);
	failing(&s);
	without_mail(&s);
	mailer_stop(mailer);
	browsers_close(&s);
	return tap_done();
}
