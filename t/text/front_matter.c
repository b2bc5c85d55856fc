/*
 * Front matter: what is accepted, what is refused and on which line, and that what is written is
 * read back unchanged.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "text/front_matter.h"

/* The value spelled out: 'text', [list], {key:value}. */
static void
spell(struct buf *out, const struct front_value *value)
{
	if (value->kind == FRONT_TEXT) {
		buf_putc(out, '\'');
		buf_put(out, value->text);
		buf_putc(out, '\'');
		return;
	}
	buf_putc(out, value->kind == FRONT_LIST ? '[' : '{');
	for (size_t i = 0; i < value->count; i++) {
		if (i != 0)
			buf_putc(out, ',');
		buf_put(out, value->entries[i].key);
		if (value->kind == FRONT_MAP)
			buf_putc(out, ':');
		spell(out, &value->entries[i].value);
	}
	buf_putc(out, value->kind == FRONT_LIST ? ']' : '}');
}

static const struct {
	const char *map, *spelled;
} good[] = {
    {"", "{}"},
    {"a: b", "{a:'b'}"},
    {"a: b\n\n# comment\n  # another\nc-d_2:   e  ", "{a:'b',c-d_2:'e'}"},
    {"a:\nb: ~\nc: null", "{a:'',b:'',c:''}"},
    {"a: b: c://d#e # comment", "{a:'b: c://d#e'}"},
    {"a: # comment\nb: c", "{a:'',b:'c'}"},
    {"a: \"b \\\" \\\\ \\n\\t\\x41\\u00e9\\U0001f409 # no\" # comment",
	"{a:'b \" \\ \n\tAé🐉 # no'}"},
    {"a: 'it''s \\n'", "{a:'it's \\n'}"},
    {"a: ''", "{a:''}"},
    {"a: [b, \"c, d\", 'e', f g ] # comment", "{a:['b','c, d','e','f g']}"},
    {"a: []\nb: [c,]", "{a:[],b:['c']}"},
    {"a:\n  - b\n  - \"c: d\"\n  -\n  - e", "{a:['b','c: d','','e']}"},
    {"a:\n- b\n- c\nd: e", "{a:['b','c'],d:'e'}"},
    {"a:\n  - b: c\n    d: e\n  -   b: f\n      d: g\n", "{a:[{b:'c',d:'e'},{b:'f',d:'g'}]}"},
    {"a:\n  -\n    b: c\n", "{a:[{b:'c'}]}"},
    {"a:\n  b:\n    c: d\n  e: f", "{a:{b:{c:'d'},e:'f'}}"},
    {"a:\n  - - b\n    - c\n  - [d, e]", "{a:[['b','c'],['d','e']]}"},
    {"a: |\n  b\n   c\n\n  d\n\ne: f", "{a:'b\n c\n\nd\n',e:'f'}"},
    {"a: |-\n  b # no comment\n  - c\ne: f", "{a:'b # no comment\n- c',e:'f'}"},
    {"a: |+\n  b\n\nc: d", "{a:'b\n\n',c:'d'}"},
    {"a: >-\n  b\n  c\n\n  d\n    e\n  f", "{a:'b c\nd\n  e\nf'}"},
    {"a: > # comment\n  b\n  c\n", "{a:'b c\n'}"},
    {"a: |-\nb: c", "{a:'',b:'c'}"},
    {"a:\n  - |-\n    b\n    c\n  - d", "{a:['b\nc','d']}"},
    {"a:\n  - b: |-\n      c\n      d\n    e: f", "{a:[{b:'c\nd',e:'f'}]}"},
    {"a: |-\n  b\n  # not a comment\n# a comment\nc: d", "{a:'b\n# not a comment',c:'d'}"},
    {"a: -1\nb: -x\nc: 2026-11-18", "{a:'-1',b:'-x',c:'2026-11-18'}"},
};

/* In one line, for a sentence. */
static const char *
one_line(struct arena *arena, const char *text)
{
	char *copy = str_cstring(arena, str_of(text));

	for (char *c = copy; *c != '\0'; c++)
		*c = *c == '\n' ? '|' : *c;
	return copy;
}

static void
reading(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct str file = str_fmt(arena, "---\n%s\n---\n", good[i].map);
		struct buf spelled = {.arena = arena};
		struct front_matter matter;
		struct front_fault fault;

		if (!ok(front_matter_read(arena, file, &matter, &fault), "\"%s\" is read.",
			one_line(arena, good[i].map))) {
			fprintf(stderr, "# line %u: %.*s\n", fault.line, STR_ARGS(fault.why));
			continue;
		}
		spell(&spelled, &matter.map);
		is_str(buf_str(&spelled), str_of(good[i].spelled), "... as %s",
		    one_line(arena, good[i].spelled));
	}
}

