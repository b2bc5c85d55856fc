#ifndef MODEL_POST_MEDIA_QUOTA_H
#define MODEL_POST_MEDIA_QUOTA_H

#include "model/bind.h"
#include "table/table.h"

/*
 * The quota of a person's pictures: their total size is a counter next to the person, USER#<u> /
 * PICTURES, changed in the transaction that adds or removes a picture. So nobody has to add them
 * up. A pseudonym, who adds none any more, has no counter.
 */
struct media_quota {
	int64_t bytes;
	bool counted; /* all that were there before the counter are in it */
};

/* Its key; what an item says, NULL being one that is not there yet. */
struct key media_quota_key(struct arena *arena, struct str owner);
struct media_quota media_quota_from_item(struct arena *arena, const struct item *item);

/* Initialises the counter once for pictures that are older than it. Returns the table's result. */
enum table_rc media_quota_count(
    struct table *table, struct table_call *call, struct str owner, struct media_quota *room);

/*
 * The write that counts added or removed (< 0) bytes. `most` 0: unconditional; otherwise its
 * condition is that the total does not exceed that.
 */
struct write media_quota_change(struct arena *arena, struct str owner, int64_t bytes, int64_t most);

/* Is it counted at all? Not for a pseudonym. */
bool media_quota_has(struct str owner);

extern const struct binding_table media_quota_bindings;

#endif
