#include "pages/admin/decide.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/key_rating.h"
#include "model/people/user.h"
#include "model/site/audit.h"
#include "model/slug.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"

enum { KEYS_EACH = 4, TEXT_MAX = 120 };

static const struct {
	const char *name, *done;
} decisions[DECISIONS] = {
    [DECIDE_APPROVE] = {"approve", "approved"},
    [DECIDE_HIDE] = {"hide", "hidden"},
    [DECIDE_DISMISS] = {"dismiss", "dismissed"},
    [DECIDE_UPHOLD] = {"uphold", "upheld"},
    [DECIDE_RESTORE] = {"restore", "restored"},
    [DECIDE_KEEP] = {"keep", "kept"},
};

const struct hiding_reason hiding_reasons[] = {
    {"spam", "Hide: advertising", "It is advertising."},
    {"unkind", "Hide: unkind", "It is unkind."},
    {"off-topic", "Hide: off topic", "It is off topic."},
    {"rules", "Hide: other", "It does not keep to the rules here."},
    {NULL, NULL, NULL},
};

const char *
hiding_reason_says(struct str word)
{
	for (const struct hiding_reason *reason = hiding_reasons; reason->word != NULL; reason++)
		if (str_eq(str_of(reason->word), word))
			return reason->says;
	return NULL;
}

const char *
decision_name(enum decision decision)
{
	return decisions[decision].name;
}

const char *
decision_done(enum decision decision)
{
	return decisions[decision].done;
}

/* --- What a button names ------------------------------------------------------------------------------ */

static struct str
or_dash(struct str text)
{
	return text.len != 0 ? text : STR("-");
}

struct str
decided_value(struct request *rq, const struct flag_target *target, struct str shown, int64_t flags)
{
	struct str id = target->post, at = STR("");

	switch (target->what) {
	case FLAG_COMMENT: at = target->path; break;
	case FLAG_REVIEW: at = target->person; break;
	case FLAG_PROFILE: id = target->person; break;
	case FLAG_COLLECTION: id = target->collection; break;
	case FLAG_POST:
	case FLAG_WHATS: break;
	}
	return STR_CONCAT(rq->arena, str_of(flag_what_name(target->what)), STR(" "), id, STR(" "),
	    or_dash(at), STR(" "), or_dash(shown), STR(" "),
	    str_fmt(rq->arena, "%lld", (long long)flags));
}

bool
decided_parse(struct request *rq, struct str value, struct decided *out)
{
	struct str rest, word = str_cut(value, ' ', &rest), id = str_cut(rest, ' ', &rest);
	struct str at = str_cut(rest, ' ', &rest), shown = str_cut(rest, ' ', &rest);
	int what = flag_what_of(word);

	(void)rq;
	*out = (struct decided){.value = value,
	    .target = {.what = (enum flag_what)what, .post = id},
	    .shown = str_eq(shown, STR("-")) ? STR("") : shown};
	if (!str_int(rest, &out->flags))
		return false;
	switch (what) {
	case FLAG_POST: return slug_valid(id);
	case FLAG_COMMENT: out->target.path = at; return slug_valid(id) && comment_path_valid(at);
	case FLAG_REVIEW: out->target.person = at; return slug_valid(id) && username_valid(at);
	case FLAG_PROFILE:
		out->target.post = STR("");
		out->target.person = id;
		return username_valid(id);
	case FLAG_COLLECTION:
		out->target.post = STR("");
		out->target.collection = id;
		return comment_id_valid(id);
	default: return false;
	}
}

/* --- Reading ------------------------------------------------------------------------------------------ */

/* What is read of all, each key once, in batches that are sent together. */
struct wanted {
	struct key keys[DECIDED_MAX * KEYS_EACH];
	size_t count;
	struct read reads[1 + DECIDED_MAX * KEYS_EACH / TABLE_BATCH_MAX];
	size_t read_count;
};

static size_t
place_of(const struct wanted *wanted, struct key key)
{
	size_t k = 0;

	while (k < wanted->count &&
	       !(str_eq(wanted->keys[k].pk, key.pk) && str_eq(wanted->keys[k].sk, key.sk)))
		k++;
	return k;
}

static void
want(struct wanted *wanted, struct key key)
{
	size_t k = place_of(wanted, key);

	if (k == wanted->count)
		wanted->keys[wanted->count++] = key;
}

static const struct item *
got(const struct wanted *wanted, struct key key)
{
	size_t k = place_of(wanted, key);

	return wanted->reads[k / TABLE_BATCH_MAX].items[k % TABLE_BATCH_MAX];
}

