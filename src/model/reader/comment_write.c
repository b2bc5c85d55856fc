#include "model/reader/comment_write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/key_post.h"
#include "model/people/suspension.h"
#include "model/permission.h"
#include "model/reader/discussion.h"
#include "model/reader/follow.h"
#include "model/reader/tally.h"
#include "model/site/audit.h"
#include "model/people/notification.h"
#include "model/site/moderation_log.h"

enum { TRIES = 4, ONCE_SECONDS = 7 * 86400, PATH_LEVEL = 14 + 1 };
enum { REPEAT_MS = 5 * 60 * 1000, UNMARKED_MS = 5 * 60 * 1000 };
enum { DAY_MS = 86400000, EDITABLE_MS = DAY_MS, KEPT_SECONDS = 30 * 86400 };
enum { GONE_MAX = 10, HTML_WITH_MAX = 1500 };

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

/* It is counted if everybody sees it. `checked`: what it answers is checked by itself, whatever its thread says. */
static void
add_place(struct plan *plan, const struct new_comment *comment, bool checked)
{
	struct arena *arena = plan->call->arena;
	struct str post = comment->post->id;

	if (comment->to != NULL && checked)
		add_check(
		    plan, key_comment(arena, post, comment->to->path), "visible", PLAN_GONE);
	if (comment->held)
		return;
	plan_count_post(plan, post, plan->by, STR("Comments"), 1);
	if (comment->to != NULL && !checked)
		tally_add_reply(plan, post, comment->path);
	else
		tally_add(plan, post, comment->path, comment->to != NULL);
}

/*
 * Whom it answers, and nobody else, has not blocked who writes it: of a reply that is one person, of another comment all
 * who wrote the post. Whether these have blocked who replies was read before.
 */
static void
add_unblocked(struct plan *plan, const struct new_comment *comment)
{
	const struct post *post = comment->post;
	struct str *people = ARENA_ARRAY(plan->call->arena, post->other_count + 1, struct str);
	size_t count = 0;

	people[count++] = comment->to != NULL ? comment->to->author : post->author;
	for (size_t i = 0; comment->to == NULL && i < post->other_count; i++)
		people[count++] = post->others[i].username;
	follow_add_unblocked(plan, people, count);
}

/* Who writes may still write, whatever they were when the request began. */
static void
add_active(struct plan *plan)
{
	struct arena *arena = plan->call->arena;

	plan_add(plan,
	    (struct write){.kind = WRITE_CHECK,
		.key = key_user(arena, plan->by),
		.condition = may_write_still(arena, plan->now)},
	    PLAN_NOT_ACTIVE);
}

/*
 * The HTML of what is long is not stored: with it the item would be twice as large, in the table and in three indexes.
 * To render it takes as long as to read much of it.
 */
static struct str
html_to_store(struct str markdown, struct str html)
{
	return markdown.len + html.len <= HTML_WITH_MAX ? html : STR("");
}

/* That somebody of the staff speaks for all of them, or does so no more. */
static void
note_mark(struct plan *plan, const struct comment *comment, bool staff)
{
	const char *what = staff ? "marked as the staff’s" : "marked as the staff’s no more";

	moderation_log(plan, &(struct moderation_act){.what = str_of(what),
				 .post = comment->post,
				 .post_title = comment->post_title,
				 .person = comment->author});
	audit_log(plan, AUDIT_COMMENT, comment->author, str_of(what));
}

/* One try, under this id. */
static enum plan_rc
create_as(struct plan *plan, struct new_comment *comment, struct str id, bool checked)
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
	    .html = html_to_store(comment->markdown, comment->html),
	    .staff = comment->staff,
	    .mentions = comment->mentions,
	    .status = comment->held ? COMMENT_HELD : COMMENT_VISIBLE,
	    .held_for = comment->held ? comment->held_for : STR(""),
	    .created = plan->now,
	    .updated = plan->now};

	stored.renderer = stored.html.len != 0 ? comment->renderer : 0;
	comment->path = id;
	if (under.len != 0) {
		stored.parent = str_sub(under, under.len - (PATH_LEVEL - 1), under.len);
		comment->path = STR_CONCAT(arena, under, STR("."), id);
	}
	if (comment->once.len != 0)
		add_once(plan, comment);
	discussion_add_open(plan, comment->post->id, under, comment->moderates);
	add_place(plan, comment, checked);
	add_unblocked(plan, comment);
	add_active(plan);
	if (comment->staff)
		note_mark(plan, &stored, true);
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
	bool checked = comment->to == NULL || comment->held;
	enum plan_rc rc = PLAN_TAKEN;

	for (int i = 0; i < TRIES; i++) {
		rc = create_as(plan, comment, id_new(plan->call->arena, plan->clock), checked);
		if (rc != PLAN_TAKEN && (rc != PLAN_GONE || checked))
			break;
		checked = checked || rc == PLAN_GONE;
	}
	if (rc == PLAN_ALREADY)
		comment->path = once_path(plan->found, comment->post->id);
	return rc;
}

