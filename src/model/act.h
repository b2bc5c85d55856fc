#ifndef MODEL_ACT_H
#define MODEL_ACT_H

#include "model/audit.h"
#include "table/table.h"

/*
 * What the staff do to groups, categories and settings: where it is written, who acts, and the ways in which
 * it can end. Every act is in the log, written in its own transaction.
 */
enum act_rc {
	ACT_DONE,
	ACT_MORE,      /* a part of it is done, and all is well: again, for the rest */
	ACT_TAKEN,     /* there is one of this name already */
	ACT_NOT_THERE, /* there is none */
	ACT_NOBODY,    /* there is no such person */
	ACT_FULL,      /* there is no room for one more */
	ACT_CIRCLE,    /* it would come to lie under itself */
	ACT_NOT_EMPTY, /* something is in it still */
	ACT_CHANGED,   /* somebody else changed it meanwhile */
	ACT_TABLE,     /* the table failed: act.failed says how */
};

struct act {
	struct table *table;
	struct table_call *call;
	struct audit audit;
	int64_t now;
	enum table_rc failed;
};

/*
 * Makes a transaction. When it is refused, the answer is that of `refusals` which stands where the first write
 * stands whose condition was false; those behind `refused` of them have none: ACT_CHANGED.
 */
enum act_rc act_transact(struct act *act, struct write *writes, size_t count,
    const enum act_rc *refusals, size_t refused);

/* How the table failed, or ACT_DONE when it did not. */
enum act_rc act_failed(struct act *act, enum table_rc rc);

/* A change of a text: what is empty is not there. */
struct change act_text(struct str name, struct str text);

/* Of conditions: the item is there; it is not. */
extern const struct condition act_present, act_absent;

#endif
