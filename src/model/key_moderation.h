#ifndef MODEL_KEY_MODERATION_H
#define MODEL_KEY_MODERATION_H

#include "model/key.h"

struct flag_target;

/*
 * The part of the key schema for moderation: flags, flagged things, hidden comments, and notes of
 * the staff.
 */

/* A flagged thing, as in keys: "COMMENT#<id>". */
struct str key_flag_target(struct arena *arena, const struct flag_target *target);

/* --- Single items --- */

/* A person's flag of a thing (by key_flag_target()), and the summary of all its flags. */
struct key key_flag(struct arena *arena, struct str target, struct str username);
struct key key_flagged(struct arena *arena, struct str target);

/* A note of the staff about a person. */
struct key key_staff_note(struct arena *arena, struct str about, struct str id);

/* Why others do not see a thing (by key_flag_target()): model/reader/restriction.h. */
struct key key_restriction(struct arena *arena, struct str target);

/* One act of the log that readers see. */
struct key key_moderation_act(struct arena *arena, int64_t created, struct str id);

/* --- Queries --- */

/* The flags of a thing, followed by their summary. */
struct query query_flags(struct arena *arena, struct str target);
/* Flagged things that are not settled, by their first flag: for the staff only. */
struct query query_flagged(void);
/* The descendants of a comment. */
struct query query_replies(struct arena *arena, struct str post, struct str path);
/* For the staff only, of all posts: hidden comments; answers of their authors. */
struct query query_comments_hidden(void);
struct query query_comments_answered(void);

/* What the authors of a post have hidden there, or hold back: for them and for the staff. */
struct query query_comments_hidden_under(struct arena *arena, struct str post);
/* Restricted things that wait, that are hidden, and those whose owners have answered: for the staff only. */
enum restriction_list { RESTRICTIONS_HELD, RESTRICTIONS_HIDDEN, RESTRICTIONS_ANSWERED };
struct query query_restrictions(enum restriction_list list);
/* A person's own, by time. */
struct query query_restrictions_of(struct arena *arena, struct str owner);
/* What was hidden before that time; of answered ones, what was answered. */
struct query query_comments_hidden_before(struct arena *arena, int64_t time, bool answered);
struct query query_restrictions_before(struct arena *arena, int64_t time, bool answered);

struct query query_staff_notes(struct arena *arena, struct str about);
/* That log of a month, "2026-11", newest first. */
struct query query_moderation(struct arena *arena, struct str month);
/* A person's flags, by time. */
struct query query_flags_by(struct arena *arena, struct str username);

/* --- Index keys --- */

void key_index_flag(struct arena *arena, struct item *item, struct str username, int64_t created,
    struct str target);
void key_index_flagged(struct arena *arena, struct item *item, int64_t created, struct str target);
/* Of one that the post's authors have hidden or hold back. */
void key_index_comment_under(
    struct arena *arena, struct item *item, struct str post, int64_t when, struct str id);
/* In one of the lists of the staff; and also among what its owner is told. */
void key_list_restriction(struct arena *arena, struct item *item, int64_t when, struct str target,
    enum restriction_list list);
void key_index_restriction(struct arena *arena, struct item *item, struct str owner, int64_t when,
    struct str target, enum restriction_list list);
/* Of a comment that was hidden, or whose author answered, at that time. */
void key_index_comment_hidden(
    struct arena *arena, struct item *item, struct str author, int64_t hidden, struct str id);
void key_index_comment_answered(
    struct arena *arena, struct item *item, int64_t answered, struct str id);

#endif
