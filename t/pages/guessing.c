/*
 * How often a password may be guessed: from an address, at a name, with a session, and by many at
 * once. After the first few each attempt waits longer, nobody is locked out for good, and a correct
 * one resets the count.
 */
#include "signing.h"

#include "lib/tap.h"

#include "model/people/password.h"

#include <pthread.h>

enum { CROWD = 64 };

static const struct password_cost cheap = {1, 8192};

static uint64_t
hashes(struct seeded *s)
{
	return password_limiter_count(s->site.passwords);
}

static void
limits(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.10");
	uint64_t before;
	int tries = 0;

	while (tries < 50 && sign_in(&b, "tobias", "not this one") == HTTP_UNPROCESSABLE)
		tries++;
	is_int(tries, 5, "a name takes five tries from one address");
	is_int(b.last.status, HTTP_TOO_MANY, "... then one waits");
	is_str(header(&b.last, "Retry-After"), STR("15"), "... for so long");
	ok(says(&b, "value=\"tobias\"") && says(&b, "try again in"), "... with the form as it was");
	before = hashes(s);
	is_int(sign_in(&b, "tobias", PASSWORD), HTTP_TOO_MANY, "... even who knows it now");
	is_int((int64_t)(hashes(s) - before), 0, "... at no cost");
	for (; tries < 10; tries++) {
		s->clock.fixed_now += (INT64_C(15000) << (tries - 5)) - 1;
		sign_in(&b, "tobias", "not this one");
		is_str(header(&b.last, "Retry-After"), STR("1"), "try %d is a millisecond early",
		    tries + 1);
		s->clock.fixed_now++;
		is_int(sign_in(&b, "tobias", "not this one"), HTTP_UNPROCESSABLE,
		    "... and then waited twice as long as the one before");
	}
	s->clock.fixed_now += 120000;
	is_int(sign_in(&b, "tobias", "not this one"), HTTP_TOO_MANY, "in all there are ten");
	is_int(sign_in(&b, " Tobias ", "not this one"), HTTP_TOO_MANY, "... however it is typed");
	is_int(sign_in(&b, "tobias@example.org", "not this one"), HTTP_UNPROCESSABLE,
	    "... which says nothing of whose the e-mail addresses are");
	for (tries = 11; tries < 100; tries++) {
		b = browser(s, str_cstring(s->arena, str_fmt(s->arena, "198.51.%d.1", tries)));
		if (sign_in(&b, "tobias", "not this one") != HTTP_UNPROCESSABLE)
			break;
	}
	b = browser(s, "192.0.2.11");
	is_int(sign_in(&b, "tobias", PASSWORD), HTTP_SEE_OTHER,
	    "whose it is, is not kept out by that");
	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/password", "old_password", "not this one", "new_password",
		   "four other words in a row"),
	    HTTP_UNPROCESSABLE, "... nor from a new password");
	b = browser(s, "198.51.200.1");
	sign_in(&b, "tobias", "not this one");
	before = hashes(s);
	b = browser(s, "192.0.2.11");
	is_int(sign_in(&b, "tobias", PASSWORD), HTTP_TOO_MANY,
	    "... but by a hundred tries from everywhere");
	is_int((int64_t)(hashes(s) - before), 0, "... at no cost");
	is_int(sign_in(&b, "tobias@example.org", PASSWORD), HTTP_SEE_OTHER,
	    "... which does not tell either whose the e-mail addresses are");
	b = browser(s, "192.0.2.11");
	s->clock.fixed_now += 600000;
	is_int(sign_in(&b, "tobias", PASSWORD), HTTP_SEE_OTHER, "ten minutes later all is well");
	b = browser(s, "192.0.2.12");
	for (tries = 0; tries < 50; tries++) {
		char name[16];

		snprintf(name, sizeof(name), "guess%d", tries);
		if (sign_in(&b, name, "not this one") != HTTP_UNPROCESSABLE)
			break;
	}
	is_int(tries, 30, "one address has thirty tries, whatever it tries");
}

/* A correct password among the first attempts resets the count. */
static void
anew(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.20");
	int wrong = 0, right = 0;

	s->clock.fixed_now += 600000;
	for (int i = 0; i < 3; i++) {
		for (int n = 0; n < 4; n++)
			wrong += sign_in(&b, "marta", "not this one") == HTTP_UNPROCESSABLE;
		right += sign_in(&b, "marta", PASSWORD) == HTTP_SEE_OTHER;
		b = browser(s, "192.0.2.20");
	}
	is_int(wrong, 12, "who mistypes four times and then knows it");
	is_int(right, 3, "... begins anew");
}

