#include "pages/write/write_view.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/slug.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/revisions.h"
#include "text/template.h"
#include "text/url.h"
#include "web/session/csrf.h"

#include <inttypes.h>

VIEW_FIELDS(row_view, NUMBER(number), STRING(first), STRING(second), STRING(up), STRING(down),
    STRING(remove))
VIEW_FIELDS(rows_view, STRING(anchor), STRING(legend), STRING(hint), STRING(error), STRING(add),
    STRING(add_label), STRING(action_url), STRING(first_name), STRING(first_label),
    STRING(second_name), STRING(second_label), FLAG(lines), LIST(rows, row_view))
VIEW_FIELDS(write_view, VIEW(layout, layout_view), STRING(heading), STRING(kind),
    STRING(status_text), STRING(notice), STRING(url), STRING(revisions_url), STRING(share_url),
    STRING(action_url), STRING(token), STRING(version), STRING(once), STRING(save_label),
    STRING(publish_label), STRING(unpublish_label), LIST(unsaved, unsaved_form_view),
    FLAG(unsaved_more), FLAG(howto), FLAG(link), FLAG(note), FLAG(page), FLAG(stored),
    LIST(errors, form_error_view), OPTION(preview, post_view), LIST(advice, form_error_view),
    STRING(advice_intro), STRING(anyway_label), OPTION(meanwhile, meanwhile_view),
    LIST(carried, hidden_field_view), VIEW(title, field_view), VIEW(excerpt, field_view),
    VIEW(markdown, field_view), VIEW(slug, field_view), VIEW(category, field_view),
    VIEW(thumbnail_url, field_view), VIEW(thumbnail_alt, field_view), VIEW(canonical, field_view),
    VIEW(language, field_view), VIEW(visibility, field_view), VIEW(group, field_view),
    VIEW(others, field_view), VIEW(when, field_view), VIEW(address, field_view),
    VIEW(source, field_view), VIEW(difficulty, field_view), VIEW(minutes, field_view),
    VIEW(cost, field_view), VIEW(currency, field_view), STRINGS(tags), STRINGS(known_tags),
    STRING(tags_error), LIST(materials, rows_view), LIST(steps, rows_view))
TEMPLATE(write_template, "write", write_view)

struct str
write_path(struct arena *arena, enum post_kind kind, const struct written *old)
{
	return old != NULL ? url_join(arena, STR("/edit/"), old->post.id)
			   : url_join(arena, STR("/write/"), str_of(post_kind_name(kind)));
}

/* --- Fields ---------------------------------------------------------------------------------------- */

/* Who was asked, and has not answered, is told of by name. */
static struct str
others_hint(struct request *rq, const struct written *old)
{
	struct buf hint = {.arena = rq->arena};

	BUF_PUT(&hint,
	    "Usernames, with commas between them. Each of them is asked first, and may read it.");
	for (size_t i = 0; old != NULL && i < old->post.asked_count; i++) {
		buf_put(&hint, i == 0 ? STR(" Asked, and not yet accepted: ") : STR(", "));
		buf_put(&hint, old->post.asked[i].name);
	}
	if (old != NULL && old->post.asked_count != 0)
		BUF_PUT(&hint, ".");
	return buf_str(&hint);
}

