#include "web/form/multipart.h"

#include "base/arena.h"
#include "base/buf.h"

#include <string.h>

enum { BOUNDARY_MAX = 70 };

/*
 * The next `; name=value` of a header's parameters, with a quoted or a bare value. A backslash
 * escapes only a quote or a backslash, because old browsers send paths in filenames as they are.
 * False at the end, and at a syntax error; then *rest is not empty.
 */
static bool
next_parameter(struct arena *arena, struct str *rest, struct str *name, struct str *value)
{
	struct buf text = {.arena = arena};
	struct str at = str_trim(*rest);
	size_t i;

	*rest = at;
	if (at.len == 0 || at.base[0] != ';')
		return false;
	at = str_sub(at, 1, at.len);
	i = str_find(at, '=');
	*name = str_trim(str_sub(at, 0, i));
	at = str_sub(at, i + 1, at.len);
	if (name->len == 0 || str_find(*name, ';') != name->len)
		return false;
	if (at.len == 0 || at.base[0] != '"') {
		i = str_find(at, ';');
		*value = str_trim(str_sub(at, 0, i));
		*rest = str_sub(at, i, at.len);
		return true;
	}
	for (i = 1; i < at.len && at.base[i] != '"'; i++) {
		if (at.base[i] == '\\' && i + 1 < at.len &&
		    (at.base[i + 1] == '"' || at.base[i + 1] == '\\'))
			i++;
		buf_putc(&text, at.base[i]);
	}
	if (i == at.len)
		return false;
	*value = text.len == i - 1 ? str_sub(at, 1, text.len) : buf_str(&text);
	*rest = str_sub(at, i + 1, at.len);
	return true;
}

bool
multipart_boundary(struct str content_type, struct str *boundary)
{
	struct str rest, piece = str_cut(content_type, ';', &rest);

	if (!str_eq_nocase(str_trim(piece), STR("multipart/form-data")))
		return false;
	while (rest.len != 0) {
		struct str name, value;

		piece = str_cut(rest, ';', &rest);
		name = str_trim(str_cut(piece, '=', &value));
		value = str_trim(value);
		if (!str_eq_nocase(name, STR("boundary")))
			continue;
		if (value.len >= 2 && value.base[0] == '"' && value.base[value.len - 1] == '"')
			value = str_sub(value, 1, value.len - 2);
		*boundary = value;
		return value.len >= 1 && value.len <= BOUNDARY_MAX;
	}
	return false;
}

/* Text that is safe in a page or a log: UTF-8 without control characters. */
static bool
is_label(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.base[i] < 0x20 || s.base[i] == 0x7f)
			return false;
	return str_utf8(s);
}

/* The part after the last slash or backslash. */
static struct str
without_path(struct str name)
{
	for (size_t i = name.len; i > 0; i--)
		if (name.base[i - 1] == '/' || name.base[i - 1] == '\\')
			return str_sub(name, i, name.len);
	return name;
}

/* Parses Content-Disposition: form-data, a name, maybe a filename. */
static enum multipart_rc
read_disposition(
    struct arena *arena, struct str text, const struct multipart_limits *limits, struct part *part)
{
	size_t semicolon = str_find(text, ';');
	struct str name, value;

	if (!str_eq_nocase(str_trim(str_sub(text, 0, semicolon)), STR("form-data")))
		return MULTIPART_MALFORMED;
	text = str_sub(text, semicolon, text.len);
	while (next_parameter(arena, &text, &name, &value)) {
		if (value.len > limits->name_size)
			return MULTIPART_TOO_LONG;
		if (!is_label(value))
			return MULTIPART_MALFORMED;
		if (str_eq_nocase(name, STR("name")) && part->name.base == NULL) {
			part->name = value;
		} else if (str_eq_nocase(name, STR("filename")) && !part->file) {
			part->filename = without_path(value);
			part->file = true;
		}
	}
	return text.len == 0 ? MULTIPART_OK : MULTIPART_MALFORMED;
}

