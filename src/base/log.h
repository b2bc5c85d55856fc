#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/str.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * What happened, for an operator: one line an event on a descriptor, each beginning with journald's
 * priority ("<4>"), unless a person looks on. Control characters in what is logged, backslashes, and bytes that
 * are no UTF-8 are written as \xNN, so that nobody's input can forge a line, or hide one. Never hand it a
 * password, a token or a cookie.
 *
 * A line, or several, is one write(), so those of several threads do not mix.
 */
enum log_level {
	LOG_ERROR = 3,   /* something failed that an operator must look at */
	LOG_WARNING = 4, /* something failed and was dealt with */
	LOG_NOTICE = 5,  /* start, stop, and other things that happen once */
	LOG_INFO = 6,    /* a request */
	LOG_DEBUG = 7,
};

enum { LOG_LINE_MAX = 4096 }; /* bytes of a line, or of several: as many as a pipe takes at once */

/*
 * What a log needs that waits for nobody. A pipe that is not read is full after 64 KB, and a server that waited for its
 * reader would stand still with it: what does not fit is lost and counted, and how much that was is the next line
 * that fits.
 */
struct log_sink {
	enum { LOG_BY_WRITE, LOG_BY_SEND, LOG_BY_POLL } way;
	atomic_uint lost;      /* lines */
	pthread_mutex_t mutex; /* LOG_BY_POLL: between asking for space and taking it */
};

struct log {
	int fd;
	enum log_level level;  /* what is less urgent than this is not written */
	bool plain;            /* at a terminal: without priorities */
	struct log_sink *sink; /* NULL: writing may wait */
};

/*
 * Makes the log one that waits for nobody; *sink outlives it. The descriptor is another one where it leads to a pipe or a
 * terminal, as to be non-blocking is shared with all processes that have the same. SIGPIPE must be ignored.
 */
void log_wait_for_nobody(struct log *log, struct log_sink *sink);

void log_line(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Lines of one thread that are written together, before it waits for something and whenever there is no
 * room for another one. The owner begins it as {.log = ...} and flushes it in the end.
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
