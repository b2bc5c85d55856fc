/*
 * Two-step sign-in, as a browser does it: turning it on with an app, signing in with codes that are
 * valid once, recovery codes, turning it off; and that nobody is signed in between the two steps.
 */
#include "browser.h"

#include "lib/tap.h"

#include "model/people/account.h"
#include "model/people/totp.h"
#include "model/people/two_step.h"

#define PASSWORD "four words in a row"

static bool
is_in(struct browser *b)
{
	return get(b, "/account") == HTTP_OK;
}

#define CODE(steps) app_code(s, secret, steps)

static struct str
turn_on(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.1"), elsewhere = b, before;
	struct str secret, again;

	is_int(get(&b, "/account/two-step"), HTTP_SEE_OTHER, "a stranger has nothing to turn on");
	sign_in(&elsewhere, "noor", PASSWORD);
	sign_in(&b, "noor", PASSWORD);
	before = b;
	is_int(get(&b, "/account/two-step"), HTTP_OK, "the page");
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... is kept by nobody");
	ok(says(&b, "otpauth://totp/Slack%20Water:noor?secret="), "... is about one's account");
	secret = app_secret(&b);
	is_int((int64_t)secret.len, TOTP_SECRET_BYTES, "... shows a secret");
	ok(says(&b, "<svg class=\"qr\""), "... as a picture, too");
	is_int(SUBMIT(&b, "/account/two-step", "code", "000000", "password", PASSWORD),
	    HTTP_UNPROCESSABLE, "a wrong code is refused");
	again = app_secret(&b);
	is_str(again, secret, "... and the secret stays the same");
	is_int(SUBMIT(&b, "/account/two-step", "code", CODE(0), "password", "not this one"),
	    HTTP_UNPROCESSABLE, "... so is a wrong password");
	is_int(SUBMIT(&b, "/account/two-step", "code", CODE(0), "password", PASSWORD), HTTP_OK,
	    "the code that the app shows, and the password");
	is_int((int64_t)count_of(b.last.body, STR("<li><code>")), RECOVERY_CODES,
	    "... give ten recovery codes");
	ok(says(&b, "you are signed out everywhere else"), "... and it says what has ended");
	ok(!is_in(&elsewhere) && !is_in(&before), "all sessions from before have");
	ok(is_in(&b), "... but one goes on, with another token");
	get(&b, "/account/two-step");
	ok(says(&b, "It is on") && says(&b, "You have 10 left"), "it is on");
	ok(!holds(b.last.body, STR("otpauth:")), "... and the secret is not shown again");
	b = browser(s, "192.0.2.1");
	sign_in(&b, "noor", PASSWORD);
	SUBMIT(&b, "/login/code", "code", CODE(0));
	ok(!is_in(&b), "the code that turned it on is used up");
	return secret;
}

static void
second_step(struct seeded *s, struct str secret)
{
	struct browser b = browser(s, "192.0.2.2"), other;

	get(&b, "/login?next=%2Faccount");
	is_int(SUBMIT(&b, "/login", "name", "noor", "password", PASSWORD), HTTP_OK,
	    "behind the password there is another page");
	ok(says(&b, "The second step") && b.session.len == 0, "... and nobody is in");
	other = b;
	is_int(get(&other, "/account"), HTTP_SEE_OTHER, "... nowhere");
	is_int(SUBMIT(&b, "/login/code", "code", "12345"), HTTP_UNPROCESSABLE, "no code");
	is_int(
	    SUBMIT(&b, "/login/code", "code", CODE(1)), HTTP_UNPROCESSABLE, "a code of the future");
	is_int(SUBMIT(&b, "/login/code", "code", CODE(-2)), HTTP_UNPROCESSABLE,
	    "... nor one that is over for longer than a step");
	is_int(SUBMIT(&b, "/login/code", "code", CODE(-1)), HTTP_SEE_OTHER,
	    "a code, late by one step,");
	is_str(leads_to(&b), STR("/account"), "... leads to where one wanted to go");
	ok(is_in(&b), "... and one is in");
	other = browser(s, "192.0.2.3");
	sign_in(&other, "noor", PASSWORD);
	is_int(SUBMIT(&other, "/login/code", "code", CODE(-1)), HTTP_UNPROCESSABLE,
	    "the same code lets nobody else in");
	is_int(SUBMIT(&other, "/login/code", "code", CODE(-2)), HTTP_UNPROCESSABLE,
	    "... nor does an earlier one");
	is_int(SUBMIT(&other, "/login/code", "code", CODE(0)), HTTP_SEE_OTHER, "... but the next");
}

