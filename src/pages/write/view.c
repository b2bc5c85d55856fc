#include "pages/write/view.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/media.h"
#include "model/post/tag.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "pages/write/conflict.h"
#include "pages/write/revisions.h"
#include "text/template.h"
#include "text/url.h"
#include "web/http/asset.h"
#include "web/session/csrf.h"

#include <inttypes.h>

enum {
	/*
	 * Each has a whole form. The others are offered when these are saved or discarded, and all
	 * expire.
	 */
	UNSAVED_OFFERED = 20
};

#define DISCARD "discard-"

VIEW_FIELDS(unsaved_form_view, STRING(title), STRING(kind_label), STRING(when_text), STRING(url),
    STRING(discard), STRING(action_url))
VIEW_FIELDS(row_view, NUMBER(number), STRING(first), STRING(second), STRING(up), STRING(down),
    STRING(remove))
VIEW_FIELDS(rows_view, STRING(anchor), STRING(legend), STRING(hint), STRING(error), STRING(add),
    STRING(add_label), STRING(action_url), STRING(first_name), STRING(first_label),
    STRING(second_name), STRING(second_label), FLAG(lines), LIST(rows, row_view))
VIEW_FIELDS(write_view, VIEW(layout, layout_view), STRING(editor_style_url), STRINGS(scripts),
    STRING(heading), STRING(kind),
    STRING(status_text), STRING(notice), STRING(url), STRING(revisions_url), STRING(share_url),
    STRING(action_url), STRING(token), STRING(version), STRING(once), STRING(save_label),
    STRING(publish_label), STRING(unpublish_label), LIST(unsaved, unsaved_form_view),
    FLAG(unsaved_more), FLAG(howto), FLAG(link), FLAG(note), FLAG(page), FLAG(stored),
    LIST(errors, form_error_view), OPTION(preview, post_view),
    STRING(preview_address), STRING(preview_taken), OPTION(preview_card, post_card_view), LIST(advice, form_error_view),
    STRING(advice_intro), STRING(anyway_label), OPTION(conflict, conflict_view),
    LIST(carried, hidden_field_view), VIEW(title, field_view), VIEW(excerpt, field_view),
    VIEW(markdown, field_view), VIEW(category, field_view), LIST(above, field_view),
    LIST(below, field_view), LIST(folded, field_view), FLAG(unfolded), STRING(tags),
    STRINGS(known_tags), STRING(tags_error),
    VIEW(cover, covers_view), STRING(words_text), LIST(materials, rows_view),
    LIST(steps, rows_view))
TEMPLATE(write_template, "write", write_view)

struct str
write_path(struct arena *arena, enum post_kind kind, const struct written *old)
{
	return old != NULL ? url_join(arena, STR("/edit/"), old->post.id)
			   : url_join(arena, STR("/write/"), str_of(post_kind_name(kind)));
}

/* --- What is said of a post ---------------------------------------------------------------------- */

const char *
says_restricted(const struct post *post)
{
	if (post->restricted == RESTRICTED_HELD)
		return "It waits for an editor: until then nobody else sees it.";
	if (post->restricted == RESTRICTED_HIDDEN)
		return "The editors have hidden it from others. “Held or hidden”, in your account, says "
		       "why, and takes your answer.";
	return NULL;
}

/* --- Unsaved forms ---------------------------------------------------------------------------- */

struct read
unsaved_read(struct request *rq, const enum post_kind *kind)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_autosaves_new(rq->arena, rq->viewer->user.username, kind)};

	/* The names of forms sort by the time at which they were opened. */
	read.query.limit = UNSAVED_OFFERED;
	read.query.descending = true;
	return read;
}

static struct unsaved_form_view
view_of(struct request *rq, const struct autosave *a)
{
	struct str name = str_of(post_kind_name(a->kind));
	struct str action = url_join(rq->arena, STR("/write/"), name);

	return (struct unsaved_form_view){.title = autosave_title(rq, a),
	    .kind_label = words_kind(a->kind),
	    .when_text = words_moment(rq, a->saved),
	    .url = STR_CONCAT(rq->arena, action, STR("?take="), a->form),
	    .discard = STR_CONCAT(rq->arena, STR(DISCARD), a->form),
	    .action_url = action};
}

void
unsaved_fill(
    struct request *rq, const struct read *answer, struct str but, struct unsaved_forms *out)
{
	struct unsaved_form_view *views =
	    ARENA_ARRAY(rq->arena, answer->found_count, struct unsaved_form_view);
	size_t count = 0;

	for (size_t i = 0; i < answer->found_count; i++) {
		struct autosave a;

		autosave_from_item(rq->arena, &answer->found[i], &a);
		if (!str_eq(a.form, but))
			views[count++] = view_of(rq, &a);
	}
	out->list.items = views;
	out->list.count = count;
	out->more = answer->next.len != 0;
}

