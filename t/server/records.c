/* FastCGI records: what is reported, however the input is split, and what is refused. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "server/records.h"

/* What came out: "p<parameters>", "b<all parts of the body>", "." for its end, "r<reply>", "e<reply>", "w<why>". */
static struct buf trace;
static struct records records;

static void
put_event(enum records_event event, struct str text)
{
	static const char letters[] = {[RECORDS_PARAMS] = 'p',
	    [RECORDS_BODY] = 'b',
	    [RECORDS_WHOLE] = '.',
	    [RECORDS_REPLY] = 'r',
	    [RECORDS_ENDED] = 'e',
	    [RECORDS_WRONG] = 'w'};
	static enum records_event last;

	/* Parts of a body may be cut in many ways. */
	if (event != RECORDS_BODY || last != RECORDS_BODY || trace.len == 0)
		buf_putc(&trace, letters[event]);
	if (event != RECORDS_WHOLE)
		buf_put(&trace, text);
	last = event;
}

/*
 * Feeds it in pieces of `piece` bytes, as if each were one read(), and returns what was reported.
 */
static struct str
feed(struct str bytes, size_t piece)
{
	enum records_event event = RECORDS_MORE;
	struct str text;

	trace = (struct buf){.arena = trace.arena};
	records_begin(&records);
	while (bytes.len > 0 && event != RECORDS_WRONG) {
		size_t room;
		void *to = records_room(&records, &room);
		struct str part = str_sub(bytes, 0, piece < room ? piece : room);

		if (room == 0)
			bail_out("there is no room");
		memcpy(to, part.base, part.len);
		records_add(&records, part.len);
		bytes = str_sub(bytes, part.len, bytes.len);
		while ((event = records_next(&records, &text)) != RECORDS_MORE) {
			put_event(event, text);
			if (event == RECORDS_WRONG)
				break;
		}
	}
	return buf_str(&trace);
}

/* --- What a web server sends ---------------------------------------------------------------------- */

static struct buf sent;

static void
put_record(unsigned type, unsigned id, struct str content, unsigned char padding)
{
	unsigned char *head = (unsigned char *)buf_room(&sent, FCGI_HEADER_LEN);

	record_head(head, type, id, content.len);
	head[6] = padding;
	sent.len += FCGI_HEADER_LEN;
	buf_put(&sent, content);
	while (padding-- > 0)
		buf_putc(&sent, '#');
}

#define BEGIN_KEPT STR("\0\1\1\0\0\0\0\0")
#define BEGIN_ONCE STR("\0\1\0\0\0\0\0\0")

/* "A" is "1", "BC" is empty. */
#define PAIRS STR("\1\1A1\2\0BC")

static struct str
all_sent(void)
{
	struct str all = buf_str(&sent);

	sent = (struct buf){.arena = sent.arena};
	return all;
}

static struct str
many(char c, size_t count)
{
	char *bytes = arena_alloc(sent.arena, count);

	memset(bytes, c, count);
	return (struct str){bytes, count};
}

/* However the bytes are split, the same is reported. */
static void
tells(struct str bytes, struct str wanted, const char *what)
{
	static const size_t pieces[] = {1, 2, 3, 7, 8, 9, 4096};

	is_str(feed(bytes, bytes.len), wanted, "%s", what);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		if (!str_eq(feed(bytes, pieces[i]), wanted))
			ok(false, "%s, in pieces of %zu", what, pieces[i]);
	}
	/* Two pieces, cut at each place. */
	for (size_t cut = 1; cut < bytes.len && bytes.len < 1000; cut++) {
		struct str text;
		size_t room;

		feed(str_sub(bytes, 0, cut), cut);
		if (trace.len > 0 && memchr(trace.base, 'w', trace.len) != NULL)
			continue;
		memcpy(records_room(&records, &room), bytes.base + cut, bytes.len - cut);
		records_add(&records, bytes.len - cut);
		for (enum records_event event = RECORDS_REPLY;
		     event != RECORDS_MORE && event != RECORDS_WRONG;) {
			event = records_next(&records, &text);
			if (event != RECORDS_MORE)
				put_event(event, text);
		}
		if (!str_eq(buf_str(&trace), wanted))
			ok(false, "%s, cut at %zu", what, cut);
	}
}

