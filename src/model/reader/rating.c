#include "model/reader/rating.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_rating.h"
#include "model/post/post.h"
#include "model/reader/restriction.h"
#include "model/site/audit.h"

enum { TRIES = 4 };

static const struct str by_hand = STR_INIT("somebody’s decision");

/* An unknown word is the first: what is not understood is shown to nobody. */
static const char *const statuses[] = {"held", "visible", "hidden", NULL};

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "Author", struct rating, author),
    BIND_TEXT(COPIED, "AuthorName", struct rating, author_name, TEXT_LINE),
    BIND_TIME(RECORDED, "CreatedAt", struct rating, created),
    BIND_STRING(DERIVED, "HTML", struct rating, html),
    BIND_STRING(SECRET, "HeldFor", struct rating, held_for),
    BIND_TEXT(WRITTEN, "Note", struct rating, note, TEXT_LINES),
    BIND_STRING(RECORDED, "Post", struct rating, post),
    BIND_TEXT(COPIED, "PostTitle", struct rating, post_title, TEXT_LINE),
    BIND_NUMBER(DERIVED, "Renderer", struct rating, renderer),
    BIND_NUMBER(WRITTEN, "Stars", struct rating, stars),
    BIND_CHOICE(RECORDED, "Status", struct rating, status, statuses),
    BIND_TIME(RECORDED, "UpdatedAt", struct rating, updated),
};
const struct binding_table rating_bindings = BINDINGS(bindings);

void
rating_from_item(struct arena *arena, const struct item *item, struct rating *out)
{
	/* Older ones have no Status. */
	*out = (struct rating){.status = RATING_VISIBLE};
	bind_read(arena, &rating_bindings, item, out);
	if (out->stars < 1)
		out->stars = 1;
	if (out->stars > 5)
		out->stars = 5;
	if (out->author_name.len == 0)
		out->author_name = out->author;
}

bool
rating_held_by_hand(const struct rating *rating)
{
	return rating->status == RATING_HELD && str_eq(rating->held_for, by_hand);
}

struct item
rating_placed(struct arena *arena, const struct item *item, bool post_public)
{
	struct item placed = item_shallow(arena, item);
	struct rating rating;

	rating_from_item(arena, item, &rating);
	item_remove(&placed, table_pk_name(TABLE_GSI3));
	item_remove(&placed, table_sk_name(TABLE_GSI3));
	key_index_rating(arena, &placed, &rating, post_public);
	return placed;
}

struct read
rating_read(struct arena *arena, struct str username, struct str post)
{
	return (struct read){
	    .kind = READ_GET, .key = key_rating(arena, username, post), .consistent = true};
}

/* --- Writing ------------------------------------------------------------------------------------------ */

/* What counts it, what it says, and who sees that, are as they were read. */
static const struct condition *
as_read(struct arena *arena, const struct item *stored)
{
	static const struct str names[] = {
	    STR_INIT("Note"), STR_INIT("Stars"), STR_INIT("Status"), STR_INIT("UpdatedAt")};
	enum { NAMES = sizeof(names) / sizeof(names[0]) };
	struct condition *each = ARENA_ARRAY(arena, NAMES + 1, struct condition);
	struct condition *all = ARENA_NEW(arena, struct condition);

	for (size_t i = 0; i < NAMES; i++) {
		const struct value *value = item_get(stored, names[i]);

		each[i] = value != NULL
			      ? (struct condition){.op = COND_EQ, .name = names[i], .value = *value}
			      : (struct condition){.op = COND_MISSING, .name = names[i]};
	}
	each[NAMES] = plan_present;
	*all = (struct condition){.op = COND_ALL, .children = each, .count = NAMES + 1};
	return all;
}

/* In place of what was read, or of nothing (NULL). */
static void
add_rating(
    struct plan *plan, const struct item *was, const struct rating *rating, const struct post *post)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_rating(arena, rating->author, rating->post), ITEM_RATING);
	key_index_rating(arena, &item, rating, post_is_public(post));
	bind_write(arena, &rating_bindings, rating, &item);
	plan_add(plan,
	    (struct write){.kind = WRITE_PUT,
		.item = item,
		.condition = was != NULL ? as_read(arena, was) : &plan_absent},
	    PLAN_CHANGED);
	plan_recount(plan, was, &item);
}

static bool
says_the_same(const struct rating *was, const struct new_rating *rating)
{
	return was->stars == rating->stars && str_eq(was->note, rating->note);
}

/* What a person has decided of a note is said no longer: it is another one, or gone. */
static void
end_restriction(struct plan *plan, const struct rating *was)
{
	if (was->status == RATING_HIDDEN || rating_held_by_hand(was))
		restriction_add_end(plan, &(struct flag_target){.what = FLAG_REVIEW,
					      .post = was->post,
					      .person = was->author});
}

