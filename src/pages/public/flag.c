/*
 * GET and POST /flag/<what>/<id>: asks the staff to look at something: at a post or a collection by
 * its id, at a profile by its name, with ?at=<path> at a comment and with ?at=<username> at a
 * review. People who have flagged it are told so, and get no form.
 */
#include "pages/public/flag.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/key_rating.h"
#include "model/permission.h"
#include "model/post/collection.h"
#include "model/post/post.h"
#include "model/reader/comment_write.h"
#include "model/reader/rating.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/followed.h"
#include "pages/shared/form_page.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { NOTE_MAX = 500, REPLIES_READ = 200, ID_LEN = 14 };

struct flag_form {
	int64_t reason;
	struct str note;
};

static const struct choice reason_choices[] = {
    {STR_INIT("spam"), "Spam or advertising", FLAG_SPAM},
    {STR_INIT("unkind"), "Unkind", FLAG_UNKIND},
    {STR_INIT("off-topic"), "Off topic", FLAG_OFF_TOPIC},
    {STR_INIT("illegal"), "Against the law", FLAG_ILLEGAL},
    {STR_INIT("other"), "Something else", FLAG_OTHER},
    {STR_INIT(""), NULL, 0},
};

static const struct field flag_fields[] = {
    {FIELD_CHOICE(struct flag_form, reason), .label = "What is wrong with it", .required = true,
	.missing = "Choose what is wrong with it.", .choices = reason_choices},
    {FIELD_TEXT(struct flag_form, note), .label = "Note", .max = NOTE_MAX, .rows = 3,
	.hint = "For the editors alone. What should they know?"},
};
static const struct form flag_form = FORM("flag", struct flag_form, flag_fields, .button = "Flag");

/* --- Addresses --------------------------------------------------------------------------------------- */

struct str
flag_url(struct request *rq, const struct flag_target *target, bool may)
{
	struct str begin = STR_CONCAT(rq->arena, STR("/flag/"),
	    str_of(flag_what_name(target->what)), STR("/"));
	struct str id = target->post, at = STR("");

	if (rq->viewer != NULL && !may)
		return STR("");
	if (target->what == FLAG_PROFILE)
		id = target->person;
	if (target->what == FLAG_COLLECTION)
		id = target->collection;
	if (target->what == FLAG_COMMENT)
		at = target->path;
	if (target->what == FLAG_REVIEW)
		at = target->person;
	begin = url_join(rq->arena, begin, id);
	return at.len != 0 ? STR_CONCAT(rq->arena, begin, STR("?at="), at) : begin;
}

/* --- Loading ----------------------------------------------------------------------------------------- */

/* The thing in the address, and its flags. */
struct flagging {
	struct flag_target target;
	struct str title, back;      /* "Flag the comment of Noor"; where the comment is */
	const struct item *comment;  /* if it is one */
	struct post post;
	struct read flags;
	enum trust trust;
	bool replied, done; /* they have replied to it; they have flagged it */
};

/* False: the address is invalid. */
static bool
take_address(struct request *rq, struct flag_target *out)
{
	struct str id = request_param(rq, "id"), at = request_query(rq, "at");
	int what = flag_what_of(request_param(rq, "what"));

	*out = (struct flag_target){.what = (enum flag_what)what};
	switch (what) {
	case FLAG_POST: out->post = id; return slug_valid(id);
	case FLAG_COMMENT:
		out->post = id;
		out->path = at;
		return slug_valid(id) && comment_path_valid(at);
	case FLAG_REVIEW:
		out->post = id;
		out->person = at;
		return slug_valid(id) && username_valid(at);
	case FLAG_PROFILE: out->person = id; return username_valid(id);
	case FLAG_COLLECTION: out->collection = id; return id.len == ID_LEN;
	default: return false;
	}
}

enum { THING, PART, FLAGS, TRUST, REPLIES = TRUST + TRUST_READS, READS };

