#ifndef MODEL_SETTINGS_H
#define MODEL_SETTINGS_H

#include "model/bind.h"

/* What the publication says of itself, and how it is run: the item SITE / SETTINGS. */

enum registration {
	REGISTRATION_CLOSED,
	REGISTRATION_OPEN,
	REGISTRATION_INVITATION,
	REGISTRATION_APPROVAL,
};

struct settings {
	struct str name, tagline, description;
	struct str language; /* a BCP 47 tag; never empty after settings_from_item() */
	struct str time_zone;
	struct str footer;      /* Markdown */
	int64_t posts_per_page; /* 1 to 100 */
	enum registration registration;
	int64_t created;
};

/* From an item, or from none (NULL): then, and for what is missing, sensible defaults. */
void settings_from_item(struct arena *arena, const struct item *item, struct settings *out);

#endif
