/* The parser: line by line, by indentation, recursively into lists and maps. */
#include "text/front_matter.h"

#include "base/arena.h"
#include "text/front_text.h"

#include <string.h>

enum { KEYS_MAX = 100 }; /* of a map */

struct line {
	struct str text; /* without indentation and trailing white space */
	struct str raw;  /* without its line end */
	size_t indent;
	uint32_t number;
	bool empty; /* blank, or a comment */
};

struct reader {
	struct arena *arena;
	struct line *lines;
	size_t count, at;
	struct front_fault *fault;
	bool failed;
};

static bool
fail(struct reader *r, uint32_t line, const char *why)
{
	if (!r->failed)
		*r->fault = (struct front_fault){line, str_of(why)};
	r->failed = true;
	return false;
}

static bool
failed_text(struct reader *r, uint32_t line, const char *why)
{
	return why == NULL || fail(r, line, why);
}

/* The next line, skipping empty ones; NULL at the end, and when it is invalid. */
static struct line *
peek(struct reader *r)
{
	while (r->at < r->count && r->lines[r->at].empty)
		r->at++;
	if (r->at == r->count || r->failed)
		return NULL;
	if (r->lines[r->at].raw.base[r->lines[r->at].indent] != '\t')
		return &r->lines[r->at];
	fail(r, r->lines[r->at].number, "lines are indented by spaces, not by tabs");
	return NULL;
}

static bool
is_item(const struct line *line)
{
	return line->text.base[0] == '-' && (line->text.len == 1 || line->text.base[1] == ' ');
}

/* The length of the key at the start of the text; 0: there is none. */
static size_t
key_length(struct str text)
{
	size_t len = 0;

	while (len < text.len && ((text.base[len] >= 'a' && text.base[len] <= 'z') ||
				     (text.base[len] >= 'A' && text.base[len] <= 'Z') ||
				     (text.base[len] >= '0' && text.base[len] <= '9') ||
				     text.base[len] == '_' || (text.base[len] == '-' && len != 0)))
		len++;
	if (len == text.len || text.base[len] != ':')
		return 0;
	return len + 1 == text.len || text.base[len + 1] == ' ' ? len : 0;
}

static struct front_entry *
add_entry(struct reader *r, struct front_value *value)
{
	/* Entries may not stay at the arena's end, so the array is doubled to keep this cheap. */
	size_t size = sizeof(struct front_entry);

	if ((value->count & (value->count - 1)) == 0) {
		size_t room = value->count != 0 ? value->count * 2 : 1;

		value->entries =
		    arena_grow(r->arena, value->entries, value->count * size, room * size);
	}
	value->entries[value->count] = (struct front_entry){.line = 0};
	return &value->entries[value->count++];
}

/* --- Blocks of lines: "|" and ">" ---------------------------------------------------------------- */

/* Reads the lines of a block; all that are not empty are indented by more than `outer`. */
static bool
read_block(struct reader *r, struct str header, size_t outer, struct front_value *out)
{
	struct front_block block = {.arena = r->arena, .indent = 0};
	uint32_t number = r->lines[r->at].number;

	if (!failed_text(r, number, front_block_begin(&block, header)))
		return false;
	for (r->at++; r->at < r->count; r->at++) {
		const struct line *line = &r->lines[r->at];
		bool blank = str_trim(line->raw).len == 0;

		if (!blank && line->indent <= outer)
			break;
		if (!blank && block.indent == 0)
			block.indent = line->indent;
		if (!blank && line->indent < block.indent)
			return fail(r, line->number, "this line is indented less than its block");
		front_block_line(&block, line->raw);
	}
	*out = (struct front_value){
	    .kind = FRONT_TEXT, .line = number, .text = front_block_end(&block)};
	return true;
}

/* --- Values ------------------------------------------------------------------------------------- */

