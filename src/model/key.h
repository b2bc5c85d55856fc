#ifndef MODEL_KEY_H
#define MODEL_KEY_H

#include "base/clock.h"
#include "model/kinds.h"
#include "table/table.h"

struct collection;

/*
 * The key schema: the only place that knows what a key looks like. docs/table.md says what lies where;
 * in short, with <t> for a time and <id> for a post:
 *
 *	a post      POST#<id>      METADATA, BODY, STATS, COMMENT#<path>, TAG#<tag>, REVISION#<n>…
 *	counts      COUNT#<id>#<shard>    N; FOLD#<shard>    <id>
 *	ranks       RANKED#<id>    TOP, DISCUSSED, STARS, DISPUTE
 *	a slug      SLUG#<slug>    SLUG#<slug>
 *	a person    USER#<u>       METADATA, COUNTS, MEMBERSHIP#<g>, MEMO#HIDDEN, MESSAGES, NOTE#…, PICTURES, FOLLOWING#<u>, POST#<id>#LIKE…
 *	a shelf     CATEGORY#<c>, GROUP#<g>, COLLECTION#<id>    METADATA
 *	numbers     TAGS, CATEGORIES                            <tag>, <c>
 *	a picture   MEDIA#<hash>   METADATA, POST#<id>
 *	the site    SITE           SETTINGS, SECRET, FORMAT, FIRSTADMIN, BACKUP
 *	a name      NAME#<skeleton>  <u>
 *	letters     SUBSCRIBER#<hash>    METADATA
 *	a feed      FEED#<u>       FILLED, <t>#<id>; FED#<id>, FEEDS, and USER#<u> / FEED
 *	who came    SESSION#<hash>, INVITATION#<hash>, RESET#<hash>, USEREMAIL#<address>, RATE#<what>#<who>
 *
 *	GSI1  USER#<u>                          POST#<t>#<id>, COMMENT#<t>#<id>, …
 *	      BLOCKED#<u>                       <t>#<u>: who has blocked them, for leaving alone
 *	GSI2  CATEGORY#<c>, TAG#<tag>           <t>#<id>
 *	      BLOCKING#<u>                      <t>#<u>
 *	      ABOUT#<id>                        RATING#<t>#<u>, LIKE#<u>, COLLECTION#<id>
 *	GSI3  POST, PAGE, SAID, CATEGORY, TAG, COLLECTION, USER …    in their natural order
 *	GSI4  HOT, TOP, RATED, DISPUTED         <score>#<t>#<id>
 *	GSI1–4  TOP#<span>, DISCUSSED#<span>    <score>#<t>#<id>
 *	      AUTHOR                            <u>
 *
 * Whatever ends in "#" is separated from what follows by a character that no name may hold. Results
 * are in the arena.
 */

/* --- Single items --- */
struct key key_site_settings(void);
struct key key_site_secret(void);
struct key key_site_picture_key(void);
struct key key_table_format(void);
/* The link by which somebody becomes the first admin (model/people/invitation.h). */
struct key key_first_admin(void);
/* When the table was last backed up (model/site/backup.h). */
struct key key_backup(void);
struct key key_user(struct arena *arena, struct str username);
struct key key_email(struct arena *arena, struct str address);
/* That somebody is called like this: by the skeleton of their name (model/people/name.h). */
struct key key_name_guard(struct arena *arena, struct str skeleton, struct str username);
struct key key_category(struct arena *arena, struct str slug);
/* How many posts a category has: apart from it, as what all pages are made of is read with it. */
struct key key_category_count(struct str slug);
struct key key_tag(struct str tag);
struct key key_slug(struct arena *arena, struct str slug);
struct key key_post(struct arena *arena, struct str id);       /* the head */
struct key key_post_body(struct arena *arena, struct str id);  /* its text */
struct key key_post_stats(struct arena *arena, struct str id); /* its counts */
struct key key_collection(struct arena *arena, struct str id);
struct key key_collected(struct arena *arena, struct str id, int64_t position, struct str post);
struct key key_group(struct arena *arena, struct str name);
struct key key_membership(struct arena *arena, struct str username, struct str group);
/* An uploaded picture, by its name, and that a post uses it. */
struct key key_media(struct arena *arena, struct str hash);
struct key key_pictures(struct arena *arena, struct str username);
struct key key_media_use(struct arena *arena, struct str hash, struct str post);
/* By the hash of its token or code. */
struct key key_session(struct arena *arena, struct str hash);
struct key key_invitation(struct arena *arena, struct str hash);
struct key key_reset(struct arena *arena, struct str hash);
/* What somebody is told of their account. */
struct key key_notice(struct arena *arena, struct str username, struct str id);
/* One act in the log of the staff. */
struct key key_audit(struct arena *arena, int64_t created, struct str id);
/* A counter of what somebody did in one window of time. */
struct key key_rate(struct arena *arena, struct str what, struct str who, int64_t window);
/* That one process does some work, for all. */
struct key key_lease(struct str work);
/* How late it was when what had expired was last removed. */
struct key key_last_known_time(void);

