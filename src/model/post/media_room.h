#ifndef MODEL_POST_MEDIA_ROOM_H
#define MODEL_POST_MEDIA_ROOM_H

#include "model/bind.h"
#include "table/table.h"

/*
 * How much room a person's pictures take, in all their sizes: a counter beside the person, USER#<u> / PICTURES, which
 * changes in the transaction that brings a picture or takes it away. So one person's pictures are bounded, and nobody
 * has to add them up. Of a pseudonym's, who brings none any more, there is none.
 */
struct media_room {
	int64_t bytes;
	bool counted; /* all that were there before the counter are in it */
};

/* Its key; what an item says, NULL being one that is not there yet. */
struct key media_room_key(struct arena *arena, struct str owner);
struct media_room media_room_from_item(struct arena *arena, const struct item *item);

/*
 * Adds up once what a person had before anybody counted: pictures of a table that is older than the counter. Returns
 * how the table did.
 */
enum table_rc media_room_count(
    struct table *table, struct table_call *call, struct str owner, struct media_room *room);

/*
 * The write by which a transaction counts bytes that come, or go (< 0). `most` 0: always; else its condition is that
 * no more than those come together.
 */
struct write media_room_change(struct arena *arena, struct str owner, int64_t bytes, int64_t most);

/* Is it counted at all? Not for a pseudonym. */
bool media_room_has(struct str owner);

extern const struct binding_table media_room_bindings;

#endif
