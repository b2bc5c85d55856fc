/*
 * What is typed into the editor is never lost: not when the table fails, when a session has ended,
 * or when it is invalid or too much.
 */
#include "lib/failing_table.h"
#include "writer.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/people/password.h"
#include "pages/account/pending_form.h"
#include "pages/write/form.h"

#include <string.h>

/* --- Nothing is lost ------------------------------------------------------------------------------- */

/* Every call to the table fails once while somebody saves. */
static void
failing(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct failing_table failing;
	unsigned lost = 0, told = 0, silent = 0, n;
	enum http_status status = HTTP_UNAVAILABLE;

	failing_table_begin(&failing, s->table);
	s->site.table = &failing.table;
	for (n = 1; status == HTTP_UNAVAILABLE && n < 20; n++) {
		get(&b, "/write/note");
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		status = SUBMIT(&b, "/write/note", "do", "save", "title", "Kept", "markdown",
		    "Every \"word\".", "tag", "one-tag", "slug", "kept");
		silent += status == HTTP_UNAVAILABLE &&
			  !str_eq(str_of(b.last.why), str_of(table_rc_text(TABLE_UNAVAILABLE)));
		told += status == HTTP_UNAVAILABLE;
		lost += status == HTTP_UNAVAILABLE &&
			(!holds(b.last.body, STR("Every &quot;word&quot;.")) ||
			    !holds(b.last.body, STR("one-tag")));
		failing_table_arm(&failing, 0, TABLE_OK);
	}
	s->site.table = s->table;
	is_int(status, HTTP_SEE_OTHER, "when the table comes back, it is saved");
	ok(told >= 2, "... until then %u times it says that it is not", told);
	is_int(silent, 0, "... and the log has what the table said");
	is_int(lost, 0, "... and every time the text is in the page");
	is_int(get(&b, "/edit/kept"), HTTP_OK, "it is there once");
	is_int(get(&b, "/edit/kept-2"), HTTP_NOT_FOUND, "... and not twice");
}

/* A double click; and a save with an unknown result. */
static void
sent_twice(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), twin;

	get(&b, "/write/note");
	twin = b;
	SUBMIT(&b, "/write/note", "do", "save", "title", "Twice", "markdown", "One.");
	is_str(leads_to(&b), STR("/edit/twice?done=saved"), "a form that is sent");
	SUBMIT(&twin, "/write/note", "do", "save", "title", "Twice", "markdown", "One.");
	is_str(leads_to(&twin), STR("/edit/twice?done=saved"), "... twice makes one post");
	is_int(get(&b, "/edit/twice-2"), HTTP_NOT_FOUND, "... and no other");
	get(&b, "/edit/twice");
	twin = b;
	SUBMIT(&b, "/edit/twice", "do", "publish", "title", "Twice", "markdown", "Two.", "slug",
	    "twice");
	SUBMIT(&twin, "/edit/twice", "do", "publish", "title", "Twice", "markdown", "Two.", "slug",
	    "twice");
	is_str(leads_to(&twin), STR("/post/twice"), "so it is with a change");
	get(&b, "/write/note");
	twin = b;
	SUBMIT(&b, "/write/note", "do", "save", "markdown", "Half.", "slug", "half");
	SUBMIT(&twin, "/write/note", "do", "save", "markdown", "Whole.", "slug", "half");
	is_int(twin.last.status, HTTP_CONFLICT, "one that was changed before it was sent again");
	ok(holds(twin.last.body, STR("<del>Half.</del>")) ||
		(says(&twin, "Half.") && says(&twin, "Whole.")),
	    "... shows both");
	is_int(SUBMIT(&twin, "/edit/half", "do", "save", "markdown", "Whole.", "slug", "half"),
	    HTTP_SEE_OTHER, "... and is then a change of that post");
}

static void
send_again(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), gone;
	struct failing_table failing;

	get(&b, "/write/note");
	failing_table_begin(&failing, s->table);
	s->site.table = &failing.table;
	failing_table_arm(&failing, 1, TABLE_UNAVAILABLE);
	SUBMIT(&b, "/write/note", "do", "save", "markdown", "Once more.", "slug", "once-more");
	is_int(b.last.status, HTTP_UNAVAILABLE, "not even who it is can be told");
	failing_table_arm(&failing, 0, TABLE_OK);
	s->site.table = s->table;
	is_int(
	    SUBMIT(&b, "/write/note", NULL), HTTP_SEE_OTHER, "... the error's page sends it again");
	is_str(leads_to(&b), STR("/edit/once-more?done=saved"), "... all of it");
	/* Signed in anew in another tab, since the form was opened. */
	get(&b, "/write/note");
	gone = b;
	b = browser_of(s, "kofi");
	gone.session = b.session;
	SUBMIT(
	    &gone, "/write/note", "do", "save", "markdown", "In another session.", "slug", "anew");
	is_int(gone.last.status, HTTP_FORBIDDEN, "a form of a session before this one");
	is_int(stranger_gets(s, "/post/anew"), HTTP_NOT_FOUND, "... does nothing by itself");
	is_int(SUBMIT(&gone, "/write/note", NULL), HTTP_SEE_OTHER, "... but is sent again");
	gone = b;
	get(&gone, "/write/note");
	gone.site = STR("cross-site");
	SUBMIT(&gone, "/write/note", "do", "save", "markdown", "Evil.");
	is_int(gone.last.status, HTTP_FORBIDDEN, "what another site sends is refused");
	ok(!says(&gone, "Evil."), "... and not offered to be sent again");
}

