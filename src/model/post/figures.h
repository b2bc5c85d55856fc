#ifndef MODEL_POST_FIGURES_H
#define MODEL_POST_FIGURES_H

#include "model/bind.h"
#include "table/table.h"

struct arena;

/*
 * How often posts were read, by days of the site's time zone:
 *
 *	VIEWS#<post> / <day>     Views, Hosts           of a post
 *	VIEWS / <day>            Views, PostViews, Hosts, Posts    of all public pages;
 *	                         Reactions, Comments, Bookmarks    what readers did, less what they took back
 *	VIEWS#<post> / TOTAL     Views; and VIEWS / TOTAL
 *
 * A process counts in its memory (web/views/views.h) and adds what it has counted each minute: one item changes once a minute
 * for each process, however many read it, so nothing is sharded. A day expires in the end; the total, which is
 * written in the transaction of each day, stays.
 *
 * A day knows the hosts of the pages from where most came, and the site's the posts that were read most. Of hosts it is
 * approximate once there are more than FIGURES_HOSTS. The posts are exact: whoever adds knows how often each
 * post has been read today, and one that falls off the list comes back by being read again.
 */
enum {
	FIGURES_HOSTS = 20,
	FIGURES_POSTS = 50,
	FIGURES_HOST_BYTES = 100, /* longer names of hosts are not counted */
	FIGURES_DAYS_KEPT = 400,
	FIGURES_ROUND = 40, /* posts of one transaction */
};

/* How often something was read: from a host, or the post of this id. */
struct views_of {
	struct str name;
	int64_t views;
};

/* What readers do, as far as the days of the site count it. */
enum deed {
	DEED_REACTION, /* a like, a vote on a post, a rating */
	DEED_COMMENT,
	DEED_BOOKMARK,
	DEEDS,
};

/* Which of them a number of a post's Stats counts, "Loves"; DEEDS: none. */
enum deed deed_counted(struct str counter);

struct day_views {
	struct str day;       /* "2026-11-18" */
	int64_t views, adds;  /* adds: how often something was added, as each change of it is */
	int64_t post_views;   /* of the site's: those of posts */
	int64_t deeds[DEEDS]; /* of the site's */
	const struct views_of *hosts, *posts; /* most first */
	size_t host_count, post_count;
};
extern const struct binding_table day_views_bindings, site_day_views_bindings;

/* The most first. */
void views_sort(struct views_of *items, size_t count);

void day_views_from_item(struct arena *arena, const struct item *item, struct day_views *out);

/* What a process has counted of a post, or (no `post`) of all pages. */
struct counted_views {
	struct str post;
	int64_t views, post_views, deeds[DEEDS];
	const struct views_of *hosts; /* no host twice */
	size_t host_count;
	const struct views_of *posts; /* of all pages: how often these have been read today */
	size_t post_count;
	int64_t today; /* an answer: how often it has been read this day */
};

/*
 * Adds them to the day and to the totals, all or nothing; at most FIGURES_ROUND, and the site is one of its own. Others
 * may add at the same time. After a failure with call->unsure it may be done nevertheless: whoever tries again may
 * count twice.
 */
enum table_rc figures_add(struct table *table, struct table_call *call, struct str day,
    struct counted_views *counted, size_t count);

/* The days of a post, or of the site (no `post`), from one on. */
struct query query_views(struct arena *arena, struct str post, struct str from);

#endif
