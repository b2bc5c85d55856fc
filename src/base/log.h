#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/str.h"

/*
 * What happened, for an operator: one line an event on a descriptor, each beginning with journald's
 * priority ("<4>"). Control characters in what is logged are written as \xNN, so that nobody's input
 * can forge a line. Never hand it a password, a token or a cookie.
 *
 * A line is one write(), so lines of several threads do not mix.
 */
enum log_level {
	LOG_ERROR = 3,   /* something failed that an operator must look at */
	LOG_WARNING = 4, /* something failed and was dealt with */
	LOG_NOTICE = 5,  /* start, stop, and other things that happen once */
	LOG_INFO = 6,    /* a request */
	LOG_DEBUG = 7,
};

struct log {
	int fd;
	enum log_level level; /* what is less urgent than this is not written */
};

void log_line(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "error", "warning", "notice", "info", "debug" into a level; false for anything else. */
bool log_level_of(struct str name, enum log_level *out);

#endif
