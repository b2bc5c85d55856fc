/* Sessions from beginning to end: tokens, expiry, what ends them, and the effect of a new role. */
#include "lib/failing_table.h"
#include "signing.h"

#include "lib/tap.h"

#include "model/people/session.h"

static void
rotation(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.2"), thief;
	struct buf body = {.arena = s->arena};
	struct str before;

	/* Fixation: a token that somebody planted is never taken over. */
	b.session = STR("noor.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
	before = b.session;
	is_int(sign_in(&b, "noor", PASSWORD), HTTP_SEE_OTHER, "in with a planted cookie");
	ok(!str_eq(b.session, before), "... the session has a token of its own");
	thief = b;
	thief.session = before;
	ok(!is_in(&thief), "... and the planted one lets nobody in");
	thief = b;
	get(&b, "/account");
	put_field(&body, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("name"), STR("noor"));
	put_field(&body, STR("password"), STR(PASSWORD));
	is_int(
	    fetch(&b, "POST", "/login", buf_str(&body)), HTTP_SEE_OTHER, "who is in signs in anew");
	ok(!str_eq(b.session, thief.session) && !is_in(&thief),
	    "... which ends the session from before");
	thief.session = b.session;
	get(&b, "/account");
	is_int(SUBMIT(&b, "/account/password", "old_password", "not this one", "new_password",
		   "another four words"),
	    HTTP_UNPROCESSABLE, "the old password must be right");
	is_int(SUBMIT(&b, "/account/password", "old_password", PASSWORD, "new_password", "short"),
	    HTTP_UNPROCESSABLE, "... and the new one good");
	ok(says(&b, "href=\"#password-new_password\">A password needs 10"),
	    "... the summary leads to the field");
	ok(holds(part(b.last.body, "id=\"password-new_password\"", ">"), STR(" autofocus")),
	    "... with which one goes on");
	ok(!holds(b.last.body, STR("value=\"short\"")), "... a password is not shown again");
	is_int(SUBMIT(&b, "/account/password", "old_password", PASSWORD, "new_password",
		   "another four words"),
	    HTTP_SEE_OTHER, "another password");
	ok(is_in(&b), "... whoever changed it stays");
	ok(!is_in(&thief), "... with another token, and all else is out");
	give(s, "noor", PASSWORD, "active");
}

static void
by_the_clock(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.3");
	int64_t now = s->clock.fixed_now;

	sign_in(&b, "kofi", PASSWORD);
	s->clock.fixed_now = now + SESSION_IDLE_MS - 1;
	ok(is_in(&b), "a session is good for two weeks");
	s->clock.fixed_now += SESSION_IDLE_MS - 1;
	ok(is_in(&b), "... from when it was used");
	s->clock.fixed_now += SESSION_IDLE_MS;
	ok(!is_in(&b), "... and no longer");
	s->clock.fixed_now = now;
	b = browser(s, "192.0.2.3");
	sign_in(&b, "kofi", PASSWORD);
	for (int64_t day = 0; day < 90; day += 10) {
		s->clock.fixed_now = now + day * 86400000;
		is_in(&b);
	}
	s->clock.fixed_now = now + SESSION_AGE_MS - 1;
	ok(is_in(&b), "used all the time it is good for ninety days");
	s->clock.fixed_now++;
	ok(!is_in(&b), "... and no longer");
	s->clock.fixed_now = now;
}

static void
disabled(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.4");
	struct item user;

	sign_in(&b, "lowri", PASSWORD);
	ok(is_in(&b), "lowri is in");
	user = seeded_item(s, "USER#lowri", "METADATA");
	item_set(s->arena, &user, STR("Status"), value_string(STR("disabled")));
	seeded_put(s, &user, 1);
	ok(!is_in(&b), "... until she is disabled");
	is_int(sign_in(&b, "lowri", PASSWORD), HTTP_UNPROCESSABLE, "... and can't come back");
	ok(says(&b, "This account is closed"), "... which only she learns");
	sign_in(&b, "lowri", "not this one");
	ok(!says(&b, "closed"), "... not who guesses");
	item_set(s->arena, &user, STR("Status"), value_string(STR("waiting")));
	seeded_put(s, &user, 1);
	is_int(sign_in(&b, "lowri", PASSWORD), HTTP_UNPROCESSABLE, "who waits is not let in");
	ok(says(&b, "has yet to let you in"), "... and told so");
}

static void
give_role(struct seeded *s, const char *name, const char *role)
{
	struct item user =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name)), "METADATA");

	item_set(s->arena, &user, STR("Role"), value_string(str_of(role)));
	seeded_put(s, &user, 1);
}

/* Whichever call fails while the token changes: the person is signed in afterwards. */
static void
another_role_failing(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct failing_table failing;
	unsigned lost = 0, failed = 0;

	failing_table_begin(&failing, s->table);
	for (unsigned n = 1; n <= 8; n++) {
		give_role(s, "kofi", n % 2 != 0 ? "editor" : "author");
		s->site.table = &failing.table;
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		failed += get(&b, "/account") == HTTP_UNAVAILABLE;
		s->site.table = s->table;
		lost += !is_in(&b);
	}
	ok(failed >= 3, "when the table fails, a page may");
	is_int(lost, 0, "... but nobody is signed out by that");
}

