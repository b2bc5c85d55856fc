#ifndef MODEL_PEOPLE_NOTICE_H
#define MODEL_PEOPLE_NOTICE_H

#include "table/table.h"

struct clock;

/*
 * Security notices: what somebody is told about their own account because it might not have been
 * them: an item of theirs, which /account shows for ninety days. It is written in the transaction
 * of the change.
 */
enum notice {
	NOTICE_SIGN_IN, /* from a device that was not known */
	NOTICE_PASSWORD,
	NOTICE_EMAIL,
	NOTICE_TWO_STEP_ON,
	NOTICE_TWO_STEP_OFF,
	NOTICE_RECOVERY_CODES, /* new ones */
	NOTICE_CODES_GUESSED,  /* somebody who knows the password tries codes of the second step */
	NOTICES,
};

enum { NOTICE_SECONDS = 90 * 86400, NOTICES_SHOWN = 10 };

struct notice_entry {
	enum notice what;   /* NOTICES: one that this version does not know */
	struct str browser; /* "Firefox on Linux"; empty: no browser did it */
	int64_t created;
};

struct write notice_put(struct arena *arena, struct clock *clock, struct str username,
    enum notice what, struct str browser, int64_t now);

/* The newest of a person's. */
struct read notices_read(struct arena *arena, struct str username);

void notice_from_item(const struct item *item, struct notice_entry *out);

#endif
