#ifndef PAGES_SHARED_LAYOUT_H
#define PAGES_SHARED_LAYOUT_H

#include "text/view.h"
#include "web/http/dispatch.h"

struct category;

/*
 * The frame of all pages: the view of templates/layout.mustache. docs/views.md describes the
 * fields.
 */

struct link_view {
	struct str url, name;
};

struct feed_view {
	struct str url, title;
};

struct nav_link_view {
	struct str url, name;
	bool current;
	struct str section; /* of a section that has a colour: its slug; or empty */
};

/* Open Graph's properties of an article. */
struct article_view {
	struct str published, modified, section;
	LIST_OF(struct str) authors, tags;
};

/* A picture in place of the site's name. */
struct nameplate_view {
	struct str src;
	int64_t width, height;
};

struct layout_view {
	struct str lang, dir, page_title, page_description, canonical_url, og_title;
	bool noindex;
	struct str og_type, og_locale, og_image_url, og_image_alt, twitter_card;
	int64_t og_image_width, og_image_height;
	const struct article_view *article;
	LIST_OF(struct feed_view) feeds;
	struct html json_ld;
	struct str section; /* to which the page belongs, if that has a colour: its slug; or empty */
	const struct nameplate_view *nameplate;
	struct str colours_url;
	struct str style_url, script_url, comments_script_url, unread_script_url, search_script_url, icon_url, site_name, tagline, today, today_text;
	LIST_OF(struct nav_link_view) nav;
	LIST_OF(struct link_view) account;
	LIST_OF(struct link_view) pages;
	struct str search_url;
	bool by_mail; /* letters can be had of it */
	struct html footer_html;
};

extern const struct view_type link_view_type, nav_link_view_type, nameplate_view_type, article_view_type,
    layout_view_type;

/* The slug of the section that a category lies in, if that has a colour of its own; or empty. */
struct str section_coloured(const struct category *category);

/* The links that lead from the front page down to a page's parent, as a view lists them. */
struct breadcrumbs {
	const struct link_view *items;
	size_t count;
};

/* The trail that all begin with: home alone. After page_read(). */
struct breadcrumbs trail_home(struct request *rq);
void breadcrumb(struct request *rq, struct breadcrumbs *trail, struct str url, struct str name);
/* A category with those that it lies under, the nearest eight; none for NULL. */
void breadcrumb_category(
    struct request *rq, struct breadcrumbs *trail, const struct category *category);

/* A page's part of the frame; the rest is from the publication. */
struct page_frame {
	struct str title;       /* of this page; empty on the front page */
	struct str description; /* plain text */
	struct str
	    path; /* its canonical address on this site, told unless it is noindex; empty: it has none */
	struct str feed_path, feed_title; /* its own feed; empty: none but the site's */
	struct str section;               /* the slug of the category that it belongs to */
	struct str picture,
	    picture_alt; /* an address, and what it shows; empty: the site's, if it has one */
	struct html json_ld;
	const char *og_type;                /* "website" when NULL */
	const struct article_view *article; /* NULL: it is none */
	struct str language;                /* of what it says; empty: the site's */
	bool noindex;
};

/* Fills the frame from the request's publication. After page_read(), or on an error without it. */
void layout_fill(struct request *rq, const struct page_frame *frame, struct layout_view *out);

/* An address of this site made absolute, in the arena; of another one, or none, as it is. */
struct str absolute(const struct request *rq, struct str address);

#endif
