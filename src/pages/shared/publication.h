#ifndef PAGES_SHARED_PUBLICATION_H
#define PAGES_SHARED_PUBLICATION_H

#include "model/permission.h"
#include "model/post/category.h"
#include "model/post/post.h"
#include "model/site/settings.h"
#include "table/table.h"
#include "text/view.h"
#include "web/http/request.h"
#include "web/search/search.h"

/*
 * What all pages need from the table: settings, the tree of categories, the static pages, and
 * scheduled posts, which no number may reveal (pages/shared/scheduled.h). It is read with a page's
 * own reads, in the same round trip, and cached as long as nothing of it has changed in the table (if
 * the table can't tell: for a second), so that most requests do not read it at all.
 *
 * A publication is immutable. Each request keeps the one that it began with.
 */
struct static_page {
	struct str slug, title;
};

struct scheduled {
	struct post post;
	const struct category *category; /* where it will lie; NULL: nowhere */
};

struct publication {
	struct settings settings;
	struct category_tree categories;
	const struct static_page *pages;
	size_t page_count;
	/* Public posts that were yet to come when it was read: only of publication_with_scheduled(). */
	const struct scheduled *scheduled;
	size_t scheduled_count;
	struct html footer;
	/* The colours of the site and its sections, as a stylesheet; empty: it has the style's own. */
	struct str colours, colours_url;
	const struct zone
	    *zone; /* of the settings; NULL: UTC, or one that the system does not know */
};

/* Keeps the newest publication, for all threads: the site's page_data. NULL until publications_new(). */
struct publications;
struct publications *publications_new(void);
void publications_free(struct publications *publications);

/*
 * Does a page's reads, and with them those of the publication if there is no good one. Afterwards
 * publication_of(rq) is there, with rq->settings and rq->zone. HTTP_OK, or what the client is to be told.
 */
enum http_status page_read(struct request *rq, struct read *reads, size_t count);

/*
 * How many have registered and wait to be let in, for whoever decides that: "3", "20+"; empty: none, or it is not for this
 * viewer. Read by page_read() when it has changed.
 */
struct str publication_waiting(const struct request *rq);

/* The one that the request uses; NULL before page_read(). */
const struct publication *publication_of(const struct request *rq);

/* The same after page_read(), for a page that depends on the scheduled posts, too. */
const struct publication *publication_with_scheduled(const struct request *rq);

/* The same when the first of the reads are a post's (POST_READS of post_reads()): head and text are of one save. */
enum http_status page_read_post(struct request *rq, struct read *reads, size_t count);

/*
 * The post of an answered read of its head. HTTP_OK when the viewer may do this to it, else 404, as if it did
 * not exist.
 */
enum http_status page_post_for(
    struct request *rq, const struct read *head, enum action action, struct post *out);

/*
 * The newest publication, stale or not, without using the table: for error pages. NULL if there was
 * none yet.
 */
const struct publication *publication_any(struct request *rq);

/* Releases the request's publication; called by dispatch at the end of every request. */
void publication_drop(struct request *rq);

/*
 * The languages of the words that are looked for: the site's, and then those that most of the rest is in. They are kept for some
 * minutes; when they are not, it takes a round trip. After it, rq->settings is there.
 */
enum http_status publication_languages(
    struct request *rq, struct str out[SEARCH_LANGUAGES_MAX]);

#endif