/* Nearly all that the form takes, in letters of three bytes. */
static struct str
long_text(struct arena *arena)
{
	struct buf text = {.arena = arena};

	for (int i = 0; i < 60000; i++)
		buf_put(&text, i % 60 == 59 ? STR("\n\n") : STR("漢"));
	return buf_str(&text);
}

/* Pages that show something rather than redirect: they follow the sign-in form. */
static void
shown_after_signing_in(struct seeded *s)
{
	static const struct {
		const char *page, *what, *title, *shows;
	} cases[] = {
	    {"/write/article", "preview", "Foghorns", "id=\"preview\""},
	    {"/write/howto", "add-step", "Foghorns", "value=\"Foghorns\""},
	    {"/write/article", "publish", "", "A title is missing."},
	};

	give_password(s, "kofi", "four words in a row");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct browser b = browser_of(s, "kofi");

		get(&b, cases[i].page);
		b.session = STR("");
		SUBMIT(&b, cases[i].page, "do", cases[i].what, "title", cases[i].title, "markdown",
		    "They are heard before they are seen.");
		SUBMIT(&b, "/login", "name", "kofi", "password", "four words in a row");
		ok(says(&b, cases[i].shows), "%s of %s is done behind signing in", cases[i].what,
		    cases[i].page);
		ok(says(&b, "They are heard before"), "... with what was typed");
	}
}

/* A person's sessions end after the read by which their password was found right. */
static void
another_era(struct seeded *s)
{
	static const struct change next = {
	    CHANGE_ADD, STR_INIT("Era"), {VALUE_NUMBER, .number = 1}};
	const struct write meanwhile = {.kind = WRITE_UPDATE,
	    .key = {STR("USER#kofi"), STR("METADATA")},
	    .changes = &next,
	    .change_count = 1};
	struct browser b = browser_of(s, "kofi"), kofi;
	struct failing_table between;

	give_password(s, "kofi", "four words in a row");
	get(&b, "/write/note");
	b.session = STR("");
	SUBMIT(&b, "/write/note", "do", "save", "markdown", "Whose?", "slug", "whose");
	failing_table_begin(&between, s->table);
	between.behind = &meanwhile;
	s->site.table = &between.table;
	SUBMIT(&b, "/login", "name", "kofi", "password", "four words in a row");
	s->site.table = s->table;
	is_int(b.last.status, HTTP_CONFLICT, "somebody else ends all sessions meanwhile");
	ok(between.behind == NULL && b.session.len == 0, "... this one does not begin");
	kofi = browser_of(s, "kofi");
	is_int(get(&kofi, "/edit/whose"), HTTP_NOT_FOUND, "... nor is the form done");
}

/* That many characters of four bytes. */
static const char *
ducks(struct seeded *s, size_t count)
{
	struct buf text = {.arena = s->arena};

	while (count-- != 0)
		BUF_PUT(&text, "\xf0\x9f\xa6\x86");
	return str_cstring(s->arena, buf_str(&text));
}

/*
 * Every field and row of a how-to as full as possible: more than a post can have, which is reported
 * in the form rather than refused.
 */
