/* The log's lines: whatever is logged, it is one line with that content, and journald shows it. */
#include "lib/tap.h"

#include "base/log.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct {
	const char *what, *text, *line;
} cases[] = {
    {"words", "address=/tags", "<6>address=/tags\n"},
    {"text in UTF-8", "a=\xc3\xa9\xc2\xa0\xf0\x9f\x8e\x89",
	"<6>a=\xc3\xa9\xc2\xa0\xf0\x9f\x8e\x89\n"},
    {"a line end", "a\r\n<3>b", "<6>a\\x0d\\x0a<3>b\n"},
    {"control characters", "\x1b[31m\x7f\t", "<6>\\x1b[31m\\x7f\\x09\n"},
    {"an escape that somebody wrote", "a\\x0ab", "<6>a\\x5cx0ab\n"},
    {"each of the odd ones in every place of eight",
	"1234567\x1f"
	"123456\x7f"
	"12345\\1234567\xc3\xa9",
	"<6>1234567\\x1f"
	"123456\\x7f"
	"12345\\x5c1234567\xc3\xa9\n"},
    {"bytes that are no text", "/\xff\xc3\xa9", "<6>/\\xff\\xc3\\xa9\n"},
    {"control characters of a terminal's other half",
	"\xc2\x9b"
	"31m",
	"<6>\\xc2\\x9b31m\n"},
};

/* --- Nobody reads ------------------------------------------------------------------------------------- */

enum { WRITTEN = 5000 };

static size_t
lines_of(struct str text)
{
	size_t lines = 0;

	for (size_t i = 0; i < text.len; i++)
		lines += text.base[i] == '\n';
	return lines;
}

/* What has been written, without waiting for more. */
static struct str
drain(int fd)
{
	static char all[1 << 20];
	size_t len = 0;
	ssize_t got;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (len < sizeof(all) && (got = read(fd, all + len, sizeof(all) - len)) > 0)
		len += (size_t)got;
	return (struct str){all, len};
}

/* More than fits is written while nobody reads: it does not wait, and says how much was lost. */
static void
nobody_reads(const char *what, int in, int out)
{
	struct log log = {in, LOG_INFO};
	struct log_sink sink;
	struct str got, last = STR(""), number;
	int64_t lost = 0;
	size_t kept;

	log_wait_for_nobody(&log, &sink);
	for (int i = 0; i < WRITTEN; i++)
		log_line(&log, LOG_INFO, "line %d is long enough to fill it all in some time", i);
	kept = lines_of(drain(out));
	ok(kept > 0 && kept < WRITTEN, "%s that nobody reads takes %zu lines and holds nobody up",
	    what, kept);
	log_line(&log, LOG_INFO, "the end");
	got = drain(out);
	number = str_sub(str_cut(got, ' ', &last), 3, got.len);
	ok(str_int(number, &lost) && str_starts(last, STR("lines of this log were lost")),
	    "... says that lines were lost");
	is_int(lost + (int64_t)kept, WRITTEN, "... and how many");
	ok(str_ends(got, STR("<6>the end\n")), "... and goes on");
	is_int(
	    (fcntl(in, F_GETFL) & O_NONBLOCK) != 0, 0, "... others who have it may wait as before");
	if (log.fd != in)
		close(log.fd);
	close(out);
	log_line(&log, LOG_INFO, "to nobody");
	close(in);
}

static void
nobodies(void)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(ends) == 0)
		nobody_reads("a pipe", ends[1], ends[0]);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
		nobody_reads("a socket", ends[1], ends[0]);
	/* A pipe that another user made can't be opened once more. */
	if (geteuid() == 0 && pipe(ends) == 0 && seteuid(65534) == 0) {
		nobody_reads("a pipe of somebody else", ends[1], ends[0]);
		if (seteuid(0) != 0)
			bail_out("root is gone");
	}
}

int
main(void)
{
	int ends[2];
	char line[2 * LOG_LINE_MAX], wide[LOG_LINE_MAX];

	if (pipe(ends) != 0)
		return 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct log_lines lines = {.log = &(struct log){ends[1], LOG_INFO}};
		ssize_t len;
		struct str got;

		log_lines_put(&lines, LOG_INFO, str_of(cases[i].text));
		log_lines_flush(&lines);
		len = read(ends[0], line, sizeof(line));
		got = (struct str){line, len > 0 ? (size_t)len : 0};
		is_str(got, str_of(cases[i].line), "%s", cases[i].what);
	}
	for (size_t i = 0; i + 1 < sizeof(wide); i++)
		wide[i] = '\n';
	wide[sizeof(wide) - 1] = '\0';
	log_line(&(struct log){ends[1], LOG_INFO}, LOG_INFO, "%s", wide);
	is_int(read(ends[0], line, sizeof(line)) <= LOG_LINE_MAX, 1,
	    "what is too long for a line is cut off");
	nobodies();
	return tap_done();
}
