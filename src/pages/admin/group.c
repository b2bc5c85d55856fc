/* /admin/groups/<g>: one group: what it gives, who is in it, and its end. */
#include "base/arena.h"
#include "model/key.h"
#include "pages/admin/groups.h"
#include "pages/routes.h"
#include "pages/shared/confirm.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { MEMBERS = 50 };

struct member_form {
	struct str username;
};
static const struct field member_fields[] = {
    {FIELD_NAME(struct member_form, username), .label = "Username", .required = true,
	.missing = "Whom?"},
};
static const struct form member_form =
    FORM("member", struct member_form, member_fields, .button = "Take in");

/* The group that the address names. */
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
	struct form_result *result = form_shown(rq, &admin_group_form);

	if (!form_was_sent(rq, &admin_group_form)) {
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
show(struct request *rq, struct response *rs)
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

/* --- What is sent ----------------------------------------------------------------------------------- */

/* The group as it is. HTTP_OK, or what is to be answered. */
static enum http_status
find(struct request *rq, struct group *out)
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
save(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct group was, is;
	enum http_status status = find(rq, &was);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (!group_of_form(rq, &is))
		return show(rq, rs);
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
	return show(rq, rs);
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
	enum http_status status = find(rq, &group);
	struct confirmation ask = {.button = "Delete the group",
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
	/* So many members that it takes more than one request: the page has the way on. */
	if (rc == PLAN_MORE)
		return redirect_done(rq, rs, group_path(rq, name_of(rq)), "ending");
	return plan_answer(rq, rs, &plan, rc, STR("/admin/groups"), "deleted");
}

PAGE(admin_group, .get = show, .post = save, .refused = show, .form = &admin_group_form,
    .query = QUERY("after", "done"))
PAGE(admin_group_members, .post = take_in, .refused = show, .form = &member_form)
PAGE(admin_group_leave, .post = take_out)
PAGE(admin_group_delete, .get = confirm_delete, .post = delete_group)
