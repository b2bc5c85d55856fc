#ifndef MODEL_POST_COLLECTION_WRITE_H
#define MODEL_POST_COLLECTION_WRITE_H

#include "model/plan.h"
#include "model/post/collection.h"

/*
 * What a person does to their collections: the plan's `by` is the owner, and of what is another's each of these is
 * PLAN_NOT_THERE.
 *
 * A collection and its content are changed one change after another: each sets UpdatedAt, later than it was, on the
 * condition that it is what was read. So a post is in a collection once, no two have one position, and whoever read what
 * has changed meanwhile reads again; PLAN_CHANGED after many tries.
 *
 * What takes more than one transaction is carried on by the next change when it was interrupted, and what readers see
 * does not depend on its end: whether the collection is public is what its head says.
 */
enum { COLLECTIONS_MAX = 100, COLLECTION_POSTS_MAX = 500, COLLECTION_ID_LEN = 14 };

/* May this be the id of one? */
bool collection_id_valid(struct str id);

/*
 * A new one, with its id, its texts and a first post, or without (NULL). PLAN_ALREADY: they have made one of this id, by
 * the same form; PLAN_FULL: they have as many as there may be.
 */
enum plan_rc collection_create(
    struct plan *plan, const struct collection *new, const struct collected *first);

/* Name, description, who may see it, and whether it is a series. */
enum plan_rc collection_edit(struct plan *plan, const struct collection *is);

/*
 * By moderators, of a public one as it was read, or back: others do not see it, its owner does. The writes that the plan has
 * already are part of it. PLAN_CHANGED: it was changed meanwhile.
 */
enum plan_rc collection_restrict(
    struct plan *plan, const struct collection *was, enum restricted is);

/* With all that is in it, for any owner: who leaves does not act. */
enum plan_rc collection_delete(struct plan *plan, struct str owner, struct str id);

/* At the end: the post, its author and a note. PLAN_ALREADY: it is in there, plan->found; PLAN_FULL. */
enum plan_rc collection_add(struct plan *plan, struct str id, const struct collected *entry);

/* PLAN_NOT_THERE: it is not in there (any more). */
enum plan_rc collection_remove(struct plan *plan, struct str id, struct str post);

/* A note, and where the post is to stand: nothing, a place among all from 1 on, or a step up (-1) or down (1). */
struct arrangement {
	struct str note;
	struct str held_for; /* a public collection that gets this note waits: why; empty: it does not */
	int64_t place;
	int step;
};
/* PLAN_NOT_THERE, likewise. What is too far is the end. */
enum plan_rc collection_arrange(
    struct plan *plan, struct str id, struct str post, const struct arrangement *to);

#endif
