/*
 * /admin/categories: the tree, its order, and a new category; /admin/categories/<slug>: name and
 * place of a category, merging it into another, deleting it.
 */
#include "base/arena.h"
#include "model/post/category.h"
#include "model/slug.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { SLUG_OF_CATEGORY_MAX = 60 };

/* posts moved by one request */
enum { AT_ONCE = 100 };

/* The form of a category. */
struct category_form {
	struct str name, description, colour;
	struct str parent; /* a slug; empty: at the top */
	struct str slug;   /* of a new one only; empty: derived from the name */
};

static const struct field category_fields[] = {
    {FIELD_LINE(struct category_form, name), .label = "Name", .required = true, .max = 80,
	.missing = "Give it a name."},
    {FIELD_TEXT(struct category_form, description), .label = "Description", .max = 300,
	.hint = "Said at the head of its page."},
    {FIELD_SLUG(struct category_form, parent), .label = "Under"},
    {FIELD_LINE(struct category_form, colour), .label = "Colour", .max = 20,
	.hint = "Of a section, which stands at the top: such as #1f4e79. In the dark a lighter one is shown."},
    {FIELD_SLUG(struct category_form, slug), .label = "Name in addresses",
	.max = SLUG_OF_CATEGORY_MAX,
	.hint = "Made of its name when left empty. It stays as it is."},
};
static const struct form new_category_form = FORM("category", struct category_form, category_fields,
    .heading = "A new category", .action = "/admin/categories", .button = "Make the category");
/* The same without the slug, which does not change. */
static const struct form edited_category_form = {.name = "category",
    .fields = category_fields,
    .count = sizeof(category_fields) / sizeof(category_fields[0]) - 1,
    .size = sizeof(struct category_form),
    .button = "Save"};

struct merge_form {
	struct str into;
};
static const struct field merge_fields[] = {
    {FIELD_SLUG(struct merge_form, into), .label = "Merge it into", .required = true,
	.missing = "Into which?",
	.hint = "Its posts move there, and its address leads there from then on."},
};
static const struct form merge_form =
    FORM("merge", struct merge_form, merge_fields, .button = "Merge");

/* "/admin/categories/<slug>" */
static struct str
category_path(struct request *rq, struct str slug)
{
	return url_join(rq->arena, STR("/admin/categories/"), slug);
}

/*
 * Offers all categories except the descendants of one (NULL: none), indented by depth; first
 * `none`.
 */
static void
offer_categories(struct request *rq, struct form_view *view, const struct form_result *result,
    const char *field, const struct category *without, const char *none)
{
	const struct category_tree *tree = &publication_of(rq)->categories;
	struct option_view *options = ARENA_ARRAY(rq->arena, tree->count + 1, struct option_view);
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), str_of(none), false};
	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i];
		struct buf label = {.arena = rq->arena};

		if (c == without) {
			i += c->below;
			continue;
		}
		for (unsigned d = 0; d < c->depth; d++)
			BUF_PUT(&label, "– ");
		buf_put(&label, c->name);
		options[count++] = (struct option_view){c->slug, buf_str(&label), false};
	}
	form_view_offer(rq, view, result, field, options, count);
}

/* The text of a category from the form. */
static struct category_text
category_text_of(struct arena *arena, const struct category_form *in)
{
	return (struct category_text){
	    .name = in->name,
	    .description = in->description,
	    .colour = str_lower(arena, in->colour),
	    .parent = in->parent};
}

/*
 * Reports the failure at a field. False when it does not belong to one: then plan_refused()
 * answers.
 */
static bool
category_refuse(struct request *rq, enum plan_rc rc)
{
	switch (rc) {
	case PLAN_TAKEN:
		form_refuse(rq->form, "slug", "This address is, or was, another category’s.");
		break;
	case PLAN_NOT_THERE:
		form_refuse(rq->form, "parent", "There is no such category any more.");
		break;
	case PLAN_CIRCLE:
		form_refuse(rq->form, "parent", "It would come to lie under itself.");
		break;
	case PLAN_FULL: form_refuse(rq->form, "parent", "That is too deep for a tree."); break;
	default: return false;
	}
	return true;
}

/*
 * How many posts it has, or a merged one still has; without scheduled ones if the viewer may only
 * order the tree and not see them.
 */
static int64_t
category_posts_known(struct request *rq, const struct category *c)
{
	bool all = may(rq->viewer, MAY_OVERSEE_POSTS, NO_THING);

	return c->posts - (all ? 0 : scheduled_in(rq, c));
}

