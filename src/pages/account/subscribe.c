/*
 * /subscribe: the publication by mail, for readers without an account. Its answer and its work are the same whether or not
 * letters go to an address already: the mailer's thread finds out, and its letter tells the owner alone.
 * /subscribe/<code>, the link in each letter, confirms the address, and changes how often a letter comes.
 * /subscribe/<code>/end ends it with one request (RFC 8058).
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/site/address_block.h"
#include "model/site/rate.h"
#include "model/site/subscriber.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "web/mail/mail.h"
#include "web/session/csrf.h"

enum {
	LETTERS_FROM_ADDRESS = 10,
	LETTERS_FROM_NETWORK = 50, /* a day */
	LETTERS_TO_ADDRESS = 3,
	LETTERS_TO_ADDRESS_DAY = 5,
	LIMITS = 4,
	RHYTHM_NONE = RHYTHM_WEEKLY + 1, /* of the form: no more letters */
};

struct subscribing {
	struct str email;
	int64_t rhythm;
};
static const struct choice rhythms[] = {
    {STR_INIT("each"), "Each post, when it appears", RHYTHM_EACH},
    {STR_INIT("weekly"), "One letter a week", RHYTHM_WEEKLY},
    {STR_INIT(""), NULL, 0},
};
static const struct field subscribe_fields[] = {
    {FIELD_EMAIL(struct subscribing, email), .label = "E-mail address", .required = true,
	.missing = "Your e-mail address is missing.",
	.hint = "Seen by whoever runs this site, and used for these letters alone.",
	.autocomplete = "email", .focus = true},
    {FIELD_CHOICE(struct subscribing, rhythm), .label = "How often", .required = true,
	.missing = "How often?", .choices = rhythms},
};
static const struct form subscribe_form = FORM("subscribe", struct subscribing, subscribe_fields,
    .action = "/subscribe", .button = "Subscribe");

struct changing {
	int64_t rhythm;
};
static const struct choice changes[] = {
    {STR_INIT("each"), "Each post, when it appears", RHYTHM_EACH},
    {STR_INIT("weekly"), "One letter a week", RHYTHM_WEEKLY},
    {STR_INIT("none"), "No more letters", RHYTHM_NONE},
    {STR_INIT(""), NULL, 0},
};
static const struct field change_fields[] = {
    {FIELD_CHOICE(struct changing, rhythm), .label = "How often", .required = true,
	.missing = "How often?", .choices = changes},
};
static const struct form change_form =
    FORM("rhythm", struct changing, change_fields, .button = "Save");

static const struct link_view nowhere, to_subscribe = {STR_INIT("/subscribe"), STR_INIT("Subscribe")},
				       to_front = {STR_INIT("/"), STR_INIT("Front page")};

/* A sentence, with a form and a link where there are some. */
static enum http_status
show(struct request *rq, struct response *rs, const char *title, struct str intro,
    const struct form_view *form, struct link_view way)
{
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);

	view->title = str_of(title);
	view->intro = intro;
	view->form = form;
	view->ways.items = arena_copy(rq->arena, &way, sizeof(way));
	view->ways.count = way.url.len != 0;
	return sign_in_respond(rq, rs, view);
}

/* --- The letter --------------------------------------------------------------------------------------- */

static void
write_question(struct site *site, struct arena *arena, const struct settings *settings,
    const struct subscriber *s, struct mail *out)
{
	out->subject = STR_CONCAT(arena, settings->name, STR(" by mail: is this your address?"));
	out->text = str_fmt(arena,
	    "Hello,\n\nsomebody asked for %.*s by mail, at this address: %s. If it was you, confirm "
	    "it by this link, within a week:\n\n%.*s/subscribe/%.*s\n\n"
	    "If it was not you, there is nothing to do: no letters will come.\n",
	    STR_ARGS(settings->name),
	    s->rhythm == RHYTHM_WEEKLY ? "one letter a week" : "each post, when it appears",
	    STR_ARGS(site->origin), STR_ARGS(subscriber_code(arena, s)));
}

