/*
 * /write/<kind> and /edit/<id>: the page on which a post is written. One form for all kinds, with several
 * buttons: what each of them does is its value, `do`. Whatever happens, what was typed comes back: with
 * what is wrong, with a preview, with what somebody else saved meanwhile, or with the news that the table
 * could not be reached.
 */
#include "pages/write/write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/site/audit.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/write_work.h"
#include "text/url.h"

enum { READS = POST_READS + 1 };

enum http_status
write_find(struct request *rq, const struct read *reads, enum action action, struct written *out)
{
	struct thing thing = thing_post(&out->post, rq->now);

	if (!written_take(rq->arena, reads, out))
		return HTTP_NOT_FOUND;
	if (may(rq->viewer, action, thing))
		return HTTP_OK;
	return may(rq->viewer, MAY_READ, thing) ? HTTP_FORBIDDEN : HTTP_NOT_FOUND;
}

/* --- What is worked on ----------------------------------------------------------------------------- */

/* The kind of a new post, from its address. False: there is no such page. */
static bool
new_kind(struct request *rq, enum post_kind *kind)
{
	struct str name = request_param(rq, "kind");
	int found = name.len != 0 ? post_kind_of(name) : KIND_PAGE;

	*kind = found >= 0 ? (enum post_kind)found : KIND_ARTICLE;
	return found >= 0;
}

/* What somebody typed into this form: the post's own, or of a new one the form of that name. */
static struct autosave
autosave_of(struct request *rq, enum post_kind kind, struct str form)
{
	return (struct autosave){.username = rq->viewer->user.username,
	    .post = request_param(rq, "id"),
	    .kind = kind,
	    .form = form};
}

static struct read
read_autosave(struct request *rq, enum post_kind kind, struct str form)
{
	const struct autosave mine = autosave_of(rq, kind, form);

	return (struct read){.kind = READ_GET, .key = autosave_key(rq->arena, &mine)};
}

/* --- Showing --------------------------------------------------------------------------------------- */

/* What was done, by the name that the address carries. */
static const char *
done_says(struct request *rq)
{
	static const struct {
		struct str name;
		const char *says;
	} done[] = {
	    {STR_INIT("saved"), "Saved."},
	    {STR_INIT("scheduled"), "Scheduled. It appears by itself."},
	    {STR_INIT("unpublished"), "Taken back. Nobody else sees it now."},
	    {STR_INIT("restored"), "It is back, as it was."},
	};

	if (rq->method != METHOD_GET)
		return NULL;
	for (size_t i = 0; i < sizeof(done) / sizeof(done[0]); i++)
		if (str_eq(request_query(rq, "done"), done[i].name))
			return done[i].says;
	return NULL;
}

/* --- Reading --------------------------------------------------------------------------------------- */

/* GET /write/<kind> */
static enum http_status
show_new(struct request *rq, struct response *rs)
{
	struct write_page page = {.notice = done_says(rq)};
	struct str taken = request_query(rq, "take");
	struct typed typed;
	struct autosave autosave;
	enum http_status status;
	enum post_kind kind;
	struct read reads[3];
	size_t count = 2;

	if (!new_kind(rq, &kind))
		return HTTP_NOT_FOUND;
	reads[0] = unsaved_read(rq, &kind);
	reads[1] = work_read_tags();
	if (slug_valid(taken))
		reads[count++] = read_autosave(rq, kind, taken);
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	typed_empty(rq, kind, &typed);
	if (count == 3 && reads[2].item != NULL) {
		autosave_from_item(rq->arena, reads[2].item, &autosave);
		typed_resume(rq, &autosave, &typed);
		page.once = taken;
	}
	unsaved_fill(rq, &reads[0], page.once, &page.unsaved);
	page.typed = &typed;
	page.known_tags = &reads[1];
	return write_respond(rq, rs, &page);
}

/* A save of what is published asks nothing: what could be better is told when it is done. */
static struct advice
advice_saved(struct request *rq, const struct written *saved)
{
	struct draft draft = {.post = saved->post, .body = saved->body};

	return write_checks(rq, &draft);
}