static int64_t
category_left_known(struct request *rq, const struct merged_category *m)
{
	bool all = may(rq->viewer, MAY_OVERSEE_POSTS, NO_THING);

	return m->posts - (all ? 0 : scheduled_on(rq, m->slug));
}

/* --- All categories ---------------------------------------------------------------------------- */

/* Is there a neighbour to swap with, above (-1) or below (1)? */
static bool
is_beside(const struct category_tree *tree, size_t i, int step)
{
	unsigned depth = tree->categories[i].depth;

	for (i += (size_t)step; i < tree->count; i += (size_t)step)
		if (tree->categories[i].depth <= depth)
			return tree->categories[i].depth == depth;
	return false;
}

static void
show_tree(struct request *rq, struct response *rs, struct admin_view *view)
{
	const struct category_tree *tree = &publication_of(rq)->categories;
	struct admin_panel_view *panel = admin_panel(view, "tree", NULL);
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, tree->count, struct admin_row_view);

	for (size_t i = 0; i < tree->count; i++) {
		const struct category *c = &tree->categories[i];

		rows[i] = (struct admin_row_view){
		    .url = category_path(rq, c->slug),
		    .name = c->name,
		    .text = STR_CONCAT(rq->arena, c->slug, STR(" · "),
			words_count(rq->arena, category_posts_known(rq, c), "post", "posts")),
		    .depth = c->depth,
		};
		if (is_beside(tree, i, -1))
			admin_button(rq, &rows[i], "up", c->slug, "Up");
		if (is_beside(tree, i, 1))
			admin_button(rq, &rows[i], "down", c->slug, "Down");
	}
	panel->rows.items = rows;
	panel->rows.count = tree->count;
	panel->empty_text = STR("There is none yet.");
	admin_buttons_lead(rq, rs, panel, STR("/admin/category-order"));
}

/* Categories whose merging was interrupted, or that got a late post. */
static void
show_left(struct request *rq, struct admin_view *view)
{
	const struct category_tree *tree = &publication_of(rq)->categories;
	struct admin_panel_view *panel;
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, tree->merged_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < tree->merged_count; i++) {
		const struct merged_category *m = &tree->merged[i];
		int64_t left = category_left_known(rq, m);

		if (left > 0)
			rows[count++] = (struct admin_row_view){
			    .url = category_path(rq, m->slug),
			    .name = m->slug,
			    .text = words_count(rq->arena, left, "post", "posts"),
			};
	}
	if (count == 0)
		return;
	panel = admin_panel(view, "left", "Merged, with posts still to move");
	panel->rows.items = rows;
	panel->rows.count = count;
}

static enum http_status
show_categories(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/categories", STR("Categories"));
	struct form_result *result = form_shown(rq, &new_category_form);
	struct admin_panel_view *panel;
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	show_tree(rq, rs, view);
	show_left(rq, view);
	panel = admin_panel(view, "new", NULL);
	offer_categories(rq, admin_form(rq, rs, panel, result, STR("/admin/categories")), result,
	    "parent", NULL, "At the top");
	return admin_respond(rq, rs, view);
}

static enum http_status
create_category(struct request *rq, struct response *rs)
{
	const struct category_form *in = rq->form->values;
	const struct category_text text = category_text_of(rq->arena, in);
	struct plan plan = plan_of_staff(rq);
	struct str slug = in->slug;
	enum http_status status = page_read(rq, NULL, 0);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	admin_check_colour(rq, "colour");
	if (!rq->form->valid)
		return show_categories(rq, rs);
	if (slug.len == 0)
		slug = slug_of(rq->arena, in->name, SLUG_OF_CATEGORY_MAX, STR("category"));
	rc = category_create(&plan, &publication_of(rq)->categories, slug, &text);
	if (category_refuse(rq, rc))
		return show_categories(rq, rs);
	return plan_answer(rq, rs, &plan, rc, STR("/admin/categories"), "made");
}

static enum http_status
order_categories(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str up = input_of(rq, "up"), slug = up.len != 0 ? up : input_of(rq, "down");
	enum http_status status = page_read(rq, NULL, 0);
	const struct category *category;
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	category = category_find(&publication_of(rq)->categories, slug);
	if (category == NULL)
		return HTTP_NOT_FOUND;
	rc = category_step(&plan, &publication_of(rq)->categories, category, up.len != 0);
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, STR("/admin/categories"))
			       : plan_refused(rs, &plan, rc);
}

