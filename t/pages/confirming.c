/*
 * Where mail is set up, an e-mail address counts once its owner has confirmed it, and nobody else
 * learns whether somebody has it. And a sign-in on an unknown device causes a notice.
 */
#include "signing.h"

#include "lib/tap.h"

#include "base/log.h"
#include "model/people/account.h"
#include "web/mail/mail.h"

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

static unsigned
letters(struct seeded *s)
{
	static unsigned seen;
	unsigned before = seen;

	mailer_rest(s->site.mailer);
	seen = post.count;
	return seen - before;
}

static const char *
link_in(struct seeded *s)
{
	return str_cstring(
	    s->arena, STR_CONCAT(s->arena, STR("/confirm/"),
			  part(str_of(post.text), "https://slack.example/confirm/", "\n")));
}

static void
policy(struct seeded *s, const char *registration)
{
	registration_is(s, registration);
}

static enum http_status
enrol(struct browser *b, const char *name, const char *email)
{
	get(b, "/register");
	return SUBMIT(b, "/register", "username", name, "email", email, "password", PASSWORD);
}

static bool
finds(struct seeded *s, const char *typed)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct account account;
	enum plan_rc rc = account_find(&plan, str_of(typed), &account);

	table_release(s->table, &call);
	return rc == PLAN_DONE;
}

/* What differs between two pages, when the names in them are made one. */
static struct str
without(struct seeded *s, struct str page, const char *name, const char *email)
{
	struct str words[2] = {str_of(name), str_of(email)};

	for (size_t w = 0; w < 2; w++) {
		struct buf out = {.arena = s->arena};
		size_t i = 0;

		while (i < page.len) {
			if (str_starts(str_sub(page, i, page.len), words[w])) {
				buf_put(&out, STR("X"));
				i += words[w].len;
			} else {
				buf_putc(&out, page.base[i++]);
			}
		}
		page = buf_str(&out);
	}
	return page;
}

static void
registering(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.1"), thief = browser(s, "192.0.2.2"),
		       admin = browser_of(s, "marta");
	struct str said;
	struct table_cost cost;
	const char *link;

	is_int(enrol(&b, "mara_k", "mara@example.org"), HTTP_SEE_OTHER, "somebody registers");
	cost = b.last.cost;
	is_str(leads_to(&b), STR("/account?done=registered"), "... and is told to look");
	is_int(letters(s), 1, "... a letter goes");
	is_str(str_of(post.to), STR("mara@example.org"), "... to the address");
	ok(holds(str_of(post.text), STR("for the account mara_k")), "... says for which account");
	link = link_in(s);
	get(&b, "/account?done=registered");
	ok(says(&b, "mara@example.org waits to be confirmed"), "the account says that it waits");
	ok(!finds(s, "mara@example.org"), "... so far it counts for nothing");
	get(&admin, "/admin/users/mara_k");
	ok(says(&admin, "mara@example.org (not confirmed)"), "... as an admin sees");
	said =
	    without(s, part(b.last.body, "<main", "id=\"sessions\""), "mara_k", "mara@example.org");

	is_int(enrol(&thief, "thief", "noor@example.org"), HTTP_SEE_OTHER,
	    "with somebody else's address all looks the same");
	ok(thief.last.cost.requests == cost.requests &&
		thief.last.cost.round_trips == cost.round_trips,
	    "... costs the same");
	is_str(leads_to(&thief), STR("/account?done=registered"), "... leads to the same");
	get(&thief, "/account?done=registered");
	is_int(without(s, part(thief.last.body, "<main", "id=\"sessions\""), "thief",
		   "noor@example.org")
		       .len == said.len,
	    true, "... where the same is said");
	is_int(letters(s), 1, "who has it");
	is_str(str_of(post.to), STR("noor@example.org"), "... gets a letter");
	ok(holds(str_of(post.text), STR("Hello noor")) &&
		!holds(str_of(post.text), STR("/confirm/")),
	    "... that somebody tried, with no link to confirm by");
	ok(finds(s, "noor@example.org"), "... and keeps it");

	is_int(get(&thief, link), HTTP_OK, "the link asks");
	is_str(header(&thief.last, "Cache-Control"), STR("no-store"), "... and is kept by nobody");
	ok(!finds(s, "mara@example.org"), "... who only looks confirms nothing");
	is_int(SUBMIT(&thief, link, "x", "y"), HTTP_OK, "... the button does");
	ok(finds(s, "mara@example.org"), "... it counts now");
	is_int(get(&thief, link), HTTP_NOT_FOUND, "... and the link is good once");
	get(&b, "/account");
	ok(!says(&b, "waits to be confirmed") && says(&b, "value=\"mara@example.org\""),
	    "... as the account says");
}

