#ifndef DERIVE_MAILING_H
#define DERIVE_MAILING_H

#include "model/post/posts.h"

struct clock;
struct settings;

/*
 * Adds letters to the outbox for those who get the publication by mail: the next ones that are due, of what appeared
 * from then on. *busy: there may be more. TABLE_CONDITION and its like: somebody else was there, or it was cut short
 * between two steps; again.
 */
enum table_rc mailing_step(struct table *table, struct table_call *call, struct clock *clock,
    const struct settings *settings, int64_t from, bool *busy);

/* What is in the letter of the week that ended then. */
struct posts_query mailing_week_posts(struct arena *arena, int64_t week);

#endif
