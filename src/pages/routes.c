#include "pages/routes.h"

#include "pages/admin.h"
#include "pages/lists.h"
#include "pages/uploads.h"
#include "pages/waiting.h"
#include "pages/write_form.h"

#define GET METHOD_GET
#define POST METHOD_POST
#define MEMBER .needs = MAY_TAKE_PART
#define ADMIN .needs = MAY_MANAGE
#define ORDER .needs = MAY_ORDER_CATEGORIES
#define WRITER .needs = MAY_WRITE
#define LIST .policy = CACHE_PAGE, .query = list_parameters
#define PAGE .policy = CACHE_PAGE
#define OPEN .policy = CACHE_HOUR

extern const struct form codes_form, email_form, enrol_form, forgot_form, leaving_form,
    login_code_form, login_form, password_form, profile_form, register_form, reset_form,
    sessions_form, two_step_off_form;
extern const char *const account_parameters[];
extern const char *const compare_parameters[];
extern const char *const desk_parameters[];
extern const char *const one_upload_parameters[];
extern const char *const own_data_parameters[];
extern const char *const post_parameters[];
extern const char *const revisions_parameters[];
extern const char *const share_parameters[];
extern const char *const sign_in_parameters[];
extern const char *const upload_parameters[];
extern const char *const write_parameters[];

#define WRITING(needed) .needs = (needed), .query = write_parameters, .body_max = write_body_max

