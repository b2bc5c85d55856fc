#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include "base/str.h"

enum { SHA1_BYTES = 20 };

/*
 * SHA-1 (RFC 3174), and HMAC-SHA-1 (RFC 2104). Only for the codes of authenticator apps, which
 * support nothing else; collisions, which SHA-1 no longer prevents, are of no use against those.
 */
void sha1(struct str text, unsigned char out[SHA1_BYTES]);
void sha1_hmac(struct str key, struct str text, unsigned char out[SHA1_BYTES]);

#endif