/* PLAN_CHANGED here: somebody was faster, and it is read again. */
static enum plan_rc
set_once(struct plan *plan, const struct new_rating *rating, const struct item *stored,
    const struct rating *was)
{
	struct rating is = {.post = rating->post->id,
	    .post_title = rating->post->title,
	    .author = plan->by,
	    .author_name = plan->by_name,
	    .note = rating->note,
	    .html = rating->html,
	    .renderer = rating->renderer,
	    .stars = rating->stars,
	    .status = rating->held ? RATING_HELD : RATING_VISIBLE,
	    .held_for = rating->held ? rating->held_for : STR(""),
	    .created = plan->now,
	    .updated = plan->now};

	if (stored != NULL) {
		is.created = was->created;
		/* Of two in one millisecond the second one is the later. */
		is.updated = plan->now > was->updated ? plan->now : was->updated + 1;
		/*
		 * What was decided of a note holds for as long as it is the same; what is held stays so,
		 * and what takes the place of a hidden one waits.
		 */
		if (str_eq(was->note, is.note) || (was->status == RATING_HELD && is.note.len != 0))
			is.status = was->status;
		else if (was->status == RATING_HIDDEN && is.note.len != 0)
			is.status = RATING_HELD;
		if (is.status == RATING_HELD &&
		    (is.held_for.len == 0 || rating_held_by_hand(was)))
			is.held_for = was->held_for;
		if (is.status != was->status)
			end_restriction(plan, was);
	}
	add_rating(plan, stored, &is, rating->post);
	rate_add(plan, &rating->limit, 1, false);
	return plan_commit(plan);
}

enum plan_rc
rating_set(
    struct plan *plan, const struct new_rating *rating, const struct read *answer, uint32_t *wait)
{
	struct arena *arena = plan->call->arena;
	struct read again = rating_read(arena, plan->by, rating->post->id);
	const struct item *stored = answer->item;
	enum plan_rc rc = PLAN_CHANGED;

	for (int i = 0; i < TRIES && rc == PLAN_CHANGED; i++) {
		struct rating was = {.updated = 0};

		if (i > 0) {
			enum table_rc read = table_read(plan->table, plan->call, &again, 1);

			if (read != TABLE_OK)
				return plan_failed(plan, read);
			stored = again.item;
		}
		if (stored != NULL)
			rating_from_item(arena, stored, &was);
		if (stored != NULL && says_the_same(&was, rating))
			return plan->rc = PLAN_DONE;
		plan->found = stored;
		if (was.updated != rating->seen)
			return plan->rc = PLAN_CHANGED;
		rc = set_once(plan, rating, stored, &was);
	}
	if (rc == PLAN_TOO_MANY)
		*wait = rate_wait_now(plan->table, plan->call, &rating->limit, 1, plan->now);
	return rc;
}

enum plan_rc
rating_withdraw(struct plan *plan, struct str post)
{
	struct arena *arena = plan->call->arena;

	for (int i = 0; i < TRIES; i++) {
		struct read read = rating_read(arena, plan->by, post);
		struct rating was;
		enum table_rc rc = table_read(plan->table, plan->call, &read, 1);

		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		if (read.item == NULL)
			return plan->rc = PLAN_DONE;
		rating_from_item(arena, read.item, &was);
		end_restriction(plan, &was);
		plan_drop(plan, read.item);
		if (plan_commit(plan) != PLAN_CHANGED)
			break;
	}
	return plan->rc;
}

/* --- What is decided of a note ------------------------------------------------------------------------ */

enum plan_rc
rating_decide(struct plan *plan, const struct item *stored, const struct post *post,
    enum rating_decision decision)
{
	static const char *const words[] = {[RATING_HOLD] = "held a note",
	    [RATING_SHOW] = "approved a note",
	    [RATING_REMOVE] = "removed a note",
	    [RATING_HIDE] = "hid a note"};
	struct arena *arena = plan->call->arena;
	struct rating rating;

	rating_from_item(arena, stored, &rating);
	rating.status = decision == RATING_HOLD	  ? RATING_HELD
			: decision == RATING_HIDE ? RATING_HIDDEN
						  : RATING_VISIBLE;
	rating.held_for = decision == RATING_HOLD ? by_hand : STR("");
	if (decision == RATING_REMOVE) {
		rating.note = rating.html = STR("");
		rating.renderer = 0;
	}
	add_rating(plan, stored, &rating, post);
	audit_log(plan, AUDIT_COMMENT, rating.author,
	    STR_CONCAT(arena, str_of(words[decision]), STR(", of “"),
		rating.post_title.len != 0 ? rating.post_title : rating.post, STR("”")));
	return plan_commit(plan);
}
