/*
 * Nobody can take a name that could be mistaken for one of the staff or of an author; these people
 * themselves may.
 */
#include "signing.h"

#include "lib/tap.h"

#include "model/key.h"
#include "model/people/account.h"
#include "model/people/leaving.h"
#include "model/people/name.h"

#define PASSWORD_OF_ALL "many gulls on a mast"
#define LIKE_SOMEBODY "People would take you for somebody who writes here."
#define RESERVED "This name is reserved"

static enum http_status
enrol(struct seeded *s, const char *name, const char *shown)
{
	static int host;
	struct browser b =
	    browser(s, str_cstring(s->arena, str_fmt(s->arena, "192.0.2.%d", ++host)));

	get(&b, "/register");
	return SUBMIT(&b, "/register", "username", name, "display_name", shown, "email",
	    str_cstring(s->arena, str_fmt(s->arena, "h%d@example.org", host)), "password",
	    PASSWORD_OF_ALL);
}

static void
registering(struct seeded *s)
{
	static const struct {
		const char *name, *shown;
		bool free;
	} cases[] = {
	    {"admin", "", false},
	    {"adm1n", "", false},
	    {"_root_", "", false},
	    {"support24", "", false},
	    {"broadsheet", "", false},
	    {"slackwater", "", false},
	    {"_marta", "", false},
	    {"rnarta", "", false},
	    {"k0fi_", "", false},
	    {"marta_salgueiro", "", false},
	    {"free_one", "Marta Salgueiro", false},
	    {"free_two", "M\xd0\xb0rta Salgueiro", false},
	    {"free_three", "The Admin", false},
	    {"free_four", "Gull\xe2\x80\x8b", false},
	    {"free_five", "Slack  Water", false},
	    {"marten", "", true},
	    {"free_six", "Tess Gull", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_int(enrol(s, cases[i].name, cases[i].shown),
		    cases[i].free ? HTTP_SEE_OTHER : HTTP_UNPROCESSABLE,
		    "\"%s\", shown as \"%s\": %s", cases[i].name, cases[i].shown,
		    cases[i].free ? "welcome" : "refused");
}

static enum http_status
rename_to(struct browser *b, const char *name)
{
	get(b, "/account");
	return SUBMIT(b, "/account/profile", "display_name", name, "bio", "I read.");
}

static void
profiles(struct seeded *s)
{
	struct browser reader = browser_of(s, "marten"), kofi = browser_of(s, "kofi");

	is_int(rename_to(&reader, "Kofi Mensah-Boyd"), HTTP_UNPROCESSABLE,
	    "A reader does not take an author's name");
	ok(says(&reader, LIKE_SOMEBODY) && says(&reader, "I read."),
	    "... which is said beside the field, and nothing is lost;");
	is_int(rename_to(&reader, "K\xd0\xbe"
				  "fi Mensah Boyd"),
	    HTTP_UNPROCESSABLE, "... nor one with a letter of another script,");
	ok(says(&reader, "mixes letters of different scripts that look alike"),
	    "... which is said;");
	is_int(rename_to(&reader, "Mar\xe2\x80\xaeten"), HTTP_UNPROCESSABLE,
	    "... nor one that turns what stands beside it,");
	is_int(
	    rename_to(&reader, "Moderator"), HTTP_UNPROCESSABLE, "... nor a word of the staff's.");
	ok(says(&reader, RESERVED), "... which is said.");
	is_int(rename_to(&reader, "marten"), HTTP_SEE_OTHER, "Their own name they may have,");
	is_int(rename_to(&reader, "Marten B."), HTTP_SEE_OTHER, "... or another one.");
	is_int(rename_to(&kofi, "Ebb Watcher"), HTTP_SEE_OTHER, "An author takes another name");
	is_int(rename_to(&reader, "Ebb  Wat\xc3\xa7her"), HTTP_UNPROCESSABLE,
	    "... which is theirs then");
	is_int(rename_to(&reader, "Kofi Mensah-Boyd"), HTTP_SEE_OTHER,
	    "... while the old one is free.");
	is_int(rename_to(&kofi, "Marta Salgueiro"), HTTP_SEE_OTHER, "Authors may share one.");
}

/* Somebody becomes an author, stops being one, or leaves. */
static void
changes_of_role(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .now = s->clock.fixed_now};
	const struct new_account tess = {.username = STR("tess_gull"),
	    .display_name = STR("Tess of the Harbour"),
	    .role = ROLE_EDITOR,
	    .status = USER_ACTIVE};
	struct browser reader = browser_of(s, "marten");
	struct account account;

	is_int(account_create(&plan, &tess), PLAN_DONE, "The command line makes an editor");
	is_int(rename_to(&reader, "Tess of the Harb0ur"), HTTP_UNPROCESSABLE,
	    "... whose name is theirs");
	is_int(rename_to(&reader, "Tess  Gull"), HTTP_UNPROCESSABLE, "... by the username, too;");
	account_set_role_and_status(&plan, STR("tess_gull"), ROLE_READER, AS_IT_IS);
	is_int(rename_to(&reader, "Tess of the Harbour"), HTTP_SEE_OTHER,
	    "a reader's is nobody's alone;");
	is_int(rename_to(&reader, "Marten"), HTTP_SEE_OTHER, "given back,");
	account_set_role_and_status(&plan, STR("tess_gull"), ROLE_AUTHOR, AS_IT_IS);
	is_int(rename_to(&reader, "Tess of the Harbour"), HTTP_UNPROCESSABLE,
	    "... it is theirs alone when they are an author again,");
	account_find(&plan, STR("tess_gull"), &account);
	is_int(account_leave(&plan, &s->clock, &account.user, false), PLAN_DONE,
	    "... until they leave.");
	is_int(rename_to(&reader, "Tess of the Harbour"), HTTP_SEE_OTHER, "Then it is free.");
	table_release(s->table, &call);
}

int
main(void)
{
	struct seeded s;
	struct item settings;
	size_t added;

	browsers_open(&s);
	settings = seeded_item(&s, "SITE", "SETTINGS");
	item_set(s.arena, &settings, STR("Registration"), value_string(STR("open")));
	seeded_put(&s, &settings, 1);
	is_int(names_guard_all(s.table, &added), TABLE_OK, "An old table's names are guarded");
	ok(added > 8, "... all of its authors' and staff's");
	is_int(names_guard_all(s.table, &added), TABLE_OK, "... once:");
	is_int((int64_t)added, 0, "nothing is written again.");
	registering(&s);
	profiles(&s);
	changes_of_role(&s);
	browsers_close(&s);
	return tap_done();
}
