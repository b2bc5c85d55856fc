#ifndef PAGES_ROUTES_H
#define PAGES_ROUTES_H

#include "web/dispatch.h"
#include "web/template.h"

/* All pages of the program, in one table. */
extern const struct route site_routes[];
extern const size_t site_route_count;

/* Every template that a page answers with, for templates_load(). */
extern const struct template_spec *const site_templates[];
extern const size_t site_template_count;

/* Each page is a file of its name. */
enum http_status page_front(struct request *rq, struct response *rs);
enum http_status page_post(struct request *rq, struct response *rs);
enum http_status page_static(struct request *rq, struct response *rs);
enum http_status page_category(struct request *rq, struct response *rs);
enum http_status page_categories(struct request *rq, struct response *rs);
enum http_status page_author(struct request *rq, struct response *rs);
enum http_status page_authors(struct request *rq, struct response *rs);
enum http_status page_tag(struct request *rq, struct response *rs);
enum http_status page_tags(struct request *rq, struct response *rs);
enum http_status page_archive(struct request *rq, struct response *rs);
enum http_status page_archive_month(struct request *rq, struct response *rs);
enum http_status page_archive_list(struct request *rq, struct response *rs);
enum http_status page_collection(struct request *rq, struct response *rs);
enum http_status page_collections(struct request *rq, struct response *rs);
enum http_status page_feed(struct request *rq, struct response *rs);
enum http_status page_feed_alias(struct request *rq, struct response *rs);
enum http_status page_author_feed(struct request *rq, struct response *rs);
enum http_status page_category_feed(struct request *rq, struct response *rs);
enum http_status page_tag_feed(struct request *rq, struct response *rs);
enum http_status page_sitemap(struct request *rq, struct response *rs);
enum http_status page_sitemap_file(struct request *rq, struct response *rs);
enum http_status page_robots(struct request *rq, struct response *rs);
enum http_status page_asset(struct request *rq, struct response *rs);
enum http_status page_icon(struct request *rq, struct response *rs);
enum http_status page_health(struct request *rq, struct response *rs);

enum http_status page_login(struct request *rq, struct response *rs);
enum http_status page_login_post(struct request *rq, struct response *rs);
enum http_status page_login_refused(struct request *rq, struct response *rs);
enum http_status page_login_code_post(struct request *rq, struct response *rs);
enum http_status page_login_code_refused(struct request *rq, struct response *rs);
enum http_status page_logout(struct request *rq, struct response *rs);
enum http_status page_register(struct request *rq, struct response *rs);
enum http_status page_register_post(struct request *rq, struct response *rs);
enum http_status page_register_refused(struct request *rq, struct response *rs);
enum http_status page_forgot(struct request *rq, struct response *rs);
enum http_status page_forgot_post(struct request *rq, struct response *rs);
enum http_status page_forgot_refused(struct request *rq, struct response *rs);
enum http_status page_confirm_email(struct request *rq, struct response *rs);
enum http_status page_confirm_email_post(struct request *rq, struct response *rs);
enum http_status page_reset(struct request *rq, struct response *rs);
enum http_status page_reset_post(struct request *rq, struct response *rs);
enum http_status page_reset_refused(struct request *rq, struct response *rs);
enum http_status page_account(struct request *rq, struct response *rs);
enum http_status page_account_again(struct request *rq, struct response *rs);
enum http_status page_profile_post(struct request *rq, struct response *rs);
enum http_status page_email_post(struct request *rq, struct response *rs);
enum http_status page_password_post(struct request *rq, struct response *rs);
enum http_status page_sessions_post(struct request *rq, struct response *rs);
enum http_status page_own_data(struct request *rq, struct response *rs);
enum http_status page_export(struct request *rq, struct response *rs);
enum http_status page_account_delete(struct request *rq, struct response *rs);
enum http_status page_two_step(struct request *rq, struct response *rs);
/* The site's lead_first: to the second step, whoever must have one. */
enum http_status page_two_step_first(struct request *rq, struct response *rs);
enum http_status page_two_step_post(struct request *rq, struct response *rs);
enum http_status page_two_step_codes(struct request *rq, struct response *rs);
enum http_status page_two_step_off(struct request *rq, struct response *rs);

