#include "pages/admin/admin.h"

#include "base/arena.h"
#include "model/permission.h"
#include "model/site/colour.h"
#include "model/text_rule.h"
#include "pages/shared/publication.h"
#include "text/template.h"
#include "web/http/asset.h"
#include "web/session/csrf.h"

#include <assert.h>

VIEW_FIELDS(admin_button_view, STRING(field), STRING(value), STRING(label), STRING(key),
    STRING(own_url), FLAG(destroys))
VIEW_FIELDS(admin_note_view, STRING(text))
VIEW_FIELDS(admin_row_view, STRING(url), STRING(name), STRING(text), STRING(badge), NUMBER(depth),
    FLAG(has_body), HTML(body_html), STRING(way_url), STRING(way_text),
    STRING(pick), FLAG(picked),
    LIST(notes, admin_note_view), LIST(buttons, admin_button_view))
VIEW_FIELDS(admin_kept_view, STRING(name), STRING(value))
VIEW_FIELDS(admin_search_view, STRING(action_url), STRING(label), STRING(name), STRING(value),
    STRING(hint), STRING(select_label), STRING(select_name), STRING(filter_label), STRING(filter),
    LIST(options, option_view), LIST(kept, admin_kept_view))
VIEW_FIELDS(admin_bulk_view, STRING(label), STRING(name), LIST(options, option_view),
    LIST(buttons, admin_button_view))
VIEW_FIELDS(admin_panel_view, STRING(id), STRING(heading), STRING(text), STRING(empty_text),
    STRING(action_url), STRING(token), STRING(secret), STRING(secret_hint), OPTION(search, admin_search_view),
    OPTION(bulk, admin_bulk_view),
    LIST(rows, admin_row_view), OPTION(pagination, pagination_view), OPTION(form, form_view),
    OPTION(picture, picture_form_view), LIST(ways, nav_link_view))
VIEW_FIELDS(admin_view, VIEW(layout, layout_view), LIST(sections, nav_link_view),
    LIST(breadcrumbs, link_view), STRING(title), STRING(intro), STRING(notice), STRING(staff_script_url),
    LIST(panels, admin_panel_view))
TEMPLATE(admin_template, "admin", admin_view)

/* The sections of the staff's pages, and the permission that each needs. */
static const struct {
	const char *path, *name;
	enum action needs;
} sections[] = {
    {"/admin", "Overview", MAY_OVERSEE},
    {"/admin/figures", "Figures", MAY_MANAGE},
    {"/admin/posts", "Posts", MAY_OVERSEE_POSTS},
    {"/admin/front", "Front page", MAY_ARRANGE},
    {"/admin/comments", "Comments", MAY_MODERATE},
    {"/admin/reviews", "Reviews", MAY_MODERATE},
    {"/admin/appeals", "Answers", MAY_MODERATE},
    {"/admin/addresses", "Addresses", MAY_MODERATE},
    {"/admin/categories", "Categories", MAY_ORDER_CATEGORIES},
    {"/admin/users", "People", MAY_MANAGE},
    {"/admin/groups", "Groups", MAY_MANAGE},
    {"/admin/invitations", "Invitations", MAY_INVITE},
    {"/admin/subscribers", "Subscribers", MAY_MANAGE},
    {"/admin/settings", "Settings", MAY_MANAGE},
    {"/admin/moderation", "Rules", MAY_MANAGE},
    {"/admin/system", "System", MAY_MANAGE},
    {"/admin/log", "Log", MAY_MANAGE},
};
enum { SECTIONS = sizeof(sections) / sizeof(sections[0]) };

struct admin_view *
admin_page(struct request *rq, const char *section, struct str title)
{
	struct admin_view *view = ARENA_NEW(rq->arena, struct admin_view);
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, SECTIONS, struct nav_link_view);

	for (size_t i = 0; i < SECTIONS; i++) {
		bool current = str_eq(str_of(sections[i].path), str_of(section));

		if (!may(rq->viewer, sections[i].needs, NO_THING))
			continue;
		links[view->sections.count++] = (struct nav_link_view){
		    str_of(sections[i].path), str_of(sections[i].name), current};
		if (current && !str_eq(title, str_of(sections[i].name)))
			admin_trail(rq, view, str_of(section), str_of(sections[i].name));
	}
	view->sections.items = links;
	view->title = title;
	view->notice = str_of(done_says(rq));
	view->staff_script_url = asset_url(rq->site->assets, STR("staff.js"));
	view->panels.items = ARENA_ARRAY(rq->arena, ADMIN_PANELS_MAX, struct admin_panel_view);
	return view;
}

