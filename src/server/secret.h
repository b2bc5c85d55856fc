#ifndef SERVER_SECRET_H
#define SERVER_SECRET_H

#include "server/config.h"
#include "web/session/secret_file.h"

/*
 * The site's secret at start: its file is read and compared with the mark in the table. At the
 * first start, and if `may_make`, it is created, which is logged. An older table, which contains
 * its key itself, passes it to the file as an old key; what it sealed is sealed again, and the key
 * is removed from the table. An interrupted change is continued at the next start.
 *
 * False, with *why in the arena, if the file is missing, unreadable or another table's: then
 * nothing may be served, as what is sealed could not be opened, and what is sealed now could not
 * later.
 */
bool secrets_open(const struct config *config, bool may_make, struct table *table,
    struct clock *clock, struct arena *arena, const struct log *log, struct secrets *out,
    struct str *why);

#endif
