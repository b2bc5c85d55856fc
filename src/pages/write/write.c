/*
 * /write/<kind> and /edit/<id>: the editor. One form for all kinds, with several buttons: the value of `do` says
 * which one was pressed. Whatever happens, the form is shown again with what was typed: with errors, with a preview,
 * with what somebody else saved meanwhile, or with a message that the table failed.
 *
 * form.h reads a form that is sent, draft.c turns it into what is saved, checks.h finds what its writer may have
 * forgotten, conflict.h handles what somebody else saved, and view.h shows it all.
 */
#include "pages/write/write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_post.h"
#include "model/reader/follow.h"
#include "model/reader/mention.h"
#include "model/site/audit.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/conflict.h"
#include "pages/write/form.h"
#include "pages/write/revision_parts.h"
#include "pages/write/view.h"
#include "text/url.h"
#include "web/http/large.h"

enum { READS = POST_READS + 4, TAGS_OFFERED = 500 };

/* A form of the editor that is being processed. */
struct work {
	struct request *rq;
	struct response *rs;
	struct typed typed;
	struct written *old; /* NULL: a new post */
	struct draft draft;
	struct named named;
	bool anyway; /* it is published despite the warnings of write_checks() */
};

/* Is it for a new post, by its address? */
static bool
is_new(const struct request *rq)
{
	return request_param(rq, "id").len == 0;
}

/* --- Shared by the pages of the editor -------------------------------------------------------- */

bool
write_nowhere(const struct request *rq)
{
	return !is_new(rq) && !slug_valid(request_param(rq, "id"));
}

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

/* --- The subject of the form ------------------------------------------------------------------ */

/* For a new post, the name of its form; else empty. */
static struct str
form_of_new(struct request *rq)
{
	struct str once = input_of(rq, "once");

	return slug_valid(once) ? once : STR("");
}

/* The kind of a new post, from its address. False: there is no such page. */
static bool
new_kind(struct request *rq, enum post_kind *kind)
{
	struct str name = request_param(rq, "kind");
	int found = name.len != 0 ? post_kind_of(name) : KIND_PAGE;

	*kind = found >= 0 ? (enum post_kind)found : KIND_ARTICLE;
	return found >= 0;
}

/* The autosave of this form: the post's, or for a new one that of the form's name. */
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

/* The tags to choose from. */
static struct read
read_tags(void)
{
	struct read read = {.kind = READ_QUERY, .query = query_tags()};

	read.query.limit = TAGS_OFFERED;
	return read;
}

/* --- GET: an empty form, or that of a post ---------------------------------------------------- */

/* GET /write/<kind> */
static enum http_status
show_new(struct request *rq, struct response *rs)
{
	struct write_page page = {.notice = done_says(rq), .opened = true};
	struct str taken = request_query(rq, "take");
	struct typed typed;
	struct autosave autosave;
	enum http_status status;
	enum post_kind kind;
	struct read reads[4];
	size_t count = 3;

	if (!new_kind(rq, &kind))
		return HTTP_NOT_FOUND;
	reads[0] = unsaved_read(rq, &kind);
	reads[1] = read_tags();
	reads[2] = covers_read(rq);
	if (slug_valid(taken))
		reads[count++] = read_autosave(rq, kind, taken);
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	typed_empty(rq, kind, &typed);
	if (kind == KIND_NOTE && slug_valid(request_query(rq, "quotes")))
		form_fill(&typed.form, "quotes", request_query(rq, "quotes"));
	if (count == 4 && reads[3].item != NULL) {
		autosave_from_item(rq->arena, reads[3].item, &autosave);
		typed_resume(rq, &autosave, &typed);
		page.once = taken;
	}
	unsaved_fill(rq, &reads[0], page.once, &page.unsaved);
	page.typed = &typed;
	page.known_tags = &reads[1];
	page.pictures = &reads[2];
	return write_respond(rq, rs, &page);
}

