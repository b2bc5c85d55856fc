#ifndef T_STORE_H
#define T_STORE_H

#include "table/table.h"

/*
 * A table for a test that works with any engine: of the embedded one, or, with TEST_STORE=dynamodb
 * in the environment, of DynamoDB Local. t/dynamodb.t runs every test that uses this once more with
 * that.
 */
struct test_store {
	char folder
	    [64]; /* its own, for the table's file and other files of the test; removed with it */
	char name[64]; /* of DynamoDB's table; empty for a file */
	struct table *table;
};

/* A new, empty table; without one the test ends. The clock must outlive it. */
struct table *test_store_open(struct test_store *store, struct clock *clock);

/* Where tests put what they store: where script/test says, else in memory if possible, as a busy disk is slow. */
const char *test_folder(void);

/* Opens the same table once more, beside the first; table_close() ends it. */
struct table *test_store_again(struct test_store *store, struct clock *clock);

/* Closes the table, and removes it and the folder with the files in it. */
void test_store_close(struct test_store *store);

#endif
