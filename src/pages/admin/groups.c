/* /admin/groups: all groups, and a new one. */
#include "pages/admin/groups.h"

#include "base/arena.h"
#include "model/key.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "text/url.h"

static const struct {
	enum permission permission;
	const char *label;
} given[] = {
    {PERMISSION_POSTS_PUBLISH, "Write, and publish what they wrote"},
    {PERMISSION_POSTS_EDIT, "Work on everybody’s posts, drafts too"},
    {PERMISSION_PAGES_EDIT, "Work on the static pages"},
    {PERMISSION_CATEGORIES_EDIT, "Order the tree of categories"},
    {PERMISSION_COMMENTS_MODERATE, "Let comments through, and take them down"},
    {PERMISSION_USERS_INVITE, "Invite others to register"},
};
enum { GIVEN = sizeof(given) / sizeof(given[0]) };

static const struct field group_fields[] = {
    {FIELD_SLUG(struct group_form, name), .label = "Name in addresses", .required = true,
	.max = GROUP_NAME_MAX, .missing = "Give it a name for addresses.",
	.hint = "Small letters, digits and hyphens. It stays as it is."},
    {FIELD_LINE(struct group_form, title), .label = "Name as shown", .required = true, .max = 80,
	.missing = "Give it a name."},
    {FIELD_TEXT(struct group_form, description), .label = "What it is for", .max = 500},
    {FIELD_LIST(struct group_form, permissions),
	.label = "What its members may do, whatever their role", .max = 40},
};
static const struct form new_group_form = FORM("group", struct group_form, group_fields,
    .heading = "A new group", .action = "/admin/groups", .button = "Make the group");
/* The same but for its name, which stays. */
const struct form admin_group_form = {.name = "group",
    .fields = group_fields + 1,
    .count = sizeof(group_fields) / sizeof(group_fields[0]) - 1,
    .size = sizeof(struct group_form),
    .button = "Save"};

void
offer_permissions(struct request *rq, struct form_view *view, const struct form_result *result)
{
	struct option_view options[GIVEN];

	for (size_t i = 0; i < GIVEN; i++)
		options[i] = (struct option_view){
		    str_of(permission_name(given[i].permission)), str_of(given[i].label), false};
	form_view_offer(rq, view, result, "permissions", options, GIVEN);
}

bool
group_of_form(struct request *rq, struct group *out)
{
	const struct group_form *in = rq->form->values;

	*out = (struct group){.name = in->name, .title = in->title, .description = in->description};
	for (size_t i = 0; i < in->permissions.count; i++) {
		unsigned bit = permission_of(in->permissions.strings[i]);

		if (bit == 0) {
			form_refuse(rq->form, "permissions", "Choose among these.");
			return false;
		}
		out->permissions |= bit;
	}
	return true;
}

struct str
group_path(struct request *rq, struct str name)
{
	return url_join(rq->arena, STR("/admin/groups/"), name);
}

static struct admin_row_view
row_of(struct request *rq, const struct item *item)
{
	struct group group;

	group_from_item(rq->arena, item, &group);
	return (struct admin_row_view){
	    .url = group_path(rq, group.name),
	    .name = group.title,
	    .badge = group.ending ? STR("being deleted") : STR(""),
	    .text = group.permissions != 0 ? group_permissions_text(rq->arena, group.permissions)
					   : STR("Gives nothing; posts can be for its members"),
	};
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/groups", STR("Groups"));
	struct admin_panel_view *panel = admin_panel(view, "all", NULL);
	struct form_result *result = form_shown(rq, &new_group_form);
	struct read read = {.kind = READ_QUERY, .query = query_groups()};
	struct admin_row_view *rows;
	enum http_status status;

	read.query.limit = TABLE_QUERY_MAX;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct admin_row_view);
	for (size_t i = 0; i < read.found_count; i++)
		rows[i] = row_of(rq, &read.found[i]);
	panel->rows.items = rows;
	panel->rows.count = read.found_count;
	panel->empty_text = STR("There is none yet.");
	view->intro =
	    STR("A group gives single permissions to people of any role, and a post can be "
		"for its members alone.");
	panel = admin_panel(view, "new", NULL);
	offer_permissions(rq, admin_form(rq, rs, panel, result, STR("/admin/groups")), result);
	return admin_respond(rq, rs, view);
}

static enum http_status
create(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct group group;
	enum plan_rc rc;

	if (!group_of_form(rq, &group))
		return show(rq, rs);
	rc = group_create(&plan, &group);
	if (rc == PLAN_TAKEN) {
		form_refuse(rq->form, "name",
		    "There is a group of this name, or was: posts may be for it still. Choose "
		    "another name.");
		return show(rq, rs);
	}
	return plan_answer(rq, rs, &plan, rc, group_path(rq, group.name), "made");
}

PAGE(admin_groups, .get = show, .post = create, .refused = show, .form = &new_group_form,
    .query = QUERY("done"))
