#include "table/dynamo/answer.h"

#include "base/arena.h"
#include "table/dynamo/crc.h"

#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * A batch is up to 16 MB of items, and what counts there as one byte is up to nine in JSON: an empty string in
	 * a list; a control character is six. Memory is taken as the answer comes.
	 */
	MOST = 160 * 1024 * 1024,
	GUESS = 4096,
	TRUSTED = 1024 * 1024,
};

void
answer_header(struct answer *answer, struct str name, struct str value)
{
	int64_t number;

	if (str_eq_nocase(name, STR("x-amz-crc32")) && str_int(value, &number) && number >= 0 &&
	    number <= UINT32_MAX) {
		answer->summed = true;
		answer->sum = (uint32_t)number;
	} else if (str_eq_nocase(name, STR("content-length")) && str_int(value, &number) &&
		   number >= 0 && number <= TRUSTED) {
		answer->expected = (size_t)number;
	}
}

bool
answer_add(struct answer *answer, struct str bytes)
{
	size_t want = answer->capacity;

	if (bytes.len > MOST - answer->len)
		return false;
	if (want == 0)
		want = answer->expected != 0 ? answer->expected : GUESS;
	while (want < answer->len + bytes.len)
		want *= 2;
	if (want != answer->capacity) {
		answer->bytes = realloc(answer->bytes, want);
		if (answer->bytes == NULL)
			out_of_memory();
		answer->capacity = want;
	}
	memcpy(answer->bytes + answer->len, bytes.base, bytes.len);
	answer->len += bytes.len;
	return true;
}

bool
answer_sound(const struct answer *answer)
{
	return !answer->summed || dynamo_crc(answer->bytes, answer->len) == answer->sum;
}

void
answer_free(struct answer *answer)
{
	free(answer->bytes);
}