/* A session alone gives no attempts at the password; what was typed is never lost. */
static void
proving(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	int tries = 0;

	s->clock.fixed_now += 600000;
	get(&b, "/account");
	while (tries < 50 && SUBMIT(&b, "/account/email", "email", "new@example.org",
				 "email_password", "not this one") == HTTP_UNPROCESSABLE)
		tries++;
	is_int(tries, 5, "in five tries one should know one's password");
	is_int(b.last.status, HTTP_TOO_MANY, "... then one waits");
	ok(header(&b.last, "Retry-After").len != 0 && says(&b, "try again in") &&
		says(&b, "href=\"#email-email_password\""),
	    "... for so long, which stands beside the password");
	ok(says(&b, "value=\"new@example.org\""), "... and what was typed is still there");
}

/* --- Many at once ----------------------------------------------------------------------------------- */

struct guess {
	struct site *site;
	struct request_input in;
	pthread_barrier_t *start;
	enum http_status status;
};

static void *
guess(void *data)
{
	struct guess *guess = data;
	struct arena *arena = arena_new();
	struct response rs;

	pthread_barrier_wait(guess->start);
	site_respond(guess->site, &guess->in, arena, &rs);
	guess->status = rs.status;
	response_release(&rs);
	arena_free(arena);
	return NULL;
}

/* All send the one form that a browser has, with the password that they are given. */
static void
all_guess(struct browser *b, struct guess *guesses, const char *const *passwords)
{
	pthread_barrier_t start;
	pthread_t threads[CROWD];

	pthread_barrier_init(&start, NULL, CROWD);
	for (int i = 0; i < CROWD; i++) {
		struct buf body = {.arena = b->s->arena};

		put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
		put_field(&body, STR("name"), STR("kofi"));
		put_field(&body, STR("password"), str_of(passwords[i]));
		guesses[i] = (struct guess){.site = &b->s->site,
		    .start = &start,
		    .in = {.method = STR("POST"),
			.uri = STR("/login"),
			.scheme = STR("https"),
			.host = STR("slack.example"),
			.remote_addr = b->address,
			.sec_fetch_site = STR("same-origin"),
			.content_type = STR("application/x-www-form-urlencoded"),
			.cookie = STR_CONCAT(b->s->arena, STR("__Host-visit="), b->visit),
			.body = buf_str(&body),
			.content_length = (int64_t)body.len}};
	}
	for (int i = 0; i < CROWD; i++)
		if (pthread_create(&threads[i], NULL, guess, &guesses[i]) != 0)
			bail_out("no thread");
	for (int i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
}

static int
count(const struct guess *guesses, enum http_status status)
{
	int found = 0;

	for (int i = 0; i < CROWD; i++)
		found += guesses[i].status == status;
	return found;
}

static void
at_once(struct seeded *s)
{
	struct password_limiter *usual = s->site.passwords,
				*wide = password_limiter_new(&cheap, CROWD, CROWD);
	struct browser b = browser(s, "192.0.2.21");
	const char *passwords[CROWD];
	struct guess guesses[CROWD];
	int told;

	s->clock.fixed_now += 600000;
	s->site.passwords = wide;
	for (int i = 0; i < CROWD; i++)
		passwords[i] = "not this one";
	get(&b, "/login");
	all_guess(&b, guesses, passwords);
	told = count(guesses, HTTP_UNPROCESSABLE);
	ok(told >= 1 && told <= 5, "of %d who guess at once %d are told that they were wrong",
	    CROWD, told);
	/* On the distributed store some find the counter taken too often, and are told no more than that. */
	is_int(told + count(guesses, HTTP_TOO_MANY) + count(guesses, HTTP_UNAVAILABLE), CROWD,
	    "... the others to wait");
	while (sign_in(&b, "kofi", "not this one") == HTTP_UNPROCESSABLE)
		told++;
	is_int(told, 5, "... and each of these has counted");
	for (int i = 0; i < CROWD; i++)
		passwords[i] = PASSWORD;
	get(&b, "/login");
	all_guess(&b, guesses, passwords);
	is_int(count(guesses, HTTP_SEE_OTHER), 0, "then not even the right one lets anybody in");
	s->clock.fixed_now += 15000;
	is_int(sign_in(&b, "kofi", PASSWORD), HTTP_SEE_OTHER, "... for a while");
	s->site.passwords = usual;
	password_limiter_free(wide);
}

int
main(void)
{
	static const char *const names[] = {"kofi", "ingrid", "marta", "tobias"};
	struct seeded s;

	browsers_open(&s);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		give(&s, names[i], PASSWORD, "active");
	limits(&s);
	anew(&s);
	proving(&s);
	at_once(&s);
	browsers_close(&s);
	return tap_done();
}
