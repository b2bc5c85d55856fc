#ifndef TABLE_DYNAMO_ANSWER_H
#define TABLE_DYNAMO_ANSWER_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The body of an HTTP answer while it is received, complete only at its end, and the checksum from
 * its headers. It belongs to the thread that does the client's work. Initialise it with zeros; free
 * it with answer_free().
 */
struct answer {
	char *bytes;
	size_t len;

	/* Private to dynamo_answer.c. */
	size_t capacity, expected; /* expected: as the headers say */
	bool summed;               /* it carries a checksum */
	uint32_t sum;
};

/* A header of the answer; most say nothing about the body. */
void answer_header(struct answer *answer, struct str name, struct str value);

/* More of its body. False when it is larger than any answer of DynamoDB's. */
bool answer_add(struct answer *answer, struct str bytes);

/* Is the checksum right? True if there was none. */
bool answer_sound(const struct answer *answer);

void answer_free(struct answer *answer);

#endif