static void
all_fields_full(struct seeded *s)
{
	enum { ROWS = 50, TAGS = 10 };
	const char *const fixed[] = {"do", "save", "title", ducks(s, 200), "excerpt", ducks(s, 500),
	    "markdown", ducks(s, 200000), "thumbnail_alt", ducks(s, 300), "canonical",
	    ducks(s, 500), "group", ducks(s, 60), "others", ducks(s, 200), "url", ducks(s, 2000),
	    "source", ducks(s, 20000), "thumbnail_url", ducks(s, 500), "category", ducks(s, 60)};
	const char *const rows[][2] = {{"material", ducks(s, 200)}, {"amount", ducks(s, 200)},
	    {"tool", ducks(s, 200)}, {"step", ducks(s, 6000)}};
	const char *pairs[sizeof(fixed) / sizeof(fixed[0]) + 8 * ROWS + 2 * TAGS + 1] = {NULL};
	struct browser b = browser_of(s, "kofi"), gone;
	struct str step = STR_CONCAT(s->arena, STR("\n"), str_of(rows[3][1]), STR("</textarea>"));
	size_t n = 0;

	for (; n < sizeof(fixed) / sizeof(fixed[0]); n++)
		pairs[n] = fixed[n];
	for (int i = 0; i < TAGS; i++, n += 2) {
		pairs[n] = "tag";
		pairs[n + 1] = ducks(s, 60);
	}
	for (size_t i = 0; i < 4 * ROWS; i++, n += 2) {
		pairs[n] = rows[i % 4][0];
		pairs[n + 1] = rows[i % 4][1];
	}
	ok(write_body_max() <= SITE_BODY_OF_ANYBODY &&
		pending_form_body_max() <= SITE_BODY_OF_ANYBODY,
	    "what writing may send is read of anybody, as a session may end over it");
	get(&b, "/write/howto");
	gone = b;
	gone.session = STR("");
	is_int(submit(&b, "/write/howto", pairs), HTTP_UNPROCESSABLE,
	    "a how-to of which every field is full comes back");
	is_int((int64_t)count_of(b.last.body, step), ROWS, "... with all of it");
	ok(!says(&b, "characters at most") && !says(&b, "is too long"),
	    "... and no field by itself is too long");
	is_int(submit(&gone, "/write/howto", pairs), HTTP_UNPROCESSABLE,
	    "when the session has ended over it, it waits");
	SUBMIT(&gone, "/login", "name", "kofi", "password", "four words in a row");
	is_int((int64_t)count_of(gone.last.body, step), ROWS,
	    "... and comes back behind signing in, with all of it");
}

static void
session_ended(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct str text = long_text(s->arena), kept;
	const char *markdown = str_cstring(s->arena, text);
	struct item body;

	give_password(s, "kofi", "four words in a row");
	get(&b, "/write/article");
	b.session = STR("");
	SUBMIT(&b, "/write/article", "do", "save", "title", "Long", "markdown", markdown);
	is_int(b.last.status, HTTP_UNPROCESSABLE, "a session ends while a long text is written");
	ok(says(&b, "What you wrote is safe"), "... which is told");
	SUBMIT(&b, "/login", "name", "kofi", "password", "wrong wrong wrong");
	ok(says(&b, "do not go together"), "... a wrong password");
	SUBMIT(&b, "/login", "name", "kofi", "password", "four words in a row");
	is_str(leads_to(&b), STR("/edit/long?done=saved"), "... and the right one saves it");
	body = seeded_item(s, "POST#long", "BODY");
	kept = item_string(&body, STR("Markdown"));
	is_int((int64_t)kept.len, (int64_t)text.len - 2, "... to the last letter");
}

/* What fits no key of the table: it is nowhere, and no failure of ours. */
static void
endless_names(struct seeded *s)
{
	static const char *const addresses[] = {"/edit/%s", "/edit/%s/delete"};
	struct browser b = browser_of(s, "kofi"), admin = browser_of(s, "marta");
	struct buf name = {.arena = s->arena};
	const char *endless;

	for (size_t i = 0; i < 3000; i++)
		buf_putc(&name, 'a');
	endless = str_cstring(s->arena, buf_str(&name));
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		is_int(get(&b, text_in(s, addresses[i], endless)), HTTP_NOT_FOUND,
		    "%s of a name without an end", addresses[i]);
	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "save", "markdown", "Mine alone.", "others",
		   str_cstring(s->arena, buf_str(&name))),
	    HTTP_UNPROCESSABLE, "it was written with somebody whose name has no end");
	is_str(text_of(&b, "markdown"), STR("Mine alone."), "... and nothing is lost");
	name.len = 0;
	for (size_t i = 0; i < 190000; i++)
		BUF_PUT(&name, "\xe2\x82\xac");
	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "autosave", "markdown",
		   str_cstring(s->arena, buf_str(&name))),
	    HTTP_TOO_LARGE, "a text that no item holds is not kept by itself, and that is said");
	is_int(get(&admin, text_in(s, "/admin/users?q=%s", endless)), HTTP_OK,
	    "somebody of such a name is looked for");
}

/*
 * What no item of the table can hold is reported in the form, with all of it: many bytes, much
 * HTML, many steps.
 */
