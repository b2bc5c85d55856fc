/* /admin/users/<u>, the groups of one person: which they are in, since when and by whom; in and out. */
#include "base/arena.h"
#include "pages/admin/user.h"
#include "pages/routes.h"
#include "pages/shared/words.h"
#include "text/url.h"

struct join_form {
	struct str group;
};
static const struct field join_fields[] = {
    {FIELD_SLUG(struct join_form, group), .label = "Group", .required = true,
	.missing = "Choose a group."},
};
static const struct form join_form =
    FORM("join", struct join_form, join_fields, .button = "Take in");

static const struct group *
group_named(const struct admin_person *p, struct str name)
{
	for (size_t i = 0; i < p->group_count; i++)
		if (str_eq(p->groups[i].name, name))
			return &p->groups[i];
	return NULL;
}

static void
show_memberships(struct request *rq, const struct admin_person *p, struct admin_panel_view *panel)
{
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, p->membership_count, struct admin_row_view);

	for (size_t i = 0; i < p->membership_count; i++) {
		struct membership m;
		const struct group *group;

		membership_from_item(rq->arena, &p->memberships[i], &m);
		group = group_named(p, m.group);
		rows[i] = (struct admin_row_view){
		    .url = url_join(rq->arena, STR("/admin/groups/"), m.group),
		    .name = group != NULL ? group->title : m.group,
		    .text = STR_CONCAT(rq->arena, STR("Added by "), m.added_by, STR(", "),
			words_date(rq, m.added)),
		};
		admin_button(rq, &rows[i], "leave", m.group, "Take out");
	}
	panel->rows.items = rows;
	panel->rows.count = p->membership_count;
	panel->empty_text = STR("In no group.");
}

/* The groups that they are not in. */
static void
offer_groups(struct request *rq, const struct admin_person *p, struct form_view *form,
    const struct form_result *result)
{
	struct option_view *options =
	    ARENA_ARRAY(rq->arena, p->group_count + 1, struct option_view);
	size_t count = 0;

	options[count++] = (struct option_view){STR(""), STR("–"), false};
	for (size_t i = 0; i < p->group_count; i++) {
		bool in = p->groups[i].ending;

		for (size_t m = 0; m < p->as.group_count; m++)
			in |= str_eq(p->as.groups[m].name, p->groups[i].name);
		if (!in)
			options[count++] =
			    (struct option_view){p->groups[i].name, p->groups[i].title, false};
	}
	form_view_offer(rq, form, result, "group", options, count);
}

void
admin_user_groups(
    struct request *rq, struct response *rs, const struct admin_person *p, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "groups", "Groups");
	struct form_result *result = form_shown(rq, &join_form);
	struct str action = STR_CONCAT(rq->arena, p->path, STR("/groups"));

	show_memberships(rq, p, panel);
	admin_buttons_lead(rq, rs, panel, STR_CONCAT(rq->arena, p->path, STR("/leave")));
	offer_groups(rq, p, admin_form(rq, rs, panel, result, action), result);
}

static enum http_status
join(struct request *rq, struct response *rs)
{
	const struct join_form *in = rq->form->values;
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc;

	if (!username_valid(request_param(rq, "username")))
		return HTTP_NOT_FOUND;
	rc = group_join(&plan, in->group, request_param(rq, "username"));
	switch (rc) {
	case PLAN_DONE: return redirect_done(rq, rs, admin_user_path(rq), "joined");
	case PLAN_NOT_THERE: form_refuse(rq->form, "group", "There is no such group."); break;
	case PLAN_TAKEN: form_refuse(rq->form, "group", "They are in this group already."); break;
	case PLAN_FULL: form_refuse(rq->form, "group", "They are in a hundred groups."); break;
	default: return plan_refused(rs, &plan, rc);
	}
	return admin_user_show(rq, rs);
}

static enum http_status
leave(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str group = input_of(rq, "leave");
	enum plan_rc rc;

	if (!username_valid(request_param(rq, "username")) || !group_name_valid(group))
		return HTTP_NOT_FOUND;
	rc = group_leave(&plan, group, request_param(rq, "username"));
	/* Who is in it no more is out, whoever did it. */
	return rc == PLAN_DONE || rc == PLAN_NOT_THERE
		   ? redirect_done(rq, rs, admin_user_path(rq), "left")
		   : plan_refused(rs, &plan, rc);
}

PAGE(admin_user_groups, .post = join, .refused = admin_user_show, .form = &join_form)
PAGE(admin_user_leave, .post = leave)
