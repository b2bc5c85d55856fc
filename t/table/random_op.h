#ifndef T_TABLE_RANDOM_OP_H
#define T_TABLE_RANDOM_OP_H

#include "conformance.h"

#include "base/buf.h"

/*
 * A random operation, determined by a number: so a run is a list of numbers, and any part of the
 * list is a run again. Answers are described as text; engines agree when the texts are equal.
 */
enum op_kind {
	OP_WRITE,
	OP_TRANSACT,
	OP_READ,  /* gets and batch gets together */
	OP_QUERY, /* every page of one, perhaps with a write after the first */
	OP_SWEEP, /* until nothing is left to sweep */
	OP_PASS,  /* of time */
	OP_LOOK,  /* the whole table and the whole stream */
};

enum { OP_WRITES = 8, OP_READS = 3 };

struct op {
	enum op_kind kind;
	struct write writes[OP_WRITES];
	size_t write_count;
	struct str token;
	struct read reads[OP_READS];
	size_t read_count;
	int64_t pass;
	uint32_t limit;
};

/* The operation of a number, in the arena. */
void op_make(struct arena *arena, uint64_t number, struct op *op);

/* Describes it for people. */
void op_describe(struct buf *out, const struct op *op);

/* Does it. The answer is in out->arena. */
void op_apply(struct table *table, struct clock *clock, struct op *op, struct buf *out);

/* The next number of a sequence that is the same on every machine. */
uint64_t chance(uint64_t *state);
uint64_t below(uint64_t *state, uint64_t end);

#endif
