#ifndef TABLE_DYNAMO_DYNAMO_H
#define TABLE_DYNAMO_DYNAMO_H

#include "table/driver.h"

/*
 * The distributed engine: the table in Amazon DynamoDB, or in a server with its protocol. Its
 * settings come from the environment by the conventions of Amazon's SDKs; see config.h and
 * docs/dynamodb.md.
 *
 * In a build without the aws libraries every function here fails with TABLE_UNAVAILABLE and says
 * so.
 *
 * An empty name stands for DYNAMODB_TABLE. On failure *why, in the arena, is a sentence for an
 * operator that says what to do.
 */

extern const struct table_driver table_driver_dynamo;

/*
 * Opens the table after checking it: it must exist and be active, with its keys, its four indexes
 * and its stream; other deviations are reported in table->warning. The clock must outlive it. The
 * caller ends it with table_close().
 *
 * An open table does not survive fork(): open it in the child.
 */
enum table_rc table_dynamo_open(struct str name, struct clock *clock, struct arena *arena,
    struct table **table, struct str *why);

/* What a table is. Slices are in the arena. */
struct table_dynamo_description {
	struct str name;
	struct str status;    /* "ACTIVE" */
	const char *error;    /* why it can't be used, a sentence; NULL if it can */
	const char *warning;  /* a warning, a sentence; NULL if there is none */
	bool streams;         /* with old and new images */
	struct str stream;    /* its name at the service; empty without one */
	struct str expiry;    /* the attribute by which items are removed; "none"; "not known" */
	struct str recovery;  /* to a point in time: "on"; "off"; "not known" */
	int64_t items, bytes; /* as the service counted them some hours ago */
};

/* What table_dynamo_create() has done. */
struct table_dynamo_made {
	bool table;          /* else it was there */
	bool expiry;         /* time to live was enabled */
	bool recovery;       /* point-in-time recovery was enabled */
	const char *warning; /* what could not be done, a sentence; or NULL */
};

/*
 * Creates the table with its keys, four indexes, time to live, stream and, if the service offers
 * it, point-in-time recovery, billed per request, and waits until it is active. If there is a table
 * of ours with that name, enables time to live and recovery if they are off; TABLE_INVALID if both
 * are on, or it is not ours.
 */
enum table_rc table_dynamo_create(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_made *out, struct str *why);

/* TABLE_UNAVAILABLE if it does not exist, as for all other failures. */
enum table_rc table_dynamo_describe(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_description *out, struct str *why);

/* Deletes the table with all of its items, and waits until it is gone. */
enum table_rc table_dynamo_delete(
    struct str name, struct clock *clock, struct arena *arena, struct str *why);

#endif
