#ifndef MODEL_SITE_SETTINGS_H
#define MODEL_SITE_SETTINGS_H

#include "model/bind.h"
#include "model/people/user.h"
#include "model/plan.h"
#include "model/site/audit.h"
#include "model/site/moderation.h"

/* What the publication says of itself, and how it is run: the item SITE / SETTINGS. */

enum registration {
	REGISTRATION_CLOSED,
	REGISTRATION_OPEN,
	REGISTRATION_INVITATION,
	REGISTRATION_APPROVAL,
};

/* Of whom a second step of signing in is asked: of this role and those above it. */
enum two_step_for {
	TWO_STEP_OF_NOBODY,
	TWO_STEP_OF_ADMINS,
	TWO_STEP_OF_EDITORS,
	TWO_STEP_OF_AUTHORS,
	TWO_STEP_OF_EVERYBODY,
};

/* A post that editors have chosen for the front page, until a time. */
struct chosen_post {
	struct str post; /* its id */
	bool leads;      /* else it is pinned: behind the lead, before what is newer */
	int64_t until;
};

/* One lead, and so many pinned posts. */
enum { SETTINGS_PINNED_MAX = 4, SETTINGS_CHOSEN_MAX = 1 + SETTINGS_PINNED_MAX };

struct settings {
	struct str name, tagline, description;
	struct str language; /* a tag (model/language.h); never empty after settings_from_item() */
	struct str time_zone;
	struct str
	    picture;       /* an address: shown beside links to pages that have none of their own */
	struct str nameplate;  /* the address of an upload: shown in place of the name; or empty */
	struct str colour;     /* the second one (model/site/colour.h); or empty */
	struct str footer; /* Markdown */
	int64_t posts_per_page; /* 1 to 100 */
	int64_t pictures_mb;    /* what one person's pictures may take */
	int64_t search_newness; /* by how many percent a search prefers what is new: 0 to SETTINGS_NEWNESS_MAX */
	enum registration registration;
	enum two_step_for two_step_for;
	struct moderation moderation; /* saved separately */
	const struct chosen_post *chosen; /* the same; some may be over */
	size_t chosen_count;
	struct strings_value verified; /* usernames that have the verified mark, sorted */
	bool comments_off, votes_off, ratings_off, follows_off; /* nobody does that, for now */
	bool mail_paused; /* letters to many wait (model/site/outbox.h); those of accounts are sent */
	bool subscribers_paused; /* the same of those to subscribers alone */
	/* What a hundred million units of the store cost, to tell what pages do; empty: not told. */
	struct str reads_price, writes_price, price_currency;
	int64_t created;
};

/* So many can have the mark: each page reads all of them with the settings. */
enum { SETTINGS_VERIFIED_MAX = 1000 };

/* Has this person the mark? */
bool settings_verify(const struct settings *settings, struct str username);

/*
 * Plans that somebody has the mark from now on, or not. For account_set_verified(), and for who leaves: what the person's
 * item says changes in the same transaction.
 */
void settings_mark(struct plan *plan, struct str username, bool verified);

enum { SETTINGS_PICTURES_MB = 1000, SETTINGS_PICTURES_MB_MAX = 1000 * 1000 };
enum { SETTINGS_NEWNESS = 20, SETTINGS_NEWNESS_MAX = 50 };

/* From an item, or from none (NULL): then, and for what is missing, sensible defaults. */
void settings_from_item(struct arena *arena, const struct item *item, struct settings *out);

/*
 * Saves the settings; `created`, `moderation` and `chosen` stay as they are. If nothing changes, nothing is
 * written or logged.
 */
enum plan_rc settings_save(struct plan *plan, const struct settings *is);
/* Saves the nameplate only: the address of an upload, or empty. PLAN_NOT_THERE: it is gone. */
enum plan_rc settings_save_nameplate(struct plan *plan, struct str address);
/* Saves `moderation` only. */
enum plan_rc settings_save_moderation(struct plan *plan, const struct moderation *is);

/*
 * Chooses a post for the front page, in place of what was chosen of it before, and of another lead; without `until`: it is
 * chosen no more. Those whose time is over go. `title` is for the log. PLAN_FULL: so many are pinned already.
 */
enum plan_rc settings_choose(
    struct plan *plan, const struct chosen_post *choice, struct str title);

/* "open" */
const char *registration_name(enum registration registration);
/* "editors" */
const char *two_step_for_name(enum two_step_for whom);

/* Does the site show this upload, as its nameplate or beside links to it? */
bool settings_show(const struct settings *settings, struct str hash);

/* Must somebody of this role have a second step? */
bool settings_ask_two_step(enum two_step_for whom, enum role role);

/* Has it the form of a time zone's name: "UTC", "Europe/Lisbon"? */
bool time_zone_valid(struct str name);

/* What is turned off, for may(): bits of enum site_off. */
unsigned settings_off(const struct settings *settings);

extern const struct binding_table settings_bindings;

#endif
