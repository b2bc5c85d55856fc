/* Sends a letter by SMTP. The only file that uses libcurl. */
#include "web/mail/mail.h"

#include "base/arena.h"
#include "base/clock.h"

#include <curl/curl.h>
#include <string.h>

enum { CONNECT_SECONDS = 10, SEND_SECONDS = 30 };

/* The rest to be sent. */
struct source {
	struct str text;
	size_t at;
};

static size_t
read_more(char *to, size_t size, size_t count, void *context)
{
	struct source *source = context;
	struct str more = str_sub(source->text, source->at, size * count);

	if (more.len != 0)
		memcpy(to, more.base, more.len);
	source->at += more.len;
	return more.len;
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
set_up(CURL *curl, const struct mail_transport *t, struct source *source, struct curl_slist *to)
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
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)SEND_SECONDS);
	curl_easy_setopt(curl, CURLOPT_MAIL_FROM, t->from.base);
	curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to);
	if (t->user.len != 0) {
		curl_easy_setopt(curl, CURLOPT_USERNAME, t->user.base);
		curl_easy_setopt(curl, CURLOPT_PASSWORD, t->password.base);
	}
	curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_more);
	curl_easy_setopt(curl, CURLOPT_READDATA, source);
}

const bool mail_available = true;

const char *
mail_smtp(const struct mail_transport *t, const struct mail *mail, struct arena *arena)
{
	struct clock clock = clock_system();
	struct source source = {.at = 0};
	struct curl_slist *to;
	CURL *curl = curl_easy_init();
	CURLcode rc;

	if (curl == NULL)
		return "libcurl can't start";
	source.text = mail_text(arena, t->from, mail, clock_now(&clock), id_new(arena, &clock));
	to = curl_slist_append(NULL, str_cstring(arena, mail->to));
	set_up(curl, t, &source, to);
	rc = curl_easy_perform(curl);
	curl_slist_free_all(to);
	curl_easy_cleanup(curl);
	/* curl's own message would contain the refused address. */
	return rc == CURLE_OK ? NULL : curl_easy_strerror(rc);
}
