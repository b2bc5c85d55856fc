#ifndef MODEL_POST_POST_H
#define MODEL_POST_POST_H

#include "model/bind.h"
#include "model/restricted.h"

struct viewer;

/*
 * A post: its head, which every list shows, and its body, which only its own page reads.
 */
enum post_kind { KIND_ARTICLE, KIND_LINK, KIND_HOWTO, KIND_NOTE, KIND_PAGE };
enum post_status { STATUS_DRAFT, STATUS_PUBLISHED, STATUS_UNPUBLISHED, STATUS_DELETED };
enum visibility { VISIBILITY_PRIVATE, VISIBILITY_PUBLIC, VISIBILITY_FOLLOWERS, VISIBILITY_GROUP };
enum difficulty { DIFFICULTY_NONE, DIFFICULTY_EASY, DIFFICULTY_MEDIUM, DIFFICULTY_HARD };
/* The words that it is stored as; ended by NULL. */
extern const char *const post_difficulties[];

struct image {
	struct str url, alt;
	struct str focus; /* the part that lists, which cut it, keep in sight: of image_focuses, or empty */
	int64_t width, height; /* 0: not known */
};

/* Eight sides and corners, as they are stored and as files have them: "top-left". Its middle is the first, and empty. */
extern const char *const image_focuses[];

struct post {
	struct str id, slug, title, excerpt, author, author_name, category, group;
	enum post_kind kind;
	enum post_status status;
	enum visibility visibility;
	struct strings_value tags;
	struct image thumbnail;
	struct str first_picture; /* the address of the first of this site in its text, or empty */
	struct str beginning;     /* of the text, where there is no excerpt */
	int64_t published, created, updated; /* milliseconds; 0: never */
	int64_t words, likes, ups, downs, comments, bookmarks, ratings, stars;
	struct str url;             /* a link's */
	struct str quotes;          /* a note's: the id of the post that it quotes; or empty */
	enum difficulty difficulty; /* a howto's */
	int64_t minutes;
	struct str cost, currency;

	const struct coauthor *others; /* who wrote it with the author */
	size_t other_count;
	const struct coauthor *asked; /* who was asked to be one, and has not accepted */
	size_t asked_count;
	struct str canonical; /* where it was first published, if elsewhere */
	struct str language;  /* a tag (model/language.h); empty: the site's */
	int64_t version;      /* incremented by every change; a save names the one it is based on */
	int64_t revisions;    /* how many there are */
	int64_t planned;      /* a draft's: when its author means to publish it */
	int64_t deleted;      /* when */
	bool imported;        /* an import has published it: nobody is told of it */
	bool comments_off;    /* by its authors or editors: nobody comments */
	bool comments_closed; /* by moderators, who comment still */
	/* Roots of threads: those that moderators have closed, and those that stand first. */
	struct strings_value closed_threads, pinned;
	enum restricted restricted; /* an unpublished one that its authors can't publish themselves */
	struct str before;    /* the status that it had when it was deleted */
};

/* One of several who wrote a post, as its byline names them. */
struct coauthor {
	struct str username, name;
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
	int64_t revision; /* which of the post's revisions says the same; 0: not noted */
	const struct heading *contents;
	size_t contents_count;
	const struct step *steps;
	size_t step_count;
	const struct material *materials;
	size_t material_count;
	struct strings_value tools;
	/* the tags and people that the text of a note names, and links to */
	struct strings_value hashtags, mentions;
	bool gallery;        /* a note's: several pictures stand side by side */
	struct str language; /* the post's, or the site's, when it was rendered; empty: not known */
	struct str source; /* what the page says that a link leads to */
};

/* The reactions to a post: authoritative, with copies in its head. */
struct post_stats {
	int64_t likes, loves, laughs, ups, downs, comments, bookmarks;
	int64_t shares; /* public notes that quote it */
	int64_t stars[5]; /* how many gave 1 to 5 */
};

/* How much text a body has: Markdown, what it is about, and steps. */
size_t post_body_bytes(const struct post_body *body);

extern const struct binding_table post_stats_bindings;

void post_from_item(struct arena *arena, const struct item *item, struct post *out);
void post_body_from_item(struct arena *arena, const struct item *item, struct post_body *out);
/* From an item, or from none (NULL): all zero. */
void post_stats_from_item(struct arena *arena, const struct item *item, struct post_stats *out);

/* The number of that attribute. */
int64_t *post_stats_number(struct post_stats *stats, struct str counter);

/*
 * The other way: sets what the struct has and takes away what it does not have; other attributes of the
 * item stay as they are. What another kind of post has of its own is left out. Strings are not copied.
 */
void post_to_item(struct arena *arena, const struct post *post, struct item *item);
void post_body_to_item(struct arena *arena, const struct post_body *body, struct item *item);
void post_stats_to_item(struct arena *arena, const struct post_stats *stats, struct item *item);

/* The word that the kind is stored as: "article". */
const char *post_kind_name(enum post_kind kind);
/* The kind, status or visibility that a word means; -1: none. */
int post_kind_of(struct str name);
int post_status_of(struct str name);
const char *post_status_name(enum post_status status);

/* Is it published for everybody, be it at a time that is yet to come? */
bool post_is_public(const struct post *post);

/*
 * Is it for its authors alone, whoever else may edit posts? What was published so is, whatever became of it; of a draft
 * the visibility is but a plan.
 */
bool post_is_private(const struct post *post);

/* Is this person its author, or one of them? Who is asked to be one, and has not said yes, is not. */
bool post_written_by(const struct post *post, struct str username);
bool post_asks(const struct post *post, struct str username);

/* A cover, or a picture of this site in its text. */
bool post_has_picture(const struct post *post);

/*
 * Decides whether a single post is shown: MAY_READ of model/permission.h. `viewer` is NULL for a
 * stranger. A post that is not visible is treated as missing: its address answers 404.
 */
bool post_visible_to(const struct post *post, const struct viewer *viewer, int64_t now);

/* Would it be, to one who follows its author? Then it is to be looked up whether they do. */
bool post_visible_to_followers(const struct post *post, const struct viewer *viewer, int64_t now);

/* Can readers say something under it? Whether they may read it is another question. */
bool post_takes_comments(const struct post *post, int64_t now);

/* Is it of a kind that readers rate? */
bool post_takes_ratings(const struct post *post);

/* Was it public and then deleted? Then its address answers 410. */
bool post_gone(const struct post *post, int64_t now);

#endif
