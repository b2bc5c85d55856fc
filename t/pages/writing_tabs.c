/*
 * A post that somebody saves while somebody else has its form open: both versions, part by part;
 * either is taken for each part, and the other can be restored until one of them is saved.
 */
#include "writer.h"

#include "lib/tap.h"

#define EDIT "/edit/a-shelf"

/* "yours" or "theirs" of a part, as it is shown; nothing where the part does not differ. */
static struct str
said(const struct browser *b, const char *name, const char *whose)
{
	struct str rest = b->last.body, found,
		   begin = str_of(text_in(b->s, "id=\"meanwhile-%s\">", name));

	if (!between(&rest, begin, STR("class=\"both\""), &found))
		return STR("");
	found = part(rest, text_in(b->s, ": %s\">", whose), "</div>");
	return unescaped(b->s->arena, found);
}

static bool
has_button(const struct browser *b, const char *value)
{
	return holds(b->last.body, str_of(text_in(b->s, "name=\"do\" value=\"%s\"", value)));
}

/* What the form of the last page has in a field now. */
static struct str
typed(const struct browser *b, const char *name)
{
	struct str form = part(b->last.body, "class=\"sheet-of-paper\"", "</form>");

	return unescaped(
	    b->s->arena, part(form, text_in(b->s, "name=\"%s\" value=\"", name), "\""));
}

static int64_t
version_of(struct seeded *s, const char *id)
{
	struct item head = seeded_item(s, text_in(s, "POST#%s", id), "METADATA");

	return item_number(&head, STR("Version"));
}

/* A text alone, and the second save of it. */
static void
two_tabs(struct seeded *s)
{
	struct browser first = browser_of(s, "kofi"), second = browser_of(s, "kofi");
	int64_t version;

	get(&first, "/write/article");
	SUBMIT(&first, "/write/article", "do", "publish-anyway", "title", "On the flood",
	    "markdown", "Before.", "slug", "on-the-flood");
	get(&first, "/edit/on-the-flood");
	get(&second, "/edit/on-the-flood");
	is_int(SUBMIT(&first, "/edit/on-the-flood", "do", "save", "title", "Theirs", "markdown",
		   "The text of the first.", "slug", "on-the-flood"),
	    HTTP_SEE_OTHER, "the first tab saves");
	version = version_of(s, "on-the-flood");
	is_int(SUBMIT(&second, "/edit/on-the-flood", "do", "save", "title", "Mine", "markdown",
		   "The text of the second.", "slug", "on-the-flood"),
	    HTTP_CONFLICT, "the second is told");
	is_int(version_of(s, "on-the-flood"), version, "... and nothing is saved");
	is_str(text_of(&second, "markdown"), STR("The text of the second."), "its text is there");
	ok(says(&second, "The text of the first."), "and so is theirs");
	ok(holds(second.last.body, STR("<del>first</del>")) &&
		holds(second.last.body, STR("<ins>second</ins>")),
	    "with the difference");
	is_int(SUBMIT(&second, "/edit/on-the-flood", "do", "save", "title", "Mine", "markdown",
		   "The text of both.", "slug", "on-the-flood"),
	    HTTP_SEE_OTHER, "then it can be saved");
	ok(stranger_sees(s, "/post/on-the-flood", "The text of both."), "... and is");
}

/* Two forms of one how-to, of which the first is saved. */
static void
open_both(struct seeded *s, struct browser *first, struct browser *second)
{
	*first = browser_of(s, "kofi");
	get(first, "/write/howto");
	SUBMIT(first, "/write/howto", "do", "save", "title", "A shelf", "slug", "a-shelf",
	    "markdown", "One.", "tool", "Saw", "tag", "wood", "visibility", "public");
	get(first, EDIT);
	*second = browser_of(s, "kofi");
	get(second, EDIT);
	SUBMIT(first, EDIT, "do", "save", "title", "Their shelf", "slug", "a-shelf", "markdown",
	    "Their text.", "excerpt", "In \"short\".", "tag", "wood", "tag", "walls", "category",
	    "workshop", "visibility", "private", "difficulty", "hard", "minutes", "90", "material",
	    "Board", "amount", "2 m", "tool", "Saw", "tool", "Drill", "step", "Drill it.", "when",
	    "2026-12-01T08:00");
}

