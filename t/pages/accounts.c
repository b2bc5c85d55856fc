/*
 * Signing in and out as a browser does it: with cookies, and with forms that are read from their
 * pages; forms from other sites, and forms that were pending meanwhile. Longer sessions are in
 * sessions.c, guessing in guessing.c, registration in registering.c.
 */
#include "lib/failing_table.h"
#include "signing.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/people/password.h"
#include "model/people/session.h"
#include "model/plan.h"
#include "text/url.h"

static uint64_t
hashes(struct seeded *s)
{
	return password_limiter_count(s->site.passwords);
}

/* --- In and out ------------------------------------------------------------------------------------- */

static void
in_and_out(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.1"), other;
	struct str first;

	is_int(get(&b, "/account"), HTTP_SEE_OTHER, "a stranger has no account page");
	is_str(leads_to(&b), STR("/login?next=%2Faccount"), "... and is led to sign in");
	b.referer = STR("https://slack.example/tags");
	get(&b, "/login");
	ok(says(&b, "name=\"next\" value=\"/tags\""),
	    "the sign-in page leads back to where its link was,");
	b.referer = STR("https://elsewhere.example/tags");
	get(&b, "/login");
	ok(!says(&b, "name=\"next\""), "... on this site,");
	b.referer = STR("https://slack.example/register");
	get(&b, "/login");
	ok(!says(&b, "name=\"next\""), "... and not to a page that one comes in by");
	b.referer = STR("https://slack.example/logout");
	get(&b, "/login");
	ok(!says(&b, "name=\"next\""), "... nor to what takes forms only");
	b.referer = STR("");
	is_int(get(&b, "/login?next=%2Faccount"), HTTP_OK, "the sign-in page");
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... is kept by nobody");
	ok(b.visit.len == SESSION_TOKEN_LEN, "... and binds its form to a visit");
	is_int(SUBMIT(&b, "/login", "name", "Noor@Example.org", "password", PASSWORD),
	    HTTP_SEE_OTHER, "the right password");
	is_str(leads_to(&b), STR("/account"), "... leads to where one wanted to go");
	ok(holds(b.last.head, STR("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure")),
	    "... with a cookie that is kept safe");
	ok(b.visit.len == 0, "... and the visit is over");
	ok(is_in(&b) && says(&b, "You are noor, an author"), "... and one is in");
	ok(!holds(b.last.body, str_sub(b.session, 5, 43)), "... the token is on no page");
	first = b.session;
	get(&b, "/");
	ok(says(&b, "href=\"/account\">Noor Haddad"), "the masthead says who one is");
	is_str(header(&b.last, "Cache-Control"), STR("private, no-cache"), "... to them alone");

	get(&b, "/account");
	other = b;
	other.session = STR("");
	is_int(SUBMIT(&other, "/account/profile", "bio", "x"), HTTP_UNPROCESSABLE,
	    "a form of a session is nothing without it");
	get(&b, "/account");
	other = b;
	other.session = STR("");
	is_int(SUBMIT(&other, "/logout", "x", "y"), HTTP_SEE_OTHER,
	    "... and who wanted to leave has left");

	get(&b, "/account");
	is_int(SUBMIT(&b, "/logout", "x", "y"), HTTP_SEE_OTHER, "signing out");
	ok(b.session.len == 0, "... takes the cookie away");
	b.session = first;
	ok(!is_in(&b), "... and at once its token lets nobody in");
}

/* --- Forms that come from elsewhere ----------------------------------------------------------------- */

