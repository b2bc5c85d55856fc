/* Samples of accounts, letters, what authors do, and the staff: see units_acts.h. */
#include "pictures.h"
#include "submit.h"
#include "units_acts.h"

#include "lib/picture.h"

#include "model/key.h"
#include "model/key_notification.h"
#include "model/people/totp.h"
#include "model/site/subscriber.h"
#include "model/site/unsubscribe.h"
#include "web/http/asset.h"
#include "web/mail/mail.h"

/* A picture of one size; what makes it smaller is nobody's cost here, and may not be installed. */
enum http_status
send_picture(struct browser *b)
{
	const struct upload sent[] = {{"a.png", picture_png(b->s->arena, 30, 20, 1)}, {NULL}};
	const struct upload first[] = {{"b.png", picture_png(b->s->arena, 31, 20, 1)}, {NULL}};

	pictures_open(b->s);
	pictures_program(b->s, "echo picture >&3");
	/* Their first one is counted with all that they had before. */
	upload(b, NULL, first);
	return upload(b, NULL, sent);
}

/* In place of one that they had: that one is let go. */
enum http_status
send_portrait(struct browser *b)
{
	const struct upload sent[] = {{"a.png", picture_png(b->s->arena, 32, 20, 1)}, {NULL}};
	const struct upload first[] = {{"b.png", picture_png(b->s->arena, 33, 20, 1)}, {NULL}};
	struct str token = upload_token(b);

	upload_files_to(b, "/account/portrait", token, NULL, first);
	return upload_files_to(b, "/account/portrait", token, NULL, sent);
}

enum http_status
send_nameplate(struct browser *b)
{
	const struct upload sent[] = {
	    {"a.svg", STR("<svg viewBox='0 0 4 1'><path d='M0 0h4v1z'/></svg>")}, {NULL}};

	return upload_files_to(b, "/admin/nameplate", upload_token(b), NULL, sent);
}

static const char *
picture_of(struct browser *b)
{
	get(b, "/uploads");
	return first_picture(b);
}

enum http_status
see_picture(struct browser *b)
{
	return get(b, picture_of(b));
}

enum http_status
delete_picture(struct browser *b)
{
	const char *page = picture_of(b);

	get(b, page);
	return submit(b, behind(b, page, "/delete"), (const char *const[]){NULL});
}

enum http_status
see_style(struct browser *b)
{
	return get(b, str_cstring(b->s->arena, asset_url(b->s->site.assets, STR("style.css"))));
}

/* The code that an app shows, for one who needs it at each sign-in. */
enum http_status
second_step(struct browser *b)
{
	struct browser own = browser_of(b->s, "tobias");
	struct str secret;

	get(&own, "/account/two-step");
	secret = app_secret(&own);
	SUBMIT(&own, "/account/two-step", "code", app_code(b->s, secret, 0), "password", PASSWORD);
	b->s->clock.fixed_now += 2 * TOTP_STEP_MS;
	sign_in(b, "tobias", PASSWORD);
	return SUBMIT(b, "/login/code", "code", app_code(b->s, secret, 0));
}

enum http_status
enrol(struct browser *b)
{
	get(b, "/account/two-step");
	return SUBMIT(
	    b, "/account/two-step", "code", app_code(b->s, app_secret(b), 0), "password", PASSWORD);
}

/* A new follower, marked as read. */
enum http_status
read_notifications(struct browser *b)
{
	struct arena *arena = b->s->arena;
	int64_t now = b->s->clock.fixed_now;
	struct item note = {.count = 0};
	struct str of = STR("pascal#pascal");

	key_set(arena, &note,
	    key_note(arena, STR("noor"), key_note_place(arena, now, STR("follower"), STR("people"))),
	    ITEM_NOTIFICATION);
	key_index_note(arena, &note, STR("noor"), now, STR("follower"), STR("people"));
	item_set(arena, &note, STR("At"), value_string(time_format(arena, now)));
	item_set(arena, &note, STR("Of"), value_strings(arena, &of, 1));
	item_set(arena, &note, STR("Target"), value_string(STR("people")));
	item_set(arena, &note, STR("What"), value_string(STR("follower")));
	seeded_put(b->s, &note, 1);
	get(b, "/account/notifications");
	return SUBMIT(b, "/account/notifications", "read",
	    str_cstring(arena, part(b->last.body, "name=\"read\" value=\"", "\"")));
}

