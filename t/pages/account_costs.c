/*
 * What the pages and forms of accounts cost at the table, and what happens when it fails. Each call of each form
 * fails in turn: the answer is 503 and says nothing else, and what the table held it holds still, but for what
 * counts tries.
 */
#include "trials.h"

#include "model/account.h"
#include "model/session.h"
#include "model/totp.h"

#include <string.h>

#define PASSWORD "four words in a row"

/* --- Pages -------------------------------------------------------------------------------------------- */

static const struct trial_page pages[] = {
    {NULL, "/login", 0, 0}, {NULL, "/register", 0, 0}, {NULL, "/forgot", 0, 0},
    {NULL, "/reset/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 1, 1}, {"marta", "/account", 3, 2},
    {"marta", "/account/data", 2, 1}, {"marta", "/account/two-step", 3, 2},
    {"marta", "/admin/invitations", 3, 2}, {"noor", "/account", 4, 3}, /* who is in a group */
};

/* --- Forms -------------------------------------------------------------------------------------------- */

struct run {
	struct seeded *s;
	struct str secret; /* of noor's app, once she has one */
};

static const char *
code_now(struct run *r)
{
	return str_cstring(
	    r->s->arena, str_fmt(r->s->arena, "%06u",
			     (unsigned)totp_code(r->secret, r->s->clock.fixed_now / TOTP_STEP_MS)));
}

/* The secret on the page of two-step sign-in. */
static void
read_secret(struct run *r, const struct browser *b)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	struct str text = part(b->last.body, "?secret=", "&amp;");
	struct buf out = {.arena = r->s->arena};
	unsigned held = 0, bits = 0;

	for (size_t i = 0; i < text.len; i++) {
		held = held << 5 | (unsigned)(strchr(alphabet, text.base[i]) - alphabet);
		for (bits += 5; bits >= 8; bits -= 8)
			buf_putc(&out, (char)(held >> (bits - 8) & 0xff));
	}
	r->secret = buf_str(&out);
}

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
	SUBMIT(b, "/account/sessions", "session", "others");
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

	read_secret(r, b);
	SUBMIT(b, "/account/two-step", "code", code_now(r), "password", PASSWORD);
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
    /* Behind the session comes a look at who it is. */
    {"signing in", NULL, "/login", login, .right = HTTP_SEE_OTHER, .whole = 3},
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
    /* Behind the mark the rest is done later, and the answer is that it will be. */
    {"leaving", "noor", "/account/data", leave, .right = HTTP_OK, .whole = 5},
};

static void
give_password(struct seeded *s, const char *name)
{
	struct item user =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name)), "METADATA");
	struct str hash;

	password_hash(s->site.passwords, s->arena, STR(PASSWORD), &hash);
	item_set(s->arena, &user, STR("PasswordHash"), value_string(hash));
	seeded_put(s, &user, 1);
}

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
	give_password(&s, "noor");
	give_password(&s, "kofi");
	give_password(&s, "marta");
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
