/*
 * Large texts: work on them goes through a limiter, where people take turns; whoever has to try
 * again loses nothing that they typed, and after many in a short time has to wait. Smaller texts
 * are not held up by this.
 */
#include "writer.h"

#include "lib/tap.h"

#include "base/limiter.h"
#include "model/key.h"
#include "model/site/rate.h"
#include "web/http/large.h"

#define WRITE "/write/article"
#define EDIT "/edit/a-long-one"

/* A text of that size, with marks, that ends in a word of its own. */
static const char *
long_text(struct seeded *s, size_t size, const char *end)
{
	struct buf out = {.arena = s->arena};

	while (out.len < size)
		BUF_PUT(&out, "A line *of* the `tide`, and [more](https://example.org/).\n\n");
	buf_put(&out, str_of(end));
	return str_cstring(s->arena, buf_str(&out));
}

static enum http_status
send_to(struct browser *b, const char *action, const char *what, const char *text)
{
	return SUBMIT(b, action, "do", what, "title", "A long one", "markdown", text);
}

/* What all such answers to a form have in common. */
static void
is_shown_again(struct browser *b, const char *what, enum http_status status, const char *why)
{
	is_int(b->last.status, status, "%s has to be sent again", what);
	ok(header(&b->last, "Retry-After").len != 0, "... which says when");
	ok(says(b, "Nothing is saved yet, and nothing is lost"), "... and that nothing is lost");
	ok(holds(text_of(b, "markdown"), STR("the last word of all")) &&
		has_value(b, "title", "A long one"),
	    "... with the form as it was");
	is_str(str_of(b->last.why), str_of(why), "... and the log has why");
}

static void
is_shut(struct seeded *s)
{
	static const char *const buttons[] = {"preview", "publish-anyway", "save"};
	struct limiter *open = s->site.large;
	struct limiter *shut = limiter_new(&(struct limiter_bounds){.at_once = 1, .waiting = 0});
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "noor");
	const char *text = long_text(s, LARGE_BYTES, "the last word of all");

	limiter_enter(shut, STR("somebody"));
	s->site.large = shut;
	for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++) {
		get(&b, WRITE);
		send_to(&b, WRITE, buttons[i], text);
		is_shown_again(&b, buttons[i], HTTP_UNAVAILABLE, "too many large texts at once");
	}
	is_int(send_to(&b, WRITE, "autosave", text), HTTP_OK, "what is kept by itself is");
	get(&other, WRITE);
	is_int(send_to(&other, WRITE, "preview", "A few words."), HTTP_OK,
	    "... and what is not large passes it by");
	s->site.large = open;
	get(&b, WRITE);
	is_int(send_to(&b, WRITE, "publish-anyway", text), HTTP_SEE_OTHER,
	    "sent once more it is published");
	get(&b, EDIT);
	is_int(send_to(&b, EDIT, "save", long_text(s, LARGE_BYTES, "another end")), HTTP_SEE_OTHER,
	    "... and saved again");
	s->site.large = shut;
	is_int(get(&b, "/revisions/a-long-one/compare?from=1&to=2"), HTTP_UNAVAILABLE,
	    "to compare two large revisions is behind the limiter as well");
	ok(says(&b, "Other large texts are being worked on just now"), "... which is said");
	get(&b, "/revisions/a-long-one/compare?from=0&to=1");
	is_int(b.last.status, HTTP_UNAVAILABLE, "... also of the first one");
	s->site.large = open;
	is_int(get(&b, "/revisions/a-long-one/compare?from=1&to=2"), HTTP_OK,
	    "... and then they are compared");
	s->site.large = shut;
	is_int(SUBMIT(&b, "/revisions/a-long-one/restore", "number", "1"), HTTP_UNAVAILABLE,
	    "to restore one is, too");
	s->site.large = open;
	get(&b, "/revisions/a-long-one/compare?from=1&to=2");
	is_int(SUBMIT(&b, "/revisions/a-long-one/restore", "number", "1"), HTTP_SEE_OTHER,
	    "... and then it is restored");
	limiter_leave(shut, STR("somebody"));
	limiter_free(shut);
}

/* All callers have left the limiter. */
static void
leaves(struct seeded *s)
{
	struct limiter *one =
	    limiter_new(&(struct limiter_bounds){.at_once = 1, .waiting = 0, .of_one = 1});
	struct limiter *open = s->site.large;
	struct browser b = browser_of(s, "kofi");
	const char *text = long_text(s, LARGE_BYTES, "");

	s->site.large = one;
	get(&b, WRITE);
	for (int i = 0; i < 3; i++)
		is_int(send_to(&b, WRITE, "preview", text), HTTP_OK, "one behind the other passes");
	is_int(SUBMIT(&b, WRITE, "do", "publish", "markdown", text), HTTP_UNPROCESSABLE,
	    "... also what is then refused");
	is_int((int64_t)limiter_count(one), 4, "... each through the limiter");
	ok(limiter_enter(one, STR("kofi")), "... and nobody is left in it");
	limiter_leave(one, STR("kofi"));
	s->site.large = open;
	limiter_free(one);
}

static void
too_often(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "noor");
	const struct rate rate = {STR("large"), STR("kofi"), LARGE_IN_A_WINDOW};
	const char *text = long_text(s, LARGE_BYTES, "the last word of all");
	struct table_call call = {.arena = s->arena};

	get(&b, WRITE);
	get(&other, WRITE);
	rate_charge(s->table, &call, &rate, LARGE_IN_A_WINDOW, s->clock.fixed_now);
	send_to(&b, WRITE, "preview", text);
	is_shown_again(
	    &b, "one large text too many", HTTP_TOO_MANY, "too many large texts of one person");
	is_int(send_to(&b, WRITE, "preview", "A few words."), HTTP_OK, "a small one is shown");
	is_int(send_to(&other, WRITE, "preview", text), HTTP_OK, "... and others' large ones are");
	s->clock.fixed_now += (int64_t)RATE_WINDOW_SECONDS * 1000;
	is_int(send_to(&b, WRITE, "preview", text), HTTP_OK, "... and theirs, a while later");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	s.site.large = large_limiter_new();
	is_shut(&s);
	leaves(&s);
	too_often(&s);
	limiter_free(s.site.large);
	browsers_close(&s);
	return tap_done();
}