static void
requests(void)
{
	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 1, PAIRS, 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	put_record(FCGI_STDIN, 1, STR(""), 0);
	tells(all_sent(), STR("p\1\1A1\2\0BC."), "a request");
	ok(records.keep && records_empty(&records) && !records_idle(&records),
	    "... of a connection that is to be kept, all of it told of");

	put_record(FCGI_BEGIN_REQUEST, 513, BEGIN_ONCE, 3);
	put_record(FCGI_PARAMS, 513, STR("\1\1"), 255);
	put_record(FCGI_PARAMS, 513, STR("A"), 1);
	put_record(FCGI_PARAMS, 513, STR("1\2\0BC"), 0);
	put_record(FCGI_PARAMS, 513, STR(""), 8);
	put_record(FCGI_STDIN, 513, STR("one "), 4);
	put_record(FCGI_STDIN, 513, STR("two"), 0);
	put_record(FCGI_STDIN, 513, STR(""), 9);
	tells(all_sent(), STR("p\1\1A1\2\0BCbone two."), "a request of many records, with padding");
	ok(!records.keep && records.id == 513, "... of a connection that ends with it");

	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 2, STR("another's"), 0);
	put_record(FCGI_PARAMS, 1, PAIRS, 0);
	put_record(FCGI_STDIN, 2, STR("another's"), 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	put_record(FCGI_ABORT_REQUEST, 2, STR(""), 0);
	put_record(FCGI_DATA, 1, STR("for a filter"), 0);
	put_record(FCGI_STDOUT, 1, STR("what only we say"), 0);
	put_record(FCGI_STDIN, 1, STR("x"), 0);
	put_record(200, 1, STR("from later"), 0);
	put_record(FCGI_STDIN, 1, STR(""), 0);
	put_record(FCGI_ABORT_REQUEST, 1, STR(""), 0);
	put_record(FCGI_PARAMS, 2, STR("another's"), 0);
	tells(all_sent(), STR("p\1\1A1\2\0BCbx."), "what is not of this request");

	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	put_record(FCGI_STDIN, 1, STR(""), 0);
	tells(all_sent(), STR("p."), "a request without parameters");
}

static void
others(void)
{
	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_BEGIN_REQUEST, 2, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 1, PAIRS, 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	put_record(FCGI_STDIN, 1, STR(""), 0);
	put_record(FCGI_BEGIN_REQUEST, 3, BEGIN_ONCE, 0);
	tells(all_sent(),
	    STR("r\1\3\0\2\0\10\0\0\0\0\0\0\1\0\0\0p\1\1A1\2\0BC."
		"r\1\3\0\3\0\10\0\0\0\0\0\0\1\0\0\0"),
	    "a second and a third request before the first is answered");
	ok(records.id == 1 && records.keep, "... change nothing about the first");

	put_record(FCGI_BEGIN_REQUEST, 1, STR("\0\2\1\0\0\0\0\0"), 0);
	put_record(FCGI_PARAMS, 1, PAIRS, 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	put_record(FCGI_STDIN, 1, STR(""), 0);
	tells(all_sent(), STR("e\1\3\0\1\0\10\0\0\0\0\0\0\3\0\0\0"), "a request to an authorizer");
	ok(records_idle(&records) && records.keep, "... leaves the connection idle");

	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_ONCE, 0);
	put_record(FCGI_PARAMS, 1, PAIRS, 0);
	put_record(FCGI_ABORT_REQUEST, 1, STR(""), 0);
	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 1, STR("\1\0Z"), 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	put_record(FCGI_STDIN, 1, STR("half a bo"), 0);
	put_record(FCGI_ABORT_REQUEST, 1, STR(""), 0);
	tells(all_sent(),
	    STR("e\1\3\0\1\0\10\0\0\0\0\0\0\0\0\0\0p\1\0Zbhalf a bo"
		"e\1\3\0\1\0\10\0\0\0\0\0\0\0\0\0\0"),
	    "requests that are aborted, each after which the next may come");
}

static void
questions(void)
{
	put_record(FCGI_GET_VALUES, 0,
	    STR("\16\0FCGI_MAX_CONNS\17\0FCGI_MPXS_CONNS\3\0FOO\16\0FCGI_MAX_CONNS"
		"\15\0FCGI_MAX_REQS"),
	    5);
	tells(all_sent(),
	    STR("r\1\12\0\0\0\67\0\0\16\3FCGI_MAX_CONNS512\17\1FCGI_MPXS_CONNS0"
		"\15\3FCGI_MAX_REQS512"),
	    "a question for values, some unknown, one twice");

	for (size_t i = 0; i < 2000; i++)
		buf_put(&sent, STR("\16\0FCGI_MAX_CONNS"));
	struct str asked = all_sent();

	put_record(FCGI_GET_VALUES, 0, asked, 0);
	tells(all_sent(), STR("r\1\12\0\0\0\23\0\0\16\3FCGI_MAX_CONNS512"),
	    "a question that is repeated two thousand times");

	put_record(FCGI_GET_VALUES, 0, STR(""), 0);
	put_record(77, 0, STR("?"), 1);
	put_record(FCGI_BEGIN_REQUEST, 0, BEGIN_KEPT, 0);
	tells(all_sent(),
	    STR("r\1\12\0\0\0\0\0\0r\1\13\0\0\0\10\0\0\115\0\0\0\0\0\0\0"
		"r\1\13\0\0\0\10\0\0\1\0\0\0\0\0\0\0"),
	    "a question for nothing, and what is about no request and unknown");
	ok(records_idle(&records), "... leave the connection idle");
}

