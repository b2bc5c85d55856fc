#ifndef DERIVE_FEED_PRIVATE_H
#define DERIVE_FEED_PRIVATE_H

#include "derive/derivation.h"
#include "model/bind.h"

/* What the files of the derivation `feed` share. */

/* The subjects R<username> and F<follower> <followed>, without that letter. */
enum table_rc feed_derive_reader(struct derive *d, struct str username);
enum table_rc feed_derive_follow(struct derive *d, struct str both);

/* Is it one of these names, which are sorted: a struct strings_value? */
bool feed_is_among(const void *names, struct str name);
bool feed_same_names(const struct strings_value *a, const struct strings_value *b);

/* The Authors of an item, sorted; of none (NULL): nobody. */
struct strings_value feed_authors_in(struct arena *arena, const struct item *item);

/* The read of an item as it is now. */
struct read feed_get(struct key key);

#endif