/* Saving a published post asks nothing: advice is shown afterwards. */
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
	struct read reads[POST_READS + 3];
	const struct read *saved = &reads[POST_READS];

	post_reads(rq->arena, request_param(rq, "id"), true, reads);
	reads[POST_READS] = read_autosave(rq, KIND_ARTICLE, STR(""));
	reads[POST_READS + 1] = read_tags();
	reads[POST_READS + 2] = covers_read(rq);
	status = page_read_post(rq, reads, POST_READS + 3);
	if (status == HTTP_OK)
		status = write_find(rq, reads, MAY_EDIT, &old);
	if (status == HTTP_NOT_FOUND && write_find(rq, reads, MAY_RESTORE, &old) == HTTP_OK)
		return ask_to_undelete(rq, rs, &old);
	if (status != HTTP_OK)
		return status;
	typed_fill(rq, &old, &typed);
	if (saved->item != NULL) {
		autosave_from_item(rq->arena, saved->item, &autosave);
		typed_resume(rq, &autosave, &unsaved);
		unsaved.kind = old.post.kind;
		/* Looking at a preview and leaving changes nothing. */
		if (request_query(rq, "take").len != 0)
			typed = unsaved;
		else if (!typed_same(rq, &unsaved, &typed))
			unsaved_fill_stored(rq, &autosave, &page.unsaved);
	}
	page.typed = &typed;
	page.old = &old;
	page.known_tags = &reads[POST_READS + 1];
	page.pictures = &reads[POST_READS + 2];
	if (page.notice == NULL && request_query(rq, "done").len == 0)
		page.notice = says_restricted(&old.post);
	if (str_eq(request_query(rq, "done"), STR("saved")) && old.post.status == STATUS_PUBLISHED)
		page.advice = advice_saved(rq, &old);
	return write_respond(rq, rs, &page);
}

static enum http_status
open_form(struct request *rq, struct response *rs)
{
	if (write_nowhere(rq))
		return HTTP_NOT_FOUND;
	return is_new(rq) ? show_new(rq, rs) : show_stored(rq, rs);
}

/* --- POST: the form again --------------------------------------------------------------------- */

/* Does the script ask for it while somebody types? It stores that by itself, and wants but the preview of the page. */
static bool
is_live(const struct request *rq)
{
	return input_of(rq, "live").len != 0;
}

/* Is another post at the address of what is previewed? */
static const char *
says_taken(const struct work *work, const struct item *slug)
{
	if (slug == NULL ||
	    (work->old != NULL && str_eq(item_string(slug, STR("Post")), work->old->post.id)))
		return NULL;
	return work->draft.any_slug
		   ? "Another post is there: this one gets a number behind its address."
		   : "Another post is there: choose another address.";
}

/* The form again, after a POST. Works without the tags and pictures to choose from. */
static enum http_status
again(struct work *work, struct write_page *page)
{
	struct request *rq = work->rq;
	struct read reads[3] = {read_tags(), covers_read(rq)};
	size_t from = page->preview != NULL && is_live(rq) ? 2 : 0, count = 2;

	page->typed = &work->typed;
	page->old = work->old;
	if (page->preview != NULL)
		reads[count++] = (struct read){
		    .kind = READ_GET, .key = key_slug(rq->arena, work->draft.post.slug)};
	if (table_read(rq->table, &rq->call, &reads[from], count - from) == TABLE_OK) {
		page->known_tags = from == 0 ? &reads[0] : NULL;
		page->pictures = from == 0 ? &reads[1] : NULL;
		page->taken = count == 3 ? says_taken(work, reads[2].item) : NULL;
	}
	return write_respond(rq, work->rs, page);
}

/* The form again, with the reason. */
static enum http_status
again_as(struct work *work, struct write_page *page, enum http_status why)
{
	enum http_status status = again(work, page);

	work->rs->own_error = status == HTTP_OK;
	return status == HTTP_OK ? why : status;
}