static void
bounds(void)
{
	struct str full = many('x', FCGI_MAX_LENGTH);
	struct buf wanted = {.arena = sent.arena};

	/*
	 * The longest record, after as much that is skipped, so that it does not fit where it
	 * begins.
	 */
	for (size_t round = 0; round < 3; round++) {
		wanted.len = 0;
		put_record(FCGI_PARAMS, 9, str_sub(full, 0, 40000), 0);
		put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
		put_record(FCGI_PARAMS, 9, str_sub(full, 0, 60000), 0);
		if (round == 2)
			put_record(FCGI_PARAMS, 1, many('q', FCGI_MAX_LENGTH), 255);
		for (char c = 'a'; round < 2 && c < 'f'; c++) {
			put_record(FCGI_PARAMS, 1, many(c, 13107), (unsigned char)c);
			put_record(FCGI_PARAMS, 9, str_sub(full, 0, round * 50000), 0);
		}
		put_record(FCGI_PARAMS, 1, STR(""), 0);
		buf_putc(&wanted, 'p');
		if (round == 2)
			buf_put(&wanted, many('q', FCGI_MAX_LENGTH));
		for (char c = 'a'; round < 2 && c < 'f'; c++)
			buf_put(&wanted, many(c, 13107));
		buf_putc(&wanted, 'b');
		for (char c = '0'; c < '9'; c++) {
			size_t len = FCGI_MAX_LENGTH - (size_t)(c - '0') * 7001;

			put_record(FCGI_STDIN, 1, many(c, len), (unsigned char)(c * 5));
			buf_put(&wanted, many(c, len));
		}
		put_record(FCGI_STDIN, 1, STR(""), 0);
		buf_putc(&wanted, '.');
		struct str bytes = all_sent();
		static const size_t pieces[] = {1 << 30, 1, 1000, 30001, 65536, 70000, 131596};

		for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
			ok(str_eq(feed(bytes, pieces[i]), buf_str(&wanted)),
			    "as many parameters as there may be and a long body, %zu, %zu bytes "
			    "at a time",
			    round, pieces[i]);
	}
}

/* Reported parameters stay where they are, however long the body. */
static void
parameters_stay(void)
{
	struct str params = {NULL, 0}, text;
	enum records_event event = RECORDS_MORE;
	size_t body = 0;

	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 1, many('p', FCGI_MAX_LENGTH), 0);
	put_record(FCGI_PARAMS, 1, STR(""), 0);
	for (int i = 0; i < 40; i++)
		put_record(FCGI_STDIN, 1, many('b', 50000), 0);
	put_record(FCGI_STDIN, 1, STR(""), 0);
	struct str bytes = all_sent();

	records_begin(&records);
	while (event != RECORDS_WHOLE) {
		size_t room;
		void *to;

		event = records_next(&records, &text);
		if (event == RECORDS_PARAMS)
			params = text;
		if (event == RECORDS_BODY)
			body += text.len;
		if (event != RECORDS_MORE)
			continue;
		to = records_room(&records, &room);
		room = room < bytes.len ? room : bytes.len;
		memcpy(to, bytes.base, room);
		records_add(&records, room);
		bytes = str_sub(bytes, room, bytes.len);
	}
	ok(str_eq(params, many('p', FCGI_MAX_LENGTH)) && body == 2000000,
	    "Parameters stay where they are while two megabytes of a body go by.");
}