/* GET /edit/<id> */
static enum http_status
show_stored(struct request *rq, struct response *rs)
{
	struct write_page page = {.notice = done_says(rq)};
	struct written old;
	struct typed typed, unsaved;
	struct autosave autosave;
	enum http_status status;
	struct read reads[POST_READS + 2];
	const struct read *saved = &reads[POST_READS];

	post_reads(rq->arena, request_param(rq, "id"), true, reads);
	reads[POST_READS] = read_autosave(rq, KIND_ARTICLE, STR(""));
	reads[POST_READS + 1] = work_read_tags();
	status = page_read_post(rq, reads, POST_READS + 2);
	if (status == HTTP_OK)
		status = write_find(rq, reads, MAY_EDIT, &old);
	if (status == HTTP_NOT_FOUND && write_find(rq, reads, MAY_RESTORE, &old) == HTTP_OK)
		return page_undelete_ask(rq, rs, &old);
	if (status != HTTP_OK)
		return status;
	typed_fill(rq, &old, &typed);
	if (saved->item != NULL) {
		autosave_from_item(rq->arena, saved->item, &autosave);
		typed_resume(rq, &autosave, &unsaved);
		unsaved.kind = old.post.kind;
		/* Who looked at a preview and went away has changed nothing. */
		if (request_query(rq, "take").len != 0)
			typed = unsaved;
		else if (!typed_same(rq, &unsaved, &typed))
			unsaved_fill_stored(rq, &autosave, &page.unsaved);
	}
	page.typed = &typed;
	page.old = &old;
	page.known_tags = &reads[POST_READS + 1];
	if (str_eq(request_query(rq, "done"), STR("saved")) && old.post.status == STATUS_PUBLISHED)
		page.advice = advice_saved(rq, &old);
	return write_respond(rq, rs, &page);
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	if (work_is_nowhere(rq))
		return HTTP_NOT_FOUND;
	return work_is_new(rq) ? show_new(rq, rs) : show_stored(rq, rs);
}

/* --- What was sent --------------------------------------------------------------------------------- */

/* Reads the form, and with it from the table all that it is about. HTTP_OK: go on. */
static enum http_status
load(struct work *work)
{
	struct request *rq = work->rq;
	struct str id = request_param(rq, "id"), *names;
	struct read *reads = ARENA_ARRAY(rq->arena, READS, struct read);
	struct key *keys = ARENA_ARRAY(rq->arena, 2 * (WRITING_OTHERS_MAX + 1), struct key);
	enum post_kind kind = KIND_ARTICLE;
	size_t count = 0, people, valid = 0;
	enum http_status status;
	int named = post_kind_of(input_of(rq, "kind"));

	if (work_is_new(rq) && !new_kind(rq, &kind))
		return HTTP_NOT_FOUND;
	if (!work_is_new(rq) && named >= 0)
		kind = (enum post_kind)named;
	typed_read(rq, kind, &rq->inputs, &work->typed);
	if (!work_is_new(rq)) {
		post_reads(rq->arena, id, true, reads);
		count = POST_READS;
	}
	names = ARENA_ARRAY(rq->arena, WRITING_OTHERS_MAX + 1, struct str);
	people = typed_others(rq, &work->typed, STR(""), names);
	for (size_t i = 0; i < people; i++)
		if (username_valid(names[i])) {
			keys[valid++] = key_user(rq->arena, names[i]);
			if (!work_is_new(rq))
				keys[valid++] = key_declined(rq->arena, names[i], id);
		}
	if (valid != 0) {
		work->people = &reads[count];
		reads[count++] = (struct read){.kind = READ_BATCH, .batch = {keys, valid}};
	}
	status = work_is_new(rq) ? page_read(rq, reads, count) : page_read_post(rq, reads, count);
	if (status != HTTP_OK)
		return work_failed(work, status);
	if (work_is_new(rq))
		return HTTP_OK;
	work->old = ARENA_NEW(rq->arena, struct written);
	status = write_find(rq, reads, MAY_EDIT, work->old);
	work->typed.kind = work->old->post.kind;
	return status;
}

/* --- The other buttons ----------------------------------------------------------------------------- */