static void
csrf(struct seeded *s)
{
	static const struct {
		const char *says, *site;
		bool token, own, visit;
		enum http_status status;
	} cases[] = {
	    {"from here, with its token", "same-origin", true, true, true, HTTP_SEE_OTHER},
	    {"from another site", "cross-site", true, true, true, HTTP_FORBIDDEN},
	    {"from a neighbour", "same-site", true, true, true, HTTP_FORBIDDEN},
	    {"without a token", "same-origin", false, true, true, HTTP_FORBIDDEN},
	    {"with somebody else's token", "same-origin", true, false, true, HTTP_FORBIDDEN},
	};
	struct browser b = browser(s, "192.0.2.6"), eve = browser(s, "192.0.2.7"), v;
	struct buf body = {.arena = s->arena};

	sign_in(&b, "marta", PASSWORD);
	sign_in(&eve, "pascal", PASSWORD);
	get(&eve, "/account");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		get(&b, "/account");
		if (!cases[i].own)
			b.last = eve.last;
		b.site = str_of(cases[i].site);
		if (cases[i].token)
			SUBMIT(&b, "/account/profile", "display_name", "Marta Salgueiro");
		else
			fetch(&b, "POST", "/account/profile", STR("display_name=x"));
		is_int(b.last.status, cases[i].status, "a form %s", cases[i].says);
		b.site = STR("same-origin");
	}
	v = browser(s, "192.0.2.8");
	get(&v, "/login");
	v.visit = STR("");
	is_int(SUBMIT(&v, "/login", "name", "noor", "password", PASSWORD), HTTP_FORBIDDEN,
	    "signing in without the visit's cookie");
	get(&v, "/login");
	v.visit = STR("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB");
	is_int(SUBMIT(&v, "/login", "name", "noor", "password", PASSWORD), HTTP_FORBIDDEN,
	    "... or with another");
	get(&b, "/account");
	v = b;
	v.session = STR("");
	v.visit = str_sub(b.session, 6, SESSION_TOKEN_LEN);
	put_field(&body, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("name"), STR("noor"));
	put_field(&body, STR("password"), STR(PASSWORD));
	is_int(fetch(&v, "POST", "/login", buf_str(&body)), HTTP_FORBIDDEN,
	    "a session's token is none of a visit's");
}

/* --- Costs ------------------------------------------------------------------------------- */

static void
costs(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.9");
	uint64_t before = hashes(s);
	uint32_t trips;

	sign_in(&b, "noor", "not this one");
	is_int((int64_t)(hashes(s) - before), 1, "a wrong password costs one hash");
	ok(says(&b, "do not go together"), "... and is not told from a wrong name");
	before = hashes(s);
	sign_in(&b, "nobody_at_all", "not this one");
	is_int((int64_t)(hashes(s) - before), 1, "... which costs one, too");
	is_str(header(&b.last, "Server-Timing"), STR(""), "... and nothing says what it took");
	trips = b.last.cost.round_trips;
	sign_in(&b, "noor", "not this one");
	is_int(b.last.cost.round_trips, trips, "... nor does how long one waits");
	sign_in(&b, "nobody@example.org", "not this one");
	trips = b.last.cost.round_trips;
	sign_in(&b, "noor@example.org", "not this one");
	is_int(b.last.cost.round_trips, trips, "an address of nobody takes as long as somebody's");
	sign_in(&b, "nobody_at_all", "not this one");
	ok(says(&b, "do not go together"), "... and says the same");
	ok(says(&b, "value=\"nobody_at_all\""), "what was typed is kept");
	sign_in(&b, "noor", PASSWORD);
	get(&b, "/account");
	is_int(b.last.cost.round_trips, 3, "who is in a group costs two trips, and the page one");
	get(&b, "/login");
	is_int(b.last.cost.round_trips, 2, "... elsewhere, two");
}

/* --- What was typed --------------------------------------------------------------------------------- */

static void
waiting(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.13");

	sign_in(&b, "kofi", PASSWORD);
	get(&b, "/account");
	b.session = STR("");
	is_int(SUBMIT(&b, "/account/profile", "display_name", "Kofi & Co", "bio",
		   "Long \xe2\x80\x9cwork\xe2\x80\x9d\nin two lines"),
	    HTTP_UNPROCESSABLE, "a form without a session is not done");
	ok(says(&b, "What you wrote is safe"), "... but kept");
	is_int(SUBMIT(&b, "/login", "name", "kofi", "password", "not this one"), HTTP_UNPROCESSABLE,
	    "... through a wrong password");
	ok(says(&b, "What you wrote is safe"), "... kept");
	is_int(SUBMIT(&b, "/login", "name", "kofi", "password", PASSWORD), HTTP_SEE_OTHER,
	    "... and done when one has signed in");
	is_str(leads_to(&b), STR("/account?done=profile"), "... as if nothing had happened");
	get(&b, "/account");
	ok(says(&b, "value=\"Kofi & Co\"") && says(&b, "Long \xe2\x80\x9cwork\xe2\x80\x9d\nin two"),
	    "... to the letter");
	b.session = STR("");
	b.site = STR("cross-site");
	is_int(SUBMIT(&b, "/account/profile", "display_name", "Eve"), HTTP_FORBIDDEN,
	    "a form of another site is not kept");
	b.site = STR("same-origin");
	get(&b, "/login");
	is_int(SUBMIT(&b, "/login", "name", "kofi", "password", PASSWORD, "waiting-for", "/login",
		   "waiting", "name=x"),
	    HTTP_FORBIDDEN, "nothing waits that needs nobody");
	b = browser(s, "192.0.2.13");
	get(&b, "/login");
	is_int(SUBMIT(&b, "/login", "name", "kofi", "password", PASSWORD, "waiting-for",
		   "/admin/users/kofi/role", "waiting", "role=admin"),
	    HTTP_FORBIDDEN, "nothing is done for who has signed in that they may not do");
	get(&b, "/account");
	ok(says(&b, "an author"), "... and they are what they were");
}