enum http_status
unblock(struct browser *b)
{
	get(b, "/author/pascal/block");
	SUBMIT(b, "/author/pascal/block", "x", "y");
	get(b, "/account/blocked");
	return SUBMIT(b, "/account/blocked", "unblock", "pascal");
}

/* The last hour alone, in which there is nothing: what each item costs is in docs/table.md. */
enum http_status
purge_and_restore(struct browser *b)
{
	struct browser other = browser_of(b->s, ADMIN);
	enum http_status status = (get(b, "/admin/users/pascal/purge"),
	    SUBMIT(b, "/admin/users/pascal/purge", "hours", "hour", "name", "pascal"));

	get(&other, "/admin/users/pascal/purge");
	SUBMIT(&other, "/admin/users/pascal/purge", "do", "restore");
	return status;
}

#define SUSPEND "/admin/users/pascal/suspend"

enum http_status
see_suspension(struct browser *b)
{
	struct browser admin = browser_of(b->s, ADMIN);

	get(&admin, SUSPEND);
	SUBMIT(&admin, SUSPEND, "days", "3", "why", "A pause.");
	get(b, "/account/suspension");
	return get(b, "/account/suspension");
}

enum http_status
answer_suspension(struct browser *b)
{
	struct browser admin = browser_of(b->s, ADMIN);
	enum http_status status =
	    (get(b, "/account/suspension"), SUBMIT(b, "/account/suspension", "text", "Why?"));

	get(&admin, SUSPEND);
	SUBMIT(&admin, SUSPEND, "end", "1");
	return status;
}

/* Of the one who was suspended, who is let write again. */
enum http_status
settle_appeal(struct browser *b)
{
	enum http_status status;

	get(b, "/admin/appeals");
	status = SUBMIT(b, "/admin/appeals", "settle",
	    str_cstring(b->s->arena, part(b->last.body, "name=\"settle\" value=\"", "\"")));
	return status;
}

/* The last letter; the mailer rests before it is read. */
static char letter[2000];

const char *
keep_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	snprintf(letter, sizeof(letter), "%.*s", STR_ARGS(mail->text));
	return NULL;
}

/* What the mailer does is not the page's cost. */
enum http_status
forgot(struct browser *b)
{
	get(b, "/forgot");
	SUBMIT(b, "/forgot", "name", "kofi");
	mailer_rest(b->s->site.mailer);
	return b->last.status;
}

static const char *
reset_link(struct browser *b)
{
	forgot(b);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/reset/"),
			     part(str_of(letter), "https://slack.example/reset/", "\n")));
}

enum http_status
see_reset(struct browser *b)
{
	const char *link = reset_link(b);

	get(b, link);
	return get(b, link);
}

enum http_status
reset(struct browser *b)
{
	const char *link = reset_link(b);

	get(b, link);
	return SUBMIT(b, link, "new_password", PASSWORD);
}

/* Somebody has named another address. */
static const char *
confirm_link(struct browser *b)
{
	struct browser owner = browser_of(b->s, "noor");

	get(&owner, "/account");
	SUBMIT(&owner, "/account/email", "email", "crust@example.org", "email_password", PASSWORD);
	mailer_rest(b->s->site.mailer);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/confirm/"),
			     part(str_of(letter), "https://slack.example/confirm/", "\n")));
}

enum http_status
see_confirm(struct browser *b)
{
	const char *link = confirm_link(b);

	get(b, link);
	return get(b, link);
}

enum http_status
confirm_address(struct browser *b)
{
	const char *link = confirm_link(b);

	get(b, link);
	return SUBMIT(b, link, "x", "y");
}

/* What the mailer does is not the page's cost. */
enum http_status
subscribe(struct browser *b)
{
	get(b, "/subscribe");
	SUBMIT(b, "/subscribe", "email", "new@example.org", "rhythm", "each");
	mailer_rest(b->s->site.mailer);
	return b->last.status;
}

/* Somebody has asked for letters, and confirmed it if so: the address of their page, or of what is below it. */
static const char *
subscription(struct browser *b, bool confirmed, const char *end)
{
	struct table_call call = {.arena = b->s->arena};
	struct plan plan = {.table = b->s->table,
	    .call = &call,
	    .clock = &b->s->clock,
	    .now = b->s->clock.fixed_now};
	struct subscriber s;

	if (subscriber_ask(&plan, STR("reader@example.org"), RHYTHM_EACH, &s) != PLAN_DONE ||
	    (confirmed && subscriber_confirm(&plan, &s) != PLAN_DONE))
		bail_out("nobody subscribes");
	table_release(b->s->table, &call);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/subscribe/"), subscriber_code(b->s->arena, &s),
			     str_of(end)));
}

