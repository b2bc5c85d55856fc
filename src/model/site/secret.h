#ifndef MODEL_SITE_SECRET_H
#define MODEL_SITE_SECRET_H

#include "base/str.h"
#include "table/table.h"

struct clock;

/*
 * The site's secret, from which keys are derived for everything that others must not read or forge,
 * in the table (the secrets of two-step sign-in) or in pages (cursors, tokens, tickets). It comes
 * from a file (web/session/secret_file.h), never from the table, so that a copy of the table opens
 * nothing.
 *
 * It is several keys, newest first. The newest seals, all open: so it can be rotated without
 * invalidating anything.
 *
 * A mark in the table says with which of them it is sealed: the key's id, which does not reveal the
 * key. So a missing file, or another site's, is noticed at start. Older tables contained the key
 * itself.
 */
enum { SECRET_BYTES = 32, SECRETS_MAX = 8, SECRET_ID_LEN = 16 };

struct secrets {
	unsigned char keys[SECRETS_MAX + 1][SECRET_BYTES];
	size_t count;  /* of `keys`, the prepared one with them */
	bool prepared; /* the last one opens already, and will seal after the next rotation */
};

/* A key's id, in the arena; and whether one of them has it. */
struct str secret_id(struct arena *arena, const unsigned char key[SECRET_BYTES]);
bool secrets_have(struct arena *arena, const struct secrets *secrets, struct str id);

/*
 * Adds a key, as the newest or after the others, replacing the oldest if there are too many. A
 * known key is not added again.
 */
void secrets_add_newest(struct secrets *secrets, const unsigned char key[SECRET_BYTES]);
void secrets_add_old(struct secrets *secrets, const unsigned char key[SECRET_BYTES]);

/* The keys derived for one purpose: the first seals, each opens. There is always a first. */
struct secret_keys {
	unsigned char keys[SECRETS_MAX + 1][SECRET_BYTES];
	size_t count;
};
void secrets_derive(const struct secrets *secrets, const char *purpose, struct secret_keys *out);

/* --- The mark in the table -------------------------------------------------------------------------- */

struct secret_mark {
	struct str id;  /* empty: nothing was sealed yet, or in the old way */
	struct str key; /* in an older table: the key itself; else empty */
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
	struct str *lost;    /* whose second step no key opens */
	size_t lost_count;
};

/*
 * Seals again, with the newest key, what was sealed for people with an older one; with `look`, only
 * counts. Concurrent changes are left alone. *done says what was done, also when the table fails on
 * the way.
 */
enum table_rc secret_seal_anew(struct table *table, struct clock *clock,
    const struct secrets *secrets, bool look, struct sealing *done);

/* --- Sealing and opening ----------------------------------------------------------------------- */

/*
 * Authenticated encryption (XChaCha20-Poly1305): for secrets in the table, and for what a form
 * carries to the next page. `bound` is what it belongs to, such as a username; it is not contained,
 * and with another one it does not open.
 */
enum { SEALED_KEY_BYTES = 32 };

/* Bytes, in the arena. */
struct str sealed_make(struct arena *arena, struct clock *clock,
    const unsigned char key[SEALED_KEY_BYTES], struct str bound, struct str text);

/* False for anything that was not made with this key for this `bound`. */
bool sealed_open(struct arena *arena, const unsigned char key[SEALED_KEY_BYTES], struct str bound,
    struct str sealed, struct str *text);

/* The same with whichever of the keys opens it; *by, which may be NULL, is its place among them. */
bool sealed_open_any(struct arena *arena, const struct secret_keys *keys, struct str bound,
    struct str sealed, struct str *text, size_t *by);

#endif
