#ifndef SERVER_STORE_H
#define SERVER_STORE_H

#include "server/config.h"
#include "table/driver.h"

/*
 * Opens the table that the settings name; table_close() ends it. On failure *table is NULL and *why, in the arena, is one
 * line for an operator.
 */
enum table_rc store_open(const struct config *config, enum table_open how, struct clock *clock,
    struct arena *arena, struct table **table, struct str *why);

/*
 * Where the table has been handed over to `next-store`, that is the store of these settings from here on. TABLE_OK otherwise,
 * too; fails as store_open() does.
 */
enum table_rc store_settle(struct config *config, struct clock *clock, struct arena *arena, struct str *why);

/* The store as the settings name it: "sqlite:/var/lib/broadsheet/broadsheet.db". */
struct str store_name(const struct config *config, struct arena *arena);

#endif
