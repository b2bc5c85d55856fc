#ifndef MODEL_KEY_OUTBOX_H
#define MODEL_KEY_OUTBOX_H

#include "table/table.h"

/* Letters to one recipient (model/site/outbox.h): `to` and `what` have no "#". */
struct key key_letter(struct arena *arena, struct str to, struct str what, struct str thing);

/* A letter that waits is in this place, by when it is due. */
struct key key_outbox(struct arena *arena, int64_t due, struct key letter);

/* Those that are due, the first one first; and all that wait. */
struct query query_outbox_due(struct arena *arena, int64_t now);
struct query query_outbox(void);

/* What was written to somebody of this kind, about things that begin so. */
struct query query_letters(struct arena *arena, struct str to, struct str what, struct str thing);

/* That somebody wants a letter each week; it is in an index by when the next one is due. */
struct key key_digest(struct arena *arena, struct str username);
void key_index_digest(struct arena *arena, struct item *item, int64_t next, struct str username);
struct query query_digests_due(struct arena *arena, int64_t now);

/* What the sender keeps of its own. */
struct key key_sender_state(void);

#endif
