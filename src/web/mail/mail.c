#include "web/mail/mail.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* --- The format of a letter ------------------------------------------------------------------- */

/* A letter as sent (RFC 5322, MIME): ASCII, lines with CRLF, of at most 76 characters. */

enum { COLUMNS = 76, WORD_BYTES = 45 };

static bool
is_plain(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.base[i] < 0x20 || text.base[i] > 0x7e)
			return false;
	return text.len <= COLUMNS && text.len != 0;
}

/* A header's text; non-ASCII as encoded words in base64, split between characters (RFC 2047). */
static void
put_header_text(struct buf *out, struct str text)
{
	char word[sodium_base64_ENCODED_LEN(WORD_BYTES, sodium_base64_VARIANT_ORIGINAL)];
	size_t at = 0, next, end;

	if (is_plain(text)) {
		buf_put(out, text);
		return;
	}
	while (at < text.len) {
		for (end = next = at; next < text.len; end = next) {
			str_rune(text, &next);
			if (next - at > WORD_BYTES)
				break;
		}
		sodium_bin2base64(word, sizeof(word), (const unsigned char *)text.base + at,
		    end - at, sodium_base64_VARIANT_ORIGINAL);
		buf_fmt(out, "%s=?UTF-8?B?%s?=", at != 0 ? "\r\n " : "", word);
		at = end;
	}
}

/* "Wed, 18 Nov 2026 09:30:00 +0000" */
static void
put_date(struct buf *out, int64_t now)
{
	static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[][4] = {
	    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct date d = time_date(now);

	buf_fmt(out, "%s, %d %s %d %02d:%02d:%02d +0000", days[d.weekday], d.day,
	    months[d.month - 1], d.year, d.hour, d.minute, d.second);
}

/* Quoted-printable: special bytes, and white space at a line's end, as "=20". */
static void
put_quoted(struct buf *out, struct str text)
{
	size_t column = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.base[i];
		bool last = i + 1 == text.len || text.base[i + 1] == '\n';
		bool plain = c >= 0x20 && c <= 0x7e && c != '=' && !(c == ' ' && last);

		if (c == '\n') {
			BUF_PUT(out, "\r\n");
			column = 0;
			continue;
		}
		if (column + (plain ? 1 : 3) > COLUMNS - 1) {
			BUF_PUT(out, "=\r\n");
			column = 0;
		}
		if (plain)
			buf_putc(out, (char)c);
		else
			buf_fmt(out, "=%02X", c);
		column += plain ? 1 : 3;
	}
}

struct str
mail_text(struct arena *arena, struct str from, const struct mail *mail, int64_t now, struct str id)
{
	struct buf out = {.arena = arena};
	struct str host;

	str_cut(from, '@', &host);
	BUF_PUT(&out, "Date: ");
	put_date(&out, now);
	buf_fmt(&out, "\r\nFrom: <%.*s>\r\nTo: <%.*s>\r\nSubject: ", STR_ARGS(from),
	    STR_ARGS(mail->to));
	put_header_text(&out, mail->subject);
	buf_fmt(&out, "\r\nMessage-ID: <%.*s@%.*s>\r\n", STR_ARGS(id), STR_ARGS(host));
	if (mail->unsubscribe.len != 0)
		buf_fmt(&out,
		    "List-Unsubscribe: <%.*s>\r\n"
		    "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
		    STR_ARGS(mail->unsubscribe));
	BUF_PUT(&out, "MIME-Version: 1.0\r\n"
		      "Content-Type: text/plain; charset=utf-8\r\n"
		      "Content-Transfer-Encoding: quoted-printable\r\n"
		      "Auto-Submitted: auto-generated\r\n\r\n");
	put_quoted(&out, mail->text);
	return buf_str(&out);
}

/* --- Sending ---------------------------------------------------------------------------------- */

struct job {
	mail_writer *write;
	char about[MAIL_ABOUT_MAX];
	size_t len;
};

struct mailer {
	struct mail_transport transport;
	struct site *site;
	const struct log *log;
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct job jobs[MAIL_QUEUE_MAX]; /* a ring */
	size_t first, count;             /* the first one stays until it has been sent */
	bool stop;
};

static void
do_job(struct mailer *m, const struct job *job, struct arena *arena)
{
	struct mail mail = {.id = STR("")};
	const char *why;

	if (!job->write(m->site, arena, (struct str){job->about, job->len}, &mail))
		return;
	why = m->transport.send(&m->transport, &mail, arena);
	if (why != NULL)
		log_line(m->log, LOG_WARNING, "A letter could not be sent: %s.", why);
}

static void *
run(void *context)
{
	struct mailer *m = context;
	struct arena *arena = arena_new();
	struct job job;

	pthread_mutex_lock(&m->mutex);
	while (!m->stop) {
		if (m->count == 0) {
			pthread_cond_wait(&m->changed, &m->mutex);
			continue;
		}
		job = m->jobs[m->first];
		pthread_mutex_unlock(&m->mutex);
		do_job(m, &job, arena);
		arena_reset(arena);
		pthread_mutex_lock(&m->mutex);
		assert(m->count > 0 && m->count <= MAIL_QUEUE_MAX);
		m->first = (m->first + 1) % MAIL_QUEUE_MAX;
		m->count--;
		pthread_cond_broadcast(&m->changed);
	}
	if (m->count != 0)
		log_line(m->log, LOG_WARNING, "%zu letters were not sent.", m->count);
	pthread_mutex_unlock(&m->mutex);
	arena_free(arena);
	return NULL;
}

static void
end(struct mailer *m)
{
	pthread_cond_destroy(&m->changed);
	pthread_mutex_destroy(&m->mutex);
	free(m);
}

struct mailer *
mailer_start(const struct mail_transport *transport, struct site *site, const struct log *log)
{
	struct mailer *m = calloc(1, sizeof(*m));
	int error;

	if (m == NULL)
		out_of_memory();
	m->transport = *transport;
	m->site = site;
	m->log = log;
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->changed, NULL);
	error = thread_start(&m->thread, run, m);
	if (error == 0)
		return m;
	log_line(log, LOG_WARNING, "No thread to send mail with: %s.", strerror(error));
	end(m);
	return NULL;
}

void
mailer_stop(struct mailer *m)
{
	if (m == NULL)
		return;
	pthread_mutex_lock(&m->mutex);
	m->stop = true;
	pthread_cond_broadcast(&m->changed);
	pthread_mutex_unlock(&m->mutex);
	pthread_join(m->thread, NULL);
	end(m);
}

bool
mailer_ask(struct mailer *m, mail_writer *write, struct str about)
{
	struct job *job;
	bool room;

	if (about.len > MAIL_ABOUT_MAX)
		return false;
	pthread_mutex_lock(&m->mutex);
	room = m->count < MAIL_QUEUE_MAX;
	if (room) {
		job = &m->jobs[(m->first + m->count) % MAIL_QUEUE_MAX];
		job->write = write;
		job->len = about.len;
		if (about.len != 0)
			memcpy(job->about, about.base, about.len);
		m->count++;
		pthread_cond_broadcast(&m->changed);
	}
	pthread_mutex_unlock(&m->mutex);
	return room;
}

void
mailer_rest(struct mailer *m)
{
	pthread_mutex_lock(&m->mutex);
	while (m->count != 0)
		pthread_cond_wait(&m->changed, &m->mutex);
	pthread_mutex_unlock(&m->mutex);
}
