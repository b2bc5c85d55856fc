#ifndef MODEL_READER_REACTION_H
#define MODEL_READER_REACTION_H

#include "model/kinds.h"
#include "model/plan.h"
#include "model/post/post.h"

struct rate;

/*
 * Reactions to a post: a like with one of three feelings, a vote, a bookmark. Each is a single item of the person, also
 * in a race: it is created on the condition that there is none, changed and removed on the condition that it is
 * unchanged, and counted in the same transaction.
 *
 * Two tables declare them: the kinds of posts that have one, its item, its buttons, and their
 * counters. Another reaction is a row of the first and, for each of its buttons, one of the second (docs/guides.md).
 */
enum reaction { REACTION_LIKE, REACTION_VOTE, REACTION_BOOKMARK, REACTIONS };

struct reaction_kind {
	const char *name;    /* of its input, "like", and of its addresses */
	enum item_kind kind; /* its key is USER#<u> / POST#<id>#<key name> */
	const char *key_name;
	unsigned posts;          /* the kinds of posts that have it: 1U << KIND_HOWTO */
	bool own;                /* also for one's own posts, since it is private */
	struct str value;        /* the attribute with the opinion; empty: there is only one */
	bool title, author_name; /* copied into the item */
};

extern const struct reaction_kind reaction_kinds[REACTIONS];

/* What a button can say; "off" is not an opinion, and takes it back. */
enum opinion {
	OPINION_OFF,
	OPINION_LIKE,
	OPINION_LOVE,
	OPINION_LAUGH,
	OPINION_UP,
	OPINION_DOWN,
	OPINION_ON,
	OPINIONS
};

struct opinion_kind {
	const char *name; /* of the input's value, and of the item's */
	int64_t number;   /* the item's value, if that is a number */
	enum reaction of;
	const char *label;  /* of its button, and in lists */
	struct str counter; /* of Stats */
	bool private;       /* the button shows no number */
};

/* In the order of the buttons; the first is "off", which all reactions have. */
extern const struct opinion_kind opinion_kinds[OPINIONS];

/* What is wrong in the tables, or NULL: otherwise the program does not start. */
const char *reactions_error(struct arena *arena);

/* Does this kind of post have it? */
bool reaction_fits(const struct post *post, enum reaction what);

/* The opinion of a word, "love"; false if this reaction does not have it. "off" is always valid. */
bool reaction_opinion(enum reaction what, struct str word, enum opinion *out);

/* The opinion of an item (NULL: OPINION_OFF). */
enum opinion reaction_from_item(enum reaction what, const struct item *item);

/* All that a person thinks of a post and its comments, from the items of query_reactions(). */
struct reactions {
	enum opinion opinions[REACTIONS];
	int64_t stars;                /* that they gave it; 0: none */
	const struct item *read_mark; /* model/reader/read_mark.h; NULL: there is none */
	const struct comment_opinion {
		struct str comment;
		enum opinion opinion;
	} *votes; /* on comments, sorted by their ids */
	size_t vote_count;
	bool watched;                 /* they follow its comments: model/reader/watch.h */
	struct strings_value threads; /* and these threads, by their roots */
};
void reactions_take(struct arena *arena, const struct read *answer, struct reactions *out);

/* Do they follow the thread of this root? */
bool reactions_watch(const struct reactions *reactions, struct str root);

/* What they have voted on a comment; OPINION_OFF: nothing. */
enum opinion reactions_to_comment(const struct reactions *reactions, struct str comment);

/*
 * The consistent read of the item; and what is written to set the opinion; `answer` is this read.
 */
struct read reaction_read(
    struct arena *arena, struct str username, struct str post, enum reaction what);

/*
 * PLAN_DONE: the opinion is set, or was already. PLAN_TOO_MANY: the limit is reached; try again in *wait seconds. Taking
 * back is not counted, and needs no limit (NULL). PLAN_CHANGED: the same person changed it at the same time, repeatedly.
 */
enum plan_rc reaction_set(struct plan *plan, const struct post *post, enum reaction what,
    enum opinion wish, const struct read *answer, const struct rate *limit, uint32_t *wait);

#endif
