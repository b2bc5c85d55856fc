#ifndef CLI_COPY_H
#define CLI_COPY_H

#include "cli/command.h"
#include "table/copy.h"

/* What the files of `broadsheet copy` share. */

/* A table, of the two. */
struct side {
	struct config config; /* only its store is used */
	struct table *table;
	struct str name;
	struct table_sum sum;
};

enum outcome open_side(struct invocation *in, enum table_open how, struct side *side);

/* copy --follow: until a signal ends it, or the site has been handed over. Both sides are open. */
enum outcome copy_follow(struct invocation *in, struct side *from, struct side *to);

#endif
