#ifndef PAGES_WRITE_WRITE_ROWS_H
#define PAGES_WRITE_WRITE_ROWS_H

#include "web/form/multipart.h"

struct arena;

/*
 * A how-to's rows in the form in which posts are written: materials, tools and steps, as many as its writer wants.
 * "Add a row" is a button that submits. Rows and what is wrong with them are in the arena.
 */
enum rows_of { ROWS_MATERIALS, ROWS_TOOLS, ROWS_STEPS, ROWS_KINDS };
enum { ROWS_MAX = 50 };

struct row {
	struct str first, second; /* a material's name and amount; else only the first */
};

struct rows {
	struct row *rows; /* room for ROWS_MAX + 1 */
	size_t count;
	const char *error; /* what is wrong with one of them, or NULL */
};

/* What a kind of rows is called in inputs and buttons: "material", "tool", "step". */
const char *rows_name(enum rows_of of);
const char *rows_second_name(enum rows_of of); /* "amount" of a material; NULL: there is none */

/* How many bytes a browser sends for all rows at most, urlencoded. */
size_t rows_bytes_max(void);

/* None yet. */
void rows_begin(struct arena *arena, struct rows *rows);

/* One more behind the others; an error when there are ROWS_MAX. */
void rows_add(struct rows *rows, struct str first, struct str second);

/* Those of a kind that were sent, right or wrong, in their order. */
void rows_read(struct arena *arena, enum rows_of of, const struct parts *inputs, struct rows *rows);

/* Do they say the same? Empty ones at the end say nothing. */
bool rows_same(const struct rows *a, const struct rows *b);

/*
 * Does what a button beside a row says: "add-step", "remove-step-3", "up-step-3", "down-step-3". False: it is no such
 * button.
 */
bool rows_do(struct rows all[ROWS_KINDS], struct str button);

#endif
