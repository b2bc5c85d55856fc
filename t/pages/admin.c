/*
 * The staff's pages about people, as browsers use them: finding, admitting, disabling and promoting
 * people; the permissions of groups, and from when on; and that each action is in the log while
 * nothing that was refused is.
 */
#include "staff.h"

#include "model/plan.h"
#include "model/site/work.h"

/* --- People ----------------------------------------------------------------------------------------- */

/* As a worker leaves it that has handled some changes. */
static void
store_work(struct seeded *s)
{
	const int64_t now = s->clock.fixed_now;
	const struct work_state nowhere = {.position = STR("")}, is = {.position = STR("1"),
	    .handled = 1234,
	    .recent = 600,
	    .recent_from = now - 30 * 1000,
	    .recent_micros = 100 * 1000,
	    .record_at = now - 3 * 1000,
	    .stored_at = now};
	struct table_call call = {.arena = s->arena};

	if (work_store(s->table, &call, &nowhere, &is) != TABLE_OK)
		bail_out("no state is stored");
}

static void
finding(struct seeded *s)
{
	static const struct {
		const char *address, *names;
	} cases[] = {
	    {"/admin/users", "ingrid kofi lowri marta noor pascal tobias "},
	    {"/admin/users?q=k", "kofi "},
	    {"/admin/users?q=Kofi", "kofi "},
	    {"/admin/users?q=kofi%40example.org", "kofi "},
	    {"/admin/users?q=%20KOFI%40example.org", "kofi "},
	    {"/admin/users?q=kofi%40example.com", ""},
	    {"/admin/users?q=zz", ""},
	    {"/admin/users?q=%23", ""},
	    {"/admin/users?standing=author", "ingrid kofi lowri noor "},
	    {"/admin/users?standing=admin", "marta "},
	    {"/admin/users?standing=waiting", ""},
	    {"/admin/users?q=ko&standing=author", "kofi "},
	    {"/admin/users?q=ko&standing=admin", ""},
	    {"/admin/users?standing=king", "ingrid kofi lowri marta noor pascal tobias "},
	};
	struct browser b = browser_of(s, "marta");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf names = {.arena = s->arena};
		struct str rest, name;

		get(&b, cases[i].address);
		rest = content(&b);
		while (between(&rest, STR("href=\"/admin/users/"), STR("\""), &name)) {
			buf_put(&names, name);
			buf_putc(&names, ' ');
		}
		is_str(buf_str(&names), str_of(cases[i].names), "%s", cases[i].address);
	}
	get(&b, "/admin/users?q=%3Cb%3E&standing=author");
	ok(says(&b, "value=\"<b>\"") && !holds(b.last.body, STR("<b>")), "what was typed is kept");
	ok(says(&b, "There is nobody like that."), "... and that nobody is found is said");
	get(&b, "/");
	ok(holds(b.last.body, STR("<a href=\"/admin\">Admin</a>")), "an admin is led to the pages");
	get(&b, "/admin");
	ok(says(&b, "Derived from changes") && says(&b, "Nobody works"),
	    "... and told that no worker derives anything here");
	ok(says(&b, "No mail server is set"), "... nor sends letters");
	ok(says(&b, "7 of 9 steps are done.") && says(&b, ">Set up mail</a>") &&
		says(&b, ">Make a backup</a>") && !says(&b, ">Write the first post</a>"),
	    "... and of what a new site has yet to do");
	store_work(s);
	get(&b, "/admin");
	ok(says(&b, "1,234 changes handled, the last one 3 seconds after it was made"), "... how late it is");
	ok(says(&b, "1,200 changes a minute lately; while it works it handles 6,000 a second"),
	    "... and its throughput");
	get(&b, "/admin/system");
	ok(says(&b, "None was made with “broadsheet backup”.") && says(&b, "smtp-url is not set"),
	    "... and how the program is set up");
	b = browser_of(s, "tobias");
	get(&b, "/admin");
	ok(!says(&b, "Derived from changes"), "... which is not an editor's concern");
	ok(!holds(content(&b), STR("/admin/users")), "an editor is not led to the people");
	is_int(get(&b, "/admin/users"), HTTP_FORBIDDEN, "... nor let in there");
	b = browser_of(s, "ingrid");
	get(&b, "/");
	ok(holds(b.last.body, STR("href=\"/admin\"")), "who only moderates is led, too");
	get(&b, "/admin");
	ok(holds(content(&b), STR("/admin/comments")) && !holds(content(&b), STR("/admin/posts")),
	    "... to the comments");
	b = browser_of(s, "lowri");
	get(&b, "/");
	ok(holds(b.last.body, STR("href=\"/admin\"")), "a member of a group that edits is led");
	get(&b, "/admin");
	ok(says(&b, "href=\"/write/page\"") && says(&b, "href=\"/admin/posts?state=pages\""),
	    "... and from there to the pages");
	get(&b, "/admin/posts?state=pages");
	ok(says(&b, "About") && says(&b, "href=\"/write/page\""), "... which all stand there");
	b = browser_of(s, "pascal");
	b.session = STR("");
	get(&b, "/");
	ok(!holds(b.last.body, STR("/admin")), "a stranger is led nowhere");
}

