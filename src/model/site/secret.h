#ifndef MODEL_SITE_SECRET_H
#define MODEL_SITE_SECRET_H

#include "table/table.h"

struct clock;

/*
 * The site's secret: from it derive the keys that seal what must not be read or made by others, be it in the table
 * (the secrets of two-step sign-in) or in pages (cursors, tokens, tickets). It comes from a file (web/session/secret_file.h),
 * never from the table, so that whoever has a copy of the table can open nothing.
 *
 * It is several keys, newest first. The newest seals, all open: another one can be begun without anything that is on
 * its way being lost.
 *
 * The table has a mark, which says with which of them it is sealed: the key's id, from which nobody gets to the key. So
 * a file that is missing or is another site's is noticed at the start. Tables from before had the key itself there.
 */
enum { SECRET_BYTES = 32, SECRETS_MAX = 8, SECRET_ID_LEN = 16 };

struct secrets {
	unsigned char keys[SECRETS_MAX + 1][SECRET_BYTES];
	size_t count;  /* of `keys`, the prepared one with them */
	bool prepared; /* the last opens already, and is to seal from the next rotation on */
};

/* A key's id, in the arena; and whether one of them has it. */
struct str secret_id(struct arena *arena, const unsigned char key[SECRET_BYTES]);
bool secrets_have(struct arena *arena, const struct secrets *secrets, struct str id);

/* Puts a key among them: as the newest, or behind the others. The oldest makes room. A key that is there stays. */
void secrets_add_newest(struct secrets *secrets, const unsigned char key[SECRET_BYTES]);
void secrets_add_old(struct secrets *secrets, const unsigned char key[SECRET_BYTES]);

/* What derives from them for one purpose: the first seals, each opens. There is always a first. */
struct secret_keys {
	unsigned char keys[SECRETS_MAX + 1][SECRET_BYTES];
	size_t count;
};
void secrets_derive(const struct secrets *secrets, const char *purpose, struct secret_keys *out);

/* --- The mark in the table -------------------------------------------------------------------------- */

struct secret_mark {
	struct str id;  /* empty: nothing was sealed so far, or in the old way */
	struct str key; /* what a table from before holds: the key itself; else empty */
};

enum table_rc secret_mark_get(
    struct table *table, struct table_call *call, struct secret_mark *mark);

/* Puts `next` where the mark is still `was`; else TABLE_CONDITION. */
enum table_rc secret_mark_put(struct table *table, struct table_call *call,
    const struct secret_mark *was, const struct secret_mark *next);

/* --- What the table holds sealed -------------------------------------------------------------------- */

struct sealing {
	struct arena *arena; /* of the names */
	uint64_t anew;       /* sealed with the newest key by this call */
	uint64_t already;    /* so before */
	struct str *lost;    /* whose second step none of the keys opens */
	size_t lost_count;
};

/*
 * Goes through all people, and seals with the newest key what an older one did; with `look`, only counts. What changes
 * meanwhile is left to whoever changes it. *done says what was done, also when the table fails on the way.
 */
enum table_rc secret_seal_anew(struct table *table, struct clock *clock,
    const struct secrets *secrets, bool look, struct sealing *done);

#endif