struct admin_panel_view *
admin_panel(struct admin_view *view, const char *id, const char *heading)
{
	struct admin_panel_view *panels = (struct admin_panel_view *)view->panels.items;
	struct admin_panel_view *panel = &panels[view->panels.count];

	assert(view->panels.count < ADMIN_PANELS_MAX);
	view->panels.count++;
	panel->id = str_of(id);
	panel->heading = str_of(heading);
	return panel;
}

struct admin_search_view *
admin_filter(
    struct request *rq, const struct filter *filter, const char *label, const char *action_url)
{
	struct admin_search_view *search = ARENA_NEW(rq->arena, struct admin_search_view);

	*search = (struct admin_search_view){.action_url = str_of(action_url),
	    .filter_label = str_of(label),
	    .filter = filter->typed};
	return search;
}

void
admin_buttons_lead(
    struct request *rq, struct response *rs, struct admin_panel_view *panel, struct str action_url)
{
	panel->action_url = action_url;
	panel->token = csrf_token(rq, rs);
}

struct admin_button_view *
admin_button(struct request *rq, struct admin_row_view *row, const char *field, struct str value,
    const char *label)
{
	struct admin_button_view *buttons =
	    ARENA_ARRAY(rq->arena, row->buttons.count + 1, struct admin_button_view);

	for (size_t i = 0; i < row->buttons.count; i++)
		buttons[i] = row->buttons.items[i];
	row->buttons.items = buttons;
	buttons += row->buttons.count++;
	*buttons = (struct admin_button_view){
	    .field = str_of(field), .value = value, .label = str_of(label)};
	return buttons;
}

struct form_view *
admin_form(struct request *rq, struct response *rs, struct admin_panel_view *panel,
    const struct form_result *result, struct str action_url)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);

	form_view_fill(rq, rs, result, form);
	form->action_url = action_url;
	panel->form = form;
	return form;
}

void
admin_way(struct request *rq, struct admin_panel_view *panel, struct str url, const char *name)
{
	struct nav_link_view *ways = ARENA_ARRAY(rq->arena, panel->ways.count + 1, struct nav_link_view);

	for (size_t i = 0; i < panel->ways.count; i++)
		ways[i] = panel->ways.items[i];
	ways[panel->ways.count++] = (struct nav_link_view){.url = url, .name = str_of(name)};
	panel->ways.items = ways;
}

void
admin_trail(struct request *rq, struct admin_view *view, struct str url, struct str name)
{
	breadcrumb(rq, &view->breadcrumbs, url, name);
}

void
admin_check_colour(struct request *rq, const char *field)
{
	struct str colour = str_lower(rq->arena, str_trim(form_raw(rq->form, field)));
	int contrast;

	if (colour.len == 0 || form_error(rq->form, field) != NULL)
		return;
	if (!text_keeps(TEXT_COLOUR, colour)) {
		form_refuse(rq->form, field, "Write a colour as # and six digits, such as #1f4e79.");
		return;
	}
	contrast = colour_contrast(colour);
	if (contrast < COLOUR_CONTRAST_MIN)
		form_refuse(rq->form, field,
		    str_cstring(rq->arena,
			str_fmt(rq->arena,
			    "Nobody could read this on light paper: its contrast is %d.%d to 1, and text needs 4.5. "
			    "%.*s is the same, dark enough.",
			    contrast / 100, contrast / 10 % 10,
			    STR_ARGS(colour_for_light(rq->arena, colour)))));
}

/* The panel needs a form for its buttons. */
static bool
has_buttons(const struct admin_panel_view *panel)
{
	for (size_t i = 0; i < panel->rows.count; i++)
		if (panel->rows.items[i].buttons.count != 0)
			return true;
	return panel->bulk != NULL;
}

enum http_status
admin_respond(struct request *rq, struct response *rs, struct admin_view *view)
{
	struct admin_panel_view *panels = (struct admin_panel_view *)view->panels.items;
	struct page_frame frame = {.title = view->title, .noindex = true};

	for (size_t i = 0; i < view->panels.count; i++)
		if (!has_buttons(&panels[i]))
			panels[i].action_url = STR("");
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(admin_template, view));
}