/* The table failed, perhaps before it was known which post this is: then the form says it. */
static enum http_status
table_failed(struct work *work, enum http_status why)
{
	struct write_page page = {
	    .notice =
		"The site can’t reach its archive just now. Nothing is saved yet, and nothing is "
		"lost: what you wrote is here. Try again in a moment."};

	if (why != HTTP_UNAVAILABLE)
		return why;
	if (work->old == NULL && !is_new(work->rq)) {
		work->old = ARENA_NEW(work->rq->arena, struct written);
		work->old->post.id = request_param(work->rq, "id");
		work->old->post.kind = work->typed.kind;
		work->old->post.updated = work->rq->now;
	}
	page.typed = &work->typed;
	page.old = work->old;
	return again_as(work, &page, why);
}

/* --- Reading the form ------------------------------------------------------------------------- */

/* What a note quotes; one that was renamed is read by its id, in a trip of its own. */
static enum http_status
take_quoted(struct work *work, const struct read *reads)
{
	struct request *rq = work->rq;
	struct read head = {.kind = READ_GET};
	enum http_status status;

	if (reads[0].item == NULL)
		return HTTP_OK;
	head.key = key_post(rq->arena, item_string(reads[0].item, STR("Post")));
	if (str_eq(head.key.pk, reads[1].key.pk)) {
		work->named.quoted = reads[1].item;
		return HTTP_OK;
	}
	status = page_read(rq, &head, 1);
	work->named.quoted = head.item;
	return status;
}

/* Reads the form, and everything that it concerns from the table. HTTP_OK: continue. */
static enum http_status
load(struct work *work)
{
	struct request *rq = work->rq;
	struct str id = request_param(rq, "id"), *names;
	struct read *reads = ARENA_ARRAY(rq->arena, READS, struct read);
	struct key *keys = ARENA_ARRAY(rq->arena, 3 * (WRITING_OTHERS_MAX + 1), struct key);
	enum post_kind kind = KIND_ARTICLE;
	size_t count = 0, people, valid = 0, quoted;
	enum http_status status;
	int named = post_kind_of(input_of(rq, "kind"));

	if (is_new(rq) && !new_kind(rq, &kind))
		return HTTP_NOT_FOUND;
	if (!is_new(rq) && named >= 0)
		kind = (enum post_kind)named;
	typed_read(rq, kind, &rq->inputs, &work->typed);
	if (!is_new(rq)) {
		post_reads(rq->arena, id, true, reads);
		count = POST_READS;
	}
	names = ARENA_ARRAY(rq->arena, WRITING_OTHERS_MAX + 1, struct str);
	people = typed_others(rq, &work->typed, STR(""), names);
	for (size_t i = 0; i < people; i++)
		if (username_valid(names[i])) {
			keys[valid++] = key_user(rq->arena, names[i]);
			keys[valid++] =
			    follow_read(rq->arena, names[i], rq->viewer->user.username).key;
			if (!is_new(rq))
				keys[valid++] = key_declined(rq->arena, names[i], id);
		}
	if (valid != 0) {
		work->named.people = &reads[count];
		reads[count++] = (struct read){.kind = READ_BATCH, .batch = {keys, valid}};
	}
	if (mention_read(rq->arena, rq->viewer->user.username, typed_mentions(rq, &work->typed),
		&reads[count]))
		work->named.mentioned = &reads[count++];
	quoted = count;
	if (typed_quotes(&work->typed).len != 0) {
		struct str slug = typed_quotes(&work->typed);

		reads[count++] = (struct read){.kind = READ_GET, .key = key_slug(rq->arena, slug)};
		reads[count++] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, slug)};
	}
	status = is_new(rq) ? page_read(rq, reads, count) : page_read_post(rq, reads, count);
	if (status == HTTP_OK && count > quoted)
		status = take_quoted(work, &reads[quoted]);
	if (status != HTTP_OK)
		return table_failed(work, status);
	if (is_new(rq))
		return HTTP_OK;
	work->old = ARENA_NEW(rq->arena, struct written);
	status = write_find(rq, reads, MAY_EDIT, work->old);
	work->typed.kind = work->old->post.kind;
	return status;
}

static size_t
typed_bytes(const struct request *rq)
{
	size_t bytes = 0;

	for (size_t i = 0; i < rq->inputs.count; i++)
		bytes += rq->inputs.parts[i].content.len;
	return bytes;
}

/*
 * Comes before any work on the text; as large_enter(). If it is refused, the form is shown again as
 * it was.
 */
