#ifndef MODEL_READER_FEED_H
#define MODEL_READER_FEED_H

#include "model/permission.h"
#include "model/plan.h"
#include "model/post/post.h"

/*
 * The personal feed: what those have published whom somebody follows, newest first.
 *
 * The stream worker (derive/feed.c) puts each post into the feeds of its authors' followers, if these have seen their feed
 * in the last 14 days. Authors of more than a thousand followers are spared that: their posts are merged when a feed is
 * read. So is everything else, of the first hundred followed, while a feed is not filled, and where it ends: after 30 days.
 *
 *	USER#<u> / FEED           when somebody last saw it, written by the page, at most once a day. It expires
 *	                          14 days later: who has one is active, and gets what is published
 *	FEED#<u> / FILLED         that the feed is whole, from a time on. It expires together with FEED: whoever trusts it
 *	                          knows that all was put into it ever since
 *	FEED#<u> / <t>#<id>       a post. It expires after 30 days, counted from its publication
 *	FED#<id>                  into whose followers' feeds a post was put
 *	FEEDS / MERGED            the authors whose posts are put into nobody's: for good
 *
 * What stands in a feed shows nothing by itself: the head of each post decides, with whom the reader follows,
 * has muted and blocked by now.
 */
enum {
	FEED_DAYS = 30,          /* an entry is kept, from its publication on */
	FEED_ACTIVE_DAYS = 14,   /* since somebody saw theirs */
	FEED_ENTRIES_MAX = 500,  /* that a feed is filled with */
	FEED_PUSHED_MAX = 1000,  /* followers of an author whose posts are put into their feeds */
	FEED_EDGE_MS = 60 * 1000, /* what expires within that time is neither put there nor relied upon */
};
#define FEED_MS (INT64_C(86400000) * FEED_DAYS)

/* --- A post in feeds ------------------------------------------------------------------------------- */

/* Whose followers are to have it. */
enum feed_reach { FEED_NOBODY, FEED_OF_AUTHOR, FEED_OF_AUTHORS };
enum feed_reach feed_reach(const struct post *post);

/* All who have written it, sorted. */
struct strings_value feed_authors(struct arena *arena, const struct post *post);

/* Is it to stand in the feed of this person, who follows whom `follows` says? */
bool feed_wants(const struct post *post, struct str username,
    bool (*follows)(const void *context, struct str author), const void *context);

struct feed_entry {
	struct str post;
	int64_t published;
	struct strings_value authors;
};
bool feed_entry_from_item(struct arena *arena, const struct item *item, struct feed_entry *out);
struct item feed_entry_item(
    struct arena *arena, struct str username, const struct feed_entry *entry);

/* Notes that who acts sees their feed, if that is news: `state` is their item, or NULL, `filled` whether the feed is. */
enum plan_rc feed_note_seen(struct plan *plan, const struct item *state, bool filled);

#endif
