#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include "table/table.h"

struct clock;

/*
 * One act: who does it, when, on which table, what it writes, and how it ended. All that people, groups, categories,
 * settings, pictures and posts are changed by is handed one, adds its writes and commits them as one transaction.
 */
enum plan_rc {
	PLAN_DONE,
	PLAN_MORE,        /* a part of it is done, and all is well: again, for the rest */
	PLAN_TAKEN,       /* the name or the address is another's; or it is done already */
	PLAN_EMAIL_TAKEN, /* somebody else has this e-mail address */
	PLAN_ALREADY,     /* the same form has made a post */
	PLAN_NOT_INVITED, /* the invitation is used up, over, or never was */
	PLAN_NOT_THERE,   /* what is to be changed is not there */
	PLAN_NOBODY,      /* there is no such person */
	PLAN_NOT_ACTIVE,  /* who acts was shut out or suspended meanwhile */
	PLAN_BLOCKED,     /* by somebody to whom it is said: they are not told */
	PLAN_NO_AUTHOR,   /* one of the authors of a post is not there (any more) */
	PLAN_NO_CATEGORY, /* nor its category */
	PLAN_GONE,        /* deleted for so long that it can't be had back */
	PLAN_FULL,        /* there is no room for one more */
	PLAN_TOO_LONG,    /* for one item of the table */
	PLAN_TOO_MANY,    /* the password was proved too often meanwhile */
	PLAN_CIRCLE,      /* it would come to lie under itself */
	PLAN_NOT_EMPTY,   /* something is in it still */
	PLAN_LAST_ADMIN,  /* somebody has to stay */
	PLAN_CHANGED,     /* somebody else changed it meanwhile */
	PLAN_TABLE,       /* the table failed: plan.failed says how */
};

struct planned;

struct plan {
	struct table *table;
	struct table_call *call;
	struct clock *clock; /* for what is audited */
	int64_t now;
	struct str by,
	    by_name;  /* who acts: a username, or "command line"; empty: the program by itself */
	bool audited; /* they are of the staff: what they do stands in the log */
	/* Told of each number of a post (plan_count_post()) that a commit has changed, for figures; or NULL. */
	void (*counted)(void *who, struct str counter, int64_t by);
	void *counted_for;

	enum plan_rc rc;      /* how the last commit ended */
	enum table_rc failed; /* after PLAN_TABLE */
	const struct item
	    *found; /* after a refusal: the item that was in the way; NULL: none was there */

	/* What is collected. */
	struct planned *planned;
	size_t count, capacity;
	bool too_long;
};

/* --- Collecting --------------------------------------------------------------------------------------- */

/*
 * One more write. `refusal` is how the act ends when the write's condition is false, of several that of the first.
 * PLAN_DONE: it does not matter, and the write is left out. What it points at stays until plan_commit().
 */
void plan_add(struct plan *plan, struct write write, enum plan_rc refusal);

/*
 * The second write, of the same item or of the one that counted before it, if the condition of the first one is false.
 * `refusal` is as in plan_add(), for when the condition of the second one is false as well.
 */
void plan_add_either(
    struct plan *plan, struct write write, struct write otherwise, enum plan_rc refusal);

/* An item in place of what was there; one where nothing was there. */
void plan_put(struct plan *plan, struct item item);
void plan_create(struct plan *plan, struct item item, enum plan_rc refusal);

/* A counter of an item that is there. */
void plan_count(
    struct plan *plan, struct key key, struct str counter, int64_t by, enum plan_rc refusal);

/*
 * Changes a number of a post's Stats ("Likes", "Stars4", "Comments") that counts what readers do.
 * It is counted in the shard of `who`, whose item it is, and the post is marked to be folded
 * (model/post/count.h); nothing else changes these numbers. Several of one shard become one write.
 * An item whose kind says what counts it needs no such call: plan_recount() and plan_drop() do it.
 */
void plan_count_post(
    struct plan *plan, struct str post, struct str who, struct str counter, int64_t by);

/*
 * Updates the counters of an item (model/kinds.h) when `is` replaces `was`; either may be NULL.
 * Each counter is written once, however many of its numbers change, and not at all if none does.
 */
void plan_recount(struct plan *plan, const struct item *was, const struct item *is);

/*
 * What was read goes, and whatever counts it counts down, if that is there still. PLAN_CHANGED: it is gone already, or
 * it has another Status, Feeling, Value or number of Stars, of which it depends what counts it.
 */
void plan_drop(struct plan *plan, const struct item *item);

/* --- Doing it ----------------------------------------------------------------------------------------- */

/*
 * Writes down what is collected, all or nothing, and begins anew, whatever the end. Tries again where only the writes
 * of others were in the way. Of nothing it is PLAN_DONE.
 */
enum plan_rc plan_commit(struct plan *plan);

/* How the table failed, or PLAN_DONE when it did not. */
enum plan_rc plan_failed(struct plan *plan, enum table_rc rc);

/*
 * The update that turns one item into another. It has only what differs, so that it undoes no
 * concurrent change. change_count is 0 when nothing differs.
 */
struct write plan_difference(
    struct arena *arena, struct key key, const struct item *from, const struct item *to);

/* A change of a text: what is empty is not there. */
struct change plan_text(struct str name, struct str text);

/* Of conditions: the item is there; it is not. */
extern const struct condition plan_present, plan_absent;

#endif
