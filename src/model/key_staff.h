#ifndef MODEL_KEY_STAFF_H
#define MODEL_KEY_STAFF_H

#include "model/key.h"

/* The part of the key schema that is about what the staff do by hand, and what is answered to that. */

/* What somebody has answered to a measure against them, once: `about` is a suspension or a comment. */
struct key key_appeal(struct arena *arena, struct str username, struct str about);
void key_index_appeal(struct arena *arena, struct item *item, struct str username, int64_t created);
/* All that nobody of the staff has settled, by time. */
struct query query_appeals(void);

#endif