/* Many people, page by page, in the same search. */
static void
paging(struct seeded *s)
{
	struct item *crowd = ARENA_ARRAY(s->arena, 60, struct item);
	struct browser b = browser_of(s, "marta");
	struct item kofi = seeded_item(s, "USER#kofi", "METADATA");
	size_t count, pages = 0, found = 0;
	struct str more = STR("/admin/users?q=crowd&standing=reader");

	for (count = 0; count < 60; count++) {
		struct str name = str_fmt(s->arena, "crowd%02zu", count);

		crowd[count] = item_shallow(s->arena, &kofi);
		item_set(s->arena, &crowd[count], STR("PK"),
		    value_string(STR_CONCAT(s->arena, STR("USER#"), name)));
		item_set(s->arena, &crowd[count], STR("Username"), value_string(name));
		key_index_user(s->arena, &crowd[count], name, STR("reader"));
	}
	seeded_put(s, crowd, count);
	while (more.len != 0 && pages < 10) {
		get(&b, str_cstring(s->arena, more));
		found += count_of(content(&b), STR("href=\"/admin/users/crowd"));
		more = unescaped(
		    s->arena, part(content(&b),
				  "<ul class=\"ways\">\n<li><a class=\"button\" href=\"", "\""));
		pages++;
	}
	is_int((int64_t)found, 60, "a search goes through all who are found");
	is_int((int64_t)pages, 2, "... a page at a time");
	for (size_t i = 0; i < count; i++) {
		struct table_call call = {.arena = s->arena};
		struct write gone = {.kind = WRITE_DELETE, .key = item_key(&crowd[i])};

		table_write(s->table, &call, &gone);
		table_release(s->table, &call);
	}
}

static void
promoting(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), noor = browser_of(s, "noor");
	size_t before = lines(s);

	is_int(get(&b, "/admin/users/noor"), HTTP_OK, "somebody's page");
	ok(says(&b, "noor@example.org"), "... has their address");
	ok(says(&b, "<option value=\"author\" selected>"), "... and their role");
	is_int(get(&b, "/admin/users/nobody"), HTTP_NOT_FOUND, "nobody has none");
	is_int(get(&b, "/admin/users/noor%40example.org"), HTTP_NOT_FOUND, "... nor an address");
	get(&b, "/admin/users/noor");
	is_int(SUBMIT(&b, "/admin/users/noor/role", "role", "king"), HTTP_UNPROCESSABLE,
	    "there is no king");
	ok(says(&b, "href=\"#role-role\""), "... the summary leads to the field");
	is_int((int64_t)lines(s), (int64_t)before, "... and nothing is logged");
	ok(get(&noor, "/account") == HTTP_OK, "she is signed in");
	get(&b, "/admin/users/noor");
	is_int(SUBMIT(&b, "/admin/users/noor/role", "role", "editor"), HTTP_SEE_OTHER,
	    "she becomes an editor");
	is_str(leads_to(&b), STR("/admin/users/noor?done=role"), "... which is said");
	one_line(s, before, "user.standing", "noor", "role: author → editor");
	is_int(get(&noor, "/account"), HTTP_OK, "... and stays signed in");
	get(&noor, "/admin");
	ok(says(&noor, "Overview"), "... as an editor");
	get(&b, "/admin/users/noor");
	SUBMIT(&b, "/admin/users/noor/role", "role", "author");
}

/* Somebody who is disabled, and whose only post is scheduled. */
static void
only_scheduled(struct seeded *s, const char *name)
{
	struct browser b = browser_of(s, name);
	struct item user =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name)), "METADATA");

	item_set(s->arena, &user, STR("Role"), value_string(STR("author")));
	seeded_put(s, &user, 1);
	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "publish", "anyway", "1", "markdown", "Later.",
		   "when", "2027-01-01T10:00"),
	    HTTP_SEE_OTHER, "what %s has scheduled", name);
	user =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name)), "METADATA");
	item_set(s->arena, &user, STR("Status"), value_string(STR("disabled")));
	seeded_put(s, &user, 1);
}

