#ifndef MODEL_SITE_UPGRADE_H
#define MODEL_SITE_UPGRADE_H

#include "table/table.h"

/*
 * Carries an older table over to the present form (model/site/format.h): reads all of it once, page by page, and changes
 * what is of an older form, each in a transaction on the condition that it is as it was read. So readers may write
 * meanwhile, it may stop anywhere and be run again, and what is of the present form is left alone.
 */
struct upgrade_kind {
	const char *one, *many; /* what was carried over, in words */
};
enum { UPGRADE_KINDS = 7 };
extern const struct upgrade_kind upgrade_kinds[UPGRADE_KINDS];

struct upgrade {
	struct table *table;
	/* Called after each page with the number of items read so far; it may set `stop`. */
	void (*progress)(void *context, uint64_t items);
	void *context;
	bool stop;

	/* What became of it. */
	uint64_t items, changed[UPGRADE_KINDS];
	uint64_t late; /* others wrote the same at each try: to be run again */
	bool resumed;  /* it went on where an earlier run stopped */
	struct str why; /* of a failure; in the arena of upgrade_run() */
};

/* TABLE_OK, too, when it was stopped. The format says afterwards whether all is carried over. */
enum table_rc upgrade_run(struct upgrade *upgrade, struct arena *arena);

/*
 * The same of categories and tags alone, which pages list: before an older table is served. *carried is how many they
 * were.
 */
enum table_rc upgrade_names(struct table *table, uint64_t *carried);

/* Is this an item of an older form? */
bool upgrade_is_old(const struct item *item);

#endif