static enum http_status
enter(struct work *work)
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
	return again_as(work, &page, status);
}

/* --- Autosaves -------------------------------------------------------------------------------- */

/* Does the form say what is stored? */
static bool
says_what_is_stored(struct work *work)
{
	struct typed stored;

	if (work->old == NULL || work->typed.mine != NULL)
		return false;
	typed_fill(work->rq, work->old, &stored);
	return typed_same(work->rq, &work->typed, &stored);
}

/*
 * An empty form for a new post is not stored, nor one that says what is: what was typed before elsewhere stays to be
 * offered, and what was typed here and taken back is gone.
 */
static enum table_rc
keep(struct work *work)
{
	struct request *rq = work->rq;
	int64_t version = 0;
	struct autosave mine = {.username = rq->viewer->user.username,
	    .post = request_param(rq, "id"),
	    .kind = work->typed.kind,
	    .form = form_of_new(rq),
	    .inputs = typed_inputs(rq)};
	struct write writes[AUTOSAVE_WRITES];
	size_t count;
	bool stored;

	/* Nothing of this window was kept before: what another has is not its to drop. */
	stored = says_what_is_stored(work);
	if (stored && input_of(rq, AUTOSAVE_AGAIN).len == 0)
		return TABLE_OK;
	if (str_int(form_raw(&work->typed.form, "version"), &version))
		mine.version = version;
	count = stored || (is_new(rq) && typed_blank(&work->typed))
		    ? autosave_drop(rq->arena, &mine, writes)
		    : autosave_put(rq->arena, &mine, autosave_title(rq, &mine), rq->now, writes);
	return table_write_each(rq->table, &rq->call, writes, count);
}

/* --- Saving -------------------------------------------------------------------------------------- */

/* Where to go afterwards: to the post if it is newly published, otherwise back to the editor. */
static enum http_status
onward(struct work *work, enum wish wish)
{
	const struct post *post = &work->draft.post;
	bool scheduled = post->status == STATUS_PUBLISHED && post->published > work->rq->now;
	const char *done = "saved";

	if (wish == WISH_PUBLISH && post->restricted != RESTRICTED_NOT)
		return redirect_done(work->rq, work->rs,
		    url_join(work->rq->arena, STR("/edit/"), post->id), "waits");
	if (wish == WISH_PUBLISH && !scheduled)
		return redirect(work->rs, HTTP_SEE_OTHER, post_path(work->rq->arena, post));
	if (wish == WISH_UNPUBLISH)
		done = "unpublished";
	if (wish == WISH_PUBLISH)
		done = "scheduled";
	return redirect_done(
	    work->rq, work->rs, url_join(work->rq->arena, STR("/edit/"), post->id), done);
}

/*
 * The settings of a post other than its text: who may read it, when, by whom. Without a time, it
 * was published now.
 */
static bool
same_settings(struct arena *arena, const struct post *now, const struct post *mine)
{
	for (size_t i = 0; i < post_field_count; i++) {
		const struct post_field *field = &post_fields[i];

		if (post_field_input(field) == NULL || post_field_written(field) ||
		    (post_field_is(field, "date") && mine->published == 0))
			continue;
		if (!bind_same(arena, post_field_binding(field), now, mine))
			return false;
	}
	return now->status == mine->status && now->asked_count == mine->asked_count;
}

/* Is the stored post exactly what was to be saved, so that it was saved before? */
static bool
is_saved(struct arena *arena, const struct written *now, const struct draft *mine)
{
	struct revision_parts theirs = revision_parts(arena, &now->post, &now->body);
	struct revision_parts own = revision_parts(arena, &mine->post, &mine->body);

	return revision_parts_same(&theirs, &own) && same_settings(arena, &now->post, &mine->post);
}

