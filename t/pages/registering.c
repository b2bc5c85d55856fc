/* Registration: each policy of the site, names and addresses that are taken, and invitations. */
#include "signing.h"

#include "lib/failing_table.h"
#include "lib/tap.h"

#include "model/people/account.h"
#include "model/people/session.h"

static void
policy(struct seeded *s, const char *registration)
{
	registration_is(s, registration);
}

static enum http_status
enrol(struct browser *b, const char *name, const char *email, const char *password)
{
	return SUBMIT(b, "/register", "username", name, "email", email, "password", password);
}

#define CODE "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"

static void
invite(struct seeded *s, struct str code)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};

	account_invite(
	    &plan, &(struct invitation){.hash = session_hash(s->arena, code), .by = STR("marta")});
	table_release(s->table, &call);
}

/* The link on the page, without the host. */
static const char *
new_link(struct browser *b)
{
	SUBMIT(b, "/admin/invitations", "invite", "1");
	return str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR("/register?invitation="),
		part(unescaped(b->s->arena, b->last.body), "/register?invitation=", "\"")));
}

/* People who may invite create links, see their own, and revoke them. */
static void
inviting(struct seeded *s)
{
	struct browser host = browser_of(s, "marta"), other = browser_of(s, "ingrid"), guest;
	const char *first, *second;
	struct item ingrid = seeded_item(s, "USER#ingrid", "METADATA");
	struct str hash;

	item_set(s->arena, &ingrid, STR("Role"), value_string(STR("editor")));
	seeded_put(s, &ingrid, 1);
	policy(s, "invitation");
	get(&host, "/admin/invitations");
	first = new_link(&host);
	second = new_link(&host);
	is_int((int64_t)count_of(host.last.body, STR("name=\"revoke\"")), 2,
	    "one that was just made stands with those before");
	get(&host, "/admin/invitations");
	is_int((int64_t)count_of(host.last.body, STR("name=\"revoke\"")), 2,
	    "two invitations are open");
	ok(!holds(host.last.body, str_sub(str_of(first), 21, 43)),
	    "... whose links are not shown again");
	guest = browser(s, "192.0.2.30");
	is_int(get(&guest, first), HTTP_OK, "the first one lets somebody register");
	hash = session_hash(s->arena, str_sub(str_of(first), 21, 43));
	get(&other, "/admin/invitations");
	ok(!says(&other, "name=\"revoke\""), "nobody sees those of others");
	SUBMIT(&other, "/admin/invitations", "revoke", str_cstring(s->arena, hash));
	is_int(get(&guest, first), HTTP_OK, "... or takes them back");
	get(&host, "/admin/invitations");
	is_int(SUBMIT(&host, "/admin/invitations", "revoke", str_cstring(s->arena, hash)),
	    HTTP_SEE_OTHER, "who made it does");
	is_int(get(&guest, first), HTTP_FORBIDDEN, "... then it lets nobody in");
	get(&guest, second);
	is_int(enrol(&guest, "invited", "invited@example.org", PASSWORD), HTTP_SEE_OTHER,
	    "the other one is good");
	get(&host, "/admin/invitations");
	ok(says(&host, "There are none."), "... and used up");
}

/* Admins invite to more than reading; editors to that alone. */
static void
inviting_to_more(struct seeded *s)
{
	struct browser host = browser_of(s, "marta"), editor = browser_of(s, "ingrid"),
		       guest = browser(s, "192.0.2.31");
	struct str code;
	const char *link;

	get(&host, "/admin/invitations?role=author");
	ok(says(&host, "<option value=\"author\" selected>"), "who is to invite an author need not choose that");
	is_int(SUBMIT(&host, "/admin/invitations", "whom", "Vera@example.org", "role", "author"),
	    HTTP_OK, "an admin invites an author");
	code = part(host.last.body, "/register?invitation=", "\"");
	link = str_cstring(s->arena, STR_CONCAT(s->arena, STR("/register?invitation="), code));
	ok(says(&host, "Vera@example.org <span class=\"badge\">author</span>"),
	    "... whose name stands with it");
	get(&guest, link);
	ok(says(&guest, "You are invited as an author"), "... who is told so");
	ok(says(&guest, "value=\"vera@example.org\""), "... and finds the address filled in");
	is_int(get(&editor, link), HTTP_OK, "whoever is signed in and follows it");
	ok(says(&editor, "You are signed in as ingrid, and this link makes a new account"), "... is told what it is for");
	is_int(enrol(&guest, "vera", "vera@example.org", "short"), HTTP_UNPROCESSABLE,
	    "what is wrong");
	ok(says(&guest, "You are invited as an author"), "... loses nothing of it");
	is_int(enrol(&guest, "vera", "vera@example.org", PASSWORD), HTTP_SEE_OTHER,
	    "... and then they are registered");
	is_str(leads_to(&guest), STR("/desk"), "... and stand at their desk");
	ok(is_in(&guest) && says(&guest, "You are vera, an author"), "... as an author");
	is_int(get(&editor, link), HTTP_SEE_OTHER, "... and their link leads whoever is signed in to their account");
	get(&editor, "/admin/invitations");
	ok(!says(&editor, "name=\"role\""), "an editor gives no roles");
	is_int(SUBMIT(&editor, "/admin/invitations", "role", "admin"), HTTP_FORBIDDEN,
	    "... whatever they send");
}

