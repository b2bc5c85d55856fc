#include "model/reader/restriction.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/people/account.h"
#include "model/post/collection_write.h"
#include "model/post/writing.h"
#include "model/site/audit.h"
#include "model/people/notification.h"
#include "model/site/moderation_log.h"

#define DAY_MS INT64_C(86400000)

const char *const restricted_words[] = {"", "held", "hidden", NULL};
static const char *const whats[] = {"post", "comment", "review", "profile", "collection", NULL};

static const struct binding bindings[] = {
    BIND_TEXT(WRITTEN, "Answer", struct restriction, answer, TEXT_LINES),
    BIND_TIME(RECORDED, "AnsweredAt", struct restriction, answered),
    BIND_STRING(SECRET, "By", struct restriction, by),
    BIND_STRING(RECORDED, "Collection", struct restriction, target.collection),
    BIND_TIME(RECORDED, "CreatedAt", struct restriction, created),
    BIND_STRING(SECRET, "HeldFor", struct restriction, held_for),
    BIND_STRING(RECORDED, "Owner", struct restriction, owner),
    BIND_STRING(RECORDED, "Person", struct restriction, target.person),
    BIND_STRING(RECORDED, "Post", struct restriction, target.post),
    BIND_CHOICE(RECORDED, "State", struct restriction, state, restricted_words),
    BIND_STRING(RECORDED, "Target", struct restriction, name),
    BIND_TEXT(COPIED, "Title", struct restriction, title, TEXT_LINE),
    BIND_CHOICE(RECORDED, "What", struct restriction, target.what, whats),
    BIND_TEXT(WRITTEN, "Why", struct restriction, why, TEXT_LINES),
};
const struct binding_table restriction_bindings = BINDINGS(bindings);

void
restriction_from_item(struct arena *arena, const struct item *item, struct restriction *out)
{
	*out = (struct restriction){.state = RESTRICTED_NOT};
	if (item != NULL)
		bind_read(arena, &restriction_bindings, item, out);
}

bool
restriction_restorable(const struct restriction *restriction, int64_t now)
{
	return restriction->created > now - RESTRICTION_KEPT_DAYS * DAY_MS;
}

/* --- The item ----------------------------------------------------------------------------------------- */

/* It is as it was read, or was not there. */
static const struct condition *
as_read(struct arena *arena, const struct item *was)
{
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);

	if (was == NULL)
		return &plan_absent;
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = 2};
	for (int i = 0; i < 2; i++) {
		struct str name = i == 0 ? STR("State") : STR("CreatedAt");

		all[1 + i] = (struct condition){
		    .op = COND_EQ, .name = name, .value = value_string(item_string(was, name))};
	}
	return all;
}

static struct item
item_of(struct arena *arena, const struct restriction *is)
{
	struct item item = {.count = 0};

	key_set(arena, &item, key_restriction(arena, is->name), ITEM_RESTRICTION);
	key_index_restriction(arena, &item, is->owner, is->created, is->name,
	    is->state == RESTRICTED_HELD ? RESTRICTIONS_HELD : RESTRICTIONS_HIDDEN);
	bind_write(arena, &restriction_bindings, is, &item);
	return item;
}

static void
add_put(struct plan *plan, const struct restriction *is, const struct condition *condition)
{
	plan_add(plan,
	    (struct write){
		.kind = WRITE_PUT, .item = item_of(plan->call->arena, is), .condition = condition},
	    PLAN_CHANGED);
}

static const enum moderated things[FLAG_WHATS] = {[FLAG_POST] = MODERATED_POST,
    [FLAG_REVIEW] = MODERATED_NOTE,
    [FLAG_PROFILE] = MODERATED_PROFILE,
    [FLAG_COLLECTION] = MODERATED_COLLECTION};

/* For its owner and the logs: what was done, to what. */
static void
note(struct plan *plan, const struct restriction *r, const char *what)
{
	const struct moderation_act act = {.thing = things[r->target.what],
	    .what = str_of(what),
	    .post = r->target.post,
	    .post_title = r->target.post.len != 0 ? r->title : STR(""),
	    .person = r->owner,
	    .why = r->why};

	note_add_decision(plan, r->owner, &act);
	if (!plan->audited)
		return;
	moderation_log(plan, &act);
	audit_log(plan, AUDIT_RESTRICTION, r->owner,
	    STR_CONCAT(plan->call->arena, str_of(what), STR(": "), r->name));
}

/* --- What it does to the thing ------------------------------------------------------------------------ */

static struct str
owner_of(const struct restrictable *thing)
{
	switch (thing->target.what) {
	case FLAG_POST: return thing->post->author;
	case FLAG_COLLECTION: return thing->collection->owner;
	default: return thing->target.person;
	}
}

static struct str
title_of(const struct restrictable *thing)
{
	switch (thing->target.what) {
	case FLAG_POST:
	case FLAG_REVIEW: return thing->post->title.len != 0 ? thing->post->title : thing->post->id;
	case FLAG_COLLECTION: return thing->collection->name;
	default: return thing->target.person;
	}
}