/* Does an author of the post act, and not the staff or who wrote it? */
static bool
is_host(const struct plan *plan, const struct comment *comment)
{
	return !plan->audited && !str_eq(plan->by, comment->author);
}

/* What is done by hand to what others wrote, for the log that readers see, and for that of the staff. */
static void
note_decision(struct plan *plan, const struct comment *comment, const char *what)
{
	bool host = is_host(plan, comment);
	const struct moderation_act act = {.what = str_of(what),
	    .by_author = host,
	    .post = comment->post,
	    .post_title = comment->post_title,
	    .person = comment->author,
	    .why = comment->hidden_why};

	if ((plan->audited || host) && (comment->status != COMMENT_HELD || comment->by_author))
		moderation_log(plan, &act);
	note_add_decision(plan, comment->author, &act);
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
	tally_leave(plan, comment->post, comment->path);
	plan_recount(plan, stored, NULL);
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

enum { TEXT_CHANGES = 4 };

static size_t
text_changes(struct arena *arena, const struct new_comment *now, struct change changes[TEXT_CHANGES])
{
	struct str html = html_to_store(now->markdown, now->html);
	bool some = now->mentions.count != 0;

	changes[0] = (struct change){CHANGE_SET, STR("Markdown"), value_string(now->markdown)};
	changes[1] = plan_text(STR("HTML"), html);
	changes[2] = (struct change){html.len != 0 ? CHANGE_SET : CHANGE_REMOVE, STR("Renderer"),
	    value_number(now->renderer)};
	changes[3] = (struct change){some ? CHANGE_SET : CHANGE_REMOVE, STR("Mentions"),
	    value_strings(arena, now->mentions.strings, now->mentions.count)};
	return TEXT_CHANGES;
}

enum plan_rc
comment_edit(struct plan *plan, const struct item *stored, const struct new_comment *now)
{
	struct arena *arena = plan->call->arena;
	struct item place = {.count = 0};
	struct comment comment;
	struct change *changes;
	size_t count = 0;

	comment_from_item(arena, stored, &comment);
	if (now->held_for.len != 0 && comment.status == COMMENT_VISIBLE) {
		place = held_place(arena, &comment, now->held_for);
		add_disappearance(plan, stored, &comment);
	}
	changes = ARENA_ARRAY(arena, TEXT_CHANGES + 1 + place.count, struct change);
	for (size_t i = 0; i < place.count; i++)
		changes[count++] = (struct change){
		    CHANGE_SET, place.attributes[i].name, place.attributes[i].value};
	count += text_changes(arena, now, &changes[count]);
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

/* Its text and its author go; its place stays. */
static void
add_removal(struct plan *plan, const struct item *stored, const struct condition *as_it_is)
{
	static const char *const gone[] = {"Answer", "AnsweredAt", "Author", "AuthorName", "ByAuthor",
	    "GSI1PK", "GSI1SK", "GSI3PK", "GSI3SK", "GSI4PK", "GSI4SK", "HTML", "HeldFor", "HiddenAt",
	    "HiddenBy", "HiddenWhy", "Markdown", "Mentions", "Renderer", "Settled", "Staff"};
	enum { GONE = sizeof(gone) / sizeof(gone[0]) };
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, GONE + 2, struct change);
	size_t count = 0;

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
		.condition = as_it_is},
	    PLAN_TAKEN);
}

