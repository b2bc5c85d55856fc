/* The format of letters, and the thread that sends them. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/log.h"
#include "web/mail/mail.h"

#include <pthread.h>

#define HEAD(subject)                                                                        \
	"Date: Wed, 18 Nov 2026 09:30:00 +0000\r\nFrom: <a@example.org>\r\n"                 \
	"To: <noor@example.org>\r\nSubject: " subject "\r\nMessage-ID: <id@example.org>\r\n" \
	"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"                   \
	"Content-Transfer-Encoding: quoted-printable\r\nAuto-Submitted: auto-generated\r\n\r\n"
#define TEN "0123456789"

static const struct {
	const char *says, *subject, *text, *wire;
} letters[] = {
    {"plain", "Hello", "One\n\ntwo\n", HEAD("Hello") "One\r\n\r\ntwo\r\n"},
    {"with a link", "Hello", "https://a.example/reset/x_-Y\n",
	HEAD("Hello") "https://a.example/reset/x_-Y\r\n"},
    {"with other letters",
	"Gr\xc3\xbc\xc3\x9f"
	"e",
	"na\xc3\xafve = 1 \n", HEAD("=?UTF-8?B?R3LDvMOfZQ==?=") "na=C3=AFve =3D 1=20\r\n"},
    {"with a long line", "Hello", TEN TEN TEN TEN TEN TEN TEN TEN "\n",
	HEAD("Hello") TEN TEN TEN TEN TEN TEN TEN "01234=\r\n56789\r\n"},
    {"with a subject that would forge a header", "A\r\nBcc: all@example.org", "\n",
	HEAD("=?UTF-8?B?QQ0KQmNjOiBhbGxAZXhhbXBsZS5vcmc=?=") "\r\n"},
    {"with a subject of many words",
	"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
	"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
	"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
	"\n",
	HEAD("=?UTF-8?B?w6nDqcOpw6nDqcOpw6nDqcOpw6nDqcOpw6nDqcOpw6nDqcOpw6nDqcOpw6k=?=\r\n "
	     "=?UTF-8?B?w6k=?=") "\r\n"},
};

/* --- The thread ------------------------------------------------------------------------------------- */

static struct {
	pthread_mutex_t gate; /* held by the test while letters are to wait */
	unsigned sent;
	char last[64];
} post = {.gate = PTHREAD_MUTEX_INITIALIZER};

static const char *
send_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	pthread_mutex_lock(&post.gate);
	post.sent++;
	snprintf(post.last, sizeof(post.last), "%.*s", STR_ARGS(mail->to));
	pthread_mutex_unlock(&post.gate);
	return str_eq(mail->to, STR("nobody")) ? "there is no such mailbox" : NULL;
}

static bool
write_letter(struct site *site, struct arena *arena, struct str about, struct mail *out)
{
	(void)site;
	*out = (struct mail){.to = str_dup(arena, about), .subject = STR("x"), .text = STR("y\n")};
	return about.len != 0;
}

static void
queue(const struct log *log)
{
	const struct mail_transport transport = {.send = send_letter};
	struct mailer *m = mailer_start(&transport, NULL, log);
	char address[MAIL_ABOUT_MAX + 1];
	unsigned taken = 0;

	ok(mailer_ask(m, write_letter, STR("noor")), "a letter is asked for");
	mailer_rest(m);
	ok(post.sent == 1 && strcmp(post.last, "noor") == 0, "... and sent");
	ok(mailer_ask(m, write_letter, STR("")), "one that nobody is to get");
	mailer_rest(m);
	is_int(post.sent, 1, "... is not sent");
	memset(address, 'x', sizeof(address));
	ok(mailer_ask(m, write_letter, (struct str){address, MAIL_ABOUT_MAX}), "as long as can be");
	ok(!mailer_ask(m, write_letter, (struct str){address, sizeof(address)}), "... and longer");
	mailer_ask(m, write_letter, STR("nobody"));
	mailer_rest(m);
	is_int(post.sent, 3, "one that fails");
	mailer_ask(m, write_letter, STR("kofi"));
	mailer_rest(m);
	ok(strcmp(post.last, "kofi") == 0, "... does not hold up the next");
	pthread_mutex_lock(&post.gate);
	while (taken < 2 * MAIL_QUEUE_MAX && mailer_ask(m, write_letter, STR("marta")))
		taken++;
	is_int(taken, MAIL_QUEUE_MAX, "so many may wait, and no more");
	pthread_mutex_unlock(&post.gate);
	mailer_rest(m);
	is_int(post.sent, 4 + MAIL_QUEUE_MAX, "all of them are sent");
	mailer_stop(m);
	mailer_stop(NULL);
}

int
main(void)
{
	struct arena *arena = arena_new();
	const struct log log = {.fd = -1, .level = LOG_ERROR};

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		const struct mail mail = {.to = STR("noor@example.org"),
		    .subject = str_of(letters[i].subject),
		    .text = str_of(letters[i].text)};

		is_str(mail_text(
			   arena, STR("a@example.org"), &mail, INT64_C(1794994200000), STR("id")),
		    str_of(letters[i].wire), "a letter %s", letters[i].says);
	}
	queue(&log);
	arena_free(arena);
	return tap_done();
}
