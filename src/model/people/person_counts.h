#ifndef MODEL_PEOPLE_PERSON_COUNTS_H
#define MODEL_PEOPLE_PERSON_COUNTS_H

#include "model/people/user.h"
#include "table/table.h"

/*
 * Numbers of a person are in an item of their own, beside the person: how many follow them, how many they follow, how many
 * public posts are theirs. What counts would else write the person's item, and each index that it is in. In older tables
 * the numbers were in the person's item; until the upgrade moves them (model/site/upgrade.h), the sum of both is right.
 */
struct read person_counts_read(struct arena *arena, struct str username);

/* Adds the numbers of the item, or nothing to what user_from_item() found if it is NULL. */
void person_counts_add(const struct item *item, struct user *user);

#endif
