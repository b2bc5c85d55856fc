#ifndef T_TABLE_SUITE_H
#define T_TABLE_SUITE_H

#include "conformance.h"
#include "spell.h"

#include "base/arena.h"

#include <string.h>

/*
 * Shared by the parts of the conformance suite: a fresh table for each, abbreviations for requests,
 * and checks that compare answers as text.
 */
enum { SUITE_SECOND = 1000 };
#define SUITE_NOW \
	INT64_C(1794994200500) /* half past a second, so that no expiry hits the millisecond */

struct suite {
	const struct harness *harness;
	struct clock clock;
	struct table *table;
	struct arena *arena;
	struct table_call call;
};

/* The parts. */
void conform_basics(struct suite *s);
void conform_conditions(struct suite *s);
void conform_updates(struct suite *s);
void conform_limits(struct suite *s);
void conform_queries(struct suite *s);
void conform_cursors(struct suite *s);
void conform_indexes(struct suite *s);
void conform_expiry(struct suite *s);
void conform_transactions(struct suite *s);
void conform_tokens(struct suite *s);
void conform_stream(struct suite *s);
void conform_walk(struct suite *s);

/* --- Checks --------------------------------------------------------------------------------- */

#define check(condition, ...) suite_check((condition), __FILE__, __LINE__, __VA_ARGS__)
#define is_rc(got, wanted, ...) suite_is_rc((got), (wanted), __FILE__, __LINE__, __VA_ARGS__)
#define is_text(got, wanted, ...) suite_is_text((got), (wanted), __FILE__, __LINE__, __VA_ARGS__)
#define is_number(got, wanted, ...) \
	suite_is_number((int64_t)(got), (int64_t)(wanted), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) bool suite_check(
    bool passed, const char *file, int line, const char *sentence, ...);
__attribute__((format(printf, 5, 6))) bool suite_is_rc(
    enum table_rc got, enum table_rc wanted, const char *file, int line, const char *sentence, ...);
__attribute__((format(printf, 5, 6))) bool suite_is_text(
    const char *got, const char *wanted, const char *file, int line, const char *sentence, ...);
__attribute__((format(printf, 5, 6))) bool suite_is_number(
    int64_t got, int64_t wanted, const char *file, int line, const char *sentence, ...);

/* --- Requests --------------------------------------------------------------------------------- */

/* A NULL `if_` is no condition. Texts are in the notation of spell.h. */
#define CHANGES(...)                          \
	(const struct change[]){__VA_ARGS__}, \
	    sizeof((const struct change[]){__VA_ARGS__}) / sizeof(struct change)

struct key key_of(const char *pk, const char *sk);
struct value value_of(struct suite *s, const char *text);
struct change change_of(
    struct suite *s, enum change_op op, const char *name, const char *value /* or NULL */);
const struct condition *condition_of(
    struct suite *s, enum condition_op op, const char *name, const char *value /* or NULL */);

struct write put_of(struct suite *s, const char *item, const struct condition *if_);
struct write delete_of(const char *pk, const char *sk, const struct condition *if_);
struct write check_of(const char *pk, const char *sk, const struct condition *if_);
struct write update_of(const char *pk, const char *sk, const struct change *changes, size_t count);

/* --- Calls ------------------------------------------------------------------------------------ */

/* A put that must succeed. */
void put(struct suite *s, const char *item);
enum table_rc try_put(struct suite *s, struct item item);
enum table_rc try_update(
    struct suite *s, const char *pk, const char *sk, const struct change *changes, size_t count);
enum table_rc do_write(struct suite *s, struct write *write);
enum table_rc transact(struct suite *s, struct write *writes, size_t count, const char *token);

/* The item under the key as text, read consistently. */
const char *saw(struct suite *s, const char *pk, const char *sk);
const char *text_of(struct suite *s, const struct item *item);

/*
 * A query from its start to its end, page by page: the sort keys of the table (of whatever index) with
 * a space between, pages with " | " between. A failure is the name of its answer.
 */
const char *pages_of(struct suite *s, struct query query);

/* A string of `count` times one byte, in the arena. */
struct str many(struct suite *s, char c, size_t count);

/* Moves the table's clock. */
void pass(struct suite *s, int64_t ms);

#endif
