#include "model/reader/comment_write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/key_post.h"
#include "model/permission.h"
#include "model/reader/follow.h"
#include "model/reader/tally.h"
#include "model/site/audit.h"
#include "model/site/moderation_log.h"

enum { TRIES = 4, ONCE_SECONDS = 7 * 86400, PATH_LEVEL = 14 + 1 };
enum { REPEAT_MS = 5 * 60 * 1000, UNMARKED_MS = 5 * 60 * 1000 };
enum { DAY_MS = 86400000, EDITABLE_MS = DAY_MS, KEPT_SECONDS = 30 * 86400 };
enum { GONE_MAX = 6 };

/* --- Who writes -------------------------------------------------------------------------------------- */

void
comment_limits_take(struct arena *arena, const struct moderation *m, const struct viewer *viewer,
    const struct read reads[TRUST_READS], int64_t now, struct comment_limits *out)
{
	enum trust trust = trust_of(m, viewer, reads, now);
	const struct trust_numbers numbers = moderation_numbers(m, trust);
	size_t waiting = reads[TRUST_WAITING].found_count;
	struct comment *lately =
	    ARENA_ARRAY(arena, reads[TRUST_SAID].found_count + waiting, struct comment);
	bool first_day = trust != TRUST_TRUSTED && viewer->user.created > now - DAY_MS;
	int64_t last = 0, wait;

	*out = (struct comment_limits){.trust = trust,
	    .waits = trust == TRUST_NEW,
	    .full = trust == TRUST_NEW && (int64_t)waiting >= numbers.comments,
	    .most = numbers.comments,
	    .network_most = trust != TRUST_TRUSTED ? m->network : 0,
	    .first_day_most = first_day ? m->first_day : 0,
	    .links_max = numbers.links,
	    .mentions_max = numbers.mentions,
	    .lately = lately};
	for (size_t r = TRUST_SAID; r <= TRUST_WAITING; r++)
		for (size_t i = 0; i < reads[r].found_count; i++) {
			struct comment *comment = &lately[out->lately_count++];

			comment_from_item(arena, &reads[r].found[i], comment);
			last = comment->created > last ? comment->created : last;
		}
	wait = last + numbers.pause * 1000 - now;
	if (last != 0 && wait > 0)
		out->pause = (uint32_t)((wait + 999) / 1000);
}

bool
comment_repeats(const struct comment_limits *limits, struct str markdown, int64_t now)
{
	for (size_t i = 0; i < limits->lately_count; i++)
		if (limits->lately[i].created > now - REPEAT_MS &&
		    str_eq(limits->lately[i].markdown, markdown))
			return true;
	return false;
}

/* --- Where it stands --------------------------------------------------------------------------------- */

bool
comment_path_valid(struct str path)
{
	if (path.len % PATH_LEVEL != PATH_LEVEL - 1 || comment_level(path) > COMMENT_LEVELS)
		return false;
	for (size_t i = 0; i < path.len; i++) {
		char c = path.base[i];
		bool in_id = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');

		if (i % PATH_LEVEL == PATH_LEVEL - 1 ? c != '.' : !in_id)
			return false;
	}
	return true;
}

bool
comment_id_valid(struct str id)
{
	return comment_path_valid(id) && comment_level(id) == 1;
}

unsigned
comment_level(struct str path)
{
	return (unsigned)((path.len + 1) / PATH_LEVEL);
}

/* The path under which a reply stands, of what it answers or of what that stands under; empty: at the root. */
static struct str
place_under(const struct new_comment *comment)
{
	struct str to = comment->to != NULL ? comment->to->path : STR("");

	return comment_level(to) < COMMENT_LEVELS ? to : str_sub(to, 0, to.len - PATH_LEVEL);
}

/* --- Writing ----------------------------------------------------------------------------------------- */

struct read
comment_once_read(struct arena *arena, struct str username, struct str once)
{
	return (struct read){.kind = READ_GET, .key = key_once(arena, username, once)};
}

static struct str
once_path(const struct item *item, struct str post)
{
	if (item == NULL || !str_eq(item_string(item, STR("Post")), post))
		return STR("");
	return item_string(item, STR("Comment"));
}

struct str
comment_once_path(const struct read *read, struct str post)
{
	return once_path(read->item, post);
}

