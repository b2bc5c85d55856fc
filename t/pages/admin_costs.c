/*
 * What the staff's pages and forms cost at the table, and what happens when it fails: each call of
 * each form fails in turn; the answer is 503, nothing is done, and nothing is in the log.
 */
#include "trials.h"

/* Includes reading the session and the person; members of groups have their groups read as well. */
static const struct trial_page pages[] = {
    {"marta", "/admin", 22, 2}, {"marta", "/admin/comments", 11, 3}, {"marta", "/admin/posts", 3, 2},
    {"marta", "/admin/figures", 4, 2}, {"marta", "/admin/figures/days.csv", 4, 2},
    {"marta", "/admin/posts?state=scheduled", 3, 2}, {"marta", "/admin/posts?state=drafts", 2, 1},
    {"marta", "/admin/posts?state=drafts&author=lowri", 3, 2}, {"marta", "/admin/categories", 2, 1},
    {"marta", "/admin/categories/kitchen", 2, 1},
    {"marta", "/admin/categories/kitchen/delete", 2, 1}, {"marta", "/admin/users", 3, 2},
    {"marta", "/admin/users?q=ko", 3, 2},
    {"marta", "/admin/users?q=kofi%40example.org", 4, 3}, /* the address leads to the person */
    {"marta", "/admin/users?standing=waiting", 3, 2}, {"marta", "/admin/users/kofi", 6, 2},
    {"marta", "/admin/users/kofi/disable", 3, 2}, {"marta", "/admin/groups", 3, 2},
    {"marta", "/admin/groups/proofreaders", 4, 2},
    {"marta", "/admin/groups/proofreaders/delete", 3, 2}, {"marta", "/admin/settings", 3, 2},
    {"marta", "/admin/moderation", 2, 1}, {"marta", "/admin/front", 2, 1},
    {"marta", "/admin/log", 3, 2}, {"marta", "/admin/system", 3, 2},
    {"marta", "/admin/subscribers", 7, 2},
    {"ingrid", "/admin", 10, 3}, /* a member of a group, who manages nothing */
};

#define PAIRS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define BUTTON PAIRS("x", "y")

static const struct trial_form forms[] = {
    {"a role", "marta", "/admin/users/kofi", .action = "/admin/users/kofi/role",
	.pairs = PAIRS("role", "editor"), .right = HTTP_SEE_OTHER},
    {"shutting somebody out", "marta", "/admin/users/kofi/disable",
	.action = "/admin/users/kofi/disable", .pairs = BUTTON, .right = HTTP_SEE_OTHER},
    {"letting somebody in", "marta", "/admin/users/kofi", .action = "/admin/users/kofi/enable",
	.pairs = BUTTON, .right = HTTP_SEE_OTHER},
    {"a link for a password", "marta", "/admin/users/kofi", .action = "/admin/users/kofi/reset",
	.pairs = BUTTON, .right = HTTP_OK},
    {"taking somebody into a group", "marta", "/admin/users/pascal",
	.action = "/admin/users/pascal/groups", .pairs = PAIRS("group", "proofreaders"),
	.right = HTTP_SEE_OTHER},
    {"... and out of it", "marta", "/admin/users/pascal", .action = "/admin/users/pascal/leave",
	.pairs = PAIRS("leave", "proofreaders"), .right = HTTP_SEE_OTHER},
    {"a new group", "marta", "/admin/groups", .action = "/admin/groups",
	.pairs = PAIRS("name", "new", "title", "New", "permissions", "posts.edit"),
	.right = HTTP_SEE_OTHER},
    {"a group's gifts", "marta", "/admin/groups/new", .action = "/admin/groups/new",
	.pairs = PAIRS("title", "Other"), .right = HTTP_SEE_OTHER},
    {"a new category", "marta", "/admin/categories", .action = "/admin/categories",
	.pairs = PAIRS("name", "New", "parent", "kitchen"), .right = HTTP_SEE_OTHER},
    {"a category's place", "marta", "/admin/categories/new", .action = "/admin/categories/new",
	.pairs = PAIRS("name", "Newer", "parent", "town"), .right = HTTP_SEE_OTHER},
    {"the order of categories", "marta", "/admin/categories", .action = "/admin/category-order",
	.pairs = PAIRS("up", "kitchen"), .right = HTTP_SEE_OTHER},
    {"a category's end", "marta", "/admin/categories/new/delete",
	.action = "/admin/categories/new/delete", .pairs = BUTTON, .right = HTTP_SEE_OTHER},
    {"settings", "marta", "/admin/settings", .action = "/admin/settings",
	.pairs = PAIRS("name", "High Water", "language", "en", "registration", "open",
	    "posts_per_page", "9", "time_zone", "UTC"),
	.right = HTTP_SEE_OTHER},
    {"an invitation", "tobias", "/admin/invitations", .action = "/admin/invitations",
	.pairs = PAIRS("invite", "1"), .right = HTTP_OK},
    {"signing somebody out", "marta", "/admin/users/tobias",
	.action = "/admin/users/tobias/sessions", .pairs = BUTTON, .right = HTTP_SEE_OTHER},
};

int
main(void)
{
	struct failing_table failing;
	struct seeded s;

	browsers_open(&s);
	failing_table_begin(&failing, s.table);
	s.site.table = &failing.table;
	trial_costs(&s, &failing, pages, sizeof(pages) / sizeof(pages[0]));
	trial_pages(&s, &failing, pages, sizeof(pages) / sizeof(pages[0]));
	trial_forms(&s, &failing, forms, sizeof(forms) / sizeof(forms[0]), NULL);
	s.site.table = s.table;
	browsers_close(&s);
	return trials_done();
}
