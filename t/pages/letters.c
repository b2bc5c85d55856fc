/*
 * The letter of the week, which is asked for, and the link in a letter that ends such letters: for who has it, from anywhere, by
 * a mail program as well, and for nobody else.
 */
#include "lib/tap.h"
#include "t/pages/browser.h"

#include "model/key_outbox.h"
#include "model/people/digest.h"
#include "model/site/outbox.h"
#include "model/site/unsubscribe.h"
#include "model/site/work.h"

static const char *
link_of(struct seeded *s, const char *username, enum unsubscribe what)
{
	struct secret_keys keys;

	site_keys(&s->site, UNSUBSCRIBE_PURPOSE, &keys);
	return str_cstring(s->arena, STR_CONCAT(s->arena, STR("/letters/"),
	    unsubscribe_token(s->arena, &s->clock, &keys, str_of(username), what)));
}

static bool
wants(struct seeded *s, const char *username)
{
	struct table_call call = {.arena = s->arena};
	struct read read = digest_read(s->arena, str_of(username));

	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("no table");
	table_release(s->table, &call);
	return digest_wanted(&read);
}

static void
is_asked_for(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), nobody = browser(s, "192.0.2.1");

	is_int(get(&nobody, "/account/letters"), HTTP_SEE_OTHER, "strangers have no such page");
	is_int(get(&noor, "/account/letters"), HTTP_OK, "members have");
	ok(!wants(s, "noor"), "nobody gets a letter of the week who has not asked for it");
	is_int(SUBMIT(&noor, "/account/letters", "week", "1"), HTTP_SEE_OTHER, "it is asked for");
	ok(wants(s, "noor"), "... and noted");
	get(&noor, "/account/letters?done=letters");
	ok(holds(noor.last.body, STR("Saved.")), "... which the page says");
	ok(holds(noor.last.body, STR(" checked")), "... and shows");
	is_int(SUBMIT(&noor, "/account/letters", "week", "1"), HTTP_SEE_OTHER, "twice is once");
	get(&noor, "/account/letters");
	is_int(SUBMIT(&noor, "/account/letters", "x", "y"), HTTP_SEE_OTHER, "without the mark");
	ok(!wants(s, "noor"), "... it is not wanted any more");
}

static void
is_ended(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), nobody = browser(s, "192.0.2.1");
	const char *link = link_of(s, "noor", UNSUBSCRIBE_WEEK);

	get(&noor, "/account/letters");
	SUBMIT(&noor, "/account/letters", "week", "1");
	is_int(get(&nobody, link), HTTP_OK, "the link in a letter opens for whoever has it");
	ok(wants(s, "noor"), "... and ends nothing by itself");
	ok(holds(nobody.last.body, STR("the letter of the week")) &&
		holds(nobody.last.body, STR("noor")),
	    "... it says what and whose");
	is_int(SUBMIT(&nobody, link, "x", "y"), HTTP_OK, "its button");
	ok(!wants(s, "noor"), "... does");
	is_int(fetch(&nobody, "POST", link, STR("")), HTTP_OK, "again is no error");

	get(&noor, "/account/letters");
	SUBMIT(&noor, "/account/letters", "week", "1");
	nobody.site = STR("cross-site");
	is_int(fetch(&nobody, "POST", link, STR("List-Unsubscribe=One-Click")), HTTP_OK,
	    "a mail program sends one request, from anywhere");
	ok(!wants(s, "noor"), "... and that is all");
	ok(header(&nobody.last, "Set-Cookie").len == 0, "... without a cookie");
}

static void
is_nobody_elses(struct seeded *s)
{
	struct browser noor = browser_of(s, "noor"), nobody = browser(s, "192.0.2.1");
	const char *link = link_of(s, "noor", UNSUBSCRIBE_WEEK);
	char *changed = str_cstring(s->arena, str_of(link));
	size_t middle = strlen(changed) / 2;

	get(&noor, "/account/letters");
	SUBMIT(&noor, "/account/letters", "week", "1");
	changed[middle] = changed[middle] == 'A' ? 'B' : 'A';
	is_int(fetch(&nobody, "POST", changed, STR("")), HTTP_NOT_FOUND, "a link that was changed");
	is_int(fetch(&nobody, "POST", "/letters/x", STR("")), HTTP_NOT_FOUND, "one that is none");
	is_int(fetch(&nobody, "POST", link_of(s, "nobody", UNSUBSCRIBE_WEEK), STR("")), HTTP_NOT_FOUND,
	    "one of an account that is gone");
	ok(wants(s, "noor"), "... end nothing");
	ok(!str_eq(str_of(link), str_of(link_of(s, "noor", UNSUBSCRIBE_WEEK))),
	    "no two letters have the same link");
}

static void
is_overseen(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct browser marta = browser_of(s, "marta");
	const struct letter letters[] = {
	    {.to = STR("Unoor"), .what = STR("week"), .thing = STR("a"), .made = clock_now(&s->clock)},
	    {.to = STR("Unoor"), .what = STR("week"), .thing = STR("b"), .made = clock_now(&s->clock)},
	};
	const struct sender_state state = {.sent = 1234,
	    .unsure = 1,
	    .down_since = clock_now(&s->clock) - 60 * 1000,
	    .why = STR("it is on fire")};
	const struct work_derived derived = {
	    .name = STR("feed"), .version = 1, .rebuilt_at = clock_now(&s->clock)};
	size_t added;

	get(&marta, "/admin");
	ok(!holds(marta.last.body, STR("last made anew")), "of what was never derived no time is told");
	ok(holds(marta.last.body, STR("No mail server is set")), "admins see that there is no mail server");
	ok(holds(marta.last.body, STR("None was sent yet, and none waits.")), "... and that none waits");
	if (outbox_add(s->table, &call, letters, 2, clock_now(&s->clock), false, &added) != TABLE_OK ||
	    sender_state_store(s->table, &call, &state) != TABLE_OK ||
	    work_note_derived(s->table, &call, &derived) != TABLE_OK)
		bail_out("no table");
	get(&marta, "/admin");
	ok(holds(marta.last.body, STR("2 letters to be sent")), "... how many wait");
	ok(holds(marta.last.body, STR("1,234 sent, 0 refused or given up, 1 of which")),
	    "... what became of the others");
	ok(holds(marta.last.body, STR("The mail server can’t be used since 18 November")) &&
		holds(marta.last.body, STR("it is on fire")),
	    "... and that the server is down, since when and why");
	ok(holds(marta.last.body, STR("Everything was last made anew 18 November 2026")),
	    "... and when all that is derived was last made anew");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	is_asked_for(&s);
	is_ended(&s);
	is_nobody_elses(&s);
	is_overseen(&s);
	browsers_close(&s);
	return tap_done();
}
