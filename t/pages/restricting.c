/*
 * Posts, notes of reviews, profiles and collections are hidden from the queue: nobody else sees them anywhere, their owners
 * are told why, and answer once; they are restored, or after 30 days erased.
 */
#include "past.h"

#include "lib/failing_table.h"
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/key_moderation.h"
#include "model/post/collection.h"
#include "model/reader/erasure.h"
#include "model/reader/restriction.h"
#include "table/json.h"

#include <string.h>

#define QUEUE "/admin/comments"
#define MINE "/account/restricted"
#define DAY INT64_C(86400000)

/* What there is to hide: whose it is, how it is flagged, its name in the lists of the staff, where who sees what of it. */
static struct thing_case {
	const char *what, *owner, *flag, *name, *says;
	const char *pages[4];
	const char *target;
} cases[] = {
    {"post", "lowri", "/flag/post/first-brent-geese", "A post by", "Forty-one brents",
	{"/", "/author/lowri", "/feed.atom", "/post/first-brent-geese"}, "POST#first-brent-geese"},
    {"review", "pascal", "/flag/review/noaa-tides-and-currents?at=pascal", "A review by", NULL,
	{"/post/noaa-tides-and-currents", "/post/noaa-tides-and-currents/reviews",
	    "/author/pascal/reviews", "/stars/3"},
	"REVIEW#noaa-tides-and-currents#pascal"},
    {"profile", "pascal", "/flag/profile/pascal", "The profile of", "Keeper of the Bell",
	{"/author/pascal", NULL}, "PROFILE#pascal"},
    {"collection", "pascal", NULL, "For the café shelf", "For the café shelf",
	{"/collections", "/author/pascal/collections", NULL, NULL}, NULL},
};
enum { CROWD = 45 };
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* What the seed makes anew at each load. */
static void
find(struct seeded *s)
{
	struct item rating = seeded_item(s, "USER#pascal", "POST#noaa-tides-and-currents#RATING");
	struct str page = visit(s, STR("/collections")).body, id;
	const char *at = memmem(page.base, page.len, "For the café", strlen("For the café"));
	size_t end;

	if (at == NULL)
		bail_out("there is no such collection");
	cases[1].says = str_cstring(s->arena, str_sub(item_string(&rating, STR("Note")), 0, 20));
	end = (size_t)(at - page.base);
	while (end > 0 && memcmp(page.base + end, "/collection/", strlen("/collection/")) != 0)
		end--;
	id = str_sub(page, end + strlen("/collection/"), 14);
	cases[3].flag = text_in(s, "/flag/collection/%s", str_cstring(s->arena, id));
	cases[3].target = text_in(s, "COLLECTION#%s", str_cstring(s->arena, id));
	cases[3].pages[2] = text_in(s, "/collection/%s", str_cstring(s->arena, id));
	cases[3].pages[3] = text_in(s, "/collection/%s/feed.atom", str_cstring(s->arena, id));
}

static size_t
seen(struct seeded *s, const struct thing_case *c)
{
	size_t count = 0;

	for (size_t i = 0; i < 4 && c->pages[i] != NULL; i++)
		count +=
		    holds(unescaped(s->arena, visit(s, str_of(c->pages[i])).body), str_of(c->says));
	return count;
}

static struct str
row_of(struct browser *b, const char *list, const char *text)
{
	struct str rest = (get(b, list), b->last.body), row;

	while (between(&rest, STR("<li>"), STR("</li>"), &row))
		if (holds(row, str_of(text)))
			return row;
	return STR("");
}

static enum http_status
press(struct browser *b, const char *list, const char *text, const char *button)
{
	struct str row = row_of(b, list, text);
	struct str value = part(row, text_in(b->s, "name=\"%s\" value=\"", button), "\"");

	if (value.len == 0)
		bail_out("no button %s for %s", button, text);
	return SUBMIT(b, QUEUE, button, str_cstring(b->s->arena, unescaped(b->s->arena, value)));
}

static void
flag(struct seeded *s, const struct thing_case *c, const char *who)
{
	struct browser b = browser_of(s, who);

	s->clock.fixed_now += DAY / 24;
	get(&b, c->flag);
	SUBMIT(&b, c->flag, "reason", "spam");
}

