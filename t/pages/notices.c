/*
 * Notices about accounts, so that an intruder does not go unnoticed: on /account, and by letter
 * where mail is set up. And that an unsendable letter affects nothing else.
 */
#include "signing.h"

#include "lib/tap.h"

#include "base/log.h"
#include "model/people/session.h"
#include "pages/account/notice.h"
#include "web/mail/mail.h"

#define ANOTHER "another four words"

/* The letters that were sent; the mailer rests before the test looks. */
static struct {
	unsigned count;
	char to[100], subject[200], text[2000];
	bool refuses;
} post;

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	if (post.refuses)
		return "the server is away";
	post.count++;
	snprintf(post.to, sizeof(post.to), "%.*s", STR_ARGS(mail->to));
	snprintf(post.subject, sizeof(post.subject), "%.*s", STR_ARGS(mail->subject));
	snprintf(post.text, sizeof(post.text), "%.*s", STR_ARGS(mail->text));
	return NULL;
}

/* How many letters were sent since. */
static unsigned
letters(struct browser *b)
{
	static unsigned seen;
	unsigned before = seen;

	if (b->s->site.mailer != NULL)
		mailer_rest(b->s->site.mailer);
	seen = post.count;
	return post.count - before;
}

static bool
letter_says(const char *what)
{
	return holds(str_of(post.text), str_of(what));
}

static void
passwords(struct browser *b, bool mail)
{
	get(b, "/account");
	ok(!says(b, "Your password was changed"), "nothing is told of what nobody did");
	is_int(
	    SUBMIT(b, "/account/password", "old_password", "not this one", "new_password", ANOTHER),
	    HTTP_UNPROCESSABLE, "a wrong password changes nothing");
	is_int(letters(b), 0, "... which nobody is told");
	get(b, "/account");
	ok(!says(b, "Your password was changed"), "... here neither");
	is_int(SUBMIT(b, "/account/password", "old_password", PASSWORD, "new_password", ANOTHER),
	    HTTP_SEE_OTHER, "another password");
	is_int(letters(b), mail ? 1 : 0, "... is told by a letter where there is mail");
	get(b, "/account");
	ok(says(b, "Your password was changed."), "... and on /account");
	ok(says(b, "If it was not you: "), "... with what to do");
	ok(says(b, "18 November 2026, "), "... and when it was");
	if (!mail)
		return;
	is_str(str_of(post.to), STR("noor@example.org"), "the letter goes to its owner");
	ok(holds(str_of(post.subject), STR("Slack Water: your account noor")),
	    "... names the account");
	ok(letter_says("Your password was changed."), "... says what was done");
	ok(letter_says("When: 18 November 2026, ") && letter_says("(192.0.2.1)"),
	    "... when, and from where");
	ok(letter_says("If it was not: ") && letter_says("https://slack.example/forgot"),
	    "... what to do, and where");
	ok(!letter_says(ANOTHER), "... and holds no password");
}

static void
two_steps(struct browser *b, bool mail)
{
	struct str secret;

	get(b, "/account/two-step");
	secret = app_secret(b);
	is_int(
	    SUBMIT(b, "/account/two-step", "code", app_code(b->s, secret, 0), "password", ANOTHER),
	    HTTP_OK, "a second step");
	is_int(letters(b), mail, "... is told");
	ok(!mail || letter_says("Two-step sign-in was turned on."), "... as what it is");
	get(b, "/account/two-step");
	SUBMIT(b, "/account/two-step/codes", "codes_password", ANOTHER);
	is_int(letters(b), mail, "so are new recovery codes");
	get(b, "/account/two-step");
	SUBMIT(b, "/account/two-step/off", "off_password", ANOTHER);
	is_int(letters(b), mail, "... and its end");
	get(b, "/account");
	ok(says(b, "Two-step sign-in was turned on.") && says(b, "New recovery codes were made.") &&
		says(b, "Two-step sign-in was turned off."),
	    "/account has all of it");
}

/* The mail server is unavailable: everything else works, and /account has the notice. */
static void
no_server(struct browser *b)
{
	post.refuses = true;
	get(b, "/account");
	is_int(SUBMIT(b, "/account/password", "old_password", ANOTHER, "new_password", PASSWORD),
	    HTTP_SEE_OTHER, "a letter that can't be sent keeps nobody from another password");
	get(b, "/account");
	ok(count_of(b->last.body, STR("Your password was changed.")) == 2, "... /account tells");
	letters(b);
	post.refuses = false;
}

static void
goes(struct seeded *s, struct browser *b)
{
	s->clock.fixed_now += INT64_C(91) * 86400000;
	sign_in(b, "noor", PASSWORD);
	get(b, "/account");
	ok(!says(b, "Your password was changed."), "after ninety days it is gone");
	s->clock.fixed_now -= INT64_C(91) * 86400000;
}

static void
all_of_it(bool mail)
{
	const struct mail_transport transport = {.send = send_letter};
	const struct log log = {.fd = -1, .level = LOG_ERROR};
	struct seeded s;
	struct mailer *mailer = NULL;
	struct browser b;

	everybody_opens(&s);
	if (mail)
		mailer = s.site.mailer = mailer_start(&transport, &s.site, &log);
	b = browser(&s, "192.0.2.1");
	sign_in(&b, "noor", PASSWORD);
	letters(&b);
	passwords(&b, mail);
	two_steps(&b, mail);
	if (mail)
		no_server(&b);
	else
		SUBMIT(&b, "/account/password", "old_password", ANOTHER, "new_password", PASSWORD);
	goes(&s, &b);
	mailer_stop(mailer);
	s.site.mailer = NULL;
	browsers_close(&s);
}

int
main(void)
{
	all_of_it(true);
	all_of_it(false);
	return tap_done();
}
