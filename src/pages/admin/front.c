/*
 * /admin/front: which posts editors have chosen for the front page: one that leads, and some that are pinned, each until a time.
 * A post that is not public meanwhile does not stand there, and does again once it is. ?post= is the address of one to choose.
 */
#include "base/arena.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/slug.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { DAY_MS = 86400000, DAYS = 3, DAYS_MAX = 366 };
enum { PLACE_LEAD, PLACE_PINNED };

struct front_form {
	struct str post;
	int64_t place, until;
};
static const struct choice places[] = {
    {STR_INIT("lead"), "It leads", PLACE_LEAD},
    {STR_INIT("pinned"), "Pinned: behind the lead, before what is newer", PLACE_PINNED},
    {STR_INIT(""), NULL, 0},
};
static const struct field front_fields[] = {
    {FIELD_LINE(struct front_form, post), .label = "Post", .required = true, .max = 300,
	.missing = "Which post?", .hint = "Its address, as the browser shows it."},
    {FIELD_CHOICE(struct front_form, place), .label = "Where it stands", .required = true,
	.choices = places},
    {FIELD_TIME(struct front_form, until), .label = "Until", .required = true,
	.missing = "Until when?", .hint = "From then on it stands where its date puts it."},
};
static const struct form front_form =
    FORM("front", struct front_form, front_fields, .action = "/admin/front", .button = "Choose it");

/* The heads of the chosen posts, in their order. */
static enum http_status
read_chosen(struct request *rq, struct read *heads)
{
	enum http_status status = page_read(rq, NULL, 0);
	struct key *keys;
	size_t count;

	if (status != HTTP_OK)
		return status;
	count = rq->settings->chosen_count;
	keys = ARENA_ARRAY(rq->arena, count, struct key);
	for (size_t i = 0; i < count; i++)
		keys[i] = key_post(rq->arena, rq->settings->chosen[i].post);
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0 ? page_read(rq, heads, 1) : HTTP_OK;
}

static struct admin_row_view
row_of(struct request *rq, const struct chosen_post *chosen, const struct item *head)
{
	struct admin_row_view row = {.name = STR("A post that is gone"),
	    .badge = chosen->leads ? STR("lead") : STR("pinned"),
	    .text = STR_CONCAT(rq->arena, STR("Until "), words_moment(rq, chosen->until))};
	struct post post;

	if (head != NULL) {
		post_from_item(rq->arena, head, &post);
		if (may(rq->viewer, MAY_READ, thing_post(&post, rq->now))) {
			row.name = words_title(&post);
			row.url = post_path(rq->arena, &post);
		}
	}
	if (head == NULL || !post_visible_to(&post, NULL, rq->now))
		row.text = STR_CONCAT(rq->arena, row.text,
		    STR(". It is not public at present, and does not stand there."));
	admin_button(rq, &row, "leave", chosen->post, "Take off");
	return row;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/front", STR("Front page"));
	struct admin_panel_view *panel = admin_panel(view, "chosen", "Chosen");
	struct form_result *result = form_shown(rq, &front_form);
	struct admin_row_view *rows;
	struct read heads;
	enum http_status status = read_chosen(rq, &heads);

	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, heads.batch.count, struct admin_row_view);
	for (size_t i = 0; i < heads.batch.count; i++)
		if (rq->settings->chosen[i].until > rq->now)
			rows[panel->rows.count++] =
			    row_of(rq, &rq->settings->chosen[i], heads.items[i]);
	view->intro = STR("The newest complete post leads by itself, unless one is chosen here.");
	panel->rows.items = rows;
	panel->empty_text = STR("Nothing is chosen. To choose a post, follow “Front page” above it, or fill in what is below.");
	admin_buttons_lead(rq, rs, panel, STR("/admin/front"));
	if (!form_was_sent(rq, &front_form)) {
		form_fill(result, "post", request_query(rq, "post"));
		form_fill(result, "until",
		    str_sub(time_format(rq->arena, zone_local(rq->zone, rq->now + DAYS * (int64_t)DAY_MS)), 0, 16));
	}
	panel = admin_panel(view, "choose", "Choose a post");
	admin_form(rq, rs, panel, result, STR("/admin/front"));
	return admin_respond(rq, rs, view);
}