/*
 * The post has changed since the form was opened: shows both texts, and the next save replaces what
 * is stored now. Unless this form changed it, sent twice: then it is done.
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
		return table_failed(work, status_of(rc));
	if (!there || now->post.status == STATUS_DELETED) {
		page.notice =
		    "It was deleted meanwhile. What you wrote is still here: have the post "
		    "back from the desk in another window, then save again.";
		return again_as(work, &page, HTTP_CONFLICT);
	}
	/*
	 * The viewer may not edit it any more, as when it was made private: then its text is not
	 * shown to them either.
	 */
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
	return again_as(work, &page, HTTP_CONFLICT);
}

/* Errors that only the table knows. */
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
	case PLAN_NOT_ACTIVE:
		page.notice = "Your account was suspended just now, so this is not saved. What you "
			      "wrote is still here, to be copied.";
		return again_as(work, &page, HTTP_FORBIDDEN);
	case PLAN_TABLE: return table_failed(work, status_of(plan->failed));
	default: return HTTP_FAILED;
	}
	return again_as(work, &page, HTTP_UNPROCESSABLE);
}

/* The action that the revision records, beside the parts that changed. */
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

/* Is it about to be published, without its writer having seen the warnings? */
static bool
has_to_ask(struct work *work, struct advice *advice)
{
	if (work->anyway || work->draft.post.status != STATUS_PUBLISHED ||
	    (work->old != NULL && work->old->post.status == STATUS_PUBLISHED))
		return false;
	*advice = write_checks(work->rq, &work->draft);
	return advice->count != 0;
}

/* If they leave now, nothing is published, and they may not know it: so what is typed is stored. */
static enum http_status
ask(struct work *work, struct write_page *page)
{
	page->anyway = "Publish anyway";
	(void)keep(work);
	return again(work, page);
}

/*
 * Saves it, and makes the requested change of state. If it is about to be published and
 * write_checks() has warnings, it is not saved yet but shown with those: its writer publishes it
 * anyway, or changes it.
 */
static enum http_status
save(struct work *work, enum wish wish)
{
	struct plan plan = plan_of_staff(work->rq);
	struct write_page page = {.notice = NULL};
	enum plan_rc rc;

	draft_fill(work->rq, &work->typed, work->old, &work->named, wish, &work->draft);
	if (!typed_valid(&work->typed))
		return again_as(work, &page, HTTP_UNPROCESSABLE);
	if (has_to_ask(work, &page.advice))
		return ask(work, &page);
	work->draft.what = what_was_done(work->rq, work->old, &work->draft.post);
	work->draft.once = form_of_new(work->rq);
	work->draft.held_for =
	    write_held_for(work->rq, &work->draft.post, work->draft.body.markdown);
	rc = work->old != NULL ? writing_save(&plan, work->old, &work->draft)
			       : writing_create(&plan, &work->draft);
	return rc == PLAN_DONE ? onward(work, wish) : refused(work, &plan, rc, wish);
}

/* --- The other buttons --------------------------------------------------------------------------- */

static enum http_status
preview(struct work *work)
{
	struct post_shown *shown = ARENA_NEW(work->rq->arena, struct post_shown);
	struct write_page page = {.preview = shown};

	draft_fill(work->rq, &work->typed, work->old, &work->named, WISH_SAVE, &work->draft);
	if (work->named.quoted != NULL)
		post_from_item(work->rq->arena, work->named.quoted, &shown->quoted);
	shown->post = work->draft.post;
	shown->body = work->draft.body;
	if (!is_live(work->rq)) {
		page.advice = write_checks(work->rq, &work->draft);
		/* As a safety net; if this fails, the preview is shown all the same. */
		(void)keep(work);
	}
	return again(work, &page);
}

/* Rows were added or moved, or one version of a text was chosen. */
static enum http_status
rows(struct work *work)
{
	struct write_page page = {.notice = NULL};
	struct form_result *form = &work->typed.form;

	/* Nothing is being saved, so errors are not shown yet. */
	for (size_t i = 0; i < form->form->count; i++)
		form->fields[i].error = NULL;
	(void)keep(work);
	return again(work, &page);
}

/* Sent by the script every now and then. */
static enum http_status
save_by_itself(struct work *work)
{
	enum table_rc rc = keep(work);

	/* The one rule of the table that a form can violate: the size of an item. */
	if (rc == TABLE_INVALID)
		return HTTP_TOO_LARGE;
	if (rc != TABLE_OK)
		return status_of(rc);
	work->rs->content_type = STR("text/plain; charset=utf-8");
	buf_put(&work->rs->body, words_moment(work->rq, work->rq->now));
	return HTTP_OK;
}

