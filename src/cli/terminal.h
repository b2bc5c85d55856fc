#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What commands say to the person in front of them. Results go to standard output, all else to standard
 * error. Colour only on a terminal, and never when NO_COLOR is set.
 */

/* "broadsheet: …" and a line's end, to standard error; control characters are made visible. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_DIM, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW };

/* The sequence that begins a colour on this descriptor, or "" where there are none; COLOUR_NONE ends it. */
const char *colour(int fd, enum colour which);

/* Writes what standard output still holds. False, and it has complained, when that failed. */
bool finish_output(void);

/*
 * Progress of long work, to standard error: "importing: 12,000 items" on a terminal a few times a second,
 * elsewhere a line every few seconds. Begin with `{.what = "importing", .unit = "items"}`.
 */
struct progress {
	const char *what, *unit;
	int64_t last; /* when it was last shown; 0: not begun */
	bool shown;
};

/* `total` is 0 when it is not known. */
void progress_show(struct progress *progress, uint64_t done, uint64_t total);

/* Clears the line on a terminal. */
void progress_end(struct progress *progress);

/* A number with commas between its thousands, in `out`, of at least 32 bytes. Returns `out`. */
const char *grouped(uint64_t number, char *out);

#endif