static void
changing(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), other = browser(s, "192.0.2.3");
	const char *first, *second;

	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/email", "email", "new@example.org", "email_password", "not it"),
	    HTTP_UNPROCESSABLE, "a wrong password asks for no address");
	is_int(letters(s), 0, "... no letter goes");
	is_int(SUBMIT(&b, "/account/email", "email", "new@example.org", "email_password", PASSWORD),
	    HTTP_SEE_OTHER, "another address");
	is_int(letters(s), 1, "... gets a letter");
	first = link_in(s);
	ok(finds(s, "kofi@example.org") && !finds(s, "new@example.org"),
	    "... the one from before counts until then");
	get(&b, "/account");
	SUBMIT(&b, "/account/email", "email", "newer@example.org", "email_password", PASSWORD);
	letters(s);
	second = link_in(s);
	is_int(get(&other, first), HTTP_NOT_FOUND, "another one makes the link of the first void");
	s->clock.fixed_now += (int64_t)NEW_EMAIL_SECONDS * 1000;
	is_int(get(&other, second), HTTP_NOT_FOUND, "after three days a link is over");
	ok(says(&other, "This link is over"), "... as it says");
	s->clock.fixed_now -= 1000;
	is_int(get(&other, second), HTTP_OK, "... and no sooner");
	is_int(SUBMIT(&other, second, "x", "y"), HTTP_OK, "confirmed");
	ok(!finds(s, "kofi@example.org") && finds(s, "newer@example.org"),
	    "... it takes the other's place");
	is_int(letters(s), 1, "... which");
	is_str(str_of(post.to), STR("kofi@example.org"), "... is told so");
	ok(holds(str_of(post.text), STR("Your e-mail address was changed")), "... by a letter");
	is_int(get(&other, "/confirm/kofi.short"), HTTP_NOT_FOUND, "what is no code");
	is_int(get(&other, "/confirm/"
			   "kofi.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
	    HTTP_NOT_FOUND, "... or nobody's");
}

/*
 * An attacker who has taken over an account and named their own address gets nothing from it once
 * the owner has the account back.
 */
static void
ending(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal"), thief = browser(s, "192.0.2.10");
	const char *link;

	get(&b, "/account");
	SUBMIT(&b, "/account/email", "email", "thief@example.org", "email_password", PASSWORD);
	letters(s);
	link = link_in(s);
	is_int(get(&thief, link), HTTP_OK, "a link confirms an address");
	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/password", "old_password", PASSWORD, "new_password",
		   PASSWORD " and more"),
	    HTTP_SEE_OTHER, "... the password is changed");
	letters(s);
	is_int(SUBMIT(&thief, link, "x", "y"), HTTP_NOT_FOUND, "... and the link is over");
	is_int(get(&thief, link), HTTP_NOT_FOUND, "... as it says");
	ok(finds(s, "pascal@example.org") && !finds(s, "thief@example.org"),
	    "... the address from before counts");

	get(&b, "/account");
	SUBMIT(&b, "/account/email", "email", "other@example.org", "email_password",
	    PASSWORD " and more");
	letters(s);
	link = link_in(s);
	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/email", "email", "pascal@example.org", "email_password",
		   PASSWORD " and more"),
	    HTTP_SEE_OTHER, "who types the address that counts");
	get(&b, "/account");
	ok(!says(&b, "waits to be confirmed"), "... wants no other any more");
	is_int(get(&thief, link), HTTP_NOT_FOUND, "... whose link is over");
}

/* A person whom an admin admits before they have read their letter. */
static void
approved(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.11"), admin = browser_of(s, "marta");
	const char *link;

	policy(s, "approval");
	enrol(&b, "patient", "patient@example.org");
	letters(s);
	link = link_in(s);
	get(&admin, "/admin/users/patient");
	is_int(SUBMIT(&admin, "/admin/users/patient/enable", "enable", "1"), HTTP_SEE_OTHER,
	    "an admin lets somebody in");
	is_int(letters(s), 0, "... who gets no letter before their address counts");
	is_int(get(&b, link), HTTP_OK, "... whose link is good all the same");
	is_int(SUBMIT(&b, link, "x", "y"), HTTP_OK, "... and confirms");
	ok(finds(s, "patient@example.org"), "... their address");
	policy(s, "open");
}

