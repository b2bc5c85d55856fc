#ifndef PAGES_SHARED_LISTS_H
#define PAGES_SHARED_LISTS_H

#include "model/post/category.h"
#include "model/post/posts.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "text/template.h"
#include "web/http/dispatch.h"

/* What pages with long lists share: `?after=` and `?before=`, and the links to older and newer pages. */

struct pagination_view {
	struct str of; /* what it leads through, where there are several on a page; or empty */
	struct str newer_url, newer_text, older_url, older_text;
};

/* The neighbours of a list that is one of many: another day, another month. Either may be without an address. */
struct beside_view {
	struct link_view earlier, later;
};

extern const struct view_type pagination_view_type, beside_view_type;

/* The query parameters of a page with a list: a route names them. */
extern const char *const list_parameters[];

/*
 * Opens the request's `after` or `before` into a cursor. False when somebody tampered with it: the
 * handler returns HTTP_BAD_REQUEST.
 */
bool list_cursor(struct request *rq, struct str *cursor, bool *newer);

/* The same of a list that has a parameter of its own, and goes one way only. */
bool list_cursor_of(struct request *rq, const char *parameter, struct str *cursor);

/* The links to the neighbours of a page of this list; NULL when there are none. */
const struct pagination_view *pagination_of(struct request *rq, struct str newer, struct str older);

/* Those of a list in another order than that of time: on to what follows, and back to where it begins. */
const struct pagination_view *pagination_onward(struct request *rq, struct str next);

/*
 * Those of one of several lists of a page, which goes on by itself: with ?list= and its name, and ?after=. `of`: what the
 * links are of, to whom hears them.
 */
const struct pagination_view *pagination_of_list(
    struct request *rq, const char *name, const char *of, struct str next);

/* The address of the page behind a cursor, of the one before, and of one by a parameter of its own. */
struct str older_url(struct request *rq, struct str cursor);
struct str newer_url(struct request *rq, struct str cursor);
struct str cursor_url(struct request *rq, const char *parameter, struct str cursor);

/* The list of posts that a page shows, from the request's parameters. */
struct posts_page {
	struct posts_query query;
	struct read read;
	bool empty; /* there is nothing to read */
};

/*
 * Prepares it. `limit` 0: as many as the settings say. HTTP_OK, or what the client is to be told: of a
 * tampered cursor HTTP_BAD_REQUEST.
 */
enum http_status posts_page_prepare(
    struct request *rq, enum posts_of of, struct str name, uint32_t limit, struct posts_page *page);

/*
 * Takes the answer. When a way to newer posts has led to the first page, *first is true: the handler
 * redirects to the address without parameters, so that the first page has one address and is full.
 */
void posts_page_take(struct request *rq, const struct posts_page *page, const struct read *heads,
    struct posts *out, bool *first);

/*
 * The heads of the posts that a list's items name, in their order, after posts_once(). HTTP_OK and
 * none if there are no items.
 */
enum http_status list_heads(struct request *rq, struct read *list, struct read *heads);

/* What is public in a category and in those under it. */
struct category_list {
	const struct category *category;
	struct posts_query query;
	struct posts posts;
};

/*
 * Reads that of the address's category: `limit` and what is answered as with posts_page_prepare(). When it was merged,
 * out->category is the one that it went into, of another slug, and no post was read. `beside`: one more
 * read for the same trip, or NULL.
 */
enum http_status category_list(
    struct request *rq, uint32_t limit, struct read *beside, struct category_list *out);

/*
 * The heads of the posts that items of other kinds name, without duplicates; and the head of one of
 * them by its id, or NULL. HTTP_OK and none if there are no items.
 */
enum http_status list_named_posts(struct request *rq, const struct read *list, struct read *heads);
const struct item *list_named_post(struct request *rq, const struct read *heads, struct str post);

/* The index of a key among some, or `count`: so that a batch names no key twice. */
size_t list_place_of(const struct key *keys, size_t count, struct key key);

/* A plain list of posts, on templates/list.mustache: older pages of the front, a day of the archive. */
struct list_page {
	struct str title;
	const struct posts *posts;
	struct breadcrumbs trail; /* empty: home alone */
	struct str path;          /* canonical; empty: none */
	struct str empty_text;
	const struct beside_view *beside; /* NULL: none */
	bool noindex;
};
enum http_status list_page(struct request *rq, struct response *rs, const struct list_page *page);

extern const struct template_spec list_template;

/* Lists change by themselves when a scheduled post's minute comes: the response says so. */
void list_fresh(struct request *rq, struct response *rs);

#endif
