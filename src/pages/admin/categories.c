/* /admin/categories: the tree, its order, and a new category. */
#include "pages/admin/categories.h"

#include "base/arena.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { SLUG_OF_CATEGORY_MAX = 60 };

static const struct field category_fields[] = {
    {FIELD_LINE(struct category_form, name), .label = "Name", .required = true, .max = 80,
	.missing = "Give it a name."},
    {FIELD_TEXT(struct category_form, description), .label = "Description", .max = 300,
	.hint = "Said at the head of its page."},
    {FIELD_SLUG(struct category_form, parent), .label = "Under"},
    {FIELD_SLUG(struct category_form, slug), .label = "Name in addresses",
	.max = SLUG_OF_CATEGORY_MAX,
	.hint = "Made of its name when left empty. It stays as it is."},
};
static const struct form new_category_form = FORM("category", struct category_form, category_fields,
    .heading = "A new category", .action = "/admin/categories", .button = "Make the category");
/* The same but for its slug, which stays. */
const struct form admin_category_form = {.name = "category",
    .fields = category_fields,
    .count = sizeof(category_fields) / sizeof(category_fields[0]) - 1,
    .size = sizeof(struct category_form),
    .button = "Save"};

struct str
admin_category_path(struct request *rq, struct str slug)
{
	return url_join(rq->arena, STR("/admin/categories/"), slug);
}

void
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

struct category_text
category_text_of(const struct category_form *in)
{
	return (struct category_text){
	    .name = in->name, .description = in->description, .parent = in->parent};
}

bool
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

int64_t
category_posts_known(struct request *rq, const struct category *c)
{
	bool all = may(rq->viewer, MAY_OVERSEE_POSTS, NO_THING);

	return c->posts - (all ? 0 : scheduled_in(rq, c));
}

int64_t
category_left_known(struct request *rq, const struct merged_category *m)
{
	bool all = may(rq->viewer, MAY_OVERSEE_POSTS, NO_THING);

	return m->posts - (all ? 0 : scheduled_on(rq, m->slug));
}

/* --- The page --------------------------------------------------------------------------------------- */

/* Is there another to change places with, further up (-1) or down (1)? */
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
		    .url = admin_category_path(rq, c->slug),
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

/* Those whose merging was interrupted, or that got a late post. */
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
			    .url = admin_category_path(rq, m->slug),
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
show(struct request *rq, struct response *rs)
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

/* --- What is sent ----------------------------------------------------------------------------------- */

static enum http_status
create(struct request *rq, struct response *rs)
{
	const struct category_form *in = rq->form->values;
	const struct category_text text = category_text_of(in);
	struct plan plan = plan_of_staff(rq);
	struct str slug = in->slug;
	enum http_status status = page_read(rq, NULL, 0);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (slug.len == 0)
		slug = slug_of(rq->arena, in->name, SLUG_OF_CATEGORY_MAX, STR("category"));
	rc = category_create(&plan, &publication_of(rq)->categories, slug, &text);
	if (category_refuse(rq, rc))
		return show(rq, rs);
	return plan_answer(rq, rs, &plan, rc, STR("/admin/categories"), "made");
}

static enum http_status
order(struct request *rq, struct response *rs)
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

PAGE(admin_categories, .get = show, .post = create, .refused = show, .form = &new_category_form,
    .query = QUERY("done"))
PAGE(admin_category_order, .post = order)
