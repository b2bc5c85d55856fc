#ifndef WEB_HTTP_CURSOR_H
#define WEB_HTTP_CURSOR_H

#include "base/str.h"

struct arena;
struct secret_keys;

/*
 * The position in a list as a browser sees it, in `?after=…`: the table's own cursor after an
 * authenticator that binds it to its list, so that nobody can forge or change one, or use one
 * list's in another.
 *
 * base64url( tag[16] | cursor ), without padding
 *
 * tag = the first 16 bytes of BLAKE2b, keyed, of ( length of context as 8 bytes | context | cursor
 * )
 */
enum { CURSOR_KEY_BYTES = 32, CURSOR_SEALED_MAX = 6144 };

/*
 * The text for an address. `context` names the list: "category:books". An empty cursor (the end of
 * a list) gives an empty text. In the arena.
 */
struct str cursor_seal(struct arena *arena, const unsigned char key[CURSOR_KEY_BYTES],
    struct str context, struct str cursor);

/*
 * Decodes that text; an empty one is an empty cursor, from the start. False, with *cursor
 * unchanged, for anything that cursor_seal() did not make with this key and context:
 * HTTP_BAD_REQUEST.
 */
bool cursor_open(struct arena *arena, const unsigned char key[CURSOR_KEY_BYTES], struct str context,
    struct str text, struct str *cursor);

/* The same with whichever of the keys it was made with. */
bool cursor_open_any(struct arena *arena, const struct secret_keys *keys, struct str context,
    struct str text, struct str *cursor);

#endif
