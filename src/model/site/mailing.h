#ifndef MODEL_SITE_MAILING_H
#define MODEL_SITE_MAILING_H

#include "model/bind.h"
#include "table/table.h"

/*
 * A mailing: what goes to all subscribers of a rhythm (model/site/subscriber.h), a new post to each of some, a letter a week to
 * the others. Its item says how far the letters are that it makes, and stays: so nothing is mailed twice, whatever becomes of
 * the post and of its date.
 */
enum mailing_what { MAILING_POST, MAILING_WEEK };

struct mailing {
	enum mailing_what what;
	struct str thing;    /* the id of the post; the day of the letter, "2026-11-23" */
	struct str title;    /* of the post, as it was then */
	int64_t made;        /* when the post appeared; when the week was over */
	struct str after;    /* where the last subscriber stands who has a letter; empty: nobody has */
	int64_t letters;     /* so many so far */
	int64_t done;        /* when all had; 0: not yet */
};

/* *there: it is there, in *out. */
enum table_rc mailing_get(struct table *table, struct table_call *call, enum mailing_what what,
    struct str thing, struct mailing *out, bool *there);

/* Writes it in place of `was`, NULL: where there is none. TABLE_CONDITION: somebody else was there. */
enum table_rc mailing_store(struct table *table, struct table_call *call, const struct mailing *was,
    const struct mailing *is);

/* One of query_mailings(). */
void mailing_from_item(struct arena *arena, const struct item *item, struct mailing *out);

/* How far mailings are as a whole. */
struct mailing_state {
	struct str last; /* when the last post appeared that was seen to, and which: "<t>#<id>" */
	int64_t week;    /* when the next letter of the week is made */
};

enum table_rc mailing_state_get(
    struct table *table, struct table_call *call, struct mailing_state *out, bool *there);
enum table_rc mailing_state_store(struct table *table, struct table_call *call,
    const struct mailing_state *was, const struct mailing_state *is);

extern const struct binding_table mailing_bindings, mailing_state_bindings;

#endif
