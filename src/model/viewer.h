#ifndef MODEL_VIEWER_H
#define MODEL_VIEWER_H

#include "model/permission.h"
#include "table/table.h"

/*
 * The signed-in person: the person and their memberships in one query, and the permissions of their
 * groups in a second round trip, which is made only if they have any.
 */

/*
 * The read of a person with their memberships. Strongly consistent: a revoked role is effective at
 * once.
 */
struct read viewer_read(struct arena *arena, struct str username);

/* Takes the answer. False when there is no such person. */
bool viewer_take(struct arena *arena, const struct read *answer, struct viewer *out);

/* Makes the read of the viewer's groups; false when there are none to read. */
bool viewer_groups(struct arena *arena, const struct viewer *viewer, struct read *groups);

/*
 * The display name of a group; its identifier for people who are not in it, and strangers (NULL).
 */
struct str viewer_group_title(const struct viewer *viewer, struct str name);

/* Adds the permissions of the groups in that answer. Groups that are being deleted give none. */
void viewer_permit(struct arena *arena, const struct read *groups, struct viewer *viewer);

#endif
