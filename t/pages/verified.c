/*
 * The verified mark: admins give it and take it away, the log says so, and it stands beside a name wherever that is shown,
 * at once.
 */
#include "staff.h"
#include "signing.h"

#include "lib/tap.h"

#define MARK "class=\"verified\""

/* Is the mark on the page, behind this name? */
static bool
marked(struct seeded *s, const char *address, const char *name)
{
	struct str page = visit(s, str_of(address)).body, found;

	while (between(&page, str_of(name), STR("</a>"), &found)) {
		struct str next = str_sub(page, 0, 40);

		if (holds(next, STR(MARK)))
			return true;
	}
	return false;
}

static void
giving(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");
	size_t before = lines(s);
	struct item person;

	ok(!marked(s, "/", ">Kofi") && !marked(s, "/authors", ">Kofi"), "nobody has the mark");
	get(&marta, "/admin/users/kofi");
	ok(says(&marta, "Has no verified mark"), "an admin sees that");
	is_int(SUBMIT(&marta, "/admin/users/kofi/verify", "verify", "yes"), HTTP_SEE_OTHER,
	    "... and gives it");
	is_str(leads_to(&marta), STR("/admin/users/kofi?done=verified"), "... which is said");
	one_line(s, before, "user.verify", "kofi", "given");
	person = seeded_item(s, "USER#kofi", "METADATA");
	ok(item_boolean(&person, STR("Verified")), "... and stored");
	get(&marta, "/admin/users/kofi");
	is_int(SUBMIT(&marta, "/admin/users/kofi/verify", "verify", "yes"), HTTP_SEE_OTHER,
	    "... twice, which is once");
}

static void
everywhere(struct seeded *s)
{
	static const char *const addresses[] = {"/", "/authors"};
	struct answer page;

	for (size_t i = 0; i < 2; i++)
		ok(marked(s, addresses[i], ">Kofi"), "the mark is on %s", addresses[i]);
	page = visit(s, STR("/author/kofi"));
	ok(holds(part(page.body, "<h1>", "</h1>"), STR(MARK)), "... on their own page");
	page = visit(s, STR("/post/the-tide-in-forty-lines-of-c"));
	ok(holds(page.body, STR(MARK)), "... on their posts");
	page = visit(s, STR("/author/ingrid"));
	ok(!holds(part(page.body, "<h1>", "</h1>"), STR(MARK)), "... and on nobody else's");
}

/* The settings are stored as a whole, and have it still. */
static void
settings(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");

	get(&marta, "/admin/settings");
	is_int(SUBMIT(&marta, "/admin/settings", "name", "Slack Water", "language", "en",
		   "posts_per_page", "20", "registration", "open", "two_step_for", "nobody",
		   "time_zone", "UTC", "tagline", "Another one"),
	    HTTP_SEE_OTHER, "the settings are saved");
	ok(holds(visit(s, STR("/")).body, STR("Another one")), "... and hold");
	ok(marked(s, "/authors", ">Kofi"), "... and who has the mark has it");
}

static void
cached(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta");
	size_t before;

	seeded_restart(s, 1 << 20);
	visit(s, STR("/authors"));
	ok(visit(s, STR("/authors")).cached, "a page that is kept");
	get(&marta, "/admin/users/kofi");
	before = lines(s);
	is_int(SUBMIT(&marta, "/admin/users/kofi/verify", "verify", "no"), HTTP_SEE_OTHER,
	    "the mark is taken away");
	one_line(s, before, "user.verify", "kofi", "taken away");
	ok(!marked(s, "/authors", ">Kofi"), "... and is on no kept page either");
	get(&marta, "/admin/users/kofi");
	is_int(SUBMIT(&marta, "/admin/users/kofi/verify", "verify", "maybe"), HTTP_BAD_REQUEST,
	    "it is there, or not");
	seeded_restart(s, 0);
}

/* Who is not active gets none; who leaves has none, and the settings do not name them any more. */
static void
leaving(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta"), noor;
	struct item site;
	size_t count;

	give(s, "pascal", PASSWORD, "disabled");
	get(&marta, "/admin/users/pascal");
	ok(!says(&marta, "verified mark"), "who is shut out is offered none");
	give(s, "noor", PASSWORD, "active");
	get(&marta, "/admin/users/noor");
	SUBMIT(&marta, "/admin/users/noor/verify", "verify", "yes");
	noor = browser_of(s, "noor");
	get(&noor, "/account/data");
	is_int(SUBMIT(&noor, "/account/delete", "posts", "keep", "delete_password", PASSWORD),
	    HTTP_OK, "who has it leaves");
	site = seeded_item(s, "SITE", "SETTINGS");
	item_strings(s->arena, &site, STR("Verified"), &count);
	is_int((int64_t)count, 0, "... and is not named among those who have it");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	giving(&s);
	everywhere(&s);
	settings(&s);
	cached(&s);
	leaving(&s);
	browsers_close(&s);
	return tap_done();
}
