#include "base/log.h"

#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Bytes beyond ASCII are written only if the whole text is valid UTF-8 without control characters
 * from U+0080 on; otherwise journald would not show the line.
 */
static bool
is_shown(struct str text)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (text.base[i] == '\xc2' && (unsigned char)text.base[i + 1] < 0xa0)
			return false;
	return str_utf8(text);
}

/*
 * Needs no escapes: printable ASCII without backslashes. Most lines are, so eight bytes are checked
 * at a time.
 */
static bool
is_plain(struct str text)
{
	const uint64_t ones = 0x0101010101010101U;
	size_t i = 0;

	for (uint64_t eight; i + sizeof(eight) <= text.len; i += sizeof(eight)) {
		memcpy(&eight, text.base + i, sizeof(eight));
		/*
		 * The highest bit of a byte is set if it is beyond ASCII, less than a space, DEL,
		 * or a backslash.
		 */
		if (((eight | (eight - ' ' * ones) | ((eight ^ 0x7f * ones) - ones) |
			 ((eight ^ '\\' * ones) - ones)) &
			0x80 * ones) != 0)
			return false;
	}
	for (; i < text.len; i++) {
		unsigned char c = (unsigned char)text.base[i];

		if (c < ' ' || c >= 0x7f || c == '\\')
			return false;
	}
	return true;
}

/* Writes the text at `end`, escaping what is not text, not beyond `last`; returns the new end. */
static char *
put_escaped(char *end, const char *last, struct str text)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char highest = is_shown(text) ? 0xff : 0x7f;

	for (size_t i = 0; i < text.len && end < last; i++) {
		unsigned char c = (unsigned char)text.base[i];

		if (c >= 0x20 && c != 0x7f && c != '\\' && c <= highest) {
			*end++ = (char)c;
			continue;
		}
		*end++ = '\\';
		*end++ = 'x';
		*end++ = hex[c >> 4];
		*end++ = hex[c & 15];
	}
	return end;
}

/* Writes a line of at most LOG_LINE_MAX bytes, truncated if need be; returns its length. */
static size_t
put_line(const struct log *log, char *line, enum log_level level, struct str text)
{
	char *end = line, *const last = line + LOG_LINE_MAX - sizeof("\\xNN\n");

	if (!log->plain) {
		*end++ = '<';
		*end++ = (char)('0' + level);
		*end++ = '>';
	}
	if (text.len <= (size_t)(last - end) && is_plain(text)) {
		memcpy(end, text.base, text.len);
		end += text.len;
	} else {
		end = put_escaped(end, last, text);
	}
	*end++ = '\n';
	assert(end - line <= LOG_LINE_MAX);
	return (size_t)(end - line);
}

void
log_wait_for_nobody(struct log *log, struct log_sink *sink)
{
	char path[sizeof("/proc/self/fd/") + 3 * sizeof(int)];
	struct stat st = {0};
	int own = -1;

	sink->way = LOG_BY_WRITE;
	atomic_init(&sink->lost, 0);
	pthread_mutex_init(&sink->mutex, NULL);
	assert(log->sink == NULL);
	log->sink = sink;
	if (fstat(log->fd, &st) == 0 && S_ISSOCK(st.st_mode)) {
		sink->way = LOG_BY_SEND;
	} else if (S_ISFIFO(st.st_mode) || isatty(log->fd)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", log->fd);
		own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		/* The pipe may belong to another user, who started this program. */
		if (own < 0)
			sink->way = LOG_BY_POLL;
		else
			log->fd = own;
	}
}

/*
 * A pipe that is ready takes LOG_LINE_MAX bytes at once. Only another process, as during a reload,
 * may fill it in between; then this one waits after all.
 */
static ssize_t
write_if_ready(const struct log *log, const char *bytes, size_t len)
{
	struct pollfd ready = {.fd = log->fd, .events = POLLOUT};
	ssize_t written = -1;

	pthread_mutex_lock(&log->sink->mutex);
	if (poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0)
		written = write(log->fd, bytes, len);
	pthread_mutex_unlock(&log->sink->mutex);
	return written;
}

/* Writes without waiting if possible. False: the line is lost. */
static bool
write_whole(const struct log *log, const char *bytes, size_t len)
{
	ssize_t written = -1;

	switch (log->sink != NULL ? log->sink->way : LOG_BY_WRITE) {
	case LOG_BY_WRITE: written = write(log->fd, bytes, len); break;
	case LOG_BY_SEND: written = send(log->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL); break;
	case LOG_BY_POLL: written = write_if_ready(log, bytes, len); break;
	}
	return written >= 0 && (size_t)written == len;
}

/* Counts lost lines. */
static void
lose(const struct log *log, unsigned before, const char *bytes, size_t len)
{
	unsigned lines = before;

	for (size_t i = 0; i < len; i++)
		lines += bytes[i] == '\n';
	if (log->sink != NULL)
		atomic_fetch_add(&log->sink->lost, lines);
}

static void
write_out(const struct log *log, const char *bytes, size_t len)
{
	unsigned lost = log->sink != NULL ? atomic_exchange(&log->sink->lost, 0) : 0;
	char line[128];
	int told;

	if (lost != 0) {
		told = snprintf(line, sizeof(line),
		    "%s%u lines of this log were lost: nobody read it.\n", log->plain ? "" : "<4>",
		    lost);
		if (!write_whole(log, line, (size_t)told)) {
			lose(log, lost, bytes, len);
			return;
		}
	}
	if (!write_whole(log, bytes, len))
		lose(log, 0, bytes, len);
}

void
log_line(const struct log *log, enum log_level level, const char *format, ...)
{
	char text[LOG_LINE_MAX], line[LOG_LINE_MAX];
	va_list args;

	if (level > log->level)
		return;
	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) < 0)
		text[0] = '\0';
	va_end(args);
	write_out(log, line, put_line(log, line, level, str_of(text)));
}

void
log_lines_put(struct log_lines *lines, enum log_level level, struct str text)
{
	char *line = lines->bytes + lines->len;
	size_t len;

	assert(lines->len <= LOG_LINE_MAX);
	if (level > lines->log->level)
		return;
	len = put_line(lines->log, line, level, text);
	if (lines->len + len > LOG_LINE_MAX) {
		log_lines_flush(lines);
		memmove(lines->bytes, line, len);
	}
	lines->len += len;
}

void
log_lines_flush(struct log_lines *lines)
{
	if (lines->len != 0)
		write_out(lines->log, lines->bytes, lines->len);
	lines->len = 0;
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
