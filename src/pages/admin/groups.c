/*
 * /admin/groups: all groups, and a new one; /admin/groups/<g>: permissions, members, and deletion.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/people/group.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { MEMBERS = 50 };

/* The form of a group. */
struct group_form {
	struct str name; /* of a new one only */
	struct str title, description;
	struct strings permissions; /* their names */
};

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
/* The same without the name, which does not change. */
static const struct form edited_group_form = {.name = "group",
    .fields = group_fields + 1,
    .count = sizeof(group_fields) / sizeof(group_fields[0]) - 1,
    .size = sizeof(struct group_form),
    .button = "Save"};

struct member_form {
	struct str username;
};
static const struct field member_fields[] = {
    {FIELD_NAME(struct member_form, username), .label = "Username", .required = true,
	.missing = "Whom?"},
};
static const struct form member_form =
    FORM("member", struct member_form, member_fields, .button = "Take in");

/* Check boxes for all permissions of groups. */
static void
offer_permissions(struct request *rq, struct form_view *view, const struct form_result *result)
{
	struct option_view options[GIVEN];

	for (size_t i = 0; i < GIVEN; i++)
		options[i] = (struct option_view){
		    str_of(permission_name(given[i].permission)), str_of(given[i].label), false};
	form_view_offer(rq, view, result, "permissions", options, GIVEN);
}

/* The group of a form; false, with an error at the field, for an unknown permission. */
static bool
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

/* "/admin/groups/<g>" */
static struct str
group_path(struct request *rq, struct str name)
{
	return url_join(rq->arena, STR("/admin/groups/"), name);
}

/* --- All groups -------------------------------------------------------------------------------- */

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

/* All that the row says of it. */
static struct str
row_text(struct request *rq, const struct item *item)
{
	const struct admin_row_view row = row_of(rq, item);

	return STR_CONCAT(rq->arena, row.name, STR("\n"), row.text);
}

static enum http_status
show_groups(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/groups", STR("Groups"));
	struct admin_panel_view *panel = admin_panel(view, "all", NULL);
	const struct filter filter = filter_of(rq);
	struct form_result *result = form_shown(rq, &new_group_form);
	struct read read = {.kind = READ_QUERY, .query = query_groups()};
	struct admin_row_view *rows;
	enum http_status status;

	read.query.limit = TABLE_QUERY_MAX;
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	if (read.found_count != 0)
		panel->search = admin_filter(rq, &filter, "Words in names and permissions", "/admin/groups");
	filter_keep(rq, &filter, TABLE_QUERY_MAX, row_text, &read);
	rows = ARENA_ARRAY(rq->arena, read.found_count, struct admin_row_view);
	for (size_t i = 0; i < read.found_count; i++)
		rows[i] = row_of(rq, &read.found[i]);
	panel->rows.items = rows;
	panel->rows.count = read.found_count;
	panel->empty_text = filter_empty(&filter, &read, "There is none yet.");
	view->intro =
	    STR("A group gives single permissions to people of any role, and a post can be "
		"for its members alone.");
	panel = admin_panel(view, "new", NULL);
	offer_permissions(rq, admin_form(rq, rs, panel, result, STR("/admin/groups")), result);
	return admin_respond(rq, rs, view);
}

static enum http_status
create_group(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct group group;
	enum plan_rc rc;

	if (!group_of_form(rq, &group))
		return show_groups(rq, rs);
	rc = group_create(&plan, &group);
	if (rc == PLAN_TAKEN) {
		form_refuse(rq->form, "name",
		    "There is a group of this name, or was: posts may be for it still. Choose "
		    "another name.");
		return show_groups(rq, rs);
	}
	return plan_answer(rq, rs, &plan, rc, group_path(rq, group.name), "made");
}

/* --- One group --------------------------------------------------------------------------------- */

/* The group of the address. */
static struct str
name_of(struct request *rq)
{
	return request_param(rq, "group");
}

static void
show_gifts(
    struct request *rq, struct response *rs, const struct group *group, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "gives", "What it gives");
	struct form_result *result = form_shown(rq, &edited_group_form);

	if (!form_was_sent(rq, &edited_group_form)) {
		form_fill(result, "title", group->title);
		form_fill(result, "description", group->description);
		for (unsigned bit = 1; bit < PERMISSIONS_ALL; bit <<= 1)
			if ((group->permissions & bit) != 0)
				form_fill_more(result, "permissions",
				    str_of(permission_name((enum permission)bit)));
	}
	offer_permissions(
	    rq, admin_form(rq, rs, panel, result, group_path(rq, group->name)), result);
}

static struct admin_row_view
member_row(struct request *rq, const struct item *item)
{
	struct membership m;
	struct admin_row_view row;

	membership_from_item(rq->arena, item, &m);
	row = (struct admin_row_view){
	    .url = url_join(rq->arena, STR("/admin/users/"), m.username),
	    .name = m.username,
	    .text = STR_CONCAT(
		rq->arena, STR("Added by "), m.added_by, STR(", "), words_date(rq, m.added)),
	};
	admin_button(rq, &row, "username", m.username, "Take out");
	return row;
}

static void
show_members(struct request *rq, struct response *rs, const struct group *group,
    const struct read *members, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "members", "Members");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, members->found_count, struct admin_row_view);
	struct str path = group_path(rq, group->name);

	for (size_t i = 0; i < members->found_count; i++)
		rows[i] = member_row(rq, &members->found[i]);
	panel->rows.items = rows;
	panel->rows.count = members->found_count;
	panel->empty_text = STR("Nobody is in it.");
	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, path, STR("/leave")));
	admin_form(rq, rs, panel, form_shown(rq, &member_form),
	    STR_CONCAT(rq->arena, path, STR("/members")));
	if (members->next.len != 0)
		admin_way(rq, panel, older_url(rq, members->next), "More members");
}

