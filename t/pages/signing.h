#ifndef T_PAGES_SIGNING_H
#define T_PAGES_SIGNING_H

#include "browser.h"

/* Shared by the tests of accounts: one password for all, and signing in. */

#define PASSWORD "four words in a row"

static inline bool
is_in(struct browser *b)
{
	return get(b, "/account") == HTTP_OK;
}

/* Gives one of the seed's people a password and a status. */
static inline void
give(struct seeded *s, const char *name, const char *password, const char *status)
{
	struct item user;

	give_password(s, name, password);
	user =
	    seeded_item(s, str_cstring(s->arena, str_fmt(s->arena, "USER#%s", name)), "METADATA");
	item_set(s->arena, &user, STR("Status"), value_string(str_of(status)));
	seeded_put(s, &user, 1);
}

/* Who may register, of whatever network as many as like to. */
static inline void
registration_is(struct seeded *s, const char *policy)
{
	struct item settings = seeded_item(s, "SITE", "SETTINGS"), rules = {.count = 0};

	item_set(s->arena, &rules, STR("Registrations"), value_number(1000));
	item_set(s->arena, &settings, STR("Registration"), value_string(str_of(policy)));
	item_set(s->arena, &settings, STR("Moderation"), value_map(rules));
	seeded_put(s, &settings, 1);
}

/* browsers_open(), with all of the seed's people able to sign in. */
static inline void
everybody_opens(struct seeded *s)
{
	static const char *const names[] = {
	    "noor", "kofi", "lowri", "ingrid", "pascal", "marta", "tobias"};

	browsers_open(s);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		give(s, names[i], PASSWORD, "active");
}

#endif