/* --- Queries: the partition and range; limit, direction and cursor are the caller's --- */

/* The thread of a post, in reading order. */
struct query query_comments(struct arena *arena, struct str post);
/* What a comment, by its id, said before its edits; the latest first. */
struct query query_comment_texts(struct arena *arena, struct str post, struct str id);
/* What somebody's comments said before they were edited or deleted, by that time. */
struct query query_comment_texts_of(struct arena *arena, struct str username);
/* What somebody has said and everybody sees, by time; and what of it waits for an editor. */
struct query query_comments_of(struct arena *arena, struct str username);
struct query query_comments_held_of(struct arena *arena, struct str username);
/* Their hidden comments, by the time of hiding. */
struct query query_comments_hidden_of(struct arena *arena, struct str username);
/* Everybody's that wait, by time: for the staff only. */
struct query query_comments_held(void);
/* A collection's posts, in its owner's order. */
struct query query_collection(struct arena *arena, struct str id);
/* The collection, and behind it as many of its posts as one query reads, as they are: for changing it. */
struct query query_collection_whole(struct arena *arena, struct str id);
/* The public collections that a post is in, newest last. */
struct query query_collections_with(struct arena *arena, struct str post);
/* The ratings of a post, by time. */
struct query query_ratings(struct arena *arena, struct str post);
/* A person's collections, by time; private ones too. */
struct query query_collections_of(struct arena *arena, struct str username);
/* A person, last, behind what sorts right before them: their memberships, MEMO#HIDDEN and MESSAGES. */
struct query query_person(struct arena *arena, struct str username);
/* The invitations that a person has made and nobody has used, by time. */
struct query query_invitations_of(struct arena *arena, struct str username);
/* The sessions of a person, by when they began. */
struct query query_sessions_of(struct arena *arena, struct str username);
/* What a person is told of their account, by time. */
struct query query_notices_of(struct arena *arena, struct str username);
/* What a person has uploaded, by time. */
struct query query_media_of(struct arena *arena, struct str username);
/* The pictures of those who have left for which it is time to see whether anything uses them. */
struct query query_left_media(struct arena *arena, int64_t now);
/* The posts that use a picture. */
struct query query_media_uses(struct arena *arena, struct str hash);
/* Those whose names have a skeleton, of all whose names are guarded. */
struct query query_names(struct arena *arena, struct str skeleton);
/* All that lies in a person's own partition; and all that stands in their activity. */
struct query query_own(struct arena *arena, struct str username);
struct query query_activity(struct arena *arena, struct str username);
/* All of a type, in its natural order. */
struct query query_categories(void);
/* All that stands on a category's shelf, whatever its time: for moving it, never for showing it. */
struct query query_category_partition(struct arena *arena, struct str slug);
struct query query_tags(void);
struct query query_category_counts(void);
/* Tags of an older table, which were items of partitions of their own, in an index. */
struct query query_older_tags(void);
bool key_is_older_tag(struct key key);
struct query query_users(void);
/* Who has, or once had, something public to their name. */
struct query query_authors(void);
/*
 * People, by name: those of a role or status (user_role_or_status(); empty: everybody) whose names begin so (empty: any).
 */