static void
add_once(struct plan *plan, const struct new_comment *comment)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_once(arena, plan->by, comment->once), ITEM_ONCE);
	item_set(arena, &item, STR("Comment"), value_string(comment->path));
	item_set(arena, &item, STR("Post"), value_string(comment->post->id));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + ONCE_SECONDS));
	plan_create(plan, item, PLAN_ALREADY);
}

static const struct condition *
has_status(struct arena *arena, const char *status)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = (struct condition){
	    .op = COND_EQ, .name = STR("Status"), .value = value_string(str_of(status))};
	return condition;
}

static void
add_check(struct plan *plan, struct key key, const char *status, enum plan_rc refusal)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_CHECK,
		.key = key,
		.condition = has_status(plan->call->arena, status)},
	    refusal);
}

/* One more of the replies of what everybody sees. */
static void
add_reply(struct plan *plan, struct key parent)
{
	struct change *change = ARENA_NEW(plan->call->arena, struct change);

	*change = (struct change){CHANGE_ADD, STR("Replies"), value_number(1)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = parent,
		.changes = change,
		.change_count = 1,
		.condition = has_status(plan->call->arena, "visible")},
	    PLAN_GONE);
}

/*
 * What it is said to has to be there still. What it stands under counts it, once it is visible; at the last level that is
 * another than what it answers, and may be deleted.
 */
static void
add_counts(struct plan *plan, const struct new_comment *comment, struct str under)
{
	struct arena *arena = plan->call->arena;
	struct str post = comment->post->id, to = STR("");

	if (comment->to != NULL)
		to = comment->to->path;
	if (!comment->held)
		plan_count_post(plan, post, plan->by, STR("Comments"), 1);
	if (to.len != 0 && !comment->held && str_eq(to, under)) {
		add_reply(plan, key_comment(arena, post, under));
		return;
	}
	if (to.len != 0)
		add_check(plan, key_comment(arena, post, to), "visible", PLAN_GONE);
	if (under.len != 0 && !comment->held)
		plan_count(plan, key_comment(arena, post, under), STR("Replies"), 1, PLAN_GONE);
}

/* Nobody under whose post it stands, and nobody whom it answers, has blocked who writes it. */
static void
add_unblocked(struct plan *plan, const struct new_comment *comment)
{
	const struct post *post = comment->post;
	struct str *people = ARENA_ARRAY(plan->call->arena, post->other_count + 2, struct str);
	size_t count = 0;

	people[count++] = post->author;
	for (size_t i = 0; i < post->other_count; i++)
		people[count++] = post->others[i].username;
	if (comment->to != NULL && !post_written_by(post, comment->to->author))
		people[count++] = comment->to->author;
	follow_add_unblocked(plan, people, count);
}

/* Who writes is neither shut out nor suspended, whatever they were when the request began. */
static void
add_active(struct plan *plan)
{
	struct arena *arena = plan->call->arena;
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);
	struct condition *until = ARENA_ARRAY(arena, 2, struct condition);

	until[0] = (struct condition){.op = COND_MISSING, .name = STR("SuspendedUntil")};
	until[1] = (struct condition){.op = COND_LE,
	    .name = STR("SuspendedUntil"),
	    .value = value_string(time_format(arena, plan->now))};
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = 2};
	all[1] = (struct condition){
	    .op = COND_NE, .name = STR("Status"), .value = value_string(STR("disabled"))};
	all[2] = (struct condition){.op = COND_ANY, .children = until, .count = 2};
	plan_add(plan,
	    (struct write){
		.kind = WRITE_CHECK, .key = key_user(arena, plan->by), .condition = all},
	    PLAN_NOT_ACTIVE);
}