/* The header lines of a part. */
static enum multipart_rc
read_head(
    struct arena *arena, struct str head, const struct multipart_limits *limits, struct part *part)
{
	while (head.len != 0) {
		struct str line = str_cut(head, '\n', &head), name, value;
		enum multipart_rc rc;

		/* An empty line would have ended the head. */
		if (line.len < 2 || line.base[line.len - 1] != '\r')
			return MULTIPART_MALFORMED;
		name = str_cut(str_sub(line, 0, line.len - 1), ':', &value);
		value = str_trim(value);
		if (str_eq_nocase(name, STR("Content-Disposition"))) {
			rc = read_disposition(arena, value, limits, part);
			if (rc != MULTIPART_OK)
				return rc;
		} else if (str_eq_nocase(name, STR("Content-Type"))) {
			if (!is_label(value))
				return MULTIPART_MALFORMED;
			part->content_type = value;
		}
	}
	return part->name.len != 0 ? MULTIPART_OK : MULTIPART_MALFORMED;
}

/* The offset of `wanted` in `in`, from `from` on, or in.len. */
static size_t
find(struct str in, size_t from, struct str wanted)
{
	const char *at;

	if (from >= in.len)
		return in.len;
	at = memmem(in.base + from, in.len - from, wanted.base, wanted.len);
	return at != NULL ? (size_t)(at - in.base) : in.len;
}

/* Reads the part that begins at *at, up to the delimiter, and moves *at past that. */
static enum multipart_rc
read_part(struct arena *arena, struct str body, struct str delimiter,
    const struct multipart_limits *limits, size_t *at, struct part *part)
{
	/*
	 * The head is searched for only up to its limit, so that a long part without one costs
	 * nothing.
	 */
	struct str window = str_sub(body, 0, *at + limits->head_size + 4);
	size_t blank = find(window, *at, STR("\r\n\r\n")), end;
	enum multipart_rc rc;

	if (blank == window.len)
		return window.len < body.len ? MULTIPART_TOO_LONG : MULTIPART_MALFORMED;
	rc = read_head(arena, str_sub(body, *at, blank + 2 - *at), limits, part);
	if (rc != MULTIPART_OK)
		return rc;
	/* The delimiter's line end may be that of the blank line: an empty part. */
	end = find(body, blank + 4, delimiter);
	if (end == body.len)
		return MULTIPART_MALFORMED;
	part->content = str_sub(body, blank + 4, end - (blank + 4));
	*at = end + delimiter.len;
	return MULTIPART_OK;
}

/* After a delimiter: two hyphens end the body, a line end begins a part. */
static bool
behind_delimiter(struct str body, size_t *at, bool *last)
{
	if (str_eq(str_sub(body, *at, 2), STR("--"))) {
		*last = true;
		return true;
	}
	while (*at < body.len && (body.base[*at] == ' ' || body.base[*at] == '\t'))
		++*at;
	*last = false;
	*at += 2;
	return str_eq(str_sub(body, *at - 2, 2), STR("\r\n"));
}

enum multipart_rc
multipart_parse(struct arena *arena, struct str body, struct str boundary,
    const struct multipart_limits *limits, struct parts *out)
{
	struct str delimiter = STR_CONCAT(arena, STR("\r\n--"), boundary);
	struct part *parts = NULL;
	size_t at = delimiter.len - 2, count = 0, capacity = 0;
	bool last;

	*out = (struct parts){NULL, 0};
	if (!str_starts(body, str_sub(delimiter, 2, delimiter.len)))
		return MULTIPART_MALFORMED;
	for (;;) {
		enum multipart_rc rc;

		if (!behind_delimiter(body, &at, &last))
			return MULTIPART_MALFORMED;
		if (last)
			break;
		if (count == limits->count)
			return MULTIPART_TOO_MANY;
		if (count == capacity) {
			size_t more = capacity != 0 ? capacity * 2 : 8;

			parts = arena_grow(
			    arena, parts, capacity * sizeof(*parts), more * sizeof(*parts));
			capacity = more;
		}
		rc = read_part(arena, body, delimiter, limits, &at, &parts[count]);
		if (rc != MULTIPART_OK)
			return rc;
		count++;
	}
	*out = (struct parts){parts, count};
	return MULTIPART_OK;
}

struct str
parts_get(const struct parts *parts, struct str name)
{
	for (size_t i = 0; i < parts->count; i++)
		if (str_eq(parts->parts[i].name, name))
			return parts->parts[i].content;
	return STR("");
}
