#ifndef TABLE_DYNAMO_DYNAMO_H
#define TABLE_DYNAMO_DYNAMO_H

#include "table/table.h"

/*
 * The distributed engine: the table in Amazon DynamoDB, or in a server of its protocol. Its settings
 * come from the environment by the conventions of Amazon's SDKs; see dynamo_config.h and
 * docs/dynamodb.md.
 *
 * In a build without the aws libraries every function here fails with TABLE_UNAVAILABLE and says so.
 *
 * In all of them an empty name stands for DYNAMODB_TABLE. On failure *why, in the arena, is a sentence
 * for an operator that says what to do.
 */

/*
 * Opens the table after a look at it: it must be there, active, with its keys, its four indexes and its
 * stream; what else is not as it should be is table->warning. The clock must outlive it. The caller ends it with table_close().
 *
 * An open table does not survive fork(): open it in the child.
 */
enum table_rc table_dynamo_open(struct str name, struct clock *clock, struct arena *arena,
    struct table **table, struct str *why);

/* What a table is. Slices are in the arena. */
struct table_dynamo_description {
	struct str name;
	struct str status;   /* "ACTIVE" */
	const char *flaw;    /* what keeps it from being used, a sentence; NULL when nothing does */
	const char *warning; /* what does not, but costs, a sentence; NULL when nothing does */
	bool streams;        /* with old and new images */
	struct str stream;   /* its name at the service; empty without one */
	struct str expiry;   /* the attribute by which items are removed; "none"; "not known" */
	struct str recovery; /* to a point in time: "on"; "off"; "not known" */
	int64_t items, bytes; /* as the service counted them some hours ago */
};

/* What table_dynamo_create() has done. */
struct table_dynamo_made {
	bool table;          /* else it was there */
	bool expiry;         /* items that expire are removed, from now on */
	bool recovery;       /* point-in-time recovery is on, from now on */
	const char *warning; /* what could not be done, a sentence; NULL when nothing */
};

/*
 * Makes the table with its keys, four indexes, expiry, stream and, where the service offers it,
 * point-in-time recovery, pays by request, and waits until it is there. When there is one of that name, one of ours, it
 * is given what it lacks of expiry and recovery; TABLE_INVALID when it lacks nothing, or is none of ours.
 */
enum table_rc table_dynamo_create(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_made *out, struct str *why);

/* TABLE_UNAVAILABLE when there is none, like all else that goes wrong. */
enum table_rc table_dynamo_describe(struct str name, struct clock *clock, struct arena *arena,
    struct table_dynamo_description *out, struct str *why);

/* Removes the table with all that it holds, and waits until it is gone. */
enum table_rc table_dynamo_delete(
    struct str name, struct clock *clock, struct arena *arena, struct str *why);

#endif
