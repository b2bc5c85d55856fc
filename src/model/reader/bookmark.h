#ifndef MODEL_READER_BOOKMARK_H
#define MODEL_READER_BOOKMARK_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * Tags of one's own on bookmarks, which nobody else sees. A bookmark (model/reader/reaction.h) has them in its Tags, and
 * each is an item of the person, too, so that the bookmarks of a tag are one query, newest first:
 *
 *	USER#<u> / BOOKMARKS#<tag>#<t>#<post>     t is when the post was bookmarked
 *	USER#<u> / BOOKMARKTAG#<tag>              Bookmarks, how many have it
 *
 * All of them change in one transaction, on the condition that the bookmark's Tags are as they were read.
 */
enum { BOOKMARK_TAGS_MAX = 10, BOOKMARK_TAG_LEN = 50, OWN_TAGS_MAX = 200 };

struct bookmark {
	struct str post;
	int64_t created;
	struct strings_value tags;
};

extern const struct binding_table bookmark_bindings;

void bookmark_from_item(struct arena *arena, const struct item *item, struct bookmark *out);

/* A tag of theirs, and how many bookmarks have it: 0 of one that is not used any more. */
struct own_tag {
	struct str tag;
	int64_t bookmarks;
};
void own_tag_from_item(const struct item *item, struct own_tag *out);

/*
 * It has these tags from now on, BOOKMARK_TAGS_MAX at most; `bookmark` as it was read. PLAN_CHANGED: it was changed or
 * taken back meanwhile.
 */
enum plan_rc bookmark_tag(
    struct plan *plan, const struct item *bookmark, const struct strings_value *tags);

/* Adds to a plan that takes the bookmark back: what lies beside it goes, too. */
void bookmark_untag(struct plan *plan, const struct item *bookmark);

/* The condition that it is there, and its tags are as they were read. */
struct condition bookmark_unchanged(struct arena *arena, const struct item *bookmark);

#endif