static struct key
key_of_flags(struct request *rq, const struct decided *d)
{
	return key_flagged(rq->arena, key_flag_target(rq->arena, &d->target));
}

static enum http_status
read_wanted(struct request *rq, struct wanted *wanted)
{
	for (size_t i = 0; i < wanted->count; i += TABLE_BATCH_MAX) {
		size_t left = wanted->count - i;

		wanted->reads[wanted->read_count++] = (struct read){.kind = READ_BATCH,
		    .batch = {&wanted->keys[i], left < TABLE_BATCH_MAX ? left : TABLE_BATCH_MAX},
		    .consistent = true};
	}
	return page_read(rq, wanted->reads, wanted->read_count);
}

struct str
decided_shown(const struct item *thing, const struct item *restriction)
{
	if (restriction != NULL)
		return item_string(restriction, STR("CreatedAt"));
	return thing != NULL && !kind_is(thing, ITEM_USER) ? item_string(thing, STR("UpdatedAt"))
							   : STR("");
}

/* Where the thing itself lies, if that is not its post. */
static struct key
key_of_thing(struct request *rq, const struct flag_target *target)
{
	switch (target->what) {
	case FLAG_REVIEW: return key_rating(rq->arena, target->person, target->post);
	case FLAG_PROFILE: return key_user(rq->arena, target->person);
	case FLAG_COLLECTION: return key_collection(rq->arena, target->collection);
	case FLAG_COMMENT: return key_comment(rq->arena, target->post, target->path);
	case FLAG_POST:
	case FLAG_WHATS: break;
	}
	return key_post(rq->arena, target->post);
}

bool
decided_may(struct request *rq, enum action action, const struct restrictable *thing)
{
	struct rating review;

	switch (thing->target.what) {
	case FLAG_POST: return may(rq->viewer, action, thing_post(thing->post, rq->now));
	case FLAG_REVIEW:
		rating_from_item(rq->arena, thing->item, &review);
		return may(rq->viewer, action, thing_review(&review));
	case FLAG_PROFILE: return may(rq->viewer, action, thing_person(thing->user));
	case FLAG_COLLECTION: return may(rq->viewer, action, thing_collection(thing->collection));
	case FLAG_COMMENT:
	case FLAG_WHATS: break;
	}
	return false;
}

bool
decided_may_settle(
    struct request *rq, const struct comment *comment, const struct restrictable *thing)
{
	return comment != NULL ? may(rq->viewer, MAY_SETTLE, thing_comment(comment))
			       : decided_may(rq, MAY_SETTLE, thing);
}

/* The first words of a text. */
static struct str
beginning(struct request *rq, struct str markdown)
{
	struct str text = markdown_text(rq->arena, markdown);
	size_t end = 0, letters = 0;

	while (end < text.len && letters++ < TEXT_MAX)
		str_rune(text, &end);
	return STR_CONCAT(rq->arena, str_sub(text, 0, end), end < text.len ? STR("…") : STR(""));
}

static void
take_comment(struct request *rq, struct decided *d)
{
	d->comment.status = COMMENT_DELETED;
	d->there = d->there && d->item != NULL;
	if (!d->there)
		return;
	comment_from_item(rq->arena, d->item, &d->comment);
	d->there = d->comment.status != COMMENT_DELETED;
	d->title = STR_CONCAT(rq->arena, STR("A comment by "), d->comment.author_name,
	    STR(", under “"), words_title(&d->post), STR("”"));
	d->text = beginning(rq, d->comment.markdown);
}

struct str
profile_words(struct arena *arena, const struct user *user)
{
	struct str words[3];
	size_t count = 0;

	if (user->bio.len != 0)
		words[count++] = user->bio;
	if (user->link.len != 0)
		words[count++] = user->link;
	if (user->cover_alt.len != 0)
		words[count++] = STR_CONCAT(arena, STR("Their cover shows: "), user->cover_alt);
	return str_join(arena, words, count, STR(" · "));
}

