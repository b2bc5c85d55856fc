#ifndef MODEL_ITEM_BREACH_H
#define MODEL_ITEM_BREACH_H

#include "table/item.h"

/*
 * For items that come from a file: the first attribute that breaks a rule to which forms hold everybody
 * (model/text_rule.h). *name is which, and the result what is wanted of it; NULL: none does. A kind of item that people
 * write nothing into has no rules.
 */
const char *item_breach(const struct item *item, struct str *name);

#endif