struct unsaved_form_view
unsaved_stored(struct request *rq, const struct unsaved *unsaved)
{
	struct str action = url_join(rq->arena, STR("/edit/"), unsaved->post);

	return (struct unsaved_form_view){.title = unsaved->title,
	    .kind_label = words_kind(unsaved->kind),
	    .when_text = words_moment(rq, unsaved->saved),
	    .url = STR_CONCAT(rq->arena, action, STR("?take=up")),
	    .discard = STR("discard"),
	    .action_url = action};
}

void
unsaved_fill_stored(struct request *rq, const struct autosave *autosave, struct unsaved_forms *out)
{
	struct unsaved_form_view *view = ARENA_NEW(rq->arena, struct unsaved_form_view);

	*view = unsaved_stored(rq, &(struct unsaved){.post = autosave->post,
				       .title = autosave_title(rq, autosave),
				       .kind = autosave->kind,
				       .saved = autosave->saved});
	out->list.items = view;
	out->list.count = 1;
}

bool
unsaved_discards(struct str value, struct str *form)
{
	if (!str_starts(value, STR(DISCARD)))
		return false;
	*form = str_sub(value, sizeof(DISCARD) - 1, value.len);
	return slug_valid(*form);
}

/* --- Choices: the present value is always offered --------------------------------------------- */

/* The tree of categories, each below its parent. */
static void
offer_categories(struct request *rq, struct field_view *category)
{
	static const struct publication none;
	const struct publication *p = publication_any(rq);
	const struct category_tree *tree = &(p != NULL ? p : &none)->categories;
	struct option_view *options = ARENA_ARRAY(rq->arena, tree->count + 2, struct option_view);
	const struct category *stored = category_find(tree, category->value);
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), STR("None"), false};
	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i];
		struct buf label = {.arena = rq->arena};

		for (unsigned d = 0; d < c->depth; d++)
			BUF_PUT(&label, "\u2003");
		buf_put(&label, c->name);
		/* A merged category stands for the other one, under its old slug. */
		options[count++] = (struct option_view){
		    c == stored ? category->value : c->slug, buf_str(&label), false};
	}
	/* A stored or typed category is offered even if it was deleted. */
	if (category->value.len != 0 && stored == NULL)
		options[count++] = (struct option_view){category->value, category->value, false};
	form_field_offer(rq, category, options, count);
}

/* Only members of groups can choose one. */
static bool
may_choose_group(const struct request *rq, const struct form_result *form)
{
	return rq->viewer->group_count != 0 || form_raw(form, "group").len != 0 ||
	       str_eq(form_raw(form, "visibility"), STR("group"));
}

static void
offer_no_group(struct request *rq, struct field_view *visibility)
{
	const struct option_view *all = visibility->options.items;
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, visibility->options.count, struct option_view);
	size_t count = 0;

	for (size_t i = 0; i < visibility->options.count; i++)
		if (!str_eq(all[i].value, STR("group")))
			options[count++] = all[i];
	visibility->options.items = options;
	visibility->options.count = count;
}

static void
offer_groups(struct request *rq, struct field_view *group)
{
	const struct viewer *viewer = rq->viewer;
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, viewer->group_count + 2, struct option_view);
	struct str typed = group->value;
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), STR("None"), false};
	for (size_t i = 0; i < viewer->group_count; i++) {
		struct str name = viewer->groups[i].name;

		options[count++] =
		    (struct option_view){name, viewer_group_title(viewer, name), false};
		if (str_eq(name, typed))
			typed = STR("");
	}
	if (typed.len != 0)
		options[count++] = (struct option_view){typed, typed, false};
	form_field_offer(rq, group, options, count);
}

/* --- Fields ---------------------------------------------------------------------------------------- */

/* People who were asked and have not answered are named. */
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
fill_when(struct request *rq, const struct written *old, struct field_view *when)
{
	bool published = old != NULL && old->post.status == STATUS_PUBLISHED;

	when->hint = published ? STR("Another time moves it in every list.")
			       : STR("Left empty, it appears when you publish it.");
	/* If the table failed, the last known zone is used. */
	(void)publication_any(rq);
	when->label = STR_CONCAT(rq->arena, when->label, STR(" ("), words_zone(rq), STR(")"));
}

/* The field by its declaration, with what only this page knows. */
static struct field_view
field_of(struct request *rq, const struct write_page *page, struct str name)
{
	const struct form_result *form = &page->typed->form;
	struct field_view view = form_field(rq, form, name.base);

	if (str_eq(name, STR("category")))
		offer_categories(rq, &view);
	if (str_eq(name, STR("group")))
		offer_groups(rq, &view);
	if (str_eq(name, STR("visibility")) && !may_choose_group(rq, form))
		offer_no_group(rq, &view);
	if (str_eq(name, STR("others")))
		view.hint = others_hint(rq, page->old);
	if (str_eq(name, STR("when")))
		fill_when(rq, page->old, &view);
	return view;
}