static enum plan_rc
change_post(struct plan *plan, struct str id, enum restricted is)
{
	struct written old;
	struct post post;
	bool there;
	enum table_rc rc = written_get(plan, id, &old, &there);

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (!there || old.post.status == STATUS_DELETED)
		return PLAN_NOT_THERE;
	return writing_restrict(plan, &old, is, &post);
}

/* Commits what the plan has, and the change of the thing. */
static enum plan_rc
change(struct plan *plan, const struct restrictable *thing, enum restricted is)
{
	switch (thing->target.what) {
	case FLAG_POST: return change_post(plan, thing->target.post, is);
	case FLAG_REVIEW:
		return rating_decide(plan, thing->item, thing->post,
		    is == RESTRICTED_HIDDEN ? RATING_HIDE : RATING_SHOW);
	case FLAG_PROFILE: return account_restrict_profile(plan, thing->item, is);
	case FLAG_COLLECTION: return collection_restrict(plan, thing->collection, is);
	case FLAG_COMMENT:
	case FLAG_WHATS: break;
	}
	return PLAN_NOT_THERE;
}

static void
settle(struct plan *plan, const struct item *flagged, bool upheld)
{
	struct flagged open;

	if (flagged == NULL)
		return;
	flagged_from_item(plan->call->arena, flagged, &open);
	if (open.status == FLAGGED_OPEN)
		flag_settle(plan, flagged, upheld);
}

enum plan_rc
restriction_hide(
    struct plan *plan, const struct restrictable *thing, struct str why, const struct item *flagged)
{
	struct arena *arena = plan->call->arena;
	const struct restriction is = {.name = key_flag_target(arena, &thing->target),
	    .target = thing->target,
	    .owner = owner_of(thing),
	    .title = title_of(thing),
	    .state = RESTRICTED_HIDDEN,
	    .why = why,
	    .by = plan->by,
	    .created = plan->now};

	add_put(plan, &is, as_read(arena, thing->restriction));
	settle(plan, flagged, true);
	note(plan, &is, "hidden");
	return change(plan, thing, RESTRICTED_HIDDEN);
}

enum plan_rc
restriction_hold_note(struct plan *plan, const struct restrictable *thing, struct str why)
{
	const struct restriction is = {.name = key_flag_target(plan->call->arena, &thing->target),
	    .target = thing->target,
	    .owner = owner_of(thing),
	    .title = title_of(thing),
	    .state = RESTRICTED_HELD,
	    .why = why,
	    .by = plan->by,
	    .created = plan->now};
	const struct moderation_act act = {.thing = MODERATED_NOTE,
	    .what = STR("held back"),
	    .by_author = !plan->audited,
	    .post = thing->post->id,
	    .post_title = is.title,
	    .person = is.owner,
	    .why = why};

	add_put(plan, &is, NULL);
	moderation_log(plan, &act);
	note_add_decision(plan, is.owner, &act);
	return rating_decide(plan, thing->item, thing->post, RATING_HOLD);
}

enum plan_rc
restriction_lift(struct plan *plan, const struct restrictable *thing, const struct item *flagged)
{
	struct arena *arena = plan->call->arena;
	struct restriction was;

	restriction_from_item(arena, thing->restriction, &was);
	if (was.state == RESTRICTED_NOT)
		return PLAN_TAKEN;
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = item_key(thing->restriction),
		.condition = as_read(arena, thing->restriction)},
	    PLAN_CHANGED);
	settle(plan, flagged, false);
	if (was.state == RESTRICTED_HIDDEN) {
		note(plan, &was, "restored");
	} else {
		note_add_decision(plan, was.owner,
		    &(struct moderation_act){.thing = things[was.target.what],
			.what = STR("approved"),
			.post = was.target.post});
		audit_log(plan, AUDIT_RESTRICTION, was.owner,
		    STR_CONCAT(arena, STR("approved: "), was.name));
	}
	return change(plan, thing, RESTRICTED_NOT);
}

/* It stands in that list from now on, with these changes. */
static enum plan_rc
move(struct plan *plan, const struct item *item, enum restriction_list list, int64_t when,
    struct str answer, const struct condition *condition)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 4, struct change);
	struct item place = {.count = 0};
	size_t count = 0;

	key_list_restriction(arena, &place, when, item_string(item, STR("Target")), list);
	for (size_t i = 0; i < place.count; i++)
		changes[count++] = (struct change){
		    CHANGE_SET, place.attributes[i].name, place.attributes[i].value};
	if (answer.len != 0) {
		changes[count++] = (struct change){CHANGE_SET, STR("Answer"), value_string(answer)};
		changes[count++] = (struct change){
		    CHANGE_SET, STR("AnsweredAt"), value_string(time_format(arena, plan->now))};
	}
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(item),
		.changes = changes,
		.change_count = count,
		.condition = condition},
	    PLAN_TAKEN);
	return plan_commit(plan);
}

