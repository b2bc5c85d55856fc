/* Revisions: who sees them, the summary of changes, paging, and restoring one. */
#include "browser.h"
#include "lib/failing_table.h"

#include "lib/tap.h"

#include "model/post/autosave.h"
#include "model/post/revision.h"
#include "text/markdown.h"

#define ID "whip-a-ropes-end"
#define LIST_OF_ID "/revisions/" ID

static struct written
stored(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct written out;
	bool there;

	if (written_get(&plan, STR(ID), &out, &there) != TABLE_OK || !there)
		bail_out("the post is gone");
	table_release(s->table, &call);
	return out;
}

/* Saves the post with another title and text; empty ones stay. */
static void
save(struct seeded *s, const char *by, const char *title, struct str text)
{
	struct written old = stored(s);
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table,
	    .call = &call,
	    .now = s->clock.fixed_now += 60000,
	    .by = str_of(by),
	    .by_name = STR("Somebody")};
	struct draft draft = {.post = old.post, .body = old.body};

	if (*title != '\0')
		draft.post.title = str_of(title);
	if (text.len != 0)
		draft.body.markdown = text;
	markdown_body(s->arena, SEEDED_ORIGIN, &draft.body, &draft.post);
	if (writing_save(&plan, &old, &draft) != PLAN_DONE)
		bail_out("the post was not saved");
	table_release(s->table, &call);
}

static void
before_the_first(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");

	is_int(get(&b, LIST_OF_ID), HTTP_OK, "a post has a page of its revisions");
	ok(says(&b, "It has not been saved here yet."), "... which says that there are none");
	ok(!holds(b.last.body, STR("<button type=\"submit\">Compare")), "... to compare");
	ok(holds(b.last.body, STR("\">Edit</a></li>")), "... leads back to where it is written");
	ok(says(&b, "noindex"), "... and is not for search engines");
	is_str(header(&b.last, "Cache-Control"), STR("no-store"), "... nor to be kept");
}

static void
two_of_them(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct str text = stored(s).body.markdown;

	save(s, "ingrid", "Whip a <rope’s> end at leisure",
	    STR_CONCAT(s->arena, text, STR("\nAnd a line <b>of mine</b>.")));
	get(&b, LIST_OF_ID);
	is_int((int64_t)count_of(b.last.body, STR("name=\"from\"")), 2,
	    "the first save keeps what was there before");
	ok(says(&b, ">1. <") && says(&b, "The first"), "... as the first revision");
	ok(says(&b, "Title, text (+5 words)"), "... and the second says what changed");
	ok(says(&b, "18 November 2026, 09:31 GMT"), "... and when");
	ok(holds(b.last.body, STR("name=\"from\" value=\"1\"")) &&
		holds(part(b.last.body, "name=\"from\" value=\"1\"", ">"), STR("checked")),
	    "the last two are chosen to be compared");
	get(&b, LIST_OF_ID "/compare?from=1&to=2");
	is_int(b.last.status, HTTP_OK, "two are compared");
	is_int(
	    (int64_t)count_of(b.last.body, STR("<section class=\"diff\">")), 2, "... in two parts");
	ok(holds(b.last.body, STR("end<del> in ten minutes</del>")), "... by words that went");
	ok(holds(
	       b.last.body, STR("<ins>&lt;</ins>rope’s<ins>&gt;</ins> end <ins>at leisure</ins>")),
	    "... and came, escaped");
	ok(holds(b.last.body,
	       STR("<span class=\"hidden\">Added: </span><ins>And a line &lt;b&gt;of mine")),
	    "... and lines, which say what they are to whoever does not see");
	ok(says(&b, "2 unchanged lines"), "... and how many lines are left out");
	ok(holds(b.last.body, STR(">Restore 1<")) && !holds(b.last.body, STR(">Restore 2<")),
	    "the older can be restored; the newer is what the post says");
	get(&b, LIST_OF_ID "/compare?from=0&to=1");
	ok(b.last.status == HTTP_OK && !holds(b.last.body, STR(">Restore 0<")),
	    "the first is compared with nothing");
	get(&b, LIST_OF_ID "/compare?from=2&to=2");
	ok(says(&b, "These two say the same."), "one is the same as itself");
}

static void
wrong_addresses(struct seeded *s)
{
	static const struct {
		const char *address;
		enum http_status status;
	} cases[] = {
	    {LIST_OF_ID "/compare", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "/compare?from=1", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "/compare?from=x&to=2", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "/compare?from=-1&to=2", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "/compare?from=0&to=0", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "/compare?from=1&to=99999999999", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "/compare?from=1&to=3", HTTP_NOT_FOUND},
	    {LIST_OF_ID "/compare?from=2&to=1", HTTP_SEE_OTHER},
	    {LIST_OF_ID "?below=1", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "?below=x", HTTP_BAD_REQUEST},
	    {LIST_OF_ID "?below=99", HTTP_OK},
	    {"/revisions/no-such-post", HTTP_NOT_FOUND},
	    {"/revisions/no-such-post/compare?from=0&to=1", HTTP_NOT_FOUND},
	    {"/revisions/-_-", HTTP_NOT_FOUND},
	};
	struct browser b = browser_of(s, "ingrid");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_int(get(&b, cases[i].address), cases[i].status, "%s", cases[i].address);
}

