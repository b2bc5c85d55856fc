#ifndef MODEL_SITE_UNSUBSCRIBE_H
#define MODEL_SITE_UNSUBSCRIBE_H

#include "model/site/secret.h"

/*
 * The links by which a member ends letters of a kind, from the letter itself, without signing in: /letters/<token>. Who may do so
 * is whoever has the token, which is sealed and good for as long as the site's key. Mail programs send a POST there by
 * themselves when their reader wants no more of such letters (RFC 8058).
 */
enum unsubscribe { UNSUBSCRIBE_ANSWERS, UNSUBSCRIBE_WEEK, UNSUBSCRIBES };

struct str unsubscribe_token(struct arena *arena, struct clock *clock, const struct secret_keys *keys,
    struct str username, enum unsubscribe what);

/* False for what is none. */
bool unsubscribe_open(struct arena *arena, const struct secret_keys *keys, struct str token,
    struct str *username, enum unsubscribe *what);

/* For what its keys are derived. */
#define UNSUBSCRIBE_PURPOSE "unsubscribe"

#endif
