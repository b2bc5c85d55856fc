#ifndef CLI_JSON_LINES_H
#define CLI_JSON_LINES_H

#include "table/item.h"

#include <stdio.h>

/* A file of JSON lines, one item in each; empty lines and those that begin with # are skipped. */
struct json_lines {
	FILE *stream;
	const char *name; /* for complaints */
	char *line;       /* the reader's own */
	size_t capacity;
	uint64_t number; /* of the last line that was read, from 1 */
	bool ended;      /* by its end, not by a mistake */
};

/*
 * Begins at the file's start. What can't be read twice (a pipe) is first copied to a nameless file. "-" is
 * standard input. False, with *why in the arena, when it can't be read. json_lines_close() ends it.
 */
bool json_lines_open(
    struct json_lines *lines, const char *path, struct arena *arena, struct str *why);
void json_lines_close(struct json_lines *lines);

/* Goes back to the start. */
void json_lines_rewind(struct json_lines *lines);

/*
 * The next item, checked as the table would, in the arena. False at the end (`ended`), or when something is wrong: then *why, in the arena, names
 * file, line, and where there is one the column.
 */
bool json_lines_next(
    struct json_lines *lines, struct arena *arena, struct item *item, struct str *why);

#endif