enum http_status page_admin(struct request *rq, struct response *rs);
enum http_status page_admin_users(struct request *rq, struct response *rs);
enum http_status page_admin_user(struct request *rq, struct response *rs);
enum http_status page_admin_user_again(struct request *rq, struct response *rs);
enum http_status page_admin_role_post(struct request *rq, struct response *rs);
enum http_status page_admin_disable(struct request *rq, struct response *rs);
enum http_status page_admin_disable_post(struct request *rq, struct response *rs);
enum http_status page_admin_enable_post(struct request *rq, struct response *rs);
enum http_status page_admin_sessions_post(struct request *rq, struct response *rs);
enum http_status page_admin_reset_post(struct request *rq, struct response *rs);
enum http_status page_admin_join_post(struct request *rq, struct response *rs);
enum http_status page_admin_leave_post(struct request *rq, struct response *rs);
enum http_status page_admin_categories(struct request *rq, struct response *rs);
enum http_status page_admin_categories_again(struct request *rq, struct response *rs);
enum http_status page_admin_category_create(struct request *rq, struct response *rs);
enum http_status page_admin_category_order(struct request *rq, struct response *rs);
enum http_status page_admin_category(struct request *rq, struct response *rs);
enum http_status page_admin_category_again(struct request *rq, struct response *rs);
enum http_status page_admin_category_post(struct request *rq, struct response *rs);
enum http_status page_admin_merge_post(struct request *rq, struct response *rs);
enum http_status page_admin_move_post(struct request *rq, struct response *rs);
enum http_status page_admin_category_delete(struct request *rq, struct response *rs);
enum http_status page_admin_category_delete_post(struct request *rq, struct response *rs);
enum http_status page_admin_posts(struct request *rq, struct response *rs);
enum http_status page_admin_posts_post(struct request *rq, struct response *rs);
enum http_status page_admin_groups(struct request *rq, struct response *rs);
enum http_status page_admin_groups_again(struct request *rq, struct response *rs);
enum http_status page_admin_group_create(struct request *rq, struct response *rs);
enum http_status page_admin_group(struct request *rq, struct response *rs);
enum http_status page_admin_group_again(struct request *rq, struct response *rs);
enum http_status page_admin_group_post(struct request *rq, struct response *rs);
enum http_status page_admin_member_post(struct request *rq, struct response *rs);
enum http_status page_admin_group_leave(struct request *rq, struct response *rs);
enum http_status page_admin_group_delete(struct request *rq, struct response *rs);
enum http_status page_admin_group_delete_post(struct request *rq, struct response *rs);
enum http_status page_admin_settings(struct request *rq, struct response *rs);
enum http_status page_admin_settings_again(struct request *rq, struct response *rs);
enum http_status page_admin_settings_post(struct request *rq, struct response *rs);
enum http_status page_admin_invitations(struct request *rq, struct response *rs);
enum http_status page_admin_invite_post(struct request *rq, struct response *rs);
enum http_status page_admin_log(struct request *rq, struct response *rs);
enum http_status page_revisions(struct request *rq, struct response *rs);
enum http_status page_compare(struct request *rq, struct response *rs);
enum http_status page_restore(struct request *rq, struct response *rs);
enum http_status page_share(struct request *rq, struct response *rs);
enum http_status page_share_post(struct request *rq, struct response *rs);
enum http_status page_share_revoke(struct request *rq, struct response *rs);
enum http_status page_draft(struct request *rq, struct response *rs);
enum http_status page_uploads(struct request *rq, struct response *rs);
enum http_status page_uploads_post(struct request *rq, struct response *rs);
enum http_status page_upload(struct request *rq, struct response *rs);
enum http_status page_upload_delete(struct request *rq, struct response *rs);
enum http_status page_write_kinds(struct request *rq, struct response *rs);
enum http_status page_write(struct request *rq, struct response *rs);
enum http_status page_write_post(struct request *rq, struct response *rs);
enum http_status page_delete(struct request *rq, struct response *rs);
enum http_status page_delete_post(struct request *rq, struct response *rs);
enum http_status page_accept(struct request *rq, struct response *rs);
enum http_status page_step_back(struct request *rq, struct response *rs);
enum http_status page_undelete(struct request *rq, struct response *rs);
enum http_status page_desk(struct request *rq, struct response *rs);

/* The site's sign_in_first: the sign-in page with the form that was sent in it. */
enum http_status page_sign_in_first(struct request *rq, struct response *rs);

/* The site's render_error: error pages in the site's own clothes. */
bool page_error(struct request *rq, struct response *rs, enum http_status status);

#endif
