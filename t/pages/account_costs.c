/*
 * What the pages and forms of accounts cost at the table, and what happens when it fails. Each call of each form
 * fails in turn: the answer is 503 and says nothing else, and what the table held it holds still, but for what
 * counts tries.
 */
#include "browser.h"

#include "../failing_table.h"
#include "../tap.h"

#include "model/account.h"
#include "model/session.h"
#include "model/totp.h"

#define PASSWORD "four words in a row"

/* --- Pages -------------------------------------------------------------------------------------------- */

static const struct {
	const char *who, *address; /* NULL: a stranger */
	uint32_t requests, trips;  /* when the publication is at hand */
} pages[] = {
    {NULL, "/login", 0, 0}, {NULL, "/register", 0, 0}, {NULL, "/forgot", 0, 0},
    {NULL, "/reset/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 1, 1}, {"marta", "/account", 3, 2},
    {"marta", "/account/data", 2, 1}, {"marta", "/account/two-step", 3, 2},
    {"marta", "/admin/invitations", 3, 2}, {"noor", "/account", 4, 3}, /* who is in a group */
};

static void
costs(struct seeded *s, struct failing_table *failing)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct browser b =
		    pages[i].who != NULL ? browser_of(s, pages[i].who) : browser(s, "192.0.2.1");

		seeded_restart(s, 0);
		get(&b, "/categories");
		failing_table_arm(failing, 0, TABLE_OK);
		get(&b, pages[i].address);
		is_int(b.last.cost.requests, pages[i].requests, "%s, %s: %u requests",
		    pages[i].address, pages[i].who != NULL ? pages[i].who : "a stranger",
		    pages[i].requests);
		is_int(b.last.cost.round_trips, pages[i].trips, "... in %u trips", pages[i].trips);
		is_int(failing->writes, 0, "... and nothing is written");
	}
}

static void
page_failures(struct seeded *s, struct failing_table *failing)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct browser b =
		    pages[i].who != NULL ? browser_of(s, pages[i].who) : browser(s, "192.0.2.1");
		enum http_status right = get(&b, pages[i].address);
		unsigned wrong = 0, n = 1;

		for (bool more = true; more; n++) {
			seeded_restart(s, 0);
			failing_table_arm(failing, n, TABLE_UNAVAILABLE);
			get(&b, pages[i].address);
			more = failing->calls >= n;
			wrong += more && b.last.status != HTTP_UNAVAILABLE;
		}
		failing_table_arm(failing, 0, TABLE_OK);
		is_int(wrong, 0, "%s: 503 when one of its %u calls fails", pages[i].address, n - 2);
		is_int(get(&b, pages[i].address), right, "... and then it is as it was");
	}
}

/* --- Forms -------------------------------------------------------------------------------------------- */

struct run {
	struct seeded *s;
	struct failing_table *failing;
	struct str secret; /* of noor's app, once she has one */
};

/* Everything in the table but tries, as one number. */
static uint64_t
digest(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct walk_page page = {.next = STR("")};
	uint64_t sum = 0;

	do {
		struct str cursor = page.next;

		if (table_walk(s->table, &call, cursor, 500, &page) != TABLE_OK)
			bail_out("the walk failed");
		for (size_t i = 0; i < page.count; i++) {
			struct str bytes = item_encode(s->arena, &page.items[i]);
			uint64_t hash = 14695981039346656037u;

			if (str_eq(item_string(&page.items[i], STR("Type")), STR("RateLimit")))
				continue;
			for (size_t n = 0; n < bytes.len; n++)
				hash = (hash ^ (unsigned char)bytes.base[n]) * 1099511628211u;
			sum += hash;
		}
	} while (page.next.len != 0);
	table_release(s->table, &call);
	return sum;
}

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
login(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/login", "name", "marta", "password", PASSWORD);
}

static void
profile(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/profile", "display_name", "K", "bio", "B");
}

static void
email(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/email", "email", "k@example.org", "email_password", PASSWORD);
}

static void
password(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/password", "old_password", PASSWORD, "new_password", PASSWORD " too");
}

static void
others(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/sessions", "session", "others");
}

