#ifndef TEXT_POSTINGS_H
#define TEXT_POSTINGS_H

#include "base/str.h"

struct arena;

/*
 * Lists of what contains a word, in blocks. A block is some hundred postings in the order of their numbers, each as
 *
 *	the difference of its number to the one before it (of the first: to 0)    a varint
 *	how often the word is there, times 8, and the kind                        a varint
 *	how long the text is, as a code                                           a byte
 *	of what answers something: how many seconds after that it appeared        a varint: twice that, or of an earlier one minus 1
 *
 * A varint has seven bits in a byte, the lowest first, and the highest bit while more follow. A block has at most
 * POSTINGS_BYTES, so that its item is one write unit of 1 KB. Of what stands in the table nothing is believed: bytes that are no
 * block end it.
 */
enum {
	POSTINGS_BYTES = 900,
	POSTINGS_MAX = POSTINGS_BYTES / 3, /* in a block */
	POSTING_BYTES = 19,                /* of one, at most */
	POSTING_FREQUENCY_MAX = 4095,
	POSTING_KINDS = 8,
	POSTING_ANSWERS = POSTING_KINDS - 1, /* the kind of what answers something */
};

struct posting {
	uint64_t number;    /* of the text: whoever makes it decides; the higher the newer */
	uint16_t frequency; /* 1 to POSTING_FREQUENCY_MAX */
	uint8_t kind;       /* less than POSTING_KINDS */
	uint8_t length;     /* postings_length_code() */
	int32_t after;      /* seconds; 0 of all other kinds */
};

/* The postings of a block, by number; how many, POSTINGS_MAX at most. */
size_t postings_read(struct str block, struct posting out[POSTINGS_MAX]);

/* A text's length in words as one byte: exact below 32, then within 3 %, up to half a million. And back: what it stands for. */
uint8_t postings_length_code(int64_t words);
double postings_length(uint8_t code);

struct posting_edit {
	struct posting posting;
	bool remove; /* the posting of this number, if it is there; else it is put, in place of one that is */
};

/*
 * Edits, by number and each number once, made to a block, which may be empty: the one or more blocks that take its place, none if
 * nothing is left. In the arena.
 */
size_t postings_edit(struct arena *arena, struct str block, const struct posting_edit *edits,
    size_t count, struct str **blocks);

#endif
