#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include "table/table.h"

struct clock;
struct rate;

/*
 * One act: who does it, when, on which table, and how it ended. All that people, groups, categories, settings and posts
 * are changed by is handed one.
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

struct plan {
	struct table *table;
	struct table_call *call;
	struct clock *clock; /* for what is audited */
	int64_t now;
	struct str by,
	    by_name;  /* who acts: a username, or "command line"; empty: the program by itself */
	bool audited; /* they are of the staff: what they do stands in the log */
	/* The limit of the password that was proved for this, right: counted with what is written; or NULL. */
	const struct rate *proof;
	/* One more write of the transaction that changes something, such as a notice; without a condition. Or NULL. */
	const struct write *also;
	enum table_rc failed;
};

/*
 * Makes a transaction. When it is refused, the answer is that of `refusals` which stands where the first write
 * stands whose condition was false; those behind `refused` of them have none: PLAN_CHANGED.
 */
enum plan_rc plan_transact(struct plan *plan, struct write *writes, size_t count,
    const enum plan_rc *refusals, size_t refused);

/* How the table failed, or PLAN_DONE when it did not. */
enum plan_rc plan_failed(struct plan *plan, enum table_rc rc);

/* A change of a text: what is empty is not there. */
struct change plan_text(struct str name, struct str text);

/* Of conditions: the item is there; it is not. */
extern const struct condition plan_present, plan_absent;

#endif
