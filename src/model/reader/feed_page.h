#ifndef MODEL_READER_FEED_PAGE_H
#define MODEL_READER_FEED_PAGE_H

#include "model/reader/feed.h"

/*
 * A page of somebody's feed (model/reader/feed.h), in two round trips: what is in the feed and whom they follow; then
 * the heads of those posts, and what has to be merged with them: the posts of authors who have too many followers to be put into
 * feeds, or, where the feed is not filled or at its end, of everybody whom they follow, FEED_AUTHORS_MAX at most.
 *
 * Each of these has a last post that was read, when there are more behind it. The page ends at the newest of
 * those, so that nothing is left out between two pages.
 */
enum { FEED_SHOWN = 20, FEED_AUTHORS_MAX = 100, FEED_FIRST_READS = 3 };

struct feed_reading {
	struct arena *arena;
	const struct viewer *viewer;
	int64_t now;
	struct str until; /* the place before which it begins; empty: now */

	struct read first[FEED_FIRST_READS];
	struct read *second; /* with room for one more, of the caller's */
	size_t second_count;

	const struct item *state; /* for feed_note_seen() */
	bool filled;
	bool partly; /* not everybody whom they follow has been asked for what is not in the feed */

	/* What the first trip has found, and where it is in the second one. */
	struct strings_value followed; /* sorted, as far as a query has read them */
	bool follows_more;             /* than these */
	const struct feed_entry *entries;
	size_t entry_count, looked_at;
	bool cut;                    /* there are entries that were not looked at */
	struct str horizon;          /* nothing before this place is shown; empty: all may be */
	const struct read *heads;    /* of the entries; NULL: there are none */
	const struct read *asked;    /* whether others are followed; NULL: nobody is asked about */
	const struct read *authored; /* what authors have published, two for each */
	size_t author_count;
};

struct feed_page {
	const struct post *posts;
	size_t count;
	struct str next; /* where the next page begins; empty: there is none */
};

/* Makes the first reads, to be done by the caller. `until`: the `next` of the page before, or empty. */
void feed_begin(struct arena *arena, const struct viewer *viewer, struct str until, int64_t now,
    struct feed_reading *out);

/* Takes their answers, and makes the second reads; there may be none. */
void feed_go_on(struct feed_reading *feed);

/* Takes their answers. */
void feed_take(struct feed_reading *feed, struct feed_page *out);

/* Does the viewer follow this person, as far as was read? */
bool feed_follows(const struct feed_reading *feed, struct str author);

#endif