static void
shutting_out(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), kofi = browser_of(s, "kofi"),
		       stranger = browser(s, "192.0.2.1");
	const struct item profile = seeded_item(s, "USER#kofi", "METADATA");
	struct item reader;
	size_t before = lines(s);

	get(&b, "/admin/users/kofi");
	ok(says(&b, "1 open session"), "how often somebody is signed in");
	is_int(SUBMIT(&b, "/admin/users/kofi/sessions", "sessions", "all"), HTTP_SEE_OTHER,
	    "they are signed out everywhere");
	one_line(s, before, "user.sessions", "kofi", "");
	is_int(get(&kofi, "/account"), HTTP_SEE_OTHER, "... at once");
	kofi = browser_of(s, "kofi");
	before = lines(s);
	is_int(
	    get(&b, "/admin/users/kofi/disable"), HTTP_OK, "shutting somebody out is asked first");
	is_int(get(&kofi, "/account"), HTTP_OK, "... until then nothing is done");
	is_int(SUBMIT(&b, "/admin/users/kofi/disable", "x", "y"), HTTP_SEE_OTHER, "... then it is");
	one_line(s, before, "user.standing", "kofi", "status: active → disabled");
	is_int(get(&kofi, "/account"), HTTP_SEE_OTHER, "... they are out");
	get(&b, "/admin/users?standing=disabled");
	ok(holds(b.last.body, STR("href=\"/admin/users/kofi\"")), "... and found among those");
	is_int(get(&stranger, "/author/kofi"), HTTP_OK, "what they have published leads to a page");
	ok(says(&stranger, "Kofi Mensah") &&
		!says(&stranger, str_cstring(s->arena, item_string(&profile, STR("Bio")))) &&
		says(&stranger, "href=\"/post/"),
	    "... of their name and that, and no more");
	is_int(get(&stranger, "/author/kofi/feed.atom"), HTTP_OK, "... with its feed");
	get(&stranger, "/authors");
	ok(!says(&stranger, "/author/kofi"), "... which stands among no authors");
	reader = seeded_item(s, "USER#pascal", "METADATA");
	only_scheduled(s, "pascal");
	is_int(get(&stranger, "/author/pascal"), HTTP_NOT_FOUND,
	    "who has nothing but what is to come has none");
	is_int(get(&stranger, "/author/pascal/feed.atom"), HTTP_NOT_FOUND, "... nor a feed");
	seeded_put(s, &reader, 1);
	get(&b, "/admin/users/kofi");
	before = lines(s);
	is_int(SUBMIT(&b, "/admin/users/kofi/enable", "enable", "1"), HTTP_SEE_OTHER,
	    "they are let in again");
	one_line(s, before, "user.standing", "kofi", "status: disabled → active");
}

static void
letting_in(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), new;
	struct item settings = seeded_item(s, "SITE", "SETTINGS");

	item_set(s->arena, &settings, STR("Registration"), value_string(STR("approval")));
	seeded_put(s, &settings, 1);
	new = browser(s, "192.0.2.50");
	get(&new, "/register");
	is_int(SUBMIT(&new, "/register", "username", "timeout", "email", "p@example.org",
		   "password", "four words in a row"),
	    HTTP_OK, "somebody registers and waits");
	get(&b, "/admin");
	ok(holds(b.last.body, STR("href=\"/admin/users/timeout\"")), "... the first page says so");
	get(&b, "/admin/users/timeout");
	is_int(SUBMIT(&b, "/admin/users/timeout/enable", "enable", "1"), HTTP_SEE_OTHER,
	    "... until they are let in");
	is_int(sign_in(&new, "timeout", "four words in a row"), HTTP_SEE_OTHER, "... and come in");
	get(&new, "/");
	ok(!holds(new.last.body, STR("/admin")), "... to where a reader may go, and no further");
	get(&b, "/admin");
	ok(says(&b, "Nobody waits."), "... nobody else waits");
	item_set(s->arena, &settings, STR("Registration"), value_string(STR("invitation")));
	seeded_put(s, &settings, 1);
}

