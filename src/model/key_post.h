#ifndef MODEL_KEY_POST_H
#define MODEL_KEY_POST_H

#include "model/key.h"
#include "model/post/draft_link.h"
#include "model/post/post.h"

/*
 * The part of the key schema that is about writing: what lies beside a post's head, and where the head
 * and what follows it stand in the indexes.
 */

/* --- Single items --- */

/* The n-th revision of a post. */
struct key key_revision(struct arena *arena, struct str post, int64_t number);
/* What somebody typed last and has not saved: of a post, or of a new one of some kind in the form of that name. */
struct key key_autosave(struct arena *arena, struct str post, struct str username);
struct key key_autosave_new(
    struct arena *arena, struct str username, enum post_kind kind, struct str form);
/* That somebody has typed something of a post and not saved it, for the list on their desk. */
struct key key_unsaved(struct arena *arena, struct str username, struct str post);
/* That a form of theirs has made a post. */
struct key key_once(struct arena *arena, struct str username, struct str once);
/* A post on the shelf of a tag, and in the activity of one who wrote it with its author. */
struct key key_post_tag(struct arena *arena, struct str post, struct str tag);
struct key key_post_coauthor(struct arena *arena, struct str post, struct str username);

/* A person's reaction to a post: "LIKE", "VOTE" or "BOOKMARK". */
struct key key_reaction(
    struct arena *arena, struct str username, struct str post, const char *what);
/* A bookmark under one of its owner's tags, and that tag. */
struct key key_bookmark_tag(struct arena *arena, struct str username, struct str tag,
    int64_t created, struct str post);
struct key key_own_tag(struct arena *arena, struct str username, struct str tag);

/* That somebody does not want to be named as an author of it. */
struct key key_declined(struct arena *arena, struct str username, struct str post);

/*
 * A shard of a post's counters, and the mark that it has changed since it was last folded
 * (model/post/count.h).
 */
struct key key_count(struct arena *arena, struct str post, unsigned shard);
struct key key_fold(struct arena *arena, struct str post, unsigned shard);

/* How often it was read on a day ("2026-11-18"), and in all (model/post/figures.h); no `post`: all public pages. */
struct key key_views(struct arena *arena, struct str post, struct str day);
struct key key_views_total(struct arena *arena, struct str post);

/* A link to a draft, by the hash of its code. */
struct key key_draft_link(struct arena *arena, struct str hash);

/* --- Queries: limit, direction and cursor are the caller's --- */

/* The revisions of a post, in the order of their numbers. */
struct query query_revisions(struct arena *arena, struct str post);
/* What is the same as its head, for each of its other authors. */
struct query query_post_copies(struct arena *arena, struct str post);
/* All that stands by a post in GSI2: ratings, likes, bookmarks, collections, links to a draft. */
struct query query_about(struct arena *arena, struct str post);
/* What its writers have typed and not saved, one of each. */
struct query query_autosaves(struct arena *arena, struct str post);
/* What somebody has typed and not saved of new posts, of one kind or (NULL) of all: of a kind by their forms’ names. */
struct query query_autosaves_new(
    struct arena *arena, struct str username, const enum post_kind *kind);
/* Of which posts that are stored they have such changes. */
struct query query_unsaved(struct arena *arena, struct str username);
/*
 * A person's reactions to a post and to its comments; all of a person, by time.
 */
struct query query_reactions(struct arena *arena, struct str username, struct str post);
/* All of a kind, "LIKE", "VOTE" (those on its comments, too) or "BOOKMARK", by the names of who did it. */
struct query query_reactions_about(struct arena *arena, struct str post, const char *what);
struct query query_reactions_of(struct arena *arena, struct str username, const char *what);
/* A person's bookmarks with one of their own tags, by time; and those tags. */
struct query query_bookmarks_of_tag(struct arena *arena, struct str username, struct str tag);
struct query query_own_tags(struct arena *arena, struct str username);
/* The posts whose counters in this shard have changed. */
struct query query_folds(struct arena *arena, unsigned shard);
/* The links to a draft. */
struct query query_draft_links(struct arena *arena, struct str post);

/*
 * What somebody has written, with others or alone, by time: the sections of their desk. For that person
 * and the staff only. A post that is published later than now is scheduled, whoever it is for.
 */
enum desk {
	DESK_DRAFTS,
	DESK_ASKED,     /* what others wrote, and ask them to be named as an author of */
	DESK_SCHEDULED, /* for everybody */
	DESK_PUBLISHED,
	DESK_CLOSED,           /* for followers, a group, or the author alone */
	DESK_CLOSED_SCHEDULED, /* the same, and not yet */
	DESK_PAGES,
	DESK_UNPUBLISHED,
	DESK_DELETED, /* and can still be had back */
};
struct query query_desk(struct arena *arena, struct str username, enum desk section, int64_t now);

/* All public posts whose time is yet to come, by time: for the staff only. */
struct query query_scheduled(struct arena *arena, int64_t now);

/* --- Places in the indexes --- */

/* So long a deleted post can be had back. */
#define DELETED_KEPT_MS (INT64_C(30) * 86400000)

/* Does it have public keys? Also when its time is yet to come. */
bool post_in_lists(const struct post *post);

/*
 * Sets the item's index keys to where a head of this post stands, and takes away all others:
 * docs/table.md, "Where a head stands in the indexes". This is the rule, and the only one.
 */
void key_index_post(struct arena *arena, struct item *item, const struct post *post);

/* The same for a copy of the head that stands in the activity of one more author. */
void key_index_coauthor(
    struct arena *arena, struct item *item, const struct post *post, struct str username);

/* And for what tells somebody that they are asked to be one: on their desk alone. */
void key_index_asked(
    struct arena *arena, struct item *item, const struct post *post, struct str username);

void key_index_post_tag(
    struct arena *arena, struct item *item, const struct post *post, struct str tag);

/* Where the post's counts stand in the ranking TOP. */
void key_index_stats(struct arena *arena, struct item *item, const struct post *post,
    const struct post_stats *stats);

void key_index_reaction(struct arena *arena, struct item *item, struct str username,
    int64_t created, struct str post, const char *what);
void key_index_draft_link(struct arena *arena, struct item *item, const struct draft_link *link);

#endif
