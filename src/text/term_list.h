#ifndef TEXT_TERM_LIST_H
#define TEXT_TERM_LIST_H

#include "base/str.h"

struct buf;

/*
 * The terms of one text, sorted, and how often each is there:
 *
 *	a byte: the kind of its postings; a byte: the code of its length
 *	for each term how many bytes it has in common with the one before it, how many follow, and these bytes; how often it is there
 *
 * all numbers as two bytes, the lower one first, but for those of bytes, which are one.
 */
enum { TERM_BYTES_MAX = 255 };

struct term_use {
	struct str term;
	uint32_t frequency;
};

void term_list_write(
    struct buf *out, uint8_t kind, uint8_t length, const struct term_use *uses, size_t count);

/* Reads one: each term is valid until the next. Bytes that are no list end it. */
struct term_list {
	struct str rest;
	uint8_t kind, length;
	struct term_use use; /* the one that was just read */
	char bytes[2 * TERM_BYTES_MAX];
};

void term_list_begin(struct term_list *list, struct str bytes);
bool term_list_next(struct term_list *list);

#endif
