#ifndef MODEL_SITE_BACKUP_H
#define MODEL_SITE_BACKUP_H

#include "model/plan.h"

/* When the table was last backed up by `broadsheet backup`, for those who look after the site. */

/* Notes it: now. */
enum plan_rc backup_note(struct plan *plan);

struct read backup_read(void);

/* The time; 0: never. `item` is what the read found, or NULL. */
int64_t backup_made(const struct item *item);

#endif