/* An invitation that ends while its form is filled in: nobody becomes a reader by it without being told. */
static void
ended_meanwhile(struct seeded *s)
{
	struct browser host = browser_of(s, "marta"), guest = browser(s, "192.0.2.33");
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct str code = STR(CODE);
	const char *link;

	policy(s, "open");
	account_invite(&plan, &(struct invitation){
	    .hash = session_hash(s->arena, code), .by = STR("noor"), .role = ROLE_AUTHOR});
	table_release(s->table, &call);
	get(&guest, "/register?invitation=" CODE);
	ok(says(&guest, "You are invited as an author"), "somebody invites who may no longer");
	is_int(enrol(&guest, "too_late", "too_late@example.org", PASSWORD), HTTP_FORBIDDEN, "... which is refused");
	ok(says(&guest, "The invitation is over.") && !says(&guest, CODE), "... and why, with a way on");
	get(&host, "/admin/invitations");
	link = new_link(&host);
	guest = browser(s, "192.0.2.34");
	get(&guest, link);
	get(&host, "/admin/invitations");
	SUBMIT(&host, "/admin/invitations", "revoke",
	    str_cstring(s->arena, session_hash(s->arena, str_sub(str_of(link), 21, 43))));
	is_int(enrol(&guest, "too_late", "", PASSWORD), HTTP_FORBIDDEN, "one is taken back while a form is filled in wrong");
	ok(says(&guest, "The invitation is over.") && says(&guest, "too_late"), "... which is told with what is wrong");
	is_int(enrol(&guest, "too_late", "too_late@example.org", PASSWORD), HTTP_SEE_OTHER, "... and then they are a reader");
}

/* Who waits is told so before and after; an admin is told on each page, and decides on the overview. */
static void
letting_in(struct seeded *s)
{
	struct browser host = browser_of(s, "marta"), other = browser_of(s, "ingrid"), again, late,
		       b = browser(s, "192.0.2.32");

	policy(s, "approval");
	get(&host, "/tags");
	ok(says(&host, ">Admin (1)</a>"), "one has waited before");
	get(&b, "/register");
	ok(says(&b, "An admin looks at each registration."), "who registers is told beforehand");
	is_int(enrol(&b, "hopeful", "hopeful@example.org", PASSWORD), HTTP_OK, "one more waits");
	ok(says(&b, "An admin will look at it."), "... and is told so");
	sign_in(&b, "hopeful", PASSWORD);
	ok(says(&b, "An admin has yet to let you in."), "... also later");
	get(&host, "/tags");
	ok(says(&host, ">Admin (2)</a>"), "an admin sees it on every page");
	get(&other, "/tags");
	ok(says(&other, ">Admin</a>"), "... an editor does not");
	get(&host, "/admin");
	ok(says(&host, "formaction=\"/admin/users/hopeful/enable\""), "... may let them in there");
	late = host;
	get(&late, "/admin/users/hopeful/disable");
	get(&host, "/admin/users/hopeful");
	again = host;
	is_int(SUBMIT(&host, "/admin/users/hopeful/enable", "from", "overview"), HTTP_SEE_OTHER,
	    "... and does");
	is_str(leads_to(&host), STR("/admin?done=in"), "... which leads back to the overview");
	get(&host, "/admin?done=in");
	ok(says(&host, "They may sign in now.") && says(&host, ">Admin (1)</a>"),
	    "... where one waits still");
	is_int(sign_in(&b, "hopeful", PASSWORD), HTTP_SEE_OTHER, "... and they sign in");
	is_int(SUBMIT(&again, "/admin/users/hopeful/enable", "from", "overview"), HTTP_SEE_OTHER, "the same again is done");
	is_int(SUBMIT(&late, "/admin/users/hopeful/disable", "from", "overview"), HTTP_CONFLICT,
	    "they are not declined by a page from before");
	ok(is_in(&b), "... and stay");
}