/* One try, under this id. */
static enum plan_rc
create_as(struct plan *plan, struct new_comment *comment, struct str id)
{
	struct arena *arena = plan->call->arena;
	struct str under = place_under(comment);
	struct item item = {.count = 0};
	struct comment stored = {.id = id,
	    .post = comment->post->id,
	    .post_title = comment->post->title,
	    .author = plan->by,
	    .author_name = plan->by_name,
	    .markdown = comment->markdown,
	    .html = comment->html,
	    .renderer = comment->renderer,
	    .status = comment->held ? COMMENT_HELD : COMMENT_VISIBLE,
	    .held_for = comment->held ? comment->held_for : STR(""),
	    .created = plan->now,
	    .updated = plan->now};

	comment->path = id;
	if (under.len != 0) {
		stored.parent = str_sub(under, under.len - (PATH_LEVEL - 1), under.len);
		comment->path = STR_CONCAT(arena, under, STR("."), id);
	}
	if (comment->once.len != 0)
		add_once(plan, comment);
	add_check(plan, key_post(arena, comment->post->id), "published", PLAN_NOT_THERE);
	add_counts(plan, comment, under);
	add_unblocked(plan, comment);
	add_active(plan);
	if (!comment->held)
		tally_add(plan, comment->post->id, comment->path, under.len != 0);
	rate_add(plan, comment->rates, comment->rate_count, false);
	key_set(arena, &item, key_comment(arena, comment->post->id, comment->path), ITEM_COMMENT);
	key_index_comment(arena, &item, plan->by, plan->now, id, comment->held);
	bind_write(arena, &comment_bindings, &stored, &item);
	/* Two ids of one millisecond can be the same: the other one stays. */
	plan_create(plan, item, PLAN_TAKEN);
	return plan_commit(plan);
}

enum plan_rc
comment_create(struct plan *plan, struct new_comment *comment)
{
	enum plan_rc rc = PLAN_TAKEN;

	for (int i = 0; i < TRIES && rc == PLAN_TAKEN; i++)
		rc = create_as(plan, comment, id_new(plan->call->arena, plan->clock));
	if (rc == PLAN_ALREADY)
		comment->path = once_path(plan->found, comment->post->id);
	return rc;
}

/* What the staff do to what others wrote, for their own log and that which readers see. */
static void
note_decision(struct plan *plan, const struct comment *comment, const char *what)
{
	if (plan->audited && comment->status != COMMENT_HELD)
		moderation_log(plan, &(struct moderation_act){.what = str_of(what),
					 .post = comment->post,
					 .post_title = comment->post_title,
					 .person = comment->author,
					 .why = comment->hidden_why});
	audit_log(plan, AUDIT_COMMENT, comment->author,
	    STR_CONCAT(plan->call->arena, str_of(what), STR(", under “"),
		comment->post_title.len != 0 ? comment->post_title : comment->post, STR("”")));
}

/* --- Changing ---------------------------------------------------------------------------------------- */

bool
comment_editable(const struct comment *comment, int64_t now)
{
	return comment->created > now - EDITABLE_MS;
}

static void
keep_text(struct plan *plan, const struct comment *comment)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_comment_text(arena, comment->post, comment->id, plan->now),
	    ITEM_COMMENT_TEXT);
	key_index_comment_text(arena, &item, comment->author, plan->now, comment->id);
	item_set(arena, &item, STR("Author"), value_string(comment->author));
	item_set(arena, &item, STR("Comment"), value_string(comment->id));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("Markdown"), value_string(comment->markdown));
	item_set(arena, &item, STR("Post"), value_string(comment->post));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + KEPT_SECONDS));
	plan_put(plan, item);
}

/* As it was read: nobody has decided on it, or edited it. */
static const struct condition *
is_as_read(struct arena *arena, const struct item *stored, const char *status)
{
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);
	struct condition *all = ARENA_NEW(arena, struct condition);

	both[0] = *has_status(arena, status);
	both[1] = (struct condition){.op = COND_EQ,
	    .name = STR("Markdown"),
	    .value = value_string(item_string(stored, STR("Markdown")))};
	*all = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	return all;
}

static void
set_text(struct arena *arena, struct item *item, const char *name, struct str text)
{
	item_set(arena, item, str_of(name), value_string(text));
}

/* What everybody saw is counted no more. */
static void
add_disappearance(struct plan *plan, const struct item *stored, const struct comment *comment)
{
	if (comment->status != COMMENT_VISIBLE)
		return;
	plan_recount(plan, stored, NULL);
	if (comment->parent.len == 0 && comment->replies == 0)
		tally_drop(plan, comment->post, comment->path);
}

/* Where a comment stands that waits from now on, and why. */
static struct item
held_place(struct arena *arena, const struct comment *comment, struct str why)
{
	struct item place = {.count = 0};

	key_index_comment(arena, &place, comment->author, comment->created, comment->id, true);
	set_text(arena, &place, "Status", STR("held"));
	set_text(arena, &place, "HeldFor", why);
	return place;
}

