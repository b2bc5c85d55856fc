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
	struct str id;            /* of its Message-ID, before the "@"; empty: a new one */
	struct str unsubscribe;   /* the address that ends such letters (RFC 8058); empty: none does */
	struct mail_watch *watch; /* who has it sent; NULL: somebody who asks for nothing but whether it was */
};

/* How sending a letter ended. */
enum mail_end {
	MAIL_SENT,
	MAIL_REFUSED, /* this letter: for good */
	MAIL_LATER,   /* this letter: the server may take it another time */
	MAIL_DOWN,    /* the server, or the way to it, whatever the letter */
	MAIL_STOPPED, /* by who watches */
	MAIL_UNSURE,  /* the server got all of it, and did not answer */
};

struct mail_watch {
	/* Called right before the last byte, behind which the server has the letter. False: it is not to have it. */
	bool (*hand)(struct mail_watch *watch);
	/* Asked now and then until then: is it to be stopped? */
	bool (*stopped)(struct mail_watch *watch);
	enum mail_end end; /* the answer */
	void *connection;  /* the transport's, for the next letter; mail_hang_up() */
};

/* Ends the connection that a watch has kept, if there is one. */
void mail_hang_up(struct mail_watch *watch);

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