struct query query_people(struct arena *arena, struct str role_or_status, struct str prefix);
/* What the staff did in a month, "2026-11", by time. */
struct query query_audit(struct arena *arena, struct str month);
struct query query_groups(void);
/* The memberships of a group, by name. */
struct query query_members(struct arena *arena, struct str group);
struct query query_collections(void);
/* Those of them that the front page may show, newest last. */
struct query query_front_collections(void);
struct query query_pages(void);

/*
 * Lists of posts, bounded by now. Only model/post/posts.c calls these: no other function reads a list of
 * posts, so none can show what is not yet to be seen. `from` and `to` are prefixes of times ("2026-11");
 * empty ones leave that end open. False when the range is empty.
 */
enum posts_of { POSTS_ALL, POSTS_OF_AUTHOR, POSTS_OF_CATEGORY, POSTS_OF_TAG };
bool query_posts(struct arena *arena, enum posts_of of, struct str name, struct str from,
    struct str to, int64_t now, struct query *out);

/* --- Index keys of what is written: the attributes that put an item into an index --- */
void key_index_user(
    struct arena *arena, struct item *item, struct str username, struct str role_or_status);
/* Among those who have something public: a pseudonym, who has no page, stands nowhere. */
void key_index_author(struct arena *arena, struct item *item, struct str username);
/* A category's place in the row of all; one that was merged stands behind them. */
struct str key_category_place(struct arena *arena, int64_t order, struct str slug);
struct str key_merged_place(struct arena *arena, struct str slug);
void key_index_category(struct arena *arena, struct item *item, int64_t order, struct str slug);
/*
 * A collection in its owner's activity; one that is public among all, and where it has a post for it, among those of the front
 * page; and a post's being in a public one.
 */
void key_index_collection_owner(
    struct arena *arena, struct item *item, const struct collection *collection);
void key_index_collection(
    struct arena *arena, struct item *item, const struct collection *collection);
void key_index_collected(struct arena *arena, struct item *item, struct str id, struct str post);
void key_index_group(struct arena *arena, struct item *item, struct str name);
void key_index_membership(
    struct arena *arena, struct item *item, struct str group, struct str username);
/* The partition of those of a role or status: what GSI2PK of a person is set to when it changes. */
struct str key_people(struct arena *arena, struct str role_or_status);
void key_index_invitation(
    struct arena *arena, struct item *item, struct str by, int64_t created, struct str hash);
void key_index_session(
    struct arena *arena, struct item *item, struct str username, int64_t created, struct str hash);
/* The picture's owner has left; `look` is when to see whether anything uses it. */
void key_index_left_media(struct arena *arena, struct item *item, int64_t look, struct str hash);
/* Indexed by its author, by its id, and by time among all visible or all held comments. */
void key_index_comment(struct arena *arena, struct item *item, struct str author, int64_t created,
    struct str id, bool held);
void key_index_comment_text(
    struct arena *arena, struct item *item, struct str author, int64_t until, struct str id);
void key_index_media(
    struct arena *arena, struct item *item, struct str username, int64_t created, struct str hash);

/* Gives a new item its key and its Type. */
void key_set(struct arena *arena, struct item *item, struct key key, enum item_kind kind);

/* Among those who are on their way out. Those who are gone stand nowhere. */
struct query query_leaving(void);
void key_index_leaving(struct arena *arena, struct item *item, struct str username);

/* An item of somebody's own partition, or in their activity, becomes another's in the same place. */
void key_hand_over(struct arena *arena, struct item *item, struct str to);

/* --- Reading keys --- */

/* The name in the key of a shelf or a person: "GROUP#<g>". */
struct str key_name(struct key key);

/* A comment, by its path in the thread of a post. */
struct key key_comment(struct arena *arena, struct str post, struct str path);
/* What it said until then, for whoever moderates: not among the comments, or the thread's query would read it. */
struct key key_comment_text(struct arena *arena, struct str post, struct str id, int64_t until);
/* The comment's path, from its sort key. */
struct str key_comment_path(struct str sort);
/* The key of what a comment answers; false: of the post itself. */
bool key_comment_parent(struct key key, struct key *out);
/* Where GSI2 has a comment, by its id. */
struct key key_comment_place(struct arena *arena, struct str id);
/* Does it lie in this person's own partition? */
bool key_is_own(struct key key, struct str username);

#endif
