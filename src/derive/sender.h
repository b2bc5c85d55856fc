#ifndef DERIVE_SENDER_H
#define DERIVE_SENDER_H

#include "base/str.h"
#include "model/site/secret.h"
#include "table/table.h"

struct log;
struct mail_transport;
struct secret_watch;

/*
 * The sender: sends the letters of the outbox (model/site/outbox.h), on a thread of its own, so that no mail server ever
 * delays what is derived. One process sends, which holds a lease; any number stand by.
 *
 * A letter that the server does not take now is tried again after a minute, then two, four, at most four hours, for two
 * days; one that it refuses is not. When the server itself can't be used, all letters wait, and nothing is counted against them.
 *
 * A table that was restored, copied or imported has letters that waited in another one, which may have sent them since. So
 * letters are of what happens from when the stream worker began in this table (struct work_state), and nothing is sent
 * before it did.
 */
struct sender_options {
	struct table *table;
	const struct log *log;
	const struct mail_transport *transport;
	const struct secrets *secrets;
	struct str site; /* its address */
	int lease_ms;    /* 0: the default, a minute */
	int idle_ms;     /* how long to wait when there was nothing to do; 0: the default, two seconds */
};

struct sender;

/* Starts its thread; NULL, and it is logged, when there is none. What the options point to outlives it. */
struct sender *sender_start(const struct sender_options *options);

/* Stops a letter that is being sent, unless the server may have it already; then waits for the answer. NULL is allowed. */
void sender_stop(struct sender *sender);

/* --- Without a thread --------------------------------------------------------------------------------- */

enum sender_turn {
	SENDER_WORKED,    /* there may be more */
	SENDER_IDLE,      /* nothing is due, mail is paused, or the stream worker has not begun */
	SENDER_STANDS_BY, /* another process sends */
	SENDER_DOWN,      /* the mail server can't be used */
	SENDER_FAILED,    /* the table failed */
};

/* What the thread does, a few letters at a time. Closing gives up the lease. */
struct sender *sender_open(const struct sender_options *options);
enum sender_turn sender_turn(struct sender *sender);
void sender_close(struct sender *sender);

#endif
