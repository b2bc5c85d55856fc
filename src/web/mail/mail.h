#ifndef WEB_MAIL_MAIL_H
#define WEB_MAIL_MAIL_H

#include "base/str.h"

struct arena;
struct log;
struct site;

/*
 * Letters, which a thread of its own sends: no request waits for a mail server, and none takes longer because
 * there is somebody to write to. So what a letter says is not made by the request either, but by the thread.
 */
struct mail {
	struct str to;            /* an address in its one form */
	struct str subject, text; /* UTF-8; lines end in \n */
};

/* How letters are sent. Returns NULL, or why it failed, in the arena, without saying to whom. */
struct mail_transport {
	const char *(*send)(
	    const struct mail_transport *transport, const struct mail *mail, struct arena *arena);
	/* What mail_smtp() needs; all end in a NUL. */
	struct str url;            /* smtp://host:port or smtps://host:port */
	struct str from;           /* the sender's address */
	struct str user, password; /* or empty */
};

/* libcurl's: encrypted, but to a server on this machine. */
const char *mail_smtp(
    const struct mail_transport *transport, const struct mail *mail, struct arena *arena);

/* Was the program built with it? Without it, mail_smtp() does nothing but say so. */
extern const bool mail_available;

/*
 * What writes a letter, on the mailer's thread, from what was asked for. False: there is nothing to send. It may
 * use the site's table and clock.
 */
typedef bool mail_writer(
    struct site *site, struct arena *arena, struct str about, struct mail *out);

struct mailer;

enum { MAIL_ABOUT_MAX = 1000, MAIL_QUEUE_MAX = 100 };

/* The site and the log must outlive it. NULL when no thread can be had, which it has logged. */
struct mailer *mailer_start(
    const struct mail_transport *transport, struct site *site, const struct log *log);

/* Ends it behind the letter that it is at; what waits is not sent. NULL is allowed. */
void mailer_stop(struct mailer *mailer);

/* Has a letter written and sent. False: too many wait, or `about` is too long. */
bool mailer_ask(struct mailer *mailer, mail_writer *write, struct str about);

/* Waits until nothing waits: for tests. */
void mailer_rest(struct mailer *mailer);

/* The letter as it goes over the wire: headers, an empty line, and the text, all in ASCII. */
struct str mail_text(
    struct arena *arena, struct str from, const struct mail *mail, int64_t now, struct str id);

#endif