enum http_status
see_subscription(struct browser *b)
{
	const char *link = subscription(b, false, "");

	get(b, link);
	return get(b, link);
}

enum http_status
confirm_subscription(struct browser *b)
{
	const char *link = subscription(b, false, "");

	get(b, link);
	return SUBMIT(b, link, "x", "y");
}

enum http_status
see_subscription_end(struct browser *b)
{
	const char *link = subscription(b, true, "/end");

	get(b, link);
	return get(b, link);
}

enum http_status
end_subscription(struct browser *b)
{
	return fetch(b, "POST", subscription(b, true, "/end"),
	    STR("List-Unsubscribe=One-Click"));
}

void
one_subscribes(struct browser *b)
{
	subscription(b, true, "");
}

enum http_status
remove_subscriber(struct browser *b)
{
	one_subscribes(b);
	get(b, "/admin/subscribers");
	SUBMIT(b, "/admin/subscribers/remove", "remove",
	    str_cstring(b->s->arena, subscriber_hash(b->s->arena, STR("reader@example.org"))));
	return SUBMIT(b, "/admin/subscribers/remove", "sure", "1");
}

/* By the link in a letter of the week. */
static const char *
letters_link(struct browser *b)
{
	struct secret_keys keys;

	site_keys(&b->s->site, UNSUBSCRIBE_PURPOSE, &keys);
	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR("/letters/"),
	    unsubscribe_token(b->s->arena, &b->s->clock, &keys, STR("noor"), UNSUBSCRIBE_WEEK)));
}

enum http_status
see_end_letters(struct browser *b)
{
	const char *link = letters_link(b);

	get(b, link);
	return get(b, link);
}

enum http_status
end_letters(struct browser *b)
{
	const char *link = letters_link(b);
	struct browser noor = browser_of(b->s, "noor");

	get(&noor, "/account/letters");
	SUBMIT(&noor, "/account/letters", "week", "1");
	get(b, link);
	return SUBMIT(b, link, "x", "y");
}

/* A post that was saved into the category while it was being merged. */
void
leave_one_behind(struct browser *b)
{
	struct item head = seeded_item(b->s, "POST#" POST_ID, "METADATA");
	struct item changed = item_copy(b->s->arena, &head);

	item_set(b->s->arena, &changed, STR("Category"), value_string(STR("kitchen")));
	item_set(b->s->arena, &changed, STR("GSI2PK"), value_string(STR("CATEGORY#kitchen")));
	seeded_put(b->s, &changed, 1);
}

/* So that there are two of them: the first save keeps what was there before. */
void
make_revisions(struct browser *b)
{
	submit_form(b, "/edit/" POST_ID, "/edit/" POST_ID,
	    (const char *const[]){"title", "The tide in fifty lines of C", "do", "save", NULL});
}

/* The address of a link to a draft, as its author is shown it. */
static struct str
draft_link(struct browser *author)
{
	get(author, "/share/" DRAFT_ID);
	SUBMIT(author, "/share/" DRAFT_ID, "days", "7");
	return part(author->last.body, "class=\"secret\" href=\"https://slack.example", "\"");
}

enum http_status
revoke_link(struct browser *b)
{
	get(b, "/share/" DRAFT_ID);
	return SUBMIT(b, "/share/" DRAFT_ID "/revoke", "link",
	    str_cstring(b->s->arena, part(b->last.body, "name=\"link\" value=\"", "\"")));
}

/* By its ticket, and as the page sends it that asks first. */
enum http_status
take_down_private(struct browser *b)
{
	struct buf body = {.arena = b->s->arena};

	get(b, "/admin/posts?author=ingrid&state=closed");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("unpublish"), part(b->last.body, "name=\"unpublish\" value=\"", "\""));
	put_field(&body, STR("sure"), STR("1"));
	return fetch(b, "POST", "/admin/posts", buf_str(&body));
}

enum http_status
see_draft(struct browser *b)
{
	struct browser author = browser_of(b->s, "lowri");
	const char *link = str_cstring(b->s->arena, draft_link(&author));

	get(b, link);
	return get(b, link);
}

void
name_tobias(struct browser *b)
{
	struct browser author = browser_of(b->s, ADMIN);

	submit_form(&author, "/edit/" DRAFT_ID, "/edit/" DRAFT_ID,
	    (const char *const[]){"others", "tobias", "do", "save", NULL});
}