static void
write_reminder(struct site *site, struct arena *arena, const struct settings *settings,
    const struct subscriber *s, struct mail *out)
{
	out->subject = STR_CONCAT(arena, settings->name, STR(" by mail: you have it already"));
	out->text = str_fmt(arena,
	    "Hello,\n\nsomebody asked for %.*s by mail, at this address. You have it already: %s. "
	    "Nothing has changed, and they were not told.\n\n"
	    "Here you choose how often a letter comes, or that none does:\n\n"
	    "%.*s/subscribe/%.*s\n",
	    STR_ARGS(settings->name),
	    s->rhythm == RHYTHM_WEEKLY ? "one letter a week" : "each post, when it appears",
	    STR_ARGS(site->origin), STR_ARGS(subscriber_code(arena, s)));
}

/* On the mailer's thread; `about` has the rhythm and the address, a line each. */
static bool
write_letter(struct site *site, struct arena *arena, struct str about, struct mail *out)
{
	struct str email, rhythm = str_cut(about, '\n', &email);
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = site->table,
	    .call = &call,
	    .clock = site->clock,
	    .now = clock_now(site->clock)};
	struct item *item = NULL;
	struct settings settings;
	struct subscriber s;
	bool there = table_get(site->table, &call, key_site_settings(), &item) == TABLE_OK &&
		     subscriber_ask(&plan, email,
			 str_eq(rhythm, str_of(rhythm_name(RHYTHM_WEEKLY))) ? RHYTHM_WEEKLY
									    : RHYTHM_EACH,
			 &s) == PLAN_DONE;

	table_release(site->table, &call);
	if (!there)
		return false;
	settings_from_item(arena, item, &settings);
	out->to = email;
	if (s.status == SUBSCRIBER_WAITING)
		write_question(site, arena, &settings, &s, out);
	else
		write_reminder(site, arena, &settings, &s, out);
	return true;
}

/* --- Asking for it ------------------------------------------------------------------------------------ */

static enum http_status
show_form(struct request *rq, struct response *rs, const struct form_result *result)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);

	if (rq->site->mailer == NULL)
		return show(rq, rs, "By mail",
		    STR("This site sends no letters. Its feed tells you of new posts, in any feed "
			"reader."),
		    NULL, (struct link_view){STR("/feed.atom"), STR("Feed")});
	form_view_fill(rq, rs, result, form);
	return show(rq, rs, "By mail",
	    STR("New posts come to you as letters. Each letter has a link that ends it."), form,
	    nowhere);
}

static enum http_status
begin(struct request *rq, struct response *rs)
{
	enum http_status status = page_read(rq, NULL, 0);
	struct form_result empty;

	form_empty(rq->arena, &subscribe_form, &empty);
	if (rq->viewer != NULL)
		form_fill(&empty, "email", rq->viewer->user.email);
	return status == HTTP_OK ? show_form(rq, rs, &empty) : status;
}

static enum http_status
begin_again(struct request *rq, struct response *rs)
{
	enum http_status status = page_read(rq, NULL, 0);

	return status == HTTP_OK ? show_form(rq, rs, rq->form) : status;
}

/* The form again, with a message at the address and another status. */
static enum http_status
not_now(struct request *rq, struct response *rs, const char *sentence, enum http_status why)
{
	form_refuse(rq->form, "email", sentence);
	return response_form_again(rs, show_form(rq, rs, rq->form), why);
}

/* Counts a letter, to whomever it goes. HTTP_OK: continue. */
static enum http_status
one_more_letter(struct request *rq, struct response *rs, struct str email)
{
	const struct rate rates[LIMITS] = {
	    {STR("letters-from"), rate_address(rq->arena, rq->in->remote_addr),
		LETTERS_FROM_ADDRESS},
	    {STR("letters-to"), email, LETTERS_TO_ADDRESS},
	    {.what = STR("subscribed"),
		.who = rate_network(rq->arena, rq->in->remote_addr),
		.most = LETTERS_FROM_NETWORK,
		.window = RATE_DAY_SECONDS},
	    {.what = STR("subscribing"),
		.who = email,
		.most = LETTERS_TO_ADDRESS_DAY,
		.window = RATE_DAY_SECONDS},
	};
	uint32_t wait = 0;
	enum table_rc rc = rate_take(rq->table, &rq->call, rates, LIMITS, rq->now, &wait);

	if (rc == TABLE_CONDITION)
		return not_now(rq, rs, sign_in_wait(rq, rs, wait), HTTP_TOO_MANY);
	return status_of(rc);
}

