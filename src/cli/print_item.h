#ifndef CLI_PRINT_ITEM_H
#define CLI_PRINT_ITEM_H

#include "table/item.h"

/* Prints an item to standard output in DynamoDB's JSON: on one line, or `pretty` on many. */
void print_item(struct arena *arena, const struct item *item, bool pretty);

#endif