/* The slug of an address that somebody has copied: "https://example.org/post/a-slug#comments", "/post/a-slug", "a-slug". */
static struct str
slug_in(struct str address)
{
	struct str slug = str_trim(address), rest = slug;
	size_t at = str_find(slug, '?'), hash = str_find(slug, '#');

	slug = str_sub(slug, 0, at < hash ? at : hash);
	for (rest = slug; rest.len != 0;) {
		struct str part = str_cut(rest, '/', &rest);

		if (part.len != 0)
			slug = part;
	}
	return slug;
}

/* A public post, be it one that is yet to come; *said: what is wrong. HTTP_OK in either case. */
static enum http_status
find_post(struct request *rq, struct str address, struct post *post, const char **said)
{
	struct str slug = slug_in(address);
	struct read reads[] = {{.kind = READ_GET, .key = key_slug(rq->arena, slug)},
	    {.kind = READ_GET, .key = key_post(rq->arena, slug)}};
	struct read *claim = &reads[0], *head = &reads[1];
	enum http_status status;
	struct str id;

	*said = "There is no public post at this address.";
	if (!slug_valid(slug))
		return HTTP_OK;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK || claim->item == NULL)
		return status;
	/* A post's id is its first slug. */
	id = item_string(claim->item, STR("Post"));
	if (!str_eq(id, slug)) {
		*head = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
		status = page_read(rq, head, 1);
	}
	if (status != HTTP_OK || head->item == NULL)
		return status;
	post_from_item(rq->arena, head->item, post);
	if (post_is_public(post) && may(rq->viewer, MAY_READ, thing_post(post, rq->now)))
		*said = post->kind == KIND_PAGE ? "Static pages do not stand on the front page." : NULL;
	return HTTP_OK;
}

/* The buttons of what is chosen have no fields. */
static enum http_status
show_or_leave(struct request *rq, struct response *rs)
{
	struct chosen_post choice = {.post = input_of(rq, "leave")};
	struct plan plan = plan_of_staff(rq);
	struct read head;
	struct post post = {.title = choice.post};
	enum http_status status;

	if (choice.post.len == 0)
		return show(rq, rs);
	if (!slug_valid(choice.post))
		return HTTP_BAD_REQUEST;
	head = (struct read){.kind = READ_GET, .key = key_post(rq->arena, choice.post)};
	status = page_read(rq, &head, 1);
	if (status != HTTP_OK)
		return status;
	if (head.item != NULL)
		post_from_item(rq->arena, head.item, &post);
	return plan_answer(rq, rs, &plan,
	    settings_choose(&plan, &choice,
		may(rq->viewer, MAY_READ, thing_post(&post, rq->now)) ? words_title(&post) : choice.post),
	    STR("/admin/front"), "left");
}

static enum http_status
choose(struct request *rq, struct response *rs)
{
	const struct front_form *in = rq->form->values;
	struct chosen_post choice = {.leads = in->place == PLACE_LEAD};
	struct plan plan = plan_of_staff(rq);
	struct post post;
	const char *said;
	enum plan_rc rc;
	enum http_status status = find_post(rq, in->post, &post, &said);

	if (status != HTTP_OK)
		return status;
	choice.until = zone_utc(rq->zone, in->until);
	if (said != NULL)
		form_refuse(rq->form, "post", said);
	if (choice.until <= rq->now)
		form_refuse(rq->form, "until", "This is over already.");
	else if (choice.until > rq->now + DAYS_MAX * (int64_t)DAY_MS)
		form_refuse(rq->form, "until", "A year at most: it could be forgotten.");
	if (!rq->form->valid)
		return show(rq, rs);
	choice.post = post.id;
	rc = settings_choose(&plan, &choice, words_title(&post));
	if (rc == PLAN_FULL) {
		form_refuse(rq->form, "place", "Four posts are pinned already. Take one off first.");
		return show(rq, rs);
	}
	return plan_answer(rq, rs, &plan, rc, STR("/admin/front"), "chosen");
}

PAGE(admin_front, .get = show, .post = choose, .refused = show_or_leave, .form = &front_form,
    .query = QUERY("post", "done"))
