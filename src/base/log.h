#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/str.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * The log: one line for each event, beginning with journald's priority ("<4>") unless it goes to a
 * terminal. Control characters, backslashes and invalid UTF-8 are escaped as \xNN, so that no input
 * can forge or hide a line. Never log a password, a token or a cookie.
 *
 * A line, or several, is one write(), so that lines of several threads are not mixed.
 */
enum log_level {
	LOG_ERROR = 3,   /* something failed that needs an operator's attention */
	LOG_WARNING = 4, /* something failed and was dealt with */
	LOG_NOTICE = 5,  /* start, stop, and other things that happen once */
	LOG_INFO = 6,    /* a request */
	LOG_DEBUG = 7,
};

enum { LOG_LINE_MAX = 4096 }; /* bytes of a line, or of several: as many as a pipe takes at once */

/*
 * What a log needs in order not to block. A pipe that is not read is full after 64 KB, and a server
 * that waited for its reader would block with it: lines that don't fit are dropped and counted, and
 * the next line that fits says how many.
 */
struct log_sink {
	enum { LOG_BY_WRITE, LOG_BY_SEND, LOG_BY_POLL } way;
	atomic_uint lost;      /* lines */
	pthread_mutex_t mutex; /* LOG_BY_POLL: between asking for space and taking it */
};

struct log {
	int fd;
	enum log_level level;  /* less urgent lines are not written */
	bool plain;            /* at a terminal: without priorities */
	struct log_sink *sink; /* NULL: writing may wait */
};

/*
 * Makes the log non-blocking; *sink must outlive it. A pipe or a terminal is opened again, as
 * O_NONBLOCK is shared by all processes that have the same open file. SIGPIPE must be ignored.
 */
void log_wait_for_nobody(struct log *log, struct log_sink *sink);

void log_line(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Lines of one thread that are written together, before the thread blocks and whenever the buffer
 * is full. The owner initialises it as {.log = ...} and flushes it at the end.
 */
struct log_lines {
	const struct log *log;
	size_t len;
	char bytes[2 * LOG_LINE_MAX]; /* one line more than are written at once */
};

/* Appends a line: what log_line() would have written at once. */
void log_lines_put(struct log_lines *lines, enum log_level level, struct str text);
void log_lines_flush(struct log_lines *lines);

/* "error", "warning", "notice", "info", "debug" into a level; false for anything else. */
bool log_level_of(struct str name, enum log_level *out);

#endif
