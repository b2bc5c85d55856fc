/*
 * Somebody is suspended for a time: they sign in, read, and are told what, why and until when; they write nothing, lose
 * nothing that they typed, and answer once. It ends by itself, or by hand.
 */
#include "signing.h"
#include "staff.h"
#include "writer.h"

#include "lib/failing_table.h"
#include "model/key.h"

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define SUSPEND "/admin/users/pascal/suspend"

static void
days_pass(struct seeded *s, int64_t days)
{
	s->clock.fixed_now += days * 86400000;
}

static enum http_status
suspend_pascal(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");

	get(&marta, SUSPEND);
	return SUBMIT(&marta, SUSPEND, "days", "3", "why", "Three insults <in> a row.");
}

static void
who_may(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");

	is_int(get(&b, SUSPEND), HTTP_OK, "an admin suspends a reader");
	is_int(get(&b, "/admin/users/kofi/suspend"), HTTP_OK, "... and an author");
	is_int(get(&b, "/admin/users/marta/suspend"), HTTP_NOT_FOUND, "... but not themselves");
	is_int(get(&b, "/admin/users/nobody_here/suspend"), HTTP_NOT_FOUND, "... nor nobody");
	get(&b, SUSPEND);
	is_int(SUBMIT(&b, SUSPEND, "days", "3"), HTTP_UNPROCESSABLE, "a reason is wanted");
	ok(says(&b, "They are told why"), "... which it says");
	b = browser_of(s, "ingrid");
	is_int(get(&b, SUSPEND), HTTP_OK, "who moderates suspends a reader");
	is_int(get(&b, "/admin/users/kofi/suspend"), HTTP_NOT_FOUND, "... and no author");
	become(s, "tobias", "admin");
	b = browser_of(s, "marta");
	is_int(get(&b, "/admin/users/tobias/suspend"), HTTP_NOT_FOUND, "an admin is not suspended");
	become(s, "tobias", "editor");
}

static void
is_told(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal"), open = pascal;
	size_t before = lines(s);

	get(&open, WRITE);
	is_int(suspend_pascal(s), HTTP_SEE_OTHER, "pascal is suspended");
	ok(lines(s) == before + 1, "... which the log has");
	is_int(SUBMIT(&open, WRITE, "do", "send", "text", "But I was just <writing>."),
	    HTTP_FORBIDDEN, "what he sends is refused");
	ok(says(&open, "You are suspended") && says(&open, "Why: Three insults <in> a row."),
	    "... he is told, and why");
	ok(says(&open, "But I was just <writing>."), "... what he typed is there");
	ok(!holds(visit(s, STR(TIDE)).body, STR("But I was just")), "... and written nowhere");
	is_int(get(&pascal, TIDE), HTTP_OK, "he reads");
	ok(says(&pascal, "/account/suspension"), "... each page leads to why");
	is_int(get(&pascal, WRITE), HTTP_FORBIDDEN, "he begins nothing");
	get(&pascal, "/author/ingrid");
	is_int(SUBMIT(&pascal, "/author/ingrid/follow", "do", "follow"), HTTP_FORBIDDEN,
	    "... follows nobody");
	get(&pascal, "/author/ingrid");
	is_int(SUBMIT(&pascal, "/author/ingrid/mute", "do", "mute"), HTTP_SEE_OTHER,
	    "... but mutes whom he likes");
	get(&pascal, "/account");
	is_int(SUBMIT(&pascal, "/account/profile", "bio", "Silenced!"), HTTP_FORBIDDEN,
	    "... says nothing on his page");
}

static void
answers(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal"), marta = browser_of(s, "marta"), again, other;

	get(&pascal, "/account/suspension");
	ok(says(&pascal, "Until 21 November 2026"), "he is told until when");
	again = pascal;
	is_int(SUBMIT(&pascal, "/account/suspension", "text", ""), HTTP_UNPROCESSABLE,
	    "an empty answer is none");
	is_int(SUBMIT(&pascal, "/account/suspension", "text", "They were <jokes>."), HTTP_SEE_OTHER,
	    "he answers");
	other = again;
	is_int(SUBMIT(&again, "/account/suspension", "text", "They were <jokes>."), HTTP_SEE_OTHER,
	    "... once, however often it is sent");
	is_int(SUBMIT(&other, "/account/suspension", "text", "Another one."), HTTP_CONFLICT,
	    "another answer is none");
	ok(says(&other, "Another one.") && says(&other, "You have answered already"),
	    "... which is said, with what was typed");
	get(&pascal, "/account/suspension");
	ok(says(&pascal, "You have answered.") && !says(&pascal, "<textarea"), "... and no more");
	get(&marta, "/admin/appeals");
	ok(says(&marta, "They were <jokes>.") && !says(&marta, "Another one."),
	    "the staff read it");
	ok(says(&marta, SUSPEND), "... beside the way to undo it");
	is_int(SUBMIT(&marta, "/admin/appeals", "settle",
		   str_cstring(s->arena, part(marta.last.body, "name=\"settle\" value=\"", "\""))),
	    HTTP_SEE_OTHER, "... and settle it");
	get(&marta, "/admin/appeals?done=settled");
	ok(says(&marta, "Nothing waits."), "... which is all");
}

