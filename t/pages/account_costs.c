/*
 * What the pages and forms of accounts cost at the table, and what happens when it fails. Each call
 * of each form fails in turn: the answer is 503 and nothing else, and the table is unchanged,
 * except for counted attempts.
 */
#include "trials.h"

#include "model/people/account.h"
#include "model/people/session.h"
#include "model/people/totp.h"

#include <string.h>

#define PASSWORD "four words in a row"

/* --- Pages -------------------------------------------------------------------------------------------- */

static const struct trial_page pages[] = {
    {NULL, "/login", 0, 0},
    {NULL, "/register", 0, 0},
    {NULL, "/forgot", 0, 0},
    {NULL, "/subscribe", 0, 0},
    {NULL, "/subscribe/0123456789abcdef0123456789abcdef.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 1, 1},
    {NULL, "/reset/kofi.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 2, 1},
    {"marta", "/account", 5, 2},
    {"marta", "/account/data", 2, 1},
    {"marta", "/account/two-step", 2, 1},
    {"marta", "/admin/invitations", 3, 2},
    {"pascal", "/post/the-tide-in-forty-lines-of-c/comment", 11, 3},
    {"noor", "/account", 6, 3}, /* these two are in a group */
    {"marta", "/account/following", 4, 3},
    {"marta", "/account/notifications", 4, 2},
    {"marta", "/account/notifications/settings", 3, 2},
    {"marta", "/account/notifications/count", 2, 1},
    {"marta", "/account/watching", 3, 2},
    {"marta", "/account/followers", 5, 3},
    {"marta", "/account/blocked", 3, 2},
    {"marta", "/account/muted", 2, 1},
    {"marta", "/tag/tides", 10, 3},
    {"marta", "/category/kitchen", 4, 2},
    {"marta", "/follow/tag/tides", 4, 2},
    {"marta", "/account/letters", 3, 2},
    {NULL, "/letters/none", 0, 0},
    {"marta", "/author/kofi", 7, 2},
    {"marta", "/author/kofi/follow", 5, 2},
    {"marta", "/author/kofi/block", 5, 2},
};

/* --- Forms -------------------------------------------------------------------------------------------- */

struct run {
	struct seeded *s;
	struct str secret; /* of noor's app, once she has one */
};

static void
login(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/login", "name", "marta", "password", PASSWORD);
}

static void
profile(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/profile", "display_name", "K", "bio", "B");
}

static void
email(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/email", "email", "k@example.org", "email_password", PASSWORD);
}

static void
password(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/password", "old_password", PASSWORD, "new_password", PASSWORD " too");
}

static void
others(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/sessions", "session", "others", "sessions_password", PASSWORD);
}

static void
logout(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/logout", "x", "y");
}

static void
enrol(void *context, struct browser *b)
{
	struct run *r = context;

	r->secret = app_secret(b);
	SUBMIT(b, "/account/two-step", "code", app_code(r->s, r->secret, 0), "password", PASSWORD);
}

static void
new_codes(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/two-step/codes", "codes_password", PASSWORD);
}

static void
first_step(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/login", "name", "noor", "password", PASSWORD);
}

static void
two_step_off(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/two-step/off", "off_password", PASSWORD);
}

static void export(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/export", "x", "y");
}

static void
registering(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(
	    b, "/register", "username", "somebody", "email", "s@example.org", "password", PASSWORD);
}

static void
invite(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/admin/invitations", "invite", "1");
}

static void
leave(void *context, struct browser *b)
{
	(void)context;
	SUBMIT(b, "/account/delete", "posts", "keep", "delete_password", PASSWORD);
}

static const struct trial_form forms[] = {
    {"signing in", NULL, "/login", login, .right = HTTP_SEE_OTHER},
    {"a profile", "kofi", "/account", profile, .right = HTTP_SEE_OTHER},
    {"an address", "kofi", "/account", email, .right = HTTP_SEE_OTHER},
    {"a password", "kofi", "/account", password, .right = HTTP_SEE_OTHER},
    {"ending sessions", "marta", "/account", others, .right = HTTP_SEE_OTHER},
    {"signing out", "marta", "/account", logout, .right = HTTP_SEE_OTHER},
    {"turning two steps on", "noor", "/account/two-step", enrol, .right = HTTP_OK},
    {"new recovery codes", "noor", "/account/two-step", new_codes, .right = HTTP_OK},
    {"the first step", NULL, "/login", first_step, .right = HTTP_OK},
    {"turning two steps off", "noor", "/account/two-step", two_step_off, .right = HTTP_SEE_OTHER},
    {"the download", "noor", "/account/data", export, .right = HTTP_OK},
    {"registering", NULL, "/register", registering, .right = HTTP_SEE_OTHER},
    {"inviting", "marta", "/admin/invitations", invite, .right = HTTP_OK},
    /* After the mark the rest is done later, and the answer says so. */
    {"leaving", "noor", "/account/data", leave, .right = HTTP_OK, .whole = 3},
};

int
main(void)
{
	struct failing_table failing;
	struct item settings;
	struct run run;
	struct seeded s;

	browsers_open(&s);
	settings = seeded_item(&s, "SITE", "SETTINGS");
	item_set(s.arena, &settings, STR("Registration"), value_string(STR("open")));
	seeded_put(&s, &settings, 1);
	give_password(&s, "noor", PASSWORD);
	give_password(&s, "kofi", PASSWORD);
	give_password(&s, "marta", PASSWORD);
	failing_table_begin(&failing, s.table);
	s.site.table = &failing.table;
	trial_costs(&s, &failing, pages, sizeof(pages) / sizeof(pages[0]));
	trial_pages(&s, &failing, pages, sizeof(pages) / sizeof(pages[0]));
	run = (struct run){.s = &s};
	trial_forms(&s, &failing, forms, sizeof(forms) / sizeof(forms[0]), &run);
	s.site.table = s.table;
	browsers_close(&s);
	return trials_done();
}