/* A form with a password is pending as well, but nobody can read it. */
static void
sealed(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.19"), late;

	s->clock.fixed_now += 600000;
	sign_in(&b, "kofi", PASSWORD);
	get(&b, "/account");
	b.session = STR("");
	is_int(
	    SUBMIT(&b, "/account/email", "email", "sealed@example.org", "email_password", PASSWORD),
	    HTTP_UNPROCESSABLE, "a form with a password, without a session");
	ok(says(&b, "What you wrote is safe"), "... is kept");
	ok(!holds(b.last.body, STR("four")) && !holds(b.last.body, STR("sealed")),
	    "... and nothing of it can be read");
	SUBMIT(&b, "/login", "name", "kofi", "password", "not this one");
	late = b;
	is_int(SUBMIT(&b, "/login", "name", "kofi", "password", PASSWORD), HTTP_SEE_OTHER,
	    "... through a wrong password");
	is_str(leads_to(&b), STR("/account?done=email"), "... and done");
	s->clock.fixed_now += 3600000;
	is_int(SUBMIT(&late, "/login", "name", "kofi", "password", PASSWORD), HTTP_UNPROCESSABLE,
	    "an hour later there is nothing left of it");
	ok(is_in(&late), "... but one is in");
}

/* Two windows that were signed out: what waits in the second one is not lost by signing in in the first. */
static void
two_windows(struct seeded *s)
{
	struct browser one = browser(s, "192.0.2.18"), two;

	s->clock.fixed_now += 600000;
	sign_in(&one, "kofi", PASSWORD);
	get(&one, "/account");
	one.session = STR("");
	SUBMIT(&one, "/account/profile", "display_name", "Kofi of two windows");
	two = one;
	is_int(sign_in(&one, "kofi", PASSWORD), HTTP_SEE_OTHER, "in the first window one is in");
	two.session = one.session;
	two.visit = one.visit;
	is_int(SUBMIT(&two, "/login", "name", "kofi", "password", PASSWORD), HTTP_FORBIDDEN,
	    "the second one's form is from before");
	ok(says(&two, "Nothing of it is lost") && says(&two, "value=\"Kofi of two windows\""),
	    "... but what waits in it is there");
	ok(!holds(two.last.body, STR(PASSWORD)), "... without the password");
	is_int(
	    SUBMIT(&two, "/account/profile", NULL), HTTP_SEE_OTHER, "... sent again, it is done");
	one = browser(s, "192.0.2.18");
	get(&one, "/login");
	two = one;
	sign_in(&one, "kofi", PASSWORD);
	two.session = one.session;
	two.visit = one.visit;
	SUBMIT(&two, "/login", "name", "kofi", "password", PASSWORD);
	ok(says(&two, "You are signed in"), "where nothing waits it is said that one is in");
}

/* What was typed is in the page when moderators hide the profile at the same moment. */
static void
profile_changed(struct seeded *s)
{
	const struct change hidden = plan_text(STR("ProfileStatus"), STR("hidden"));
	const struct write write = {
	    .kind = WRITE_UPDATE, .key = key_user(s->arena, STR("noor")), .changes = &hidden, .change_count = 1};
	struct browser b = browser_of(s, "noor");
	struct table *table = s->site.table;
	struct failing_table failing;

	get(&b, "/account");
	failing_table_begin(&failing, table);
	failing.behind = &write;
	s->site.table = &failing.table;
	is_int(SUBMIT(&b, "/account/profile", "bio", "I bake at night."), HTTP_UNPROCESSABLE,
	    "a profile that is hidden while it is saved");
	s->site.table = table;
	ok(says(&b, "Save it again.") && says(&b, "\nI bake at night.</textarea>"), "... is not, and nothing typed is lost");
	is_int(SUBMIT(&b, "/account/profile", "bio", "I bake at night."), HTTP_SEE_OTHER, "... sent again, it is");
	get(&b, "/account");
	ok(says(&b, "\nI bake at night.</textarea>") && says(&b, "waits for an editor"), "... and waits");
}

