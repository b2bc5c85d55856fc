/* /admin/categories/<slug>: one category: its name and place, merging it into another, deleting it. */
#include "base/arena.h"
#include "pages/admin/categories.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

/* So many posts move over in one request. */
enum { AT_ONCE = 100 };

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

/* The category that the address names. HTTP_OK, or what is to be answered; the tree is there then. */
static enum http_status
find(struct request *rq, const struct category **out)
{
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	*out = category_find(&publication_of(rq)->categories, request_param(rq, "slug"));
	return *out != NULL ? HTTP_OK : HTTP_NOT_FOUND;
}

/* Was the one of the address merged into this one? */
static bool
was_merged(struct request *rq, const struct category *category)
{
	return !str_eq(category->slug, request_param(rq, "slug"));
}

/* The same to be changed: one that was merged meanwhile is a conflict. */
static enum http_status
find_to_change(struct request *rq, const struct category **out)
{
	enum http_status status = find(rq, out);

	return status == HTTP_OK && was_merged(rq, *out) ? HTTP_CONFLICT : status;
}

/* --- The page --------------------------------------------------------------------------------------- */

static int64_t
posts_left(struct request *rq, struct str slug)
{
	const struct category_tree *tree = &publication_of(rq)->categories;

	for (size_t i = 0; i < tree->merged_count; i++)
		if (str_eq(tree->merged[i].slug, slug))
			return category_left_known(rq, &tree->merged[i]);
	return 0;
}

/* A signpost: where it leads, and the way on when some of its posts have yet to move. */
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
	    rq, rs, panel, STR_CONCAT(rq->arena, admin_category_path(rq, slug), STR("/move")));
	panel->rows.items = row;
	panel->rows.count = 1;
	return admin_respond(rq, rs, view);
}

static void
show_text(
    struct request *rq, struct response *rs, const struct category *c, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "text", NULL);
	struct form_result *result = form_shown(rq, &admin_category_form);

	if (!form_was_sent(rq, &admin_category_form)) {
		form_fill(result, "name", c->name);
		form_fill(result, "description", c->description);
		form_fill(result, "parent", c->parent != NULL ? c->parent->slug : STR(""));
	}
	offer_categories(rq, admin_form(rq, rs, panel, result, admin_category_path(rq, c->slug)),
	    result, "parent", c, "At the top");
}

static void
show_end(struct request *rq, struct response *rs, const struct category *c, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "end", "The end of it");
	struct form_result *result = form_shown(rq, &merge_form);
	struct str path = admin_category_path(rq, c->slug);

	offer_categories(rq,
	    admin_form(rq, rs, panel, result, STR_CONCAT(rq->arena, path, STR("/merge"))), result,
	    "into", c, "–");
	if (c->posts == 0 && c->below == 0)
		admin_way(
		    rq, panel, STR_CONCAT(rq->arena, path, STR("/delete")), "Delete the category");
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	const struct category *c;
	enum http_status status = find(rq, &c);
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

/* --- What is sent ----------------------------------------------------------------------------------- */

static enum http_status
save(struct request *rq, struct response *rs)
{
	const struct category_text text = category_text_of(rq->form->values);
	struct plan plan = plan_of_staff(rq);
	const struct category *c;
	enum http_status status = find_to_change(rq, &c);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	rc = category_edit(&plan, &publication_of(rq)->categories, c, &text);
	if (category_refuse(rq, rc))
		return show(rq, rs);
	return plan_answer(rq, rs, &plan, rc, admin_category_path(rq, c->slug), "saved");
}

/* Moves as many posts as one request may, and says whether there are more. */
static enum http_status
move_posts(
    struct request *rq, struct response *rs, struct plan *plan, struct str from, struct str into)
{
	enum plan_rc rc = category_merge_on(plan, from, into, AT_ONCE);

	if (rc == PLAN_MORE)
		return redirect_done(rq, rs, admin_category_path(rq, from), "part");
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
	    .action_url = STR_CONCAT(rq->arena, admin_category_path(rq, c->slug), STR("/merge")),
	    .cancel_url = admin_category_path(rq, c->slug),
	    .button = "Merge",
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
		return show(rq, rs);
	}
	if (!confirmed(rq))
		return ask_to_merge(rq, rs, c, into);
	rc = category_merge(&plan, c, into);
	if (rc == PLAN_CIRCLE || rc == PLAN_FULL) {
		form_refuse(rq->form, "into",
		    rc == PLAN_CIRCLE ? "It lies under this one." : "That is too deep for a tree.");
		return show(rq, rs);
	}
	return rc == PLAN_DONE ? move_posts(rq, rs, &plan, c->slug, into->slug)
			       : plan_refused(rs, &plan, rc);
}

static enum http_status
move_on(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	const struct category *into;
	enum http_status status = find(rq, &into);

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
	enum http_status status = find(rq, &c);
	struct confirmation ask = {.button = "Delete the category",
	    .message = STR("Drafts that name it are without a category from then on.")};

	if (status != HTTP_OK)
		return status;
	ask.title = STR_CONCAT(rq->arena, STR("Delete "), c->name, STR("?"));
	ask.cancel_url = admin_category_path(rq, c->slug);
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

PAGE(admin_category, .get = show, .post = save, .refused = show, .form = &admin_category_form,
    .query = QUERY("done"))
PAGE(admin_category_merge, .post = merge, .refused = show, .form = &merge_form)
PAGE(admin_category_move, .post = move_on)
PAGE(admin_category_delete, .get = confirm_delete, .post = delete_category)