/* Sends the form of a page, whoever got that page. */
static enum http_status
restore(struct browser *b, const char *number)
{
	struct buf body = {.arena = b->s->arena};

	get(b, "/account");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("number"), str_of(number));
	return fetch(b, "POST", LIST_OF_ID "/restore", buf_str(&body));
}

static void
who_may(struct seeded *s)
{
	static const struct {
		const char *name;
		enum http_status status;
	} cases[] = {{"noor", HTTP_NOT_FOUND}, {"pascal", HTTP_NOT_FOUND}, {"tobias", HTTP_OK},
	    {"marta", HTTP_OK}};
	struct browser stranger = browser(s, "192.0.2.9");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct browser b = browser_of(s, cases[i].name);

		is_int(get(&b, LIST_OF_ID), cases[i].status, "%s gets %d of the revisions",
		    cases[i].name, cases[i].status);
		is_int(get(&b, LIST_OF_ID "/compare?from=1&to=2"), cases[i].status,
		    "... and of what changed");
		if (cases[i].status == HTTP_NOT_FOUND)
			is_int(restore(&b, "1"), HTTP_NOT_FOUND, "... and restores nothing");
	}
	get(&stranger, LIST_OF_ID);
	is_str(leads_to(&stranger), STR("/login?next=%2Frevisions%2F" ID),
	    "a stranger has to sign in");
	is_int(stored(s).post.version, 1, "nothing was restored");
}

static void
restoring(struct seeded *s, int64_t words)
{
	struct browser b = browser_of(s, "tobias");
	struct written now = stored(s);
	struct str title = now.post.title;

	get(&b, LIST_OF_ID "/compare?from=1&to=2");
	is_int(SUBMIT(&b, LIST_OF_ID "/restore", "number", "1"), HTTP_SEE_OTHER,
	    "an editor restores the first");
	is_str(leads_to(&b), STR(LIST_OF_ID "?done=restored"), "... and is led to the list");
	get(&b, LIST_OF_ID "?done=restored");
	ok(says(&b, "It is restored."), "... which says so");
	ok(says(&b, "Restored 1: Title, text (−5 words)"), "... and has it as a new revision");
	now = stored(s);
	is_str(
	    now.post.title, STR("Whip a rope’s end in ten minutes"), "the post has its old title");
	is_int(now.post.revisions, 3, "... as a third revision");
	is_int((int64_t)now.body.step_count, 5, "... and all of its steps");
	ok(holds(now.body.html, STR("<em>common whipping</em>")) && now.body.steps[1].html.len != 0,
	    "... rendered");
	is_int(now.post.words, words, "... and counted");
	is_str(now.post.author, STR("ingrid"), "... and is its author's");
	get(&b, "/post/" ID);
	ok(says(&b, "Whip a rope’s end in ten minutes"), "... and everybody sees it");
	is_int(restore(&b, "2"), HTTP_SEE_OTHER, "the second is restored, too");
	is_str(stored(s).post.title, title, "... and nothing is lost");
	is_int(restore(&b, "99"), HTTP_NOT_FOUND, "what is not there is not restored");
	is_int(restore(&b, ""), HTTP_BAD_REQUEST, "... nor what is no number");
}

static void
without_its_category(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct item rigging = seeded_item(s, "CATEGORY#rigging", "METADATA");
	struct table_call call = {.arena = s->arena};
	struct write gone = {.kind = WRITE_DELETE, .key = item_key(&rigging)};
	struct written old = stored(s);
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	struct draft draft = {.post = old.post, .body = old.body};

	draft.post.category = STR("kitchen");
	ok(writing_save(&plan, &old, &draft) == PLAN_DONE &&
		table_write(s->table, &call, &gone) == TABLE_OK,
	    "(the post's category goes)");
	table_release(s->table, &call);
	seeded_restart(s, 0);
	is_int(restore(&b, "1"), HTTP_SEE_OTHER, "what had a category that is gone is restored");
	is_str(stored(s).post.category, STR("kitchen"), "... in the one that it has now");
	seeded_put(s, &rigging, 1);
}

