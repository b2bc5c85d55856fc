/*
 * Editing collections: /account/collections, all of one's own and a new one; /collection/<id>/edit,
 * name, description and the order of posts, which /collection/<id>/posts changes;
 * /collection/<id>/delete; and /collect/<post>, which adds a post to one of them, or to a new one.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/permission.h"
#include "model/post/collection_write.h"
#include "model/post/posts.h"
#include "model/reader/reaction.h"
#include "model/reader/trust.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/routes.h"
#include "pages/shared/listed.h"
#include "pages/shared/card.h"
#include "pages/shared/confirm.h"
#include "pages/shared/done.h"
#include "pages/shared/followed.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/markdown.h"
#include "text/template.h"
#include "text/url.h"
#include "web/http/asset.h"
#include "web/session/csrf.h"

#include <string.h>

enum { NAME_MAX_LEN = 100, DESCRIPTION_MAX = 2000, NOTE_MAX = 500, PER_PAGE = 50 };

#define ONCE "once" /* the id of a new collection, so that the same form, sent twice, makes one */

/* --- Forms -------------------------------------------------------------------------------------- */

struct collection_form {
	struct str name, description;
	bool series, private;
};

static const struct field collection_fields[] = {
    {FIELD_LINE(struct collection_form, name), .label = "Name", .required = true,
	.max = NAME_MAX_LEN, .missing = "Give it a name."},
    {FIELD_TEXT(struct collection_form, description), .label = "What it is about",
	.max = DESCRIPTION_MAX, .rows = 4, .hint = "Markdown, if you like."},
    {FIELD_FLAG(struct collection_form, series), .label = "A series",
	.hint = "Each of your own posts in it says which part it is, and leads to the ones beside it."},
    {FIELD_FLAG(struct collection_form, private), .label = "Only I can see it"},
};
static const struct form new_form =
    FORM("collection", struct collection_form, collection_fields, .heading = "A new collection",
	.action = "/account/collections", .button = "Make the collection");
static const struct form edit_form = FORM("collection", struct collection_form, collection_fields,
    .heading = "What it says", .button = "Save");

/* The form of one post in it. */
struct entry_form {
	struct str post, note;
	int64_t place;
};

static const struct field entry_fields[] = {
    {FIELD_LINE(struct entry_form, post), .label = "Post", .required = true},
    {FIELD_TEXT(struct entry_form, note), .label = "Note", .max = NOTE_MAX},
    {FIELD_NUMBER(struct entry_form, place), .label = "Place", .min = 1,
	.max = COLLECTION_POSTS_MAX, .wrong = "Write a place from 1 to 500."},
};
static const struct form entry_form = FORM("entry", struct entry_form, entry_fields);

struct collect_form {
	struct str collection, note, name;
	bool private, move;
};

static const struct field collect_fields[] = {
    {FIELD_LINE(struct collect_form, collection), .label = "Collection"},
    {FIELD_LINE(struct collect_form, name), .label = "Name of the new one", .max = NAME_MAX_LEN,
	.hint = "If it is to be a new one."},
    {FIELD_FLAG(struct collect_form, private), .label = "Only I can see the new one"},
    {FIELD_TEXT(struct collect_form, note), .label = "Your note on the post", .max = NOTE_MAX,
	.rows = 3, .hint = "Whoever sees the collection sees it. It may stay empty."},
    {FIELD_FLAG(struct collect_form, move), .label = "Take it off my bookmarks"},
};
static const struct form collect_form =
    FORM("collect", struct collect_form, collect_fields, .button = "Add");

/* --- Views -------------------------------------------------------------------------------------- */

struct own_collection_view {
	struct str url, edit_url, name, text;
	bool private;
};

struct own_collections_view {
	struct layout_view layout;
	struct str notice;
	LIST_OF(struct own_collection_view) collections;
	struct form_view form;
};

struct entry_view {
	struct str id, post, title, url, note, place, at, note_error, place_error;
	bool first, last;
};

struct collection_edit_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str notice, name, view_url, delete_url, action_url, token, posts_text, page;
	struct form_view form;
	LIST_OF(struct entry_view) entries;
	struct str earlier_url, later_url, drag_url;
};

struct collect_view {
	struct layout_view layout;
	struct str title, url;
	struct form_view form;
};

VIEW_FIELDS(
    own_collection_view, STRING(url), STRING(edit_url), STRING(name), STRING(text), FLAG(private))