static void
ends(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal"), marta = browser_of(s, "marta");

	days_pass(s, 3);
	pascal = browser_of(s, "pascal");
	is_int(get(&pascal, WRITE), HTTP_OK, "after three days he writes again");
	is_int(get(&pascal, "/account/suspension"), HTTP_NOT_FOUND, "... and nothing is said");
	suspend_pascal(s);
	is_int(get(&pascal, WRITE), HTTP_FORBIDDEN, "suspended anew");
	get(&pascal, "/account/suspension");
	ok(says(&pascal, "<textarea"), "... he may answer anew");
	marta = browser_of(s, "marta");
	get(&marta, SUSPEND);
	is_int(SUBMIT(&marta, SUSPEND, "end", "1"), HTTP_SEE_OTHER, "it is ended by hand");
	is_int(SUBMIT(&pascal, "/account/suspension", "text", "But they <laughed>."),
	    HTTP_NOT_FOUND, "... while he answers");
	ok(says(&pascal, "But they <laughed>."), "... which he has back");
	is_int(get(&pascal, WRITE), HTTP_OK, "... at once");
}

/* Somebody of the staff has no office while they are suspended. */
static void
of_staff(struct seeded *s)
{
	struct browser tobias = browser_of(s, "tobias"), marta = browser_of(s, "marta");

	is_int(get(&tobias, "/admin"), HTTP_OK, "an editor");
	get(&marta, "/admin/users/tobias/suspend");
	SUBMIT(&marta, "/admin/users/tobias/suspend", "days", "1", "why", "A pause.");
	is_int(get(&tobias, "/admin"), HTTP_FORBIDDEN, "... who is suspended has no office");
	ok(says(&tobias, "You are suspended"), "... and is told why");
	is_int(get(&tobias, "/write/article"), HTTP_FORBIDDEN, "... and begins no post");
}

/* They are suspended behind the first read of what they send, which finds them as they were. */
static void
on_its_way(struct seeded *s)
{
	static const char *const forms[][2] = {{"/write/note", "markdown"}, {WRITE, "text"}};
	const struct change until = {
	    CHANGE_SET, STR("SuspendedUntil"), value_string(STR("2030-01-01T00:00:00.000Z"))};
	const struct change ended = {.op = CHANGE_REMOVE, .name = STR("SuspendedUntil")};
	struct write write = {
	    .kind = WRITE_UPDATE, .key = key_user(s->arena, STR("kofi")), .change_count = 1};
	struct table_call call = {.arena = s->arena};

	for (size_t i = 0; i < 2; i++) {
		struct browser kofi = browser_of(s, "kofi");
		struct failing_table failing;

		get(&kofi, forms[i][0]);
		failing_table_begin(&failing, s->table);
		s->site.table = &failing.table;
		write.changes = &until;
		failing.behind = &write;
		is_int(SUBMIT(&kofi, forms[i][0], forms[i][1], "Just <now>.", "do",
			   i == 0 ? "publish" : "send"),
		    HTTP_FORBIDDEN, "suspended meanwhile, nobody writes with %s", forms[i][0]);
		s->site.table = s->table;
		ok(says(&kofi, "suspended just now") && says(&kofi, "Just <now>."),
		    "... which says why, and has what was typed");
		write.changes = &ended;
		if (table_write(s->table, &call, &write) != TABLE_OK)
			bail_out("%s", call.why);
	}
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	who_may(&s);
	is_told(&s);
	answers(&s);
	ends(&s);
	of_staff(&s);
	on_its_way(&s);
	browsers_close(&s);
	return tap_done();
}
