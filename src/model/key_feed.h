#ifndef MODEL_KEY_FEED_H
#define MODEL_KEY_FEED_H

#include "table/table.h"

/* The part of the key schema that is about personal feeds (model/reader/feed.h). */

/* --- Single items --- */

/* When somebody last saw their feed, in their own partition; and from when on what is derived of it is whole. */
struct key key_feed_state(struct arena *arena, struct str username);
struct key key_feed_fill(struct arena *arena, struct str username);
/* A post in a feed. */
struct key key_feed_entry(struct arena *arena, struct str username, int64_t published, struct str post);
/* Into whose feeds a post was put. */
struct key key_feed_push(struct arena *arena, struct str post);
/* The authors whose posts are put into nobody's feed. */
struct key key_feed_merged(void);

/* The person of a feed, from the key of what is derived of it. */
struct str key_feed_of(struct key key);

/* --- Places in a feed --- */

/* "<t>#<id>" */
struct str key_feed_place(struct arena *arena, int64_t published, struct str post);
/* Its time, and the post; false: it is no such place. */
bool key_feed_place_read(struct str place, int64_t *published, struct str *post);

/* --- Queries --- */

/* The entries of a feed, by time; all, or up to a place or a time. */
struct query query_feed(struct arena *arena, struct str username);
struct query query_feed_until(struct arena *arena, struct str username, struct str until);
/*
 * What somebody has published, with others or alone, for everybody or (closed) not: from a time on, also what is scheduled, for
 * the stream worker; or between two places, for the feed of somebody who may read it.
 */
struct query query_published_since(
    struct arena *arena, struct str author, bool closed, int64_t since);
struct query query_published_between(
    struct arena *arena, struct str author, bool closed, struct str from, struct str until);

#endif
