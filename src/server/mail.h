#ifndef SERVER_MAIL_H
#define SERVER_MAIL_H

#include "base/str.h"

struct arena;
struct config;
struct mail_transport;

/*
 * How letters are sent, as the settings have it; reads the file with the password. All in the arena. False, and
 * *why, when that can't be. Only where smtp-url is set.
 */
bool mail_of(
    const struct config *config, struct arena *arena, struct mail_transport *out, struct str *why);

#endif