static void
hides(struct seeded *s, const struct thing_case *c)
{
	struct browser editor = browser_of(s, "tobias"), owner = browser_of(s, c->owner);
	struct browser other = browser_of(s, "kofi");
	size_t before = seen(s, c);
	struct str row;
	const char *answer;

	flag(s, c, "noor");
	ok(before > 0, "a %s is seen on %zu pages", c->what, before);
	is_int(press(&editor, QUEUE, c->name, "hide"), HTTP_SEE_OTHER, "... and hidden");
	ok(row_of(&editor, QUEUE "#flagged", c->name).len == 0, "... which settles its flags");
	is_int((int64_t)seen(s, c), 0, "nobody sees it anywhere");
	get(&other, c->pages[0]);
	ok(!holds(unescaped(s->arena, other.last.body), str_of(c->says)), "... signed in or not");
	get(&owner, MINE);
	ok(says(&owner, "Hidden by the editors") && says(&owner, "It is advertising.") &&
		!says(&owner, "tobias"),
	    "its owner is told why, not by whom");
	answer = str_cstring(
	    s->arena, unescaped(s->arena, STR_CONCAT(s->arena, STR(MINE "/answer?of="),
					      part(owner.last.body, MINE "/answer?of=", "\""))));
	is_int(get(&other, answer), HTTP_NOT_FOUND, "nobody else answers");
	get(&owner, answer);
	is_int(SUBMIT(&owner, answer, "answer", ""), HTTP_UNPROCESSABLE, "they do, something");
	get(&owner, answer);
	is_int(SUBMIT(&owner, answer, "answer", "It was a <joke>."), HTTP_SEE_OTHER, "... once");
	is_int(get(&owner, answer), HTTP_NOT_FOUND, "... only");
	row = row_of(&editor, QUEUE, "It was a");
	ok(holds(row, STR("Their answer: It was a &lt;joke&gt;.")), "the queue has the answer");
	is_int(press(&editor, QUEUE, "It was a", "keep"), HTTP_SEE_OTHER, "it is read");
	ok(row_of(&editor, QUEUE, "It was a").len == 0, "... and out of the queue");
	is_int(press(&editor, QUEUE "?show=hidden", "It was a", "restore"), HTTP_SEE_OTHER,
	    "it is restored");
	is_int((int64_t)seen(s, c), (int64_t)before, "... to be seen wherever it was");
	get(&owner, MINE);
	ok(says(&owner, "Nothing is held or hidden."), "... and nothing is said of it");
}

/* What its owner does with a hidden thing shows it to nobody. */
static void
stays_hidden(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), lowri = browser_of(s, "lowri");
	struct browser pascal = browser_of(s, "pascal");
	const char *edit = text_in(s, "%s/edit", cases[3].pages[2]);

	for (size_t i = 0; i < CASES; i++) {
		flag(s, &cases[i], "ingrid");
		press(&editor, QUEUE, cases[i].name, "hide");
	}
	get(&lowri, "/edit/first-brent-geese");
	is_int(lowri.last.status, HTTP_OK, "an author can edit what is hidden");
	ok(says(&lowri, "The editors have hidden it from others."), "... is told there");
	SUBMIT(&lowri, "/edit/first-brent-geese", "do", "publish", "anyway", "1", "title",
	    "Forty-one brents", "markdown", "Again.");
	is_int(lowri.last.status, HTTP_SEE_OTHER, "... and save it");
	is_int((int64_t)seen(s, &cases[0]), 0, "... and does not publish it");
	submit_form(&pascal, edit, edit, (const char *const[]){"name", "For the café shelf", NULL});
	is_int((int64_t)seen(s, &cases[3]), 0, "a collection is not made public");
	is_int(submit_form(&pascal, "/account", "/account/profile",
		   (const char *const[]){"bio", "Still Keeper of the Bell", NULL}),
	    HTTP_SEE_OTHER, "who changes a hidden profile");
	is_int((int64_t)seen(s, &cases[2]), 0, "... is not seen at once");
	ok(holds(row_of(&editor, QUEUE, "Still Keeper"), STR("Waits: it was hidden")),
	    "... but waits for an editor");
	is_int(press(&editor, QUEUE, "Still Keeper", "approve"), HTTP_SEE_OTHER,
	    "... who approves it");
	is_int((int64_t)seen(s, &cases[2]), 1, "... for everybody to see");
}

