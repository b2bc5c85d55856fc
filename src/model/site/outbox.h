#ifndef MODEL_SITE_OUTBOX_H
#define MODEL_SITE_OUTBOX_H

#include "model/bind.h"
#include "table/table.h"

/*
 * The outbox: letters that follow from facts. A derivation adds them (derive/letters.h), and the sender (derive/sender.h)
 * takes them from here, one after another.
 *
 * A letter is one item, from when it is added until long after it was sent: who gets it (`to`), of which kind it is (`what`)
 * and what it tells of (`thing`) are its key. So adding it again does nothing, whether it waits or has been sent. What
 * it says, and the address, are found out when it is sent, from the facts as they are then.
 *
 *	waiting -> handed -> sent
 *
 * Everything up to the last byte may be done again, as a mail server that does not get the end of a letter drops it.
 * So the sender has the letter `handed` right before that byte, on the condition that it is as it was read: of two senders
 * one goes on. If the server refuses, it is waiting again, or refused for good. If no answer comes, or the process is killed
 * just there, nobody can know whether the server has it: then it is `unsure`, and not sent again.
 */
enum letter_status {
	LETTER_WAITING,
	LETTER_HANDED,  /* the server may have it */
	LETTER_SENT,    /* the server has it */
	LETTER_REFUSED, /* for good, or for too long */
	LETTER_UNSURE,  /* the server has it, or not */
	LETTER_DROPPED, /* there was nothing to say any more */
};

struct letter {
	struct str to;    /* "U<username>", or "S<name of a subscriber>"; without "#" */
	struct str what;  /* its kind: derive/letters.c */
	struct str thing; /* what it tells of, as its kind wants it */
	int64_t made;     /* when that came about, or is to be told: a fact, not the time of adding */
	int64_t due;      /* not to be sent before; 0: when it is made */

	/* What became of it; all 0 of one that is added. */
	enum letter_status status;
	int64_t tries;
	int64_t handed; /* when, the last time */
	struct str why; /* it was refused, or is late */
};

enum {
	LETTER_WAITS_MS = 2 * 86400 * 1000, /* since it was made: after that it is not sent any more */
	LETTER_KEPT_S = 14 * 86400,         /* since then, of one that was sent */
	LETTER_ANSWER_MS = 15 * 60 * 1000,  /* later than any mail server answers to one that was handed over */
	LETTERS_AT_ONCE = 50,               /* in one transaction */
};

/* --- Adding ------------------------------------------------------------------------------------------- */

/*
 * Adds those that are not there yet; no two may be the same. One that would be too old to be sent is left out: so old things
 * make no letters, whatever is derived anew. *added: how many; with `check` none is. TABLE_CANCELLED, TABLE_CONDITION: somebody
 * else adds the same: again.
 */
enum table_rc outbox_add(struct table *table, struct table_call *call, const struct letter *letters,
    size_t count, int64_t now, bool check, size_t *added);

/* --- Sending ------------------------------------------------------------------------------------------ */

/* Those that are due, the oldest first; at most `limit`. In the call's arena. */
enum table_rc outbox_due(struct table *table, struct table_call *call, int64_t now, uint32_t limit,
    struct letter **out, size_t *count);

/* All that were written to somebody, of a kind, about things that begin so; at most `limit`. */
enum table_rc outbox_of(struct table *table, struct table_call *call, struct str to, struct str what,
    struct str thing, uint32_t limit, struct letter **out, size_t *count);

/*
 * What becomes of letters, all at once: each is still as it was read, else TABLE_CONDITION or TABLE_CANCELLED, and nothing is
 * changed. `is` has the status, `due` (of LETTER_WAITING), `tries` to add, and `why`. Those at `letters` are as the table has
 * them then. At most LETTERS_AT_ONCE.
 */
struct letter_step {
	enum letter_status status;
	int64_t due;
	int64_t tries;
	struct str why;
};
enum table_rc outbox_move(struct table *table, struct table_call *call, struct letter *letters,
    size_t count, const struct letter_step *step, int64_t now);

/* After this it is not sent any more. */
int64_t letter_until(const struct letter *letter);

/* The same for each letter, whoever sends it: 32 digits that tell nobody to whom it goes. */
struct str letter_id(struct arena *arena, const struct letter *letter);

/* The lease of whoever sends. */
#define SENDER_LEASE STR("mail")

/* --- The sender's state ------------------------------------------------------------------------------- */

struct sender_state {
	int64_t sent, refused, unsure; /* so many so far */
	int64_t down_since;            /* the mail server can't be used; 0: it can */
	struct str why;
	int64_t stored;
};

enum table_rc sender_state_store(
    struct table *table, struct table_call *call, const struct sender_state *state);

extern const struct binding_table letter_bindings, sender_state_bindings;

#endif
