#ifndef MODEL_KEY_WORK_H
#define MODEL_KEY_WORK_H

#include "table/table.h"

/* What the stream worker keeps of its own (model/site/work.h). */
struct key key_work_state(void);
struct key key_work_rebuild(void);
struct key key_work_derived(struct arena *arena, struct str name);
struct key key_work_parked(struct arena *arena, struct str name, struct str subject);
/* Which name of a person or a post was last copied everywhere (derive/copies.c). */
struct key key_copied(struct arena *arena, struct str subject);
/* That a post's time is yet to come, and where that stands among all (derive/due.c). */
struct key key_due(struct arena *arena, struct str post);
void key_index_due(struct arena *arena, struct item *item, struct str post, int64_t published);
/* What a table is in a move to another store (model/site/move.h), and the marks that show that its last changes have passed. */
struct key key_move(void);
struct key key_move_mark(struct arena *arena, unsigned number, struct str holder);
bool key_is_move_mark(struct key key, struct str holder, unsigned *number);
/* Is it one of these, or a lease? Nobody who reads the stream of changes is concerned. */
bool key_is_work(struct key key);

/* What the stream worker keeps of its own, and what it has parked. */
struct query query_work(void);
struct query query_work_parked(void);
/* The posts whose time was yet to come, and has come by now. */
struct query query_due(struct arena *arena, int64_t now);

#endif
