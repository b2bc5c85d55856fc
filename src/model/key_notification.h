#ifndef MODEL_KEY_NOTIFICATION_H
#define MODEL_KEY_NOTIFICATION_H

#include "table/table.h"

/*
 * The part of the key schema for notifications:
 *
 *	USER#<u>           NOTE#<day>#<what>#<target>    a notification; those of the queue, which has no day: NOTE#~#…
 *	                   MESSAGES                      how many are unread: between MEMBERSHIP# and METADATA
 *	                   NOTIFICATIONS                 of what they want to be told
 *	TOLD#<subject>     the same                      whom a fact was told (derive/tell.h)
 *	                   PAGE#<list>#<first>           of very many some: five digits, and the first username
 *
 *	GSI1  USER#<u>     NOTE#<t>#<what>#<target>
 *
 * The day is UTC's: of another zone, which an admin can change, everything would be told twice.
 */

/* Where a notification lies in its person's partition: "NOTE#2026-11-19#reply#<id>". */
struct str key_note_place(struct arena *arena, int64_t at, struct str what, struct str target);
/* The same of what has no day, as it is never another one. */
struct str key_note_place_lasting(struct arena *arena, struct str what, struct str target);
struct key key_note(struct arena *arena, struct str username, struct str place);
/* Is it the place of a notification? For what a form names. */
bool key_is_note_place(struct str place);

struct key key_messages(struct arena *arena, struct str username);
struct key key_note_settings(struct arena *arena, struct str username);

/* What was told of a subject of the derivation of notifications; and that subject. */
struct key key_told(struct arena *arena, struct str subject);
struct key key_told_page(struct arena *arena, struct str subject, int64_t list, struct str first);
/* Those of that list and of all after it. */
struct query query_told_pages(struct arena *arena, struct str subject, int64_t list);
/* The subject of one of these. */
struct str key_told_subject(struct key key);

void key_index_note(struct arena *arena, struct item *item, struct str username, int64_t at,
    struct str what, struct str target);

/* A person's, by time. */
struct query query_notes_of(struct arena *arena, struct str username);
/* The same as they lie: those of that day and after it, 0: all. */
struct query query_notes_since(struct arena *arena, struct str username, int64_t since);

#endif
