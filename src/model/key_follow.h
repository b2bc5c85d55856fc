#ifndef MODEL_KEY_FOLLOW_H
#define MODEL_KEY_FOLLOW_H

#include "model/key.h"

/*
 * The part of the key schema that is about what people have to do with each other: follows, requests and blocks; and
 * about what they follow that is nobody.
 */

struct watch_target;

/* --- Single items --- */

/* That somebody follows somebody, asks to or blocks them. */
struct key key_follow(struct arena *arena, struct str username, struct str followed);
/* Whom and what a person has muted, and whom blocked: it sorts into the read of the viewer. */
struct key key_hidden(struct arena *arena, struct str username);
/* How many follow somebody, how many they follow, and how many public posts are theirs. */
struct key key_person_counts(struct arena *arena, struct str username);

/* That somebody follows a post, a thread, a tag or a category. */
struct key key_watch(struct arena *arena, struct str username, const struct watch_target *target);

/* --- Queries --- */

/* Whom a person follows, asks to or blocks, by name. */
struct query query_following(struct arena *arena, struct str username);
/* Who follows a person, and who asks to, by time. */
struct query query_followers(struct arena *arena, struct str username);
struct query query_follow_requests(struct arena *arena, struct str username);
/* Whom a person has blocked, by time; and by whom they are, which they are never to learn. */
struct query query_blocks_of(struct arena *arena, struct str username);
struct query query_blocks_against(struct arena *arena, struct str username);

/* What of that a person follows, by time; and who follows it, by name. */
struct query query_watches_of(struct arena *arena, struct str username);
struct query query_watchers(struct arena *arena, const struct watch_target *target);

/* --- Index keys: of a follow that holds, one that is asked for, and a block --- */

void key_index_follower(struct arena *arena, struct item *item, struct str follower,
    struct str followed, struct str created);
void key_index_follow_request(struct arena *arena, struct item *item, struct str follower,
    struct str followed, struct str created);
void key_index_block(struct arena *arena, struct item *item, struct str blocker, struct str blocked,
    struct str created);

void key_index_watch(struct arena *arena, struct item *item, struct str username, int64_t created,
    const struct watch_target *target);

#endif
