#ifndef MODEL_KEY_SUBSCRIBER_H
#define MODEL_KEY_SUBSCRIBER_H

#include "model/key.h"

/* The part of the key schema for those who get letters without an account. */

/* By the hash of their address; and how many there are. */
struct key key_subscriber(struct arena *arena, struct str hash);
struct key key_subscriber_counts(void);

/* A list of subscribers by time, of the name that their state has; and those behind a place in it, up to a time. */
struct query query_subscribers(struct arena *arena, struct str list);
bool query_subscribers_between(struct arena *arena, struct str list, struct str after,
    int64_t until, struct query *out);
/* Where one stands in a list. */
struct str key_subscriber_place(const struct item *item);
void key_index_subscriber(
    struct arena *arena, struct item *item, struct str list, int64_t time, struct str hash);

/* What was mailed to subscribers, and how far that is as a whole; all by time. */
struct key key_mailing(struct arena *arena, struct str what, struct str thing);
struct key key_mailing_state(void);
struct query query_mailings(void);
void key_index_mailing(struct arena *arena, struct item *item, int64_t made, struct str thing);

#endif
