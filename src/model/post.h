#ifndef MODEL_POST_H
#define MODEL_POST_H

#include "model/bind.h"

struct viewer;

/*
 * A post: its head, which every list shows, and its body, which only its own page reads.
 */
enum post_kind { KIND_ARTICLE, KIND_LINK, KIND_HOWTO, KIND_NOTE, KIND_PAGE };
enum post_status { STATUS_DRAFT, STATUS_PUBLISHED, STATUS_UNPUBLISHED, STATUS_DELETED };
enum visibility { VISIBILITY_PRIVATE, VISIBILITY_PUBLIC, VISIBILITY_FOLLOWERS, VISIBILITY_GROUP };
enum difficulty { DIFFICULTY_NONE, DIFFICULTY_EASY, DIFFICULTY_MEDIUM, DIFFICULTY_HARD };

struct image {
	struct str url, alt;
	int64_t width, height; /* 0: not known */
};

struct post {
	struct str id, slug, title, excerpt, author, author_name, category, group;
	enum post_kind kind;
	enum post_status status;
	enum visibility visibility;
	struct strings_value tags;
	struct image thumbnail;
	int64_t published, created, updated; /* milliseconds; 0: never */
	int64_t words, likes, ups, downs, comments, bookmarks, ratings, stars;
	struct str url;             /* a link's */
	enum difficulty difficulty; /* a howto's */
	int64_t minutes;
	struct str cost, currency;
};

/* One heading of a long text, for its table of contents. */
struct heading {
	struct str id, title;
	int64_t level;
};

struct step {
	struct str markdown, html;
};

struct material {
	struct str name, amount;
};

struct post_body {
	struct str markdown, html;
	int64_t renderer; /* the version of the renderer that made html; 0: none did */
	const struct heading *contents;
	size_t contents_count;
	const struct step *steps;
	size_t step_count;
	const struct material *materials;
	size_t material_count;
	struct strings_value tools;
	struct str source; /* what the page says that a link leads to */
};

/* How a post was rated and liked: the truth behind the copies in its head. */
struct post_stats {
	int64_t likes, loves, laughs, ups, downs, comments, bookmarks;
	int64_t stars[5]; /* how many gave 1 to 5 */
};

void post_from_item(struct arena *arena, const struct item *item, struct post *out);
void post_body_from_item(struct arena *arena, const struct item *item, struct post_body *out);
/* From an item, or from none (NULL): all zero. */
void post_stats_from_item(struct arena *arena, const struct item *item, struct post_stats *out);

/* The word that the kind is stored as: "article". */
const char *post_kind_name(enum post_kind kind);

/*
 * The one rule by which a single post is shown or not: MAY_READ of model/permission.h. `viewer` is NULL
 * for a stranger. A post that is not visible is as good as not there: its address answers 404.
 */
bool post_visible_to(const struct post *post, const struct viewer *viewer, int64_t now);

/* Was it there for everybody and then deleted? Then its address answers 410. */
bool post_gone(const struct post *post, int64_t now);

/* [a-z0-9-]{1,100} */
bool slug_valid(struct str slug);

#endif
