#ifndef TABLE_DYNAMO_ANSWER_H
#define TABLE_DYNAMO_ANSWER_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The body of an HTTP answer while it comes in, whole only at its end, and the checksum that its headers told. It
 * belongs to whoever does the client's work. All zeros is a beginning; answer_free() is the end.
 */
struct answer {
	char *bytes;
	size_t len;

	/* What follows is the business of dynamo_answer.c. */
	size_t capacity, expected; /* expected: as the headers say */
	bool summed;               /* it carries a checksum */
	uint32_t sum;
};

/* A header of it; most say nothing about the body. */
void answer_header(struct answer *answer, struct str name, struct str value);

/* More of its body. False when it is larger than any answer of DynamoDB's. */
bool answer_add(struct answer *answer, struct str bytes);

/* Is all of it as it was sent? Where no checksum was told, nobody knows: true. */
bool answer_sound(const struct answer *answer);

void answer_free(struct answer *answer);

#endif
