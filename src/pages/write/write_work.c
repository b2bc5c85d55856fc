#include "pages/write/write_work.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/slug.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/revision_parts.h"
#include "pages/write/write.h"
#include "text/url.h"
#include "web/http/large.h"

enum { TAGS_OFFERED = 500 };

struct read
work_read_tags(void)
{
	struct read read = {.kind = READ_QUERY, .query = query_tags()};

	read.query.limit = TAGS_OFFERED;
	return read;
}

bool
work_is_new(const struct request *rq)
{
	return request_param(rq, "id").len == 0;
}

bool
work_is_nowhere(const struct request *rq)
{
	return !work_is_new(rq) && !slug_valid(request_param(rq, "id"));
}

struct str
work_form(struct request *rq)
{
	struct str once = input_of(rq, "once");

	return slug_valid(once) ? once : STR("");
}

/* The form again, after a POST. Tags to choose from are a comfort: without them it does as well. */
enum http_status
work_again(struct work *work, struct write_page *page)
{
	struct request *rq = work->rq;
	struct read tags = work_read_tags();

	page->typed = &work->typed;
	page->old = work->old;
	if (table_read(rq->table, &rq->call, &tags, 1) == TABLE_OK)
		page->known_tags = &tags;
	return write_respond(rq, work->rs, page);
}

/* The form again, and why. */
enum http_status
work_again_as(struct work *work, struct write_page *page, enum http_status why)
{
	enum http_status status = work_again(work, page);

	work->rs->own_error = status == HTTP_OK;
	return status == HTTP_OK ? why : status;
}

/* The table failed, perhaps before it said what post this is: then the form itself knows. */
enum http_status
work_failed(struct work *work, enum http_status why)
{
	struct write_page page = {
	    .notice =
		"The site can’t reach its archive just now. Nothing is saved yet, and nothing is "
		"lost: what you wrote is here. Try again in a moment."};

	if (why != HTTP_UNAVAILABLE)
		return why;
	if (work->old == NULL && !work_is_new(work->rq)) {
		work->old = ARENA_NEW(work->rq->arena, struct written);
		work->old->post.id = request_param(work->rq, "id");
		work->old->post.kind = work->typed.kind;
		work->old->post.updated = work->rq->now;
	}
	page.typed = &work->typed;
	page.old = work->old;
	return work_again_as(work, &page, why);
}

static size_t
typed_bytes(const struct request *rq)
{
	size_t bytes = 0;

	for (size_t i = 0; i < rq->inputs.count; i++)
		bytes += rq->inputs.parts[i].content.len;
	return bytes;
}

enum http_status
work_enter(struct work *work)
{
	struct write_page page = {.notice = NULL};
	size_t bytes = typed_bytes(work->rq);
	enum http_status status;

	if (work->old != NULL)
		bytes += post_body_bytes(&work->old->body);
	status = large_enter(work->rq, work->rs, bytes);
	if (status == HTTP_OK)
		return HTTP_OK;
	page.notice =
	    status == HTTP_UNAVAILABLE
		? "Other large texts are being worked on just now. Nothing is saved yet, and "
		  "nothing is lost: what you wrote is here. Try again in a moment."
		: "These were many large texts in a short time. Nothing is saved yet, and nothing "
		  "is lost: what you wrote is here. Try again in a few minutes.";
	return work_again_as(work, &page, status);
}

enum table_rc
work_autosave(struct work *work)
{
	struct request *rq = work->rq;
	int64_t version = 0;
	struct autosave mine = {.username = rq->viewer->user.username,
	    .post = request_param(rq, "id"),
	    .kind = work->typed.kind,
	    .form = work_form(rq),
	    .inputs = typed_inputs(rq)};
	struct write put;

	if (str_int(form_raw(&work->typed.form, "version"), &version))
		mine.version = version;
	put = autosave_put(rq->arena, &mine, rq->now);
	if (work_is_new(rq) && typed_blank(&work->typed))
		put = autosave_drop(rq->arena, &mine);
	return table_write(rq->table, &rq->call, &put);
}

/* --- Saving ---------------------------------------------------------------------------------------- */

/* Where to go when it is done: to the post that is new to readers, else back to work. */
static enum http_status
onward(struct work *work, enum wish wish)
{
	const struct post *post = &work->draft.post;
	bool scheduled = post->status == STATUS_PUBLISHED && post->published > work->rq->now;
	const char *done = "?done=saved";

	if (wish == WISH_PUBLISH && !scheduled)
		return redirect(work->rs, HTTP_SEE_OTHER, post_path(work->rq->arena, post));
	if (wish == WISH_UNPUBLISH)
		done = "?done=unpublished";
	if (wish == WISH_PUBLISH)
		done = "?done=scheduled";
	return redirect(work->rs, HTTP_SEE_OTHER,
	    STR_CONCAT(
		work->rq->arena, url_join(work->rq->arena, STR("/edit/"), post->id), str_of(done)));
}

/* Is what is stored the very thing that was to be saved, so that it was saved before? */
static bool
is_saved(struct arena *arena, const struct written *now, const struct draft *mine)
{
	const struct post *a = &now->post, *b = &mine->post;
	struct revision_part theirs[REVISION_PARTS], own[REVISION_PARTS];

	revision_parts(arena, a, &now->body, theirs);
	revision_parts(arena, b, &mine->body, own);
	for (size_t i = 0; i < REVISION_PARTS; i++)
		if (!str_eq(theirs[i].text, own[i].text))
			return false;
	return a->status == b->status && a->visibility == b->visibility &&
	       a->planned == b->planned && a->other_count == b->other_count &&
	       a->asked_count == b->asked_count &&
	       (b->published == 0 || a->published == b->published);
}