const struct route site_routes[] = {
    {GET, "/", page_front, LIST},
    {GET, "/post/:slug", page_post, PAGE, .query = post_parameters},
    {GET, "/page/:slug", page_static, PAGE, .query = post_parameters},
    {GET, "/categories", page_categories, PAGE},
    {GET, "/category/:slug", page_category, LIST},
    {GET, "/category/:slug/feed.atom", page_category_feed, OPEN},
    {GET, "/category/:slug/:feed", page_feed_alias, OPEN},
    {GET, "/authors", page_authors, LIST},
    {GET, "/author/:username", page_author, LIST},
    {GET, "/author/:username/feed.atom", page_author_feed, OPEN},
    {GET, "/author/:username/:feed", page_feed_alias, OPEN},
    {GET, "/tags", page_tags, LIST},
    {GET, "/tag/:tag", page_tag, LIST},
    {GET, "/tag/:tag/feed.atom", page_tag_feed, OPEN},
    {GET, "/tag/:tag/:feed", page_feed_alias, OPEN},
    {GET, "/archive", page_archive, PAGE},
    {GET, "/archive/:year", page_archive_list, LIST},
    {GET, "/archive/:year/:month", page_archive_month, LIST},
    {GET, "/archive/:year/:month/:day", page_archive_list, LIST},
    {GET, "/collections", page_collections, LIST},
    {GET, "/collection/:id", page_collection, LIST},

    {GET, "/feed.atom", page_feed, OPEN},
    {GET, "/feed", page_feed_alias, OPEN},
    {GET, "/feed.xml", page_feed_alias, OPEN},
    {GET, "/feed/atom", page_feed_alias, OPEN},
    {GET, "/feeds", page_feed_alias, OPEN},
    {GET, "/rss", page_feed_alias, OPEN},
    {GET, "/rss.xml", page_feed_alias, OPEN},
    {GET, "/atom", page_feed_alias, OPEN},
    {GET, "/atom.xml", page_feed_alias, OPEN},
    {GET, "/index.xml", page_feed_alias, OPEN},
    {GET, "/sitemap.xml", page_sitemap, OPEN},
    {GET, "/sitemap/:file", page_sitemap_file, OPEN},
    {GET, "/robots.txt", page_robots, OPEN},
    {GET, "/favicon.ico", page_icon, OPEN},
    {GET, "/apple-touch-icon.png", page_icon, OPEN},
    {GET, "/apple-touch-icon-precomposed.png", page_icon, OPEN},
    {GET, "/static/:file", page_asset, OPEN, .keeps_case = true, .without_table = true},
    {GET, "/healthz", page_health, .before_two_step = true},

    {GET, "/uploads", page_uploads, WRITER, .query = upload_parameters},
    {POST, "/uploads", page_uploads_post, WRITER, .body_max = upload_body_max},
    {GET, "/uploads/:hash", page_upload, WRITER, .query = one_upload_parameters},
    {POST, "/uploads/:hash/delete", page_upload_delete, WRITER},

    {GET, "/login", page_login, .query = sign_in_parameters},
    {POST, "/login", page_login_post, page_login_refused, &login_form,
	.body_max = waiting_body_max},
    {GET, "/login/code", page_login},
    {POST, "/login/code", page_login_code_post, page_login_code_refused, &login_code_form,
	.body_max = waiting_body_max},
    {POST, "/logout", page_logout, MEMBER, .before_two_step = true},
    {GET, "/register", page_register, .query = sign_in_parameters, .secret = true},
    {POST, "/register", page_register_post, page_register_refused, &register_form},
    {GET, "/forgot", page_forgot},
    {POST, "/forgot", page_forgot_post, page_forgot_refused, &forgot_form},
    {GET, "/confirm/:code", page_confirm_email, .keeps_case = true, .secret = true},
    {POST, "/confirm/:code", page_confirm_email_post, .keeps_case = true, .secret = true},
    {GET, "/reset/:code", page_reset, .keeps_case = true, .secret = true},
    {POST, "/reset/:code", page_reset_post, page_reset_refused, &reset_form, .keeps_case = true,
	.secret = true},
    {GET, "/account", page_account, MEMBER, .query = account_parameters},
    {POST, "/account/profile", page_profile_post, page_account_again, &profile_form, MEMBER},
    {POST, "/account/email", page_email_post, page_account_again, &email_form, MEMBER,
	.proves = true},
    {POST, "/account/password", page_password_post, page_account_again, &password_form, MEMBER,
	.proves = true},
    {POST, "/account/sessions", page_sessions_post, page_account_again, &sessions_form, MEMBER,
	.proves = true},
    {GET, "/account/data", page_own_data, MEMBER, .query = own_data_parameters},
    {POST, "/account/export", page_export, MEMBER},
    {POST, "/account/delete", page_account_delete, page_own_data, &leaving_form, MEMBER,
	.proves = true},
    {GET, "/account/two-step", page_two_step, MEMBER, .before_two_step = true},
    {POST, "/account/two-step", page_two_step_post, page_two_step, &enrol_form, MEMBER,
	.before_two_step = true, .proves = true},
    {POST, "/account/two-step/codes", page_two_step_codes, page_two_step, &codes_form, MEMBER,
	.proves = true},
    {POST, "/account/two-step/off", page_two_step_off, page_two_step, &two_step_off_form, MEMBER,
	.proves = true},

    {GET, "/admin", page_admin, .needs = MAY_OVERSEE},
    {GET, "/admin/posts", page_admin_posts, .needs = MAY_OVERSEE_POSTS,
	.query = admin_posts_parameters},
    {POST, "/admin/posts", page_admin_posts_post, .needs = MAY_OVERSEE_POSTS},
    {GET, "/admin/categories", page_admin_categories, ORDER, .query = admin_parameters},
    {POST, "/admin/categories", page_admin_category_create, page_admin_categories_again,
	&admin_new_category_form, ORDER},
    {POST, "/admin/category-order", page_admin_category_order, ORDER},
    {GET, "/admin/categories/:slug", page_admin_category, ORDER, .query = admin_parameters},
    {POST, "/admin/categories/:slug", page_admin_category_post, page_admin_category_again,
	&admin_category_form, ORDER},
    {POST, "/admin/categories/:slug/merge", page_admin_merge_post, page_admin_category_again,
	&admin_merge_form, ORDER},
    {POST, "/admin/categories/:slug/move", page_admin_move_post, ORDER},
    {GET, "/admin/categories/:slug/delete", page_admin_category_delete, ORDER},
    {POST, "/admin/categories/:slug/delete", page_admin_category_delete_post, ORDER},
    {GET, "/admin/users", page_admin_users, ADMIN, .query = admin_users_parameters},
    {GET, "/admin/users/:username", page_admin_user, ADMIN, .query = admin_parameters},
    {POST, "/admin/users/:username/role", page_admin_role_post, page_admin_user_again,
	&admin_role_form, ADMIN},
    {GET, "/admin/users/:username/disable", page_admin_disable, ADMIN},
    {POST, "/admin/users/:username/disable", page_admin_disable_post, ADMIN},
    {POST, "/admin/users/:username/enable", page_admin_enable_post, ADMIN},
    {POST, "/admin/users/:username/sessions", page_admin_sessions_post, ADMIN},
    {POST, "/admin/users/:username/reset", page_admin_reset_post, ADMIN},
    {POST, "/admin/users/:username/groups", page_admin_join_post, page_admin_user_again,
	&admin_join_form, ADMIN},
    {POST, "/admin/users/:username/leave", page_admin_leave_post, ADMIN},
    {GET, "/admin/groups", page_admin_groups, ADMIN, .query = admin_parameters},
    {POST, "/admin/groups", page_admin_group_create, page_admin_groups_again, &admin_new_group_form,
	ADMIN},
    {GET, "/admin/groups/:group", page_admin_group, ADMIN, .query = admin_group_parameters},
    {POST, "/admin/groups/:group", page_admin_group_post, page_admin_group_again, &admin_group_form,
	ADMIN},
    {POST, "/admin/groups/:group/members", page_admin_member_post, page_admin_group_again,
	&admin_member_form, ADMIN},
    {POST, "/admin/groups/:group/leave", page_admin_group_leave, ADMIN},
    {GET, "/admin/groups/:group/delete", page_admin_group_delete, ADMIN},
    {POST, "/admin/groups/:group/delete", page_admin_group_delete_post, ADMIN},
    {GET, "/admin/settings", page_admin_settings, ADMIN, .query = admin_parameters},
    {POST, "/admin/settings", page_admin_settings_post, page_admin_settings_again,
	&admin_settings_form, ADMIN},
    {GET, "/admin/invitations", page_admin_invitations, .needs = MAY_INVITE},
    {POST, "/admin/invitations", page_admin_invite_post, .needs = MAY_INVITE},
    {GET, "/admin/log", page_admin_log, ADMIN, .query = admin_log_parameters},

    {GET, "/revisions/:id", page_revisions, MEMBER, .query = revisions_parameters},
    {GET, "/revisions/:id/compare", page_compare, MEMBER, .query = compare_parameters},
    {POST, "/revisions/:id/restore", page_restore, MEMBER},
    {GET, "/share/:id", page_share, MEMBER, .query = share_parameters},
    {POST, "/share/:id", page_share_post, MEMBER},
    {POST, "/share/:id/revoke", page_share_revoke, MEMBER},
    {GET, "/draft/:code", page_draft, .keeps_case = true, .secret = true},

    {GET, "/desk", page_desk, MEMBER, .query = desk_parameters},
    {GET, "/desk/:section", page_desk, MEMBER, .query = desk_parameters},
    {GET, "/write", page_write_kinds, WRITER},
    {GET, "/write/page", page_write, WRITING(MAY_WRITE_PAGES)},
    {POST, "/write/page", page_write_post, WRITING(MAY_WRITE_PAGES)},
    {GET, "/write/:kind", page_write, WRITING(MAY_WRITE)},
    {POST, "/write/:kind", page_write_post, WRITING(MAY_WRITE)},
    {GET, "/edit/:id", page_write, WRITING(MAY_TAKE_PART)},
    {POST, "/edit/:id", page_write_post, WRITING(MAY_TAKE_PART)},
    {GET, "/edit/:id/delete", page_delete, MEMBER},
    {POST, "/edit/:id/delete", page_delete_post, MEMBER},
    {POST, "/edit/:id/undelete", page_undelete, MEMBER},
    {POST, "/edit/:id/accept", page_accept, MEMBER},
    {POST, "/edit/:id/leave", page_step_back, MEMBER},
};
const size_t site_route_count = sizeof(site_routes) / sizeof(site_routes[0]);

extern const struct template_spec upload_template, uploads_template;
extern const struct template_spec desk_template, write_kinds_template, write_template;
extern const struct template_spec account_template, admin_template, confirm_template,
    archive_month_template, archive_template, article_template, author_template, authors_template,
    categories_template, category_template, collection_template, collections_template,
    compare_template, error_template, front_template, howto_template, link_template, note_template,
    own_data_template, page_template, revisions_template, share_template, sign_in_template,
    tag_template, tags_template, two_step_template;

const struct template_spec *const site_templates[] = {
    &account_template,
    &admin_template,
    &archive_month_template,
    &archive_template,
    &article_template,
    &author_template,
    &authors_template,
    &categories_template,
    &category_template,
    &collection_template,
    &collections_template,
    &compare_template,
    &confirm_template,
    &desk_template,
    &error_template,
    &front_template,
    &howto_template,
    &link_template,
    &list_template,
    &note_template,
    &own_data_template,
    &page_template,
    &revisions_template,
    &share_template,
    &sign_in_template,
    &tag_template,
    &tags_template,
    &two_step_template,
    &upload_template,
    &uploads_template,
    &write_kinds_template,
    &write_template,
};
const size_t site_template_count = sizeof(site_templates) / sizeof(site_templates[0]);
