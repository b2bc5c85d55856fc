#ifndef CLI_SEED_H
#define CLI_SEED_H

#include "model/kinds.h"
#include "model/site/load.h"

/*
 * The seed: JSON lines that hold a small publication, as docs/table.md describes them. All of it is read,
 * checked and rendered before anything is written.
 */
struct seed {
	struct item *items;
	size_t count;
	size_t files;
	struct key_set keys; /* sealed */
};

/*
 * Reads every *.jsonl of a directory, in the order of their names. Times count from `now`; `origin` is
 * the site's own address, for its links. The items are in the arena. False when anything is wrong: *why
 * names file, line and column. seed_free() ends it in both cases.
 */
bool seed_read(struct arena *arena, const char *directory, int64_t now, struct str origin,
    struct seed *out, struct str *why);
void seed_free(struct seed *seed);

/* How many items of the seed are of this kind. */
size_t seed_count(const struct seed *seed, enum item_kind kind);

#endif