static bool
read_flow(struct reader *r, struct str rest, uint32_t line, struct front_value *out)
{
	*out = (struct front_value){.kind = FRONT_LIST, .line = line};
	rest = str_trim(str_sub(rest, 1, rest.len));
	while (rest.len == 0 || rest.base[0] != ']') {
		struct front_entry *entry;
		const char *why;

		if (rest.len == 0)
			return fail(r, line, "a list in brackets must end, with ], on its line");
		entry = add_entry(r, out);
		entry->line = line;
		entry->value = (struct front_value){.kind = FRONT_TEXT, .line = line};
		why = front_text_take(r->arena, &rest, true, &entry->value.text);
		if (!failed_text(r, line, why))
			return false;
		if (rest.len != 0 && rest.base[0] == ',')
			rest = str_trim(str_sub(rest, 1, rest.len));
		else if (rest.len != 0 && rest.base[0] != ']')
			return fail(r, line, "a comma is missing in the list");
	}
	rest = str_trim(str_sub(rest, 1, rest.len));
	return front_is_end(rest) || fail(r, line, "something stands behind the list's ]");
}

static bool read_nested(struct reader *r, size_t indent, unsigned depth, struct front_value *out);

/*
 * The value after "key:" or "-", on the same line or on those below; `outer` is the indentation of
 * that.
 */
static bool
read_value(struct reader *r, struct str rest, size_t outer, bool in_map, unsigned depth,
    struct front_value *out)
{
	uint32_t number = r->lines[r->at].number;
	const struct line *next;

	if (rest.len != 0 && (rest.base[0] == '|' || rest.base[0] == '>'))
		return read_block(r, rest, outer, out);
	*out = (struct front_value){.kind = FRONT_TEXT, .line = number};
	if (!front_is_end(rest)) {
		r->at++;
		if (rest.base[0] == '[')
			return read_flow(r, rest, number, out);
		if (!failed_text(r, number, front_text_take(r->arena, &rest, false, &out->text)))
			return false;
		return front_is_end(rest) ||
		       fail(r, number, "something stands behind the quoted text");
	}
	r->at++;
	next = peek(r);
	if (next == NULL)
		return true;
	if (next->indent > outer || (in_map && next->indent == outer && is_item(next)))
		return read_nested(r, next->indent, depth + 1, out);
	return true;
}

static bool
read_map(struct reader *r, size_t indent, unsigned depth, struct front_value *out)
{
	const struct line *line;

	while ((line = peek(r)) != NULL && line->indent == indent && !is_item(line)) {
		size_t len = key_length(line->text);
		struct str rest = str_trim(str_sub(line->text, len + 1, line->text.len));
		struct front_entry *entry;
		struct front_value value;

		if (len == 0)
			return fail(r, line->number, "expected \"key: value\"");
		if (front_find(out, str_sub(line->text, 0, len)) != NULL)
			return fail(r, line->number, "this key was there before");
		if (out->count == KEYS_MAX)
			return fail(r, line->number, "there are too many keys");
		entry = add_entry(r, out);
		entry->key = str_sub(line->text, 0, len);
		entry->line = line->number;
		if (!read_value(r, rest, indent, true, depth, &value))
			return false;
		out->entries[out->count - 1].value = value;
	}
	return true;
}

static bool
read_list(struct reader *r, size_t indent, unsigned depth, struct front_value *out)
{
	struct line *line;

	while ((line = peek(r)) != NULL && line->indent == indent && is_item(line)) {
		struct str rest = str_sub(line->text, 1, line->text.len);
		size_t gap = 0;
		struct front_value value;

		while (gap < rest.len && rest.base[gap] == ' ')
			gap++;
		rest = str_sub(rest, gap, rest.len);
		add_entry(r, out)->line = line->number;
		if (key_length(rest) != 0 || (rest.len != 0 && rest.base[0] == '-' &&
						 (rest.len == 1 || rest.base[1] == ' '))) {
			/*
			 * A map or list that begins on this line is read as if it were on a line of
			 * its own.
			 */
			line->indent = indent + 1 + gap;
			line->text = rest;
			if (!read_nested(r, line->indent, depth + 1, &value))
				return false;
		} else if (!read_value(r, rest, indent, false, depth, &value)) {
			return false;
		}
		out->entries[out->count - 1].value = value;
	}
	return true;
}

