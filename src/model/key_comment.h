#ifndef MODEL_KEY_COMMENT_H
#define MODEL_KEY_COMMENT_H

#include "model/key.h"
#include "model/reader/comment.h"

/*
 * The part of the key schema for threads: the items next to the comments of a post, by which threads are sorted.
 *
 *	POST#<id>   TALLY#<root>                of the whole thread under a root
 *	            COMMENT#<path>#VOTES        the votes on a comment: between it and its first reply
 *	USER#<u>    POST#<id>#VOTE#<comment>    a vote on one
 *	            POST#<id>#READ              when they have seen a thread
 *	            COMMENTDRAFT#<id>#<form>    what they have typed, and not sent
 *
 *	GSI3  THREADS#<id>                      <root>, so by time
 *	GSI4  BEST#<id>                         <score>#<root>
 *	      BEST                              <score>#<comment>: of the whole site
 */

struct key key_tally(struct arena *arena, struct str post, struct str root);

/* The index keys of a tally: the values of its four attributes. */
struct tally_places {
	struct str threads, best, place, best_place;
};
struct tally_places key_tally_places(
    struct arena *arena, struct str post, struct str root, int64_t score);

/* The root of a tally, from its sort key. */
struct str key_tally_root(struct str sort);

/* The threads of a post in that order, by their tallies. */
struct query query_threads(struct arena *arena, struct str post, enum thread_order order);

/* The counters of votes on a comment; and the post and the path of their key. */
struct key key_comment_votes(struct arena *arena, struct str post, struct str path);
void key_comment_votes_of(struct key key, struct str *post, struct str *path);
/* The comment's place among the best of the site. */
void key_index_comment_votes(struct arena *arena, struct item *item, struct str id, int64_t score);

/* A person's vote on a comment, by its id. */
struct key key_comment_vote(
    struct arena *arena, struct str username, struct str post, struct str comment);
void key_index_comment_vote(struct arena *arena, struct item *item, struct str username,
    int64_t created, struct str post, struct str comment);

/*
 * The mark to fold a comment (model/post/count.h), in place of a post's id; false: it is a post's.
 */
struct str key_fold_comment(struct arena *arena, struct str post, struct str path);
bool key_fold_is_comment(struct str fold, struct str *post, struct str *path);

/* When a person has last read the thread of a post. */
struct key key_read_mark(struct arena *arena, struct str username, struct str post);

/* What a person has typed into a form of a post, and all of theirs. */
struct key key_comment_draft(
    struct arena *arena, struct str username, struct str post, struct str form);
struct query query_comment_drafts(struct arena *arena, struct str username);

/*
 * The best comments of the site, and the newest, of all posts: a page has to check for each post
 * who may see it.
 */
struct query query_comments_best(void);
struct query query_comments_newest(void);

/* The first comment after this root and its descendants; empty: the first of all. */
struct query query_next_root(struct arena *arena, struct str post, struct str root);

/* All posts that are public or scheduled: for maintenance, never for showing them. */
struct query query_posts_whole(void);

/* A comment and its descendants, in reading order. */
struct query query_thread(struct arena *arena, struct str post, struct str path);

/* The comment of an id, wherever it is. */
struct query query_comment_by_id(struct arena *arena, struct str id);

#endif