/* A thing that is no comment, with what it says. */
static void
take_thing(struct request *rq, struct decided *d)
{
	struct collection *collection = ARENA_NEW(rq->arena, struct collection);
	struct user *user = ARENA_NEW(rq->arena, struct user);
	struct rating review;

	d->there = d->there && d->item != NULL;
	if (!d->there)
		return;
	d->thing.target = d->target;
	d->thing.item = d->item;
	d->thing.post = &d->post;
	switch (d->target.what) {
	case FLAG_REVIEW:
		rating_from_item(rq->arena, d->item, &review);
		d->text = beginning(rq, review.note);
		break;
	case FLAG_PROFILE:
		user_from_item(rq->arena, d->item, user);
		d->thing.user = user;
		d->title = STR_CONCAT(rq->arena, STR("The profile of "), user->username);
		d->text = profile_words(rq->arena, user);
		break;
	case FLAG_COLLECTION:
		collection_from_item(rq->arena, d->item, collection);
		d->thing.collection = collection;
		d->there = may(rq->viewer, MAY_READ, thing_collection(collection));
		d->title =
		    STR_CONCAT(rq->arena, STR("A collection: “"), collection->name, STR("”"));
		d->text = beginning(rq, collection->description);
		break;
	case FLAG_POST:
	case FLAG_COMMENT:
	case FLAG_WHATS: break;
	}
}

static void
take(struct request *rq, const struct wanted *wanted, struct decided *d)
{
	const struct item *head = NULL;

	d->there = true;
	d->flagged = got(wanted, key_of_flags(rq, d));
	d->title = STR_CONCAT(rq->arena, STR("A "), str_of(flag_what_name(d->target.what)));
	if (d->target.post.len != 0) {
		head = got(wanted, key_post(rq->arena, d->target.post));
		if (head != NULL)
			post_from_item(rq->arena, head, &d->post);
		d->barred =
		    head != NULL && !may(rq->viewer, MAY_READ, thing_post(&d->post, rq->now));
		d->there = head != NULL && !d->barred;
	}
	if (d->there && head != NULL) {
		note_confidential(rq, &d->post);
		d->title =
		    STR_CONCAT(rq->arena, d->title, STR(": “"), words_title(&d->post), STR("”"));
	}
	if (d->target.what == FLAG_COMMENT) {
		d->item = got(wanted, key_of_thing(rq, &d->target));
		take_comment(rq, d);
		return;
	}
	d->item = got(wanted, key_of_thing(rq, &d->target));
	d->thing.restriction =
	    got(wanted, key_restriction(rq->arena, key_flag_target(rq->arena, &d->target)));
	restriction_from_item(rq->arena, d->thing.restriction, &d->restriction);
	take_thing(rq, d);
}

enum http_status
decided_read(struct request *rq, struct decided *all, size_t count)
{
	struct wanted *wanted = ARENA_NEW(rq->arena, struct wanted);
	enum http_status status;

	for (size_t i = 0; i < count; i++) {
		const struct flag_target *target = &all[i].target;

		want(wanted, key_of_flags(rq, &all[i]));
		if (target->post.len != 0)
			want(wanted, key_post(rq->arena, target->post));
		want(wanted, key_of_thing(rq, target));
		if (target->what != FLAG_COMMENT)
			want(
			    wanted, key_restriction(rq->arena, key_flag_target(rq->arena, target)));
	}
	status = read_wanted(rq, wanted);
	for (size_t i = 0; status == HTTP_OK && i < count; i++)
		take(rq, wanted, &all[i]);
	return status;
}

/* --- Deciding ----------------------------------------------------------------------------------------- */

static bool
is_open(struct request *rq, const struct decided *d, int64_t *flags)
{
	struct flagged flagged;

	*flags = 0;
	if (d->flagged == NULL)
		return false;
	flagged_from_item(rq->arena, d->flagged, &flagged);
	*flags = flagged.flags;
	return flagged.status == FLAGGED_OPEN;
}

/* Why its flags can't be settled. */
static const char *
flags_refusal(struct request *rq, const struct decided *d, enum decision decision)
{
	int64_t flags;

	if (!is_open(rq, d, &flags))
		return "Its flags are settled already, or it has none.";
	if (d->there &&
	    !decided_may_settle(
		rq, d->target.what == FLAG_COMMENT ? &d->comment : NULL, &d->thing))
		return "It is yours: somebody else decides.";
	if (flags != d->flags)
		return "Somebody has flagged it meanwhile: look again.";
	if (decision == DECIDE_DISMISS && d->comment.status == COMMENT_HELD &&
	    d->target.what == FLAG_COMMENT && d->there)
		return "It waits: approve or hide it.";
	return NULL;
}

