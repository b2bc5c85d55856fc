/*
 * A site may require a second step of its staff, or of everybody: whoever must have one and has
 * none sets it up before anything else.
 */
#include "signing.h"

#include "lib/tap.h"

#include "pages/shared/publication.h"

/* The setting, and a reader who comes by afterwards. */
static void
ask_of(struct seeded *s, const char *whom)
{
	struct item settings = seeded_item(s, "SITE", "SETTINGS");
	struct browser stranger = browser(s, "192.0.2.99");

	item_set(s->arena, &settings, STR("TwoStepFor"), value_string(str_of(whom)));
	seeded_put(s, &settings, 1);
	get(&stranger, "/archive");
}

static bool
is_led(struct browser *b, const char *address)
{
	return get(b, address) == HTTP_SEE_OTHER && str_eq(leads_to(b), STR("/account/two-step"));
}

static void
roles(struct seeded *s)
{
	static const struct {
		const char *whom;
		bool reader, author, editor, admin;
	} cases[] = {
	    {"nobody", false, false, false, false},
	    {"admins", false, false, false, true},
	    {"editors", false, false, true, true},
	    {"authors", false, true, true, true},
	    {"everybody", true, true, true, true},
	};
	struct item editor = seeded_item(s, "USER#ingrid", "METADATA");
	struct item reader = seeded_item(s, "USER#pascal", "METADATA");
	struct browser people[4];

	item_set(s->arena, &editor, STR("Role"), value_string(STR("editor")));
	seeded_put(s, &editor, 1);
	item_set(s->arena, &reader, STR("Role"), value_string(STR("reader")));
	seeded_put(s, &reader, 1);
	people[0] = browser_of(s, "pascal");
	people[1] = browser_of(s, "noor");
	people[2] = browser_of(s, "ingrid");
	people[3] = browser_of(s, "marta");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ask_of(s, cases[i].whom);
		ok(is_led(&people[0], "/account") == cases[i].reader &&
			is_led(&people[1], "/account") == cases[i].author &&
			is_led(&people[2], "/account") == cases[i].editor &&
			is_led(&people[3], "/account") == cases[i].admin,
		    "asked of %s, it is asked of them alone", cases[i].whom);
	}
}

static void
setting_up(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.1"), before;
	struct str secret;

	ask_of(s, "nobody");
	is_int(sign_in(&b, "noor", PASSWORD), HTTP_SEE_OTHER, "an author signs in");
	get(&b, "/account");
	before = b;
	ask_of(s, "authors");
	ok(is_led(&b, "/account") && is_led(&b, "/write") && is_led(&b, "/"),
	    "when it is asked of authors, all pages lead to it,");
	is_int(SUBMIT(&before, "/account/profile", "display_name", "Noor"), HTTP_FORBIDDEN,
	    "... no form is taken,");
	ok(says(&before, "Set that up in another window"), "... and it says what to do");
	is_int(get(&b, "/account/two-step"), HTTP_OK, "... but for this one");
	ok(says(&b, "This site asks you for a second step."), "... which says why");
	secret = app_secret(&b);
	is_int(
	    SUBMIT(&b, "/account/two-step", "code", app_code(s, secret, 0), "password", PASSWORD),
	    HTTP_OK, "it is set up");
	is_int(get(&b, "/account"), HTTP_OK, "... then all is open");
	get(&b, "/account/two-step");
	is_int(SUBMIT(&b, "/account/two-step/off", "off_password", PASSWORD), HTTP_SEE_OTHER,
	    "whoever turns it off");
	ok(is_led(&b, "/account"), "... sets it up anew");
	get(&b, "/account/two-step");
	is_int(SUBMIT(&b, "/logout", "x", "y"), HTTP_SEE_OTHER, "... or signs out");
}

/* An admin turns it on, and is the first to need it. */
static void
choosing(struct seeded *s)
{
	struct browser b = browser_of(s, "marta");

	ask_of(s, "nobody");
	is_int(get(&b, "/admin/settings"), HTTP_OK, "an admin");
	ok(says(&b, "Who must sign in in two steps"), "... finds the setting");
	is_int(
	    SUBMIT(&b, "/admin/settings", "name", "Slack Water", "language", "en", "registration",
		"open", "two_step_for", "editors", "posts_per_page", "20", "time_zone", "UTC"),
	    HTTP_SEE_OTHER, "... and sets it");
	get(&b, "/admin/settings");
	ok(is_led(&b, "/admin"), "... and is led to it from then on");
}

int
main(void)
{
	struct seeded s;

	everybody_opens(&s);
	s.site.render_error = page_error;
	roles(&s);
	setting_up(&s);
	choosing(&s);
	browsers_close(&s);
	return tap_done();
}