VIEW_FIELDS(own_collections_view, VIEW(layout, layout_view), STRING(notice),
    LIST(collections, own_collection_view), VIEW(form, form_view))
VIEW_FIELDS(entry_view, STRING(id), STRING(post), STRING(title), STRING(url), STRING(note),
    STRING(place), STRING(at), STRING(note_error), STRING(place_error), FLAG(first), FLAG(last))
VIEW_FIELDS(collection_edit_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    STRING(notice), STRING(name), STRING(view_url), STRING(delete_url), STRING(action_url),
    STRING(token), STRING(posts_text), STRING(page), VIEW(form, form_view),
    LIST(entries, entry_view), STRING(earlier_url), STRING(later_url), STRING(drag_url))
VIEW_FIELDS(
    collect_view, VIEW(layout, layout_view), STRING(title), STRING(url), VIEW(form, form_view))
TEMPLATE(own_collections_template, "own_collections", own_collections_view)
TEMPLATE(collection_edit_template, "collection_edit", collection_edit_view)
TEMPLATE(collect_template, "collect", collect_view)

/* --- Shared ----------------------------------------------------------------------------------- */

static struct str
path_of(struct request *rq, struct str id, const char *what)
{
	return STR_CONCAT(rq->arena, url_join(rq->arena, STR("/collection/"), id), str_of(what));
}

/* The collection of the form, rendered. */
static struct collection
typed_collection(struct request *rq, struct str id, const struct collection_form *in)
{
	const struct markdown_options options = {
	    .trust = MARKDOWN_READER, .site = rq->site->origin};
	struct collection c = {.id = id,
	    .name = in->name,
	    .description = in->description,
	    .is_public = !in->private,
	    .series = in->series,
	    .renderer = MARKDOWN_RENDERER};
	struct markdown text;

	markdown_render(rq->arena, in->description, &options, &text);
	c.html = text.html.text;
	c.held_for = listed_in(rq, STR_CONCAT(rq->arena, in->name, STR("\n"), in->description));
	if (c.is_public && c.held_for.len != 0 && !may(rq->viewer, MAY_MODERATE, NO_THING))
		c.restricted = RESTRICTED_HELD;
	return c;
}

/* The id of a new collection, carried by its form; a new form gets one. */
static struct str
once_of(struct request *rq)
{
	struct str once = rq->method == METHOD_POST ? input_of(rq, ONCE) : STR("");

	return collection_id_valid(once) ? once : id_new(rq->arena, rq->clock);
}

static void
hide_once(struct request *rq, struct form_view *view)
{
	form_view_hide(rq, view, STR(ONCE), once_of(rq));
}

#define FULL "You have 100 collections, as many as there can be. Delete one first."

/* --- /account/collections ----------------------------------------------------------------------- */

static struct read
read_own(struct request *rq)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_collections_of(rq->arena, rq->viewer->user.username)};

	read.query.limit = COLLECTIONS_MAX;
	read.query.descending = true;
	return read;
}

static enum http_status
show_own(struct request *rq, struct response *rs)
{
	struct own_collections_view *view = ARENA_NEW(rq->arena, struct own_collections_view);
	struct page_frame frame = {.title = STR("Your collections"), .noindex = true};
	struct read read = read_own(rq);
	struct own_collection_view *rows;
	enum http_status status = page_read(rq, &read, 1);

	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct own_collection_view);
	for (size_t i = 0; i < read.found_count; i++) {
		struct collection c;

		collection_from_item(rq->arena, &read.found[i], &c);
		rows[i] = (struct own_collection_view){.url = path_of(rq, c.id, ""),
		    .edit_url = path_of(rq, c.id, "/edit"),
		    .name = c.name,
		    .text = words_count(rq->arena, c.posts, "post", "posts"),
		    .private = !c.is_public};
	}
	view->collections.items = rows;
	view->collections.count = read.found_count;
	view->notice = str_of(done_says(rq));
	form_view_fill(rq, rs, form_shown(rq, &new_form), &view->form);
	hide_once(rq, &view->form);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(own_collections_template, view));
}

static enum http_status
make_collection(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	enum http_status status = page_read(rq, NULL, 0);
	struct collection new;
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	new = typed_collection(rq, once_of(rq), rq->form->values);
	rc = collection_create(&plan, &new, NULL);
	if (rc == PLAN_FULL) {
		form_refuse(rq->form, "name", FULL);
		return show_own(rq, rs);
	}
	return plan_answer(rq, rs, &plan, rc == PLAN_ALREADY ? PLAN_DONE : rc,
	    path_of(rq, new.id, "/edit"), "made");
}