enum plan_rc
comment_edit(struct plan *plan, const struct item *stored, struct str markdown, struct str html,
    int64_t renderer, struct str held_for)
{
	struct arena *arena = plan->call->arena;
	struct item place = {.count = 0};
	struct comment comment;
	struct change *changes;
	size_t count = 0;

	comment_from_item(arena, stored, &comment);
	if (held_for.len != 0 && comment.status == COMMENT_VISIBLE) {
		place = held_place(arena, &comment, held_for);
		add_disappearance(plan, stored, &comment);
	}
	changes = ARENA_ARRAY(arena, 4 + place.count, struct change);
	for (size_t i = 0; i < place.count; i++)
		changes[count++] = (struct change){
		    CHANGE_SET, place.attributes[i].name, place.attributes[i].value};
	changes[count++] = (struct change){CHANGE_SET, STR("Markdown"), value_string(markdown)};
	changes[count++] = (struct change){CHANGE_SET, STR("HTML"), value_string(html)};
	changes[count++] = (struct change){CHANGE_SET, STR("Renderer"), value_number(renderer)};
	/* Whoever decides on what waits is to have read it as it is. */
	if (comment.status == COMMENT_HELD || plan->now > comment.created + UNMARKED_MS)
		changes[count++] = (struct change){
		    CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, plan->now))};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(stored),
		.changes = changes,
		.change_count = count,
		.condition =
		    is_as_read(arena, stored, comment.status == COMMENT_HELD ? "held" : "visible")},
	    PLAN_CHANGED);
	keep_text(plan, &comment);
	return plan_commit(plan);
}

/* Nobody has seen it, nothing counts it, and nothing answers it. */
static enum plan_rc
drop_held(struct plan *plan, const struct item *held, const struct comment *comment)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = item_key(held),
		.condition = has_status(plan->call->arena, "held")},
	    PLAN_TAKEN);
	note_decision(plan, comment, "deleted");
	return plan_commit(plan);
}

enum plan_rc
comment_delete(struct plan *plan, const struct item *stored)
{
	static const char *const gone[] = {"Answer", "AnsweredAt", "Author", "AuthorName", "GSI1PK",
	    "GSI1SK", "GSI3PK", "GSI3SK", "HTML", "HeldFor", "HiddenAt", "HiddenBy", "HiddenWhy",
	    "Markdown", "Renderer"};
	enum { GONE = sizeof(gone) / sizeof(gone[0]) };
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, GONE + 2, struct change);
	struct comment comment;
	size_t count = 0;

	comment_from_item(arena, stored, &comment);
	if (comment.status == COMMENT_HELD)
		return drop_held(plan, stored, &comment);
	changes[count++] = (struct change){CHANGE_SET, STR("Status"), value_string(STR("deleted"))};
	changes[count++] = (struct change){
	    CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, plan->now))};
	for (size_t i = 0; i < GONE; i++)
		changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = str_of(gone[i])};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(stored),
		.changes = changes,
		.change_count = count,
		.condition = has_status(
		    arena, comment.status == COMMENT_HIDDEN ? "hidden" : "visible")},
	    PLAN_TAKEN);
	plan_recount(plan, stored, NULL);
	if (comment.status == COMMENT_VISIBLE && comment.parent.len == 0 && comment.replies == 0)
		tally_drop(plan, comment.post, comment.path);
	keep_text(plan, &comment);
	note_decision(plan, &comment, "deleted");
	return plan_commit(plan);
}

/* --- Decisions of the staff ------------------------------------------------------------------- */

/* how long a hidden comment can be restored */
#define RESTORABLE_MS (INT64_C(30) * DAY_MS)

/* Changes a comment, and gives it the index keys of `place`. */
static void
add_decision(struct plan *plan, const struct item *stored, const struct item *place,
    const char *const *gone, const struct condition *condition)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, place->count + GONE_MAX, struct change);
	size_t count = 0;

	for (size_t i = 0; i < place->count; i++)
		changes[count++] = (struct change){
		    CHANGE_SET, place->attributes[i].name, place->attributes[i].value};
	for (; *gone != NULL; gone++)
		changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = str_of(*gone)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(stored),
		.changes = changes,
		.change_count = count,
		.condition = condition},
	    PLAN_TAKEN);
}

static const char *const nothing[] = {NULL};
static const char *const no_longer_held[] = {"HeldFor", NULL};
static const char *const no_longer_hidden[] = {
    "Answer", "AnsweredAt", "HeldFor", "HiddenAt", "HiddenBy", "HiddenWhy", NULL};
static const char *const never_answered[] = {"Answer", "AnsweredAt", NULL};

