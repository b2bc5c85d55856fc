#include "cli/command.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LINE_BYTES = 4096,
	MICROS = 1000 * 1000,
	TERMINAL_MICROS = MICROS / 5,
	PLAIN_MICROS = 5 * MICROS,
};

static bool
coloured(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color != NULL && no_color[0] != '\0')
		return false;
	return isatty(fd) && term != NULL && strcmp(term, "dumb") != 0;
}

const char *
colour(int fd, enum colour which)
{
	static const char *const sequences[] = {
	    [COLOUR_NONE] = "\033[0m",
	    [COLOUR_BOLD] = "\033[1m",
	    [COLOUR_DIM] = "\033[2m",
	    [COLOUR_RED] = "\033[1;31m",
	    [COLOUR_GREEN] = "\033[32m",
	    [COLOUR_YELLOW] = "\033[33m",
	};

	return coloured(fd) ? sequences[which] : "";
}

/* Prints one line, with control characters as \xNN. */
static void
say(enum colour which, const char *mark, const char *format, va_list args)
{
	char text[LINE_BYTES];

	vsnprintf(text, sizeof(text), format, args);
	fflush(stdout);
	fprintf(stderr, "%sbroadsheet:%s %s", colour(STDERR_FILENO, which),
	    colour(STDERR_FILENO, COLOUR_NONE), mark);
	for (const char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			fprintf(stderr, "\\x%02x", (unsigned char)*c);
		else
			putc(*c, stderr);
	}
	putc('\n', stderr);
}

void
complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(COLOUR_RED, "", format, args);
	va_end(args);
}

void
remark(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(COLOUR_BOLD, "", format, args);
	va_end(args);
}

void
warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(COLOUR_YELLOW, "warning: ", format, args);
	va_end(args);
}

bool
finish_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	complain("standard output can't be written");
	return false;
}

const char *
grouped(uint64_t number, char *out)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	char *to = out;

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

void
progress_show(struct progress *progress, uint64_t done, uint64_t total)
{
	bool terminal = isatty(STDERR_FILENO);
	int64_t now = clock_micros();
	char number[32];

	if (progress->last == 0)
		progress->last = now;
	if (now - progress->last < (terminal ? TERMINAL_MICROS : PLAIN_MICROS))
		return;
	progress->last = now;
	progress->shown = true;
	fprintf(stderr, "%s%s: %s %s", terminal ? "\r\033[K" : "", progress->what,
	    grouped(done, number), progress->unit);
	if (total != 0)
		fprintf(stderr, " of %s", grouped(total, number));
	fputs(terminal ? "" : "\n", stderr);
	fflush(stderr);
}

void
progress_end(struct progress *progress)
{
	if (progress->shown && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