/* --- /collection/<id>/edit ----------------------------------------------------------------------- */

/* The collection of the address, and its posts. HTTP_OK when it is theirs. */
static enum http_status
load(struct request *rq, struct collection *c, struct read *read)
{
	struct str id = request_param(rq, "id");
	enum http_status status;

	if (!collection_id_valid(id))
		return HTTP_NOT_FOUND;
	*read = (struct read){.kind = READ_QUERY, .query = query_collection_whole(rq->arena, id)};
	status = page_read(rq, read, 1);
	if (status != HTTP_OK)
		return status;
	if (read->found_count == 0 || !kind_is(&read->found[0], ITEM_COLLECTION))
		return HTTP_NOT_FOUND;
	collection_from_item(rq->arena, &read->found[0], c);
	read->found++;
	read->found_count--;
	if (!may(rq->viewer, MAY_READ, thing_collection(c)))
		return HTTP_NOT_FOUND;
	return may(rq->viewer, MAY_EDIT, thing_collection(c)) ? HTTP_OK : HTTP_FORBIDDEN;
}

/* The number of the page of posts, from 1. */
static size_t
page_of(struct request *rq, size_t posts)
{
	struct str text =
	    rq->method == METHOD_POST ? input_of(rq, "page") : request_query(rq, "page");
	size_t last = posts != 0 ? (posts - 1) / PER_PAGE + 1 : 1;
	int64_t page;

	if (!str_int(text, &page) || page < 1)
		return 1;
	return (size_t)page < last ? (size_t)page : last;
}

static struct str
edit_path(struct request *rq, struct str id, size_t page)
{
	struct str path = path_of(rq, id, "/edit");

	return page > 1 ? str_fmt(rq->arena, "%.*s?page=%zu", STR_ARGS(path), page) : path;
}

/* The input for a post, if this one was sent, with its error. */
static void
fill_typed(struct request *rq, struct entry_view *entry)
{
	if (!form_was_sent(rq, &entry_form) || !str_eq(form_raw(rq->form, "post"), entry->post))
		return;
	entry->note = form_raw(rq->form, "note");
	entry->place = form_raw(rq->form, "place");
	entry->note_error = str_of(form_error(rq->form, "note"));
	entry->place_error = str_of(form_error(rq->form, "place"));
}

static void
fill_entry(struct request *rq, const struct item *item, const struct item *head,
    const struct read *follows, size_t at, struct entry_view *out)
{
	struct collected entry;
	struct post post;

	collected_from_item(rq->arena, item, &entry);
	*out = (struct entry_view){.id = str_fmt(rq->arena, "entry-%zu", at + 1),
	    .post = entry.post,
	    .title = STR("A post that you can’t see any more"),
	    .note = entry.note,
	    .at = str_fmt(rq->arena, "%zu", at + 1)};
	out->place = out->at;
	if (head != NULL) {
		post_from_item(rq->arena, head, &post);
		if (followed_may_read(rq, &post, follows)) {
			out->title = words_title(&post);
			out->url = post_path(rq->arena, &post);
		}
	}
	fill_typed(rq, out);
}

/* One page of posts. */
static enum http_status
fill_entries(struct request *rq, const struct collection *c, const struct read *all,
    struct collection_edit_view *view)
{
	size_t page = page_of(rq, all->found_count), from = (page - 1) * PER_PAGE;
	struct read some = *all, heads, follows;
	struct entry_view *entries;
	enum http_status status;

	some.found = all->found + from;
	some.found_count = all->found_count - from < PER_PAGE ? all->found_count - from : PER_PAGE;
	status = followed_heads(rq, &some, &heads, &follows);
	if (status != HTTP_OK)
		return status;
	entries = ARENA_ARRAY(rq->arena, some.found_count, struct entry_view);
	for (size_t i = 0; i < some.found_count; i++) {
		fill_entry(rq, &some.found[i], heads.items[i], &follows, from + i, &entries[i]);
		entries[i].first = from + i == 0;
		entries[i].last = from + i + 1 == all->found_count;
	}
	view->entries.items = entries;
	view->entries.count = some.found_count;
	view->page = str_fmt(rq->arena, "%zu", page);
	if (page > 1)
		view->earlier_url = edit_path(rq, c->id, page - 1);
	if (from + some.found_count < all->found_count)
		view->later_url = str_fmt(
		    rq->arena, "%.*s?page=%zu", STR_ARGS(path_of(rq, c->id, "/edit")), page + 1);
	return HTTP_OK;
}

