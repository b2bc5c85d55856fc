#include "model/reader/reaction.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/reader/bookmark.h"
#include "model/reader/watch.h"
#include "model/site/rate.h"

enum { TRIES = 4 };
#define POSTS(kind) (1U << KIND_##kind)
#define ALL_POSTS (POSTS(ARTICLE) | POSTS(LINK) | POSTS(HOWTO) | POSTS(NOTE))

const struct reaction_kind reaction_kinds[REACTIONS] = {
    [REACTION_LIKE] = {"like", ITEM_LIKE, "LIKE", .posts = POSTS(ARTICLE) | POSTS(NOTE),
	.value = STR_INIT("Feeling"), .title = true, .author_name = true},
    [REACTION_VOTE] = {"vote", ITEM_VOTE, "VOTE", .posts = POSTS(HOWTO),
	.value = STR_INIT("Value")},
    [REACTION_BOOKMARK] = {"bookmark", ITEM_BOOKMARK, "BOOKMARK", .posts = ALL_POSTS, .own = true,
	.title = true},
};

const struct opinion_kind opinion_kinds[OPINIONS] = {
    [OPINION_OFF] = {.name = "off", .label = "Take it back"},
    [OPINION_LIKE] = {"like", 0, REACTION_LIKE, "Like", STR_INIT("Likes")},
    [OPINION_LOVE] = {"love", 0, REACTION_LIKE, "Love", STR_INIT("Loves")},
    [OPINION_LAUGH] = {"laugh", 0, REACTION_LIKE, "Laugh", STR_INIT("Laughs")},
    [OPINION_UP] = {"up", 1, REACTION_VOTE, "Vote up", STR_INIT("Ups")},
    [OPINION_DOWN] = {"down", -1, REACTION_VOTE, "Vote down", STR_INIT("Downs")},
    [OPINION_ON] = {"on", 0, REACTION_BOOKMARK, "Bookmark", STR_INIT("Bookmarks"), .private = true},
};

static const char *
opinion_error(const struct opinion_kind *o)
{
	if (o->name == NULL || o->label == NULL)
		return "has a button without a name or a label";
	if (bind_find((const struct binding_table *const[]){&post_stats_bindings, NULL},
		o->counter) == NULL)
		return "has a button that nothing in Stats counts";
	return NULL;
}

static const char *
reaction_error(struct arena *arena, enum reaction what)
{
	const struct reaction_kind *r = &reaction_kinds[what];
	const char *error = "has no button";
	struct key key;

	if (r->name == NULL || r->key_name == NULL)
		return "has no name";
	if (r->posts == 0)
		return "is taken by no kind of post";
	key = key_reaction(arena, STR("u"), STR("id"), r->key_name);
	if (!item_place_fits(&item_kinds[r->kind].places[0], key.pk, key.sk))
		return "lies where its kind of item does not";
	if (item_kinds[r->kind].counted == counted_nowhere)
		return "is of a kind that nothing counts";
	for (enum opinion o = OPINION_OFF + 1; o < OPINIONS; o++)
		if (opinion_kinds[o].of == what) {
			error = opinion_error(&opinion_kinds[o]);
			if (error != NULL)
				return error;
		}
	return error;
}

const char *
reactions_error(struct arena *arena)
{
	for (enum reaction what = 0; what < REACTIONS; what++) {
		const char *error = reaction_error(arena, what);

		if (error != NULL)
			return str_cstring(arena,
			    str_fmt(arena, "the reaction %u (%s) %s", what,
				reaction_kinds[what].name != NULL ? reaction_kinds[what].name : "?",
				error));
	}
	return NULL;
}

bool
reaction_fits(const struct post *post, enum reaction what)
{
	return (reaction_kinds[what].posts & 1U << post->kind) != 0;
}

bool
reaction_opinion(enum reaction what, struct str word, enum opinion *out)
{
	for (enum opinion o = OPINION_OFF; o < OPINIONS; o++)
		if ((o == OPINION_OFF || opinion_kinds[o].of == what) &&
		    str_eq(str_of(opinion_kinds[o].name), word)) {
			*out = o;
			return true;
		}
	return false;
}

/* --- Items -------------------------------------------------------------------------------------------- */

static bool
says(const struct item *item, struct str attribute, const struct opinion_kind *opinion)
{
	if (attribute.len == 0)
		return true;
	if (opinion->number != 0)
		return item_number(item, attribute) == opinion->number;
	return str_eq(item_string(item, attribute), str_of(opinion->name));
}

enum opinion
reaction_from_item(enum reaction what, const struct item *item)
{
	for (enum opinion o = OPINION_OFF + 1; o < OPINIONS && item != NULL; o++)
		if (opinion_kinds[o].of == what &&
		    says(item, reaction_kinds[what].value, &opinion_kinds[o]))
			return o;
	return OPINION_OFF;
}

static struct value
value_of(enum opinion wish)
{
	const struct opinion_kind *opinion = &opinion_kinds[wish];

	return opinion->number != 0 ? value_number(opinion->number)
				    : value_string(str_of(opinion->name));
}

static void
take_opinion(const struct item *item, struct str type, struct reactions *out)
{
	for (enum reaction what = 0; what < REACTIONS; what++)
		if (str_eq(type, item_kinds[reaction_kinds[what].kind].type))
			out->opinions[what] = reaction_from_item(what, item);
}

static void
take_watch(struct arena *arena, const struct item *item, struct str *threads, struct reactions *out)
{
	struct watch watch;

	watch_from_item(arena, item, &watch);
	if (watch.what == WATCH_THREAD)
		threads[out->threads.count++] = watch.name;
	else
		out->watched = true;
}

