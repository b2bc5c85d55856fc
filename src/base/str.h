#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;

/*
 * A slice of bytes owned by somebody else. It may contain NUL and need not end in one; a function
 * that returns one followed by a NUL says so. The empty slice may have a NULL base.
 */
struct str {
	const char *base;
	size_t len;
};

/* A slice of a string literal, for expressions and for initialisers. */
#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
#define STR_INIT(literal)                      \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

/* The two arguments that "%.*s" wants. */
#define STR_ARGS(s) (int)(s).len, ((s).base != NULL ? (s).base : "")

/* A slice of a C string, which may be NULL. */
struct str str_of(const char *cstring);

static inline bool
str_eq(struct str a, struct str b)
{
	return a.len == b.len &&
	       (a.base == b.base || a.len == 0 || memcmp(a.base, b.base, a.len) == 0);
}

bool str_eq_nocase(struct str a, struct str b); /* folds ASCII letters only */

/* Bytewise order, a prefix before longer strings: less than, equal to or greater than 0. */
int str_cmp(struct str a, struct str b);

static inline bool
str_starts(struct str s, struct str prefix)
{
	return s.len >= prefix.len && str_eq((struct str){s.base, prefix.len}, prefix);
}

bool str_ends(struct str s, struct str suffix);

/* The offset of the first `c`, or s.len. */
size_t str_find(struct str s, char c);

/* From `from` on, at most `len` bytes; both are clamped to the slice. */
static inline struct str
str_sub(struct str s, size_t from, size_t len)
{
	if (from >= s.len)
		return (struct str){NULL, 0};
	return (struct str){s.base + from, len < s.len - from ? len : s.len - from};
}

/* Without ASCII white space at its ends. */
struct str str_trim(struct str s);

/* Cuts at the first `c`: the part before it; *rest is what comes after it, empty when there is none. */
struct str str_cut(struct str s, char c, struct str *rest);

/* A copy in the arena, followed by a NUL. */
struct str str_dup(struct arena *arena, struct str s);

/* The same as a C string; bytes after an inner NUL are unreachable to C, so callers check first. */
char *str_cstring(struct arena *arena, struct str s);

/* printf into the arena, followed by a NUL. */
struct str str_fmt(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The slices concatenated, followed by a NUL. */
struct str str_join(struct arena *arena, const struct str *parts, size_t count, struct str between);
#define STR_CONCAT(arena, ...)                               \
	str_join((arena), (const struct str[]){__VA_ARGS__}, \
	    sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str), STR(""))

/* ASCII letters in lower case, in the arena. */
struct str str_lower(struct arena *arena, struct str s);

/*
 * The whole slice as a decimal number: an optional minus and digits, nothing else, within int64.
 * False, and *out untouched, for anything else.
 */
bool str_int(struct str s, int64_t *out);

/*
 * Writes a number in decimal before `end`, at most STR_DECIMAL bytes, and returns where it begins.
 */
enum { STR_DECIMAL = 20 };
char *str_put_decimal(char *end, int64_t number);

/* Is it well-formed UTF-8 (no surrogates, nothing overlong, nothing above U+10FFFF)? NUL is legal. */
bool str_utf8(struct str s);

/* Of well-formed UTF-8, as many whole characters from its beginning as fit into so many bytes. */
struct str str_shortened(struct str s, size_t bytes);

/*
 * Decodes the code point at *offset of well-formed UTF-8 and advances *offset. At the end, or where
 * the bytes are not UTF-8, U+FFFD and one byte (none at the end).
 */
uint32_t str_rune(struct str s, size_t *offset);

/* A code point as UTF-8, in the caller's four bytes. */
struct str str_of_rune(char bytes[4], uint32_t rune);

#endif