static enum http_status
try_to_subscribe(struct request *rq, struct response *rs)
{
	const struct subscribing *in = rq->form->values;
	struct read blocks = address_blocks_read();
	enum http_status status = page_read(rq, &blocks, 1);

	if (status != HTTP_OK)
		return status;
	if (rq->site->mailer == NULL)
		return show_form(rq, rs, rq->form);
	if (address_blocked(rq->arena, &blocks, rq->in->remote_addr))
		return not_now(rq, rs,
		    "From your network nobody can subscribe just now. Try from elsewhere, or later.",
		    HTTP_FORBIDDEN);
	status = one_more_letter(rq, rs, in->email);
	if (status != HTTP_OK)
		return status;
	if (!mailer_ask(rq->site->mailer, write_letter,
		STR_CONCAT(rq->arena, str_of(rhythm_name((enum rhythm)in->rhythm)), STR("\n"),
		    in->email)))
		return not_now(rq, rs,
		    "Many letters are being written just now. Please try once more.",
		    HTTP_UNAVAILABLE);
	return show(rq, rs, "Look into your mail",
	    STR("A letter is on its way to you. Confirm your address by the link in it, within a "
		"week; then the next posts come by mail."),
	    NULL, to_front);
}

static enum http_status
subscribe(struct request *rq, struct response *rs)
{
	enum http_status status = try_to_subscribe(rq, rs);

	if (status != HTTP_UNAVAILABLE || rs->own_error || publication_any(rq) == NULL)
		return status;
	return not_now(rq, rs, sign_in_unreachable, status);
}

/* --- The link ----------------------------------------------------------------------------------------- */

/* Whose link it is; HTTP_OK, or the answer. */
static enum http_status
find(struct request *rq, struct response *rs, struct subscriber *out)
{
	struct str code = request_param(rq, "code");
	struct read read;
	bool possible = subscriber_read(rq->arena, code, &read);
	enum http_status status = page_read(rq, &read, possible ? 1 : 0);

	if (status != HTTP_OK)
		return status;
	if (possible && subscriber_take(rq->arena, &read, code, out))
		return HTTP_OK;
	return response_form_again(rs,
	    show(rq, rs, "This link is over",
		STR("No letters go to this address. If you want them, subscribe once more."), NULL,
		to_subscribe),
	    HTTP_NOT_FOUND);
}

/*
 * A button, not the link alone: software that follows links, such as a mail server, confirms nothing.
 */
static enum http_status
show_question(struct request *rq, struct response *rs, const struct subscriber *s)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);

	*form = (struct form_view){.form_id = STR("confirm"),
	    .action_url = rq->address,
	    .button_text = STR("Confirm this address")};
	form_view_hide(rq, form, STR("rhythm"), str_of(rhythm_name(s->rhythm)));
	form_view_hide(rq, form, CSRF_INPUT, csrf_token(rq, rs));
	return show(rq, rs, "Is this your address?",
	    STR_CONCAT(rq->arena,
		s->rhythm == RHYTHM_WEEKLY ? STR("A letter a week is to go to ")
					   : STR("Each new post is to go to "),
		s->address, STR(".")),
	    form, nowhere);
}

static enum http_status
show_end(struct request *rq, struct response *rs)
{
	return show(rq, rs, "No more letters",
	    STR("Your address is deleted here, and no letters go to it. What is on its way already "
		"may still come."),
	    NULL, to_subscribe);
}