static enum http_status
show_edit(struct request *rq, struct response *rs)
{
	struct collection_edit_view *view = ARENA_NEW(rq->arena, struct collection_edit_view);
	struct form_result *result = form_shown(rq, &edit_form);
	struct page_frame frame = {.noindex = true};
	struct collection c;
	struct read read;
	enum http_status status = load(rq, &c, &read);

	if (status == HTTP_OK)
		status = fill_entries(rq, &c, &read, view);
	if (status != HTTP_OK)
		return status;
	if (!form_was_sent(rq, &edit_form)) {
		form_fill(result, "name", c.name);
		form_fill(result, "description", c.description);
		form_fill(result, "series", c.series ? STR("1") : STR(""));
		form_fill(result, "private", c.is_public ? STR("") : STR("1"));
	}
	form_view_fill(rq, rs, result, &view->form);
	view->form.action_url = path_of(rq, c.id, "/edit");
	view->breadcrumbs = trail_home(rq);
	breadcrumb(rq, &view->breadcrumbs, STR("/account/collections"), STR("Your collections"));
	view->notice = str_of(done_says(rq));
	view->name = frame.title = c.name;
	view->view_url = path_of(rq, c.id, "");
	view->delete_url = path_of(rq, c.id, "/delete");
	view->action_url = path_of(rq, c.id, "/posts");
	view->token = csrf_token(rq, rs);
	view->posts_text = words_count(rq->arena, (int64_t)read.found_count, "post", "posts");
	view->drag_url = asset_url(rq->site->assets, STR("collection.js"));
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(collection_edit_template, view));
}

static enum http_status
save_collection(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str id = request_param(rq, "id");
	struct collection is;
	enum http_status status;

	if (!collection_id_valid(id))
		return HTTP_NOT_FOUND;
	status = page_read(rq, NULL, 0);
	if (status != HTTP_OK)
		return status;
	is = typed_collection(rq, id, rq->form->values);
	return plan_answer(
	    rq, rs, &plan, collection_edit(&plan, &is), path_of(rq, id, "/edit"), "saved");
}

/* --- /collection/<id>/posts ---------------------------------------------------------------------- */

static enum http_status
arrange(struct request *rq, struct response *rs)
{
	const struct entry_form *in = rq->form->values;
	struct plan plan = plan_of(rq);
	struct str id = request_param(rq, "id"), what = input_of(rq, "do");
	struct arrangement to = {.note = in->note};
	bool away = str_eq(what, STR("remove"));
	int64_t at;
	enum http_status status;
	enum plan_rc rc;

	if (!collection_id_valid(id) || !slug_valid(in->post))
		return HTTP_NOT_FOUND;
	status = page_read(rq, NULL, 0);
	if (status != HTTP_OK)
		return status;
	to.held_for = listed_of_viewer(rq, in->note);
	to.step = str_eq(what, STR("up")) ? -1 : str_eq(what, STR("down")) ? 1 : 0;
	/* Without a button for a step, the typed position counts only if it was changed. */
	if (to.step == 0 && (!str_int(input_of(rq, "at"), &at) || at != in->place))
		to.place = in->place;
	rc = away ? collection_remove(&plan, id, in->post)
		  : collection_arrange(&plan, id, in->post, &to);
	/* It was removed already, in another tab. */
	if (away && rc == PLAN_NOT_THERE)
		rc = PLAN_DONE;
	return plan_answer(rq, rs, &plan, rc, edit_path(rq, id, page_of(rq, COLLECTION_POSTS_MAX)),
	    away ? "removed" : "saved");
}

/* --- /collection/<id>/delete --------------------------------------------------------------------- */

static enum http_status
confirm_delete(struct request *rq, struct response *rs)
{
	struct confirmation ask = {.button = "Delete the collection",
	    .destroys = true,
	    .message = STR("With all of its notes, and for good. The posts stay where they are.")};
	struct collection c;
	struct read read;
	enum http_status status = load(rq, &c, &read);

	if (status != HTTP_OK)
		return status;
	ask.title = STR_CONCAT(rq->arena, STR("Delete “"), c.name, STR("”?"));
	ask.cancel_url = path_of(rq, c.id, "/edit");
	ask.action_url = path_of(rq, c.id, "/delete");
	return confirm(rq, rs, &ask);
}

