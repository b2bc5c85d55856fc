#ifndef MODEL_READER_REACTION_H
#define MODEL_READER_REACTION_H

#include "model/permission.h"
#include "model/plan.h"
#include "model/post/post.h"

/*
 * What a reader thinks of a post: a like of one of three feelings, a vote, a bookmark; which of them a post takes follows
 * from its kind (may()). Each is one item of the person, whatever the race: it is put on the condition that there is none,
 * changed and removed on the condition that it is as it was read, and counted in the same transaction.
 */
enum reaction { REACTION_LIKE, REACTION_VOTE, REACTION_BOOKMARK, REACTIONS };

enum { REACTIONS_A_DAY = 200 };

/* What a wish can be; "off" is none of them, and takes it back. */
enum opinion { OPINION_OFF, OPINION_LIKE, OPINION_LOVE, OPINION_LAUGH, OPINION_UP, OPINION_DOWN, OPINION_ON };

/* The name of its input ("like"), and in keys ("LIKE"). */
const char *reaction_name(enum reaction what);
const char *reaction_key_name(enum reaction what);
enum action reaction_action(enum reaction what);

/* The wish of a word, "love"; false: it is none that this reaction has. "off" is one of each. */
bool reaction_opinion(enum reaction what, struct str word, enum opinion *out);
const char *opinion_name(enum opinion wish);

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

/*
 * PLAN_DONE: it is as is wished, also if it was so already. PLAN_TOO_MANY: *wait seconds more, since they did it
 * REACTIONS_A_DAY times today; taking back is not counted. PLAN_CHANGED: the same person was faster, again and again.
 */
enum plan_rc reaction_set(struct plan *plan, const struct post *post, enum reaction what,
    enum opinion wish, const struct read *answer, uint32_t *wait);

#endif