/* Reads a list or a map whose lines have that indentation. */
static bool
read_nested(struct reader *r, size_t indent, unsigned depth, struct front_value *out)
{
	const struct line *line = peek(r);
	bool list = line != NULL && is_item(line);

	*out = (struct front_value){
	    .kind = list ? FRONT_LIST : FRONT_MAP, .line = line != NULL ? line->number : 1};
	if (depth > FRONT_DEPTH)
		return fail(r, out->line, "this is nested too deeply");
	return (list ? read_list(r, indent, depth, out) : read_map(r, indent, depth, out)) &&
	       !r->failed;
}

/* --- The file ------------------------------------------------------------------------------------- */

static bool
is_fence(struct str line)
{
	return str_starts(line, STR("---")) && str_trim(line).len == 3;
}

/* Cuts the first line off, with its CR. */
static struct str
take_line(struct str *rest)
{
	struct str line = str_cut(*rest, '\n', rest);

	if (line.len != 0 && line.base[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* The lines between the fences; *rest is what follows. False: there is no second fence. */
static bool
split(struct reader *r, struct str *rest)
{
	size_t capacity = 16;
	uint32_t number = 1;

	r->lines = ARENA_ARRAY(r->arena, capacity, struct line);
	while (rest->len != 0) {
		struct str raw = take_line(rest), text = str_trim(raw);
		struct line *line;

		number++;
		if (is_fence(raw))
			return true;
		if (r->count == capacity) {
			r->lines = arena_grow(r->arena, r->lines, capacity * sizeof(*r->lines),
			    2 * capacity * sizeof(*r->lines));
			capacity *= 2;
		}
		line = &r->lines[r->count++];
		*line = (struct line){.text = text, .raw = raw, .number = number};
		line->empty = text.len == 0 || text.base[0] == '#';
		while (line->indent < raw.len && raw.base[line->indent] == ' ')
			line->indent++;
	}
	return false;
}

/*
 * The text after the front matter: CRLF become LF, one empty line at the start and the last line
 * end are removed.
 */
static struct str
text_of(struct arena *arena, struct str rest)
{
	struct buf out = {.arena = arena};

	if (rest.len != 0 && rest.base[0] == '\n')
		rest = str_sub(rest, 1, rest.len);
	else if (str_starts(rest, STR("\r\n")))
		rest = str_sub(rest, 2, rest.len);
	if (memchr(rest.base != NULL ? rest.base : "", '\r', rest.len) != NULL) {
		while (rest.len != 0) {
			bool last = str_find(rest, '\n') == rest.len;

			buf_put(&out, last ? rest : take_line(&rest));
			if (last)
				break;
			buf_putc(&out, '\n');
		}
		rest = buf_str(&out);
	}
	if (rest.len != 0 && rest.base[rest.len - 1] == '\n')
		rest.len--;
	return rest;
}

/* The number of the first line with invalid UTF-8. */
static uint32_t
bad_line(struct str file)
{
	uint32_t number = 1;

	while (file.len != 0 && str_utf8(str_cut(file, '\n', &file)))
		number++;
	return number;
}

bool
front_matter_read(
    struct arena *arena, struct str file, struct front_matter *out, struct front_fault *fault)
{
	struct reader r = {.arena = arena, .fault = fault};
	const struct line *line;

	*out = (struct front_matter){.map = {.kind = FRONT_MAP, .line = 1}};
	if (!str_utf8(file))
		return fail(&r, bad_line(file), "this is not UTF-8");
	if (str_starts(file, STR("\xef\xbb\xbf")))
		file = str_sub(file, 3, file.len);
	if (!is_fence(take_line(&file)))
		return fail(&r, 1, "the file must begin with a line ---");
	if (!split(&r, &file))
		return fail(&r, 1, "no second line --- ends what begins here");
	if (!read_map(&r, 0, 0, &out->map))
		return false;
	/* A line that fits nowhere is left over. */
	line = peek(&r);
	if (line != NULL)
		return fail(&r, line->number,
		    is_item(line) ? "this - begins a list where none can be"
				  : "this line is not indented as those above it are");
	if (r.failed)
		return false;
	out->text = text_of(arena, file);
	return true;
}

const struct front_value *
front_find(const struct front_value *map, struct str key)
{
	for (size_t i = 0; i < map->count; i++)
		if (str_eq(map->entries[i].key, key))
			return &map->entries[i].value;
	return NULL;
}
