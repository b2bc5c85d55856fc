#include "model/reader/discussion.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/reader/comment.h"
#include "model/site/audit.h"
#include "model/site/moderation_log.h"

#define OFF STR("CommentsOff")
#define CLOSED STR("CommentsClosed")
#define CLOSED_THREADS STR("ClosedThreads")
#define PINNED STR("Pinned")

bool
discussion_has(const struct strings_value *roots, struct str root)
{
	for (size_t i = 0; i < roots->count; i++)
		if (str_eq(roots->strings[i], root))
			return true;
	return false;
}

enum discussion
discussion_of(const struct post *post, struct str path, bool moderates)
{
	if (post->comments_off)
		return DISCUSSION_OFF;
	if (moderates)
		return DISCUSSION_OPEN;
	if (post->comments_closed)
		return DISCUSSION_CLOSED;
	return path.len != 0 && discussion_has(&post->closed_threads, comment_path_root(path))
		   ? DISCUSSION_THREAD_CLOSED
		   : DISCUSSION_OPEN;
}

void
discussion_add_open(struct plan *plan, struct str post, struct str path, bool moderates)
{
	struct arena *arena = plan->call->arena;
	struct condition *all = ARENA_ARRAY(arena, 5, struct condition);
	struct condition *closed = ARENA_NEW(arena, struct condition);
	size_t count = 1;

	all[count++] = (struct condition){
	    .op = COND_EQ, .name = STR("Status"), .value = value_string(STR("published"))};
	all[count++] = (struct condition){.op = COND_MISSING, .name = OFF};
	if (!moderates)
		all[count++] = (struct condition){.op = COND_MISSING, .name = CLOSED};
	if (!moderates && path.len != 0) {
		*closed = (struct condition){.op = COND_CONTAINS,
		    .name = CLOSED_THREADS,
		    .value = value_string(comment_path_root(path))};
		all[count++] =
		    (struct condition){.op = COND_NOT, .children = closed, .count = 1};
	}
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = count - 1};
	plan_add(plan,
	    (struct write){.kind = WRITE_CHECK, .key = key_post(arena, post), .condition = all},
	    PLAN_NOT_THERE);
}

/* --- Changing it ------------------------------------------------------------------------------------- */

static void
note(struct plan *plan, const struct post *post, struct moderation_act act)
{
	struct str title = post->title.len != 0 ? post->title : post->id;

	act.post = post->id;
	act.post_title = post->title;
	act.by_author = !plan->audited;
	/* What is not there yet is nobody's business. */
	if (post->status == STATUS_PUBLISHED)
		moderation_log(plan, &act);
	audit_log(plan, AUDIT_COMMENT, act.person.len != 0 ? act.person : post->author,
	    STR_CONCAT(plan->call->arena,
		act.thing == MODERATED_THREAD ? STR("the thread ") : STR("the comments "), act.what,
		STR(", under “"), title, STR("”")));
}

static void
add_change(struct plan *plan, const struct post *post, struct change change,
    const struct condition *unchanged)
{
	struct arena *arena = plan->call->arena;
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);
	struct change *changes = ARENA_NEW(arena, struct change);

	*changes = change;
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = 2};
	all[1] = (struct condition){
	    .op = COND_NE, .name = STR("Status"), .value = value_string(STR("deleted"))};
	all[2] = unchanged != NULL ? *unchanged : plan_present;
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = key_post(arena, post->id),
		.changes = changes,
		.change_count = 1,
		.condition = all},
	    unchanged != NULL ? PLAN_CHANGED : PLAN_NOT_THERE);
}

static struct change
flag(struct str name, bool set)
{
	return (struct change){set ? CHANGE_SET : CHANGE_REMOVE, name, value_boolean(true)};
}

enum plan_rc
discussion_turn(struct plan *plan, const struct item *head, bool off)
{
	struct post post;

	post_from_item(plan->call->arena, head, &post);
	if (post.comments_off == off)
		return PLAN_DONE;
	add_change(plan, &post, flag(OFF, off), NULL);
	note(plan, &post,
	    (struct moderation_act){.thing = MODERATED_COMMENTS,
		.what = off ? STR("turned off") : STR("turned on")});
	return plan_commit(plan);
}

enum plan_rc
discussion_close(struct plan *plan, const struct item *head, bool closed)
{
	struct post post;

	post_from_item(plan->call->arena, head, &post);
	if (post.comments_closed == closed)
		return PLAN_DONE;
	add_change(plan, &post, flag(CLOSED, closed), NULL);
	note(plan, &post,
	    (struct moderation_act){.thing = MODERATED_COMMENTS,
		.what = closed ? STR("closed") : STR("reopened")});
	return plan_commit(plan);
}

/* The same roots with this one at the beginning, or without it. */
static struct strings_value
with(struct arena *arena, const struct strings_value *roots, struct str root, bool there)
{
	struct str *all = ARENA_ARRAY(arena, roots->count + 1, struct str);
	size_t count = 0;

	if (there)
		all[count++] = root;
	for (size_t i = 0; i < roots->count; i++)
		if (!str_eq(roots->strings[i], root))
			all[count++] = roots->strings[i];
	return (struct strings_value){.strings = all, .count = count};
}

/* Puts a root into one of the lists of the head, or takes it out; the list is as it was read. */
static enum plan_rc
list_root(struct plan *plan, const struct item *head, struct str name,
    const struct strings_value *roots, size_t max, const struct comment *root, bool there,
    const char *done)
{
	struct arena *arena = plan->call->arena;
	const struct value *was = item_get(head, name);
	struct strings_value is = with(arena, roots, root->path, there);
	struct condition unchanged = {.op = COND_MISSING, .name = name};
	struct post post;

	if (discussion_has(roots, root->path) == there)
		return PLAN_DONE;
	if (is.count > max)
		return PLAN_FULL;
	if (was != NULL)
		unchanged = (struct condition){.op = COND_EQ, .name = name, .value = *was};
	post_from_item(arena, head, &post);
	add_change(plan, &post,
	    (struct change){is.count != 0 ? CHANGE_SET : CHANGE_REMOVE, name,
		value_strings(arena, is.strings, is.count)},
	    &unchanged);
	note(plan, &post,
	    (struct moderation_act){
		.thing = MODERATED_THREAD, .what = str_of(done), .person = root->author});
	return plan_commit(plan);
}

enum plan_rc
discussion_close_thread(
    struct plan *plan, const struct item *head, const struct comment *root, bool closed)
{
	struct post post;

	post_from_item(plan->call->arena, head, &post);
	return list_root(plan, head, CLOSED_THREADS, &post.closed_threads, DISCUSSION_CLOSED_MAX,
	    root, closed, closed ? "closed" : "reopened");
}

enum plan_rc
discussion_pin(struct plan *plan, const struct item *head, const struct comment *root, bool pinned)
{
	struct post post;

	post_from_item(plan->call->arena, head, &post);
	return list_root(plan, head, PINNED, &post.pinned, DISCUSSION_PINNED_MAX, root, pinned,
	    pinned ? "pinned" : "unpinned");
}
