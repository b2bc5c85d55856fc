/*
 * Forms that hash a password while the limiter refuses: each is shown again, as it was sent except
 * for its passwords, with a message, and succeeds when it is sent again.
 */
#include "signing.h"

#include "lib/tap.h"

#include "base/limiter.h"
#include "model/people/account.h"
#include "model/people/reset.h"

#define ANOTHER "four other words in a row"

static const struct password_cost cheap = {1, 8192};

/* Two limiters: one that lets everybody in, one that lets nobody. */
struct limiters {
	struct seeded *s;
	struct password_limiter *open, *shut;
};

static void
open_again(struct limiters *g)
{
	g->s->site.passwords = g->open;
}

/* What all such answers have in common. `kept` is what was typed, or NULL. */
static void
is_shown_again(struct browser *b, const char *what, const char *action, const char *kept)
{
	const char *form = str_cstring(b->s->arena, str_fmt(b->s->arena, "action=\"%s\"", action));

	is_int(b->last.status, HTTP_UNAVAILABLE, "%s finds the site busy", what);
	ok(header(&b->last, "Retry-After").len != 0, "... which says when to come again");
	ok(says(b, form) && says(b, "Many people are signing in just now"),
	    "... in the form, which is there again");
	ok(kept == NULL || says(b, kept), "... with what was typed");
	ok(!holds(b->last.body, STR(PASSWORD)) && !holds(b->last.body, STR(ANOTHER)),
	    "... but no password");
}

static void
strangers(struct limiters *g)
{
	struct browser b = browser(g->s, "192.0.2.1");
	struct item settings = seeded_item(g->s, "SITE", "SETTINGS");

	g->s->site.passwords = g->shut;
	sign_in(&b, "kofi", PASSWORD);
	is_shown_again(&b, "signing in", "/login", "value=\"kofi\"");
	item_set(g->s->arena, &settings, STR("Registration"), value_string(STR("open")));
	seeded_put(g->s, &settings, 1);
	get(&b, "/register");
	SUBMIT(&b, "/register", "username", "newcomer", "email", "new@example.org", "password",
	    PASSWORD);
	is_shown_again(&b, "registering", "/register", "value=\"newcomer\"");
	ok(says(&b, "value=\"new@example.org\""), "... all of it");
	open_again(g);
	is_int(SUBMIT(&b, "/register", "username", "newcomer", "email", "new@example.org",
		   "password", PASSWORD),
	    HTTP_SEE_OTHER, "... and then it is done");
}

static void
reset(struct limiters *g)
{
	struct browser b = browser(g->s, "192.0.2.2");
	struct table_call call = {.arena = g->s->arena};
	struct plan plan = {.table = g->s->table, .call = &call, .now = g->s->clock.fixed_now};
	struct account account;
	const char *address;
	struct str code;

	account_find(&plan, STR("ingrid"), &account);
	account_reset_begin(&plan, &g->s->clock, &account.user, &code);
	table_release(g->s->table, &call);
	address = str_cstring(g->s->arena, STR_CONCAT(g->s->arena, STR("/reset/"), code));
	get(&b, address);
	g->s->site.passwords = g->shut;
	SUBMIT(&b, address, "new_password", ANOTHER);
	is_shown_again(&b, "a new password by a link", address, NULL);
	open_again(g);
	is_int(SUBMIT(&b, address, "new_password", ANOTHER), HTTP_OK,
	    "... and the link is good for the next time");
	for (int i = 0; i < 30 && b.last.status != HTTP_TOO_MANY; i++) {
		account_find(&plan, STR("ingrid"), &account);
		account_reset_begin(&plan, &g->s->clock, &account.user, &code);
		address = str_cstring(g->s->arena, STR_CONCAT(g->s->arena, STR("/reset/"), code));
		get(&b, address);
		SUBMIT(&b, address, "new_password", ANOTHER);
	}
	table_release(g->s->table, &call);
	is_int(b.last.status, HTTP_TOO_MANY, "after thirty from one address one waits");
	ok(says(&b, "try again in") && says(&b, "name=\"new_password\""),
	    "... which the form says, and is there again");
}