static enum http_status
show_group(struct request *rq, struct response *rs)
{
	struct read reads[2] = {
	    {.kind = READ_GET, .key = key_group(rq->arena, name_of(rq)), .consistent = true},
	    {.kind = READ_QUERY, .query = query_members(rq->arena, name_of(rq))},
	};
	struct admin_panel_view *panel;
	struct admin_view *view;
	struct group group;
	enum http_status status;
	bool newer;

	reads[1].query.limit = MEMBERS;
	if (!group_name_valid(name_of(rq)))
		return HTTP_NOT_FOUND;
	if (!list_cursor(rq, &reads[1].query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (!group_is_there(reads[0].item))
		return HTTP_NOT_FOUND;
	group_from_item(rq->arena, reads[0].item, &group);
	view = admin_page(rq, "/admin/groups", group.title);
	view->intro = group.ending ? STR("This group is being deleted.") : group.description;
	if (!group.ending) {
		show_gifts(rq, rs, &group, view);
		show_members(rq, rs, &group, &reads[1], view);
	}
	panel = admin_panel(view, "end", NULL);
	admin_way(rq, panel, STR_CONCAT(rq->arena, group_path(rq, group.name), STR("/delete")),
	    group.ending ? "Go on deleting it" : "Delete the group");
	return admin_respond(rq, rs, view);
}

/* --- Actions on it ---------------------------------------------------------------------------- */

/* Loads the group. HTTP_OK, or the answer. */
static enum http_status
find_group(struct request *rq, struct group *out)
{
	struct item *item;
	enum table_rc rc;

	if (!group_name_valid(name_of(rq)))
		return HTTP_NOT_FOUND;
	rc = table_get(rq->table, &rq->call, key_group(rq->arena, name_of(rq)), &item);
	if (rc != TABLE_OK)
		return status_of(rc);
	if (!group_is_there(item))
		return HTTP_NOT_FOUND;
	group_from_item(rq->arena, item, out);
	return HTTP_OK;
}

static enum http_status
save_group(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct group was, is;
	enum http_status status = find_group(rq, &was);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!group_of_form(rq, &is))
		return show_group(rq, rs);
	rc = group_edit(&plan, &was, &is);
	return plan_answer(rq, rs, &plan, rc, group_path(rq, was.name), "saved");
}

static enum http_status
take_in(struct request *rq, struct response *rs)
{
	const struct member_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc;

	if (!group_name_valid(name_of(rq)))
		return HTTP_NOT_FOUND;
	rc = group_join(&plan, name_of(rq), in->username);
	switch (rc) {
	case PLAN_DONE: return redirect_done(rq, rs, group_path(rq, name_of(rq)), "joined");
	case PLAN_NOBODY: form_refuse(rq->form, "username", "There is nobody of this name."); break;
	case PLAN_TAKEN: form_refuse(rq->form, "username", "They are in it already."); break;
	case PLAN_FULL: form_refuse(rq->form, "username", "They are in a hundred groups."); break;
	default: return plan_refused(rs, &plan, rc);
	}
	return show_group(rq, rs);
}

static enum http_status
take_out(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str username = input_of(rq, "username");
	enum plan_rc rc;

	if (!group_name_valid(name_of(rq)) || !username_valid(username))
		return HTTP_NOT_FOUND;
	rc = group_leave(&plan, name_of(rq), username);
	return rc == PLAN_DONE || rc == PLAN_NOT_THERE
		   ? redirect_done(rq, rs, group_path(rq, name_of(rq)), "left")
		   : plan_refused(rs, &plan, rc);
}

static enum http_status
confirm_delete(struct request *rq, struct response *rs)
{
	struct group group;
	enum http_status status = find_group(rq, &group);
	struct confirmation ask = {.button = "Delete the group",
	    .destroys = true,
	    .message = STR("Its members lose what it gave them, at once. What was written for its "
			   "members alone is its authors’ alone from then on.")};

	if (status != HTTP_OK)
		return status;
	ask.title = STR_CONCAT(rq->arena, STR("Delete "), group.title, STR("?"));
	ask.cancel_url = group_path(rq, group.name);
	ask.action_url = STR_CONCAT(rq->arena, ask.cancel_url, STR("/delete"));
	return confirm(rq, rs, &ask);
}

static enum http_status
delete_group(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc;

	if (!group_name_valid(name_of(rq)))
		return HTTP_NOT_FOUND;
	rc = group_delete(&plan, name_of(rq));
	/*
	 * With so many members that it takes several requests, the page has a button to continue.
	 */
	if (rc == PLAN_MORE)
		return redirect_done(rq, rs, group_path(rq, name_of(rq)), "ending");
	return plan_answer(rq, rs, &plan, rc, STR("/admin/groups"), "deleted");
}

PAGE(admin_groups, .get = show_groups, .post = create_group, .refused = show_groups,
    .form = &new_group_form, .query = QUERY("done", "q"))
PAGE(admin_group, .get = show_group, .post = save_group, .refused = show_group,
    .form = &edited_group_form, .query = QUERY("after", "done"))
PAGE(admin_group_members, .post = take_in, .refused = show_group, .form = &member_form)
PAGE(admin_group_leave, .post = take_out)
PAGE(admin_group_delete, .get = confirm_delete, .post = delete_group)