/* A picture that a revision shows was deleted since: the page warns before it is restored. */
static void
without_its_picture(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct str first = stored(s).body.markdown, number;

	save(s, "ingrid", "",
	    STR("[Home](/gone) ![A knot](/media/00000000000000000000000000000000-60x40.jpg)"));
	number = str_fmt(s->arena, "%lld", (long long)stored(s).post.revisions);
	save(s, "ingrid", "", first);
	get(&b, LIST_OF_ID "/compare?from=1&to=2");
	is_int(SUBMIT(&b, LIST_OF_ID "/restore", "number", str_cstring(s->arena, number)), HTTP_OK,
	    "what would have a hole is asked about before it is restored");
	ok(says(&b, "The picture /media/00000000000000000000000000000000-60x40.jpg is not there."),
	    "... the picture is named");
	ok(!says(&b, "/gone"), "... and nothing else");
	is_str(stored(s).body.markdown, first, "... and nothing is done yet");
	is_int(SUBMIT(&b, LIST_OF_ID "/restore", NULL), HTTP_SEE_OTHER, "who is sure restores it");
	ok(holds(stored(s).body.markdown, STR("A knot")), "... and so it is");
	save(s, "ingrid", "", first);
}

static void
many(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	int64_t first = stored(s).post.revisions;

	for (int64_t i = first; i < 45; i++)
		save(s, "ingrid", str_cstring(s->arena, str_fmt(s->arena, "Title %d", (int)i)),
		    STR(""));
	get(&b, LIST_OF_ID);
	is_int((int64_t)count_of(b.last.body, STR("name=\"from\"")), 20, "a page has 20");
	ok(holds(b.last.body, STR("name=\"from\" value=\"45\"")), "... the newest first");
	ok(holds(b.last.body, STR("href=\"" LIST_OF_ID "?below=26\"")),
	    "... and leads to older ones");
	ok(!says(&b, "Newer"), "... but not to newer ones");
	get(&b, LIST_OF_ID "?below=26");
	ok(holds(b.last.body, STR("name=\"from\" value=\"25\"")) &&
		!holds(b.last.body, STR("name=\"from\" value=\"26\"")),
	    "where the next ones are");
	ok(holds(b.last.body, STR("href=\"" LIST_OF_ID "\" rel=\"prev\"")), "... with a way back");
	get(&b, LIST_OF_ID "?below=6");
	is_int(
	    (int64_t)count_of(b.last.body, STR("name=\"from\"")), 5, "the last page has the rest");
	ok(!says(&b, "Older") && holds(b.last.body, STR("?below=26\" rel=\"prev\"")),
	    "... and leads to newer ones");
}

static void
unsaved(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias");
	struct autosave typed = {.username = STR("ingrid"), .post = STR(ID), .version = 1};
	struct write writes[AUTOSAVE_WRITES];
	size_t count = autosave_put(s->arena, &typed, STR("A tide"), s->clock.fixed_now, writes);
	struct table_call call = {.arena = s->arena};

	get(&b, LIST_OF_ID);
	ok(!says(&b, "unsaved"), "nothing is unsaved");
	table_write_each(s->table, &call, writes, count);
	table_release(s->table, &call);
	get(&b, LIST_OF_ID);
	ok(says(&b, "<summary>1 unsaved text</summary>"), "what is unsaved is told of, folded");
}

/* Each call of a restoration fails once: nothing is done, and that is said. */
static void
failures(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	int64_t version = stored(s).post.version;
	struct failing_table failing;
	struct table *table = s->table;
	struct buf body = {.arena = s->arena};
	unsigned calls, wrong = 0, done = 0;

	get(&b, "/account");
	put_field(&body, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("number"), STR("1"));
	failing_table_begin(&failing, table);
	s->site.table = &failing.table;
	for (calls = 1; calls < 30 && done == 0; calls++) {
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		fetch(&b, "POST", LIST_OF_ID "/restore", buf_str(&body));
		if (b.last.status == HTTP_SEE_OTHER)
			done = calls;
		else if (b.last.status != HTTP_UNAVAILABLE || stored(s).post.version != version)
			wrong++;
	}
	s->site.table = table;
	ok(done > 3, "each of %u calls fails once, then none does", done - 1);
	is_int(wrong, 0, "... and each time it is 503, and nothing was restored");
}

static void
cost(struct seeded *s)
{
	struct browser b = browser_of(s, "tobias");

	get(&b, "/");
	get(&b, LIST_OF_ID);
	is_int(b.last.cost.round_trips, 2, "the list takes a trip beside that for its reader");
	is_int(b.last.cost.requests, 2 + 3, "... for head, revisions and unsaved texts");
	get(&b, LIST_OF_ID "/compare?from=1&to=2");
	is_int(b.last.cost.round_trips, 2, "a comparison takes one trip, too");
	is_int(b.last.cost.requests, 2 + 3, "... for head and both revisions");
}

int
main(void)
{
	struct seeded s;
	int64_t words;

	browsers_open(&s);
	words = stored(&s).post.words;
	before_the_first(&s);
	two_of_them(&s);
	wrong_addresses(&s);
	who_may(&s);
	cost(&s);
	restoring(&s, words);
	without_its_category(&s);
	without_its_picture(&s);
	many(&s);
	unsaved(&s);
	failures(&s);
	browsers_close(&s);
	return tap_done();
}
