#ifndef MODEL_PEOPLE_SESSION_H
#define MODEL_PEOPLE_SESSION_H

#include "model/bind.h"
#include "table/table.h"

struct clock;
struct user;

/*
 * A session: who has signed in, on which device, until when. What the browser holds is a pass,
 * "<username>.<token>", where the token is 32 random bytes in base64url; the table holds only a hash of
 * it, so whoever reads the table can't come in. The name is there so that the session and the person
 * are read in one round trip; it proves nothing.
 *
 * A session ends when it is deleted, when it was not used for SESSION_IDLE, when it is SESSION_AGE old,
 * and when the person's era counts up, which ends all of their sessions with one write: when they sign
 * out everywhere or turn two-step sign-in on, and when their password or status changes. The limits are
 * checked at each read; ExpiresAt only has the table sweep up behind them.
 *
 * Another role ends none, but a token is good for the role that it was given for: the next page gives the
 * browser another one, and the old one is nothing from then on.
 */
enum {
	SESSION_TOKEN_BYTES = 32,
	SESSION_TOKEN_LEN = 43, /* of base64url */
	SESSION_HASH_LEN = 64,  /* of hexadecimal */
	SESSION_AGENT_MAX = 200,
	SESSIONS_SHOWN = 50,
};
#define SESSION_IDLE_MS (INT64_C(14) * 86400000)
#define SESSION_AGE_MS (INT64_C(90) * 86400000)
#define SESSION_TOUCH_MS (INT64_C(3600) * 1000) /* how exactly it is known when it was used last */

struct session {
	struct str hash, username;
	struct str agent; /* what the browser calls itself; cut */
	struct str role;  /* the person's, when the token was given */
	int64_t created, used;
	int64_t era;
};

/* A new token in base64url, in the arena. */
struct str session_token(struct arena *arena, struct clock *clock);

/* What the table keeps of a token: 64 hexadecimal digits. For sessions and invitations. */
struct str session_hash(struct arena *arena, struct str token);

/* Parts a pass into a name and a token of the right forms; false for anything else. */
bool session_token_parts(struct str pass, struct str *username, struct str *token);

void session_from_item(struct arena *arena, const struct item *item, struct session *out);

/* Does it let this person in, now? */
bool session_good(const struct session *session, const struct user *user, int64_t now);

/* Was its token given for another role than they have now? */
bool session_outdated(const struct session *session, const struct user *user);

/* Is it time to write down that it was used? */
bool session_stale(const struct session *session, int64_t now);

/* The writes: a new session, its end (only if it is this person's, and there), and that it was used now. */
struct write session_put(struct arena *arena, const struct session *session);
struct write session_delete(struct arena *arena, struct str hash, struct str username);
struct write session_touch(struct arena *arena, const struct session *session, int64_t now);

extern const struct binding_table session_bindings;

#endif
