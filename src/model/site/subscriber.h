#ifndef MODEL_SITE_SUBSCRIBER_H
#define MODEL_SITE_SUBSCRIBER_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * Who gets the publication by mail, without an account: an address that its owner has confirmed by a link in a letter.
 * The address is nowhere but in the subscriber's item, for the staff and for sending; the key is a hash of it.
 *
 * The link's code is "<hash>.<token>". It confirms, changes, and ends the subscription, and stands in each letter; so the
 * token is stored as it is, and is another one after each new beginning.
 *
 * Who waits is forgotten after a week. Who ended it leaves no address behind: only that somebody went, for a month.
 */
enum subscriber_status { SUBSCRIBER_WAITING, SUBSCRIBER_CONFIRMED, SUBSCRIBER_GONE };
enum rhythm { RHYTHM_EACH, RHYTHM_WEEKLY };

enum { SUBSCRIBER_WAITS_DAYS = 7, SUBSCRIBER_GONE_DAYS = 30, SUBSCRIBER_HASH_LEN = 32 };

struct subscriber {
	struct str hash, address, token;
	enum subscriber_status status;
	enum rhythm rhythm;
	int64_t created, confirmed, gone; /* milliseconds; 0: not yet */
};

void subscriber_from_item(struct arena *arena, const struct item *item, struct subscriber *out);

/* "each" or "weekly" */
const char *rhythm_name(enum rhythm rhythm);

/* What stands in the key of an address in its one form. In the arena. */
struct str subscriber_hash(struct arena *arena, struct str address);

/* The code of their links. In the arena. */
struct str subscriber_code(struct arena *arena, const struct subscriber *subscriber);

/* The read of whom a code names, and whether the answer is theirs: false for what is no code, and for nobody's. */
bool subscriber_read(struct arena *arena, struct str code, struct read *read);
bool subscriber_take(
    struct arena *arena, const struct read *answer, struct str code, struct subscriber *out);

/*
 * Somebody names an address. Who gets letters there already stays as they are; else it waits to be confirmed, by the same
 * code if it waited before. PLAN_DONE: *out is who that is.
 */
enum plan_rc subscriber_ask(
    struct plan *plan, struct str address, enum rhythm rhythm, struct subscriber *out);

/* These act on a subscriber as it was read. PLAN_CHANGED: it is otherwise meanwhile. The same again is PLAN_DONE. */
enum plan_rc subscriber_confirm(struct plan *plan, const struct subscriber *was);
enum plan_rc subscriber_set_rhythm(
    struct plan *plan, const struct subscriber *was, enum rhythm rhythm);
enum plan_rc subscriber_end(struct plan *plan, const struct subscriber *was);

/* How many are confirmed. */
struct subscriber_counts {
	int64_t each, weekly;
};
void subscriber_counts_from_item(const struct item *item, struct subscriber_counts *out);

/* Their lists: those who get each post, or a letter a week; who waits, and who has gone lately. */
enum subscriber_list {
	SUBSCRIBERS_EACH,
	SUBSCRIBERS_WEEKLY,
	SUBSCRIBERS_WAITING,
	SUBSCRIBERS_GONE,
	SUBSCRIBER_LISTS
};
const char *subscriber_list_name(enum subscriber_list list);
/* By when they confirmed it, asked, or went, the oldest first. */
struct query subscribers_in(struct arena *arena, enum subscriber_list list);

extern const struct binding_table subscriber_bindings;

#endif
