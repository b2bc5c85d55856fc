#ifndef PAGES_SHARED_CARD_H
#define PAGES_SHARED_CARD_H

#include "model/post/posts.h"
#include "text/view.h"
#include "web/http/dispatch.h"

/* A post as every list shows it: templates/post_card.mustache and post_brief.mustache. */

struct image_view {
	struct str src, alt, srcset;
	struct str position; /* the class of what lists keep in sight of it, or empty */
	int64_t width, height;
};

/* One more who wrote a post: "Kofi Mensah, Lowri Bevan and Noor Haddad". */
struct byline_other_view {
	struct str joint, url, name; /* the joint stands before the name: ", " or " and " */
	bool verified;
};

struct post_card_view {
	struct str url, title, excerpt, kind, kind_label, category_url, category_name;
	struct str author_url, author_name, date, date_text, reading_text, comments_text;
	struct str section; /* the slug of its section, if that has a colour; or empty */
	bool author_verified;
	LIST_OF(struct byline_other_view) others;
	struct str link_host, rating_text, facts_text;
	struct str language, direction; /* where it is not in the site's */
	const struct image_view *thumbnail;
};

extern const struct view_type image_view_type, byline_other_view_type, post_card_view_type;

/* Where the post lives: "/post/<slug>", or "/page/<slug>" for a page. */
struct str post_path(struct arena *arena, const struct post *post);

/*
 * In lists, and wherever the page is not that person's own: whom the viewer has blocked is not named. False: they have not.
 */
bool unname(struct request *rq, struct str username, struct str *name, struct str *url);

/* Those who wrote it with its author, post->other_count of them; in a list unname() leaves names out. */
const struct byline_other_view *byline_others(
    struct request *rq, const struct post *post, bool in_list);

/* Has this person the verified mark? Not for a viewer who has blocked them, and sees no name. After page_read(). */
bool is_verified(const struct request *rq, struct str username);

/* The post's picture for a view; NULL when it has none. */
const struct image_view *image_of(struct arena *arena, const struct image *image);

/* "Easy, 45 minutes, €12" of a howto. */
struct str facts_text(struct arena *arena, const struct post *post);

/* The address of a person's page; empty for who has left, and has none. */
struct str author_path(struct arena *arena, struct str username);

/* The language that its author wrote it in, and "ltr" or "rtl", where it is not the site's; else both are empty. */
void post_language(
    struct request *rq, const struct post *post, struct str *language, struct str *direction);

/*
 * A page that shows a post that is not public must not be stored by browsers. To be called by
 * everything that shows one.
 */
void note_confidential(struct request *rq, const struct post *post);
/* May the viewer see more of a person than the name? If so, and not everybody may, it is noted likewise. */
bool may_show_profile(struct request *rq, const struct user *user, bool followed);

/* After page_read(): the name of the category comes from the publication. */
void card_fill(struct request *rq, const struct post *post, struct post_card_view *out);

/* Cards of posts, in the request's arena. */
const struct post_card_view *cards_of(struct request *rq, const struct post *posts, size_t count);

#endif