/*
 * The post has changed since the form was opened: both texts, and the next save is of what is stored now. Unless
 * it was this form that changed it, sent twice: then it is done.
 */
static enum http_status
changed_meanwhile(struct work *work, struct plan *plan, struct str id, enum wish wish)
{
	struct request *rq = work->rq;
	struct write_page page = {.notice = NULL};
	struct typed *typed = &work->typed;
	struct written *now = ARENA_NEW(rq->arena, struct written);
	bool there;
	enum table_rc rc = written_get(plan, id, now, &there);

	if (rc != TABLE_OK)
		return work_failed(work, status_of(rc));
	if (!there || now->post.status == STATUS_DELETED) {
		page.notice =
		    "It was deleted meanwhile. What you wrote is still here: have the post "
		    "back from the desk in another window, then save again.";
		return work_again_as(work, &page, HTTP_CONFLICT);
	}
	/* It is theirs no more, as when it was made private: then its text is not shown to them either. */
	if (!may(rq->viewer, MAY_EDIT, thing_post(&now->post, rq->now)))
		return may(rq->viewer, MAY_READ, thing_post(&now->post, rq->now)) ? HTTP_FORBIDDEN
										  : HTTP_NOT_FOUND;
	if (is_saved(rq->arena, now, &work->draft)) {
		work->draft.post = now->post;
		return onward(work, wish);
	}
	work->old = now;
	form_fill(
	    &typed->form, "version", str_fmt(rq->arena, "%lld", (long long)now->post.version));
	if (typed->mine == NULL) {
		typed->mine = ARENA_NEW(rq->arena, struct typed);
		typed_empty(rq, typed->kind, typed->mine);
	}
	return work_again_as(work, &page, HTTP_CONFLICT);
}

/* What was wrong with it that only the table knows. */
static enum http_status
refused(struct work *work, struct plan *plan, enum plan_rc rc, enum wish wish)
{
	struct form_result *form = &work->typed.form;
	struct write_page page = {.notice = NULL};

	switch (rc) {
	case PLAN_CHANGED:
		if (work->old != NULL)
			return changed_meanwhile(work, plan, work->old->post.id, wish);
		break;
	case PLAN_ALREADY: return changed_meanwhile(work, plan, work->draft.post.id, wish);
	case PLAN_TAKEN: form_refuse(form, "slug", "This address is taken."); break;
	case PLAN_NO_CATEGORY:
		form_refuse(form, "category", "This category is not there any more.");
		break;
	case PLAN_NO_AUTHOR:
		form_refuse(form, "others", "One of them is not here any more.");
		break;
	case PLAN_TOO_LONG:
		form_refuse(form, "markdown",
		    "This is too long for one post: the text and the page that is made of it may "
		    "have 400 KB together. Make two of it.");
		break;
	case PLAN_TABLE: return work_failed(work, status_of(plan->failed));
	default: return HTTP_FAILED;
	}
	return work_again_as(work, &page, HTTP_UNPROCESSABLE);
}

/* What the revision says of it, beside the parts that changed. */
static struct str
what_was_done(struct request *rq, const struct written *old, const struct post *post)
{
	if (old == NULL || old->post.status == post->status)
		return STR("");
	switch (post->status) {
	case STATUS_PUBLISHED:
		return post->published > rq->now ? STR("scheduled") : STR("published");
	case STATUS_UNPUBLISHED: return STR("unpublished");
	case STATUS_DRAFT: return STR("called off");
	case STATUS_DELETED: break;
	}
	return STR("");
}

/* What is to be published, and was not: has its writer been told what readers may miss? */
static bool
has_to_ask(struct work *work, struct advice *advice)
{
	if (work->anyway || work->draft.post.status != STATUS_PUBLISHED ||
	    (work->old != NULL && work->old->post.status == STATUS_PUBLISHED))
		return false;
	*advice = write_checks(work->rq, &work->draft);
	return advice->count != 0;
}

/* Who goes away now has published nothing, and may not know it: what is typed waits. */
static enum http_status
ask(struct work *work, struct write_page *page)
{
	page->anyway = "Publish anyway";
	(void)work_autosave(work);
	return work_again(work, page);
}

enum http_status
work_save(struct work *work, enum wish wish)
{
	struct plan plan = plan_of_staff(work->rq);
	struct write_page page = {.notice = NULL};
	enum plan_rc rc;

	draft_fill(work->rq, &work->typed, work->old, work->people, wish, &work->draft);
	if (!typed_valid(&work->typed))
		return work_again_as(work, &page, HTTP_UNPROCESSABLE);
	if (has_to_ask(work, &page.advice))
		return ask(work, &page);
	work->draft.what = what_was_done(work->rq, work->old, &work->draft.post);
	work->draft.once = work_form(work->rq);
	rc = work->old != NULL ? writing_save(&plan, work->old, &work->draft)
			       : writing_create(&plan, &work->draft);
	return rc == PLAN_DONE ? onward(work, wish) : refused(work, &plan, rc, wish);
}
