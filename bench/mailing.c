/*
 * bench/mailing [SUBSCRIBERS]: what a new post takes that goes to all subscribers (docs/worker.md): adding their letters to the
 * outbox, and sending them to a mail server that takes no time.
 *
 *	script/build opt bench/mailing && build/opt/bench/mailing
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "base/log.h"
#include "derive/mailing.h"
#include "derive/sender.h"
#include "model/post/writing.h"
#include "model/site/settings.h"
#include "model/site/subscriber.h"
#include "web/mail/mail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { SUBSCRIBERS = 1000, MINUTE_MS = 60 * 1000 };

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

static struct plan
plan_of(struct seeded *s, struct table_call *call)
{
	return (struct plan){.table = s->table, .call = call, .clock = &s->clock,
	    .now = s->clock.fixed_now, .by = STR("kofi"), .by_name = STR("Kofi")};
}

static void
subscribe(struct seeded *s, int number)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct plan plan = plan_of(s, &call);
	struct subscriber subscriber;

	if (subscriber_ask(&plan, str_fmt(arena, "reader%d@example.org", number), RHYTHM_EACH,
		&subscriber) != PLAN_DONE ||
	    subscriber_confirm(&plan, &subscriber) != PLAN_DONE)
		bail_out("nobody subscribes");
	arena_free(arena);
}

static void
publish(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = plan_of(s, &call);
	struct draft draft = {.post = {.slug = STR("for-all"),
				  .title = STR("For all"),
				  .excerpt = STR("How it begins."),
				  .author = STR("kofi"),
				  .author_name = STR("Kofi"),
				  .status = STATUS_PUBLISHED,
				  .visibility = VISIBILITY_PUBLIC},
	    .body = {.markdown = STR("Text."), .html = STR("<p>Text.</p>")}};

	if (writing_create(&plan, &draft) != PLAN_DONE)
		bail_out("no post is made");
}

/* Steps until there is nothing to do. */
static void
mail_all(struct seeded *s)
{
	static const struct settings settings;
	bool busy = true;

	while (busy) {
		struct arena *arena = arena_new();
		struct table_call call = {.arena = arena};

		if (mailing_step(s->table, &call, &s->clock, &settings, 0, &busy) != TABLE_OK)
			bail_out("a step fails");
		table_release(s->table, &call);
		arena_free(arena);
	}
}

static unsigned arrived;

static const char *
take_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	mail->watch->end = mail->watch->hand(mail->watch) ? MAIL_SENT : MAIL_STOPPED;
	arrived += mail->watch->end == MAIL_SENT;
	return mail->watch->end == MAIL_SENT ? NULL : "it was stopped";
}

static void
send_all(struct seeded *s)
{
	static const struct mail_transport transport = {.send = take_letter};
	static const struct secrets secrets = {.count = 1};
	struct sender *sender = sender_open(&(struct sender_options){.table = s->table,
	    .log = &quiet,
	    .transport = &transport,
	    .secrets = &secrets,
	    .site = SEEDED_ORIGIN});

	while (sender_turn(sender) == SENDER_WORKED)
		;
	sender_close(sender);
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : SUBSCRIBERS;
	struct rusage usage;
	struct seeded s;
	int64_t micros;

	seeded_open(&s);
	mail_all(&s);
	for (int i = 0; i < count; i++)
		subscribe(&s, i);
	s.clock.fixed_now += MINUTE_MS;
	publish(&s);
	s.clock.fixed_now += 2 * MINUTE_MS;
	micros = clock_micros();
	mail_all(&s);
	micros = clock_micros() - micros;
	printf("adding: %d letters in %.2f s, %.0f a second\n", count, (double)micros / 1e6,
	    count * 1e6 / (double)micros);
	micros = clock_micros();
	send_all(&s);
	micros = clock_micros() - micros;
	getrusage(RUSAGE_SELF, &usage);
	printf("sending: %u letters in %.2f s, %.0f a second; %ld MB\n", arrived, (double)micros / 1e6,
	    arrived * 1e6 / (double)micros, usage.ru_maxrss / 1024);
	seeded_close(&s);
	return 0;
}