/* Who has confirmed their address and waits hears of it when an admin lets them in. */
static void
welcomed(struct seeded *s)
{
	static const struct {
		const char *name, *email, *page, *to;
		unsigned letters;
	} waiting[] = {{"hopeful", "hopeful@example.org", "/admin/users/hopeful", "/admin/users/hopeful/enable", 1},
	    {"hopeless", "hopeless@example.org", "/admin/users/hopeless/disable", "/admin/users/hopeless/disable", 0}};
	struct browser admin = browser_of(s, "marta"), other = browser_of(s, "marta");

	policy(s, "approval");
	for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++) {
		struct browser b = browser(s, "192.0.2.12");
		const char *link;

		is_int(enrol(&b, waiting[i].name, waiting[i].email), HTTP_OK, "somebody waits");
		letters(s);
		link = link_in(s);
		get(&b, link);
		is_int(SUBMIT(&b, link, "x", "y"), HTTP_OK, "... and confirms their address");
		get(&admin, waiting[i].page);
		get(&other, waiting[i].page);
		is_int(SUBMIT(&admin, waiting[i].to, "from", "overview"), HTTP_SEE_OTHER, "... an admin decides");
		is_int(letters(s), waiting[i].letters, "... and %u letters go", waiting[i].letters);
		if (waiting[i].letters == 0)
			continue;
		is_str(str_of(post.to), str_of(waiting[i].email), "... to their address");
		is_str(str_of(post.subject), STR("Slack Water: you can sign in"), "... which says so");
		ok(holds(str_of(post.text), STR("sign in as hopeful:\n\nhttps://slack.example/login\n")),
		    "... as whom, and where");
		is_int(SUBMIT(&other, waiting[i].to, "enable", "1"), HTTP_SEE_OTHER, "... on a page that is old they are let in again");
		is_int(letters(s), 0, "... which sends nothing");
		is_int(sign_in(&b, waiting[i].name, PASSWORD), HTTP_SEE_OTHER, "... and they do");
		letters(s);
	}
	policy(s, "open");
}

/* Two people name the same address: whoever confirms first gets it. */
static void
both(struct seeded *s)
{
	struct browser a = browser(s, "192.0.2.4"), b = browser(s, "192.0.2.5");
	const char *first, *second;

	enrol(&a, "first_one", "one@example.org");
	letters(s);
	first = link_in(s);
	enrol(&b, "second_one", "one@example.org");
	letters(s);
	second = link_in(s);
	get(&b, second);
	get(&a, first);
	is_int(SUBMIT(&a, first, "x", "y"), HTTP_OK, "of two who name one address, one confirms");
	is_int(SUBMIT(&b, second, "x", "y"), HTTP_CONFLICT, "... and the other can't");
	ok(says(&b, "This address is taken"), "... as whoever reads its letters is told");
}

/* The number of letters is limited. */
static void
many(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.6");
	char name[20];
	unsigned sent = 0;

	for (int i = 0; i < 6; i++) {
		b = browser(s, "192.0.2.6");
		snprintf(name, sizeof(name), "many_%d", i);
		is_int(enrol(&b, name, "victim@example.org"), HTTP_SEE_OTHER, "one of many");
		sent += letters(s);
	}
	is_int(sent, 3, "no more than three letters go to an address in ten minutes");
}

/* Nor is the whole world written to. */
static void
to_many(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri");
	char email[40];
	unsigned sent = 0;

	for (int i = 0; i < 14; i++) {
		snprintf(email, sizeof(email), "stranger-%d@example.org", i);
		get(&b, "/account");
		SUBMIT(&b, "/account/email", "email", email, "email_password", PASSWORD);
		sent += letters(s);
	}
	is_int(sent, 10, "no more than ten letters go out for one account in ten minutes");
}

static void
devices(struct seeded *s)
{
	struct browser known = browser(s, "192.0.2.7"), fresh = browser(s, "192.0.2.8");

	give(s, "ingrid", PASSWORD, "active");
	is_int(sign_in(&known, "ingrid", PASSWORD), HTTP_SEE_OTHER, "somebody signs in");
	is_int(letters(s), 1, "... on a device that is not known: a letter");
	ok(holds(str_of(post.text), STR("a device that was not known")) &&
		holds(str_of(post.text), STR("(192.0.2.7)")),
	    "... says so, and from where");
	get(&known, "/account");
	SUBMIT(&known, "/logout", "x", "y");
	is_int(sign_in(&known, "ingrid", PASSWORD), HTTP_SEE_OTHER, "... once more");
	is_int(letters(s), 0, "... there it is known");
	sign_in(&fresh, "ingrid", PASSWORD);
	is_int(letters(s), 1, "... another one is not");
	get(&fresh, "/account");
	ok(count_of(fresh.last.body, STR("Somebody signed in from a device")) == 2,
	    "/account tells of both");
	fresh = browser(s, "192.0.2.9");
	is_int(sign_in(&fresh, "ingrid", "not this one"), HTTP_UNPROCESSABLE, "who can't sign in");
	is_int(letters(s), 0, "... is told of to nobody");
}

int
main(void)
{
	static const struct mail_transport transport = {.send = send_letter};
	const struct log log = {.fd = -1, .level = LOG_ERROR};
	struct mailer *mailer;
	struct seeded s;

	everybody_opens(&s);
	policy(&s, "open");
	mailer = s.site.mailer = mailer_start(&transport, &s.site, &log);
	registering(&s);
	changing(&s);
	ending(&s);
	approved(&s);
	welcomed(&s);
	both(&s);
	many(&s);
	to_many(&s);
	devices(&s);
	mailer_stop(mailer);
	s.site.mailer = NULL;
	browsers_close(&s);
	return tap_done();
}