/* A new role applies at once, and signs nobody out: the token changes with the next page. */
static void
another_role(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.14"), other = b, admin = browser_of(s, "marta"),
		       thief;
	struct str first;
	size_t open;

	sign_in(&b, "kofi", PASSWORD);
	sign_in(&other, "kofi", PASSWORD);
	first = b.session;
	get(&b, "/account");
	open = count_of(b.last.body, STR("name=\"session\" value=\""));
	get(&b, "/write/note");
	get(&admin, "/admin/users/kofi");
	SUBMIT(&admin, "/admin/users/kofi/role", "role", "reader");
	thief = b;
	is_int(SUBMIT(&thief, "/write/note", "do", "save", "markdown", "Too late."), HTTP_FORBIDDEN,
	    "who is an author no more saves nothing more");
	get(&admin, "/admin/users/kofi");
	SUBMIT(&admin, "/admin/users/kofi/role", "role", "editor");
	is_int(SUBMIT(&b, "/write/note", "do", "save", "markdown", "In time."), HTTP_SEE_OTHER,
	    "an editor does, with the form that was open");
	is_str(b.session, first, "... and the token that it is bound to");
	get(&b, "/feed.atom");
	is_str(b.session, first, "a feed, which anybody may keep, gives nobody another");
	thief = b;
	is_int(get(&b, "/write/note"), HTTP_OK, "with the next page one is still in");
	ok(!str_eq(b.session, first) && str_starts(b.session, STR("kofi.")),
	    "... by another token");
	ok(!is_in(&thief), "... and the old one lets nobody in");
	is_int(SUBMIT(&b, "/write/note", "do", "save", "markdown", "Afterwards."), HTTP_SEE_OTHER,
	    "the form of that page is bound to the new one");
	first = b.session;
	ok(is_in(&b) && str_eq(b.session, first), "which stays");
	is_int((int64_t)count_of(b.last.body, STR("name=\"session\" value=\"")), (int64_t)open,
	    "... and there is no session more, nor one less");
	first = other.session;
	ok(is_in(&other) && !str_eq(other.session, first), "the other browser gets its own");
	get(&admin, "/admin/users/kofi");
	SUBMIT(&admin, "/admin/users/kofi/role", "role", "author");
}

static void
sessions(struct seeded *s)
{
	struct browser one = browser(s, "192.0.2.5"), two = one, three = one, eve = one;
	const char *hash;

	sign_in(&one, "ingrid", PASSWORD);
	sign_in(&two, "ingrid", PASSWORD);
	sign_in(&three, "ingrid", PASSWORD);
	sign_in(&eve, "pascal", PASSWORD);
	get(&one, "/account");
	is_int((int64_t)count_of(one.last.body, STR("name=\"session\" value=\"")), 4,
	    "two other sessions are listed, all others, and all");
	hash = str_cstring(
	    s->arena, session_hash(s->arena, str_sub(two.session, 7, SESSION_TOKEN_LEN)));
	get(&eve, "/account");
	SUBMIT(&eve, "/account/sessions", "session", hash, "sessions_password", PASSWORD);
	ok(is_in(&two), "nobody ends a session of somebody else");
	get(&one, "/account");
	is_int(SUBMIT(&one, "/account/sessions", "session", hash), HTTP_UNPROCESSABLE,
	    "who has a session alone ends no other:");
	ok(says(&one, "Your password is missing.") && is_in(&two), "... it takes the password,");
	get(&one, "/account");
	is_int(SUBMIT(&one, "/account/sessions", "session", "others", "sessions_password",
		   "not this one"),
	    HTTP_UNPROCESSABLE, "... the right one");
	ok(says(&one, "This is not your password.") && is_in(&two) && is_in(&three),
	    "... as it says beside it");
	get(&one, "/account");
	SUBMIT(&one, "/account/sessions", "session", hash, "sessions_password", PASSWORD);
	ok(!is_in(&two) && is_in(&three) && is_in(&one), "one of one's own can be ended");
	get(&one, "/account");
	SUBMIT(&one, "/account/sessions", "session", "others", "sessions_password", PASSWORD);
	ok(!is_in(&three) && is_in(&one), "... and all others at once");
	sign_in(&two, "ingrid", PASSWORD);
	get(&one, "/account");
	is_int(SUBMIT(&one, "/account/sessions", "session", "all", "sessions_password", PASSWORD),
	    HTTP_SEE_OTHER, "... or all, this one too");
	ok(!is_in(&one) && !is_in(&two), "... and nobody is signed in any more");
}

int
main(void)
{
	struct seeded s;

	everybody_opens(&s);
	rotation(&s);
	by_the_clock(&s);
	disabled(&s);
	another_role(&s);
	another_role_failing(&s);
	sessions(&s);
	browsers_close(&s);
	return tap_done();
}