static void
last_admin(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");
	size_t before = lines(s);

	get(&b, "/admin/users/marta");
	is_int(SUBMIT(&b, "/admin/users/marta/role", "role", "reader"), HTTP_UNPROCESSABLE,
	    "the last admin can't become a reader");
	ok(says(&b, "This is the only admin") && says(&b, "<option value=\"reader\" selected>"),
	    "... which is said beside what was chosen");
	get(&b, "/admin/users/marta/disable");
	is_int(SUBMIT(&b, "/admin/users/marta/disable", "x", "y"), HTTP_CONFLICT,
	    "... nor be shut out");
	ok(says(&b, "somebody has to stay"), "... which is said, too");
	is_int(get(&b, "/admin"), HTTP_OK, "... and stays in");
	is_int((int64_t)lines(s), (int64_t)before, "... nothing of it is logged");
}

static void
inviting(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias"), guest = browser(s, "192.0.2.51");
	struct str link;
	struct audit_entry last;
	size_t before = lines(s);

	get(&b, "/admin/invitations");
	is_int(SUBMIT(&b, "/admin/invitations", "invite", "1"), HTTP_OK, "an editor invites");
	link = part(b.last.body, "value=\"https://slack.example/register?invitation=", "\"");
	is_int((int64_t)link.len, 43, "... by a link");
	is_int((int64_t)(logged(s, &last) - before), 1, "... which is logged");
	is_str(last.change, STR(""), "... but not shown there");
	is_int(get(&guest,
		   str_cstring(s->arena, STR_CONCAT(s->arena, STR("/register?invitation="), link))),
	    HTTP_OK, "... and lets somebody register");
}

static void
resetting(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), kofi = browser(s, "192.0.2.52");
	size_t before = lines(s);
	const char *path;

	get(&b, "/admin/users/kofi");
	is_int(SUBMIT(&b, "/admin/users/kofi/reset", "reset", "1"), HTTP_OK,
	    "an admin makes a link for a forgotten password");
	path = str_cstring(
	    s->arena, STR_CONCAT(s->arena, STR("/reset/"),
			  part(b.last.body, "value=\"https://slack.example/reset/", "\"")));
	one_line(s, before, "user.password", "kofi", "a link");
	is_int(get(&kofi, path), HTTP_OK, "... by which one chooses another");
	get(&b, "/admin/users/kofi");
	ok(!holds(b.last.body, STR("/reset/")), "... it is shown once");
}

static void
the_log(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table,
	    .call = &call,
	    .clock = &s->clock,
	    .by = STR("command line"),
	    .audited = true};

	audit_log(&plan, AUDIT_USER_PASSWORD, STR("noor"), STR(""));
	is_int(plan_commit(&plan), PLAN_DONE, "somebody acts at a terminal");
	is_int(get(&b, "/admin/log"), HTTP_OK, "the log");
	ok(says(&b, "The command line gave a new password to noor"), "... names what is nobody");
	ok(says(&b, "marta changed the standing of kofi"), "... says who did what");
	ok(says(&b, "status: disabled → active"), "... and what changed");
	get(&b, "/admin/log?q=PASSWORD+noor");
	ok(says(&b, "gave a new password to noor") && !says(&b, "marta changed the standing of kofi"), "... or only what has some words");
	get(&b, "/admin/log?q=password+nowhere");
	ok(says(&b, "Nothing here has all of these words."), "... which may be nothing");
	get(&b, "/admin/log?month=2026-10");
	ok(says(&b, "Nothing was done in this month.") &&
		says(&b, "<option value=\"2026-10\" selected>October 2026"),
	    "a month in which nothing was done");
	get(&b, "/admin/log?month=x");
	ok(says(&b, "marta changed"), "what is no month is this one");
}

/* --- Groups ----------------------------------------------------------------------------------------- */

