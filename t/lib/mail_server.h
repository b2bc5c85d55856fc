#ifndef T_MAIL_SERVER_H
#define T_MAIL_SERVER_H

#include "base/str.h"

#include <stdint.h>
#include <sys/types.h>

struct arena;

/* A real mail server (aiosmtpd, of Debian) on loopback, which puts each letter that it takes into a file of a folder. */
struct mail_server {
	char folder[64];
	uint16_t port;
	pid_t pid;
};

/* False: it is not installed. */
bool mail_server_start(struct mail_server *server);
/* Ends it, and removes what it has taken. */
void mail_server_stop(struct mail_server *server);

/* What it has taken so far, each letter whole, in the arena. */
size_t mail_server_letters(const struct mail_server *server, struct arena *arena, struct str **out);

#endif
