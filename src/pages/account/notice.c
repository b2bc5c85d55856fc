/* Notices about accounts: their texts, the letter, and the list on /account. */
#include "pages/account/notice.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/key.h"
#include "model/site/settings.h"
#include "pages/shared/plan.h"
#include "pages/account/account.h"
#include "pages/shared/words.h"
#include "web/mail/mail.h"
#include "web/session/session.h"

/* What happened, and what to do if it was somebody else. */
static const struct {
	const char *text, *advice;
} words[NOTICES] = {
    [NOTICE_SIGN_IN] = {"Somebody signed in from a device that was not known here.",
	"Choose a new password: that signs them out."},
    [NOTICE_PASSWORD] = {"Your password was changed.",
	"Ask for a link by which you choose another one: that signs them out."},
    [NOTICE_EMAIL] = {"Your e-mail address was changed.",
	"Choose a new password and set the address right. If you can’t sign in any more, turn to "
	"whoever runs the site."},
    [NOTICE_TWO_STEP_ON] = {"Two-step sign-in was turned on.",
	"Turn to whoever runs the site: they can turn it off."},
    [NOTICE_TWO_STEP_OFF] = {"Two-step sign-in was turned off.",
	"Choose a new password and turn it on again."},
    [NOTICE_RECOVERY_CODES] = {"New recovery codes were made. The ones from before are void.",
	"Choose a new password, then make new codes."},
    [NOTICE_CODES_GUESSED] = {"Somebody who knows your password tries to guess the second step.",
	"Choose a new password: they know this one."},
};

VIEW_FIELDS(notice_view, STRING(text), STRING(from_text), STRING(moment_text), STRING(advice))

void
notice_add(struct request *rq, struct plan *plan, struct str username, enum notice what)
{
	plan_add(plan,
	    notice_put(rq->arena, rq->clock, username, what,
		sessions_browser(rq->arena, session_agent(rq)), rq->now),
	    PLAN_CHANGED);
}

/* --- The letter ------------------------------------------------------------------------------------- */

/*
 * On the mailer's thread. `about` is lines: what, when, from which address, to whom, their name,
 * and the browser, which may be any text.
 */
static bool
write_letter(struct site *site, struct arena *arena, struct str about, struct mail *out)
{
	struct str what = str_cut(about, '\n', &about), when = str_cut(about, '\n', &about);
	struct str from = str_cut(about, '\n', &about), to = str_cut(about, '\n', &about);
	struct str name = str_cut(about, '\n', &about);
	struct table_call call = {.arena = arena};
	struct item *item = NULL;
	struct settings settings;
	int64_t number = 0;
	bool there = str_int(what, &number) && number >= 0 && number < NOTICES &&
		     table_get(site->table, &call, key_site_settings(), &item) == TABLE_OK;

	table_release(site->table, &call);
	if (!there)
		return false;
	settings_from_item(arena, item, &settings);
	out->to = to;
	out->subject =
	    str_fmt(arena, "%.*s: your account %.*s", STR_ARGS(settings.name), STR_ARGS(name));
	out->text = str_fmt(arena,
	    "%s\n\nAccount: %.*s\nWhen: %.*s\nFrom: %.*s (%.*s)\n\n"
	    "If it was you, there is nothing to do.\n\nIf it was not: %s\n\n%.*s%s\n",
	    words[number].text, STR_ARGS(name), STR_ARGS(when), STR_ARGS(about), STR_ARGS(from),
	    words[number].advice, STR_ARGS(site->origin),
	    number == NOTICE_PASSWORD ? "/forgot" : "/account");
	return true;
}

void
notice_letter(struct request *rq, const struct user *user, enum notice what)
{
	struct str about, browser = sessions_browser(rq->arena, session_agent(rq));

	if (rq->site->mailer == NULL || user->email.len == 0)
		return;
	about = str_fmt(rq->arena, "%d\n%.*s\n%.*s\n%.*s\n%.*s\n%.*s", (int)what,
	    STR_ARGS(words_moment(rq, rq->now)), STR_ARGS(rq->in->remote_addr),
	    STR_ARGS(user->email), STR_ARGS(user->username), STR_ARGS(browser));
	if (!mailer_ask(rq->site->mailer, write_letter, about) && rq->site->log != NULL)
		log_line(rq->site->log, LOG_WARNING,
		    "%.*s is not told by a letter of what was done to their account: too many "
		    "letters wait.",
		    STR_ARGS(user->username));
}

/* --- The list --------------------------------------------------------------------------------------- */

const struct notice_view *
notices_shown(struct request *rq, const struct read *read, size_t *count)
{
	struct notice_view *out = ARENA_ARRAY(rq->arena, read->found_count, struct notice_view);

	*count = 0;
	for (size_t i = 0; i < read->found_count; i++) {
		struct notice_entry entry;

		notice_from_item(&read->found[i], &entry);
		if (entry.what == NOTICES)
			continue;
		out[(*count)++] = (struct notice_view){.text = str_of(words[entry.what].text),
		    .from_text = entry.browser,
		    .moment_text = words_moment(rq, entry.created),
		    .advice = str_of(words[entry.what].advice)};
	}
	return out;
}
