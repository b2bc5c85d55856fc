/*
 * Blocks of postings: any bytes are one, or end where they are none; and what is put into it or taken out of it is what a list would
 * have then, in blocks that keep their bounds. And the terms of a text: any bytes are some, and read as they were written.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "base/buf.h"
#include "text/postings.h"
#include "text/term_list.h"

enum { EDITS = 64, TERMS = 64 };

/* A block's postings are in order, and are what they may be. */
static void
check(const struct posting *postings, size_t count)
{
	MUST(count <= POSTINGS_MAX);
	for (size_t i = 0; i < count; i++) {
		MUST(i == 0 || postings[i - 1].number < postings[i].number);
		MUST(postings[i].frequency >= 1 && postings[i].frequency <= POSTING_FREQUENCY_MAX);
		MUST(postings[i].kind < POSTING_KINDS);
	}
}

/* From bytes: numbers in order, one edit each. */
static size_t
edits_of(struct str bytes, struct posting_edit edits[EDITS])
{
	uint64_t number = 0;
	size_t count = 0;

	for (size_t at = 0; at + 4 <= bytes.len && count < EDITS; at += 4) {
		const unsigned char *b = (const unsigned char *)bytes.base + at;

		number += 1 + ((uint64_t)b[0] << (b[1] % 40));
		edits[count++] = (struct posting_edit){.posting = {.number = number,
							   .frequency = (uint16_t)(1 + b[2] * 16),
							   .kind = b[1] % POSTING_KINDS,
							   .length = b[3],
							   .after = b[1] % POSTING_KINDS == POSTING_ANSWERS ? (b[0] - 128) * (b[3] << 16) : 0},
		    .remove = b[3] % 3 == 0};
	}
	return count;
}

static bool
same(const struct posting *a, const struct posting *b)
{
	return a->number == b->number && a->frequency == b->frequency && a->kind == b->kind &&
	       a->length == b->length && a->after == b->after;
}

/* The next of what both lead to, as a merge of two lists finds it. */
static bool
next_of(const struct posting *old, size_t count, const struct posting_edit *edits,
    size_t edit_count, size_t *i, size_t *j, struct posting *out)
{
	while (*i < count || *j < edit_count) {
		bool edit =
		    *j < edit_count && (*i == count || edits[*j].posting.number <= old[*i].number);

		if (!edit) {
			*out = old[(*i)++];
			return true;
		}
		*i += *i < count && old[*i].number == edits[*j].posting.number;
		if (!edits[(*j)++].remove) {
			*out = edits[*j - 1].posting;
			return true;
		}
	}
	return false;
}

static size_t
terms_of(struct arena *arena, struct str bytes, struct term_use uses[TERMS])
{
	struct term_list list;
	size_t count = 0;

	for (term_list_begin(&list, bytes); count < TERMS && term_list_next(&list) && list.use.term.len <= TERM_BYTES_MAX;)
		uses[count++] = (struct term_use){str_dup(arena, list.use.term), list.use.frequency};
	return count;
}

static void
check_terms(struct arena *arena, struct str bytes)
{
	struct term_use uses[TERMS], again[TERMS];
	size_t count = terms_of(arena, bytes, uses);
	struct buf out = {.arena = arena};

	term_list_write(&out, 1, 2, uses, count);
	MUST(terms_of(arena, buf_str(&out), again) == count);
	for (size_t i = 0; i < count; i++)
		MUST(str_eq(uses[i].term, again[i].term) && uses[i].frequency == again[i].frequency);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct posting old[POSTINGS_MAX], now[POSTINGS_MAX], wanted;
	struct posting_edit edits[EDITS];
	size_t half = size / 2, count = postings_read(fuzz_str(data, half), old);
	size_t edit_count = edits_of(fuzz_str(data + half, size - half), edits), i = 0, j = 0;
	struct str *blocks;
	size_t block_count = postings_edit(arena, fuzz_str(data, half), edits, edit_count, &blocks);

	check(old, count);
	for (size_t b = 0; b < block_count; b++) {
		size_t in_block = postings_read(blocks[b], now);

		MUST(blocks[b].len <= POSTINGS_BYTES && in_block != 0);
		check(now, in_block);
		for (size_t k = 0; k < in_block; k++) {
			MUST(next_of(old, count, edits, edit_count, &i, &j, &wanted));
			MUST(same(&wanted, &now[k]));
		}
	}
	MUST(!next_of(old, count, edits, edit_count, &i, &j, &wanted));
	check_terms(arena, fuzz_str(data, size));
	arena_free(arena);
	return 0;
}