static void
groups(struct seeded *s)
{
	struct browser b = browser_of(s, "marta"), pascal = browser_of(s, "pascal");
	size_t before = lines(s);

	get(&b, "/admin/groups");
	ok(says(&b, "Proofreaders") && says(&b, "posts.edit, pages.edit"), "all groups");
	is_int(SUBMIT(&b, "/admin/groups", "name", "Sub Editors", "title", "", "permissions",
		   "posts.edit"),
	    HTTP_UNPROCESSABLE, "a group without a name");
	ok(says(&b, "Give it a name.") && says(&b, "value=\"posts.edit\" checked"),
	    "... says so, and keeps what was chosen");
	is_int(SUBMIT(&b, "/admin/groups", "name", "proofreaders", "title", "Others"),
	    HTTP_UNPROCESSABLE, "a name that is another's");
	is_int(SUBMIT(&b, "/admin/groups", "name", "subs", "title", "Subs", "permissions",
		   "users.rule"),
	    HTTP_UNPROCESSABLE, "a permission that there is not");
	is_int((int64_t)lines(s), (int64_t)before, "... nothing is logged");
	is_int(SUBMIT(&b, "/admin/groups", "name", "subs", "title", "Sub-editors", "permissions",
		   "categories.edit", "permissions", "users.invite"),
	    HTTP_SEE_OTHER, "a new group");
	one_line(s, before, "group.create", "subs", "categories.edit, users.invite");
	is_int(get(&pascal, "/admin/invitations"), HTTP_FORBIDDEN, "a reader invites nobody");
	before = lines(s);
	get(&b, "/admin/groups/subs");
	is_int(SUBMIT(&b, "/admin/groups/subs/members", "username", "nobody_here"),
	    HTTP_UNPROCESSABLE, "nobody joins");
	ok(says(&b, "There is nobody of this name.") && says(&b, "value=\"nobody_here\""),
	    "... which is said");
	is_int(SUBMIT(&b, "/admin/groups/subs/members", "username", "Pascal"), HTTP_SEE_OTHER,
	    "somebody joins");
	one_line(s, before, "group.join", "subs", "pascal");
	is_int(get(&pascal, "/admin/invitations"), HTTP_OK, "... and invites from then on");
	get(&b, "/admin/groups/subs");
	ok(says(&b, "Added by marta"), "... the group says who added them");
	is_int(SUBMIT(&b, "/admin/groups/subs", "title", "Subs", "permissions", "categories.edit"),
	    HTTP_SEE_OTHER, "the group gives something no more");
	is_int(get(&pascal, "/admin/invitations"), HTTP_FORBIDDEN, "... from then on");
	get(&b, "/admin/groups/subs");
	ok(says(&b, "value=\"categories.edit\" checked") && !says(&b, "users.invite\" checked"),
	    "... as the form shows");
	is_int(get(&b, "/admin/groups/none"), HTTP_NOT_FOUND, "no group has no page");
}

static void
groups_of_people(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");
	size_t before = lines(s);

	get(&b, "/admin/users/pascal");
	ok(says(&b, "<option value=\"proofreaders\">") && !says(&b, "<option value=\"subs\""),
	    "somebody's page offers the groups that they are not in");
	is_int(SUBMIT(&b, "/admin/users/pascal/groups", "group", "proofreaders"), HTTP_SEE_OTHER,
	    "... they are taken into one");
	one_line(s, before, "group.join", "proofreaders", "pascal");
	get(&b, "/admin/users/pascal");
	is_int(SUBMIT(&b, "/admin/users/pascal/groups", "group", "proofreaders"),
	    HTTP_UNPROCESSABLE, "... once");
	get(&b, "/admin/users/pascal");
	before = lines(s);
	is_int(SUBMIT(&b, "/admin/users/pascal/leave", "leave", "proofreaders"), HTTP_SEE_OTHER,
	    "... and out again");
	one_line(s, before, "group.leave", "proofreaders", "pascal");
	before = lines(s);
	is_int(get(&b, "/admin/groups/subs/delete"), HTTP_OK, "deleting a group is asked first");
	ok(says(&b, "Delete Subs?"), "... by its name");
	is_int(SUBMIT(&b, "/admin/groups/subs/delete", "x", "y"), HTTP_SEE_OTHER, "... then done");
	one_line(s, before, "group.delete", "subs", "");
	is_int(get(&b, "/admin/groups/subs"), HTTP_NOT_FOUND, "... it is gone");
	get(&b, "/admin/groups");
	ok(!says(&b, "/admin/groups/subs"), "... from the list, too");
	is_int(SUBMIT(&b, "/admin/groups", "name", "subs", "title", "Other subs"),
	    HTTP_UNPROCESSABLE, "... and its name is not given again");
	ok(says(&b, "There is a group of this name, or was"), "... which is said");
	get(&b, "/admin/users/pascal");
	ok(!says(&b, ">Subs<"), "... and nobody is in it");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	finding(&s);
	paging(&s);
	promoting(&s);
	shutting_out(&s);
	letting_in(&s);
	last_admin(&s);
	inviting(&s);
	resetting(&s);
	the_log(&s);
	groups(&s);
	groups_of_people(&s);
	browsers_close(&s);
	return tap_done();
}
