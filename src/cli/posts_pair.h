#ifndef CLI_POSTS_PAIR_H
#define CLI_POSTS_PAIR_H

#include "cli/command.h"
#include "model/post/writing.h"
#include "text/post_file.h"

/*
 * A file of a folder that is imported, and the post that the table has of it. What is wrong with a file is complained
 * of, with its name and line, and counted.
 */
enum { PAIR_SLUGS = DRAFT_SLUGS_MAX, FAULTS_SHOWN = 20 };

/* Where files come from, and where posts are. */
struct import_source {
	struct invocation *in;
	struct table *table;
	const char *folder;
	struct arena *arena; /* of one file: who goes on to the next resets it */
	size_t faults;       /* of all files; after FAULTS_SHOWN they are only counted */
};

struct post_pair {
	struct post_file file, stored;
	struct written written;
	bool there; /* the table has one */
};

void import_fault(struct import_source *from, const char *name, uint32_t line, struct str why);

/* Reads a file; false, and a fault, when it is no post. */
bool pair_parse(struct import_source *from, const char *name, struct post_file *out);

/* A file's addresses: its slug first, the id, and the old ones. */
size_t pair_slugs(const struct post_file *file, struct str slugs[PAIR_SLUGS]);

/*
 * The file and what the table has; the file says all afterwards. TABLE_OK, also when there is a fault, or how the table
 * failed.
 */
enum table_rc pair_load(
    struct import_source *from, const char *name, struct table_call *call, struct post_pair *pair);

/* Would the import change nothing? */
bool pair_same(struct import_source *from, const struct post_pair *pair);

#endif