static void
too_long(struct seeded *s)
{
	static const struct {
		const char *what, *page, *input, *piece;
		size_t times;
		int inputs;
	} cases[] = {
	    {"letters of three bytes", "/write/article", "markdown", "\u20ac", 190000, 1},
	    {"letters of four bytes, as many as there may be", "/write/article", "markdown",
		"\U0001f30a", 200000, 1},
	    {"what becomes much HTML", "/write/note", "markdown", "&", 100000, 1},
	    {"many long steps", "/write/howto", "step", "\u6f22", 5000, 40},
	};
	const char *says_so = "This is too long for one post";
	struct browser b = browser_of(s, "kofi");
	const char *huge;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *pairs[2 * 40 + 5] = {"do", "save", "title", cases[i].what};
		struct buf text = {.arena = s->arena};
		int64_t sent;

		for (size_t n = 0; n < cases[i].times; n++)
			buf_put(&text, str_of(cases[i].piece));
		huge = str_cstring(s->arena, buf_str(&text));
		for (int n = 0; n < cases[i].inputs; n++) {
			pairs[4 + 2 * n] = cases[i].input;
			pairs[5 + 2 * n] = huge;
		}
		get(&b, cases[i].page);
		is_int(submit(&b, cases[i].page, pairs), HTTP_UNPROCESSABLE, "too much: %s",
		    cases[i].what);
		ok(says(&b, says_so), "... is told");
		ok(has_value(&b, "title", cases[i].what), "... and nothing is lost");
		sent = (int64_t)text.len * cases[i].inputs;
		ok((int64_t)b.last.body.len >= sent, "... of the text either");
	}
	get(&b, "/write/note");
	SUBMIT(&b, "/write/note", "do", "save", "title", "Short", "markdown", "Short.");
	get(&b, "/edit/short");
	huge = str_cstring(s->arena, str_fmt(s->arena, "%s%s%s", huge, huge, huge));
	huge = str_cstring(s->arena, str_fmt(s->arena, "%s%s%s%s%s", huge, huge, huge, huge, huge));
	is_int(SUBMIT(&b, "/edit/short", "do", "save", "title", "Short", "slug", "short",
		   "markdown", huge),
	    HTTP_UNPROCESSABLE, "a post that becomes too long");
	ok(says(&b, says_so), "... is told, too");
	is_int((int64_t)text_of(&b, "markdown").len, (int64_t)strlen(huge), "... with its text");
}

static void
bad_input(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");
	struct buf many = {.arena = s->arena};

	get(&b, "/write/article");
	SUBMIT(&b, "/write/article", "do", "save", "title", "One\nTwo", "markdown", "A\x01z",
	    "slug", "Not a slug!", "visibility", "martians", "when", "tomorrow", "canonical",
	    "nowhere", "tag", "1", "tag", "2", "tag", "3", "tag", "4", "tag", "5", "tag", "6",
	    "tag", "7", "tag", "8", "tag", "9", "tag", "10", "tag", "11");
	is_int(b.last.status, HTTP_UNPROCESSABLE, "a form with everything wrong");
	ok(says(&b, "Title must be one line.") &&
		says(&b, "Text has a character that is not text.") &&
		says(&b, "Use letters, digits, and single hyphens") &&
		says(&b, "Choose one of these.") && says(&b, "Write a date and a time") &&
		says(&b, "Write a whole address") && says(&b, "Tags: 10 at most."),
	    "... says of each what it is");
	ok(has_value(&b, "slug", "Not a slug!") && has_value(&b, "when", "tomorrow"),
	    "... and shows it again");
	for (int i = 0; i < 60; i++)
		put_field(&many, STR("step"), STR("x"));
	put_field(&many, STR("do"), STR("save"));
	get(&b, "/write/howto");
	put_field(&many, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	is_int(
	    fetch(&b, "POST", "/write/howto", buf_str(&many)), HTTP_UNPROCESSABLE, "too many rows");
	ok(says(&b, "These are too many rows"), "... are told");
	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "dance"), HTTP_BAD_REQUEST, "a button that is none");
	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "save"), HTTP_SEE_OTHER, "an empty note is a draft");
	is_str(leads_to(&b), STR("/edit/note?done=saved"), "... with an address of its own");
	get(&b, "/write/note");
	is_int(SUBMIT(&b, "/write/note", "do", "publish", "visibility", "group", "group", "secret",
		   "markdown", "x"),
	    HTTP_UNPROCESSABLE, "one writes for no group that one is not in");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	failing(&s);
	sent_twice(&s);
	send_again(&s);
	another_era(&s);
	session_ended(&s);
	all_fields_full(&s);
	shown_after_signing_in(&s);
	endless_names(&s);
	too_long(&s);
	bad_input(&s);
	browsers_close(&s);
	return tap_done();
}