/* Called when a hash is made: the next one finds the limiter shut. */
static void
shut_behind(void *who, bool begins)
{
	struct limiters *g = who;

	if (!begins)
		g->s->site.passwords = g->shut;
}

static void
new_password(struct limiters *g)
{
	const struct limiter_watcher watcher = {shut_behind, g};
	struct browser b = browser_of(g->s, "kofi");
	struct password_limiter *once = password_limiter_new(&cheap, 1, 0);

	password_limiter_watch(once, &watcher);
	get(&b, "/account");
	g->s->site.passwords = once;
	SUBMIT(&b, "/account/password", "old_password", PASSWORD, "new_password", ANOTHER);
	is_shown_again(&b, "another password", "/account/password", NULL);
	ok(says(&b, "href=\"#password-old_password\""),
	    "... as if the old one could not be checked: it was not counted");
	open_again(g);
	is_int(SUBMIT(&b, "/account/password", "old_password", PASSWORD, "new_password", ANOTHER),
	    HTTP_SEE_OTHER, "... and then it is changed");
	password_limiter_free(once);
}

/* The forms that only prove a password. */
static void
proving(struct limiters *g)
{
	struct browser b = browser_of(g->s, "noor");
	struct str secret;

	g->s->site.passwords = g->shut;
	get(&b, "/account");
	SUBMIT(&b, "/account/email", "email", "else@example.org", "email_password", PASSWORD);
	is_shown_again(&b, "another address", "/account/email", "value=\"else@example.org\"");
	get(&b, "/account/data");
	SUBMIT(&b, "/account/delete", "posts", "keep", "delete_password", PASSWORD);
	is_shown_again(&b, "leaving", "/account/delete", "value=\"keep\" selected");
	get(&b, "/account/two-step");
	secret = app_secret(&b);
	SUBMIT(&b, "/account/two-step", "code", app_code(g->s, secret, 0), "password", PASSWORD);
	is_shown_again(&b, "turning two steps on", "/account/two-step", NULL);
	is_str(app_secret(&b), secret, "... with the secret that the app has");
	open_again(g);
	is_int(SUBMIT(&b, "/account/two-step", "code", app_code(g->s, secret, 0), "password",
		   PASSWORD),
	    HTTP_OK, "... and then they are on");
	g->s->site.passwords = g->shut;
	get(&b, "/account/two-step");
	SUBMIT(&b, "/account/two-step/codes", "codes_password", PASSWORD);
	is_shown_again(&b, "new recovery codes", "/account/two-step/codes", NULL);
	SUBMIT(&b, "/account/two-step/off", "off_password", PASSWORD);
	is_shown_again(&b, "turning two steps off", "/account/two-step/off", NULL);
	open_again(g);
}

static bool
never(size_t bytes)
{
	(void)bytes;
	return false;
}

/* There is no memory to hash with: that is said, not that the password was wrong. */
static void
without_memory(struct limiters *g)
{
	struct browser b = browser(g->s, "192.0.2.9");

	password_limiter_ask(g->open, never);
	sign_in(&b, "kofi", PASSWORD);
	is_int(b.last.status, HTTP_UNAVAILABLE, "without memory nobody signs in,");
	ok(says(&b, "There is not enough memory to check a password just now."),
	    "... and is told why,");
	ok(header(&b.last, "Retry-After").len != 0, "... and when to come again;");
	is_str(str_of(b.last.why),
	    STR("passwords: there is no memory to hash one; see password-memory"),
	    "... so is the log");
	password_limiter_ask(g->open, NULL);
	is_int(sign_in(&b, "kofi", PASSWORD), HTTP_SEE_OTHER, "with it they do");
}

int
main(void)
{
	struct seeded s;
	struct limiters g = {.s = &s};

	browsers_open(&s);
	give(&s, "kofi", PASSWORD, "active");
	give(&s, "noor", PASSWORD, "active");
	g.open = s.site.passwords;
	g.shut = password_limiter_new(&cheap, 0, 0);
	without_memory(&g);
	strangers(&g);
	reset(&g);
	new_password(&g);
	proving(&g);
	password_limiter_free(g.shut);
	browsers_close(&s);
	return tap_done();
}
