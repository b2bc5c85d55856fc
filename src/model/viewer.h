#ifndef MODEL_VIEWER_H
#define MODEL_VIEWER_H

#include "model/permission.h"
#include "table/table.h"

/*
 * Somebody who is signed in, as the table knows them: the person and their memberships in one query, and
 * what their groups permit in a second round trip, which is made only when they have any.
 */

/* The read of a person with their memberships. Sees every write at once: a role that ends, ends now. */
struct read viewer_read(struct arena *arena, struct str username);

/* Takes the answer. False when there is no such person. */
bool viewer_take(struct arena *arena, const struct read *answer, struct viewer *out);

/* Makes the read of the viewer's groups; false when there are none to read. */
bool viewer_groups(struct arena *arena, const struct viewer *viewer, struct read *groups);

/* What a group is called for people; by its name where they are not in it, or are nobody (NULL). */
struct str viewer_group_title(const struct viewer *viewer, struct str name);

/* Adds what the groups of that answer permit. Those that are ending give nothing: nobody is in them any more. */
void viewer_permit(struct arena *arena, const struct read *groups, struct viewer *viewer);

#endif
