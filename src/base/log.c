#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* As long as a pipe takes at once, so that a line stays whole. */
enum { LINE_MAX_BYTES = 4096 };

void
log_line(const struct log *log, enum log_level level, const char *format, ...)
{
	static const char hex[] = "0123456789abcdef";
	char text[LINE_MAX_BYTES], line[LINE_MAX_BYTES];
	size_t len;
	va_list args;
	ssize_t written;

	if (level > log->level)
		return;
	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) < 0)
		text[0] = '\0';
	va_end(args);
	len = (size_t)snprintf(line, sizeof(line), "<%d>", (int)level);
	for (const char *c = text; *c != '\0' && len < sizeof(line) - 8; c++) {
		if ((unsigned char)*c >= 0x20 && *c != 0x7f) {
			line[len++] = *c;
			continue;
		}
		line[len++] = '\\';
		line[len++] = 'x';
		line[len++] = hex[(unsigned char)*c >> 4];
		line[len++] = hex[*c & 15];
	}
	line[len++] = '\n';
	/* A log that can't be written has nowhere to say so. */
	written = write(log->fd, line, len);
	(void)written;
}

bool
log_level_of(struct str name, enum log_level *out)
{
	static const struct {
		struct str name;
		enum log_level level;
	} levels[] = {
	    {STR_INIT("error"), LOG_ERROR},
	    {STR_INIT("warning"), LOG_WARNING},
	    {STR_INIT("notice"), LOG_NOTICE},
	    {STR_INIT("info"), LOG_INFO},
	    {STR_INIT("debug"), LOG_DEBUG},
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (str_eq(levels[i].name, name)) {
			*out = levels[i].level;
			return true;
		}
	}
	return false;
}
