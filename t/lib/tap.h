#ifndef T_TAP_H
#define T_TAP_H

#include "base/str.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The Test Anything Protocol for our own tests: a sentence for each check, the values when it
 * fails, and the plan at the end. A test's main() ends with `return tap_done();`. Failures go to
 * standard error as well, which prove shows.
 */
struct tap_counts {
	unsigned count, failed;
};
#ifdef TAP_SHARED
extern struct tap_counts tap; /* of a test in several files: one of them defines it */
#else
static struct tap_counts tap;
#endif

#define ok(condition, ...) tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)
#define is_int(got, wanted, ...) tap_is_int((got), (wanted), __FILE__, __LINE__, __VA_ARGS__)
#define is_str(got, wanted, ...) tap_is_str((got), (wanted), __FILE__, __LINE__, __VA_ARGS__)
/* Ends this program when something essential is missing; other tests are still run. */
#define bail_out(...)                                                                  \
	(printf("not ok %u - there is no going on\n", tap.count + 1),                  \
	    fprintf(stderr, "# there is no going on: "), fprintf(stderr, __VA_ARGS__), \
	    fprintf(stderr, "\n"), exit(255))

static inline void
tap_line(bool passed, const char *file, int line, const char *sentence, va_list args)
{
	char said[1024];

	vsnprintf(said, sizeof(said), sentence, args);
	tap.count++;
	printf("%sok %u - %s\n", passed ? "" : "not ", tap.count, said);
	fflush(stdout);
	if (!passed) {
		tap.failed++;
		fprintf(stderr, "# failed: %s\n#   at %s line %d\n", said, file, line);
	}
}

__attribute__((format(printf, 4, 5))) static inline bool
tap_ok(bool passed, const char *file, int line, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	tap_line(passed, file, line, sentence, args);
	va_end(args);
	return passed;
}

__attribute__((format(printf, 5, 6))) static inline bool
tap_is_int(int64_t got, int64_t wanted, const char *file, int line, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	tap_line(got == wanted, file, line, sentence, args);
	va_end(args);
	if (got != wanted)
		fprintf(stderr, "#     got %" PRId64 "\n#  wanted %" PRId64 "\n", got, wanted);
	return got == wanted;
}

static inline void
tap_show(const char *what, struct str s)
{
	fprintf(stderr, "# %s \"", what);
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.base[i];

		if (c == '\n')
			fprintf(stderr, "\\n");
		else if (c < 0x20 || c == 0x7f)
			fprintf(stderr, "\\x%02x", c);
		else
			fputc(c, stderr);
	}
	fprintf(stderr, "\"\n");
}

__attribute__((format(printf, 5, 6))) static inline bool
tap_is_str(struct str got, struct str wanted, const char *file, int line, const char *sentence, ...)
{
	va_list args;
	bool same = str_eq(got, wanted);

	va_start(args, sentence);
	tap_line(same, file, line, sentence, args);
	va_end(args);
	if (!same) {
		tap_show("    got", got);
		tap_show(" wanted", wanted);
	}
	return same;
}

static inline int
tap_done(void)
{
	printf("1..%u\n", tap.count);
	return tap.failed == 0 ? 0 : 1;
}

#endif