static void
fill_fields(struct request *rq, const struct write_page *page, struct write_view *view)
{
	const struct form_result *f = &page->typed->form;
	bool published = page->old != NULL && page->old->post.status == STATUS_PUBLISHED;
	const struct {
		const char *name;
		struct field_view *out;
	} fields[] = {
	    {"title", &view->title},
	    {"excerpt", &view->excerpt},
	    {"markdown", &view->markdown},
	    {"slug", &view->slug},
	    {"category", &view->category},
	    {"thumbnail_url", &view->thumbnail_url},
	    {"thumbnail_alt", &view->thumbnail_alt},
	    {"canonical", &view->canonical},
	    {"language", &view->language},
	    {"visibility", &view->visibility},
	    {"group", &view->group},
	    {"others", &view->others},
	    {"when", &view->when},
	    {"url", &view->address},
	    {"source", &view->source},
	    {"difficulty", &view->difficulty},
	    {"minutes", &view->minutes},
	    {"cost", &view->cost},
	    {"currency", &view->currency},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		*fields[i].out = form_field(rq, f, fields[i].name);
	view->others.hint = others_hint(rq, page->old);
	view->when.hint = published ? STR("Another time moves it in every list.")
				    : STR("Left empty, it appears when you publish it.");
	/* Where the table failed, the zone is the one of before. */
	(void)publication_any(rq);
	view->when.label =
	    STR_CONCAT(rq->arena, view->when.label, STR(" ("), words_zone(rq), STR(")"));
}

/* --- Rows ------------------------------------------------------------------------------------------ */

/* As many rows as are typed, and an empty one behind them. */
static void
fill_rows(struct request *rq, const struct rows *typed, struct str name, struct rows_view *view)
{
	struct row_view *rows = ARENA_ARRAY(rq->arena, typed->count + 1, struct row_view);
	size_t count = typed->count;
	const struct row *last = count != 0 ? &typed->rows[count - 1] : NULL;

	if (count < ROWS_MAX && (last == NULL || last->first.len != 0 || last->second.len != 0))
		count++;
	for (size_t i = 0; i < count; i++) {
		bool is_typed = i < typed->count;

		rows[i].number = (int64_t)i + 1;
		if (!is_typed)
			continue;
		rows[i].first = typed->rows[i].first;
		rows[i].second = typed->rows[i].second;
		rows[i].remove = str_fmt(rq->arena, "remove-%.*s-%zu", STR_ARGS(name), i + 1);
		if (i != 0)
			rows[i].up = str_fmt(rq->arena, "up-%.*s-%zu", STR_ARGS(name), i + 1);
		if (i + 1 < typed->count)
			rows[i].down = str_fmt(rq->arena, "down-%.*s-%zu", STR_ARGS(name), i + 1);
	}
	view->rows.items = rows;
	view->rows.count = count;
	view->error = str_of(typed->error);
	view->first_name = name;
	view->add = STR_CONCAT(rq->arena, STR("add-"), name);
	view->anchor = STR_CONCAT(rq->arena, name, STR("s"));
	view->action_url = STR_CONCAT(rq->arena, view->action_url, STR("#"), view->anchor);
}

static void
fill_all_rows(struct request *rq, const struct typed *typed, struct write_view *view)
{
	static const struct rows_view looks[ROWS_KINDS] = {
	    [ROWS_MATERIALS] = {.legend = STR_INIT("Materials"),
		.add_label = STR_INIT("Add a material"),
		.first_label = STR_INIT("Material"),
		.second_name = STR_INIT("amount"),
		.second_label = STR_INIT("Amount")},
	    [ROWS_TOOLS] = {.legend = STR_INIT("Tools"),
		.add_label = STR_INIT("Add a tool"),
		.first_label = STR_INIT("Tool")},
	    [ROWS_STEPS] = {.legend = STR_INIT("Steps"),
		.hint = STR_INIT("One thing to do at a time, in Markdown."),
		.add_label = STR_INIT("Add a step"),
		.first_label = STR_INIT("Step"),
		.lines = true},
	};
	struct rows_view *rows = ARENA_ARRAY(rq->arena, ROWS_KINDS, struct rows_view);

	if (typed->kind != KIND_HOWTO)
		return;
	for (int of = 0; of < ROWS_KINDS; of++) {
		rows[of] = looks[of];
		rows[of].action_url = view->action_url;
		fill_rows(rq, &typed->rows[of], str_of(rows_name((enum rows_of)of)), &rows[of]);
	}
	view->materials.items = rows;
	view->materials.count = ROWS_STEPS;
	view->steps.items = &rows[ROWS_STEPS];
	view->steps.count = 1;
}

/* --- What is wrong --------------------------------------------------------------------------------- */

static void
fill_errors(struct request *rq, const struct typed *typed, struct write_view *view)
{
	const struct form_result *f = &typed->form;
	struct form_error_view *errors =
	    ARENA_ARRAY(rq->arena, f->form->count + ROWS_KINDS, struct form_error_view);
	size_t count = 0;

	for (size_t i = 0; i < f->form->count; i++)
		if (f->fields[i].error != NULL)
			errors[count++] = (struct form_error_view){
			    .id = STR_CONCAT(rq->arena, STR("write-"), f->form->fields[i].name),
			    .label = str_of(f->form->fields[i].label),
			    .error = str_of(f->fields[i].error)};
	for (int of = 0; of < ROWS_KINDS; of++)
		if (typed->rows[of].error != NULL)
			errors[count++] = (struct form_error_view){
			    .id = STR_CONCAT(
				rq->arena, str_of(rows_name((enum rows_of)of)), STR("s")),
			    .error = str_of(typed->rows[of].error)};
	view->errors.items = errors;
	view->errors.count = count;
}

static void
fill_advice(const struct write_page *page, struct write_view *view)
{
	view->advice.items = page->advice.items;
	view->advice.count = page->advice.count;
	view->anyway_label = str_of(page->anyway);
	view->advice_intro = STR("Readers see it as it is now. What could be better:");
	if (page->preview != NULL)
		view->advice_intro = STR("Before others read it:");
	if (page->anyway != NULL)
		view->advice_intro = STR("It is not published yet. Before others read it:");
}

/* Where the table failed, what is stored is not known: nobody wrote it. What is carried stays. */
static void
fill_meanwhile(struct request *rq, const struct write_page *page, struct write_view *view)
{
	if (page->typed->mine != NULL && page->old != NULL && page->old->post.author.len != 0)
		view->meanwhile = meanwhile_view(rq, page->typed, page->old);
	view->carried.count = meanwhile_carried(rq, page->typed, &view->carried.items);
}

/* --- Its state ------------------------------------------------------------------------------------- */

static void
fill_state(struct request *rq, const struct written *old, struct write_view *view)
{
	const struct post *post = &old->post;
	struct str since = words_moment(rq, post->updated);

	view->stored = true;
	view->url = post_path(rq->arena, post);
	view->revisions_url = revisions_path(rq->arena, post);
	view->share_url = url_join(rq->arena, STR("/share/"), post->id);
	view->save_label = STR("Save");
	switch (post->status) {
	case STATUS_DRAFT:
		view->status_text = STR_CONCAT(rq->arena, STR("Draft, saved "), since);
		view->save_label = STR("Save draft");
		view->publish_label = STR("Publish");
		break;
	case STATUS_UNPUBLISHED:
		view->status_text = STR_CONCAT(rq->arena, STR("Unpublished, saved "), since);
		view->publish_label = STR("Publish again");
		break;
	case STATUS_PUBLISHED:
		view->publish_label = STR("");
		view->unpublish_label = STR("Unpublish");
		view->status_text =
		    STR_CONCAT(rq->arena, STR("Published "), words_moment(rq, post->published));
		if (post->published > rq->now) {
			view->unpublish_label = STR("Call it off");
			view->status_text = STR_CONCAT(
			    rq->arena, STR("Appears "), words_moment(rq, post->published));
		}
		break;
	case STATUS_DELETED: break;
	}
}

static const struct post_view *
preview_view(struct request *rq, const struct post_shown *shown)
{
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);
	struct post_shown now = *shown;

	if (now.post.published == 0)
		now.post.published = rq->now;
	now.post.updated = now.post.published;
	post_view_fill(rq, &now, view);
	return view;
}