/* The ticket between the steps is a visitor's own, for a while, and void when the account changes. */
static void
half_in(struct seeded *s, struct str secret)
{
	struct browser b = browser(s, "192.0.2.4"), eve = browser(s, "192.0.2.5");
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct account account;
	struct str ticket;
	struct buf body = {.arena = s->arena};

	s->clock.fixed_now += 20 * 60000;
	sign_in(&b, "noor", PASSWORD);
	ticket = part(b.last.body, "name=\"ticket\" value=\"", "\"");
	get(&eve, "/login");
	put_field(&body, STR("csrf"), part(eve.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("ticket"), ticket);
	put_field(&body, STR("code"), str_of(CODE(0)));
	is_int(fetch(&eve, "POST", "/login/code", buf_str(&body)), HTTP_UNPROCESSABLE,
	    "a ticket is of no use to another visitor");
	ok(eve.session.len == 0 && says(&eve, "Please begin once more"), "... who begins anew");
	s->clock.fixed_now += 5 * 60000;
	is_int(SUBMIT(&b, "/login/code", "code", CODE(0)), HTTP_UNPROCESSABLE,
	    "it is good for five minutes");
	ok(b.session.len == 0, "... and no longer");
	sign_in(&b, "noor", PASSWORD);
	account_find(&plan, STR("noor"), &account);
	account_end_sessions(&plan, &account.user, NULL);
	SUBMIT(&b, "/login/code", "code", CODE(0));
	ok(b.session.len == 0, "it is void when all sessions have ended meanwhile");
	table_release(s->table, &call);
}

/*
 * Whoever guesses codes knows the password: they wait longer each time, for days, and the owner
 * gets notices.
 */
static void
limits(struct seeded *s, struct str secret)
{
	struct browser owner = browser(s, "192.0.2.5"), b = browser(s, "192.0.2.6");
	int64_t wait = 15, days = 0;
	int tries = 0;

	s->clock.fixed_now += 20 * 60000;
	sign_in(&owner, "noor", PASSWORD);
	SUBMIT(&owner, "/login/code", "code", CODE(0));
	sign_in(&b, "noor", PASSWORD);
	while (tries < 50 && SUBMIT(&b, "/login/code", "code", "000000") == HTTP_UNPROCESSABLE)
		tries++;
	is_int(tries, 5, "five codes may be tried");
	is_str(header(&b.last, "Retry-After"), STR("15"), "... then one waits");
	ok(says(&b, "name=\"ticket\"") && says(&b, "A recovery code works at once"),
	    "... with the form as it was");
	get(&owner, "/account");
	is_int((int64_t)count_of(owner.last.body, STR("tries to guess the second step")), 1,
	    "whose account it is is told that somebody knows the password");
	for (; tries < 21; tries++) {
		s->clock.fixed_now += wait * 1000 - 1;
		sign_in(&b, "noor", PASSWORD);
		is_int(SUBMIT(&b, "/login/code", "code", "000000"), HTTP_TOO_MANY,
		    "try %d is a millisecond early", tries + 1);
		s->clock.fixed_now++;
		is_int(SUBMIT(&b, "/login/code", "code", "000000"), HTTP_UNPROCESSABLE,
		    "... and then waited for %" PRId64 " s", wait);
		days += wait == 86400;
		wait = 2 * wait < 86400 ? 2 * wait : 86400;
	}
	ok(days >= 2, "... which grows to a day, and stays so");
	s->clock.fixed_now += 3600000;
	sign_in(&b, "noor", PASSWORD);
	is_int(SUBMIT(&b, "/login/code", "code", CODE(0)), HTTP_TOO_MANY,
	    "even who has the right one waits then");
	ok(says(&b, "try again in 23 hours"), "... which is said in hours");
	get(&owner, "/account");
	is_int((int64_t)count_of(owner.last.body, STR("tries to guess the second step")), 4,
	    "each fifth is told");
	owner.session = STR("");
	sign_in(&owner, "noor", PASSWORD);
	is_int(SUBMIT(&owner, "/login/code", "code", CODE(0)), HTTP_SEE_OTHER,
	    "on a device that knows them the owner is not kept out");
	s->clock.fixed_now += 86400000;
	sign_in(&b, "noor", PASSWORD);
	is_int(SUBMIT(&b, "/login/code", "code", CODE(0)), HTTP_SEE_OTHER,
	    "... and elsewhere for a day at most");
	b = browser(s, "192.0.2.6");
	sign_in(&b, "noor", PASSWORD);
	for (tries = 0; tries < 50; tries++)
		if (SUBMIT(&b, "/login/code", "code", "000000") != HTTP_UNPROCESSABLE)
			break;
	is_int(tries, 5, "who was right begins anew");
	owner.session = STR("");
	for (tries = 0; tries < 50; tries++) {
		sign_in(&owner, "noor", PASSWORD);
		if (SUBMIT(&owner, "/login/code", "code", "000000") != HTTP_UNPROCESSABLE)
			break;
	}
	is_int(tries, 5, "a device that knows them slows down, too");
}

static void
recovery(struct seeded *s, struct str secret)
{
	struct browser b = browser(s, "192.0.2.7"), other;
	struct str first;

	s->clock.fixed_now += 600000;
	sign_in(&b, "noor", PASSWORD);
	SUBMIT(&b, "/login/code", "code", CODE(0));
	get(&b, "/account/two-step");
	is_int(SUBMIT(&b, "/account/two-step/codes", "codes_password", "not this one"),
	    HTTP_UNPROCESSABLE, "new recovery codes need the password");
	is_int(SUBMIT(&b, "/account/two-step/codes", "codes_password", PASSWORD), HTTP_OK,
	    "... and are shown");
	first = part(b.last.body, "<li><code>", "</code>");
	other = browser(s, "192.0.2.8");
	sign_in(&other, "noor", PASSWORD);
	for (int i = 0; i < 6; i++)
		SUBMIT(&other, "/login/code", "code", "000000");
	is_int(other.last.status, HTTP_TOO_MANY, "who is slowed down");
	is_int(SUBMIT(&other, "/login/code", "code", str_cstring(s->arena, first)), HTTP_SEE_OTHER,
	    "... gets in by one of them at once");
	get(&other, "/account/two-step");
	ok(says(&other, "You have 9 left"), "... once");
	other = browser(s, "192.0.2.8");
	sign_in(&other, "noor", PASSWORD);
	is_int(SUBMIT(&other, "/login/code", "code", str_cstring(s->arena, first)),
	    HTTP_UNPROCESSABLE, "... and not again");
}

/* A pending form survives both steps. */
static void
waiting(struct seeded *s, struct str secret)
{
	struct browser b = browser(s, "192.0.2.9");

	s->clock.fixed_now += 600000;
	sign_in(&b, "noor", PASSWORD);
	SUBMIT(&b, "/login/code", "code", CODE(0));
	get(&b, "/account");
	b.session = STR("");
	SUBMIT(&b, "/account/profile", "display_name", "Noor & Co", "bio", "in\ntwo lines");
	is_int(SUBMIT(&b, "/login", "name", "noor", "password", PASSWORD), HTTP_OK,
	    "a form that waits goes on to the second step");
	SUBMIT(&b, "/login/code", "code", "000000");
	s->clock.fixed_now += TOTP_STEP_MS;
	is_int(
	    SUBMIT(&b, "/login/code", "code", CODE(0)), HTTP_SEE_OTHER, "... through a wrong code");
	is_str(leads_to(&b), STR("/account?done=profile"), "... and is done");
	get(&b, "/account");
	ok(says(&b, "value=\"Noor & Co\"") && says(&b, "in\ntwo lines"), "... to the letter");
}

/* The site's secret gets another key while somebody is between the steps; and then it is lost. */
static void
other_keys(struct seeded *s, struct str secret)
{
	struct browser b = browser(s, "192.0.2.41");
	struct secrets right;
	unsigned char key[SECRET_BYTES];

	s->clock.fixed_now += 1200000;
	is_int(sign_in(&b, "noor", PASSWORD), HTTP_OK, "between the steps");
	s->clock.random(&s->clock, key, sizeof(key));
	secrets_add_newest(&s->site.secrets, key);
	is_int(SUBMIT(&b, "/login/code", "code", CODE(0)), HTTP_SEE_OTHER,
	    "... another key of the site's holds nobody up: form, ticket and second step open");
	ok(is_in(&b), "... and who was there is in");
	right = s->site.secrets;
	s->clock.random(&s->clock, key, sizeof(key));
	s->site.secrets = (struct secrets){.count = 0};
	secrets_add_newest(&s->site.secrets, key);
	s->clock.fixed_now += 1200000;
	b = browser(s, "192.0.2.42");
	is_int(sign_in(&b, "noor", PASSWORD), HTTP_OK, "with a secret that is lost");
	is_int(
	    SUBMIT(&b, "/login/code", "code", CODE(0)), HTTP_UNPROCESSABLE, "... no code is right");
	ok(says(&b, "The site can’t check the codes of your app") && says(&b, "recovery codes"),
	    "... and that it is not the code is told, and what will do");
	s->site.secrets = right;
}

static void
turn_off(struct seeded *s, struct str secret)
{
	struct browser b = browser(s, "192.0.2.10");
	struct item user;

	s->clock.fixed_now += 600000;
	user = seeded_item(s, "USER#noor", "METADATA");
	ok(!holds(item_encode(s->arena, &user), secret),
	    "the table does not have the secret as it is");
	sign_in(&b, "noor", PASSWORD);
	SUBMIT(&b, "/login/code", "code", CODE(0));
	get(&b, "/account/two-step");
	is_int(SUBMIT(&b, "/account/two-step/off", "off_password", "not this one"),
	    HTTP_UNPROCESSABLE, "turning it off needs the password");
	is_int(SUBMIT(&b, "/account/two-step/off", "off_password", PASSWORD), HTTP_SEE_OTHER,
	    "it is off");
	b = browser(s, "192.0.2.11");
	is_int(
	    sign_in(&b, "noor", PASSWORD), HTTP_SEE_OTHER, "... and the password is enough again");
	user = seeded_item(s, "USER#noor", "METADATA");
	ok(item_get(&user, STR("RecoveryCodes")) == NULL &&
		item_get(&user, STR("RecoverySalt")) == NULL &&
		item_get(&user, STR("SecondKey")) == NULL,
	    "... and nothing of it is left");
}

int
main(void)
{
	struct str secret;
	struct seeded s;

	browsers_open(&s);
	give_password(&s, "noor", PASSWORD);
	secret = turn_on(&s);
	s.clock.fixed_now += 600000;
	second_step(&s, secret);
	half_in(&s, secret);
	limits(&s, secret);
	recovery(&s, secret);
	waiting(&s, secret);
	other_keys(&s, secret);
	turn_off(&s, secret);
	browsers_close(&s);
	return tap_done();
}
