#include "model/reader/reaction.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/site/rate.h"

enum { TRIES = 4, DAY_SECONDS = 86400 };

static const struct {
	const char *name, *key_name;
	enum item_kind kind;
	enum action action;
	struct str value; /* the attribute that says which; empty: there is but one */
	bool title, author_name;
} reactions[REACTIONS] = {
    [REACTION_LIKE] = {"like", "LIKE", ITEM_LIKE, MAY_LIKE, STR_INIT("Feeling"), true, true},
    [REACTION_VOTE] = {"vote", "VOTE", ITEM_VOTE, MAY_VOTE, STR_INIT("Value"), false, false},
    [REACTION_BOOKMARK] = {"bookmark", "BOOKMARK", ITEM_BOOKMARK, MAY_BOOKMARK, STR_INIT(""), true,
	false},
};

static const struct {
	const char *name;
	enum reaction of; /* REACTIONS: of each */
} opinions[] = {
    [OPINION_OFF] = {"off", REACTIONS},
    [OPINION_LIKE] = {"like", REACTION_LIKE},
    [OPINION_LOVE] = {"love", REACTION_LIKE},
    [OPINION_LAUGH] = {"laugh", REACTION_LIKE},
    [OPINION_UP] = {"up", REACTION_VOTE},
    [OPINION_DOWN] = {"down", REACTION_VOTE},
    [OPINION_ON] = {"on", REACTION_BOOKMARK},
};

const char *
reaction_name(enum reaction what)
{
	return reactions[what].name;
}

const char *
reaction_key_name(enum reaction what)
{
	return reactions[what].key_name;
}

enum action
reaction_action(enum reaction what)
{
	return reactions[what].action;
}

bool
reaction_opinion(enum reaction what, struct str word, enum opinion *out)
{
	for (size_t i = 0; i < sizeof(opinions) / sizeof(opinions[0]); i++)
		if ((opinions[i].of == what || opinions[i].of == REACTIONS) &&
		    str_eq(str_of(opinions[i].name), word)) {
			*out = (enum opinion)i;
			return true;
		}
	return false;
}

const char *
opinion_name(enum opinion wish)
{
	return opinions[wish].name;
}

/* --- Items -------------------------------------------------------------------------------------------- */

enum opinion
reaction_from_item(enum reaction what, const struct item *item)
{
	enum opinion wish = OPINION_LIKE;

	if (item == NULL)
		return OPINION_OFF;
	switch (what) {
	case REACTION_LIKE:
		(void)reaction_opinion(what, item_string(item, STR("Feeling")), &wish);
		return wish;
	case REACTION_VOTE:
		return item_number(item, STR("Value")) > 0 ? OPINION_UP : OPINION_DOWN;
	default: return OPINION_ON;
	}
}

static struct value
value_of(enum opinion wish)
{
	if (wish == OPINION_UP || wish == OPINION_DOWN)
		return value_number(wish == OPINION_UP ? 1 : -1);
	return value_string(str_of(opinions[wish].name));
}

/* Votes on comments are among them, which say so. */
void
reactions_take(const struct read *answer, struct reactions *out)
{
	*out = (struct reactions){{OPINION_OFF, OPINION_OFF, OPINION_OFF}};
	for (size_t i = 0; i < answer->found_count; i++)
		for (enum reaction what = 0; what < REACTIONS; what++)
			if (kind_is(&answer->found[i], reactions[what].kind) &&
			    item_get(&answer->found[i], STR("Comment")) == NULL)
				out->opinions[what] = reaction_from_item(what, &answer->found[i]);
}

static struct item
new_item(struct plan *plan, const struct post *post, enum reaction what, enum opinion wish)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_reaction(arena, plan->by, post->id, reactions[what].key_name),
	    reactions[what].kind);
	key_index_reaction(
	    arena, &item, plan->by, plan->now, post->id, reactions[what].key_name);
	item_set(arena, &item, STR("Author"), value_string(plan->by));
	if (reactions[what].author_name)
		item_set(arena, &item, STR("AuthorName"), value_string(plan->by_name));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("Post"), value_string(post->id));
	if (reactions[what].title)
		item_set(arena, &item, STR("PostTitle"), value_string(post->title));
	if (reactions[what].value.len != 0)
		item_set(arena, &item, reactions[what].value, value_of(wish));
	return item;
}

struct read
reaction_read(struct arena *arena, struct str username, struct str post, enum reaction what)
{
	return (struct read){.kind = READ_GET,
	    .key = key_reaction(arena, username, post, reactions[what].key_name),
	    .consistent = true};
}

/* --- Doing it ----------------------------------------------------------------------------------------- */

static struct rate
limit_of(const struct plan *plan)
{
	return (struct rate){.what = STR("react"),
	    .who = plan->by,
	    .most = REACTIONS_A_DAY,
	    .window = DAY_SECONDS};
}

/* It says the same as when it was read: what it says is all of it that counts. */
static struct condition
unchanged(enum reaction what, const struct item *item)
{
	struct str name = reactions[what].value.len != 0 ? reactions[what].value : STR("Author");

	return (struct condition){.op = COND_EQ, .name = name, .value = *item_get(item, name)};
}

static enum plan_rc
set_once(struct plan *plan, const struct post *post, enum reaction what, enum opinion wish,
    const struct item *was)
{
	const struct rate limit = limit_of(plan);
	struct change change = {.op = CHANGE_SET, .name = reactions[what].value};
	struct write write = {.kind = WRITE_DELETE, .change_count = 1, .changes = &change};
	struct condition same;
	struct item is;

	if (was == NULL) {
		is = new_item(plan, post, what, wish);
		plan_create(plan, is, PLAN_CHANGED);
	} else {
		is = item_shallow(plan->call->arena, was);
		same = unchanged(what, was);
		write.key = item_key(was);
		write.condition = &same;
	}
	if (was != NULL && wish != OPINION_OFF) {
		change.value = value_of(wish);
		item_set(plan->call->arena, &is, change.name, change.value);
		write.kind = WRITE_UPDATE;
	}
	if (was != NULL)
		plan_add(plan, write, PLAN_CHANGED);
	plan_recount(plan, was, wish != OPINION_OFF ? &is : NULL);
	if (wish != OPINION_OFF)
		rate_add(plan, &limit, 1, false);
	return plan_commit(plan);
}

enum plan_rc
reaction_set(struct plan *plan, const struct post *post, enum reaction what, enum opinion wish,
    const struct read *answer, uint32_t *wait)
{
	struct read again = reaction_read(plan->call->arena, plan->by, post->id, what);
	const struct rate limit = limit_of(plan);
	const struct item *was = answer->item;
	enum plan_rc rc = PLAN_CHANGED;

	for (int i = 0; i < TRIES && rc == PLAN_CHANGED; i++) {
		if (i > 0) {
			enum table_rc read = table_read(plan->table, plan->call, &again, 1);

			if (read != TABLE_OK)
				return plan_failed(plan, read);
			was = again.item;
		}
		if (reaction_from_item(what, was) == wish)
			return plan->rc = PLAN_DONE;
		rc = set_once(plan, post, what, wish, was);
	}
	if (rc == PLAN_TOO_MANY)
		*wait = rate_wait_now(plan->table, plan->call, &limit, 1, plan->now);
	return rc;
}