static struct str
heading(struct request *rq, const struct write_page *page)
{
	struct str kind =
	    str_of(page->typed->kind == KIND_HOWTO ? "how-to" : post_kind_name(page->typed->kind));
	bool vowel = page->typed->kind == KIND_ARTICLE;

	if (page->old == NULL)
		return STR_CONCAT(rq->arena, STR("Write a"), vowel ? STR("n ") : STR(" "), kind);
	return STR_CONCAT(rq->arena, STR("Edit this "), kind);
}

enum http_status
write_respond(struct request *rq, struct response *rs, const struct write_page *page)
{
	struct write_view *view = ARENA_NEW(rq->arena, struct write_view);
	const struct typed *typed = page->typed;
	struct page_frame frame = {.noindex = true};

	view->heading = frame.title = heading(rq, page);
	view->kind = str_of(post_kind_name(typed->kind));
	view->notice = str_of(page->notice);
	view->action_url = write_path(rq->arena, typed->kind, page->old);
	view->token = csrf_token(rq, rs);
	view->version = form_raw(&typed->form, "version");
	if (page->old == NULL) {
		view->once = page->once.len != 0 ? page->once : input_of(rq, "once");
		if (!slug_valid(view->once))
			view->once = id_new(rq->arena, rq->clock);
	}
	view->howto = typed->kind == KIND_HOWTO;
	view->link = typed->kind == KIND_LINK;
	view->note = typed->kind == KIND_NOTE;
	view->page = typed->kind == KIND_PAGE;
	view->save_label = STR("Save draft");
	view->publish_label = STR("Publish");
	if (page->old != NULL)
		fill_state(rq, page->old, view);
	view->unsaved.items = page->unsaved.list.items;
	view->unsaved.count = page->unsaved.list.count;
	view->unsaved_more = page->unsaved.more;
	fill_errors(rq, typed, view);
	fill_fields(rq, page, view);
	write_offer(rq, page, view);
	fill_all_rows(rq, typed, view);
	if (page->preview != NULL)
		view->preview = preview_view(rq, page->preview);
	fill_advice(page, view);
	fill_meanwhile(rq, page, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(write_template, view));
}
