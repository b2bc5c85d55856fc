#ifndef MODEL_VIEWER_H
#define MODEL_VIEWER_H

#include "model/permission.h"
#include "table/table.h"

/*
 * The signed-in person: the person, their memberships, whom they have muted or blocked and how much they have not read in one
 * query, and the permissions of their groups in a second round trip, which is made only if they have any.
 */

/*
 * The read of a person with what sorts right before them. Strongly consistent: a revoked role is effective at
 * once.
 */
struct read viewer_read(struct arena *arena, struct str username);

/* Takes the answer. False when there is no such person. */
bool viewer_take(struct arena *arena, const struct read *answer, struct viewer *out);

/* Has the viewer (NULL: a stranger) muted that person or tag, or blocked that person? */
bool viewer_mutes(const struct viewer *viewer, struct str username);
bool viewer_mutes_tag(const struct viewer *viewer, struct str tag);
bool viewer_blocks(const struct viewer *viewer, struct str username);

/* Makes the read of the viewer's groups; false when there are none to read. */
bool viewer_groups(struct arena *arena, const struct viewer *viewer, struct read *groups);

/*
 * The display name of a group; its identifier for people who are not in it, and strangers (NULL).
 */
struct str viewer_group_title(const struct viewer *viewer, struct str name);

/* Adds the permissions of the groups in that answer. Groups that are being deleted give none. */
void viewer_permit(struct arena *arena, const struct read *groups, struct viewer *viewer);

#endif