/* The comment becomes visible, and is counted. */
static void
add_appearance(struct plan *plan, const struct item *stored, const char *const *gone,
    const struct condition *condition)
{
	struct arena *arena = plan->call->arena;
	struct item place = {.count = 0}, whole = item_shallow(arena, stored);
	struct comment comment;

	comment_from_item(arena, stored, &comment);
	key_index_comment(arena, &place, comment.author, comment.created, comment.id, false);
	set_text(arena, &place, "Status", STR("visible"));
	set_text(arena, &whole, "Status", STR("visible"));
	add_decision(plan, stored, &place, gone, condition);
	tally_add(plan, comment.post, comment.path, false);
	plan_recount(plan, NULL, &whole);
}

enum plan_rc
comment_approve(struct plan *plan, const struct item *held)
{
	struct comment comment;

	comment_from_item(plan->call->arena, held, &comment);
	add_appearance(
	    plan, held, no_longer_held, is_as_read(plan->call->arena, held, "held"));
	note_decision(plan, &comment, "approved");
	return plan_commit(plan);
}

enum plan_rc
comment_hide(struct plan *plan, const struct item *stored, struct str why)
{
	struct arena *arena = plan->call->arena;
	struct item place = {.count = 0};
	struct comment comment;

	comment_from_item(arena, stored, &comment);
	key_index_comment_hidden(arena, &place, comment.author, plan->now, comment.id);
	set_text(arena, &place, "Status", STR("hidden"));
	set_text(arena, &place, "HiddenAt", time_format(arena, plan->now));
	set_text(arena, &place, "HiddenBy", plan->by);
	set_text(arena, &place, "HiddenWhy", why);
	add_decision(plan, stored, &place, never_answered,
	    is_as_read(arena, stored, comment.status == COMMENT_HELD ? "held" : "visible"));
	add_disappearance(plan, stored, &comment);
	comment.hidden_why = why;
	note_decision(plan, &comment, "hidden");
	return plan_commit(plan);
}

bool
comment_restorable(const struct comment *comment, int64_t now)
{
	return comment->hidden > now - RESTORABLE_MS;
}

enum plan_rc
comment_restore(struct plan *plan, const struct item *hidden)
{
	struct comment comment;

	comment_from_item(plan->call->arena, hidden, &comment);
	add_appearance(
	    plan, hidden, no_longer_hidden, is_as_read(plan->call->arena, hidden, "hidden"));
	note_decision(plan, &comment, "restored");
	return plan_commit(plan);
}

enum plan_rc
comment_keep_hidden(struct plan *plan, const struct item *hidden)
{
	struct arena *arena = plan->call->arena;
	struct item place = {.count = 0};
	struct comment comment;

	comment_from_item(arena, hidden, &comment);
	key_index_comment_hidden(arena, &place, comment.author, comment.hidden, comment.id);
	add_decision(plan, hidden, &place, nothing, is_as_read(arena, hidden, "hidden"));
	note_decision(plan, &comment, "kept hidden");
	return plan_commit(plan);
}

enum plan_rc
comment_answer(struct plan *plan, const struct item *hidden, struct str text)
{
	struct arena *arena = plan->call->arena;
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);
	struct condition *unanswered = ARENA_NEW(arena, struct condition);
	struct item place = {.count = 0};
	struct comment comment;

	comment_from_item(arena, hidden, &comment);
	both[0] = *has_status(arena, "hidden");
	both[1] = (struct condition){.op = COND_MISSING, .name = STR("AnsweredAt")};
	*unanswered = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	key_index_comment_answered(arena, &place, plan->now, comment.id);
	set_text(arena, &place, "Answer", text);
	set_text(arena, &place, "AnsweredAt", time_format(arena, plan->now));
	add_decision(plan, hidden, &place, nothing, unanswered);
	return plan_commit(plan);
}

void
comment_add_hold(struct plan *plan, const struct item *visible, struct str why)
{
	struct arena *arena = plan->call->arena;
	struct item place;
	struct comment comment;

	comment_from_item(arena, visible, &comment);
	place = held_place(arena, &comment, why);
	add_decision(plan, visible, &place, nothing, has_status(arena, "visible"));
	add_disappearance(plan, visible, &comment);
}

void
comment_add_visible(struct plan *plan, const struct item *visible)
{
	add_check(plan, item_key(visible), "visible", PLAN_GONE);
}