static const struct {
	const char *file, *text;
} texts[] = {
    {"---\na: b\n---\n\nThe text.\n", "The text."},
    {"---\na: b\n---\nThe text.", "The text."},
    {"---\na: b\n---\n\n\nThe text.\n\n", "\nThe text.\n"},
    {"---\na: b\n---\n", ""},
    {"---\na: b\n---", ""},
    {"---\na: b\n---\n\n", ""},
    {"\xef\xbb\xbf---\r\na: b\r\n---\r\n\r\nOne\r\n\r\ntwo\r\n", "One\n\ntwo"},
    {"--- \na: b\n---  \n---\nRule\n---\n", "---\nRule\n---"},
    {"---\na: |-\n  ---\n---\n\n  indented", "  indented"},
};

static void
behind(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct front_matter matter = {.text = STR("?")};
		struct front_fault fault;

		front_matter_read(arena, str_of(texts[i].file), &matter, &fault);
		is_str(matter.text, str_of(texts[i].text), "The text behind it is found (%zu).", i);
	}
}

static const struct {
	const char *file;
	uint32_t line;
	const char *why;
} bad[] = {
    {"", 1, "must begin with a line ---"},
    {"title: x\n", 1, "must begin with a line ---"},
    {"---\ntitle: x\n", 1, "no second line ---"},
    {"---\na: \xff\n---\n", 2, "not UTF-8"},
    {"---\na: b\n---\nt\n\xff\n", 5, "not UTF-8"},
    {"---\na b\n---\n", 2, "key: value"},
    {"---\na:b\n---\n", 2, "key: value"},
    {"---\n\"a\": b\n---\n", 2, "key: value"},
    {"---\n: b\n---\n", 2, "key: value"},
    {"---\na: b\nc: d\na: e\n---\n", 4, "there before"},
    {"---\n- a\n---\n", 2, "begins a list where none can be"},
    {"---\na: b\n- c\n---\n", 3, "begins a list where none can be"},
    {"---\n  a: b\n---\n", 2, "not indented as"},
    {"---\na: b\n  c: d\n---\n", 3, "not indented as"},
    {"---\na:\n    b: c\n  d: e\n---\n", 4, "not indented as"},
    {"---\na:\n  b: c\n  - d\n---\n", 4, "begins a list"},
    {"---\na:\n  - b\n  c: d\n---\n", 4, "not indented as"},
    {"---\na:\n\tb: c\n---\n", 3, "not by tabs"},
    {"---\na: \"b\n---\n", 2, "must end on its line"},
    {"---\na: 'b\n  c'\n---\n", 2, "must end on its line"},
    {"---\na: \"b\\\n---\n", 2, "must end on its line"},
    {"---\na: \"b\" c\n---\n", 2, "behind the quoted text"},
    {"---\na: \"b\"#c\n---\n", 2, "behind the quoted text"},
    {"---\na: \"\\q\"\n---\n", 2, "no such escape"},
    {"---\na: \"\\u00g0\"\n---\n", 2, "hexadecimal"},
    {"---\na: \"\\ud800\"\n---\n", 2, "of no character"},
    {"---\na: \"\\U00110000\"\n---\n", 2, "of no character"},
    {"---\na: [b, c\n---\n", 2, "must end, with ]"},
    {"---\na: [b\n  c]\n---\n", 2, "must end, with ]"},
    {"---\na: [\"b\" \"c\"]\n---\n", 2, "comma is missing"},
    {"---\na: [[b]]\n---\n", 2, "must be quoted"},
    {"---\na: [b] c\n---\n", 2, "behind the list"},
    {"---\na: {b: c}\n---\n", 2, "braces"},
    {"---\na: &b c\n---\n", 2, "must be quoted"},
    {"---\na: *b\n---\n", 2, "must be quoted"},
    {"---\na: !b c\n---\n", 2, "must be quoted"},
    {"---\na: @b\n---\n", 2, "must be quoted"},
    {"---\na: - b\n---\n", 2, "must be quoted"},
    {"---\na: |2\n  b\n---\n", 2, "only - or +"},
    {"---\na: |-x\n  b\n---\n", 2, "only - or +"},
    {"---\na: |\n    b\n  c\n---\n", 4, "less than its block"},
    {"---\na:\n - - - - - - - - - - b\n---\n", 3, "too deeply"},
};

static void
refusing(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct front_fault fault = {.line = 0};
		struct front_matter matter;
		bool read = front_matter_read(arena, str_of(bad[i].file), &matter, &fault);

		ok(!read && fault.line == bad[i].line &&
			memmem(fault.why.base, fault.why.len, bad[i].why, strlen(bad[i].why)) !=
			    NULL,
		    "%zu is refused in line %u: %s", i, bad[i].line, bad[i].why);
		if (!read && fault.line != bad[i].line)
			fprintf(stderr, "# line %u: %.*s\n", fault.line, STR_ARGS(fault.why));
	}
}

