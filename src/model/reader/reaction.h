#ifndef MODEL_READER_REACTION_H
#define MODEL_READER_REACTION_H

#include "model/kinds.h"
#include "model/plan.h"
#include "model/post/post.h"

struct rate;

/*
 * What a reader thinks of a post: a like of one of three feelings, a vote, a bookmark. Each is one item of the person,
 * whatever the race: it is put on the condition that there is none, changed and removed on the condition that it is as it
 * was read, and counted in the same transaction.
 *
 * Two tables say all there is of them: what a post takes, which item it is, which buttons stand under a post, and what they
 * count. Another reaction is a row of the first and, for each of its buttons, one of the second (docs/guides.md).
 */
enum reaction { REACTION_LIKE, REACTION_VOTE, REACTION_BOOKMARK, REACTIONS };

struct reaction_kind {
	const char *name;    /* of its input, "like", and of its addresses */
	enum item_kind kind; /* lies at USER#<u> / POST#<id>#<key name> */
	const char *key_name;
	unsigned posts; /* the kinds of post that take it: 1U << KIND_HOWTO */
	bool
	    own; /* also a post of one's own, as nobody else sees it; else that is for others to say */
	struct str value; /* the attribute that says which opinion it is; empty: there is but one */
	bool title, author_name; /* the item has a copy of it */
};

extern const struct reaction_kind reaction_kinds[REACTIONS];

/* What a wish can be; "off" is none of them, and takes it back. */
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
	const char *name; /* as an input's value, and as the item says it */
	int64_t number;   /* how the item says it, if that is a number */
	enum reaction of;
	const char *label;  /* of its button, and in lists */
	struct str counter; /* of Stats */
	bool private;       /* the button does not say how many there are */
};

/* In the order of the buttons; the first is "off", which is of each reaction. */
extern const struct opinion_kind opinion_kinds[OPINIONS];

/* What is wrong in the tables, or NULL: the program does not start with it. */
const char *reactions_error(struct arena *arena);

/* Does a post of this kind take it? */
bool reaction_fits(const struct post *post, enum reaction what);

/* The wish of a word, "love"; false: it is none that this reaction has. "off" is one of each. */
bool reaction_opinion(enum reaction what, struct str word, enum opinion *out);

/* What an item says (NULL: OPINION_OFF). */
enum opinion reaction_from_item(enum reaction what, const struct item *item);

/* What somebody thinks of a post, from the items of query_reactions(). */
struct reactions {
	enum opinion opinions[REACTIONS];
};
void reactions_take(const struct read *answer, struct reactions *out);

/* The read of the item, consistent, and what is written so that it is as is wished; `answer` is this read. */
struct read reaction_read(
    struct arena *arena, struct str username, struct str post, enum reaction what);

/* So many a day, of all of them together; taking back is not counted. */
enum { REACTIONS_A_DAY = 200 };
struct rate reaction_limit(struct str username);

/*
 * PLAN_DONE: it is as is wished, also if it was so already. PLAN_TOO_MANY: *wait seconds more, as the limit is reached.
 * PLAN_CHANGED: the same person was faster, again and again.
 */
enum plan_rc reaction_set(struct plan *plan, const struct post *post, enum reaction what,
    enum opinion wish, const struct read *answer, const struct rate *limit, uint32_t *wait);

#endif