/* The first one is the thing that contains it, or the thing itself. */
static void
plan_reads(struct request *rq, const struct flag_target *target, struct read reads[READS])
{
	struct arena *arena = rq->arena;
	struct key thing = key_post(arena, target->post), part;

	if (target->what == FLAG_PROFILE)
		thing = key_user(arena, target->person);
	if (target->what == FLAG_COLLECTION)
		thing = key_collection(arena, target->collection);
	part = thing;
	if (target->what == FLAG_COMMENT)
		part = key_comment(arena, target->post, target->path);
	if (target->what == FLAG_REVIEW)
		part = key_rating(arena, target->person, target->post);
	reads[THING] = (struct read){.kind = READ_GET, .key = thing};
	reads[PART] = (struct read){.kind = READ_GET, .key = part};
	reads[FLAGS] = flags_read(arena, key_flag_target(arena, target));
	trust_reads(arena, rq->viewer->user.username, &reads[TRUST]);
	reads[REPLIES] = (struct read){.kind = READ_QUERY};
	if (target->what == FLAG_COMMENT)
		reads[REPLIES].query = query_replies(arena, target->post, target->path);
	reads[REPLIES].query.limit = REPLIES_READ;
}

static enum http_status
take_part(struct request *rq, const struct item *item, struct flagging *out)
{
	struct str page = post_path(rq->arena, &out->post);
	struct comment comment;
	struct rating review;

	if (out->target.what == FLAG_COMMENT) {
		comment_from_item(rq->arena, item, &comment);
		out->comment = item;
		out->target.person = comment.author;
		out->title = STR_CONCAT(rq->arena, STR("Flag the comment of "), comment.author_name);
		out->back = STR_CONCAT(rq->arena, page, STR("#c-"), comment.id);
		return may(rq->viewer, MAY_FLAG, thing_comment(&comment)) ? HTTP_OK
									  : HTTP_NOT_FOUND;
	}
	rating_from_item(rq->arena, item, &review);
	out->title = STR_CONCAT(rq->arena, STR("Flag the review of "), review.author_name);
	out->back = STR_CONCAT(rq->arena, page, STR("#reviews"));
	return may(rq->viewer, MAY_FLAG, thing_review(&review)) ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
take_own_page(struct request *rq, const struct item *item, struct flagging *out)
{
	struct collection collection;
	struct user user;
	bool allowed;

	if (out->target.what == FLAG_PROFILE) {
		user_from_item(rq->arena, item, &user);
		user_withhold(&user);
		out->title = STR_CONCAT(rq->arena, STR("Flag the profile of "), user.display_name);
		out->back = author_path(rq->arena, user.username);
		allowed = may(rq->viewer, MAY_FLAG, thing_person(&user));
	} else {
		collection_from_item(rq->arena, item, &collection);
		out->title = STR_CONCAT(rq->arena, STR("Flag “"), collection.name, STR("”"));
		out->back = url_join(rq->arena, STR("/collection/"), collection.id);
		allowed = may(rq->viewer, MAY_FLAG, thing_collection(&collection));
	}
	return allowed ? HTTP_OK : HTTP_NOT_FOUND;
}

static enum http_status
take_thing(struct request *rq, const struct read *reads, struct flagging *out)
{
	enum flag_what what = out->target.what;
	enum http_status status;

	if (reads[THING].item == NULL || reads[PART].item == NULL)
		return HTTP_NOT_FOUND;
	if (what == FLAG_PROFILE || what == FLAG_COLLECTION)
		return take_own_page(rq, reads[THING].item, out);
	post_from_item(rq->arena, reads[THING].item, &out->post);
	note_confidential(rq, &out->post);
	status = followed_check(rq, what == FLAG_POST ? MAY_FLAG : MAY_READ, &out->post, NULL);
	if (status != HTTP_OK)
		return status;
	if (what != FLAG_POST)
		return take_part(rq, reads[PART].item, out);
	out->title = STR_CONCAT(rq->arena, STR("Flag “"), words_title(&out->post), STR("”"));
	out->back = post_path(rq->arena, &out->post);
	return HTTP_OK;
}

/* Have they replied to it themselves? */
static bool
has_replied(struct request *rq, const struct flag_target *target, const struct read *replies)
{
	struct str id = str_sub(target->path, target->path.len - ID_LEN, ID_LEN);

	for (size_t i = 0; target->what == FLAG_COMMENT && i < replies->found_count; i++)
		if (str_eq(item_string(&replies->found[i], STR("Author")),
			rq->viewer->user.username) &&
		    str_eq(item_string(&replies->found[i], STR("Parent")), id))
			return true;
	return false;
}

static enum http_status
load(struct request *rq, struct flagging *out)
{
	struct read reads[READS];
	enum http_status status;

	*out = (struct flagging){.comment = NULL};
	if (!take_address(rq, &out->target))
		return HTTP_NOT_FOUND;
	plan_reads(rq, &out->target, reads);
	status = page_read(rq, reads, out->target.what == FLAG_COMMENT ? READS : REPLIES);
	if (status == HTTP_OK)
		status = take_thing(rq, reads, out);
	if (status != HTTP_OK)
		return status;
	out->flags = reads[FLAGS];
	out->trust =
	    trust_of(&rq->settings->moderation, rq->viewer, &reads[TRUST], rq->now);
	out->done = flags_of(&reads[FLAGS], rq->viewer->user.username) != NULL;
	out->replied = has_replied(rq, &out->target, &reads[REPLIES]);
	return HTTP_OK;
}

/* --- The page ---------------------------------------------------------------------------------------- */

static enum http_status
show(struct request *rq, struct response *rs, const struct flagging *flagging, struct str notice)
{
	struct form_page page = {
	    .title = flagging->title, .back = flagging->back, .notice = notice};

	if (flagging->done) {
		page.intro = STR("You have flagged this. An editor looks at it and decides; nobody "
				 "else is told that it was you.");
	} else if (flagging->replied) {
		page.intro = STR("You have replied to this, so you can’t flag it: others can.");
	} else {
		page.form = &flag_form;
		page.intro = STR("An editor looks at it and decides. Nobody else is told that it "
				 "was you.");
	}
	if (flagging->comment != NULL && page.form != NULL)
		page.intro = STR_CONCAT(rq->arena, page.intro,
		    STR(" You can’t reply to what you have flagged."));
	return form_page(rq, rs, &page);
}

/* The table failed: shows what was typed, to be sent again. */
static enum http_status
lost(struct request *rq, struct response *rs, enum http_status why)
{
	const struct flagging unknown = {.title = STR_INIT("Not sent yet"), .back = STR_INIT("/")};

	if (why != HTTP_UNAVAILABLE)
		return why;
	return response_form_again(rs,
	    show(rq, rs, &unknown,
		STR("The site can’t reach its archive just now. Nothing is lost: try again in a "
		    "moment.")),
	    why);
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	struct flagging *flagging = ARENA_NEW(rq->arena, struct flagging);
	enum http_status status = load(rq, flagging);

	return status == HTTP_OK ? show(rq, rs, flagging, STR("")) : status;
}

/* The form again, with the time of the next attempt. */
static enum http_status
too_many(struct request *rq, struct response *rs, const struct flagging *flagging)
{
	const struct rate rate = trust_rate(&rq->settings->moderation, flagging->trust, TRUST_FLAG,
	    rq->viewer->user.username);
	const char *wait = sign_in_wait(
	    rq, rs, rate_wait_now(rq->table, &rq->call, &rate, 1, rq->now));

	return response_form_again(rs,
	    show(rq, rs, flagging,
		STR_CONCAT(rq->arena, STR("You have flagged as much as you can today. "),
		    str_of(wait))),
	    HTTP_TOO_MANY);
}

static enum http_status
flag(struct request *rq, struct response *rs)
{
	const struct flag_form *in = rq->form->values;
	struct flagging *flagging = ARENA_NEW(rq->arena, struct flagging);
	struct plan plan = plan_of(rq);
	enum http_status status = load(rq, flagging);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return lost(rq, rs, status);
	if (flagging->done)
		return redirect(rs, HTTP_SEE_OTHER, rq->address);
	if (flagging->replied)
		return response_form_again(
		    rs, show(rq, rs, flagging, STR("")), HTTP_CONFLICT);
	rc = flag_create(&plan, &(struct new_flag){.target = &flagging->target,
				    .reason = (enum flag_reason)in->reason,
				    .note = in->note,
				    .trust = flagging->trust,
				    .moderation = &rq->settings->moderation,
				    .comment = flagging->comment,
				    .flags = &flagging->flags});
	if (rc == PLAN_TOO_MANY)
		return too_many(rq, rs, flagging);
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, rq->address)
			       : lost(rq, rs, plan_refused(rs, &plan, rc));
}

PAGE(flag, .get = open_form, .post = flag, .refused = open_form, .form = &flag_form,
    .query = QUERY("at"))
