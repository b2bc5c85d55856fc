#ifndef MODEL_KEY_MODERATION_H
#define MODEL_KEY_MODERATION_H

#include "model/key.h"

struct flag_target;

/* The part of the key schema that is about moderation: flags, what they are about, what was hidden, and who said so. */

/* What is flagged, in keys: "COMMENT#<id>". */
struct str key_flag_target(struct arena *arena, const struct flag_target *target);

/* --- Single items --- */

/* That somebody flagged something (by key_flag_target()), and what is known of all who did. */
struct key key_flag(struct arena *arena, struct str target, struct str username);
struct key key_flagged(struct arena *arena, struct str target);
/* What somebody gave a link. */
struct key key_review(struct arena *arena, struct str post, struct str username);

/* What the staff say of a person. */
struct key key_staff_note(struct arena *arena, struct str about, struct str id);

/* --- Queries --- */

/* The flags of one thing, and behind them what is known of all. */
struct query query_flags(struct arena *arena, struct str target);
/* What was flagged and is not settled, by when it first was: for the staff only. */
struct query query_flagged(void);
/* The replies to a comment, and theirs. */
struct query query_replies(struct arena *arena, struct str post, struct str path);
/* For the staff only: what everybody sees, of whatever post; what was hidden; what its author has answered to that. */
struct query query_comments_visible(void);
struct query query_comments_hidden(void);
struct query query_comments_answered(void);

struct query query_staff_notes(struct arena *arena, struct str about);
/* What somebody has flagged, by time. */
struct query query_flags_by(struct arena *arena, struct str username);

/* --- Index keys --- */

void key_index_flag(struct arena *arena, struct item *item, struct str username, int64_t created,
    struct str target);
void key_index_flagged(struct arena *arena, struct item *item, int64_t created, struct str target);
/* A comment that was hidden then, or to which that was answered then. */
void key_index_comment_hidden(
    struct arena *arena, struct item *item, struct str author, int64_t hidden, struct str id);
void key_index_comment_answered(
    struct arena *arena, struct item *item, int64_t answered, struct str id);

#endif