/* Theirs says nothing of it: so mine is the whole of what is sent again. */
static enum http_status
send(struct browser *b, const char *deed, const char *title, const char *markdown)
{
	return SUBMIT(b, EDIT, "do", deed, "title", title, "slug", "a-shelf", "markdown", markdown,
	    "excerpt", "", "tag", "", "category", "", "visibility", "public", "difficulty", "none",
	    "minutes", "", "material", "", "amount", "", "tool", "Saw", "step", "Saw it.", "when",
	    "");
}

static void
all_is_shown(struct seeded *s)
{
	static const struct {
		const char *part, *yours, *theirs;
	} cases[] = {
	    {"title", "My shelf", "Their shelf"},
	    {"markdown", "My text.", "Their text."},
	    {"slug", "a-shelf", "their-shelf"},
	    {"excerpt", "<i>Nothing</i>", "In \"short\"."},
	    {"tag", "<i>Nothing</i>", "wood, walls"},
	    {"category", "<i>Nothing</i>", "The Workshop"},
	    {"visibility", "Everybody", "Nobody but its authors"},
	    {"difficulty", "Not said", "Hard"},
	    {"minutes", "<i>Nothing</i>", "90"},
	    {"when", "<i>Nothing</i>", "2026-12-01 08:00"},
	    {"material", "<i>Nothing</i>", "Board: 2 m"},
	    {"tool", "Saw", "Saw\nDrill"},
	    {"step", "1. Saw it.", "1. Drill it."},
	};
	struct browser first, second;

	open_both(s, &first, &second);
	is_int(send(&second, "save", "My shelf", "My text."), HTTP_CONFLICT,
	    "somebody saves what was saved meanwhile");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		is_str(said(&second, cases[i].part, "yours"), str_of(cases[i].yours),
		    "%s: what they wrote is shown whole", cases[i].part);
		is_str(said(&second, cases[i].part, "theirs"), str_of(cases[i].theirs),
		    "... beside what is stored");
	}
	is_int((int64_t)count_of(second.last.body, STR("class=\"aside\"")),
	    sizeof(cases) / sizeof(cases[0]), "... and nothing else, which is the same");
	is_str(typed(&second, "title"), STR("My shelf"), "in the form is what they wrote");
}

/* After all_is_shown(): of each part one is taken. */
static void
one_is_taken(struct seeded *s)
{
	struct browser b, first;
	struct item head, body;

	open_both(s, &first, &b);
	s->clock.fixed_now += 1000;
	send(&b, "save", "My shelf", "My text.");
	is_int(
	    send(&b, "take-theirs-title", "My shelf", "My text."), HTTP_OK, "their title is taken");
	is_str(typed(&b, "title"), STR("Their shelf"), "... it is in the form");
	is_str(said(&b, "title", "yours"), STR("My shelf"), "... and one's own is beside it");
	ok(has_button(&b, "take-yours-title") && !has_button(&b, "take-theirs-title"),
	    "... to be had back");
	is_str(text_of(&b, "markdown"), STR("My text."), "... the text is one's own");
	SUBMIT(&b, EDIT, "do", "take-theirs-tool", "title", "Their shelf", "slug", "a-shelf",
	    "markdown", "My text.", "tool", "Saw", "visibility", "public");
	ok(says(&b, "name=\"tool\" value=\"Drill\""), "... so with rows");
	is_str(said(&b, "tool", "yours"), STR("Saw"), "... one's own are kept");
	is_str(said(&b, "title", "yours"), STR("My shelf"), "... with what was before");
	is_int(SUBMIT(&b, EDIT, "do", "preview", "title", "Their shelf", "slug", "a-shelf",
		   "markdown", "My text.", "tool", "Saw", "tool", "Drill", "visibility", "public"),
	    HTTP_OK, "a preview in between");
	is_str(said(&b, "title", "yours"), STR("My shelf"), "... keeps it, too");
	get(&b, EDIT "?take=up");
	is_str(said(&b, "title", "yours"), STR("My shelf"), "... as does what is saved by itself");
	SUBMIT(&b, EDIT, "do", "take-yours-title", "title", "Their shelf", "slug", "a-shelf",
	    "markdown", "My text.", "tool", "Saw", "tool", "Drill", "visibility", "public");
	is_str(typed(&b, "title"), STR("My shelf"), "one's own is taken back");
	is_int(SUBMIT(&b, EDIT, "do", "save", "title", "My shelf", "slug", "a-shelf", "markdown",
		   "My text.", "tool", "Saw", "tool", "Drill", "visibility", "public"),
	    HTTP_SEE_OTHER, "what was chosen is saved");
	head = seeded_item(s, "POST#a-shelf", "METADATA");
	body = seeded_item(s, "POST#a-shelf", "BODY");
	is_str(item_string(&head, STR("Title")), STR("My shelf"), "... one's own title");
	is_int((int64_t)item_get(&body, STR("Tools"))->list.count, 2, "... with their tools");
	get(&b, "/revisions/a-shelf");
	ok(says(&b, "3. ") || count_of(b.last.body, STR("name=\"from\"")) >= 3,
	    "... and theirs is among the revisions");
}

