#include "text/postings.h"

#include "base/arena.h"

#include <assert.h>

enum {
	VARINT_BYTES = 10,
	EXACT = 32,       /* lengths below are their own code */
	STEPS = EXACT / 2 /* codes for each doubling above it */
};

/* --- Reading ------------------------------------------------------------------------------------------ */

/* NULL: there is none. */
static const unsigned char *
read_varint(const unsigned char *at, const unsigned char *end, uint64_t *out)
{
	uint64_t value = 0;

	for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
		value |= (uint64_t)(*at & 0x7f) << shift;
		if (*at++ < 0x80) {
			*out = value;
			return at;
		}
	}
	return NULL;
}

/* The last part of a posting, if it has it. */
static const unsigned char *
read_after(const unsigned char *at, const unsigned char *end, struct posting *out)
{
	uint64_t twice;

	if (out->kind != POSTING_ANSWERS)
		return at;
	at = read_varint(at, end, &twice);
	if (at == NULL || twice > UINT32_MAX)
		return NULL;
	out->after = (int32_t)((uint32_t)twice >> 1 ^ -((uint32_t)twice & 1));
	return at;
}

size_t
postings_read(struct str block, struct posting out[POSTINGS_MAX])
{
	const unsigned char *at = (const unsigned char *)block.base, *end = at + block.len;
	uint64_t number = 0, delta, use;
	size_t count = 0;

	while (at < end && count < POSTINGS_MAX) {
		at = read_varint(at, end, &delta);
		if (at == NULL || delta == 0 || delta > UINT64_MAX - number)
			break;
		at = read_varint(at, end, &use);
		if (at == NULL || at == end || use < 8 || use >> 3 > POSTING_FREQUENCY_MAX)
			break;
		number += delta;
		out[count] = (struct posting){.number = number,
		    .frequency = (uint16_t)(use >> 3),
		    .kind = use & 7,
		    .length = *at++};
		at = read_after(at, end, &out[count]);
		if (at == NULL)
			break;
		count++;
	}
	return count;
}

/* --- Lengths ------------------------------------------------------------------------------------------ */

uint8_t
postings_length_code(int64_t words)
{
	unsigned doublings = 0;

	if (words < 0)
		words = 0;
	while (words >> doublings >= EXACT)
		doublings++;
	if (EXACT + (doublings != 0 ? doublings - 1 : 0) * STEPS + STEPS > 256)
		return UINT8_MAX;
	if (doublings == 0)
		return (uint8_t)words;
	return (uint8_t)(EXACT + (doublings - 1) * STEPS + (unsigned)(words >> doublings) - STEPS);
}

double
postings_length(uint8_t code)
{
	unsigned doublings, from;

	if (code < EXACT)
		return code;
	doublings = (unsigned)(code - EXACT) / STEPS + 1;
	from = (unsigned)(code - EXACT) % STEPS + STEPS;
	/* The middle of all that have this code. */
	return (double)((uint64_t)from << doublings) + (double)((1u << doublings) - 1) / 2;
}

/* --- Writing ------------------------------------------------------------------------------------------ */

static size_t
put_varint(char *at, uint64_t value)
{
	size_t len = 0;

	for (; value >= 0x80; value >>= 7)
		at[len++] = (char)(value | 0x80);
	at[len++] = (char)value;
	return len;
}

static size_t
put_posting(char *at, uint64_t before, const struct posting *posting)
{
	size_t len = put_varint(at, posting->number - before);

	assert(posting->number > before && posting->frequency != 0 && posting->kind < POSTING_KINDS);
	len += put_varint(at + len, (uint64_t)posting->frequency << 3 | posting->kind);
	at[len++] = (char)posting->length;
	if (posting->kind == POSTING_ANSWERS)
		len += put_varint(at + len, ((uint32_t)posting->after << 1) ^ (posting->after < 0 ? UINT32_MAX : 0));
	return len;
}

/* Postings as blocks, none of which has more than `most` bytes. */
static size_t
write_blocks(struct arena *arena, const struct posting *postings, size_t count, size_t most,
    struct str *blocks)
{
	char *at = NULL;
	size_t written = 0, len = 0;

	for (size_t i = 0; i < count; i++) {
		char bytes[POSTING_BYTES + VARINT_BYTES];
		size_t more = put_posting(bytes, len != 0 ? postings[i - 1].number : 0, &postings[i]);

		if (len + more > most) {
			blocks[written++] = (struct str){at, len};
			len = 0;
			more = put_posting(bytes, 0, &postings[i]);
		}
		if (len == 0)
			at = arena_room(arena, POSTINGS_BYTES);
		memcpy(at + len, bytes, more);
		len += more;
	}
	if (len != 0)
		blocks[written++] = (struct str){at, len};
	return written;
}

/* Two lists by number: what an edit names is as it says. */
static size_t
merge(const struct posting *postings, size_t posting_count, const struct posting_edit *edits,
    size_t count, struct posting *out)
{
	size_t p = 0, merged = 0;

	for (size_t e = 0; e < count; e++) {
		assert(e == 0 || edits[e - 1].posting.number < edits[e].posting.number);
		while (p < posting_count && postings[p].number < edits[e].posting.number)
			out[merged++] = postings[p++];
		if (p < posting_count && postings[p].number == edits[e].posting.number)
			p++;
		if (!edits[e].remove)
			out[merged++] = edits[e].posting;
	}
	while (p < posting_count)
		out[merged++] = postings[p++];
	return merged;
}

/*
 * What comes at the end, as new texts do, fills the block up and begins another; what comes between splits it in two halves,
 * so that each has room for more.
 */
size_t
postings_edit(struct arena *arena, struct str block, const struct posting_edit *edits, size_t count,
    struct str **blocks)
{
	struct posting old[POSTINGS_MAX];
	size_t old_count = postings_read(block, old), merged, written;
	struct posting *all = arena_room(arena, (old_count + count + 1) * sizeof(*all));
	bool at_end = old_count == 0 || count == 0 ||
		      edits[0].posting.number > old[old_count - 1].number;

	merged = merge(old, old_count, edits, count, all);
	*blocks = ARENA_ARRAY(arena, merged * POSTING_BYTES / (POSTINGS_BYTES - POSTING_BYTES) * 2 + 4,
	    struct str);
	written = write_blocks(arena, all, merged, POSTINGS_BYTES, *blocks);
	if (written < 2 || at_end)
		return written;
	return write_blocks(arena, all, merged, POSTINGS_BYTES * 3 / 5, *blocks);
}