enum plan_rc
comment_delete(struct plan *plan, const struct item *stored)
{
	struct comment comment;

	comment_from_item(plan->call->arena, stored, &comment);
	if (comment.status == COMMENT_HELD)
		return drop_held(plan, stored, &comment);
	add_removal(plan, stored,
	    has_status(plan->call->arena,
		comment.status == COMMENT_HIDDEN ? "hidden" : "visible"));
	add_disappearance(plan, stored, &comment);
	keep_text(plan, &comment);
	note_decision(plan, &comment, "deleted");
	return plan_commit(plan);
}

enum plan_rc
comment_erase(struct plan *plan, const struct item *hidden)
{
	struct arena *arena = plan->call->arena;
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);

	/* It has not been restored, and hidden anew, meanwhile. */
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = 2};
	all[1] = *has_status(arena, "hidden");
	all[2] = (struct condition){.op = COND_EQ,
	    .name = STR("HiddenAt"),
	    .value = value_string(item_string(hidden, STR("HiddenAt")))};
	add_removal(plan, hidden, all);
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
static const char *const no_longer_hidden[] = {"Answer", "AnsweredAt", "ByAuthor", "GSI4PK",
    "GSI4SK", "HeldFor", "HiddenAt", "HiddenBy", "HiddenWhy", NULL};
static const char *const never_answered[] = {"Answer", "AnsweredAt", NULL};
/* The staff decide now, and not the post's authors any more. */
static const char *const not_by_author[] = {
    "Answer", "AnsweredAt", "ByAuthor", "GSI4PK", "GSI4SK", NULL};

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
	set_text(arena, &place, "AppearedAt", time_format(arena, plan->now));
	/* Overruled, its post's authors can't hide it again. */
	if (comment.by_author && plan->audited)
		item_set(arena, &place, STR("Settled"), value_boolean(true));
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
	    plan, held, no_longer_hidden, is_as_read(plan->call->arena, held, "held"));
	note_decision(plan, &comment, comment.by_author ? "released" : "approved");
	return plan_commit(plan);
}

/* By whom it is hidden or held back, and why; an author of the post finds it again. */
static void
tell(struct plan *plan, struct item *place, const struct comment *comment, struct str why, bool host)
{
	struct arena *arena = plan->call->arena;

	set_text(arena, place, "HiddenAt", time_format(arena, plan->now));
	set_text(arena, place, "HiddenBy", plan->by);
	set_text(arena, place, "HiddenWhy", why);
	if (!host)
		return;
	item_set(arena, place, STR("ByAuthor"), value_boolean(true));
	key_index_comment_under(arena, place, comment->post, plan->now, comment->id);
}

enum plan_rc
comment_hold(struct plan *plan, const struct item *visible, struct str why)
{
	struct arena *arena = plan->call->arena;
	struct item place;
	struct comment comment;

	comment_from_item(arena, visible, &comment);
	place = held_place(arena, &comment, STR_CONCAT(arena, plan->by, STR(" holds it back: "), why));
	tell(plan, &place, &comment, why, true);
	add_decision(plan, visible, &place, never_answered, is_as_read(arena, visible, "visible"));
	add_disappearance(plan, visible, &comment);
	comment.hidden_why = why;
	note_decision(plan, &comment, "held back");
	return plan_commit(plan);
}

enum plan_rc
comment_mark(struct plan *plan, const struct item *visible, bool staff)
{
	static const char *const unmarked[] = {"Staff", NULL};
	struct arena *arena = plan->call->arena;
	struct item place = {.count = 0};
	struct comment comment;

	comment_from_item(arena, visible, &comment);
	if (comment.staff == staff)
		return PLAN_DONE;
	if (staff)
		item_set(arena, &place, STR("Staff"), value_boolean(true));
	add_decision(plan, visible, &place, staff ? nothing : unmarked,
	    has_status(arena, "visible"));
	note_mark(plan, &comment, staff);
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
	tell(plan, &place, &comment, why, is_host(plan, &comment));
	add_decision(plan, stored, &place, is_host(plan, &comment) ? never_answered : not_by_author,
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
	both[0] = *has_status(arena, comment.status == COMMENT_HELD ? "held" : "hidden");
	both[1] = (struct condition){.op = COND_MISSING, .name = STR("AnsweredAt")};
	*unanswered = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	/* What is held is before the editors already. */
	if (comment.status == COMMENT_HIDDEN)
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