static enum plan_rc
erase(struct table *table, struct seeded *s, bool *done)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {
	    .table = table, .call = &call, .clock = &s->clock, .now = s->clock.fixed_now};
	enum plan_rc rc = erasure_round(&plan, done);

	table_release(table, &call);
	return rc;
}

/* Is it in any item of the table? */
static bool
is_stored(struct seeded *s, const char *text)
{
	struct all all = all_of(s);
	bool found = false;

	for (size_t i = 0; i < all.count; i++) {
		struct buf out = {.arena = s->arena};

		item_to_json(&out, &all.items[i]);
		found = found || holds(buf_str(&out), str_of(text));
	}
	return found;
}

static void
erases(struct seeded *s)
{
	struct browser author = browser_of(s, "kofi"), editor = browser_of(s, "tobias");
	struct failing_table failing;
	unsigned calls = 1, failures = 0;
	bool done = false;

	get(&author, "/post/first-brent-geese/comment");
	get(&author, "/post/eel-elver-glass/comment");
	SUBMIT(
	    &author, "/post/eel-elver-glass/comment", "do", "send", "text", "Nobody misses this.");
	press(&editor, QUEUE "?show=newest", "Nobody misses this.", "hide");
	s->clock.fixed_now += 29 * DAY;
	is_int(erase(s->table, s, &done), PLAN_DONE, "after 29 days");
	ok(done && is_stored(s, "Nobody misses this.") && is_stored(s, cases[1].says),
	    "... all is there still");
	s->clock.fixed_now += 2 * DAY;
	failing_table_begin(&failing, s->table);
	for (done = false; !done && calls < 200; calls++) {
		failing_table_arm(&failing, calls % 7 + 1, TABLE_UNAVAILABLE);
		failures += erase(&failing.table, s, &done) == PLAN_TABLE;
	}
	ok(done && failures > 3, "after 31, the table fails %u times, and it is done", failures);
	ok(!is_stored(s, "Nobody misses this."), "the text of a comment is erased");
	ok(!is_stored(s, cases[1].says), "... the note of a review");
	ok(!is_stored(s, "For the café shelf"), "... a collection");
	ok(!is_stored(s, "Again."), "... a post");
	ok(!is_stored(s, "\"RESTRICTION\""), "... and what was said of it");
	is_int(visit(s, STR("/post/first-brent-geese")).status, HTTP_GONE, "which is gone");
}

/* Each list of the queue goes on by itself, whatever stands in the others. */
static void
goes_on(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias");
	struct str address = STR(QUEUE), more;
	size_t found = 0, pages = 0;

	for (int i = 0; i < CROWD; i++) {
		const char *name = str_cstring(s->arena, str_fmt(s->arena, "crowd_%02d", i));
		struct restriction r = {.owner = str_of(name),
		    .target = {.what = FLAG_PROFILE, .person = str_of(name)},
		    .state = RESTRICTED_HELD,
		    .held_for = STR("it has the word “crowd”"),
		    .created = s->clock.fixed_now + i};
		struct item item = {.count = 0};

		newcomer(s, name);
		r.name = key_flag_target(s->arena, &r.target);
		key_set(s->arena, &item, key_restriction(s->arena, r.name), ITEM_RESTRICTION);
		key_index_restriction(
		    s->arena, &item, r.owner, r.created, r.name, RESTRICTIONS_HELD);
		bind_write(s->arena, &restriction_bindings, &r, &item);
		seeded_put(s, &item, 1);
	}
	do {
		get(&editor, str_cstring(s->arena, address));
		found += count_of(editor.last.body, STR("href=\"/author/crowd_"));
		more = part(editor.last.body, "<a class=\"older\" href=\"", "\"");
		address = unescaped(s->arena, more);
		if (pages == 0)
			ok(holds(editor.last.body, STR("aria-label=\"Pages: Posts, notes")),
			    "a list with more than a page leads on");
		else
			ok(!says(&editor, "Flagged by readers"), "... by itself");
	} while (more.len != 0 && ++pages < 5);
	is_int((int64_t)found, CROWD, "... to all that there is");
	is_int(get(&editor, QUEUE "?list=nonsense"), HTTP_BAD_REQUEST, "another list there is not");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	find(&s);
	for (size_t i = 0; i < CASES; i++)
		hides(&s, &cases[i]);
	stays_hidden(&s);
	erases(&s);
	goes_on(&s);
	browsers_close(&s);
	return tap_done();
}