static void
bounds(struct arena *arena)
{
	struct buf many = {.arena = arena};
	struct front_fault fault;
	struct front_matter matter;

	front_begin(&many);
	for (int i = 0; i < 1000; i++)
		buf_fmt(&many, "k%d: v\n", i);
	front_end(&many, STR(""));
	ok(!front_matter_read(arena, buf_str(&many), &matter, &fault) && fault.line == 102,
	    "A map of a thousand keys is refused.");
	many = (struct buf){.arena = arena};
	BUF_PUT(&many, "---\na:\n");
	for (int i = 0; i < 100000; i++)
		BUF_PUT(&many, "- x\n");
	front_end(&many, STR(""));
	ok(front_matter_read(arena, buf_str(&many), &matter, &fault) &&
		matter.map.entries[0].value.count == 100000,
	    "A list of a hundred thousand texts is read.");
}

/* --- Back and forth -------------------------------------------------------------------------------- */

static struct str
text_by_chance(struct arena *arena, struct clock *clock)
{
	static const char *const pool[] = {"a", "b", " ", " ", "\n", "\n", "\t", ":", "#", "-", "'",
	    "\"", "\\", "[", "]", "{", "}", ",", "|", ">", "&", "*", "!", "%", "@", "`", "~", "?",
	    "---", "null", "true", "1", "2026-11-18", "é", "🐉", "\xc2\x85", "\xe2\x80\xa8",
	    "\xef\xbb\xbf", "\x01", "\x7f", "\r", "\r\n", "word", "k: v", "- "};
	struct buf out = {.arena = arena};
	unsigned char bytes[16];

	clock->random(clock, bytes, sizeof(bytes));
	for (int i = 0; i < bytes[15] % 12; i++) {
		buf_put(&out, str_of(pool[bytes[i] % (sizeof(pool) / sizeof(pool[0]))]));
		if (bytes[14] % 16 == 0)
			buf_putc(&out, '\0');
	}
	return buf_str(&out);
}

/* A file of eight texts by chance, in every place where a text can be. What is wrong, or NULL. */
static const char *
back_and_forth(struct arena *arena, struct clock *clock, struct str *file)
{
	struct buf out = {.arena = arena};
	struct front_matter matter;
	struct front_fault fault;
	const struct front_value *at;
	struct str t[8];

	for (int i = 0; i < 8; i++)
		t[i] = text_by_chance(arena, clock);
	while (!front_text_fits(t[7]))
		t[7] = text_by_chance(arena, clock);
	front_begin(&out);
	front_put_text(&out, 0, STR("one"), t[0]);
	front_put_texts(&out, STR("two"), &t[1], 2);
	front_put_key(&out, STR("three"));
	front_put_item(&out, 2, t[3]);
	front_put_item(&out, 2, t[4]);
	front_put_key(&out, STR("four"));
	front_put_first(&out, 2, STR("key"), t[6]);
	front_put_text(&out, 4, STR("other"), t[5]);
	front_put_key(&out, STR("five"));
	front_put_text(&out, 2, STR("key"), t[6]);
	front_end(&out, t[7]);
	*file = buf_str(&out);
	if (!front_matter_read(arena, *file, &matter, &fault))
		return str_cstring(arena, fault.why);
	if (!str_eq(matter.map.entries[0].value.text, t[0]))
		return "a text";
	at = &matter.map.entries[1].value;
	if (at->count != 2 || !str_eq(at->entries[0].value.text, t[1]) ||
	    !str_eq(at->entries[1].value.text, t[2]))
		return "a list in brackets";
	at = &matter.map.entries[2].value;
	if (at->count != 2 || !str_eq(at->entries[0].value.text, t[3]) ||
	    !str_eq(at->entries[1].value.text, t[4]))
		return "a list of lines";
	at = &matter.map.entries[3].value.entries[0].value;
	if (at->count != 2 || !str_eq(at->entries[0].value.text, t[6]) ||
	    !str_eq(at->entries[1].value.text, t[5]))
		return "a list of maps";
	if (!str_eq(matter.map.entries[4].value.entries[0].value.text, t[6]))
		return "a map";
	return str_eq(matter.text, t[7]) ? NULL : "the text behind it";
}

static void
writing(struct arena *arena)
{
	struct clock clock = clock_fixed(0, 17);
	unsigned wrong = 0;

	for (int i = 0; i < 30000; i++) {
		struct str file;
		const char *what = back_and_forth(arena, &clock, &file);

		if (what != NULL && wrong++ == 0) {
			fprintf(stderr, "# %s\n", what);
			tap_show("file", file);
		}
		arena_reset(arena);
	}
	is_int(wrong, 0, "Of 30,000 files of texts by chance, each is read back as it was.");
}

int
main(void)
{
	struct arena *arena = arena_new();

	reading(arena);
	behind(arena);
	refusing(arena);
	bounds(arena);
	writing(arena);
	arena_free(arena);
	return tap_done();
}