/* --- One category ------------------------------------------------------------------------------ */

/* The category of the address. HTTP_OK, or the answer; then the tree is loaded. */
static enum http_status
find_category(struct request *rq, const struct category **out)
{
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	*out = category_find(&publication_of(rq)->categories, request_param(rq, "slug"));
	return *out != NULL ? HTTP_OK : HTTP_NOT_FOUND;
}

/* Was the category of the address merged into this one? */
static bool
was_merged(struct request *rq, const struct category *category)
{
	return !str_eq(category->slug, request_param(rq, "slug"));
}

/* The same, for a change: a category that was merged meanwhile is a conflict. */
static enum http_status
find_to_change(struct request *rq, const struct category **out)
{
	enum http_status status = find_category(rq, out);

	return status == HTTP_OK && was_merged(rq, *out) ? HTTP_CONFLICT : status;
}

static int64_t
posts_left(struct request *rq, struct str slug)
{
	const struct category_tree *tree = &publication_of(rq)->categories;

	for (size_t i = 0; i < tree->merged_count; i++)
		if (str_eq(tree->merged[i].slug, slug))
			return category_left_known(rq, &tree->merged[i]);
	return 0;
}

/* A merged category: where it leads, and a button if some of its posts have yet to be moved. */
static enum http_status
show_signpost(struct request *rq, struct response *rs, const struct category *into)
{
	struct str slug = request_param(rq, "slug");
	struct admin_view *view = admin_page(rq, "/admin/categories", slug);
	struct admin_panel_view *panel = admin_panel(view, "left", NULL);
	struct admin_row_view *row = ARENA_NEW(rq->arena, struct admin_row_view);
	int64_t left = posts_left(rq, slug);

	view->intro = STR_CONCAT(rq->arena, STR("Was merged into "), into->name,
	    STR(". Its address leads there for ever."));
	*row = (struct admin_row_view){
	    .name = left > 0 ? STR_CONCAT(rq->arena, words_count(rq->arena, left, "post", "posts"),
				   STR(" still to move"))
			     : STR("All of its posts have moved."),
	    .text = left > 0 ? STR("Readers find all of them there already.") : STR(""),
	};
	if (left > 0)
		admin_button(rq, row, "on", STR("1"), "Go on");
	admin_buttons_lead(
	    rq, rs, panel, STR_CONCAT(rq->arena, category_path(rq, slug), STR("/move")));
	panel->rows.items = row;
	panel->rows.count = 1;
	return admin_respond(rq, rs, view);
}

static void
show_text(
    struct request *rq, struct response *rs, const struct category *c, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "text", NULL);
	struct form_result *result = form_shown(rq, &edited_category_form);

	if (!form_was_sent(rq, &edited_category_form)) {
		form_fill(result, "name", c->name);
		form_fill(result, "description", c->description);
		form_fill(result, "colour", c->colour);
		form_fill(result, "parent", c->parent != NULL ? c->parent->slug : STR(""));
	}
	offer_categories(rq, admin_form(rq, rs, panel, result, category_path(rq, c->slug)), result,
	    "parent", c, "At the top");
}

static void
show_end(struct request *rq, struct response *rs, const struct category *c, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "end", "The end of it");
	struct form_result *result = form_shown(rq, &merge_form);
	struct str path = category_path(rq, c->slug);

	offer_categories(rq,
	    admin_form(rq, rs, panel, result, STR_CONCAT(rq->arena, path, STR("/merge"))), result,
	    "into", c, "–");
	if (c->posts == 0 && c->below == 0)
		admin_way(
		    rq, panel, STR_CONCAT(rq->arena, path, STR("/delete")), "Delete the category");
}

static enum http_status
show_category(struct request *rq, struct response *rs)
{
	const struct category *c;
	enum http_status status = find_category(rq, &c);
	struct admin_view *view;

	if (status != HTTP_OK)
		return status;
	if (was_merged(rq, c))
		return show_signpost(rq, rs, c);
	view = admin_page(rq, "/admin/categories", c->name);
	view->intro = STR_CONCAT(rq->arena, c->slug, STR(" · "),
	    words_count(rq->arena, category_posts_known(rq, c), "public post", "public posts"));
	show_text(rq, rs, c, view);
	show_end(rq, rs, c, view);
	return admin_respond(rq, rs, view);
}

/* --- Actions on it ---------------------------------------------------------------------------- */

