#ifndef T_STORE_H
#define T_STORE_H

#include "table/table.h"

/*
 * A table for a test to which it does not matter what holds it: of the embedded engine, or, where the
 * environment has TEST_STORE=dynamodb, of DynamoDB Local. t/dynamodb.t runs every test that stands on
 * this once more with it.
 */
struct test_store {
	char folder
	    [64]; /* its own, for the table's file and what else the test needs; goes with it */
	char name[64]; /* of DynamoDB's table; empty for a file */
	struct table *table;
};

/* A new and empty table; the test ends when there is none. The clock must outlive it. */
struct table *test_store_open(struct test_store *store, struct clock *clock);

/* Opens the same table once more, beside the first; table_close() ends it. */
struct table *test_store_again(struct test_store *store, struct clock *clock);

/* Closes the table, and removes it and the folder with the files in it. */
void test_store_close(struct test_store *store);

#endif
