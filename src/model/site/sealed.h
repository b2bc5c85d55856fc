#ifndef MODEL_SITE_SEALED_H
#define MODEL_SITE_SEALED_H

#include "base/str.h"

struct arena;
struct clock;
struct secret_keys;

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