static void
wrongs(void)
{
#define HEAD(type, id, len) "\1" type "\0" id "\0" len "\0\0"
#define BEGIN HEAD("\1", "\1", "\10") "\0\1\1\0\0\0\0\0"
	static const struct {
		struct str bytes;
		const char *why;
	} cases[] = {
	    {STR_INIT("GET / HTTP/1.1\r\n\r\n"), "it is no FastCGI of version 1"},
	    {STR_INIT("\0"), "it is no FastCGI of version 1"},
	    {STR_INIT("\2\1\0\1\0\10\0\0\0\1\1\0\0\0\0\0"), "it is no FastCGI of version 1"},
	    {STR_INIT(BEGIN "\2"), "it is no FastCGI of version 1"},
	    {STR_INIT(HEAD("\1", "\1", "\7") "\0\1\1\0\0\0\0"),
		"its beginning is of the wrong length"},
	    {STR_INIT(HEAD("\1", "\1", "\11") "\0\1\1\0\0\0\0\0\0"),
		"its beginning is of the wrong length"},
	    {STR_INIT(HEAD("\1", "\1", "\0")), "its beginning is of the wrong length"},
	    {STR_INIT(BEGIN HEAD("\1", "\2", "\0")), "its beginning is of the wrong length"},
	    {STR_INIT(BEGIN BEGIN), "it begins twice"},
	    {STR_INIT(BEGIN HEAD("\5", "\1", "\1") "x"), "a body comes where there is none"},
	    {STR_INIT(BEGIN HEAD("\5", "\1", "\0")), "a body comes where there is none"},
	    {STR_INIT(BEGIN HEAD("\4", "\1", "\0") HEAD("\4", "\1", "\0")),
		"parameters come behind their end"},
	    {STR_INIT(BEGIN HEAD("\4", "\1", "\0") HEAD("\5", "\1", "\0") HEAD("\5", "\1", "\0")),
		"a body comes where there is none"},
	    {STR_INIT(BEGIN HEAD("\4", "\1", "\0") HEAD("\5", "\1", "\0") HEAD("\4", "\1", "\0")),
		"parameters come behind their end"},
	    {STR_INIT(BEGIN HEAD("\4", "\1", "\0") HEAD("\5", "\1", "\0") BEGIN),
		"it begins twice"},
	    {STR_INIT(HEAD("\11", "\0", "\1") "\16"), "its question for values is torn"},
	    {STR_INIT(HEAD("\11", "\0", "\3") "\16\0F"), "its question for values is torn"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct str whole = feed(cases[i].bytes, 1000), why;
		char *copy = arena_copy(sent.arena, whole.base, whole.len);
		bool same;

		str_cut((struct str){copy, whole.len}, 'w', &why);
		same = str_eq(feed(cases[i].bytes, 1), (struct str){copy, whole.len});
		is_str(why, str_of(cases[i].why), "%zu is refused: %s", i, cases[i].why);
		ok(same, "... byte by byte as well");
	}

	put_record(FCGI_BEGIN_REQUEST, 1, BEGIN_KEPT, 0);
	put_record(FCGI_PARAMS, 1, many('x', RECORDS_PARAMS_MAX), 0);
	put_record(FCGI_PARAMS, 1, STR("x"), 0);
	tells(all_sent(), STR("wits parameters are too long"), "a byte too many of parameters");
}

static void
pairs(void)
{
	static const struct {
		struct str bytes, told; /* name=value; for each that is whole, then what is left */
	} cases[] = {
	    {STR_INIT("\1\1A1"), STR_INIT("A=1;")},
	    {STR_INIT("\0\0"), STR_INIT("=;")},
	    {STR_INIT("\1\0A\0\1b"), STR_INIT("A=;=b;")},
	    {STR_INIT("\200\0\0\1\200\0\0\2Axy"), STR_INIT("A=xy;")},
	    {STR_INIT("\1\200\0\0\1Ax"), STR_INIT("A=x;")},
	    {STR_INIT("\1\1A"), STR_INIT("|\1\1A")},
	    {STR_INIT("\2\0A"), STR_INIT("|\2\0A")},
	    {STR_INIT("\1"), STR_INIT("|\1")},
	    {STR_INIT("\200\0\0"), STR_INIT("|\200\0\0")},
	    {STR_INIT("\1\200\0\0"), STR_INIT("|\1\200\0\0")},
	    {STR_INIT("\1\1A1\1"), STR_INIT("A=1;|\1")},
	    {STR_INIT("\377\377\377\377\377\377\377\377x"),
		STR_INIT("|\377\377\377\377\377\377\377\377x")},
	    {STR_INIT("\300\0\0\0\300\0\0\0x"), STR_INIT("|\300\0\0\0\300\0\0\0x")},
	    {STR_INIT("\1\377\377\377\377Ax"), STR_INIT("|\1\377\377\377\377Ax")},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf told = {.arena = sent.arena};
		/* A separate copy, so that the sanitizer sees a read beyond its end. */
		struct str rest = {arena_copy(sent.arena, cases[i].bytes.base, cases[i].bytes.len),
		    cases[i].bytes.len};
		struct str name, value;

		while (rest.len > 0 && records_pair(&rest, &name, &value)) {
			buf_put(&told, name);
			buf_putc(&told, '=');
			buf_put(&told, value);
			buf_putc(&told, ';');
		}
		if (rest.len > 0) {
			buf_putc(&told, '|');
			buf_put(&told, rest);
		}
		is_str(buf_str(&told), cases[i].told, "parameters %zu", i);
	}
}

int
main(void)
{
	struct arena *arena = arena_new();

	trace.arena = sent.arena = arena;
	requests();
	others();
	questions();
	bounds();
	parameters_stay();
	wrongs();
	pairs();
	arena_free(arena);
	return tap_done();
}
