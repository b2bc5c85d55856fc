#ifndef TABLE_DRIVER_H
#define TABLE_DRIVER_H

#include "table/table.h"

/*
 * The storage engines, for those who do not know which one they use: what the settings call it, how its tables are
 * opened, and what can be done to one as a whole. An engine is its folder and a row in driver.c.
 *
 * `name` is what follows the prefix and the colon, with a NUL behind it. On failure *why, in the arena, is a sentence for
 * an operator that says what to do.
 */

enum table_open {
	TABLE_OPEN_EXISTING, /* the table must be there */
	TABLE_OPEN_CREATE,   /* it is made when it is not, where a table is a file (is_file) */
};

/* What table_driver.create has done. */
struct table_made {
	bool table;           /* else it was there, and was given what it lacked: */
	const char *added[2]; /* sentences; NULL: no more */
	const char *warning;  /* what could not be done, a sentence; NULL when nothing */
};

/* What a table is, as lines of a name and a text or a number. */
struct table_description {
	struct str name; /* the table's own, where the settings may leave it out */
	struct table_fact {
		const char *name;
		struct str text;
		uint64_t number; /* when there is no text */
	} facts[8];
	size_t count;
	const char *error;   /* what keeps it from being used, a sentence; NULL when nothing does */
	const char *warning; /* what does not, but costs, a sentence; NULL when nothing does */
};

/* Asked now and then during long work: false ends it, and all is as it was. */
struct table_watch {
	bool (*go_on)(void *context);
	void *context;
};

struct table_driver {
	const char *prefix; /* "sqlite" of "sqlite:PATH" */
	bool is_file;       /* a name is the path of a file, which is made by who opens it */
	bool
	    is_remote; /* a call waits for a network: more threads than processors are worth while */
	bool may_be_unnamed;          /* the environment names it then */
	const char *(*library)(void); /* the version of what it runs with; NULL: not told */

	enum table_rc (*open)(struct str name, enum table_open how, struct clock *clock,
	    struct arena *arena, struct table **table, struct str *why);
	/* TABLE_INVALID when it is there and lacks nothing. */
	enum table_rc (*create)(struct str name, struct clock *clock, struct arena *arena,
	    struct table_made *out, struct str *why);
	enum table_rc (*describe)(struct str name, struct clock *clock, struct arena *arena,
	    struct table_description *out, struct str *why);
	/* NULL: by_hand() says how it is done without us. */
	enum table_rc (*remove)(
	    struct str name, struct clock *clock, struct arena *arena, struct str *why);
	struct str (*by_hand)(struct str name, struct arena *arena);

	/* NULL: no_backup says why there are none. Of an open table. */
	enum table_rc (*backup)(struct table *table, const char *to,
	    const struct table_watch *watch, struct arena *arena, struct str *why);
	enum table_rc (*restore)(
	    struct table *table, const char *from, struct arena *arena, struct str *why);
	const char *no_backup;
	/* Reads all of it to find damage; NULL: that is the service's. */
	enum table_rc (*check)(struct table *table, struct arena *arena, struct str *why);
};

/* The driver of a setting like "sqlite:PATH"; NULL when there is none, or no name where one must be. */
const struct table_driver *table_driver_of(struct str setting, struct str *name);

/* All of them; NULL behind the last. */
extern const struct table_driver *const table_drivers[];

/* Their settings, for who wrote another one, and what each is. */
extern const char table_drivers_wanted[], table_drivers_described[];

#endif
