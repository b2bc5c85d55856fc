/* Sends a letter by SMTP. The only file that uses libcurl. */
#include "web/mail/mail.h"

#include "base/arena.h"
#include "base/clock.h"

#include <curl/curl.h>
#include <string.h>

enum { CONNECT_SECONDS = 10, SEND_SECONDS = 30, WATCHED_SECONDS = 120, COMMAND_LEN = 4 };

/* A letter that is being sent. */
struct sending {
	struct str text;
	size_t at;
	struct mail_watch *watch; /* or NULL */
	bool handed;              /* the server may have all of it */
	char command[COMMAND_LEN + 1]; /* the last one: "RCPT" */
};

static size_t
read_more(char *to, size_t size, size_t count, void *context)
{
	struct sending *sending = context;
	struct str more = str_sub(sending->text, sending->at, size * count);

	if (more.len != 0)
		memcpy(to, more.base, more.len);
	sending->at += more.len;
	if (more.len == 0 && !sending->handed) {
		if (sending->watch != NULL && !sending->watch->hand(sending->watch))
			return CURL_READFUNC_ABORT;
		sending->handed = true;
	}
	return more.len;
}

static int
look(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct sending *sending = context;

	(void)a, (void)b, (void)c, (void)d;
	return !sending->handed && sending->watch->stopped(sending->watch);
}

/*
 * What is sent, of which only the name of a command is kept: there are passwords among it. QUIT is how curl ends what has
 * failed before.
 */
static int
note_command(CURL *curl, curl_infotype type, char *data, size_t size, void *context)
{
	struct sending *sending = context;

	(void)curl;
	if (type == CURLINFO_HEADER_OUT && size >= COMMAND_LEN && memcmp(data, "QUIT", COMMAND_LEN) != 0)
		memcpy(sending->command, data, COMMAND_LEN);
	return 0;
}

/* A server on this machine is used without verifying its certificate. */
static bool
is_here(struct str url)
{
	static const struct str hosts[] = {
	    STR_INIT("localhost"), STR_INIT("127.0.0.1"), STR_INIT("[::1]")};
	struct str host = str_sub(url, sizeof("smtp://") - 1, url.len);

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		struct str rest = str_sub(host, hosts[i].len, host.len);

		if (str_starts(host, hosts[i]) &&
		    (rest.len == 0 || rest.base[0] == ':' || rest.base[0] == '/'))
			return true;
	}
	return false;
}

static void
set_up(CURL *curl, const struct mail_transport *t, struct sending *sending, struct curl_slist *to)
{
	curl_easy_setopt(curl, CURLOPT_URL, t->url.base);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	curl_easy_setopt(
	    curl, CURLOPT_USE_SSL, is_here(t->url) ? (long)CURLUSESSL_TRY : (long)CURLUSESSL_ALL);
	if (is_here(t->url)) {
		/* A certificate, if it has one, is not for "localhost". */
		curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	curl_easy_setopt(curl, CURLOPT_PROXY, "");
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT,
	    sending->watch != NULL ? (long)WATCHED_SECONDS : (long)SEND_SECONDS);
	curl_easy_setopt(curl, CURLOPT_MAIL_FROM, t->from.base);
	curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to);
	if (t->user.len != 0) {
		curl_easy_setopt(curl, CURLOPT_USERNAME, t->user.base);
		curl_easy_setopt(curl, CURLOPT_PASSWORD, t->password.base);
	}
	curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_more);
	curl_easy_setopt(curl, CURLOPT_READDATA, sending);
	curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L);
	curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, note_command);
	curl_easy_setopt(curl, CURLOPT_DEBUGDATA, sending);
	if (sending->watch != NULL) {
		curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
		curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look);
		curl_easy_setopt(curl, CURLOPT_XFERINFODATA, sending);
	}
}

/* Is the answer about this letter? Else it is about us, as when the server does not let us in. */
static bool
is_about_letter(const struct sending *sending)
{
	return sending->handed || strcmp(sending->command, "RCPT") == 0 ||
	       strcmp(sending->command, "DATA") == 0;
}

static enum mail_end
end_of(const struct sending *sending, CURLcode rc, long code)
{
	if (rc == CURLE_OK)
		return MAIL_SENT;
	if (rc == CURLE_ABORTED_BY_CALLBACK)
		return MAIL_STOPPED;
	if (sending->handed && code < 400)
		return MAIL_UNSURE;
	if (!is_about_letter(sending))
		return MAIL_DOWN;
	return code >= 500 ? MAIL_REFUSED : MAIL_LATER;
}

/* Not curl's own message, which would contain the refused address. */
static const char *
reason(struct arena *arena, const struct sending *sending, CURLcode rc, long code)
{
	if (rc == CURLE_OK)
		return NULL;
	if (code < 400)
		return curl_easy_strerror(rc);
	return str_fmt(arena, "the mail server answered %ld to %s", code,
	    sending->handed ? "the letter" : sending->command[0] != '\0' ? sending->command : "us")
	    .base;
}

const bool mail_available = true;

void
mail_hang_up(struct mail_watch *watch)
{
	curl_easy_cleanup(watch->connection);
	watch->connection = NULL;
}

/* A connection that was kept is used again. */
static CURL *
connection_of(struct mail_watch *watch)
{
	if (watch == NULL || watch->connection == NULL)
		return curl_easy_init();
	curl_easy_reset(watch->connection);
	return watch->connection;
}

const char *
mail_smtp(const struct mail_transport *t, const struct mail *mail, struct arena *arena)
{
	struct clock clock = clock_system();
	struct sending sending = {.watch = mail->watch};
	CURL *curl = connection_of(mail->watch);
	struct curl_slist *to;
	CURLcode rc;
	long code = 0;

	if (mail->watch != NULL) {
		mail->watch->connection = curl;
		mail->watch->end = MAIL_DOWN;
	}
	if (curl == NULL)
		return "libcurl can't start";
	sending.text = mail_text(arena, t->from, mail, clock_now(&clock),
	    mail->id.len != 0 ? mail->id : id_new(arena, &clock));
	to = curl_slist_append(NULL, str_cstring(arena, mail->to));
	set_up(curl, t, &sending, to);
	rc = curl_easy_perform(curl);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
	curl_slist_free_all(to);
	if (mail->watch != NULL)
		mail->watch->end = end_of(&sending, rc, code);
	else
		curl_easy_cleanup(curl);
	return reason(arena, &sending, rc, code);
}