static enum table_rc
drop(struct request *rq, enum post_kind kind, struct str form)
{
	struct autosave gone = autosave_of(rq, kind, form);
	struct write writes[AUTOSAVE_WRITES];

	return table_write_each(rq->table, &rq->call, writes, autosave_drop(rq->arena, &gone, writes));
}

/*
 * Discards the autosave of this form, or of another form for a new post: then what is typed here
 * stays.
 */
static enum http_status
discard(struct work *work, struct str form)
{
	struct request *rq = work->rq;
	enum table_rc rc = drop(rq, work->typed.kind, form);
	bool other = work->old == NULL && !str_eq(form, form_of_new(rq));

	if (rc != TABLE_OK)
		return table_failed(work, status_of(rc));
	if (other && !typed_blank(&work->typed))
		return rows(work);
	return redirect(
	    work->rs, HTTP_SEE_OTHER, write_path(rq->arena, work->typed.kind, work->old));
}

/* On the desk nothing is typed. The post may be deleted, or no longer theirs to edit; what they had typed is theirs. */
static enum http_status
discard_on_desk(struct request *rq, struct response *rs, struct str form)
{
	enum post_kind kind = KIND_ARTICLE;
	enum table_rc rc;

	if (is_new(rq) && !new_kind(rq, &kind))
		return HTTP_NOT_FOUND;
	rc = drop(rq, kind, form);
	return rc == TABLE_OK ? redirect_done(rq, rs, STR("/desk"), "thrown") : status_of(rc);
}

/* Unsaved text is stored beside the post, in case they don't delete it after all. */
static enum http_status
ask_to_delete(struct work *work)
{
	(void)keep(work);
	return redirect(work->rs, HTTP_SEE_OTHER,
	    STR_CONCAT(work->rq->arena,
		url_join(work->rq->arena, STR("/edit/"), work->old->post.id), STR("/delete")));
}

/* --- Buttons ---------------------------------------------------------------------------------- */

static enum http_status
act_on_form(struct request *rq, struct response *rs)
{
	struct work *work = ARENA_NEW(rq->arena, struct work);
	struct str what = input_of(rq, "do"), form = STR("");
	enum http_status status;

	*work = (struct work){.rq = rq, .rs = rs};
	if (write_nowhere(rq))
		return HTTP_NOT_FOUND;
	if (str_eq(input_of(rq, "from"), STR("desk")) &&
	    (unsaved_discards(what, &form) || str_eq(what, STR("discard"))))
		return discard_on_desk(rq, rs, form);
	status = load(work);
	if (status != HTTP_OK)
		return status;
	if (str_eq(what, STR("autosave")))
		return save_by_itself(work);
	if (str_eq(what, STR("discard")))
		return discard(work, form_of_new(rq));
	if (work->old == NULL && unsaved_discards(what, &form))
		return discard(work, form);
	if (str_eq(what, STR("delete")) && work->old != NULL)
		return ask_to_delete(work);
	status = enter(work);
	if (status != HTTP_OK)
		return status;
	if (str_eq(what, STR("save")))
		return save(work, WISH_SAVE);
	work->anyway = str_eq(what, STR("publish-anyway"));
	if (str_eq(what, STR("publish")) || work->anyway)
		return save(work, WISH_PUBLISH);
	if (str_eq(what, STR("unpublish")) && work->old != NULL)
		return save(work, WISH_UNPUBLISH);
	if (str_eq(what, STR("preview")) || what.len == 0)
		return preview(work);
	if (work->old != NULL && conflict_do(rq, &work->typed, work->old, what))
		return rows(work);
	return rows_do(work->typed.rows, what) ? rows(work) : HTTP_BAD_REQUEST;
}

PAGE(write, .get = open_form, .post = act_on_form, .query = QUERY("done", "quotes", "take"),
    .body_max = write_body_max)