/* The table fails at each call of the way back in: what waits is in the page, and is done when it is sent again. */
static void
waiting_through(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.17"), next;
	struct table *table = s->site.table;
	struct failing_table failing;
	unsigned lost = 0, n;

	sign_in(&b, "kofi", PASSWORD);
	get(&b, "/account");
	b.session = STR("");
	SUBMIT(&b, "/account/profile", "display_name", "Kofi again");
	failing_table_begin(&failing, table);
	s->site.table = &failing.table;
	for (n = 1; b.last.status != HTTP_SEE_OTHER && n < 20; n++) {
		next = b;
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		SUBMIT(&next, "/login", "name", "kofi", "password", PASSWORD);
		failing_table_arm(&failing, 0, TABLE_OK);
		/* Once somebody is in, the form is offered by the page of errors. */
		lost += next.last.status != HTTP_SEE_OTHER && !says(&next, "Kofi again") &&
			!says(&next, "Kofi%20again");
		if (next.session.len != 0 || next.last.status == HTTP_SEE_OTHER)
			break;
		b = next;
	}
	s->site.table = table;
	ok(n > 3, "the way back in has %u calls", n);
	is_int(lost, 0, "... and whichever fails, what waited is in the page");
	is_int(next.last.status, HTTP_UNAVAILABLE,
	    "... of the last one, too, which is the form's own");
	is_int(SUBMIT(&next, "/account/profile", NULL), HTTP_FORBIDDEN, "... sent once more");
	is_int(
	    SUBMIT(&next, "/account/profile", NULL), HTTP_SEE_OTHER, "... and again, by its own");
	get(&next, "/account");
	ok(says(&next, "value=\"Kofi again\""), "... it is done");
}

/* About the longest text that a post can have, in letters of three bytes, sent as forms with files are; and a file. */
static void
long_waiting(struct seeded *s)
{
	enum { LETTERS = 60 * 1000 };
	struct browser b = browser(s, "192.0.2.16");
	struct buf text = {.arena = s->arena}, body = {.arena = s->arena};
	struct str typed;
	struct item stored;

	for (int i = 0; i < LETTERS; i++)
		BUF_PUT(&text, "\xe2\x82\xac");
	typed = buf_str(&text);
	BUF_PUT(&body,
	    "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nKept\r\n"
	    "--B\r\nContent-Disposition: form-data; name=\"slug\"\r\n\r\nkept\r\n"
	    "--B\r\nContent-Disposition: form-data; name=\"do\"\r\n\r\nsave\r\n"
	    "--B\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\n\r\n"
	    "bytes\r\n"
	    "--B\r\nContent-Disposition: form-data; name=\"markdown\"\r\n\r\n");
	buf_put(&body, typed);
	BUF_PUT(&body, "\r\n--B--\r\n");
	is_int(fetch_as(&b, "POST", "/write/article", STR("multipart/form-data; boundary=B"),
		   buf_str(&body)),
	    HTTP_UNPROCESSABLE, "a long text, and a file, without a session");
	ok(says(&b, "What you wrote is safe") && says(&b, "Files can’t be kept"),
	    "... the text is kept, the file is not, which is said");
	is_int(SUBMIT(&b, "/login", "name", "tobias", "password", PASSWORD), HTTP_SEE_OTHER,
	    "... through signing in");
	stored = seeded_item(s, "POST#kept", "BODY");
	is_str(item_string(&stored, STR("Markdown")), typed, "... to the last letter");
}

static void
ways_on(struct seeded *s)
{
	static const char *const bad[] = {"//evil.example/", "https://evil.example/",
	    "/\\evil.example", "javascript:alert(1)", "account"};
	struct browser b;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct buf address = {.arena = s->arena};

		b = browser(s, "192.0.2.14");
		BUF_PUT(&address, "/login?next=");
		url_put_query(&address, str_of(bad[i]));
		get(&b, str_cstring(s->arena, buf_str(&address)));
		SUBMIT(&b, "/login", "name", "marta", "password", PASSWORD);
		is_str(leads_to(&b), STR("/"), "next=%s leads nowhere but home", bad[i]);
	}
}

int
main(void)
{
	struct seeded s;

	everybody_opens(&s);
	in_and_out(&s);
	csrf(&s);
	costs(&s);
	s.clock.fixed_now += 600000;
	waiting(&s);
	waiting_through(&s);
	profile_changed(&s);
	two_windows(&s);
	sealed(&s);
	s.clock.fixed_now += 600000;
	long_waiting(&s);
	ways_on(&s);
	browsers_close(&s);
	return tap_done();
}
