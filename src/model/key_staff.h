#ifndef MODEL_KEY_STAFF_H
#define MODEL_KEY_STAFF_H

#include "model/key.h"

/* The part of the key schema for measures of the staff, and appeals against them. */

/* A person's appeal against a measure: `about` is a suspension or a comment. */
struct key key_appeal(struct arena *arena, struct str username, struct str about);
void key_index_appeal(struct arena *arena, struct item *item, struct str username, int64_t created);
/* Appeals that have not been settled, by time. */
struct query query_appeals(void);

/* A range of addresses from which nobody writes, and all of them. */
struct key key_address_block(struct str range);
struct query query_address_blocks(void);

#endif