/* Votes on comments end in these, so they are sorted by them. */
void
reactions_take(struct arena *arena, const struct read *answer, struct reactions *out)
{
	struct comment_opinion *votes =
	    ARENA_ARRAY(arena, answer->found_count, struct comment_opinion);

	struct str *threads = ARENA_ARRAY(arena, answer->found_count, struct str);

	*out = (struct reactions){.votes = votes, .threads = {.strings = threads}};
	for (size_t i = 0; i < answer->found_count; i++) {
		const struct item *item = &answer->found[i];
		struct str type = item_string(item, STR("Type"));
		struct str comment = item_string(item, STR("Comment"));

		if (comment.len != 0 && str_eq(type, item_kinds[ITEM_VOTE].type))
			votes[out->vote_count++] = (struct comment_opinion){
			    comment, reaction_from_item(REACTION_VOTE, item)};
		else if (str_eq(type, item_kinds[ITEM_RATING].type))
			out->stars = item_number(item, STR("Stars"));
		else if (str_eq(type, item_kinds[ITEM_READ_MARK].type))
			out->read_mark = item;
		else if (str_eq(type, item_kinds[ITEM_WATCH].type))
			take_watch(arena, item, threads, out);
		else if (comment.len == 0)
			take_opinion(item, type, out);
	}
}

bool
reactions_watch(const struct reactions *reactions, struct str root)
{
	for (size_t i = 0; i < reactions->threads.count; i++)
		if (str_eq(reactions->threads.strings[i], root))
			return true;
	return false;
}

enum opinion
reactions_to_comment(const struct reactions *reactions, struct str comment)
{
	size_t low = 0, high = reactions->vote_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = str_cmp(reactions->votes[middle].comment, comment);

		if (order == 0)
			return reactions->votes[middle].opinion;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return OPINION_OFF;
}

static struct item
new_item(struct plan *plan, const struct post *post, enum reaction what, enum opinion wish)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item,
	    key_reaction(arena, plan->by, post->id, reaction_kinds[what].key_name),
	    reaction_kinds[what].kind);
	key_index_reaction(
	    arena, &item, plan->by, plan->now, post->id, reaction_kinds[what].key_name);
	item_set(arena, &item, STR("Author"), value_string(plan->by));
	if (reaction_kinds[what].author_name)
		item_set(arena, &item, STR("AuthorName"), value_string(plan->by_name));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("Post"), value_string(post->id));
	if (reaction_kinds[what].title)
		item_set(arena, &item, STR("PostTitle"), value_string(post->title));
	if (reaction_kinds[what].value.len != 0)
		item_set(arena, &item, reaction_kinds[what].value, value_of(wish));
	return item;
}

struct read
reaction_read(struct arena *arena, struct str username, struct str post, enum reaction what)
{
	return (struct read){.kind = READ_GET,
	    .key = key_reaction(arena, username, post, reaction_kinds[what].key_name),
	    .consistent = true};
}

/* --- Doing it ----------------------------------------------------------------------------------------- */

/* Its opinion is unchanged, which is all that is counted; of one without opinions, its tags. */
static struct condition
unchanged(struct arena *arena, enum reaction what, const struct item *item)
{
	struct str name = reaction_kinds[what].value;
	const struct value *value = item_get(item, name);

	if (name.len == 0 || value == NULL)
		return bookmark_unchanged(arena, item);
	return (struct condition){.op = COND_EQ, .name = name, .value = *value};
}

static enum plan_rc
set_once(struct plan *plan, const struct post *post, enum reaction what, enum opinion wish,
    const struct item *was, const struct rate *limit)
{
	struct change change = {.op = CHANGE_SET, .name = reaction_kinds[what].value};
	struct write write = {.kind = WRITE_DELETE, .change_count = 1, .changes = &change};
	struct condition same;
	struct item is;

	if (was == NULL) {
		is = new_item(plan, post, what, wish);
		plan_create(plan, is, PLAN_CHANGED);
	} else {
		is = item_shallow(plan->call->arena, was);
		same = unchanged(plan->call->arena, what, was);
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
	if (was != NULL && wish == OPINION_OFF)
		bookmark_untag(plan, was);
	plan_recount(plan, was, wish != OPINION_OFF ? &is : NULL);
	if (wish != OPINION_OFF)
		rate_add(plan, limit, 1, false);
	return plan_commit(plan);
}

enum plan_rc
reaction_set(struct plan *plan, const struct post *post, enum reaction what, enum opinion wish,
    const struct read *answer, const struct rate *limit, uint32_t *wait)
{
	struct read again = reaction_read(plan->call->arena, plan->by, post->id, what);
	const struct item *was = answer->item;
	enum plan_rc rc = PLAN_CHANGED;

	for (int i = 0; i < TRIES && rc == PLAN_CHANGED; i++) {
		if (i > 0) {
			enum table_rc read = table_read(plan->table, plan->call, &again, 1);

			if (read != TABLE_OK)
				return plan_failed(plan, read);
			was = again.item;
		}
		if (was == NULL ? wish == OPINION_OFF
				: wish != OPINION_OFF && reaction_from_item(what, was) == wish)
			return plan->rc = PLAN_DONE;
		rc = set_once(plan, post, what, wish, was, limit);
	}
	if (rc == PLAN_TOO_MANY)
		*wait = rate_wait_now(plan->table, plan->call, limit, 1, plan->now);
	return rc;
}