static enum http_status
preview(struct work *work)
{
	struct post_shown *shown = ARENA_NEW(work->rq->arena, struct post_shown);
	struct write_page page = {.preview = shown};

	draft_fill(work->rq, &work->typed, work->old, work->people, WISH_SAVE, &work->draft);
	shown->post = work->draft.post;
	shown->body = work->draft.body;
	page.advice = write_checks(work->rq, &work->draft);
	/* A net below the writer; if it can't be spread, the preview is shown all the same. */
	(void)work_autosave(work);
	return work_again(work, &page);
}

/* Rows were added or moved, or one text taken for another. */
static enum http_status
rows(struct work *work)
{
	struct write_page page = {.notice = NULL};
	struct form_result *form = &work->typed.form;

	/* Nothing is being saved: what is not yet right is nobody's business. */
	for (size_t i = 0; i < form->form->count; i++)
		form->fields[i].error = NULL;
	(void)work_autosave(work);
	return work_again(work, &page);
}

/* The script's, every now and then. */
static enum http_status
save_by_itself(struct work *work)
{
	enum table_rc rc = work_autosave(work);

	/* The one rule of the table that a form can break: an item holds only so much. */
	if (rc == TABLE_INVALID)
		return HTTP_TOO_LARGE;
	if (rc != TABLE_OK)
		return status_of(rc);
	work->rs->content_type = STR("text/plain; charset=utf-8");
	buf_put(&work->rs->body, words_moment(work->rq, work->rq->now));
	return HTTP_OK;
}

/* What was typed into this form, or into another one for a new post: then what is typed into this one stays. */
static enum http_status
discard(struct work *work, struct str form)
{
	struct request *rq = work->rq;
	struct autosave gone = autosave_of(rq, work->typed.kind, form);
	struct write drop = autosave_drop(rq->arena, &gone);
	enum table_rc rc = table_write(rq->table, &rq->call, &drop);
	bool other = work->old == NULL && !str_eq(form, work_form(rq));

	if (rc != TABLE_OK)
		return work_failed(work, status_of(rc));
	if (str_eq(input_of(rq, "from"), STR("desk")))
		return redirect(work->rs, HTTP_SEE_OTHER, STR("/desk?done=thrown"));
	if (other && !typed_blank(&work->typed))
		return rows(work);
	return redirect(
	    work->rs, HTTP_SEE_OTHER, write_path(rq->arena, work->typed.kind, work->old));
}

/* What is typed and not saved waits beside the post, should they not delete it after all. */
static enum http_status
ask_to_delete(struct work *work)
{
	(void)work_autosave(work);
	return redirect(work->rs, HTTP_SEE_OTHER,
	    STR_CONCAT(work->rq->arena,
		url_join(work->rq->arena, STR("/edit/"), work->old->post.id), STR("/delete")));
}

static enum http_status
act_on_form(struct request *rq, struct response *rs)
{
	struct work *work = ARENA_NEW(rq->arena, struct work);
	struct str what = input_of(rq, "do"), form;
	enum http_status status;

	*work = (struct work){.rq = rq, .rs = rs};
	if (work_is_nowhere(rq))
		return HTTP_NOT_FOUND;
	status = load(work);
	if (status != HTTP_OK)
		return status;
	if (str_eq(what, STR("autosave")))
		return save_by_itself(work);
	if (str_eq(what, STR("discard")))
		return discard(work, work_form(rq));
	if (work->old == NULL && unsaved_discards(what, &form))
		return discard(work, form);
	if (str_eq(what, STR("delete")) && work->old != NULL)
		return ask_to_delete(work);
	status = work_enter(work);
	if (status != HTTP_OK)
		return status;
	if (str_eq(what, STR("save")))
		return work_save(work, WISH_SAVE);
	work->anyway = str_eq(what, STR("publish-anyway"));
	if (str_eq(what, STR("publish")) || work->anyway)
		return work_save(work, WISH_PUBLISH);
	if (str_eq(what, STR("unpublish")) && work->old != NULL)
		return work_save(work, WISH_UNPUBLISH);
	if (str_eq(what, STR("preview")) || what.len == 0)
		return preview(work);
	if (work->old != NULL && meanwhile_do(rq, &work->typed, work->old, what))
		return rows(work);
	return rows_do(work->typed.rows, what) ? rows(work) : HTTP_BAD_REQUEST;
}

PAGE(write, .get = open_form, .post = act_on_form, .query = QUERY("done", "take"),
    .body_max = write_body_max)