static void
logout(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/logout", "x", "y");
}

static void
enrol(struct run *r, struct browser *b)
{
	read_secret(r, b);
	SUBMIT(b, "/account/two-step", "code", code_now(r), "password", PASSWORD);
}

static void
new_codes(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/two-step/codes", "codes_password", PASSWORD);
}

static void
first_step(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/login", "name", "noor", "password", PASSWORD);
}

static void
two_step_off(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/two-step/off", "off_password", PASSWORD);
}

static void export(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/export", "x", "y");
}

static void
registering(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(
	    b, "/register", "username", "somebody", "email", "s@example.org", "password", PASSWORD);
}

static void
invite(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/admin/invitations", "invite", "1");
}

static void
leave(struct run *r, struct browser *b)
{
	(void)r;
	SUBMIT(b, "/account/delete", "posts", "keep", "delete_password", PASSWORD);
}

static const struct {
	const char *says, *who, *page;
	void (*send)(struct run *r, struct browser *b);
	enum http_status right;
	unsigned whole; /* only so many of its first calls fail in this test; 0: all */
} forms[] = {
    /* Behind the session comes a look at who it is. */
    {"signing in", NULL, "/login", login, HTTP_SEE_OTHER, 3},
    {"a profile", "kofi", "/account", profile, HTTP_SEE_OTHER, 0},
    {"an address", "kofi", "/account", email, HTTP_SEE_OTHER, 0},
    {"a password", "kofi", "/account", password, HTTP_SEE_OTHER, 0},
    {"ending sessions", "marta", "/account", others, HTTP_SEE_OTHER, 0},
    {"signing out", "marta", "/account", logout, HTTP_SEE_OTHER, 0},
    {"turning two steps on", "noor", "/account/two-step", enrol, HTTP_OK, 0},
    {"new recovery codes", "noor", "/account/two-step", new_codes, HTTP_OK, 0},
    {"the first step", NULL, "/login", first_step, HTTP_OK, 0},
    {"turning two steps off", "noor", "/account/two-step", two_step_off, HTTP_SEE_OTHER, 0},
    {"the download", "noor", "/account/data", export, HTTP_OK, 0},
    {"registering", NULL, "/register", registering, HTTP_SEE_OTHER, 0},
    {"inviting", "marta", "/admin/invitations", invite, HTTP_OK, 0},
    /* Behind the mark the rest is done later, and the answer is that it will be. */
    {"leaving", "noor", "/account/data", leave, HTTP_OK, 5},
};

/* One run of a form: true when its n-th call was there to fail. */
static bool
run_form(struct run *r, size_t i, unsigned n, unsigned *wrong)
{
	struct browser b =
	    forms[i].who != NULL ? browser_of(r->s, forms[i].who) : browser(r->s, "192.0.2.2");
	unsigned fails = forms[i].whole == 0 || n <= forms[i].whole ? n : 0;
	uint64_t before;

	r->s->clock.fixed_now += 600000;
	get(&b, forms[i].page);
	before = digest(r->s);
	failing_table_arm(r->failing, fails, TABLE_UNAVAILABLE);
	forms[i].send(r, &b);
	if (fails == 0 || r->failing->calls < n) {
		failing_table_arm(r->failing, 0, TABLE_OK);
		is_int(b.last.status, forms[i].right, "%s is done when none of %u calls fails",
		    forms[i].says, n - 1);
		return false;
	}
	failing_table_arm(r->failing, 0, TABLE_OK);
	if (b.last.status != HTTP_UNAVAILABLE || digest(r->s) != before) {
		printf("# call %u: %d\n", n, (int)b.last.status);
		++*wrong;
	}
	return true;
}

static void
form_failures(struct run *r)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		unsigned wrong = 0, n = 1;

		while (run_form(r, i, n, &wrong))
			n++;
		is_int(wrong, 0, "... when one does, it says so and nothing has changed");
	}
}

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
	costs(&s, &failing);
	page_failures(&s, &failing);
	run = (struct run){.s = &s, .failing = &failing};
	form_failures(&run);
	s.site.table = s.table;
	browsers_close(&s);
	return tap_done();
}
