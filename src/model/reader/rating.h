#ifndef MODEL_READER_RATING_H
#define MODEL_READER_RATING_H

#include "model/bind.h"
#include "model/plan.h"
#include "model/site/rate.h"

struct post;

/*
 * What one person thinks of a link: 1 to 5 stars, perhaps with a note, which is Markdown as in comments. The stars count
 * at once; a note may wait for an editor (RATING_HELD), and until then only its author and whoever decides sees it.
 *
 * A rating is one item of the person, whatever the race: it is put on the condition that there is none, or that the one
 * there is as it was read, and counted in the same transaction (model/post/count.h).
 */
enum rating_status { RATING_HELD, RATING_VISIBLE, RATING_HIDDEN };

struct rating {
	struct str post, post_title, author, author_name;
	struct str note, html;
	int64_t renderer; /* the version of the renderer that made html; 0: none did */
	int64_t stars;
	enum rating_status status; /* of the note */
	struct str held_for;       /* why it waits, for the staff alone */
	int64_t created, updated;
};

void rating_from_item(struct arena *arena, const struct item *item, struct rating *out);

/* Does the note wait because somebody holds it back? Then a restriction says why (model/reader/restriction.h). */
bool rating_held_by_hand(const struct rating *rating);

extern const struct binding_table rating_bindings;

/* The item with the index keys that it has in a post that is public, or is not. */
struct item rating_placed(struct arena *arena, const struct item *item, bool post_public);

/* The read of somebody's rating of a post. Sees every write at once. */
struct read rating_read(struct arena *arena, struct str username, struct str post);

/* What somebody says of a post. */
struct new_rating {
	const struct post *post;
	int64_t stars;
	struct str note, html;
	int64_t renderer;
	bool held;         /* the note waits for an editor */
	struct str held_for;
	int64_t seen;      /* when the rating that they saw was written; 0: they saw none */
	struct rate limit; /* how often they may, changes included; withdrawing is not counted */
};

/*
 * Of who acts; `answer` is rating_read() of them. PLAN_DONE: it is so, also if it was already. PLAN_CHANGED: another
 * one than they saw is there, plan->found. PLAN_TOO_MANY: *wait seconds more.
 */
enum plan_rc rating_set(
    struct plan *plan, const struct new_rating *rating, const struct read *answer, uint32_t *wait);

/* Who acts has none of this post from then on, whatever became of it. */
enum plan_rc rating_withdraw(struct plan *plan, struct str post);

/*
 * What is decided of a note: it waits for an editor; everybody sees it; it is gone, and the stars stay; it is
 * hidden. The writes that the plan has already are part of it.
 */
enum rating_decision { RATING_HOLD, RATING_SHOW, RATING_REMOVE, RATING_HIDE };

/* Of a rating as it was read, of this post. PLAN_CHANGED: its author has changed it meanwhile. */
enum plan_rc rating_decide(struct plan *plan, const struct item *stored, const struct post *post,
    enum rating_decision decision);

#endif
