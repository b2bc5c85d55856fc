#ifndef T_PAGES_COUNTED_H
#define T_PAGES_COUNTED_H

#include "seeded.h"

/* How many counters of the table do not say what there is to count, by what kinds say of what counts each item. */
size_t miscounts(struct seeded *s);
/* The same besides the items of a Type. */
size_t miscounts_besides(struct seeded *s, const char *type);

#endif