static enum http_status
save_category(struct request *rq, struct response *rs)
{
	const struct category_text text = category_text_of(rq->arena, rq->form->values);
	struct plan plan = plan_of_staff(rq);
	const struct category *c;
	enum http_status status = find_to_change(rq, &c);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	admin_check_colour(rq, "colour");
	if (!rq->form->valid)
		return show_category(rq, rs);
	rc = category_edit(&plan, &publication_of(rq)->categories, c, &text);
	if (category_refuse(rq, rc))
		return show_category(rq, rs);
	return plan_answer(rq, rs, &plan, rc, category_path(rq, c->slug), "saved");
}

/* Moves as many posts as one request may, and says whether there are more. */
static enum http_status
move_posts(
    struct request *rq, struct response *rs, struct plan *plan, struct str from, struct str into)
{
	enum plan_rc rc = category_merge_on(plan, from, into, AT_ONCE);

	if (rc == PLAN_MORE)
		return redirect_done(rq, rs, category_path(rq, from), "part");
	return plan_answer(rq, rs, plan, rc, STR("/admin/categories"), "merged");
}

static enum http_status
ask_to_merge(
    struct request *rq, struct response *rs, const struct category *c, const struct category *into)
{
	const struct confirmation ask = {.title = STR_CONCAT(rq->arena, STR("Merge "), c->name,
					     STR(" into "), into->name, STR("?")),
	    .message = STR_CONCAT(rq->arena, STR("Its posts, and what lies under it, come to "),
		into->name, STR(". This can’t be undone.")),
	    .action_url = STR_CONCAT(rq->arena, category_path(rq, c->slug), STR("/merge")),
	    .cancel_url = category_path(rq, c->slug),
	    .button = "Merge",
	    .destroys = true,
	    .name = STR("into"),
	    .value = into->slug,
	    .sure = true};

	return confirm(rq, rs, &ask);
}

static enum http_status
merge(struct request *rq, struct response *rs)
{
	const struct merge_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	const struct category *c, *into;
	enum http_status status = find_to_change(rq, &c);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	into = category_find(&publication_of(rq)->categories, in->into);
	if (into == NULL) {
		form_refuse(rq->form, "into", "There is no such category any more.");
		return show_category(rq, rs);
	}
	if (!confirmed(rq))
		return ask_to_merge(rq, rs, c, into);
	rc = category_merge(&plan, c, into);
	if (rc == PLAN_CIRCLE || rc == PLAN_FULL) {
		form_refuse(rq->form, "into",
		    rc == PLAN_CIRCLE ? "It lies under this one." : "That is too deep for a tree.");
		return show_category(rq, rs);
	}
	return rc == PLAN_DONE ? move_posts(rq, rs, &plan, c->slug, into->slug)
			       : plan_refused(rs, &plan, rc);
}

static enum http_status
move_on(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	const struct category *into;
	enum http_status status = find_category(rq, &into);

	if (status != HTTP_OK)
		return status;
	if (!was_merged(rq, into))
		return HTTP_NOT_FOUND;
	return move_posts(rq, rs, &plan, request_param(rq, "slug"), into->slug);
}

static enum http_status
confirm_delete(struct request *rq, struct response *rs)
{
	const struct category *c;
	enum http_status status = find_category(rq, &c);
	struct confirmation ask = {.button = "Delete the category",
	    .destroys = true,
	    .message = STR("Drafts that name it are without a category from then on.")};

	if (status != HTTP_OK)
		return status;
	ask.title = STR_CONCAT(rq->arena, STR("Delete "), c->name, STR("?"));
	ask.cancel_url = category_path(rq, c->slug);
	ask.action_url = STR_CONCAT(rq->arena, ask.cancel_url, STR("/delete"));
	return confirm(rq, rs, &ask);
}

static enum http_status
delete_category(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	const struct category *c;
	enum http_status status = find_to_change(rq, &c);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = category_delete(&plan, &publication_of(rq)->categories, c);
	return plan_answer(rq, rs, &plan, rc, STR("/admin/categories"), "deleted");
}

PAGE(admin_categories, .get = show_categories, .post = create_category, .refused = show_categories,
    .form = &new_category_form, .query = QUERY("done"))
PAGE(admin_category_order, .post = order_categories)
PAGE(admin_category, .get = show_category, .post = save_category, .refused = show_category,
    .form = &edited_category_form, .query = QUERY("done"))
PAGE(admin_category_merge, .post = merge, .refused = show_category, .form = &merge_form)
PAGE(admin_category_move, .post = move_on)
PAGE(admin_category_delete, .get = confirm_delete, .post = delete_category)
