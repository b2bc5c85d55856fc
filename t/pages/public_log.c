/*
 * The log of moderation that readers see: what the staff do by hand to people, addresses and the whole site stands there, too,
 * without names unless admins want them, and never with an address.
 */
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"

#define LOG "/moderation"
#define PERSON "/admin/users/pascal"
#define RANGE "203.0.113.0/24"

static void
has(struct seeded *s, const char *line)
{
	ok(holds(visit(s, STR(LOG)).body, str_of(line)), "%s", line);
}

static void
people(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta");

	get(&admin, PERSON "/suspend");
	is_int(SUBMIT(&admin, PERSON "/suspend", "days", "3", "why", "An insult."), HTTP_SEE_OTHER,
	    "somebody is suspended");
	has(s, "Somebody was suspended until 21 November");
	ok(!stranger_sees(s, LOG, "An insult."), "... why is theirs alone to read");
	get(&admin, PERSON "/suspend");
	is_int(SUBMIT(&admin, PERSON "/suspend", "end", "1"), HTTP_SEE_OTHER, "... no more");
	has(s, "Somebody was suspended no more");
	get(&admin, PERSON "/purge");
	is_int(SUBMIT(&admin, PERSON "/purge", "hours", "hour", "name", "pascal"), HTTP_SEE_OTHER,
	    "what somebody left is purged");
	has(s, "What somebody had left was removed");
	get(&admin, PERSON "/purge");
	is_int(SUBMIT(&admin, PERSON "/purge", "do", "restore"), HTTP_SEE_OTHER, "... and restored");
	has(s, "What somebody had left was restored");
}

static void
addresses(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta");

	get(&admin, "/admin/addresses");
	is_int(SUBMIT(&admin, "/admin/addresses", "range", RANGE, "hours", "24", "why", "A storm."),
	    HTTP_SEE_OTHER, "addresses are blocked");
	has(s, "A range of addresses was blocked until 19 November");
	get(&admin, "/admin/addresses");
	is_int(SUBMIT(&admin, "/admin/addresses", "remove", RANGE), HTTP_SEE_OTHER, "... no more");
	has(s, "A range of addresses was unblocked");
	ok(!stranger_sees(s, LOG, "203.0.113") && !stranger_sees(s, LOG, "A storm."),
	    "... which, and why, is nobody's business");
}

static void
switches(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta");

	get(&admin, "/admin/settings");
	is_int(SUBMIT(&admin, "/admin/settings", "name", "Slack Water", "language", "en",
		   "registration", "open", "two_step_for", "nobody", "posts_per_page", "20",
		   "time_zone", "UTC", "comments_off", "1", "votes_off", "1"),
	    HTTP_SEE_OTHER, "comments and votes are turned off");
	has(s, "Comments were turned off for the whole site");
	has(s, "Votes and likes were turned off for the whole site");
	ok(!stranger_sees(s, LOG, "Ratings were"), "... and nothing else");
	get(&admin, "/admin/settings");
	SUBMIT(&admin, "/admin/settings", "name", "Slack Water", "language", "en", "registration",
	    "open", "two_step_for", "nobody", "posts_per_page", "20", "time_zone", "UTC",
	    "comments_off", "", "votes_off", "");
	has(s, "Comments were turned on for the whole site");
}

static void
names(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta");

	ok(!stranger_sees(s, LOG, "pascal") && !stranger_sees(s, LOG, "marta"), "nobody is named");
	submit_form(&admin, "/admin/moderation", "/admin/moderation",
	    (const char *const[]){"name_staff", "1", "name_people", "1", NULL});
	has(s, "pascal was suspended until 21 November by marta");
	has(s, "What pascal had left was removed by marta");
	has(s, "Comments were turned off for the whole site by marta");
}

static void
leads_there(struct seeded *s)
{
	ok(stranger_sees(s, "/post/the-tide-in-forty-lines-of-c", "href=\"" LOG "\""),
	    "the comments of a post lead to the log");
	ok(stranger_sees(s, "/comments", "href=\"" LOG "\""), "... and so do those of the site");
	is_int(visit(s, STR(LOG)).cost.round_trips, 1, "it is read in one trip, where it names no post");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	people(&s);
	addresses(&s);
	switches(&s);
	names(&s);
	leads_there(&s);
	browsers_close(&s);
	return tap_done();
}
