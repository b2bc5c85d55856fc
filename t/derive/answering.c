/*
 * Letters about answers: who is answered or named gets one at once, of a thread at most one in a quarter of an hour with all
 * that has come meanwhile, and none of what they have read, do not want, or may not read any more.
 */
#include "t/pages/writer.h"
#include "worker.h"

#include "derive/letters.h"
#include "derive/sender.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/key_notification.h"
#include "model/key_outbox.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define ID "the-tide-in-forty-lines-of-c" /* by kofi */

enum { MINUTE = 60 * 1000, TURNS_MAX = 1000 };

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

/* What has arrived; the last one. */
static struct {
	unsigned arrived;
	char to[100], subject[400], text[8000], unsubscribe[400];
} post;

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	mail->watch->end = MAIL_STOPPED;
	if (!mail->watch->hand(mail->watch))
		return "it was stopped";
	mail->watch->end = MAIL_SENT;
	post.arrived++;
	snprintf(post.to, sizeof(post.to), "%.*s", STR_ARGS(mail->to));
	snprintf(post.subject, sizeof(post.subject), "%.*s", STR_ARGS(mail->subject));
	snprintf(post.text, sizeof(post.text), "%.*s", STR_ARGS(mail->text));
	snprintf(post.unsubscribe, sizeof(post.unsubscribe), "%.*s", STR_ARGS(mail->unsubscribe));
	return NULL;
}

/* How many letters arrive when all that is due is sent. */
static unsigned
sends(struct seeded *s)
{
	static const struct mail_transport transport = {.send = send_letter};
	struct sender *sender = sender_open(&(struct sender_options){.table = s->table,
	    .log = &quiet,
	    .transport = &transport,
	    .secrets = &s->site.secrets,
	    .site = SEEDED_ORIGIN,
	    .lease_ms = 1000});
	int i = 0;

	work(s);
	post.arrived = 0;
	while (i++ < TURNS_MAX && sender_turn(sender) == SENDER_WORKED)
		;
	if (i >= TURNS_MAX)
		bail_out("the sender finds no end");
	sender_close(sender);
	return post.arrived;
}

/* Says something; the place of the comment in its thread. */
static const char *
say(struct seeded *s, const char *name, const char *to, const char *text)
{
	struct browser b = browser_of(s, name);
	const char *address = to != NULL ? text_in(s, WRITE "?to=%s", to) : WRITE;
	struct str leads, id;
	const char *at;

	s->clock.fixed_now += MINUTE;
	get(&b, address);
	s->clock.fixed_now += 4000;
	if (SUBMIT(&b, address, "do", "send", "text", text) != HTTP_SEE_OTHER)
		bail_out("%s can't say: %s", name, text);
	leads = leads_to(&b);
	at = memmem(leads.base, leads.len, "#c-", 3);
	if (at == NULL)
		bail_out("it does not lead to a comment");
	id = str_sub(leads, (size_t)(at - leads.base) + 3, leads.len);
	return str_cstring(s->arena, to != NULL ? STR_CONCAT(s->arena, str_of(to), STR("."), id) : id);
}

static struct key
comment_key(struct seeded *s, const char *path)
{
	return key_comment(s->arena, STR(ID), str_of(path));
}

/* --- The tests ----------------------------------------------------------------------------------------- */

static const char *
at_once(struct seeded *s)
{
	const char *root = say(s, "noor", NULL, "Which harbour is it?"), *reply;

	sends(s);
	is_int(sends(s), 0, "all letters about what the seed says are sent");
	reply = say(s, "lowri", root, "The one of the seed.\n\nBy its **quay**.");
	is_int(sends(s), 1, "who is answered gets a letter");
	is_str(str_of(post.to), STR("noor@example.org"), "... at their address");
	ok(strstr(post.subject, " replied to you in “The tide in forty lines of C”") != NULL,
	    "... that says who did what where");
	ok(strstr(post.text, "\n> The one of the seed.\n> \n> By its **quay**.\n") != NULL,
	    "... and what was said");
	ok(strstr(post.text, text_in(s, "\nhttps://slack.example/comment/%s\n", strrchr(reply, '.') + 1)) != NULL,
	    "... and where it is");
	ok(strncmp(post.unsubscribe, "https://slack.example/letters/", 30) == 0 &&
		strstr(post.text, post.unsubscribe) != NULL,
	    "... and how to get no more of them");
	is_int(sends(s), 0, "... once");
	is_int(differences(s), 0, "a rebuild would add none");
	return root;
}