static enum http_status
delete_collection(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str id = request_param(rq, "id");

	if (!collection_id_valid(id))
		return HTTP_NOT_FOUND;
	return plan_answer(rq, rs, &plan, collection_delete(&plan, plan.by, id),
	    STR("/account/collections"), "collection-deleted");
}

/* --- /collect/<post> ------------------------------------------------------------------------------ */

/* The post, the viewer's collections and their bookmark of it, and by what they are trusted. HTTP_OK when they may read it. */
static enum http_status
load_post(struct request *rq, struct post *post, struct read *own, struct read *bookmark,
    struct read trust[TRUST_READS])
{
	enum { POST, OWN, BOOKMARK, TRUST, READS = TRUST + TRUST_READS };
	struct str id = request_param(rq, "id");
	struct read reads[READS];
	enum http_status status;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	reads[POST] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[OWN] = read_own(rq);
	reads[BOOKMARK] = reaction_read(rq->arena, rq->viewer->user.username, id, REACTION_BOOKMARK);
	if (trust != NULL)
		trust_reads(rq->arena, rq->viewer->user.username, &reads[TRUST]);
	status = page_read(rq, reads, trust != NULL ? READS : TRUST);
	if (status != HTTP_OK)
		return status;
	*own = reads[OWN];
	*bookmark = reads[BOOKMARK];
	for (size_t i = 0; trust != NULL && i < TRUST_READS; i++)
		trust[i] = reads[TRUST + i];
	if (reads[POST].item != NULL)
		post_from_item(rq->arena, reads[POST].item, post);
	return followed_check(rq, MAY_READ, reads[POST].item != NULL ? post : NULL, NULL);
}

static void
offer_collections(struct request *rq, struct form_view *view, const struct form_result *result,
    const struct read *own)
{
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, own->found_count + 1, struct option_view);
	size_t count = 0;

	for (size_t i = 0; i < own->found_count; i++)
		options[count++] =
		    (struct option_view){.value = item_string(&own->found[i], STR("Id")),
			.label = item_string(&own->found[i], STR("Name"))};
	options[count++] = (struct option_view){.label = STR("A new one")};
	form_view_offer(rq, view, result, "collection", options, count);
}

/* Only what is a bookmark can be one no more. */
static void
leave_out_move(struct form_view *view)
{
	for (size_t i = 0; i < view->fields.count; i++)
		if (str_eq(view->fields.items[i].name, STR("move"))) {
			struct field_view *fields = (struct field_view *)view->fields.items;

			memmove(&fields[i], &fields[i + 1],
			    (view->fields.count - i - 1) * sizeof(fields[0]));
			view->fields.count--;
		}
}

static enum http_status
show_collecting(struct request *rq, struct response *rs, const struct post *post,
    const struct read *own, bool bookmarked)
{
	struct collect_view *view = ARENA_NEW(rq->arena, struct collect_view);
	struct page_frame frame = {.title = STR("Add to a collection"), .noindex = true};
	struct form_result *result = form_shown(rq, &collect_form);

	if (!form_was_sent(rq, &collect_form) && own->found_count != 0)
		form_fill(result, "collection", item_string(&own->found[0], STR("Id")));
	if (request_query(rq, "move").len != 0)
		form_fill(result, "move", STR("1"));
	view->title = words_title(post);
	view->url = post_path(rq->arena, post);
	form_view_fill(rq, rs, result, &view->form);
	if (!bookmarked)
		leave_out_move(&view->form);
	offer_collections(rq, &view->form, result, own);
	view->form.action_url = url_join(rq->arena, STR("/collect/"), post->id);
	hide_once(rq, &view->form);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(collect_template, view));
}

static enum http_status
show_collect(struct request *rq, struct response *rs)
{
	struct post post;
	struct read own, bookmark;
	enum http_status status = load_post(rq, &post, &own, &bookmark, NULL);

	return status == HTTP_OK ? show_collecting(rq, rs, &post, &own, bookmark.item != NULL)
				 : status;
}

