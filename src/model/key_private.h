#ifndef MODEL_KEY_PRIVATE_H
#define MODEL_KEY_PRIVATE_H

/* What the rooms that spell keys share; nobody else's. */

#include "base/arena.h"
#include "base/str.h"

#define METADATA STR("METADATA")

/* "<kind>#<name>" */
static inline struct str
tagged(struct arena *arena, const char *kind, struct str name)
{
	return STR_CONCAT(arena, str_of(kind), STR("#"), name);
}

#endif