static void
one_in_a_quarter(struct seeded *s, const char *root)
{
	/* A minute and a bit after the last one. */
	say(s, "lowri", root, "Second answer.");
	is_int(sends(s), 0, "a second answer in the same thread waits");
	say(s, "lowri", root, "Third answer.");
	is_int(sends(s), 0, "... and a third one");
	say(s, "noor", NULL, "Another question.");
	s->clock.fixed_now += 8 * MINUTE;
	is_int(sends(s), 0, "... for less than a quarter of an hour");
	s->clock.fixed_now += 6 * MINUTE;
	is_int(sends(s), 1, "... then both are in one letter");
	is_str(str_of(post.subject), STR("2 answers in “The tide in forty lines of C”"),
	    "... which says how many");
	ok(strstr(post.text, "> Second answer.") != NULL && strstr(post.text, "> Third answer.") != NULL,
	    "... and tells both");
	s->clock.fixed_now += 60 * MINUTE;
	is_int(sends(s), 0, "... and neither comes again");
}

static void
of_another_thread(struct seeded *s)
{
	const char *one = say(s, "noor", NULL, "One thread."), *other = say(s, "noor", NULL, "Other thread.");

	say(s, "lowri", one, "To one.");
	is_int(sends(s), 1, "an answer in one thread");
	say(s, "lowri", other, "To the other.");
	is_int(sends(s), 1, "... and in another one are two letters, each at once");
	s->clock.fixed_now += 60 * MINUTE;
}

static void
named(struct seeded *s)
{
	say(s, "lowri", NULL, "Ask @noor.");
	is_int(sends(s), 1, "who is named gets a letter");
	ok(strstr(post.subject, " named you in “") != NULL, "... that says so");
	s->clock.fixed_now += 60 * MINUTE;
}

static void
not_told(struct seeded *s)
{
	struct key head = key_post(s->arena, STR(ID)), hidden = key_hidden(s->arena, STR("noor"));
	const char *root = say(s, "noor", NULL, "Who is there?"), *reply;
	const struct str lowri = STR("lowri");
	struct browser nobody = browser(s, "192.0.2.9");

	reply = say(s, "lowri", root, "Nobody.");
	work(s);
	set(s, comment_key(s, reply), STR("Status"), value_string(STR("hidden")));
	is_int(sends(s), 0, "what is hidden before it is sent is not sent");

	say(s, "lowri", root, "Me.");
	work(s);
	set(s, key_messages(s->arena, STR("noor")), STR("SeenAt"),
	    value_string(time_format(s->arena, s->clock.fixed_now)));
	is_int(sends(s), 0, "nor is what they have read on the site");

	say(s, "lowri", root, "Still me.");
	work(s);
	set(s, head, STR("Status"), value_string(STR("unpublished")));
	is_int(sends(s), 0, "nor what is under a post that is there for them no more");
	set(s, head, STR("Status"), value_string(STR("published")));

	say(s, "lowri", root, "And me.");
	work(s);
	set(s, hidden, STR("Type"), value_string(STR("Hidden")));
	set(s, hidden, STR("Muted"), value_set(s->arena, &lowri, 1));
	is_int(sends(s), 0, "nor what somebody says whom they have muted");
	set(s, hidden, STR("Muted"), value_set(s->arena, &(struct str){"tobias", 6}, 1));

	say(s, "lowri", root, "One more.");
	is_int(sends(s), 1, "all else is");
	is_int(fetch(&nobody, "POST",
		   post.unsubscribe + SEEDED_ORIGIN.len, STR("List-Unsubscribe=One-Click")),
	    HTTP_OK, "the link in it ends them");
	s->clock.fixed_now += 60 * MINUTE;
	say(s, "lowri", root, "You there?");
	is_int(sends(s), 0, "... and no more come");
	is_int(differences(s), 0, "... and nothing is left to derive");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	browsers_open(&s);
	one_in_a_quarter(&s, at_once(&s));
	of_another_thread(&s);
	named(&s);
	not_told(&s);
	browsers_close(&s);
	return tap_done();
}
