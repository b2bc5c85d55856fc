/* The log's lines: whatever is logged, it is one line that says what came, and that journald shows. */
#include "../tap.h"

#include "base/log.h"

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
	return tap_done();
}
