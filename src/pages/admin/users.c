/* GET /admin/users: everybody there is, by name; those of a standing, whose names begin so, or of an address. */
#include "base/arena.h"
#include "model/key.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { PEOPLE = 50, NAME_LENGTH = 30 };

static const struct {
	const char *value, *label;
} choices[] = {{"", "Everybody"}, {"waiting", "Who waits to be let in"}, {"admin", "Admins"},
    {"editor", "Editors"}, {"author", "Authors"}, {"reader", "Readers"},
    {"disabled", "Who was shut out"}};
enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };

/* "an author", "waits to be let in" */
static struct str
standing_words(const struct user *user)
{
	switch (user->status) {
	case USER_WAITING: return STR("waits");
	case USER_DISABLED: return STR("shut out");
	case USER_ACTIVE: break;
	}
	return user->role == ROLE_READER ? STR("") : str_of(role_name(user->role));
}

struct str
admin_user_email(struct request *rq, const struct user *user)
{
	if (user->email.len != 0)
		return user->email;
	return user->new_email.len != 0
		   ? STR_CONCAT(rq->arena, user->new_email, STR(" (not confirmed)"))
		   : STR("no e-mail address");
}

struct admin_row_view
admin_user_row(struct request *rq, const struct user *user)
{
	return (struct admin_row_view){
	    .url = url_join(rq->arena, STR("/admin/users/"), user->username),
	    .name = user->display_name,
	    .badge = standing_words(user),
	    .text = STR_CONCAT(rq->arena, user->username, STR(" · "), admin_user_email(rq, user),
		STR(" · since "), words_date(rq, user->created)),
	};
}

/* The standing that is asked for; empty: any. */
static struct str
standing_asked(struct request *rq)
{
	struct str asked = request_query(rq, "standing");

	for (size_t i = 0; i < CHOICES; i++)
		if (str_eq(asked, str_of(choices[i].value)))
			return asked;
	return STR("");
}

static const struct admin_search_view *
search_of(struct request *rq, struct str standing)
{
	struct admin_search_view *search = ARENA_NEW(rq->arena, struct admin_search_view);
	struct option_view *options = ARENA_ARRAY(rq->arena, CHOICES, struct option_view);

	for (size_t i = 0; i < CHOICES; i++)
		options[i] = (struct option_view){str_of(choices[i].value),
		    str_of(choices[i].label), str_eq(standing, str_of(choices[i].value))};
	*search = (struct admin_search_view){.action_url = STR("/admin/users"),
	    .label = STR("Username or address"),
	    .name = STR("q"),
	    .value = request_query(rq, "q"),
	    .hint = STR("The beginning of a username, or a whole e-mail address."),
	    .select_label = STR("Who"),
	    .select_name = STR("standing"),
	    .options = {options, CHOICES}};
	return search;
}

/* Whose address it is, as a list of one or none. */
static enum http_status
find_by_email(struct request *rq, struct str email, struct read *list)
{
	struct read claim = {.kind = READ_GET, .key = key_email(rq->arena, email)};
	struct read person = {.kind = READ_GET};
	enum http_status status = page_read(rq, &claim, 1);

	*list = (struct read){.found_count = 0};
	if (status != HTTP_OK || claim.item == NULL)
		return status;
	person.key = key_user(rq->arena, item_string(claim.item, STR("Username")));
	status = page_read(rq, &person, 1);
	list->found = person.item;
	list->found_count = person.item != NULL;
	return status;
}

static enum http_status
find_by_name(struct request *rq, struct str standing, struct str prefix, struct read *list)
{
	bool newer;

	*list = (struct read){.found_count = 0};
	if (prefix.len > NAME_LENGTH)
		return page_read(rq, NULL, 0);
	*list =
	    (struct read){.kind = READ_QUERY, .query = query_people(rq->arena, standing, prefix)};
	list->query.limit = PEOPLE;
	if (!list_cursor(rq, &list->query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	return page_read(rq, list, 1);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/users", STR("People"));
	struct admin_panel_view *panel = admin_panel(view, "people", NULL);
	struct str typed = str_lower(rq->arena, str_trim(request_query(rq, "q")));
	struct str standing = standing_asked(rq), email;
	struct admin_row_view *rows;
	struct read list;
	enum http_status status = email_normal(rq->arena, typed, &email)
				      ? find_by_email(rq, email, &list)
				      : find_by_name(rq, standing, typed, &list);

	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, list.found_count, struct admin_row_view);
	for (size_t i = 0; i < list.found_count; i++) {
		struct user user;

		user_from_item(rq->arena, &list.found[i], &user);
		rows[i] = admin_user_row(rq, &user);
	}
	panel->search = search_of(rq, standing);
	panel->rows.items = rows;
	panel->rows.count = list.found_count;
	panel->empty_text = STR("There is nobody like that.");
	if (list.next.len != 0)
		admin_way(rq, panel, older_url(rq, list.next), "More");
	return admin_respond(rq, rs, view);
}

PAGE(admin_users, .get = show, .query = QUERY("after", "q", "standing"))