enum plan_rc
restriction_keep(struct plan *plan, const struct item *item)
{
	struct arena *arena = plan->call->arena;
	struct restriction r;

	restriction_from_item(arena, item, &r);
	note(plan, &r, "kept hidden");
	return move(plan, item, RESTRICTIONS_HIDDEN, r.created, STR(""), as_read(arena, item));
}

enum plan_rc
restriction_answer(struct plan *plan, const struct item *item, struct str text)
{
	struct arena *arena = plan->call->arena;
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);
	struct restriction r;

	restriction_from_item(arena, item, &r);
	all[0] = (struct condition){.op = COND_ALL, .children = &all[1], .count = 2};
	all[1] = (struct condition){.op = COND_EQ,
	    .name = STR("State"),
	    .value = value_string(str_of(restricted_words[r.state]))};
	all[2] = (struct condition){.op = COND_MISSING, .name = STR("AnsweredAt")};
	/* What is held is in the queue already, and is not erased. */
	return move(plan, item,
	    r.state == RESTRICTED_HELD ? RESTRICTIONS_HELD : RESTRICTIONS_ANSWERED, plan->now, text,
	    all);
}

/* --- Of its owner ------------------------------------------------------------------------------------- */

void
restriction_add_hold(
    struct plan *plan, const struct flag_target *target, struct str owner, struct str title, struct str held_for)
{
	const struct restriction is = {.name = key_flag_target(plan->call->arena, target),
	    .target = *target,
	    .owner = owner,
	    .title = title,
	    .state = RESTRICTED_HELD,
	    .held_for = held_for,
	    .created = plan->now};

	add_put(plan, &is, NULL);
}

void
restriction_add_end(struct plan *plan, const struct flag_target *target)
{
	struct arena *arena = plan->call->arena;

	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = key_restriction(arena, key_flag_target(arena, target))},
	    PLAN_CHANGED);
}

/* --- After 30 days ------------------------------------------------------------------------------------ */

/* First it is deleted, which nobody notices, then its text; interrupted in between, the rest is done the next time. */
static enum plan_rc
erase_post(struct plan *plan, const struct restriction *r)
{
	struct written old;
	struct post post;
	bool there;
	enum table_rc rc = written_get(plan, r->target.post, &old, &there);
	enum plan_rc done = plan_failed(plan, rc);

	if (rc == TABLE_OK && there && old.post.restricted == RESTRICTED_HIDDEN &&
	    old.post.status == STATUS_UNPUBLISHED) {
		done = writing_delete(plan, &old, old.post.version, &post);
		rc = done == PLAN_DONE ? written_get(plan, r->target.post, &old, &there) : TABLE_OK;
		done = done == PLAN_DONE ? plan_failed(plan, rc) : done;
	}
	if (done == PLAN_DONE && there && old.post.restricted == RESTRICTED_HIDDEN &&
	    old.post.status == STATUS_DELETED && old.body_item != NULL) {
		const struct coauthor self = {old.post.author, old.post.author_name};

		done = writing_erase(plan, &old, old.post.author, &self, &post);
	}
	return done;
}

static enum plan_rc
erase_thing(struct plan *plan, const struct restriction *r, const struct read *read)
{
	struct arena *arena = plan->call->arena;
	struct rating rating = {.status = RATING_VISIBLE};
	struct post post;

	if (r->target.what == FLAG_POST)
		return erase_post(plan, r);
	if (r->target.what == FLAG_COLLECTION)
		return collection_delete(plan, r->owner, r->target.collection);
	if (read[0].item == NULL)
		return PLAN_DONE;
	if (r->target.what == FLAG_PROFILE)
		return account_erase_profile(plan, read[0].item);
	rating_from_item(arena, read[0].item, &rating);
	if (rating.status != RATING_HIDDEN || read[1].item == NULL)
		return PLAN_DONE;
	post_from_item(arena, read[1].item, &post);
	return rating_decide(plan, read[0].item, &post, RATING_REMOVE);
}

enum plan_rc
restriction_erase(struct plan *plan, const struct item *item)
{
	struct arena *arena = plan->call->arena;
	struct restriction r;
	struct read reads[2];
	enum table_rc rc;
	enum plan_rc done;

	restriction_from_item(arena, item, &r);
	reads[0] = r.target.what == FLAG_REVIEW
		       ? rating_read(arena, r.target.person, r.target.post)
		       : (struct read){
			     .kind = READ_GET, .key = key_user(arena, r.owner), .consistent = true};
	reads[1] = (struct read){.kind = READ_GET,
	    .key = r.target.post.len != 0 ? key_post(arena, r.target.post)
					  : key_restriction(arena, r.name)};
	rc = table_read(plan->table, plan->call, reads, 2);
	done = rc == TABLE_OK ? erase_thing(plan, &r, reads) : plan_failed(plan, rc);
	if (done != PLAN_DONE && done != PLAN_NOT_THERE)
		return done;
	plan_add(plan,
	    (struct write){
		.kind = WRITE_DELETE, .key = item_key(item), .condition = as_read(arena, item)},
	    PLAN_CHANGED);
	return plan_commit(plan);
}
