#ifndef SERVER_SECRET_H
#define SERVER_SECRET_H

#include "server/config.h"
#include "web/session/secret_file.h"

/*
 * The site's secret at a start: its file is read and compared with the table's mark. At the first start, and where
 * `may_make`, it is made, which is logged. A table from before, which holds its key itself, gives it to the file as an
 * old key; what it sealed is sealed anew, and the key leaves the table. Whatever breaks off goes on at the next start.
 *
 * False, with *why in the arena, when the file is missing, unreadable or another table's: nothing may be served then,
 * as what is sealed could not be opened, and what is sealed now could not later.
 */
bool secrets_open(const struct config *config, bool may_make, struct table *table,
    struct clock *clock, struct arena *arena, const struct log *log, struct secrets *out,
    struct str *why);

#endif