static const char *
comment_refusal(struct request *rq, const struct decided *d, enum decision decision)
{
	static const enum action needs[DECISIONS] = {[DECIDE_APPROVE] = MAY_PUBLISH,
	    [DECIDE_HIDE] = MAY_TAKE_DOWN,
	    [DECIDE_RESTORE] = MAY_RESTORE,
	    [DECIDE_KEEP] = MAY_RESTORE};
	const struct comment *c = &d->comment;

	if (decision == DECIDE_HIDE && c->status == COMMENT_HIDDEN)
		return "It is hidden already.";
	if ((decision == DECIDE_APPROVE || decision == DECIDE_RESTORE) &&
	    c->status == COMMENT_VISIBLE)
		return "It is there for everybody already.";
	if (!str_eq(d->shown, time_format(rq->arena, c->updated)))
		return "Its author has edited it meanwhile: look again.";
	if (!may(rq->viewer, needs[decision], thing_comment(c)))
		return "It is not as it was, or not yours to decide.";
	return NULL;
}

/* Of a thing that is no comment. */
static const char *
thing_refusal(struct request *rq, const struct decided *d, enum decision decision)
{
	const struct restriction *r = &d->restriction;
	enum restricted wanted = decision == DECIDE_APPROVE ? RESTRICTED_HELD : RESTRICTED_HIDDEN;

	if (decision == DECIDE_HIDE && r->state == RESTRICTED_HIDDEN)
		return "It is hidden already.";
	if (decision != DECIDE_HIDE && r->state != wanted)
		return decision == DECIDE_APPROVE ? "It does not wait." : "It is not hidden.";
	if (!str_eq(d->shown, decided_shown(d->item, d->thing.restriction)))
		return "It was changed meanwhile: look again.";
	if (decision == DECIDE_RESTORE && !restriction_restorable(r, rq->now))
		return "It was hidden for 30 days, and is to be erased.";
	if (!decided_may(rq, decision == DECIDE_HIDE ? MAY_HIDE : MAY_SHOW, &d->thing))
		return "It is not as it was, or not yours to decide.";
	return NULL;
}

const char *
decided_refusal(struct request *rq, const struct decided *d, enum decision decision)
{
	if (!d->barred && (decision == DECIDE_DISMISS || decision == DECIDE_UPHOLD))
		return flags_refusal(rq, d, decision);
	if (!d->there)
		return "It is not there any more.";
	if (d->target.what == FLAG_COMMENT)
		return comment_refusal(rq, d, decision);
	return thing_refusal(rq, d, decision);
}

static enum plan_rc
settle(struct plan *plan, const struct decided *d, bool upheld)
{
	struct str name = item_string(d->flagged, STR("Target"));

	flag_settle(plan, d->flagged, upheld);
	audit_log(plan, AUDIT_FLAGS, name, upheld ? STR("upheld") : STR("dismissed"));
	return plan_commit(plan);
}

static enum plan_rc
carry_out_on_thing(
    struct plan *plan, const struct decided *d, enum decision decision, struct str why)
{
	switch (decision) {
	case DECIDE_HIDE: return restriction_hide(plan, &d->thing, why, d->flagged);
	case DECIDE_APPROVE:
	case DECIDE_RESTORE: return restriction_lift(plan, &d->thing, d->flagged);
	case DECIDE_KEEP: return restriction_keep(plan, d->thing.restriction);
	case DECIDE_DISMISS:
	case DECIDE_UPHOLD:
	case DECISIONS: break;
	}
	return PLAN_TAKEN;
}

enum plan_rc
decided_carry_out(struct request *rq, struct plan *plan, const struct decided *d,
    enum decision decision, struct str why)
{
	int64_t flags;

	if (decision == DECIDE_DISMISS || decision == DECIDE_UPHOLD)
		return settle(plan, d, decision == DECIDE_UPHOLD);
	if (d->target.what != FLAG_COMMENT)
		return carry_out_on_thing(plan, d, decision, why);
	if (decision == DECIDE_RESTORE && !comment_restorable(&d->comment, rq->now))
		return PLAN_GONE;
	if ((decision == DECIDE_APPROVE || decision == DECIDE_HIDE) && is_open(rq, d, &flags))
		flag_settle(plan, d->flagged, decision == DECIDE_HIDE);
	if (decision == DECIDE_RESTORE && d->flagged != NULL)
		flag_settle(plan, d->flagged, false);
	switch (decision) {
	case DECIDE_APPROVE: return comment_approve(plan, d->item);
	case DECIDE_HIDE: return comment_hide(plan, d->item, why);
	case DECIDE_RESTORE: return comment_restore(plan, d->item);
	case DECIDE_KEEP:
	case DECIDE_DISMISS:
	case DECIDE_UPHOLD:
	case DECISIONS: break;
	}
	return comment_keep_hidden(plan, d->item);
}