static void
registering(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.20"), late;
	struct str code = STR(CODE);

	policy(s, "closed");
	is_int(get(&b, "/register"), HTTP_FORBIDDEN, "closed: nobody registers");
	policy(s, "invitation");
	is_int(get(&b, "/register"), HTTP_FORBIDDEN, "by invitation: not without");
	policy(s, "open");
	is_int(get(&b, "/register"), HTTP_OK, "open: all may");
	policy(s, "closed");
	late = b;
	is_int(enrol(&late, "late", "late@example.org", PASSWORD), HTTP_FORBIDDEN,
	    "closed meanwhile: a form from before does not help");
	policy(s, "invitation");
	late = b;
	is_int(enrol(&late, "late", "late@example.org", PASSWORD), HTTP_FORBIDDEN,
	    "... nor without an invitation");
	invite(s, code);
	get(&late, "/register?invitation=" CODE);
	is_int(
	    enrol(&late, "late", "late@example.org", PASSWORD), HTTP_SEE_OTHER, "... but with one");
	late = browser(s, "192.0.2.22");
	is_int(get(&late, "/register?invitation=" CODE), HTTP_FORBIDDEN, "... which is good once");
	policy(s, "open");
	is_int(enrol(&b, "Noor", "new@example.org", PASSWORD), HTTP_UNPROCESSABLE, "a taken name");
	ok(says(&b, "href=\"#register-username\">User name: This name is taken"),
	    "... is told beside it");
	is_int(enrol(&b, "newcomer", "NOOR@example.org", PASSWORD), HTTP_UNPROCESSABLE,
	    "a taken address, in other letters");
	ok(says(&b, "value=\"newcomer\""), "... keeps the rest");
	is_int(enrol(&b, "newcomer", "new@example.org", "password1234"), HTTP_UNPROCESSABLE,
	    "a common password");
	ok(says(&b, "href=\"#register-password\">Password: This is one of the passwords that are "
		    "tried first"),
	    "... is told beside it");
	is_int(enrol(&b, "newcomer", "new@example.org", "s1ackw4ter!"), HTTP_UNPROCESSABLE,
	    "the site's name");
	ok(says(&b, "This is made of this site’s name"), "... is told to be that");
	is_int(SUBMIT(&b, "/register", "username", "newcomer", "display_name", "New Comer", "email",
		   "New@example.org", "password", PASSWORD),
	    HTTP_SEE_OTHER, "registered");
	ok(is_in(&b) && says(&b, "You are newcomer, a reader"), "... and in, as a reader");
	ok(says(&b, "value=\"New Comer\""), "... under the name that they want shown");
	policy(s, "approval");
	b = browser(s, "192.0.2.21");
	get(&b, "/register");
	is_int(enrol(&b, "patient", "patient@example.org", PASSWORD), HTTP_OK, "by approval");
	ok(!is_in(&b), "... one waits");
	is_int(sign_in(&b, "patient", PASSWORD), HTTP_UNPROCESSABLE, "... outside");
	is_int(get(&b, "/author/patient"), HTTP_NOT_FOUND, "... unseen");
}

/* All errors are shown at once, with what is wanted. */
static void
in_one_round(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.23");

	policy(s, "open");
	get(&b, "/register");
	ok(says(&b, ">User name<") && says(&b, ">Name as shown<"),
	    "there is a field for each of one's names");
	is_int(enrol(&b, "Mara Kersting", "nowhere", "short"), HTTP_UNPROCESSABLE,
	    "a real name, no address, a short password");
	ok(says(&b, "no spaces, no other letters. Your real name goes below."),
	    "... what a user name is, is told");
	ok(says(&b, "This is not an e-mail address"), "... so is the address,");
	ok(says(&b, "Password: A password needs 10"), "... and in the same round the password");
	ok(says(&b, "value=\"Mara Kersting\""), "... and what was typed is there");
	is_int(enrol(&b, "noor", "mara@example.org", "short"), HTTP_UNPROCESSABLE, "a taken name");
	ok(says(&b, "This name is taken") && says(&b, "Password: A password needs 10"),
	    "... is told with a short password");
	is_int(enrol(&b, "mara", "", ""), HTTP_UNPROCESSABLE, "nothing typed");
	ok(says(&b, "Choose a password.") && !says(&b, "A password needs 10"),
	    "... is told to be nothing");
}

