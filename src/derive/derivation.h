#ifndef DERIVE_DERIVATION_H
#define DERIVE_DERIVATION_H

#include "table/table.h"

struct kind;

/*
 * What is derived from the facts of the table, by the stream worker and by rebuilds.
 *
 * A derivation divides the table into subjects: a person, a post, an item. A change of an item concerns at most one of them,
 * and what is derived for a subject depends on the facts alone as they are now, never on the change: so it does not
 * matter how often, in which order and how late a subject is derived, or whether two processes do so at once.
 *
 * A new derivation is one file and its row in derivations.c; the kinds of item that it adds name it (struct kind, derived_by).
 */
struct derive {
	struct table *table;
	struct table_call *call; /* its arena lasts until the subject is done */
	struct clock *clock;
	struct str site; /* its address, "https://example.org" */
	const struct derivation *by; /* which is at work */
	bool check;      /* nothing is written, only counted */
	bool whole;      /* of a rebuild: what says that something was derived already is not trusted */
	int64_t differences;
	struct str first; /* the key of the first difference of this subject, for people; empty: none */
};

/*
 * For a derivation that costs less for many subjects together than for one after another: in a rebuild they are
 * gathered in memory, and then written step by step, between the changes that come. Until then the rebuild does not
 * count as having come so far.
 */
struct derivation_bulk {
	void *(*begin)(struct derive *d);
	/* *full: there are enough. */
	enum table_rc (*add)(void *bulk, struct derive *d, struct str subject, bool *full);
	/* Writes some; *done: that was all. */
	enum table_rc (*step)(void *bulk, struct derive *d, bool *done);
	void (*end)(void *bulk);
};

struct derivation {
	struct str name;
	const char *summary; /* of what is derived from what */
	/* What it makes of the same facts. A higher one than the table's is made for the whole table, without being asked. */
	int64_t version;
	/*
	 * Whom a change of this item concerns, of a fact or of what was derived; empty: nobody. Cheap, as it is asked
	 * of every change, with the kind of its key.
	 */
	struct str (*subject)(struct arena *arena, struct key key, const struct kind *kind);
	/*
	 * Reads the facts, and hands what should be there to derive_item(). Reads of the table itself have to be
	 * `consistent`; an index may lag, which is right only for what another record will lead to.
	 */
	enum table_rc (*derive)(struct derive *d, struct str subject);
	const struct derivation_bulk *bulk; /* NULL: rebuilds derive each by itself, too */
};

extern const struct derivation derivations[];
extern const size_t derivation_count;

/* The derivation of this name; NULL: there is none. */
const struct derivation *derivation_find(struct str name);

/*
 * Makes an item what it should be. `is`: as it was read, NULL: it is not there. `wanted`: NULL: it should not be.
 * Writes only what differs, and only if nobody else has changed that: else it is TABLE_CONDITION, and the subject is derived
 * again.
 */
enum table_rc derive_item(struct derive *d, const struct item *is, const struct item *wanted);

/*
 * The same of an item that is counted (struct kind, counted): in one transaction with its counters, and only if nothing of the
 * item has changed.
 */
enum table_rc derive_counted(struct derive *d, const struct item *is, const struct item *wanted);

/* The same of all items of a partition, as they were read and as they should be. */
enum table_rc derive_items(struct derive *d, const struct item *there, size_t there_count,
    const struct item *wanted, size_t wanted_count);

/*
 * The same of many that were compared already: writes without conditions, of which the first item is the first difference.
 * No two are of one item. Up to a hundred are one transaction.
 */
enum table_rc derive_writes(struct derive *d, struct write *writes, size_t count);
/* The same, of which none needs another (table_write_each()). */
enum table_rc derive_writes_apart(struct derive *d, struct write *writes, size_t count);

/*
 * Calls `visit` for the pages of a query, of up to query.limit items: what it allocates is gone with the page. It ends at
 * the first failure.
 */
enum table_rc derive_pages(struct derive *d, struct query query,
    enum table_rc (*visit)(struct derive *d, const struct item *found, size_t count, void *context),
    void *context);

/*
 * Calls `visit` for all items of a query, page by page: what it allocates is gone with the page. It ends at the first
 * failure.
 */
enum table_rc derive_each(struct derive *d, struct query query,
    enum table_rc (*visit)(struct derive *d, const struct item *item, void *context), void *context);

/*
 * Derives a subject, again when somebody else has changed meanwhile what was read. Everything that it allocates is gone
 * afterwards, but for d->first.
 */
enum table_rc derive_subject(struct derive *d, const struct derivation *derivation, struct str subject);

#endif