/* Fields with a place of their own on the page; NULL: it is with the others, or unknown. */
static struct field_view *
own_place(struct write_view *view, struct str name)
{
	const struct {
		struct str name;
		struct field_view *place;
	} places[] = {
	    {STR("title"), &view->title},
	    {STR("excerpt"), &view->excerpt},
	    {STR("markdown"), &view->markdown},
	    {STR("category"), &view->category},
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (str_eq(places[i].name, name))
			return places[i].place;
	return NULL;
}

/* Tags and the cover have a place of their own, and the version is hidden. */
static bool
is_shown(struct request *rq, const struct typed *typed, const struct field *input)
{
	const struct post_field *field = write_plain(input);

	if (str_eq(input->name, STR("tag")) || str_eq(input->name, STR("version")) ||
	    str_eq(input->name, STR("thumbnail_url")))
		return false;
	if (str_eq(input->name, STR("group")))
		return may_choose_group(rq, &typed->form);
	return field == NULL || post_field_of(field, typed->kind);
}

/* What of the rest is wanted daily. */
static bool
is_daily(struct str name)
{
	return str_eq(name, STR("thumbnail_alt")) || str_eq(name, STR("thumbnail_focus")) ||
	       str_eq(name, STR("when"));
}

/* What is wrong is not hidden, nor that not everybody may read it. */
static bool
is_to_be_seen(const struct typed *typed, const struct field_view *field)
{
	return field->error.len != 0 || (str_eq(field->name, STR("visibility")) &&
					    !str_eq(form_raw(&typed->form, "visibility"), STR("")) &&
					    !str_eq(form_raw(&typed->form, "visibility"), STR("public")));
}

/*
 * Fields of this kind of post alone are above the text; the others below it, in the order of the
 * form, and folded where they are not wanted daily.
 */
static void
fill_fields(struct request *rq, const struct write_page *page, struct write_view *view)
{
	const struct form *form = page->typed->form.form;
	struct field_view *above = ARENA_ARRAY(rq->arena, form->count, struct field_view);
	struct field_view *below = ARENA_ARRAY(rq->arena, form->count, struct field_view);
	struct field_view *folded = ARENA_ARRAY(rq->arena, form->count, struct field_view);

	for (size_t i = 0; i < form->count; i++) {
		const struct field *input = &form->fields[i];
		const struct post_field *field = write_plain(input);
		struct field_view *place = own_place(view, input->name);

		if (!is_shown(rq, page->typed, input))
			continue;
		if (place == NULL && field != NULL && field->kinds != 0)
			place = &above[view->above.count++];
		else if (place == NULL && is_daily(input->name))
			place = &below[view->below.count++];
		else if (place == NULL)
			place = &folded[view->folded.count++];
		*place = field_of(rq, page, input->name);
	}
	for (size_t i = 0; i < view->folded.count; i++)
		view->unfolded = view->unfolded || is_to_be_seen(page->typed, &folded[i]);
	view->above.items = above;
	view->below.items = below;
	view->folded.items = folded;
}

/* Who begins a post begins to type. */
static void
fill_focus(const struct write_page *page, struct write_view *view)
{
	struct field_view *first = page->typed->kind == KIND_NOTE ? &view->markdown : &view->title;

	first->focus = page->old == NULL && page->opened;
}

static void
fill_cover(struct request *rq, const struct write_page *page, struct write_view *view)
{
	const struct field_view field = form_field(rq, &page->typed->form, "thumbnail_url");

	covers_fill(rq, &field, page->pictures, false, &view->cover);
}

/* --- Tags ------------------------------------------------------------------------------------------ */

static const struct strings *
raw_of(const struct form_result *f, const char *name)
{
	size_t i = 0;

	while (!str_eq(f->form->fields[i].name, str_of(name)))
		i++;
	return &f->fields[i].raw;
}

/* Tags that are visible to readers: one that waits for its post would reveal its topic. */
static void
offer_tags(struct request *rq, const struct read *found, struct write_view *view)
{
	struct str *names = ARENA_ARRAY(rq->arena, found->found_count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < found->found_count; i++) {
		struct tag tag;

		tag_from_item(rq->arena, &found->found[i], &tag);
		if (tag.posts - scheduled_with(rq, tag.name) > 0)
			names[count++] = tag.name;
	}
	view->known_tags.items = names;
	view->known_tags.count = count;
}

/* The typed tags, as they were typed. */
static void
fill_tags(struct request *rq, const struct write_page *page, struct write_view *view)
{
	const struct strings *typed = raw_of(&page->typed->form, "tag");
	struct str *tags = ARENA_ARRAY(rq->arena, typed->count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < typed->count; i++)
		if (str_trim(typed->strings[i]).len != 0)
			tags[count++] = typed->strings[i];
	view->tags = str_join(rq->arena, tags, count, STR(", "));
	if (page->known_tags != NULL && publication_of(rq) != NULL)
		offer_tags(rq, page->known_tags, view);
	view->tags_error = str_of(form_error(&page->typed->form, "tag"));
}

/* --- Rows ------------------------------------------------------------------------------------------ */

/* The typed rows, and an empty one after them. */
static void
fill_rows(struct request *rq, const struct rows *typed, enum rows_of of, struct rows_view *view)
{
	const struct rows_kind *kind = &rows_kinds[of];
	struct str name = str_of(kind->name);
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
	view->legend = str_of(kind->legend);
	view->hint = str_of(kind->hint);
	view->lines = kind->lines;
	view->first_name = name;
	view->first_label = str_of(kind->label);
	view->second_name = str_of(kind->second);
	view->second_label = str_of(kind->second_label);
	view->add_label = str_of(kind->add_label);
	view->add = STR_CONCAT(rq->arena, STR("add-"), name);
	view->anchor = STR_CONCAT(rq->arena, name, STR("s"));
	view->action_url = STR_CONCAT(rq->arena, view->action_url, STR("#"), view->anchor);
}

static void
fill_all_rows(struct request *rq, const struct typed *typed, struct write_view *view)
{
	struct rows_view *rows = ARENA_ARRAY(rq->arena, ROWS_KINDS, struct rows_view);

	if (typed->kind != KIND_HOWTO)
		return;
	for (int of = 0; of < ROWS_KINDS; of++) {
		rows[of].action_url = view->action_url;
		fill_rows(rq, &typed->rows[of], (enum rows_of)of, &rows[of]);
	}
	view->materials.items = rows;
	view->materials.count = ROWS_STEPS;
	view->steps.items = &rows[ROWS_STEPS];
	view->steps.count = 1;
}

/* --- Errors ----------------------------------------------------------------------------------- */

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
			    .id = STR_CONCAT(rq->arena, str_of(rows_kinds[of].name), STR("s")),
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

/* If the table failed, the stored version is unknown. What the form carries stays. */
static void
fill_conflict(struct request *rq, const struct write_page *page, struct write_view *view)
{
	if (page->typed->mine != NULL && page->old != NULL && page->old->post.author.len != 0)
		view->conflict = conflict_view(rq, page->typed, page->old);
	view->carried.count = conflict_inputs(rq, page->typed, &view->carried.items);
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

/* As its page shows it, and how it looks where it is listed, found and shared. */
static void
fill_preview(struct request *rq, const struct post_shown *shown, struct write_view *out)
{
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);
	struct post_card_view *card = ARENA_NEW(rq->arena, struct post_card_view);
	struct post_shown now = *shown;

	if (now.post.published == 0)
		now.post.published = rq->now;
	now.post.updated = now.post.published;
	now.post.first_picture = media_first(&now.body);
	post_view_fill(rq, &now, view);
	post_view_frame(rq, &now, view);
	card_fill(rq, &now.post, card);
	out->preview = view;
	out->preview_card = card;
	out->preview_address = absolute(rq, view->url);
}

/* Of what is shown, or else stored. */
static void
fill_words(struct request *rq, const struct write_page *page, struct write_view *view)
{
	int64_t words = page->preview != NULL ? page->preview->post.words
			: page->old != NULL  ? page->old->post.words
					     : 0;
	struct str minutes = words_reading(rq->arena, words);

	if (words == 0)
		return;
	view->words_text = words_count(rq->arena, words, "word", "words");
	if (minutes.len != 0)
		view->words_text = STR_CONCAT(rq->arena, view->words_text, STR(", "), minutes);
}

/* What this page has beside those of all. */
static void
fill_assets(struct request *rq, struct write_view *view)
{
	static const char *const names[] = {"broadsheet.js", "markdown.js", "fields.js"};
	enum { COUNT = sizeof(names) / sizeof(names[0]) };
	struct str *urls = ARENA_ARRAY(rq->arena, COUNT, struct str);

	for (size_t i = 0; i < COUNT; i++)
		urls[i] = asset_url(rq->site->assets, str_of(names[i]));
	view->scripts.items = urls;
	view->scripts.count = COUNT;
	view->editor_style_url = asset_url(rq->site->assets, STR("write.css"));
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
	fill_focus(page, view);
	fill_tags(rq, page, view);
	fill_cover(rq, page, view);
	fill_all_rows(rq, typed, view);
	if (page->preview != NULL)
		fill_preview(rq, page->preview, view);
	view->preview_taken = str_of(page->taken);
	fill_words(rq, page, view);
	fill_advice(page, view);
	fill_conflict(rq, page, view);
	fill_assets(rq, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(write_template, view));
}