/* `title`: what was done, or what the page is about. */
static enum http_status
show_change(
    struct request *rq, struct response *rs, const struct subscriber *s, const char *title)
{
	struct form_result *result = form_shown(rq, &change_form);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);

	if (form_raw(result, "rhythm").len == 0)
		form_fill(result, "rhythm", str_of(rhythm_name(s->rhythm)));
	form_view_fill(rq, rs, result, form);
	form->action_url = rq->address;
	return show(rq, rs, title,
	    STR_CONCAT(rq->arena,
		s->rhythm == RHYTHM_WEEKLY ? STR("A letter a week goes to ")
					   : STR("Each new post goes to "),
		s->address, STR(".")),
	    form, nowhere);
}

static enum http_status
show_link(struct request *rq, struct response *rs)
{
	struct subscriber s;
	enum http_status status = find(rq, rs, &s);

	if (status != HTTP_OK)
		return status;
	switch (s.status) {
	case SUBSCRIBER_WAITING: return show_question(rq, rs, &s);
	case SUBSCRIBER_CONFIRMED: return show_change(rq, rs, &s, "Your letters");
	case SUBSCRIBER_GONE: break;
	}
	return show_end(rq, rs);
}

static enum http_status
end_it(struct request *rq, struct response *rs, const struct subscriber *s)
{
	struct plan plan = plan_of(rq);
	enum plan_rc rc = subscriber_end(&plan, s);
	struct subscriber now;

	/* It was changed just now: the same again. */
	if (rc == PLAN_CHANGED)
		rc = find(rq, rs, &now) == HTTP_OK ? subscriber_end(&plan, &now) : PLAN_CHANGED;
	return rc == PLAN_DONE ? show_end(rq, rs) : plan_refused(rs, &plan, rc);
}

/* Confirms it, or changes how often. */
static enum http_status
change(struct request *rq, struct response *rs)
{
	const struct changing *in = rq->form->values;
	struct plan plan = plan_of(rq);
	struct subscriber s;
	enum http_status status = find(rq, rs, &s);
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	if (s.status == SUBSCRIBER_GONE)
		return show_end(rq, rs);
	if (in->rhythm == RHYTHM_NONE)
		return end_it(rq, rs, &s);
	if (s.status == SUBSCRIBER_WAITING) {
		rc = subscriber_confirm(&plan, &s);
	} else {
		rc = subscriber_set_rhythm(&plan, &s, (enum rhythm)in->rhythm);
		s.rhythm = (enum rhythm)in->rhythm;
	}
	if (rc == PLAN_CHANGED)
		return show_link(rq, rs);
	if (rc != PLAN_DONE)
		return plan_refused(rs, &plan, rc);
	return show_change(rq, rs, &s,
	    s.status == SUBSCRIBER_WAITING ? "Your address is confirmed" : "Saved");
}

/* --- One click ---------------------------------------------------------------------------------------- */

/* For people, whose mail program has led them here; the program itself sends the form alone. */
static enum http_status
ask_to_end(struct request *rq, struct response *rs)
{
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct subscriber s;
	enum http_status status = find(rq, rs, &s);

	if (status != HTTP_OK)
		return status;
	if (s.status == SUBSCRIBER_GONE)
		return show_end(rq, rs);
	*form = (struct form_view){.form_id = STR("unsubscribe"),
	    .action_url = rq->address,
	    .button_text = STR("End the letters")};
	return show(rq, rs, "No more letters?",
	    STR_CONCAT(rq->arena, STR("No letters will go to "), s.address, STR(" any more.")), form,
	    nowhere);
}

static enum http_status
unsubscribe_now(struct request *rq, struct response *rs)
{
	struct subscriber s;
	enum http_status status = find(rq, rs, &s);

	return status == HTTP_OK ? end_it(rq, rs, &s) : status;
}

PAGE(subscribe, .get = begin, .post = subscribe, .refused = begin_again, .form = &subscribe_form)
PAGE(subscription, .get = show_link, .post = change, .refused = show_link, .form = &change_form)
PAGE(subscription_end, .get = ask_to_end, .post = unsubscribe_now)