/* Whoever sees the collection sees of it what they may: of a post for followers that takes its author. */
static struct collected
entry_of(struct request *rq, const struct post *post, const struct read trust[TRUST_READS])
{
	const struct collect_form *in = rq->form->values;

	return (struct collected){.post = post->id,
	    .note = in->note,
	    .held_for = listed_of_viewer(rq, in->note),
	    .for_front = post_visible_to(post, NULL, rq->now) &&
			 trust_of(&rq->settings->moderation, rq->viewer, trust, rq->now) != TRUST_NEW,
	    .author = post->visibility == VISIBILITY_FOLLOWERS ? post->author : STR("")};
}

/* Adds it to a new collection, which is created in the same step. */
static enum plan_rc
add_to_new(struct request *rq, struct plan *plan, const struct collected *first, struct str id)
{
	const struct collect_form *in = rq->form->values;
	const struct collection_form text = {.name = in->name, .private = in->private};
	struct collection new = typed_collection(rq, id, &text);
	enum plan_rc rc;

	if (in->name.len == 0) {
		form_refuse(rq->form, "name", "Give the new one a name.");
		return PLAN_FULL;
	}
	if (new.is_public && new.restricted == RESTRICTED_NOT && first->held_for.len != 0) {
		new.restricted = RESTRICTED_HELD;
		new.held_for = first->held_for;
	}
	rc = collection_create(plan, &new, first);
	if (rc == PLAN_FULL)
		form_refuse(rq->form, "name", FULL);
	return rc == PLAN_ALREADY ? PLAN_DONE : rc;
}

/*
 * Adds it to one of theirs. If it is there already, that is fine, unless another note would be
 * lost.
 */
static enum plan_rc
add_to_own(struct request *rq, struct plan *plan, const struct collected *entry, struct str id)
{
	const struct collect_form *in = rq->form->values;
	enum plan_rc rc =
	    collection_id_valid(id) ? collection_add(plan, id, entry) : PLAN_NOT_THERE;

	switch (rc) {
	case PLAN_ALREADY:
		if (in->note.len == 0 || str_eq(in->note, item_string(plan->found, STR("Note"))))
			return PLAN_DONE;
		form_refuse(rq->form, "note",
		    "It is in this collection already, with another note. You can change that "
		    "where you edit the collection.");
		return PLAN_FULL;
	case PLAN_FULL:
		form_refuse(rq->form, "collection",
		    "There are 500 posts in it, as many as there can be. Choose another one.");
		return rc;
	case PLAN_NOT_THERE:
		form_refuse(
		    rq->form, "collection", "It is not there any more. Choose another one.");
		return PLAN_FULL;
	default: return rc;
	}
}

static enum http_status
collect(struct request *rq, struct response *rs)
{
	const struct collect_form *in = rq->form->values;
	bool new = in->collection.len == 0;
	struct str id = new ? once_of(rq) : in->collection;
	struct plan plan = plan_of(rq);
	struct post post;
	struct read own, bookmark, trust[TRUST_READS];
	enum http_status status = load_post(rq, &post, &own, &bookmark, trust);
	struct collected entry;
	uint32_t wait;
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!new && in->name.len != 0) {
		form_refuse(rq->form, "collection",
		    "You have named a new one: choose “A new one”, or leave the name empty.");
		return show_collecting(rq, rs, &post, &own, bookmark.item != NULL);
	}
	entry = entry_of(rq, &post, trust);
	rc = new ? add_to_new(rq, &plan, &entry, id) : add_to_own(rq, &plan, &entry, id);
	if (!rq->form->valid)
		return show_collecting(rq, rs, &post, &own, bookmark.item != NULL);
	/* In the collection first: should this fail, it is in both, and the same form does the rest. */
	if (rc == PLAN_DONE && in->move)
		rc = reaction_set(
		    &plan, &post, REACTION_BOOKMARK, OPINION_OFF, &bookmark, NULL, &wait);
	return plan_answer(rq, rs, &plan, rc, path_of(rq, id, "/edit"), "added");
}

PAGE(own_collections, .get = show_own, .post = make_collection, .refused = show_own,
    .form = &new_form, .query = QUERY("done"))
PAGE(collection_edit, .get = show_edit, .post = save_collection, .refused = show_edit,
    .form = &edit_form, .query = QUERY("done", "page"))
PAGE(collection_posts, .post = arrange, .refused = show_edit, .form = &entry_form)
PAGE(collection_delete, .get = confirm_delete, .post = delete_collection)
PAGE(collect, .get = show_collect, .post = collect, .refused = show_collect, .form = &collect_form,
    .query = QUERY("move"))
