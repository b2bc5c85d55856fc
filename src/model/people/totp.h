#ifndef MODEL_PEOPLE_TOTP_H
#define MODEL_PEOPLE_TOTP_H

#include "base/str.h"

struct arena;
struct clock;

/*
 * One-time codes by the clock, as authenticator apps make them (RFC 6238): HMAC-SHA-1, six digits, another one
 * every 30 seconds. Each such span of time is a step, counted from 1970.
 */
enum { TOTP_SECRET_BYTES = 20, TOTP_STEP_MS = 30000, TOTP_DIGITS = 6 };

struct str totp_secret(struct arena *arena, struct clock *clock);

/* The code of a step. */
uint32_t totp_code(struct str secret, int64_t step);

/*
 * The step whose code was typed, spaces and all: this one, or the one before it, as typing takes a while, but later than
 * `last`, as no code is good twice. 0: it is neither.
 */
int64_t totp_match(struct str secret, struct str typed, int64_t now, int64_t last);

/* The secret in base32, as people type it into an app. */
struct str totp_base32(struct arena *arena, struct str secret);

/* "otpauth://totp/…": what the app reads from a picture or opens from a link. */
struct str totp_address(
    struct arena *arena, struct str site_name, struct str username, struct str secret);

#endif