/* Invitations are what a closed site lets people in by. */
static void
closed(struct seeded *s)
{
	struct browser host = browser_of(s, "marta"), guest = browser(s, "192.0.2.24");
	const char *link;

	policy(s, "closed");
	get(&host, "/admin/invitations");
	link = new_link(&host);
	is_int(get(&guest, "/register"), HTTP_FORBIDDEN, "closed: nobody comes in alone");
	is_int(get(&guest, link), HTTP_OK, "... but who was invited");
	is_int(enrol(&guest, "by_invitation", "guest@example.org", PASSWORD), HTTP_SEE_OTHER,
	    "... registers");
	ok(is_in(&guest), "... and is in");
	guest = browser(s, "192.0.2.25");
	is_int(get(&guest, link), HTTP_FORBIDDEN, "... once");
	ok(says(&guest, "This invitation is over"), "... and why not again is told");
}

/* Somebody who waits may be refused, and whoever refuses them sees what becomes of the account. */
static void
refusing(struct seeded *s)
{
	struct browser host = browser_of(s, "marta"), b = browser(s, "192.0.2.26");

	policy(s, "approval");
	get(&b, "/register");
	is_int(enrol(&b, "unwanted", "unwanted@example.org", PASSWORD), HTTP_OK, "somebody waits");
	get(&host, "/admin/users/unwanted");
	ok(says(&host, "Let in") && says(&host, "href=\"/admin/users/unwanted/disable\""),
	    "an admin may let them in, or refuse");
	is_int(get(&host, "/admin/users/unwanted/disable"), HTTP_OK, "... and is asked");
	ok(says(&host, "Decline unwanted?") && says(&host, "The account stays, disabled"),
	    "... with what it does");
	is_int(SUBMIT(&host, "/admin/users/unwanted/disable", "x", "y"), HTTP_SEE_OTHER, "refused");
	is_int(sign_in(&b, "unwanted", PASSWORD), HTTP_UNPROCESSABLE, "... they can't come in");
	ok(says(&b, "This account is closed."), "... as they are told, who know the password");
	get(&host, "/admin/users?standing=waiting");
	ok(!says(&host, "/admin/users/unwanted"), "... nobody waits any more");
}

/* The table fails at each call in turn, or time runs out: what was typed comes back, but for the password. */
static void
failing(struct seeded *s)
{
	struct browser b;
	struct failing_table failing;
	struct table *table = s->site.table;
	unsigned kept = 0, told = 0, calls = 1;

	policy(s, "open");
	b = browser(s, "192.0.2.40");
	get(&b, "/register");
	failing_table_begin(&failing, table);
	s->site.table = &failing.table;
	for (unsigned n = 1; n <= calls; n++) {
		struct browser one = b;

		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		enrol(&one, "hasty", "hasty@example.org", PASSWORD);
		if (failing.calls < n)
			break;
		kept += one.last.status == HTTP_UNAVAILABLE && says(&one, "value=\"hasty\"") &&
			says(&one, "value=\"hasty@example.org\"") && !says(&one, PASSWORD);
		told += says(&one, "Nothing is lost: try again in a moment.");
		calls = n + 1;
	}
	s->site.table = table;
	ok(calls > 2, "registering makes %u calls", calls - 1);
	is_int(kept, calls - 1, "... each of which may fail: the form comes back as it was,");
	is_int(told, calls - 1, "... and says what to do");
	is_int(sign_in(&b, "hasty", PASSWORD), HTTP_SEE_OTHER, "... which works");
}

int
main(void)
{
	struct seeded s;

	everybody_opens(&s);
	registering(&s);
	inviting(&s);
	inviting_to_more(&s);
	ended_meanwhile(&s);
	letting_in(&s);
	in_one_round(&s);
	closed(&s);
	refusing(&s);
	failing(&s);
	browsers_close(&s);
	return tap_done();
}