static void
all_is_taken(struct seeded *s)
{
	struct browser b, first;

	open_both(s, &first, &b);
	send(&b, "save", "My shelf", "My text.");
	is_int(send(&b, "take-theirs", "My shelf", "My text."), HTTP_OK,
	    "somebody goes on from theirs");
	is_str(typed(&b, "title"), STR("Their shelf"), "... the title");
	is_str(text_of(&b, "markdown"), STR("Their text."), "... and the text are in the form");
	ok(holds(b.last.body, STR("<option value=\"private\" selected>")),
	    "... and who may read it");
	is_str(said(&b, "markdown", "yours"), STR("My text."), "... one's own is beside it");
	is_int(SUBMIT(&b, EDIT, "do", "take-yours", "title", "Their shelf", "slug", "a-shelf",
		   "markdown", "Their text, better."),
	    HTTP_OK, "or back to all of one's own");
	is_str(text_of(&b, "markdown"), STR("My text."), "... the text");
	is_str(typed(&b, "title"), STR("My shelf"), "... and the title");
	ok(!has_button(&b, "take-yours-title"), "... which is then in the form");
	is_int(SUBMIT(&b, EDIT, "do", "take-theirs-nothing", "title", "x", "slug", "a-shelf"),
	    HTTP_OK, "a part that there is not is none to take");
	get(&b, EDIT);
	is_int(SUBMIT(&b, EDIT, "do", "take-theirs", "title", "x", "slug", "a-shelf"),
	    HTTP_BAD_REQUEST, "nor is anything where nobody else has saved");
}

/* A third one saves while the second chooses: what was set aside stays. */
static void
once_more(struct seeded *s)
{
	struct browser b, first;

	open_both(s, &first, &b);
	send(&b, "save", "My shelf", "My text.");
	send(&b, "take-theirs-title", "My shelf", "My text.");
	get(&first, EDIT);
	SUBMIT(&first, EDIT, "do", "save", "title", "A third", "slug", "a-shelf", "markdown",
	    "Three.");
	is_int(send(&b, "save", "Their shelf", "My text."), HTTP_CONFLICT,
	    "a third text is saved while one chooses");
	is_str(said(&b, "title", "theirs"), STR("A third"), "... it is shown");
	is_str(said(&b, "title", "yours"), STR("My shelf"), "... beside what was set aside");
	is_str(typed(&b, "title"), STR("Their shelf"), "... and what is in the form stays there");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	two_tabs(&s);
	all_is_shown(&s);
	browsers_close(&s);
	browsers_open(&s);
	one_is_taken(&s);
	browsers_close(&s);
	browsers_open(&s);
	all_is_taken(&s);
	browsers_close(&s);
	browsers_open(&s);
	once_more(&s);
	browsers_close(&s);
	return tap_done();
}
